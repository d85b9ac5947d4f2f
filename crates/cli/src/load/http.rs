//! Requests over one persistent connection.

use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// The longest response body that is read.
const BODY_BYTES_MAX: usize = 64 * 1024;

pub(super) struct Http {
    server: SocketAddr,
    stream: BufReader<TcpStream>,
}

impl Http {
    pub(super) async fn connect(server: SocketAddr) -> Result<Http, String> {
        let stream = TcpStream::connect(server).await;
        let stream = stream.map_err(|error| format!("cannot reach {server}: {error}"))?;
        let stream = BufReader::new(stream);
        Ok(Http { server, stream })
    }

    /// Posts a body with this token and returns the response body. Fails unless the status is a
    /// success.
    pub(super) async fn post(
        &mut self,
        path: &str,
        token: Option<&str>,
        body: &str,
    ) -> Result<Vec<u8>, String> {
        let fail = |error: std::io::Error| format!("{path}: {error}");
        let (server, n_bytes) = (self.server, body.len());
        let signed = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
        let signed = signed.unwrap_or_default();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {server}\r\n{signed}Content-Type: application/json\r\n\
             Content-Length: {n_bytes}\r\n\r\n{body}"
        );
        let out = self.stream.get_mut();
        out.write_all(request.as_bytes()).await.map_err(fail)?;
        self.answer(path).await
    }

    async fn answer(&mut self, path: &str) -> Result<Vec<u8>, String> {
        let fail = |error: std::io::Error| format!("{path}: {error}");
        let mut length = 0;
        let mut status = String::new();
        loop {
            let mut line = String::new();
            let n_read = self.stream.read_line(&mut line).await.map_err(fail)?;
            if n_read == 0 {
                return Err(format!("{path}: the server closed the connection"));
            }
            let text = line.trim_end();
            if status.is_empty() {
                text.clone_into(&mut status);
            }
            if text.is_empty() {
                break;
            }
            if let Some((name, value)) = text.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length.min(BODY_BYTES_MAX)];
        self.stream.read_exact(&mut body).await.map_err(fail)?;
        if !matches!(status.split(' ').nth(1), Some("200" | "201")) {
            let said = String::from_utf8_lossy(&body);
            return Err(format!("{path} answered {status:?}: {said}"));
        }
        Ok(body)
    }
}
