//! Carries out operators' decisions made while the server runs: it closes the sockets of banned
//! accounts and voids matches.

use std::sync::Arc;
use std::time::Duration;

use wire::codes::CloseCode;

use crate::readers::Unanswered;
use crate::room::ToRoom;
use crate::server::Server;

/// The interval at which the server checks for decisions of operators.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Checks after a decision. A socket that said hello while it was being written is found by the
/// next one.
const LOOKS: u32 = 3;

#[allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the bare method is not generic over the lifetime of a transaction"
)]
pub(crate) async fn act_on(server: Arc<Server>) {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    let mut seen = None;
    let mut looks_left = 0;
    loop {
        ticks.tick().await;
        let Ok(version) = server.readers.read(|tx| tx.moderation_version()).await else {
            continue;
        };
        if seen != Some(version) {
            looks_left = LOOKS;
        }
        if looks_left == 0 {
            continue;
        }
        if server.act().await.is_ok() {
            seen = Some(version);
            looks_left -= 1;
        }
    }
}

impl Server {
    /// Closes the sockets of banned accounts, and voids the matches that operators ordered to be
    /// void.
    async fn act(&self) -> Result<(), Unanswered> {
        let (present, now) = (self.hub.accounts(), self.clock.now());
        let read = self.readers.read(move |tx| {
            let banned = tx.banned(&present, now)?;
            Ok((banned, tx.void_orders()?))
        });
        let (banned, to_void) = read.await?;
        for account in banned {
            tracing::info!(account = account.0, "account banned; closing its sockets");
            for present in self.hub.connections(account) {
                present.line.hang_up(CloseCode::Banned);
            }
        }
        for game_id in to_void {
            if let Some(door) = self.hub.room(game_id) {
                tracing::info!(match_id = %game_id, "an operator voided the match");
                door.inbox.send(ToRoom::Cancel).await.ok();
            }
        }
        Ok(())
    }
}
