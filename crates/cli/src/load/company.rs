//! Finding opponents: through a queue, or in lobbies that one of the players opens.

use std::net::SocketAddr;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::http::Http;
use super::part::Part;

/// The way in which a player finds opponents.
pub(super) enum Company {
    /// Through the game's queue.
    Queue,
    /// In lobbies that this player opens.
    Host(Host),
    /// In lobbies that the host opens, by their codes.
    Guest(watch::Receiver<Vec<String>>),
}

/// A player who opens lobbies.
pub(super) struct Host {
    order: String,
    /// The codes of all lobbies so far. The company plays one match in each.
    codes: watch::Sender<Vec<String>>,
}

#[derive(Deserialize)]
struct Opened {
    code: String,
}

/// A company that plays in lobbies, with its host first.
pub(super) fn at_lobbies(part: Part, n_seats: u8, seed: u64) -> Result<Vec<Company>, String> {
    let (codes, guest) = watch::channel(Vec::new());
    let order = order(part, n_seats, seed)?;
    let guests = (1..n_seats).map(|_| Company::Guest(guest.clone()));
    let host = Company::Host(Host { order, codes });
    Ok(std::iter::once(host).chain(guests).collect())
}

fn order(part: Part, n_seats: u8, seed: u64) -> Result<String, String> {
    let seats: Vec<&str> = std::iter::once("host")
        .chain((1..n_seats).map(|_| "guest"))
        .collect();
    let mut order = json!({ "game": part.game.as_str(), "seats": seats });
    if let Some(setup) = part.setup(n_seats, seed)? {
        order["setup"] = setup;
    }
    Ok(Value::to_string(&order))
}

impl Host {
    /// Opens the next lobby, sends its code to the others, and returns it.
    pub(super) async fn open(&self, server: SocketAddr, token: &str) -> Result<String, String> {
        let mut http = Http::connect(server).await?;
        let body = http.post("/api/tables", Some(token), &self.order).await?;
        let opened: Opened = serde_json::from_slice(&body)
            .map_err(|error| format!("the answer to /api/tables has no code: {error}"))?;
        self.codes
            .send_modify(|codes| codes.push(opened.code.clone()));
        Ok(opened.code)
    }
}

/// Waits for the code of the nth lobby. Returns `None` if the host has left.
pub(super) async fn nth_code(
    codes: &mut watch::Receiver<Vec<String>>,
    nth: usize,
) -> Option<String> {
    let codes = codes.wait_for(|codes| codes.len() > nth).await.ok()?;
    codes.get(nth).cloned()
}
