//! Where requests go.

use reqwest::Url;

use crate::model::{ModelError, ModelErrorKind};

/// The address of `path` below a base URL, as the user meant it: `/v1` is added where the URL names
/// no version, a URL that ends in `path` already is taken as it is, and one without `http://` gets
/// it if it names this machine, otherwise `https://`. A user and password in it stay,
/// for the client to send in a header.
pub(super) fn endpoint(base: &str, path: &str) -> Result<Url, ModelError> {
    let mut url = parse(base)?;
    let kept = url.path().trim_end_matches('/').to_owned();
    if !kept.ends_with(path) {
        let version = if kept.split('/').any(is_version) { "" } else { "/v1" };
        url.set_path(&format!("{kept}{version}/{path}"));
    }
    url.set_fragment(None);
    Ok(url)
}

/// The address without what may be secret in it.
pub(super) fn shown(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

/// A base URL without what may be secret in it; empty where it is no URL.
pub(crate) fn server(base: &str) -> String {
    parse(base).map(|url| shown(&url).trim_end_matches('/').to_owned()).unwrap_or_default()
}

/// The scheme, host and port of a base URL; none where it is no URL.
pub(crate) fn origin(base: &str) -> Option<String> {
    parse(base).ok().map(|url| url.origin().ascii_serialization())
}

fn parse(base: &str) -> Result<Url, ModelError> {
    let base = base.trim();
    let whole = match base.split_once("://") {
        Some(_) => base.to_owned(),
        None if is_local(base) => format!("http://{base}"),
        None => format!("https://{base}"),
    };
    // The text is not shown: it may hold a key.
    let invalid = |why: String| {
        let message = format!("the base URL {why}; write it like https://api.example.com/v1");
        ModelError::of(ModelErrorKind::Config, message)
    };
    let url = Url::parse(&whole).map_err(|error| invalid(format!("is no URL ({error})")))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(invalid(format!("has the scheme `{other}`"))),
    }
}

fn is_local(base: &str) -> bool {
    ["localhost", "127.", "0.0.0.0", "[::1]"].iter().any(|host| base.starts_with(host))
}

/// Whether a part of a path is like `v1` or `v1beta`.
fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{endpoint, server, shown};

    #[test]
    fn a_base_url_does_what_was_meant() {
        let cases = [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/chat/completions"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/chat/completions"),
            ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/chat/completions"),
            ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1/chat/completions"),
            (" localhost:8080 ", "http://localhost:8080/v1/chat/completions"),
            ("api.example.com", "https://api.example.com/v1/chat/completions"),
            ("https://x.example/api", "https://x.example/api/v1/chat/completions"),
            (
                "https://x.example/v1beta/openai/",
                "https://x.example/v1beta/openai/chat/completions",
            ),
            (
                "https://x.example/inference/chat/completions",
                "https://x.example/inference/chat/completions",
            ),
            ("https://x.example/v1?version=2", "https://x.example/v1/chat/completions?version=2"),
        ];
        for (base, address) in cases {
            assert_eq!(endpoint(base, "chat/completions").unwrap().as_str(), address, "{base}");
        }
    }

    #[test]
    fn what_is_no_address_says_how_to_write_one_and_shows_nothing_of_it() {
        for base in ["", "ftp://secret.example", "http://", "https://secret example/"] {
            let error = endpoint(base, "chat/completions").unwrap_err().to_string();
            assert!(error.ends_with("write it like https://api.example.com/v1"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn an_address_is_shown_without_its_password_and_query() {
        let url = endpoint("https://me:secret@x.example/v1?key=secret", "messages").unwrap();
        assert_eq!(shown(&url), "https://x.example/v1/messages");
        assert_eq!(server("https://me:secret@x.example/v1?key=secret"), "https://x.example/v1");
        assert_eq!(server("ftp://secret"), "");
    }
}
