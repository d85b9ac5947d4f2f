//! WebSockets with small buffers, as a run may open many of them.

use std::net::SocketAddr;

use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

pub(super) type Socket = WebSocketStream<TcpStream>;

/// The longest accepted message. The view of a large galaxy fits.
const MESSAGE_BYTES_MAX: usize = 1024 * 1024;

pub(super) async fn connect(server: SocketAddr, path: &str) -> Result<Socket, String> {
    let stream = TcpStream::connect(server).await;
    let stream = stream.map_err(|error| format!("connect: {}", error.kind()))?;
    stream.set_nodelay(true).ok();
    let config = WebSocketConfig::default()
        .read_buffer_size(2 * 1024)
        .write_buffer_size(0)
        .max_message_size(Some(MESSAGE_BYTES_MAX));
    let url = format!("ws://{server}{path}");
    let opened = client_async_with_config(url, stream, Some(config)).await;
    let (socket, _) = opened.map_err(|error| format!("handshake: {error}"))?;
    Ok(socket)
}

/// The text of a message, or `None` if it has none. Fails if the connection is closed or lost.
pub(super) fn text_of(
    message: Option<Result<Message, Error>>,
) -> Result<Option<Utf8Bytes>, String> {
    match message {
        Some(Ok(Message::Text(text))) => Ok(Some(text)),
        Some(Ok(Message::Close(frame))) => {
            let code = frame.map_or(1005, |frame| frame.code.into());
            Err(format!("closed: {code}"))
        }
        Some(Ok(_)) => Ok(None),
        Some(Err(error)) => Err(format!("receive: {error}")),
        None => Err("closed: without a close frame".to_owned()),
    }
}
