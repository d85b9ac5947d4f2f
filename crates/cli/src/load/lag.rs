//! Measures this program's own lag and the offset of the server's clock.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::dues::unix_us;
use super::measures::Shared;
use super::socket::connect;

const EVERY: Duration = Duration::from_millis(10);
const N_PINGS: u32 = 20;
const PONG_WITHIN: Duration = Duration::from_secs(5);

/// Wakes up at regular intervals forever, and records how late each wake-up was.
pub(super) async fn watch_own_lag(shared: Shared) {
    let mut next = Instant::now();
    loop {
        next += EVERY;
        sleep_until(next).await;
        let now = Instant::now();
        shared.lock().own_lag.add(now - next);
        // Missed wake-ups are skipped.
        next = next.max(now - EVERY);
    }
}

#[derive(Deserialize)]
struct Pong {
    now_ms: u64,
}

/// Estimates how far the server's clock is ahead of this one, from the fastest pings.
pub(super) async fn measure_ahead_us(server: SocketAddr) -> Result<i64, String> {
    let mut socket = connect(server, "/ws").await?;
    let mut samples = Vec::new();
    for nth in 0..N_PINGS {
        let sent_us = unix_us();
        let ping = format!(r#"{{"type":"ping","at":{nth}}}"#);
        let sent = socket.send(Message::text(ping)).await;
        sent.map_err(|error| format!("ping: {error}"))?;
        let text = loop {
            match timeout(PONG_WITHIN, socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => break text,
                Ok(Some(Ok(_))) => {}
                _ => return Err("the server does not answer a ping".to_owned()),
            }
        };
        let way_us = unix_us() - sent_us;
        let pong: Pong = serde_json::from_str(text.as_str())
            .map_err(|error| format!("the answer to a ping: {error}"))?;
        let half_ms_us = 500;
        let server_us = i64::try_from(pong.now_ms).unwrap_or_default() * 1000 + half_ms_us;
        samples.push((way_us, server_us - (sent_us + way_us / 2)));
        tokio::time::sleep(Duration::from_micros(1_700)).await;
    }
    socket.close(None).await.ok();
    samples.sort_unstable();
    samples.truncate(samples.len().div_ceil(2));
    let sum: i64 = samples.iter().map(|(_, ahead_us)| ahead_us).sum();
    Ok(sum / i64::try_from(samples.len().max(1)).unwrap_or(1))
}
