//! A WebSocket with a short read timeout.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use tungstenite::{Message, WebSocket};

pub(crate) struct Socket(WebSocket<TcpStream>);

/// The result of a read.
pub(crate) enum Read {
    Message(Value),
    /// No message arrived before the timeout.
    Nothing,
    /// The connection is lost.
    Lost,
}

impl Socket {
    /// Returns `None` if the server is unreachable.
    pub(crate) fn connect(server: SocketAddr) -> Option<Socket> {
        let stream = TcpStream::connect(server).ok()?;
        stream
            .set_read_timeout(Some(Duration::from_millis(50)))
            .ok()?;
        stream.set_nodelay(true).ok()?;
        let handshake = tungstenite::client(format!("ws://{server}/ws"), stream);
        let mut middle = match handshake {
            Ok((socket, _)) => return Some(Socket(socket)),
            Err(tungstenite::HandshakeError::Interrupted(middle)) => middle,
            Err(tungstenite::HandshakeError::Failure(_)) => return None,
        };
        for _ in 0..100 {
            match middle.handshake() {
                Ok((socket, _)) => return Some(Socket(socket)),
                Err(tungstenite::HandshakeError::Interrupted(again)) => middle = again,
                Err(tungstenite::HandshakeError::Failure(_)) => return None,
            }
        }
        None
    }

    /// Returns `None` if the connection is lost.
    pub(crate) fn send(&mut self, message: &Value) -> Option<()> {
        self.0.send(Message::text(message.to_string())).ok()
    }

    pub(crate) fn read(&mut self) -> Read {
        match self.0.read() {
            Ok(Message::Text(text)) => Read::Message(serde_json::from_str(&text).unwrap()),
            Ok(_) => Read::Nothing,
            Err(tungstenite::Error::Io(error)) if is_timeout(&error) => Read::Nothing,
            Err(_) => Read::Lost,
        }
    }
}

fn is_timeout(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut)
}
