//! The end of a match, in one transaction: the last event, the stakes, the results and the ratings.

use kernel::{MatchId, Outcome, Verdict};
use session::{Account, Ms, Settlement};
use skillratings::glicko2::Glicko2Rating;
use store::{
    Closed, Ending, LedgerAccount, MatchResult, Mode, NewEvent, Posted, Rating, ResultRow,
    StoreError, Tx,
};
use wire::native::Standing;

use crate::ratings::{self, Score};

/// Everything needed to close a match.
#[derive(Clone, Debug)]
pub(crate) struct Closing {
    pub(crate) game_id: MatchId,
    pub(crate) game: &'static str,
    pub(crate) mode: Mode,
    /// The account of each seat; `None` for a bot.
    pub(crate) accounts: Vec<Option<Account>>,
    pub(crate) names: Vec<String>,
    pub(crate) outcome: Outcome,
    pub(crate) settlement: Settlement,
    pub(crate) rounds: u32,
    /// True if the result counts for ratings.
    pub(crate) rated: bool,
    /// True if the match was long enough to give its winner more than the pot.
    pub(crate) played: bool,
    pub(crate) has_leagues: bool,
    /// The version of the closing event.
    pub(crate) version: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) at: Ms,
}

/// The state of each seat's account afterwards; `None` for a bot.
#[derive(Clone, Default, Debug)]
pub(crate) struct Ended {
    pub(crate) seats: Vec<Option<SeatEnd>>,
}

/// The state of one account after a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeatEnd {
    pub(crate) tokens: u64,
    pub(crate) standing: Option<Standing>,
}

/// Closes a match. Idempotent.
pub(crate) fn close(tx: &mut Tx<'_>, closing: &Closing) -> Result<Ended, StoreError> {
    tx.append(NewEvent {
        game_id: closing.game_id,
        version: closing.version,
        bytes: &closing.bytes,
    })?;
    let against_newcomers = against_newcomers(tx, closing)?;
    let posted = tx.settle(&closing.settlement, &closing.accounts, closing.at)?;
    let changes = match posted {
        Posted::New => rate(tx, closing)?,
        Posted::Known => vec![None; closing.accounts.len()],
    };
    for (seat, account) in closing.accounts.iter().enumerate() {
        if let Some(account) = account {
            let change = changes.get(seat).copied().flatten();
            let after = match change {
                Some(change) => change.after,
                None => current(tx, closing, *account)?,
            };
            let own = Own {
                account: *account,
                newcomer: against_newcomers.contains(account),
                change,
                after,
            };
            tx.add_result(&result(closing, seat, &own))?;
        }
    }
    tx.finish_match(closing.game_id, &ending(closing))?;
    let seats = closing.accounts.iter().zip(&changes);
    let seats = seats.map(|(account, change)| {
        let Some(account) = *account else {
            return Ok(None);
        };
        let balance = tx.balance(LedgerAccount::Player(account))?;
        Ok(Some(SeatEnd {
            tokens: balance.unsigned_abs(),
            standing: change.as_ref().map(Change::standing),
        }))
    });
    let seats: Result<Vec<_>, StoreError> = seats.collect();
    Ok(Ended { seats: seats? })
}

/// One account's part in a finished match.
struct Own {
    account: Account,
    /// True if an opponent is a newcomer.
    newcomer: bool,
    change: Option<Change>,
    after: Rating,
}

/// The accounts that played against a newcomer.
fn against_newcomers(tx: &mut Tx<'_>, closing: &Closing) -> Result<Vec<Account>, StoreError> {
    let people: Vec<Account> = closing.accounts.iter().flatten().copied().collect();
    let mut found = Vec::new();
    for &account in &people {
        if tx.has_newcomer_beside(account, &people, closing.at)? {
            found.push(account);
        }
    }
    Ok(found)
}

/// The change a match made to a standing.
#[derive(Clone, Copy, Debug)]
struct Change {
    before: i64,
    after: Rating,
    played: bool,
}

impl Change {
    fn standing(&self) -> Standing {
        Standing {
            points: self.after.league,
            points_change: self.after.league - self.before,
            league: ratings::league(self.after.league),
            rating: self.after.rating.round() as i64,
            deviation: self.after.deviation.round() as i64,
            played: self.played,
        }
    }
}

