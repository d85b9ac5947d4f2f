//! How players come together: by a queue, or at tables that one of them opens for all.

use std::net::SocketAddr;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::http::Http;
use super::part::Part;

/// Where a player finds the others.
pub(super) enum Company {
    /// In the queue of the game.
    Queue,
    /// At tables that this player opens.
    Host(Host),
    /// At tables that the host opens.
    Guest(watch::Receiver<Vec<String>>),
}

/// A player who opens tables.
pub(super) struct Host {
    order: String,
    /// The codes of all tables so far: the company plays one match at each.
    codes: watch::Sender<Vec<String>>,
}

#[derive(Deserialize)]
struct Opened {
    code: String,
}

/// A company that plays at tables: its host first.
pub(super) fn at_tables(part: Part, n_seats: u8, seed: u64) -> Result<Vec<Company>, String> {
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
    /// Opens the next table, and tells its code to the others.
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

/// The code of the nth table, once it is open. Nothing when the host has gone.
pub(super) async fn nth_code(
    codes: &mut watch::Receiver<Vec<String>>,
    nth: usize,
) -> Option<String> {
    let codes = codes.wait_for(|codes| codes.len() > nth).await.ok()?;
    codes.get(nth).cloned()
}
