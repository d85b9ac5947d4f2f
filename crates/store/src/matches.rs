//! Matches, their seats and their events.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;

use kernel::MatchId;
use kernel::json::Hash;
use session::{Account, Ms};

use crate::database::{Into, Param, Row, params, words};
use crate::tx::page;
use crate::{
    Bound, Denied, Deny, LedgerAccount, Legs, Posted, StoreError, Transfer, TransferKind, Tx, Worth,
};

words! {
    /// The kinds of players in a match.
    Mode, "a mode" {
        /// People against each other.
        Pvp = "pvp",
        /// One person against bots.
        Pve = "pve",
        /// Bots alone.
        Exhibition = "exhibition",
        /// People who share an account and its screen. There is no stake, and nothing is counted.
        Hotseat = "hotseat",
    }
}

words! {
    /// The state of a match.
    MatchState, "the state of a match" {
        /// The match is live, and holds its stakes.
        Open = "open",
        /// The match was played to its end.
        Over = "over",
        /// The match was given up, and the stakes were returned.
        Void = "void",
        /// Its events could not be trusted, and the stakes were returned.
        Quarantined = "quarantined",
    }
}

/// A match to open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewMatch {
    /// The match's id.
    pub game_id: MatchId,
    /// The name of the game.
    pub game: String,
    /// The kinds of players.
    pub mode: Mode,
    /// The facts that recovery needs besides the events: JSON, whose format the caller defines.
    pub terms: String,
    /// The secret seed that was committed to. It must not be shown while the match is live.
    pub secret: Vec<u8>,
    /// The players, by seat.
    pub seats: Vec<StoredSeat>,
    /// The stake of each account, in tokens.
    pub stake: u64,
    /// The daily limits that set its stake to zero or made it unrated.
    pub worth: Worth,
    /// The time when it is opened.
    pub at: Ms,
}

/// The player in a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredSeat {
    /// The account or bot.
    pub sitter: Sitter,
    /// The player's name in this match.
    pub name: String,
}

/// The kind of player in a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sitter {
    /// A person, by account.
    Account(Account),
    /// A bot, by name.
    Bot(String),
}

impl Sitter {
    /// The account, if the player is a person.
    pub fn account(&self) -> Option<Account> {
        match self {
            Sitter::Account(account) => Some(*account),
            Sitter::Bot(_) => None,
        }
    }
}

/// The end of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The final state.
    pub state: Closed,
    /// The outcome: JSON, whose format the caller defines.
    pub outcome: String,
    /// The reason, as clients receive it.
    pub reason: String,
    /// The number of rounds or turns.
    pub rounds: u64,
    /// The winner, if exactly one account won.
    pub winner: Option<Account>,
    /// The time of the end.
    pub ended_at: Ms,
    /// The hash of its record, if there is one.
    pub record_hash: Option<String>,
}

words! {
    /// The final state of a match.
    Closed, "the state of a closed match" {
        /// The match was played to its end.
        Over = "over",
        /// The match was given up, and the stakes were returned.
        Void = "void",
        /// Its events could not be trusted, and the stakes were returned.
        Quarantined = "quarantined",
    }
}

/// A match as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredMatch {
    /// Its number in this store, which is the cursor of the next page.
    pub number: u64,
    /// The match's id.
    pub game_id: MatchId,
    /// The name of the game.
    pub game: String,
    /// The kinds of players.
    pub mode: Mode,
    /// The state of the match.
    pub state: MatchState,
    /// The facts that recovery needs besides the events.
    pub terms: String,
    /// The secret seed that was committed to. It must not be shown while the match is live.
    pub secret: Vec<u8>,
    /// The players, by seat.
    pub seats: Vec<StoredSeat>,
    /// The stake of each account, in tokens.
    pub stake: u64,
    /// The daily limits that set its stake to zero or made it unrated.
    pub worth: Worth,
    /// The time when it was opened.
    pub created_at: Ms,
    /// The end of the match, unless it is live.
    pub ending: Option<Ending>,
}

/// A filter for matches. Each field that is set must hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchFilter {
    /// The name of the game.
    pub game: Option<String>,
    /// The state of the match.
    pub state: Option<MatchState>,
    /// An account in one of the seats.
    pub account: Option<Account>,
    /// Only matches older than the one with this number.
    pub before: Option<u64>,
}

/// An event to store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewEvent<'a> {
    /// The match's id.
    pub game_id: MatchId,
    /// The number of the event in the match.
    pub version: u64,
    /// The content of the event.
    pub bytes: &'a [u8],
}

