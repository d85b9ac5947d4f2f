//! Attackers with any number of accounts against the real store: the gain of one account in a day
//! stays within the numbers of `docs/economy.md`.
//!
//! Promise: Throw-away accounts earn another account nothing beyond the stated bound.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::collections::BTreeMap;

use kernel::{MatchId, Outcome, Seat, Verdict};
use session::{Account, Ms, Settlement, SettlementKey, SettlementKind, Share};
use store::{
    Bounds, DAY_MS, LedgerAccount, Mode, NewAccount, NewEvent, NewMatch, Pairing, Place, Sitter,
    Store, StoredSeat, Tx, Worth,
};

use crate::closing::{Closing, close};
use crate::ratings;

const NOON: Ms = 20_000 * DAY_MS + DAY_MS / 2;
const NO_BOUNDS: Bounds = Bounds {
    tokens: u64::MAX,
    newcomer_tokens: u64::MAX,
    points: u64::MAX,
    newcomer_points: u64::MAX,
};

/// The way a match ends.
#[derive(Clone, Copy)]
enum End {
    /// The loser resigns at once.
    Resigned,
    /// The loser is absent for two rounds.
    Away,
    /// The match runs for all three rounds.
    Played,
}

/// The holdings of an account.
#[derive(Clone, Copy, Default, Debug)]
struct Has {
    /// Includes the stake of its open match.
    tokens: i64,
    points: i64,
    rating: f64,
}

/// A running match.
struct Open {
    game_id: MatchId,
    pair: [Account; 2],
    stake: u64,
    worth: Worth,
}

struct World<'a, 'b> {
    tx: &'a mut Tx<'b>,
    now: Ms,
    bounds: Bounds,
    n_matches: u64,
    staked: BTreeMap<Account, u64>,
    /// The holdings of each account at midnight, or when it was created.
    midnight: BTreeMap<Account, Has>,
    /// The most that any account has gained in a day.
    most: Has,
}

/// Runs an attack and returns the most that any account gained in a day.
fn simulate(bounds: Bounds, attack: impl Fn(&mut World<'_, '_>)) -> Has {
    let folder = tempfile::TempDir::new().unwrap();
    let mut store = Store::open(&Place::Sqlite(folder.path().join("referee.sqlite"))).unwrap();
    store.claim(NOON).unwrap();
    let act = |tx: &mut Tx<'_>| {
        let mut world = World {
            tx,
            now: NOON,
            bounds,
            n_matches: 0,
            staked: BTreeMap::new(),
            midnight: BTreeMap::new(),
            most: Has::default(),
        };
        attack(&mut world);
        Ok(world.most)
    };
    let most = store.commit(act).unwrap();
    let n_faults = store.read(|tx| Ok(tx.check_books()?.len()));
    assert_eq!(n_faults, Ok(0));
    most
}

impl World<'_, '_> {
    fn guest(&mut self) -> Account {
        let nth = self.midnight.len() as u128 + 1;
        let new = NewAccount {
            public_id: uuid::Uuid::from_u128(nth),
            at: self.now,
            nickname: None,
            language: "en".to_owned(),
            avatar: "orc".to_owned(),
            telegram_user_id: None,
            login: None,
            password_hash: None,
            tokens_granted: 10,
        };
        let account = self.tx.create_account(&new).unwrap();
        let has = self.has(account);
        self.midnight.insert(account, has);
        account
    }

    fn guests(&mut self, n: usize) -> Vec<Account> {
        (0..n).map(|_| self.guest()).collect()
    }

    /// Creates accounts that are no longer newcomers: they have played each other for days.
    fn established(&mut self, n: usize) -> Vec<Account> {
        let accounts = self.guests(n);
        for apart in 1..=10 {
            for idx in 0..n {
                let (winner, loser) = (accounts[idx], accounts[(idx + apart) % n]);
                self.win(winner, loser, 0, End::Played);
            }
        }
        self.pass(3 * DAY_MS);
        for account in &accounts {
            assert!(!self.tx.is_newcomer(*account, self.now).unwrap());
        }
        accounts
    }

    fn pass(&mut self, ms: Ms) {
        let day = self.now / DAY_MS;
        self.now += ms;
        if self.now / DAY_MS != day {
            for account in self.midnight.keys().copied().collect::<Vec<_>>() {
                let has = self.has(account);
                self.midnight.insert(account, has);
            }
        }
    }

    fn has(&mut self, account: Account) -> Has {
        let balance = self.tx.balance(LedgerAccount::Player(account)).unwrap();
        let staked = self.staked.get(&account).copied().unwrap_or(0);
        let rating = self.tx.rating(account, "orcain").unwrap();
        Has {
            tokens: balance + staked as i64,
            points: rating.map_or(0, |it| it.league),
            rating: rating.map_or(ratings::unrated().rating, |it| it.rating),
        }
    }

