//! Resumes every open match when a server starts. A match whose room panicked is resumed the same
//! way.

use std::fmt;
use std::sync::Arc;

use catalog::{GameName, with_game};
use kernel::Seat;
use session::{Account, Session, Settlement};
use store::{Closed, Ending, Mode, NewAudit, Sitter, StoredMatch};

use crate::committer::Stopped;
use crate::hosted::Hosted;
use crate::room::Room;
use crate::server::Server;
use crate::{start, terms};

/// The result of recovery.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Recovered {
    pub(crate) n_resumed: usize,
    pub(crate) n_quarantined: usize,
}

/// The reason a match was not resumed.
pub(crate) enum NotResumed {
    /// Its stored data is not valid: the match is void.
    Unbelieved(String),
    /// Storage does not answer, which is not the match's fault.
    Stopped,
}

impl<T: fmt::Display> From<T> for NotResumed {
    fn from(fault: T) -> NotResumed {
        NotResumed::Unbelieved(fault.to_string())
    }
}

impl Server {
    /// Resumes every open match. A match whose events are not valid is void: its stakes are
    /// returned, its events are kept for inspection, and the server continues.
    pub(crate) async fn recover(self: &Arc<Server>) -> Result<Recovered, Stopped> {
        let open = self.readers.read(move |tx| {
            let open = tx.open_matches()?;
            Ok(open)
        });
        let open = open.await;
        let mut recovered = Recovered::default();
        for stored in open.map_err(|_| Stopped)? {
            let game_id = stored.game_id;
            let events = self.readers.read(move |tx| tx.events(game_id)).await;
            let events = events.map_err(|_| Stopped)?;
            match self.resume(&stored, events).await {
                Ok(()) => recovered.n_resumed += 1,
                Err(NotResumed::Stopped) => return Err(Stopped),
                Err(NotResumed::Unbelieved(fault)) => {
                    recovered.n_quarantined += 1;
                    self.quarantine(&stored, fault).await?;
                }
            }
        }
        Ok(recovered)
    }

    /// Resumes a match on a separate task. A log on which the rules panic is not valid either, and
    /// must affect only its own match.
    pub(crate) async fn resume(
        self: &Arc<Server>,
        stored: &StoredMatch,
        events: Vec<Vec<u8>>,
    ) -> Result<(), NotResumed> {
        let (server, stored) = (Arc::clone(self), stored.clone());
        let resumed = tokio::spawn(async move { server.resume_any(&stored, &events).await });
        match resumed.await {
            Ok(resumed) => resumed,
            Err(broken) if broken.is_panic() => {
                let fault = "replaying its events panicked";
                Err(NotResumed::Unbelieved(fault.to_owned()))
            }
            Err(_) => Err(NotResumed::Stopped),
        }
    }

    async fn resume_any(
        self: &Arc<Server>,
        stored: &StoredMatch,
        events: &[Vec<u8>],
    ) -> Result<(), NotResumed> {
        #[cfg(test)]
        tests::break_if_marked(stored.game_id);
        let name: GameName = stored.game.parse()?;
        with_game!(name, G => self.resume_game::<G>(stored, events).await)
    }

    async fn resume_game<G: Hosted>(
        self: &Arc<Server>,
        stored: &StoredMatch,
        events: &[Vec<u8>],
    ) -> Result<(), NotResumed> {
        let terms = terms::read::<G>(stored.game_id, &stored.terms, &stored.secret)?;
        let now = self.clock.now();
        let mut effects = Vec::new();
        let facts_of = terms.clone();
        let rejoin_ms = self.config.rejoin_grace_ms;
        let session = Session::recover(terms, events, now, rejoin_ms, &mut effects);
        let session = session.map_err(|quarantine| quarantine.fault)?;
        let sitters: Vec<Sitter> = stored.seats.iter().map(|it| it.sitter.clone()).collect();
        let bots = self.call_bots::<G>(&sitters, &facts_of.setup).await?;
        let players = self.introduce(G::NAME, &sitters).await;
        let mut players = players.map_err(|_| NotResumed::Stopped)?;
        for (player, seat) in players.iter_mut().zip(&stored.seats) {
            // A person keeps the name they had when the match began.
            if player.bot.is_none() {
                player.name = Some(seat.name.clone()).filter(|name| !name.is_empty());
            }
        }
        let facts = start::facts(
            &facts_of,
            stored.mode,
            stored.worth,
            players,
            stored.created_at,
        );
        let accounts: Vec<Option<Account>> = sitters.iter().map(Sitter::account).collect();
        // A player who has left may be playing elsewhere by now.
        let present = session.position().present();
        let there = |idx: usize| Seat::new(idx).is_some_and(|seat| present.contains(seat));
        let seats = accounts.iter().enumerate();
        let sitting: Vec<_> = seats.map(|(idx, it)| it.filter(|_| there(idx))).collect();
        let sitting = start::everybody(&sitting);
        let (room, door) = Room::new(Arc::clone(self), session, facts, accounts, bots);
        self.hub.open_room(door, &sitting);
        tokio::spawn(room.run(effects, events.len() as u64));
        Ok(())
    }

    /// Returns the stakes and closes the match as quarantined.
    pub(crate) async fn quarantine(
        &self,
        stored: &StoredMatch,
        fault: String,
    ) -> Result<(), Stopped> {
        tracing::error!(match_id = %stored.game_id, fault, "match quarantined, stakes returned");
        metrics::counter!("referee_matches_quarantined_total").increment(1);
        let (game_id, mode) = (stored.game_id, stored.mode);
        let accounts: Vec<Option<Account>> = stored
            .seats
            .iter()
            .map(|seat| seat.sitter.account())
            .collect();
        let stake = if mode == Mode::Pvp { stored.stake } else { 0 };
        let settlement = Settlement::refund(game_id, accounts.len(), stake);
        let at = self.clock.now();
        let ending = Ending {
            state: Closed::Quarantined,
            outcome: r#"{"reason":"quarantined","result":"void","truncated":false,"winners":[]}"#
                .to_owned(),
            reason: "quarantined".to_owned(),
            rounds: 0,
            winner: None,
            ended_at: at,
            record_hash: None,
        };
        let payload =
            serde_json::json!({ "match_id": game_id.to_string(), "fault": fault }).to_string();
        let work = move |tx: &mut store::Tx<'_>| {
            tx.settle(&settlement, &accounts, at)?;
            tx.finish_match(game_id, &ending)?;
            tx.audit(NewAudit {
                at,
                account: None,
                kind: "match_quarantined",
                payload: &payload,
            })
        };
        self.committer.run(work).await
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;
    use std::sync::{Mutex, PoisonError};

    use kernel::MatchId;

    /// Matches whose replay panics.
    static MARKED: Mutex<BTreeSet<MatchId>> = Mutex::new(BTreeSet::new());

    /// Makes the replay of this match panic from now on.
    pub(crate) fn mark(game_id: MatchId) {
        let mut marked = MARKED.lock().unwrap_or_else(PoisonError::into_inner);
        marked.insert(game_id);
    }

    pub(super) fn break_if_marked(game_id: MatchId) {
        let marked = MARKED.lock().unwrap_or_else(PoisonError::into_inner);
        let is_marked = marked.contains(&game_id);
        drop(marked);
        assert!(!is_marked, "a test breaks this replay");
    }
}
