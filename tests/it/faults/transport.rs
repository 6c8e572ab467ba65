//! Certificates and proxies, which a process takes from its environment.

use std::process::Stdio;

use tests::server::tls::Tls;
use tests::server::{Answer, Server};
use tokio::process::Command;

use super::{KEY, hello};

/// What a program says that asks the model at `url` in this environment.
async fn ask(url: &str, environment: &[(&str, &str)]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ask_server"));
    program.arg(url).stdin(Stdio::null());
    for name in
        ["SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
    {
        program.env_remove(name).env_remove(name.to_lowercase());
    }
    let output = program.envs(environment.iter().copied()).output().await.unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

struct Secure {
    server: Server,
    tls: Tls,
    folder: tempfile::TempDir,
}

impl Secure {
    async fn start() -> Self {
        let server = Server::list([hello()]);
        let tls = Tls::before(server.address()).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("authority.pem"), &tls.authority).unwrap();
        Self { server, tls, folder }
    }

    fn authority(&self) -> String {
        self.folder.path().join("authority.pem").display().to_string()
    }
}

#[tokio::test]
async fn a_private_authority_is_trusted_through_ssl_cert_file_alone() {
    let (ours, other) = (Secure::start().await, Secure::start().await);
    let said = ask(&ours.tls.url, &[("SSL_CERT_FILE", &other.authority())]).await;
    assert!(said.contains("UnknownIssuer"), "{said}");
    assert_eq!(ours.server.log().received.len(), 0);
    let said = ask(&ours.tls.url, &[("SSL_CERT_FILE", &ours.authority())]).await;
    assert_eq!(said, "Hello there, you.\n");
}

#[tokio::test]
async fn requests_go_through_the_proxy_of_the_environment() {
    let proxy = Server::list([hello(), Answer::error(502, "proxy_error", "no way through")]);
    let said = ask("http://model.example/v1", &[("http_proxy", &proxy.url())]).await;
    assert_eq!(said, "Hello there, you.\n");
    let said = ask("https://model.example/v1", &[("HTTPS_PROXY", &proxy.url())]).await;
    assert!(said.contains("cannot be reached"), "{said}");
    let log = proxy.log();
    assert_eq!(log.received[0].target, "http://model.example/v1/chat/completions");
    let tunnel = &log.received[1];
    assert_eq!((tunnel.method.as_str(), tunnel.target.as_str()), ("CONNECT", "model.example:443"));
    assert_eq!(tunnel.header("authorization"), None);
}

#[tokio::test]
async fn what_no_proxy_names_is_asked_without_one() {
    let secure = Secure::start().await;
    let proxy = Server::list([]);
    let environment = [
        ("SSL_CERT_FILE", &*secure.authority()),
        ("HTTPS_PROXY", &proxy.url()),
        ("NO_PROXY", "localhost,127.0.0.1"),
    ];
    assert_eq!(ask(&secure.tls.url, &environment).await, "Hello there, you.\n");
    assert_eq!(proxy.log().received.len(), 0);
}

#[tokio::test]
async fn what_is_logged_on_the_way_holds_no_key() {
    let redirect = Answer::body(308, "t", "").with_header("location", "/v2/chat/completions");
    let refused = Answer::error(401, "authentication_error", KEY);
    let server = Server::list([redirect, hello(), refused]);
    let url = format!("http://me:{KEY}@{}/v1?key={KEY}", server.address());
    for says in ["Hello there, you.", "401"] {
        let said = ask(&url, &[("LOG", "all"), ("KEY", KEY)]).await;
        assert!(said.contains("DEBUG reqwest") && said.contains(says), "{said}");
        assert!(!said.contains(KEY), "{said}");
    }
}