    /// Plays a match that `winner` wins, if both can pay the stake.
    fn win(&mut self, winner: Account, loser: Account, stake: u64, end: End) {
        if let Some(open) = self.open([winner, loser], stake) {
            self.close(&open, end);
        }
    }

    fn open(&mut self, pair: [Account; 2], stake: u64) -> Option<Open> {
        let mut pairing = Pairing {
            game: "orcain".to_owned(),
            accounts: pair.to_vec(),
            stake,
            points: Some(ratings::WIN_POINTS),
            at: self.now,
        };
        let worth = self.tx.worth(&pairing, &self.bounds).unwrap();
        pairing.stake = if worth.stake.is_some() { 0 } else { stake };
        let stake = pairing.stake;
        if pair.iter().any(|it| self.has(*it).tokens < stake as i64) {
            return None;
        }
        self.n_matches += 1;
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.n_matches.to_le_bytes());
        let game_id = MatchId::from_random_bytes(bytes);
        let seat = |account: &Account| StoredSeat {
            sitter: Sitter::Account(*account),
            name: String::new(),
        };
        let new = NewMatch {
            game_id,
            game: pairing.game.clone(),
            mode: Mode::Pvp,
            terms: "{}".to_owned(),
            secret: Vec::new(),
            seats: pair.iter().map(seat).collect(),
            stake,
            worth,
            at: self.now,
        };
        let bounds = self.bounds;
        let opened = self.tx.attempt(|tx| {
            tx.open_within(&bounds, &pairing, &new)?;
            let bytes = b"begun";
            tx.append(NewEvent {
                game_id,
                version: 1,
                bytes,
            })?;
            Ok(())
        });
        opened.unwrap().unwrap();
        self.staked.extend(pair.map(|it| (it, stake)));
        Some(Open {
            game_id,
            pair,
            stake,
            worth,
        })
    }

    /// Closes a match; the first account of the pair wins.
    fn close(&mut self, open: &Open, end: End) {
        let (rounds, reason) = match end {
            End::Resigned => (1, "resign"),
            End::Away => (2, "timeout"),
            End::Played => (3, "normal"),
        };
        let settlement = Settlement {
            key: SettlementKey {
                game_id: open.game_id,
                kind: SettlementKind::Payout,
            },
            shares: vec![Share {
                seat: Seat::FIRST,
                tokens: 2 * open.stake,
            }],
            burned: 0,
        };
        let closing = Closing {
            game_id: open.game_id,
            game: "orcain",
            mode: Mode::Pvp,
            accounts: open.pair.map(Some).to_vec(),
            names: vec![String::new(); 2],
            outcome: Outcome::decided(Verdict::Winner(Seat::FIRST), reason),
            settlement,
            rounds,
            rated: open.worth.rating.is_none(),
            played: rounds >= 3,
            has_leagues: true,
            version: 2,
            bytes: b"over".to_vec(),
            at: self.now,
        };
        close(self.tx, &closing).unwrap();
        for account in open.pair {
            self.staked.remove(&account);
            let (has, had) = (self.has(account), self.midnight[&account]);
            self.most.tokens = self.most.tokens.max(has.tokens - had.tokens);
            self.most.points = self.most.points.max(has.points - had.points);
            self.most.rating = self.most.rating.max(has.rating - had.rating);
        }
    }
}

/// Guests lose all their tokens to one account, a few at a time.
fn throw_away(world: &mut World<'_, '_>, n: usize, stake: u64, end: End) {
    let star = world.guest();
    for guest in world.guests(n) {
        for _ in 0..10 / stake {
            world.win(star, guest, stake, end);
            world.pass(1_000);
        }
    }
}

fn resigners(world: &mut World<'_, '_>) {
    throw_away(world, 60, 1, End::Resigned);
}

fn resigners_at_the_highest_stake(world: &mut World<'_, '_>) {
    throw_away(world, 60, 5, End::Resigned);
}

fn absentees(world: &mut World<'_, '_>) {
    throw_away(world, 60, 2, End::Away);
}

fn losers_who_play(world: &mut World<'_, '_>) {
    throw_away(world, 60, 1, End::Played);
}

/// Guests lose to collectors, and the collectors lose to one account.
fn chain(world: &mut World<'_, '_>) {
    let star = world.guest();
    let collectors = world.guests(20);
    for (idx, guest) in world.guests(100).into_iter().enumerate() {
        world.win(collectors[idx % 20], guest, 5, End::Played);
        world.win(collectors[idx % 20], guest, 1, End::Played);
    }
    for collector in collectors {
        for _ in 0..3 {
            world.win(star, collector, 5, End::Played);
        }
    }
}

