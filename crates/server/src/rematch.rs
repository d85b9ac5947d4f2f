//! Rematches: the same people and bots again, on the same terms.
//!
//! The terms are read from storage, so only the requests are kept in memory. People rotate seats,
//! because the first seat may be an advantage.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use catalog::{GameName, with_game};
use kernel::MatchId;
use session::{Account, Ms};
use store::{MatchState, Sitter, StoredMatch};
use wire::codes::ErrorCode;
use wire::native::{Rematch, ServerMessage};

use crate::gateway::Client;
use crate::hosted::Hosted;
use crate::server::Server;
use crate::start::{Order, Participant, Start};
use crate::terms;
use crate::voice::Speech;

/// The time after its end during which a match can be played again.
const REMATCH_MS: Ms = 1_800_000;
/// Matches with a pending rematch request at the same time.
const WANTED_MAX: usize = 5_000;

/// Pending requests for rematches.
#[derive(Default)]
pub(crate) struct Rematches {
    wanted: Mutex<BTreeMap<MatchId, Wanted>>,
}

struct Wanted {
    by: BTreeSet<Account>,
    until: Ms,
}

impl Rematches {
    fn wanted(&self) -> MutexGuard<'_, BTreeMap<MatchId, Wanted>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an account's request and returns all accounts that want the rematch. Once they include
    /// `all`, the entry is removed, so that the rematch starts once.
    fn want(
        &self,
        game_id: MatchId,
        account: Account,
        all: &BTreeSet<Account>,
        now: Ms,
    ) -> Result<BTreeSet<Account>, ErrorCode> {
        let mut wanted = self.wanted();
        wanted.retain(|_, it| it.until > now);
        if wanted.len() >= WANTED_MAX && !wanted.contains_key(&game_id) {
            return Err(ErrorCode::Busy);
        }
        let until = now + REMATCH_MS;
        let by = BTreeSet::new();
        let own = wanted.entry(game_id).or_insert(Wanted { by, until });
        own.by.insert(account);
        let by = own.by.clone();
        if by.is_superset(all) {
            wanted.remove(&game_id);
        }
        Ok(by)
    }

    fn forget(&self, game_id: MatchId) -> BTreeSet<Account> {
        let gone = self.wanted().remove(&game_id);
        gone.map(|it| it.by).unwrap_or_default()
    }
}

/// A finished match that can be played again.
struct Played {
    game_id: MatchId,
    game: GameName,
    sitters: Vec<Sitter>,
    stake: u64,
    start: Start,
}

impl Played {
    fn people(&self) -> BTreeSet<Account> {
        let sitters = self.sitters.iter();
        sitters.filter_map(Sitter::account).collect()
    }

    /// The seats of the accounts that satisfy `of`.
    fn seats(&self, of: impl Fn(Account) -> bool) -> Vec<u8> {
        let sitters = self.sitters.iter().zip(0..);
        let own = |(sitter, _): &(&Sitter, u8)| sitter.account().is_some_and(&of);
        sitters.filter(own).map(|(_, seat)| seat).collect()
    }

    /// The seats of the rematch: bots stay, and each person takes the seat of the next person.
    fn sitters_again(&self) -> Vec<Sitter> {
        let mut people: Vec<Account> = self.sitters.iter().filter_map(Sitter::account).collect();
        if !people.is_empty() {
            people.rotate_left(1);
        }
        let mut people = people.into_iter();
        let sitter = |it: &Sitter| match it {
            Sitter::Bot(name) => Some(Sitter::Bot(name.clone())),
            Sitter::Account(_) => people.next().map(Sitter::Account),
        };
        self.sitters.iter().filter_map(sitter).collect()
    }
}

impl Server {
    /// Reads a match of this account that ended recently.
    async fn played(&self, account: Account, game_id: MatchId) -> Result<Played, ErrorCode> {
        let read = self.readers.read(move |tx| tx.stored_match(game_id));
        let stored = read.await.map_err(|_| ErrorCode::StorageUnavailable)?;
        let stored = stored.ok_or(ErrorCode::RematchUnknown)?;
        let over = matches!(stored.state, MatchState::Over | MatchState::Void);
        let ended_at = stored.ending.as_ref().map_or(0, |it| it.ended_at);
        let fresh = ended_at + REMATCH_MS > self.clock.now();
        let sitters: Vec<Sitter> = stored.seats.iter().map(|it| it.sitter.clone()).collect();
        let own = sitters.contains(&Sitter::Account(account));
        if !over || !fresh || !own {
            return Err(ErrorCode::RematchUnknown);
        }
        let game: GameName = stored.game.parse().map_err(|_| ErrorCode::UnknownGame)?;
        Ok(Played {
            game_id,
            game,
            sitters,
            stake: stored.stake,
            start: with_game!(game, G => start_of::<G>(&stored))?,
        })
    }

    /// Withdraws the rematch and notifies the other players.
    pub(crate) async fn decline_rematch(
        &self,
        account: Account,
        game_id: MatchId,
    ) -> Result<(), ErrorCode> {
        let played = self.played(account, game_id).await?;
        if self.rematches.forget(played.game_id).is_empty() {
            return Ok(());
        }
        for other in played.people().into_iter().filter(|it| *it != account) {
            self.tell_rematch_off(other, game_id, "declined");
        }
        Ok(())
    }

