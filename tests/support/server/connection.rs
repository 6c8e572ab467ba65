//! One connection: requests are read and answered until one side ends it.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Desk;
use super::answer::{Delivery, End};
use super::received::Inbox;

/// Serves a connection.
///
/// # Errors
///
/// The client left before its answer was whole.
pub(super) async fn serve(mut stream: TcpStream, desk: &Desk) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut inbox = Inbox::default();
    loop {
        let (mut reader, mut writer) = stream.split();
        let Some(request) = inbox.next(&mut reader).await? else { return Ok(()) };
        let delivery = desk.answer(&request).delivery(&request);
        let end = delivery.end;
        let last = request.header("connection") == Some("close");
        tokio::select! {
            sent = send(delivery, &mut writer) => sent?,
            error = inbox.left(&mut reader) => return Err(error),
        }
        match end {
            End::Whole if !last => {}
            End::Whole | End::Close | End::Stall => return Ok(()),
            End::Reset => return stream.set_zero_linger(),
        }
    }
}

async fn send(delivery: Delivery, writer: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    tokio::time::sleep(delivery.delay).await;
    writer.write_all(&delivery.head).await?;
    for (n, piece) in delivery.pieces.iter().enumerate() {
        if n > 0 {
            tokio::time::sleep(delivery.pause).await;
        }
        writer.write_all(piece).await?;
    }
    writer.write_all(delivery.tail.as_bytes()).await?;
    match delivery.end {
        End::Stall => std::future::pending().await,
        // What has not been read when the reset comes is lost to the client.
        End::Reset if !delivery.head.is_empty() => {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        _ => {}
    }
    Ok(())
}
