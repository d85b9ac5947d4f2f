//! Creates guest accounts over HTTP.

use std::net::SocketAddr;

use serde::Deserialize;
use tokio::task::JoinSet;

use super::http::Http;

/// Number of connections that create accounts concurrently.
const N_MAKERS: u64 = 4;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Guest {
    auth_token: String,
}

/// Creates this many accounts and returns their tokens.
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

async fn make_some(server: SocketAddr, n_guests: u64) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    if n_guests == 0 {
        return Ok(tokens);
    }
    let mut http = Http::connect(server).await?;
    for _ in 0..n_guests {
        let body = http.post("/auth/guest", None, "").await?;
        let guest: Guest = serde_json::from_slice(&body)
            .map_err(|error| format!("the answer to /auth/guest has no token: {error}"))?;
        tokens.push(guest.auth_token);
    }
    Ok(tokens)
}