    fn tell_rematch(&self, played: &Played, by: &BTreeSet<Account>) {
        let match_id = played.game_id;
        let missing = |it: Account| !by.contains(&it);
        let told = Rematch {
            match_id,
            wanted_by: played.seats(|it| by.contains(&it)),
            missing: played.seats(missing),
            away: played.seats(|it| missing(it) && !self.hub.is_free(it, played.game)),
        };
        let frame = ServerMessage::<()>::Rematch(told).write();
        for account in played.people() {
            self.tell_native(account, &frame);
        }
    }

    fn tell_rematch_off(&self, account: Account, game_id: MatchId, reason: &'static str) {
        let match_id = game_id;
        let off = ServerMessage::<()>::RematchOff { match_id, reason };
        self.tell_native(account, &off.write());
    }

    /// Sends a frame to a native client; old clients do not know rematches.
    pub(crate) fn tell_native(&self, account: Account, frame: &str) {
        let present = self.hub.chosen(account, |it| it == Speech::Native);
        if let Some(present) = present {
            present.line.send(frame.to_owned());
        }
    }

    async fn begin_rematch(self: &Arc<Server>, played: &Played) -> Result<(), ErrorCode> {
        let people: Vec<Account> = played.people().into_iter().collect();
        let mut starting = self.set_aside(people).map_err(|it| it.code)?;
        let participant = |sitter: Sitter| match sitter {
            Sitter::Bot(name) => Participant::Bot(name),
            Sitter::Account(account) => self.participant(account, played.game),
        };
        let order = Order {
            game: played.game,
            participants: played
                .sitters_again()
                .into_iter()
                .map(participant)
                .collect(),
            stake: played.stake,
            start: played.start.clone(),
            invitation: None,
        };
        let begun = self.begin(&mut starting, order).await;
        begun.map(drop).map_err(|why| why.code())
    }
}

impl Client {
    /// Requests a rematch, and starts it once everyone wants it.
    pub(crate) async fn want_rematch(&self, game_id: MatchId) -> Result<(), ErrorCode> {
        let (server, account) = (self.server(), self.account());
        if !server.takes_matches() {
            return Err(self.why_no_matches());
        }
        if server.hub.seat_of(account).is_some() {
            return Err(ErrorCode::AlreadyInMatch);
        }
        server.hub.prefer(account, self.conn());
        let played = server.played(account, game_id).await?;
        let all = played.people();
        let now = server.clock.now();
        let mut by = server.rematches.want(game_id, account, &all, now)?;
        let is_free = |it: &Account| server.hub.is_free(*it, played.game);
        // A player who asked and has since become unavailable is asked again.
        let all_here = by.is_superset(&all) && all.iter().all(is_free);
        if !all_here {
            by.retain(is_free);
            for &here in &by {
                server.rematches.want(game_id, here, &all, now)?;
            }
            server.tell_rematch(&played, &by);
            return Ok(());
        }
        let begun = server.begin_rematch(&played).await;
        if let Err(code) = begun {
            for other in all.into_iter().filter(|it| *it != account) {
                server.tell_rematch_off(other, game_id, code.code());
            }
        }
        begun
    }
}

/// Reads the setup that a stored match started from.
fn start_of<G: Hosted>(stored: &StoredMatch) -> Result<Start, ErrorCode> {
    let terms = terms::read::<G>(stored.game_id, &stored.terms, &stored.secret);
    let setup = terms.map_err(|_| ErrorCode::RematchUnknown)?.setup;
    if setup == G::Setup::default() {
        return Ok(Start::Standard);
    }
    let text = kernel::json::to_canonical(&setup).map_err(|_| ErrorCode::Internal)?;
    let text = String::from_utf8(text).map_err(|_| ErrorCode::Internal)?;
    Ok(Start::Chosen(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game_id() -> MatchId {
        MatchId::from_random_bytes([3; 16])
    }

    fn played(sitters: Vec<Sitter>) -> Played {
        Played {
            game_id: game_id(),
            game: GameName::Stellar,
            sitters,
            stake: 0,
            start: Start::Standard,
        }
    }

    fn person(account: u64) -> Sitter {
        Sitter::Account(Account(account))
    }

    #[test]
    fn a_rematch_starts_once_when_all_want_it() {
        let rematches = Rematches::default();
        let all = BTreeSet::from([Account(1), Account(2)]);
        let want = |account| rematches.want(game_id(), Account(account), &all, 10);
        assert_eq!(want(1), Ok(BTreeSet::from([Account(1)])));
        assert_eq!(
            want(1),
            Ok(BTreeSet::from([Account(1)])),
            "asking again changes nothing"
        );
        assert_eq!(want(2), Ok(all.clone()));
        assert_eq!(
            rematches.forget(game_id()),
            BTreeSet::new(),
            "the entry is removed"
        );
    }

    #[test]
    fn a_rematch_request_expires() {
        let rematches = Rematches::default();
        let all = BTreeSet::from([Account(1), Account(2)]);
        assert!(rematches.want(game_id(), Account(1), &all, 10).is_ok());
        let late = rematches.want(game_id(), Account(2), &all, 10 + REMATCH_MS);
        assert_eq!(late, Ok(BTreeSet::from([Account(2)])));
    }

    #[test]
    fn people_rotate_seats_and_bots_stay() {
        let bot = || Sitter::Bot("random".to_owned());
        let again = played(vec![person(1), bot(), person(2), person(3)]).sitters_again();
        assert_eq!(again, [person(2), bot(), person(3), person(1)]);
        let alone = played(vec![bot(), person(1)]).sitters_again();
        assert_eq!(alone, [bot(), person(1)]);
    }
}
