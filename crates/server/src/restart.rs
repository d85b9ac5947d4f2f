//! Restarts rooms that panicked.
//!
//! A bug in a game's rules must not cost a player a stake or a seat. Players keep their seats while
//! the match is resumed from its stored events, as after a restart. A match whose room panics
//! repeatedly is void, and its stakes are returned.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use catalog::GameName;
use kernel::MatchId;
use session::Account;
use store::{MatchState, StoredMatch, Tx};
use tokio::sync::mpsc::UnboundedReceiver;
use wire::codes::CloseCode;
use wire::native::ServerMessage;

use crate::committer::Stopped;
use crate::line::Line;
use crate::recovery::NotResumed;
use crate::room::{Join, ToRoom};
use crate::server::Server;
use crate::voice::Speech;

/// After this many panics of its room, a match is void.
const BREAKDOWNS_MAX: u32 = 3;
/// The delay before a retry when storage does not answer.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Restarts rooms, one after the other, as long as the server runs.
pub(crate) async fn restart_rooms(server: Arc<Server>, mut broken: UnboundedReceiver<MatchId>) {
    let mut breakdowns: HashMap<MatchId, u32> = HashMap::new();
    while let Some(game_id) = broken.recv().await {
        breakdowns.retain(|it, _| server.hub.room(*it).is_some());
        let n_breakdowns = breakdowns.entry(game_id).or_default();
        *n_breakdowns += 1;
        while server.restart_room(game_id, *n_breakdowns).await.is_err() {
            tokio::time::sleep(AGAIN_AFTER).await;
        }
    }
}

/// The stored state of a match whose room panicked.
struct Remains {
    stored: StoredMatch,
    events: Vec<Vec<u8>>,
    /// The tokens of each account in the match.
    tokens: HashMap<Account, u64>,
}

impl Server {
    async fn restart_room(
        self: &Arc<Server>,
        game_id: MatchId,
        n_breakdowns: u32,
    ) -> Result<(), Stopped> {
        // The room's last events may still be queued for writing. Without them the match would
        // resume from an earlier version and write different events in their place.
        self.committer.run(|_| Ok(())).await?;
        let read = self.readers.read(move |tx| remains(tx, game_id));
        let Some(remains) = read.await.map_err(|_| Stopped)? else {
            self.turn_out(game_id);
            return Ok(());
        };
        let resumed = if n_breakdowns < BREAKDOWNS_MAX {
            self.resume(&remains.stored, remains.events).await
        } else {
            let fault = format!("its room panicked {n_breakdowns} times");
            Err(NotResumed::Unbelieved(fault))
        };
        match resumed {
            Ok(()) => {
                tracing::info!(match_id = %game_id, "the match continues in a new room");
                self.seat_again(game_id, &remains.tokens).await;
            }
            Err(NotResumed::Stopped) => return Err(Stopped),
            Err(NotResumed::Unbelieved(fault)) => {
                self.quarantine(&remains.stored, fault).await?;
                self.turn_out(game_id);
            }
        }
        Ok(())
    }

    /// Joins every connected player to their seat in the new room.
    async fn seat_again(&self, game_id: MatchId, tokens: &HashMap<Account, u64>) {
        let Some(door) = self.hub.room(game_id) else {
            return;
        };
        let game: Option<GameName> = door.facts.game.parse().ok();
        let fits = |speech: Speech| game.is_some_and(|it| speech.plays(it.as_str()));
        for account in self.hub.sitters(game_id) {
            let Some(present) = self.hub.chosen(account, fits) else {
                continue;
            };
            let conn = present.line.conn();
            let join = Join {
                account,
                line: present.line,
                speech: present.speech,
                resume: None,
                resumed: true,
                tokens: tokens.get(&account).copied().unwrap_or(0),
            };
            door.inbox.send(ToRoom::Join(Box::new(join))).await.ok();
            // A client that left meanwhile may have notified the old room.
            if self.hub.present(conn).is_none() {
                door.inbox.send(ToRoom::Gone { conn }).await.ok();
            }
        }
    }

    /// Closes a match without notifying its players. They are disconnected and see the result when
    /// they reconnect.
    fn turn_out(&self, game_id: MatchId) {
        let accounts = self.hub.sitters(game_id);
        self.hub.close_room(game_id);
        for account in accounts {
            for present in self.hub.connections(account) {
                present.line.hang_up(CloseCode::TryAgainLater);
            }
        }
    }

    /// Ends a spectator's view of a match. A client that plays over the same connection keeps it.
    pub(crate) fn turn_spectator_out(&self, line: &Line, game_id: MatchId) {
        let present = self.hub.present(line.conn());
        if present.is_some_and(|it| self.hub.seat_of(it.account).is_some()) {
            let match_id = game_id;
            line.send(ServerMessage::<()>::Unwatched { match_id }.write());
        } else {
            line.hang_up(CloseCode::TryAgainLater);
        }
    }
}

/// Reads the stored state of a match, or `None` if it is closed.
fn remains(tx: &mut Tx<'_>, game_id: MatchId) -> Result<Option<Remains>, store::StoreError> {
    let stored = tx.stored_match(game_id)?;
    let Some(stored) = stored.filter(|it| it.state == MatchState::Open) else {
        return Ok(None);
    };
    let mut tokens = HashMap::new();
    for account in stored.seats.iter().filter_map(|it| it.sitter.account()) {
        let row = tx.account(account)?;
        tokens.insert(account, row.map_or(0, |row| row.tokens));
    }
    let events = tx.events(game_id)?;
    Ok(Some(Remains {
        stored,
        events,
        tokens,
    }))
}
