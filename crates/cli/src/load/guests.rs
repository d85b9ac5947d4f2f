//! Accounts to play with, made over HTTP.

use std::net::SocketAddr;

use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Connections that make accounts at the same time.
const N_MAKERS: u64 = 4;
/// The longest answer that is read.
const BODY_BYTES_MAX: usize = 64 * 1024;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Guest {
    auth_token: String,
}

/// Makes this many accounts and returns their tokens.
pub(super) async fn make(server: SocketAddr, n_guests: u64) -> Result<Vec<String>, String> {
    let mut makers = JoinSet::new();
    for maker in 0..N_MAKERS {
        let share = n_guests / N_MAKERS + u64::from(maker < n_guests % N_MAKERS);
        makers.spawn(make_some(server, share));
    }
    let mut tokens = Vec::new();
    while let Some(made) = makers.join_next().await {
        tokens.extend(made.map_err(|error| error.to_string())??);
    }
    Ok(tokens)
}

/// Makes accounts one after the other over one connection.
async fn make_some(server: SocketAddr, n_guests: u64) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    if n_guests == 0 {
        return Ok(tokens);
    }
    let fail = |error: std::io::Error| format!("cannot make a guest at {server}: {error}");
    let stream = TcpStream::connect(server).await.map_err(fail)?;
    let mut stream = BufReader::new(stream);
    for _ in 0..n_guests {
        let request =
            format!("POST /auth/guest HTTP/1.1\r\nHost: {server}\r\nContent-Length: 0\r\n\r\n");
        stream
            .get_mut()
            .write_all(request.as_bytes())
            .await
            .map_err(fail)?;
        let body = read_answer(&mut stream).await?;
        let guest: Guest = serde_json::from_slice(&body)
            .map_err(|error| format!("the answer to /auth/guest has no token: {error}"))?;
        tokens.push(guest.auth_token);
    }
    Ok(tokens)
}

/// The body of one answer, which must say that all is well and how long it is.
async fn read_answer(stream: &mut BufReader<TcpStream>) -> Result<Vec<u8>, String> {
    let mut line = String::new();
    let mut length = None;
    let mut status = String::new();
    loop {
        line.clear();
        let read = stream.read_line(&mut line).await;
        let n_read = read.map_err(|error| format!("/auth/guest: {error}"))?;
        if n_read == 0 {
            return Err("/auth/guest: the server closed the connection".to_owned());
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
            length = value.trim().parse().ok();
        }
    }
    let length: usize = length
        .filter(|length| *length <= BODY_BYTES_MAX)
        .unwrap_or(0);
    let mut body = vec![0; length];
    let read = stream.read_exact(&mut body).await;
    read.map_err(|error| format!("/auth/guest: {error}"))?;
    if status.split(' ').nth(1) != Some("200") {
        let said = String::from_utf8_lossy(&body);
        return Err(format!("/auth/guest answered {status:?}: {said}"));
    }
    Ok(body)
}
