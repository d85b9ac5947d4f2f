//! Raw HTTP: one request per connection.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::PATIENCE;

/// The response to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("no JSON ({error}): {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| {
            let (key, _) = line.split_once(':').unwrap_or((line, ""));
            key.eq_ignore_ascii_case(name)
        };
        let line = self.head.lines().find(named)?;
        line.split_once(':').map(|(_, value)| value.trim())
    }

    fn read(bytes: &[u8]) -> Answer {
        let end = bytes.windows(4).position(|it| it == b"\r\n\r\n");
        let end = end.unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head,
            body: bytes.get(end + 4..).unwrap_or_default().to_vec(),
        }
    }
}

/// Sends a request with these further head lines (each ending in `\r\n`) and this body.
pub(crate) async fn ask(
    address: SocketAddr,
    method: &str,
    path: &str,
    head: &str,
    body: &str,
) -> Answer {
    let length = body.len();
    let kind = if body.is_empty() {
        ""
    } else {
        "Content-Type: application/json\r\n"
    };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Length: {length}\r\n{kind}{head}\r\n{body}"
    );
    exchange(address, request.as_bytes()).await
}

/// Sends bytes, and reads until the server closes.
pub(crate) async fn exchange(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server that refuses may close before it has read everything.
    stream.write_all(request).await.ok();
    let mut bytes = Vec::new();
    let read = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    read.expect("the server closes").ok();
    Answer::read(&bytes)
}
