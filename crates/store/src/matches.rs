//! Matches, their seats and their events.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;

use kernel::GameId;
use kernel::json::Hash;
use session::{Account, Ms};

use crate::database::{Into, Param, Row, params, words};
use crate::tx::page;
use crate::{
    Bound, Denied, Deny, LedgerAccount, Legs, Posted, StoreError, Transfer, TransferKind, Tx, Worth,
};

words! {
    /// Who plays against whom.
    Mode, "a mode" {
        /// People.
        Pvp = "pvp",
        /// One person against bots.
        Pve = "pve",
        /// Bots alone.
        Exhibition = "exhibition",
        /// People who share an account and its screen: without a stake, and nothing is counted.
        Hotseat = "hotseat",
    }
}

words! {
    /// Whether a match runs.
    MatchState, "the state of a match" {
        /// It runs, and holds its stakes.
        Open = "open",
        /// It was played to its end.
        Over = "over",
        /// It was given up, and the stakes went back.
        Void = "void",
        /// Its events were not believed, and the stakes went back.
        Quarantined = "quarantined",
    }
}

/// A match to be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewMatch {
    /// Which match it is.
    pub game_id: GameId,
    /// Of which game.
    pub game: String,
    /// Who plays against whom.
    pub mode: Mode,
    /// What recovery needs besides the events: JSON, which is the caller's.
    pub terms: String,
    /// The seed that was promised; never shown while the match runs.
    pub secret: Vec<u8>,
    /// Who sits where.
    pub seats: Vec<StoredSeat>,
    /// What each account puts in.
    pub stake: u64,
    /// The bounds that made it free of a stake or unrated.
    pub worth: Worth,
    /// When.
    pub at: Ms,
}

/// Who sits in a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredSeat {
    /// Whose it is.
    pub sitter: Sitter,
    /// How the sitter is called in this match.
    pub name: String,
}

/// Whose a seat is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sitter {
    /// A person's.
    Account(Account),
    /// A bot's, by its name.
    Bot(String),
}

impl Sitter {
    /// Whose it is, if it is a person's.
    pub fn account(&self) -> Option<Account> {
        match self {
            Sitter::Account(account) => Some(*account),
            Sitter::Bot(_) => None,
        }
    }
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Whether it was played to its end.
    pub state: Closed,
    /// What came of it: JSON, which is the caller's.
    pub outcome: String,
    /// Why it ended, as clients are told.
    pub reason: String,
    /// How many rounds or turns it took.
    pub rounds: u64,
    /// Who won, if one account did.
    pub winner: Option<Account>,
    /// When.
    pub ended_at: Ms,
    /// The hash of its record.
    pub record_hash: Option<String>,
}

words! {
    /// How a match can be closed.
    Closed, "the state of a closed match" {
        /// It was played to its end.
        Over = "over",
        /// It was given up, and the stakes went back.
        Void = "void",
        /// Its events were not believed, and the stakes went back.
        Quarantined = "quarantined",
    }
}

/// A match as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredMatch {
    /// Its number in this store: the cursor of the next page.
    pub number: u64,
    /// Which match it is.
    pub game_id: GameId,
    /// Of which game.
    pub game: String,
    /// Who plays against whom.
    pub mode: Mode,
    /// Whether it runs.
    pub state: MatchState,
    /// What recovery needs besides the events.
    pub terms: String,
    /// The seed that was promised; not for anybody while the match runs.
    pub secret: Vec<u8>,
    /// Who sits where.
    pub seats: Vec<StoredSeat>,
    /// What each account put in.
    pub stake: u64,
    /// The bounds that made it free of a stake or unrated.
    pub worth: Worth,
    /// When it was opened.
    pub created_at: Ms,
    /// How it ended, if it did.
    pub ending: Option<Ending>,
}

/// Which matches are wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchFilter {
    /// Of this game.
    pub game: Option<String>,
    /// In this state.
    pub state: Option<MatchState>,
    /// With this account in a seat.
    pub account: Option<Account>,
    /// Older than the match of this number.
    pub before: Option<u64>,
}