impl Tx<'_> {
    /// Opens a match: stores its row and its seats, and moves the stake of every account into its
    /// pot. An account can be in one open match at a time, and in only one seat of it unless people
    /// share its screen. A match with a limit on its stake is denied unless its stake is 0.
    pub fn open_match(&mut self, new: &NewMatch) -> Result<Posted, Deny> {
        if let Some(stored) = self.stored_match(new.game_id)? {
            return same_match(&stored, new).map_err(Deny::Failed);
        }
        if let Some(bound) = new.worth.stake.filter(|_| new.stake > 0) {
            return Err(Denied::Bounded { bound }.into());
        }
        let accounts = accounts_of(new);
        self.check_seats(&accounts, new.stake)?;
        self.insert_match(new)?;
        for account in accounts {
            let sql = "INSERT INTO seated (account, game_id) VALUES ($1, $2)";
            self.execute(sql, params![account, new.game_id])?;
            self.charge(new, account)?;
        }
        Ok(Posted::New)
    }

    /// Stores one event. See [`Tx::append_all`].
    pub fn append(&mut self, event: NewEvent<'_>) -> Result<(), StoreError> {
        self.append_all(&[event])
    }

    /// Stores events. An event that is already stored, byte for byte, is skipped. If anything else
    /// is stored in its place, another process has written it, and this fails.
    pub fn append_all(&mut self, events: &[NewEvent<'_>]) -> Result<(), StoreError> {
        let mut numbers = BTreeMap::new();
        for event in events {
            if let Entry::Vacant(new) = numbers.entry(event.game_id) {
                new.insert(self.match_number(event.game_id)?);
            }
        }
        let mut rows = Vec::with_capacity(events.len());
        for event in events {
            rows.push(event_row(numbers[&event.game_id], *event));
        }
        if self.insert_rows(&EVENTS, &rows)? == events.len() as u64 {
            return Ok(());
        }
        for event in events {
            let number = numbers[&event.game_id];
            let sql = "SELECT bytes FROM events WHERE match_number = $1 AND version = $2";
            let stored: Option<Vec<u8>> = self.value(sql, params![number, event.version])?;
            if stored.as_deref() != Some(event.bytes) {
                return Err(StoreError::Fenced);
            }
        }
        Ok(())
    }

    fn match_number(&mut self, game_id: MatchId) -> Result<u64, StoreError> {
        let sql = "SELECT number FROM matches WHERE game_id = $1";
        let number = self.value(sql, params![game_id])?;
        number.ok_or_else(|| {
            let message = format!("match {game_id} is not stored, so it cannot have events");
            self.fail(StoreError::rejected(message))
        })
    }

    /// The events of a match, in order.
    pub fn events(&mut self, game_id: MatchId) -> Result<Vec<Vec<u8>>, StoreError> {
        let sql = "SELECT bytes FROM events WHERE match_number = \
                   (SELECT number FROM matches WHERE game_id = $1) ORDER BY version";
        self.rows(sql, params![game_id], |mut row| row.take())
    }

    /// Closes a match and frees its players. [`Tx::settle`] settles its stakes in the same
    /// transaction. If the clock was set back, the stored end is not before the beginning.
    pub fn finish_match(
        &mut self,
        game_id: MatchId,
        ending: &Ending,
    ) -> Result<Posted, StoreError> {
        let n_closed = self.execute(
            "UPDATE matches SET state = $1, outcome = $2, reason = $3, rounds = $4, winner = $5, \
             ended_at = CASE WHEN created_at > $6 THEN created_at ELSE $6 END, \
             record_hash = $7 WHERE game_id = $8 AND state = 'open'",
            params![
                ending.state,
                &ending.outcome,
                &ending.reason,
                ending.rounds,
                ending.winner,
                ending.ended_at,
                ending.record_hash.as_deref(),
                game_id,
            ],
        )?;
        self.release(game_id)?;
        if n_closed == 1 {
            return Ok(Posted::New);
        }
        match self.stored_match(game_id)?.map(|stored| stored.ending) {
            Some(Some(stored)) if same_end(&stored, ending) => Ok(Posted::Known),
            stored => Err(StoreError::Conflict {
                key: format!("the end of match {game_id}"),
                stored: format!("{:?}", stored.flatten()),
                asked: format!("{ending:?}"),
            }),
        }
    }

    /// The match in which an account has a seat now.
    pub fn seated(&mut self, account: Account) -> Result<Option<MatchId>, StoreError> {
        let sql = "SELECT game_id FROM seated WHERE account = $1";
        self.value(sql, params![account])
    }

    /// Every live match, the oldest first, for a server to recover at its start.
    pub fn open_matches(&mut self) -> Result<Vec<StoredMatch>, StoreError> {
        self.select_matches("WHERE m.state = 'open' ORDER BY m.number", &[])
    }

    /// The match with this id, if it is stored.
    pub fn stored_match(&mut self, game_id: MatchId) -> Result<Option<StoredMatch>, StoreError> {
        let found = self.select_matches("WHERE m.game_id = $1", params![game_id])?;
        Ok(found.into_iter().next())
    }

    /// The matches that pass the filter, the newest first.
    pub fn matches(
        &mut self,
        filter: &MatchFilter,
        limit: u32,
    ) -> Result<Vec<StoredMatch>, StoreError> {
        let mut clause = String::from("WHERE m.number < $1");
        let mut params = vec![Param::from(filter.before.unwrap_or(u64::MAX))];
        let mut add = |condition: &str, param: Option<Param<'static>>| {
            if let Some(param) = param {
                params.push(param);
                // Writing to a string cannot fail.
                write!(clause, " AND {condition} = ${}", params.len()).ok();
            }
        };
        add("m.game", filter.game.clone().map(Param::from));
        add("m.state", filter.state.map(Param::from));
        add("own.account", filter.account.map(Param::from));
        params.push(page(limit));
        write!(clause, " ORDER BY m.number DESC LIMIT ${}", params.len()).ok();
        let join = "JOIN seats own ON own.game_id = m.game_id ";
        if filter.account.is_some() {
            clause.insert_str(0, join);
        }
        self.select_matches(&clause, &params)
    }

    /// Frees one player of a match that continues without them, so that they may join another.
    /// Idempotent.
    pub fn release_seat(&mut self, game_id: MatchId, account: Account) -> Result<(), StoreError> {
        let sql = "DELETE FROM seated WHERE game_id = $1 AND account = $2";
        self.execute(sql, params![game_id, account]).map(drop)
    }

    /// Frees all players of a match.
    pub(crate) fn release(&mut self, game_id: MatchId) -> Result<(), StoreError> {
        let sql = "DELETE FROM seated WHERE game_id = $1";
        self.execute(sql, params![game_id]).map(drop)
    }

    /// Checks everything that can be denied before anything is written.
    fn check_seats(&mut self, accounts: &[Account], stake: u64) -> Result<(), Deny> {
        for (idx, account) in accounts.iter().copied().enumerate() {
            if accounts[..idx].contains(&account) {
                return Err(Denied::SameAccount { account }.into());
            }
            let row = self.existing(account)?;
            if let Some(game_id) = self.seated(account)? {
                return Err(Denied::AlreadySeated { account, game_id }.into());
            }
            if row.tokens < stake {
                return Err(Deny::Denied(Denied::NotEnoughTokens {
                    account,
                    balance: row.tokens,
                    needed: stake,
                }));
            }
        }
        Ok(())
    }

    fn insert_match(&mut self, new: &NewMatch) -> Result<(), StoreError> {
        let sql = "SELECT coalesce(max(number), 0) + 1 FROM matches";
        let number: u64 = self.value(sql, &[])?.unwrap_or(1);
        self.execute(
            "INSERT INTO matches (number, game_id, game, mode, state, terms, secret, stake, \
             created_at, stake_bound, rating_bound) \
             VALUES ($1, $2, $3, $4, 'open', $5, $6, $7, $8, $9, $10)",
            params![
                number,
                new.game_id,
                &new.game,
                new.mode,
                &new.terms,
                new.secret.as_slice(),
                new.stake,
                new.at,
                new.worth.stake.map(Bound::name),
                new.worth.rating.map(Bound::name),
            ],
        )?;
        let seats = new.seats.iter().zip(0..);
        let rows: Vec<Vec<Param<'_>>> = seats
            .map(|(seat, idx)| seat_row(new.game_id, number, seat, idx))
            .collect();
        self.insert_rows(&SEATS, &rows)?;
        Ok(())
    }

    fn charge(&mut self, new: &NewMatch, account: Account) -> Result<(), Deny> {
        if new.stake == 0 {
            return Ok(());
        }
        let (player, pot) = (
            LedgerAccount::Player(account),
            LedgerAccount::Escrow(new.game_id),
        );
        self.transfer(&Transfer {
            key: format!("charge:{}:{}", new.game_id, account.0),
            kind: TransferKind::Charge,
            game_id: Some(new.game_id),
            legs: Legs::pay(player, pot, new.stake)?,
            at: new.at,
            memo: "the stake of a match".to_owned(),
            operator: None,
        })
        .map(drop)
    }

    fn select_matches(
        &mut self,
        clause: &str,
        params: &[Param<'_>],
    ) -> Result<Vec<StoredMatch>, StoreError> {
        let mut found = self.rows(&format!("{SELECT} {clause}"), params, read)?;
        for stored in &mut found {
            let sql = "SELECT account, bot, name FROM seats WHERE game_id = $1 ORDER BY seat";
            stored.seats = self.rows(sql, params![stored.game_id], read_seat)?;
        }
        Ok(found)
    }
}