/// The same pair plays all day, with losses on purpose to make room for wins.
fn the_same_pair(world: &mut World<'_, '_>) {
    let (star, helper) = (world.guest(), world.guest());
    let others = world.guests(20);
    for round in 0..60 {
        world.win(star, helper, 1, End::Played);
        world.win(others[round % 20], star, 1, End::Played);
        world.win(star, helper, 1, End::Played);
        world.pass(60_000);
    }
}

/// Matches start before midnight and end after it.
fn across_midnight(world: &mut World<'_, '_>) {
    let star = world.guest();
    for guest in world.guests(30) {
        let before = DAY_MS - world.now % DAY_MS - 1_000;
        world.pass(before);
        for _ in 0..2 {
            let open = world.open([star, guest], 5);
            world.pass(2_000);
            if let Some(open) = open {
                world.close(&open, End::Played);
            }
        }
    }
}

/// Accounts that have aged for days lose to one of them, for a week.
fn grown_accounts(world: &mut World<'_, '_>) {
    let accounts = world.established(40);
    for _ in 0..7 {
        for loser in &accounts[1..] {
            world.win(accounts[0], *loser, 5, End::Played);
            world.win(accounts[0], *loser, 1, End::Played);
        }
        world.pass(DAY_MS);
    }
}

/// New guests lose to established accounts, which in turn lose to one of them, for a month.
fn grown_chain(world: &mut World<'_, '_>) {
    let accounts = world.established(30);
    for _ in 0..30 {
        for collector in &accounts[1..] {
            let guest = world.guest();
            world.win(*collector, guest, 5, End::Played);
            world.win(accounts[0], *collector, 5, End::Played);
        }
        world.pass(DAY_MS);
    }
}

/// Random pairs play for random stakes, with accounts that come and go.
fn anything(world: &mut World<'_, '_>) {
    let mut accounts = world.guests(12);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..2_500 {
        if draw(20) == 0 {
            accounts.push(world.guest());
        }
        // The first few win more often than the others.
        let winner = draw(accounts.len()).min(draw(accounts.len()));
        let loser = draw(accounts.len());
        let end = [End::Played, End::Played, End::Resigned, End::Away][draw(4)];
        if winner != loser {
            world.win(accounts[winner], accounts[loser], [1, 2, 5][draw(3)], end);
        }
        world.pass(draw(1_200_000) as Ms);
    }
}

/// The numbers in a row of the docs' table: from newcomers, and from everybody.
fn documented(row: &str) -> [i64; 2] {
    let docs = include_str!("../../../../docs/economy.md");
    let start = format!("| {row} |");
    let line = docs.lines().find(|it| it.starts_with(&start)).unwrap();
    let cells: Vec<i64> = line
        .split('|')
        .filter_map(|it| it.trim().parse().ok())
        .collect();
    cells.try_into().unwrap()
}

type Attack = fn(&mut World<'_, '_>);

/// No attack gains more than the docs say, and one gains exactly that.
fn check(attacks: &[Attack], column: usize) {
    let mut most = Has::default();
    for attack in attacks {
        let gained = simulate(Bounds::default(), attack);
        most.tokens = most.tokens.max(gained.tokens);
        most.points = most.points.max(gained.points);
        most.rating = most.rating.max(gained.rating);
    }
    assert_eq!(most.tokens, documented("tokens")[column], "{most:?}");
    assert_eq!(most.points, documented("league points")[column], "{most:?}");
    let rating = documented("rating")[column];
    assert!(most.rating <= rating as f64 + 1e-6, "{most:?}");
}

#[test]
fn throw_away_accounts_gain_no_more_than_the_docs_say() {
    check(
        &[
            resigners,
            resigners_at_the_highest_stake,
            absentees,
            losers_who_play,
            chain,
            the_same_pair,
            across_midnight,
        ],
        0,
    );
}

#[test]
fn established_accounts_gain_no_more_than_the_docs_say() {
    check(&[grown_accounts, grown_chain, anything], 1);
}

#[test]
fn unplayed_matches_give_no_points_and_no_rating() {
    for attack in [
        resigners as Attack,
        resigners_at_the_highest_stake,
        absentees,
    ] {
        let gained = simulate(NO_BOUNDS, attack);
        assert!(gained.points == 0 && gained.rating == 0.0, "{gained:?}");
    }
}

#[test]
fn without_bounds_thirty_guests_make_an_account_rich() {
    let gained = simulate(NO_BOUNDS, |world| throw_away(world, 30, 1, End::Resigned));
    assert_eq!(gained.tokens, 300);
}
