//! TLS in front of a server, with a certificate authority of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, crypto::ring};

/// A port that speaks TLS and passes everything on to a plain one.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tls {
    /// Its base URL, without a path: `https://localhost:PORT`.
    pub url: String,
    /// The certificate of the authority that vouches for it, as PEM.
    pub authority: String,
}

impl Tls {
    /// Puts TLS in front of a server, as long as the runtime lives.
    ///
    /// # Errors
    ///
    /// No certificate could be made, or there is no port to be had.
    pub async fn before(server: SocketAddr) -> Result<Self, Box<dyn std::error::Error>> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let mut params = CertificateParams::new(Vec::new())?;
        params.distinguished_name.push(DnType::CommonName, format!("the authority of port {port}"));
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
        let key = KeyPair::generate()?;
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let certificate = CertificateParams::new(names)?.signed_by(&key, &authority)?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::Pkcs8(key.serialize_der().into()),
            )?;
        let url = format!("https://localhost:{port}");
        tokio::spawn(accept(listener, TlsAcceptor::from(Arc::new(config)), server));
        Ok(Self { url, authority: authority.pem() })
    }
}

async fn accept(listener: TcpListener, acceptor: TlsAcceptor, server: SocketAddr) {
    while let Ok((stream, _)) = listener.accept().await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            let (mut client, mut server) =
                (acceptor.accept(stream).await?, TcpStream::connect(server).await?);
            copy_bidirectional(&mut client, &mut server).await
        });
    }
}