/// The accounts in the seats. If people share a screen without a stake, an account counts once.
fn accounts_of(new: &NewMatch) -> Vec<Account> {
    let seats = new.seats.iter();
    let mut accounts: Vec<Account> = seats.filter_map(|it| it.sitter.account()).collect();
    if new.mode == Mode::Hotseat && new.stake == 0 {
        accounts.sort_unstable();
        accounts.dedup();
    }
    accounts
}

const EVENTS: Into = Into {
    table: "events",
    columns: &["match_number", "version", "bytes"],
};

const SEATS: Into = Into {
    table: "seats",
    columns: &["game_id", "seat", "number", "account", "bot", "name"],
};

const SELECT: &str = "SELECT m.number, m.game_id, m.game, m.mode, m.state, m.terms, m.secret, \
    m.stake, m.stake_bound, m.rating_bound, m.created_at, m.outcome, m.reason, m.rounds, m.winner, m.ended_at, m.record_hash \
    FROM matches m";

fn event_row(number: u64, event: NewEvent<'_>) -> Vec<Param<'_>> {
    vec![number.into(), event.version.into(), event.bytes.into()]
}

fn seat_row(game_id: MatchId, number: u64, seat: &StoredSeat, idx: u64) -> Vec<Param<'_>> {
    let bot = match &seat.sitter {
        Sitter::Bot(name) => Some(name.as_str()),
        Sitter::Account(_) => None,
    };
    vec![
        game_id.into(),
        idx.into(),
        number.into(),
        seat.sitter.account().into(),
        bot.into(),
        Param::from(&seat.name),
    ]
}

