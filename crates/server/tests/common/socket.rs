//! A WebSocket, and the raw bytes below it.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::PATIENCE;

/// A WebSocket of a well-behaved client.
pub(crate) struct Socket {
    stream: WebSocketStream<TcpStream>,
}

/// Something that arrived over a socket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Came {
    Text(String),
    /// The end with its close code, or `None` without a close frame.
    End(Option<u16>),
    /// Nothing, for as long as a test waits.
    Silence,
}

impl Socket {
    /// Connects, or returns the status of the refusal.
    pub(crate) async fn connect(
        address: SocketAddr,
        path: &str,
        origin: Option<&str>,
    ) -> Result<Socket, u16> {
        let header = origin.map(|origin| ("origin", origin));
        Socket::connect_with(address, path, header).await
    }

    /// Connects as a proxy does for a client.
    pub(crate) async fn connect_as(address: SocketAddr, path: &str, client: &str) -> Socket {
        let header = Some(("x-forwarded-for", client));
        Socket::connect_with(address, path, header).await.unwrap()
    }

    async fn connect_with(
        address: SocketAddr,
        path: &str,
        header: Option<(&'static str, &str)>,
    ) -> Result<Socket, u16> {
        let url = format!("ws://{address}{path}");
        let mut request = url.into_client_request().unwrap();
        if let Some((name, value)) = header {
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(address).await.unwrap();
        let connected = timeout(PATIENCE, tokio_tungstenite::client_async(request, stream)).await;
        match connected.expect("the handshake is answered") {
            Ok((stream, _)) => Ok(Socket { stream }),
            Err(Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("no handshake: {error}"),
        }
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.send_message(Message::text(text)).await;
    }

    pub(crate) async fn send_message(&mut self, message: Message) {
        // A closed socket is noticed when reading.
        self.stream.send(message).await.ok();
    }

    /// Returns the next arrival; answers heartbeats.
    pub(crate) async fn next(&mut self) -> Came {
        let next = async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Text(text))) => return Came::Text(text.to_string()),
                    Some(Ok(Message::Close(frame))) => {
                        let code = frame.map(|it| it.code.into());
                        self.stream.flush().await.ok();
                        return Came::End(code);
                    }
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return Came::End(None),
                }
            }
        };
        let next = timeout(PATIENCE, next).await;
        next.unwrap_or(Came::Silence)
    }

    /// Returns the code with which the server closes; ignores messages before that.
    pub(crate) async fn closed(&mut self) -> Option<u16> {
        loop {
            match self.next().await {
                Came::Text(_) => {}
                Came::End(code) => return code,
                Came::Silence => panic!("the server did not close"),
            }
        }
    }
}

/// A WebSocket with handwritten frames.
pub(crate) struct RawSocket {
    pub(crate) stream: TcpStream,
}

impl RawSocket {
    /// Connects and completes the handshake.
    pub(crate) async fn connect(address: SocketAddr, path: &str) -> RawSocket {
        let stream = TcpStream::connect(address).await.unwrap();
        RawSocket::shake_hands(stream, address, path).await
    }

    pub(crate) async fn shake_hands(
        mut stream: TcpStream,
        address: SocketAddr,
        path: &str,
    ) -> RawSocket {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let byte = timeout(PATIENCE, stream.read_u8()).await.unwrap();
            head.push(byte.expect("the handshake is answered"));
        }
        assert!(
            head.starts_with(b"HTTP/1.1 101"),
            "{}",
            String::from_utf8_lossy(&head)
        );
        RawSocket { stream }
    }

    /// Sends a frame: its first byte, and a payload masked with zeros. The server may have closed
    /// already, which is noticed when reading.
    pub(crate) async fn send(&mut self, first: u8, payload: &[u8]) {
        self.write(&head(first, payload.len() as u64)).await;
        self.write(payload).await;
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        timeout(PATIENCE, self.stream.write_all(bytes))
            .await
            .expect("the server reads or closes")
            .ok();
    }

    /// The code of the close frame, or `None` if the connection ended without one.
    pub(crate) async fn closed(&mut self) -> Option<u16> {
        let mut bytes = Vec::new();
        let read = timeout(PATIENCE, self.stream.read_to_end(&mut bytes)).await;
        read.expect("the server closes").ok();
        let mut rest = bytes.as_slice();
        while let [first, length, tail @ ..] = rest {
            let (length, tail) = match (length, tail) {
                (126, [high, low, tail @ ..]) => {
                    (usize::from(u16::from_be_bytes([*high, *low])), tail)
                }
                _ => (usize::from(*length), tail),
            };
            if *first == 0x88 {
                let code = tail.first_chunk::<2>();
                return code.map(|code| u16::from_be_bytes(*code));
            }
            rest = tail.get(length..).unwrap_or_default();
        }
        None
    }
}

/// The head of a frame of this length, masked with zeros.
pub(crate) fn head(first: u8, length: u64) -> Vec<u8> {
    let mut head = vec![first];
    match length {
        0..=125 => head.push(0x80 | length as u8),
        126..=0xffff => {
            head.push(0x80 | 126);
            head.extend((length as u16).to_be_bytes());
        }
        _ => {
            head.push(0x80 | 127);
            head.extend(length.to_be_bytes());
        }
    }
    head.extend([0; 4]);
    head
}
