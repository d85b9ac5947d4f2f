//! What a server takes up when it starts: every match that was open.

use std::sync::Arc;

use catalog::GameName;
use kernel::Seat;
use session::{Account, Session, Settlement};
use store::{Closed, Ending, Mode, NewAudit, Sitter, StoreError, StoredMatch};
use wire::native::Player;

use crate::committer::Stopped;
use crate::hosted::{Hosted, with_hosted};
use crate::room::{Bot, Room};
use crate::server::Server;
use crate::{ratings, start, terms};

/// What recovery found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Recovered {
    pub(crate) n_resumed: usize,
    pub(crate) n_quarantined: usize,
}

impl Server {
    /// Goes on with every open match. One whose events are not believed is void: its stakes
    /// go back, its events are kept for people to look at, and the server runs on.
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
            let resumed = self.resume(&stored, &events).await;
            match resumed {
                Ok(()) => recovered.n_resumed += 1,
                Err(fault) => {
                    recovered.n_quarantined += 1;
                    self.quarantine(&stored, fault).await?;
                }
            }
        }
        Ok(recovered)
    }

    async fn resume(
        self: &Arc<Server>,
        stored: &StoredMatch,
        events: &[Vec<u8>],
    ) -> Result<(), String> {
        let name: GameName = stored
            .game
            .parse()
            .map_err(|error: catalog::UnknownGame| error.to_string())?;
        with_hosted!(name, G => self.resume_game::<G>(stored, events).await, else {
            Err(format!("{name} cannot be played live"))
        })
    }

    async fn resume_game<G: Hosted>(
        self: &Arc<Server>,
        stored: &StoredMatch,
        events: &[Vec<u8>],
    ) -> Result<(), String> {
        let terms = terms::read::<G>(stored.game_id, &stored.terms, &stored.secret)?;
        let now = self.clock.now();
        let mut effects = Vec::new();
        let facts_of = terms.clone();
        let session = Session::recover(terms, events, now, &mut effects);
        let session = session.map_err(|quarantine| quarantine.fault.to_string())?;
        let bots = self.recall_bots::<G>(stored).await?;
        let players = self.players(stored).await?;
        let facts = start::facts(&facts_of, stored.mode, players, stored.created_at);
        let accounts: Vec<Option<Account>> = stored
            .seats
            .iter()
            .map(|seat| seat.sitter.account())
            .collect();
        let sitting: Vec<Account> = accounts.iter().flatten().copied().collect();
        let (room, door) = Room::new(Arc::clone(self), session, facts, accounts, bots);
        self.hub.open_room(door, &sitting);
        tokio::spawn(room.run(effects, events.len() as u64));
        Ok(())
    }

    async fn recall_bots<G: Hosted>(&self, stored: &StoredMatch) -> Result<Vec<Bot<G>>, String> {
        let mut bots = Vec::new();
        for (idx, seat) in stored.seats.iter().enumerate() {
            let (Sitter::Bot(name), Some(seat)) = (&seat.sitter, Seat::new(idx)) else {
                continue;
            };
            let agent = G::bench(self).agent(name).await;
            let agent = agent.map_err(|error| error.to_string())?;
            bots.push(Bot { seat, agent });
        }
        Ok(bots)
    }

    async fn players(&self, stored: &StoredMatch) -> Result<Vec<Player>, String> {
        let (seats, game) = (stored.seats.clone(), stored.game.clone());
        let told = self.readers.read(move |tx| {
            let player = |seat: &store::StoredSeat| match &seat.sitter {
                Sitter::Bot(name) => Ok(start::bot_player(name)),
                Sitter::Account(account) => {
                    let row = tx.account(*account)?;
                    let rating = tx.rating(*account, &game)?;
                    Ok::<Player, StoreError>(Player {
                        name: (!seat.name.is_empty()).then(|| seat.name.clone()),
                        bot: None,
                        avatar: row.map(|row| row.avatar).unwrap_or_default(),
                        league: Some(ratings::league(rating.map_or(0, |it| it.league))),
                        points: Some(rating.map_or(0, |it| it.league)),
                        rating: rating.map(|it| it.rating.round() as i64),
                    })
                }
            };
            seats.iter().map(player).collect::<Result<Vec<_>, _>>()
        });
        told.await
            .map_err(|_| "the players are not known".to_owned())
    }

    /// The stakes go back, and the match is closed as not to be believed.
    async fn quarantine(&self, stored: &StoredMatch, fault: String) -> Result<(), Stopped> {
        tracing::error!(match_id = %stored.game_id, fault, "match quarantined, stakes go back");
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