fn read(mut row: Row) -> Result<StoredMatch, StoreError> {
    let mut stored = StoredMatch {
        number: row.take()?,
        game_id: row.take()?,
        game: row.take()?,
        mode: row.take()?,
        state: row.take()?,
        terms: row.take()?,
        secret: row.take()?,
        seats: Vec::new(),
        stake: row.take()?,
        worth: Worth {
            stake: row.take()?,
            rating: row.take()?,
        },
        created_at: row.take()?,
        ending: None,
    };
    let closed = match stored.state {
        MatchState::Open => return Ok(stored),
        MatchState::Over => Closed::Over,
        MatchState::Void => Closed::Void,
        MatchState::Quarantined => Closed::Quarantined,
    };
    stored.ending = Some(Ending {
        state: closed,
        outcome: row.take()?,
        reason: row.take()?,
        rounds: row.take()?,
        winner: row.take()?,
        ended_at: row.take()?,
        record_hash: row.take()?,
    });
    Ok(stored)
}

fn read_seat(mut row: Row) -> Result<StoredSeat, StoreError> {
    let (account, bot): (Option<Account>, Option<String>) = (row.take()?, row.take()?);
    let sitter = match (account, bot) {
        (Some(account), None) => Sitter::Account(account),
        (None, Some(bot)) => Sitter::Bot(bot),
        _ => {
            return Err(StoreError::corrupt(
                "a seat is neither an account's nor a bot's",
            ));
        }
    };
    Ok(StoredSeat {
        sitter,
        name: row.take()?,
    })
}

/// Accepts the same match again, and fails if a different one is stored under its id.
fn same_match(stored: &StoredMatch, new: &NewMatch) -> Result<Posted, StoreError> {
    let same = stored.game == new.game
        && stored.mode == new.mode
        && stored.terms == new.terms
        && stored.secret == new.secret
        && stored.seats == new.seats
        && stored.stake == new.stake
        && stored.worth == new.worth;
    if same {
        return Ok(Posted::Known);
    }
    // The secret itself must not be shown.
    let tell = |game: &str, seats: &[StoredSeat], stake: u64, terms: &str, secret: &[u8]| {
        let rest = Hash::of_parts(&[terms.as_bytes(), secret]);
        format!("{game} for {stake} with {seats:?} and terms {rest}")
    };
    Err(StoreError::Conflict {
        key: format!("match {}", new.game_id),
        stored: tell(
            &stored.game,
            &stored.seats,
            stored.stake,
            &stored.terms,
            &stored.secret,
        ),
        asked: tell(&new.game, &new.seats, new.stake, &new.terms, &new.secret),
    })
}

/// A server that recovers a match may report a different time for its end.
fn same_end(stored: &Ending, asked: &Ending) -> bool {
    let timeless = |ending: &Ending| Ending {
        ended_at: 0,
        ..ending.clone()
    };
    timeless(stored) == timeless(asked)
}