/// Rates a match between two people, once. A winner gains nothing from a match that was hardly
/// played, nor beyond the daily bound. A loser always loses the usual amount.
fn rate(tx: &mut Tx<'_>, closing: &Closing) -> Result<Vec<Option<Change>>, StoreError> {
    let unrated = vec![None; closing.accounts.len()];
    let [Some(one), Some(other)] = closing.accounts[..] else {
        return Ok(unrated);
    };
    if !closing.rated || closing.mode != Mode::Pvp || closing.outcome.verdict == Verdict::Void {
        return Ok(unrated);
    }
    let before = [current(tx, closing, one)?, current(tx, closing, other)?];
    let mut after = before;
    for (idx, rating) in after.iter_mut().enumerate() {
        if closing.has_leagues {
            rating.league = ratings::points_after(rating.league, score(closing, idx));
        }
        rating.n_rated += u64::from(closing.played);
    }
    // If both lost, the result says nothing about who is stronger.
    if closing.outcome.verdict != Verdict::AllLose {
        let rated = ratings::rate(before.map(glicko), score(closing, 0));
        for (rating, new) in after.iter_mut().zip(rated) {
            (rating.rating, rating.deviation) = (new.rating, new.deviation);
            rating.volatility = new.volatility;
        }
    }
    for (idx, account) in [one, other].into_iter().enumerate() {
        after[idx] = bounded(tx, closing, account, before[idx], after[idx])?;
    }
    for (account, rating) in [one, other].into_iter().zip(&after) {
        tx.set_rating(closing.game_id, account, closing.game, rating)?;
    }
    let change = |idx: usize| {
        Some(Change {
            before: before[idx].league,
            after: after[idx],
            played: closing.played,
        })
    };
    Ok(vec![change(0), change(1)])
}

/// Returns a standing after a match, reduced to the gains the match may give.
fn bounded(
    tx: &mut Tx<'_>,
    closing: &Closing,
    account: Account,
    before: Rating,
    mut after: Rating,
) -> Result<Rating, StoreError> {
    if !closing.played && after.rating > before.rating {
        return Ok(before);
    }
    let midnight = tx.rating_at_midnight(account, closing.game, closing.at)?;
    let midnight = midnight.unwrap_or_else(|| ratings::unrated().rating);
    after.rating = after.rating.min(midnight + ratings::DAILY_RISE_MAX);
    Ok(after)
}

fn current(tx: &mut Tx<'_>, closing: &Closing, account: Account) -> Result<Rating, StoreError> {
    let found = tx.rating(account, closing.game)?;
    Ok(found.unwrap_or_else(|| {
        let new = ratings::unrated();
        Rating {
            league: 0,
            rating: new.rating,
            deviation: new.deviation,
            volatility: new.volatility,
            n_rated: 0,
        }
    }))
}

fn glicko(rating: Rating) -> Glicko2Rating {
    Glicko2Rating {
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
    }
}

fn score(closing: &Closing, seat: usize) -> Score {
    let seat = kernel::Seat::new(seat);
    match seat.map_or(0, |seat| closing.outcome.score(seat)) {
        1 => Score::Won,
        -1 => Score::Lost,
        _ => Score::Drew,
    }
}

fn result(closing: &Closing, seat: usize, own: &Own) -> ResultRow {
    let result = match (closing.outcome.verdict, score(closing, seat)) {
        (Verdict::Void, _) => MatchResult::Void,
        (_, Score::Won) => MatchResult::Win,
        (_, Score::Lost) => MatchResult::Loss,
        (_, Score::Drew) => MatchResult::Draw,
    };
    let mut others = closing.names.iter().enumerate();
    let opponent = others.find(|(other, _)| *other != seat);
    ResultRow {
        game_id: closing.game_id,
        account: own.account,
        opponent: opponent
            .map(|(_, name)| name.clone())
            .filter(|name| !name.is_empty()),
        result,
        reason: closing.outcome.reason.0.to_owned(),
        rounds: closing.rounds.into(),
        league_delta: own.change.map_or(0, |it| it.after.league - it.before),
        league_after: own.after.league,
        rating_after: own.after.rating,
        newcomer: own.newcomer,
        at: closing.at,
    }
}

fn ending(closing: &Closing) -> Ending {
    let state = match closing.outcome.verdict {
        Verdict::Void => Closed::Void,
        _ => Closed::Over,
    };
    let sole = closing.outcome.winners().sole();
    let winner = sole.and_then(|seat| closing.accounts.get(seat.index()).copied().flatten());
    Ending {
        state,
        outcome: serde_json::to_string(&closing.outcome).unwrap_or_default(),
        reason: closing.outcome.reason.0.to_owned(),
        rounds: closing.rounds.into(),
        winner,
        ended_at: closing.at,
        record_hash: None,
    }
}