/// An event to be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewEvent<'a> {
    /// Of which match.
    pub game_id: GameId,
    /// Its number in it.
    pub version: u64,
    /// What it says.
    pub bytes: &'a [u8],
}

impl Tx<'_> {
    /// Opens a match: its row, its seats, and the stake of every account into its pot. An
    /// account sits in one open match at a time, and in one seat of it unless people share its
    /// screen. A match with a reason against its stake is denied unless its stake is 0.
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

    /// Stores events. One that is stored already, byte for byte, is passed over; if anything
    /// else is stored in its place, another process has written it.
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

    /// The number that a match has in this store.
    fn match_number(&mut self, game_id: GameId) -> Result<u64, StoreError> {
        let sql = "SELECT number FROM matches WHERE game_id = $1";
        let number = self.value(sql, params![game_id])?;
        number.ok_or_else(|| {
            let message = format!("match {game_id} is not stored, so it has no events");
            self.fail(StoreError::rejected(message))
        })
    }

    /// The events of a match, in order.
    pub fn events(&mut self, game_id: GameId) -> Result<Vec<Vec<u8>>, StoreError> {
        let sql = "SELECT bytes FROM events WHERE match_number = \
                   (SELECT number FROM matches WHERE game_id = $1) ORDER BY version";
        self.rows(sql, params![game_id], |mut row| row.take())
    }

    /// Closes a match and frees its players. Its stakes are settled in the same transaction, by
    /// [`Tx::settle`]. A match does not end before it began: after a clock was set back, the
    /// end is stored as the time of the beginning.
    pub fn finish_match(&mut self, game_id: GameId, ending: &Ending) -> Result<Posted, StoreError> {
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

    /// Where an account sits now.
    pub fn seated(&mut self, account: Account) -> Result<Option<GameId>, StoreError> {
        let sql = "SELECT game_id FROM seated WHERE account = $1";
        self.value(sql, params![account])
    }

    /// Every match that runs, the oldest first: what a server takes up when it starts.
    pub fn open_matches(&mut self) -> Result<Vec<StoredMatch>, StoreError> {
        self.select_matches("WHERE m.state = 'open' ORDER BY m.number", &[])
    }

    /// One match.
    pub fn stored_match(&mut self, game_id: GameId) -> Result<Option<StoredMatch>, StoreError> {
        let found = self.select_matches("WHERE m.game_id = $1", params![game_id])?;
        Ok(found.into_iter().next())
    }

    /// Matches, the newest first.
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

    /// Lets one player of a match go that runs on without them, so that they may sit in
    /// another. Done twice, it is done once.
    pub fn release_seat(&mut self, game_id: GameId, account: Account) -> Result<(), StoreError> {
        let sql = "DELETE FROM seated WHERE game_id = $1 AND account = $2";
        self.execute(sql, params![game_id, account]).map(drop)
    }

    /// Lets the players of a match go.
    pub(crate) fn release(&mut self, game_id: GameId) -> Result<(), StoreError> {
        let sql = "DELETE FROM seated WHERE game_id = $1";
        self.execute(sql, params![game_id]).map(drop)
    }

    /// Everything that can be denied is asked before anything is written.
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

    /// Matches with their seats.
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

/// Who sits down. Where people share a screen, and nothing is at stake, an account counts once.
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

fn seat_row(game_id: GameId, number: u64, seat: &StoredSeat, idx: u64) -> Vec<Param<'_>> {
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

/// The same match again is no news; another one under its id cannot be.
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
    // Never the secret itself.
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

/// A server that takes a match up again may tell another time for its end.
fn same_end(stored: &Ending, asked: &Ending) -> bool {
    let timeless = |ending: &Ending| Ending {
        ended_at: 0,
        ..ending.clone()
    };
    timeless(stored) == timeless(asked)
}
