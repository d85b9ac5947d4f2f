//! Matches and their stakes: nothing is paid twice, whatever is requested twice.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is not general enough over the lifetime of a transaction"
)]

mod common;

use std::collections::BTreeMap;

use common::{accounts, assert_books, ending, game_id, new_match, payout, settlement};
use kernel::rng::{Generator, GeneratorKind, Seed};
use session::SettlementKind;
use store::{
    Account, BookFault, Bound, Closed, Denied, Ending, LedgerAccount, MatchFilter, MatchResult,
    MatchState, Mode, NewEvent, NewMatch, Posted, Rating, ResultRow, Sitter, Stats, Store,
    StoreError, StoredSeat, Tx, Worth,
};

fn open(store: &mut Store, new: &NewMatch) -> Result<Posted, Denied> {
    store
        .commit(|tx| tx.attempt(|tx| tx.open_match(new)))
        .unwrap()
}

fn tokens(store: &mut Store, account: Account) -> u64 {
    store
        .read(|tx| tx.account(account))
        .unwrap()
        .unwrap()
        .tokens
}

fn event(nth: u64, version: u64, bytes: &[u8]) -> NewEvent<'_> {
    NewEvent {
        game_id: game_id(nth),
        version,
        bytes,
    }
}

on_both! {
    fn a_match_takes_its_stakes_and_returns_them_once(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let seats = [Some(made[0]), Some(made[1])];
        let new = new_match(1, &made, 4);
        assert_eq!(open(&mut store, &new), Ok(Posted::New));
        assert_eq!(open(&mut store, &new), Ok(Posted::Known));
        assert_eq!((tokens(&mut store, made[0]), tokens(&mut store, made[1])), (6, 6));
        assert_eq!(store.read(|tx| tx.totals()).unwrap().escrow, 8);
        assert_books(&mut store);
        for posted in [Posted::New, Posted::Known] {
            let done = store.commit(|tx| {
                let finished = tx.finish_match(game_id(1), &ending(Some(made[0])))?;
                Ok((tx.settle(&payout(1, 8), &seats, 20)?, finished))
            });
            assert_eq!(done, Ok((posted, posted)));
            assert_eq!((tokens(&mut store, made[0]), tokens(&mut store, made[1])), (14, 6));
            assert_books(&mut store);
        }
        assert_eq!(store.read(|tx| tx.seated(made[0])).unwrap(), None);
    }

    fn a_settlement_that_differs_from_the_first_is_refused(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let seats = [Some(made[0]), Some(made[1])];
        open(&mut store, &new_match(1, &made, 4)).unwrap();
        let settle = |store: &mut Store, settlement| {
            store.commit(|tx| {
                tx.finish_match(game_id(1), &ending(None))?;
                tx.settle(&settlement, &seats, 20)
            })
        };
        let partly = settle(&mut store, payout(1, 7));
        assert!(matches!(partly, Err(StoreError::Rejected { .. })), "{partly:?}");
        assert_books(&mut store);
        let refund = settlement(1, SettlementKind::Refund, &[4, 4], 0);
        assert_eq!(settle(&mut store, refund), Ok(Posted::New));
        let others = [
            payout(1, 8),
            settlement(1, SettlementKind::Burn, &[], 8),
            settlement(1, SettlementKind::Refund, &[5, 3], 0),
        ];
        for second in others {
            let refused = settle(&mut store, second);
            assert!(matches!(refused, Err(StoreError::Conflict { .. })), "{refused:?}");
        }
        let other_end = Ending { state: Closed::Void, ..ending(None) };
        let refused = store.commit(|tx| tx.finish_match(game_id(1), &other_end));
        assert!(matches!(refused, Err(StoreError::Conflict { .. })), "{refused:?}");
        assert_eq!((tokens(&mut store, made[0]), tokens(&mut store, made[1])), (10, 10));
        assert_books(&mut store);
    }

    fn people_who_share_a_screen_share_an_account_and_have_no_stake(home: &Home) {
        let mut store = home.writer();
        let a = accounts(&mut store, 1)[0];
        let hotseat = |n, stake| NewMatch { mode: Mode::Hotseat, ..new_match(n, &[a, a], stake) };
        let staked = open(&mut store, &hotseat(1, 1));
        assert_eq!(staked, Err(Denied::SameAccount { account: a }));
        open(&mut store, &hotseat(2, 0)).unwrap();
        let again = open(&mut store, &hotseat(3, 0));
        assert_eq!(again, Err(Denied::AlreadySeated { account: a, game_id: game_id(2) }));
        assert_eq!(tokens(&mut store, a), 10);
        assert_books(&mut store);
    }

    // Promise: A match with forced chance counts nowhere: no stake, rating, statistic or dataset.
    fn a_test_match_changes_neither_books_nor_ratings_nor_statistics(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let seats = [Some(made[0]), Some(made[1])];
        let test = |stake| NewMatch { worth: Worth::TEST, ..new_match(1, &made, stake) };
        let staked = open(&mut store, &test(1));
        assert_eq!(staked, Err(Denied::Bounded { bound: Bound::Test }));
        assert_eq!(open(&mut store, &test(0)), Ok(Posted::New));
        let paid = store.commit(|tx| tx.settle(&payout(1, 2), &seats, 20));
        assert!(matches!(paid, Err(StoreError::Rejected { .. })), "{paid:?}");
        let rating = Rating { league: 25, rating: 1_600.0, deviation: 50.0, volatility: 0.06, n_rated: 1 };
        let rated = store.commit(|tx| tx.set_rating(game_id(1), made[0], "catan", &rating));
        assert!(matches!(rated, Err(StoreError::Rejected { .. })), "{rated:?}");
        let row = ResultRow {
            game_id: game_id(1), account: made[0], opponent: None, result: MatchResult::Win,
            reason: "points".to_owned(), rounds: 30, league_delta: 0, league_after: 0,
            rating_after: 1_500.0, newcomer: false, at: 20,
        };
        let rewarded = ResultRow { league_delta: 25, ..row.clone() };
        let rewarded = store.commit(|tx| tx.add_result(&rewarded));
        assert!(matches!(rewarded, Err(StoreError::Rejected { .. })), "{rewarded:?}");
        store.commit(|tx| {
            tx.add_result(&row)?;
            tx.settle(&payout(1, 0), &seats, 20)?;
            tx.finish_match(game_id(1), &ending(Some(made[0])))
        }).unwrap();
        assert_eq!(store.read(|tx| tx.stats(made[0])).unwrap(), Stats::default());
        assert_eq!(store.read(|tx| tx.rating(made[0], "catan")).unwrap(), None);
        assert_eq!(store.read(|tx| tx.recent_pvp(made[0], 10)).unwrap(), []);
        assert_eq!(store.read(|tx| tx.history(made[0], None, 10)).unwrap().len(), 1);
        assert_eq!((tokens(&mut store, made[0]), tokens(&mut store, made[1])), (10, 10));
        assert_books(&mut store);
    }

    // Promise: A player who has left a match is free for another.
    fn a_player_who_was_released_may_join_another_match(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 3);
        open(&mut store, &new_match(1, &made, 0)).unwrap();
        for _ in 0..2 {
            store.commit(|tx| tx.release_seat(game_id(1), made[0])).unwrap();
        }
        open(&mut store, &new_match(2, &made[..1], 0)).unwrap();
        store.commit(|tx| tx.release_seat(game_id(1), made[0])).unwrap();
        let seated = store.commit(|tx| Ok([tx.seated(made[0])?, tx.seated(made[1])?])).unwrap();
        assert_eq!(seated, [Some(game_id(2)), Some(game_id(1))], "only that seat was released");
    }

    // Promise: No account plays against itself or in two matches at once.
    fn an_account_cannot_play_itself_or_two_matches_at_once(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 3);
        let (a, b, c) = (made[0], made[1], made[2]);
        let same = open(&mut store, &new_match(1, &[a, a], 1));
        assert_eq!(same, Err(Denied::SameAccount { account: a }));
        open(&mut store, &new_match(2, &[a, b], 1)).unwrap();
        let twice = open(&mut store, &new_match(3, &[c, b], 1));
        let seated = Denied::AlreadySeated { account: b, game_id: game_id(2) };
        assert_eq!(twice, Err(seated));
        let nobody = open(&mut store, &new_match(4, &[c, Account(77)], 1));
        assert_eq!(nobody, Err(Denied::UnknownAccount { account: Account(77) }));
        let poor = open(&mut store, &new_match(5, &[c], 11));
        assert!(matches!(poor, Err(Denied::NotEnoughTokens { balance: 10, .. })));
        assert_eq!(tokens(&mut store, c), 10);
        assert_books(&mut store);
    }

    fn a_match_against_a_bot_costs_nothing(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 1);
        let mut new = new_match(1, &made, 0);
        new.mode = Mode::Pve;
        new.seats.push(StoredSeat {
            sitter: Sitter::Bot("random".to_owned()),
            name: "Bot".to_owned(),
        });
        open(&mut store, &new).unwrap();
        let stored = store.read(|tx| tx.stored_match(game_id(1))).unwrap().unwrap();
        assert_eq!((&stored.seats, stored.ending.is_none()), (&new.seats, true));
        let settled = store.commit(|tx| {
            tx.finish_match(game_id(1), &ending(None))?;
            tx.settle(&payout(1, 0), &[Some(made[0]), None], 9)
        });
        assert_eq!(settled, Ok(Posted::New));
        let to_a_bot = store.commit(|tx| {
            tx.settle(&settlement(1, SettlementKind::Payout, &[0, 2], 0), &[Some(made[0]), None], 9)
        });
        assert!(matches!(to_a_bot, Err(StoreError::Rejected { .. })), "{to_a_bot:?}");
        assert_eq!(store.read(|tx| tx.seated(made[0])).unwrap(), None);
        assert_books(&mut store);
    }

    fn another_match_under_the_same_id_is_refused_without_its_secret(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        open(&mut store, &new_match(1, &made, 1)).unwrap();
        let mut other = new_match(1, &made, 1);
        other.secret = b"SECRET".to_vec();
        let refused = store.commit(|tx| tx.attempt(|tx| tx.open_match(&other))).unwrap_err();
        assert!(matches!(refused, StoreError::Conflict { .. }));
        let said = format!("{refused} {refused:?}");
        assert!(!said.contains("SECRET") && !said.contains("83, 69, 67"), "{said}");
    }

    fn an_event_is_stored_once_and_never_changed(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        open(&mut store, &new_match(1, &made, 1)).unwrap();
        let many: Vec<Vec<u8>> = (0..150_u8).map(|nth| vec![nth; 9]).collect();
        let all: Vec<NewEvent<'_>> = many
            .iter()
            .zip(1..)
            .map(|(bytes, version)| event(1, version, bytes))
            .collect();
        store.commit(|tx| tx.append_all(&all[..80])).unwrap();
        store.commit(|tx| tx.append_all(&all)).unwrap();
        assert_eq!(store.read(|tx| tx.events(game_id(1))).unwrap(), many);
        let changed = store.commit(|tx| tx.append(event(1, 3, b"other")));
        assert_eq!(changed, Err(StoreError::Fenced));
        assert_eq!(store.read(|tx| tx.events(game_id(1))).unwrap(), many);
    }

    fn matches_are_listed_by_filter(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 4);
        open(&mut store, &new_match(1, &made[..2], 1)).unwrap();
        store.commit(|tx| {
            tx.settle(&payout(1, 2), &[Some(made[0]), Some(made[1])], 20)?;
            tx.finish_match(game_id(1), &ending(Some(made[0])))
        }).unwrap();
        open(&mut store, &new_match(2, &made[1..3], 1)).unwrap();
        let mut catan = new_match(3, &made[3..], 0);
        catan.game = "catan".to_owned();
        open(&mut store, &catan).unwrap();
        let list = |store: &mut Store, filter: MatchFilter, limit| {
            let found = store.read(|tx| tx.matches(&filter, limit)).unwrap();
            found.iter().map(|it| it.number).collect::<Vec<_>>()
        };
        let all = MatchFilter::default();
        assert_eq!(list(&mut store, all.clone(), 10), [3, 2, 1]);
        assert_eq!(list(&mut store, all.clone(), 2), [3, 2]);
        assert_eq!(list(&mut store, MatchFilter { before: Some(2), ..all.clone() }, 9), [1]);
        assert_eq!(list(&mut store, MatchFilter { account: Some(made[1]), ..all.clone() }, 9), [2, 1]);
        let open = MatchFilter {
            game: Some("orcain".to_owned()),
            state: Some(MatchState::Open),
            account: Some(made[1]),
            before: Some(9),
        };
        assert_eq!(list(&mut store, open, 9), [2]);
        let running = store.read(|tx| tx.open_matches()).unwrap();
        assert_eq!(running.iter().map(|it| it.number).collect::<Vec<_>>(), [2, 3]);
        let over = store.read(|tx| tx.stored_match(game_id(1))).unwrap().unwrap();
        assert_eq!(over.ending, Some(ending(Some(made[0]))));
    }

    // Promise: No match ends before it began, also when the clock was set back.
    fn a_match_does_not_end_before_it_began_when_the_clock_was_set_back(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let mut new = new_match(1, &made, 0);
        new.at = 5_000;
        open(&mut store, &new).unwrap();
        let result = ResultRow {
            game_id: game_id(1),
            account: made[0],
            opponent: None,
            result: MatchResult::Win,
            reason: "normal".to_owned(),
            rounds: 3,
            league_delta: 0,
            league_after: 0,
            rating_after: 1500.0,
            newcomer: false,
            at: 99,
        };
        let end = |tx: &mut Tx<'_>| {
            tx.add_result(&result)?;
            tx.finish_match(game_id(1), &ending(None))
        };
        assert_eq!(store.commit(end), Ok(Posted::New));
        assert_eq!(store.commit(end), Ok(Posted::Known));
        let stored = store.read(|tx| tx.stored_match(game_id(1))).unwrap().unwrap();
        assert_eq!(stored.ending.unwrap().ended_at, 5_000);
        let history = store.read(|tx| tx.history(made[0], None, 10)).unwrap();
        assert_eq!(history[0].result.at, 5_000);
    }

    fn results_are_counted_once(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        for nth in 1..=3 {
            let mut new = new_match(nth, &made, 0);
            if nth == 2 {
                new.mode = Mode::Pve;
            }
            open(&mut store, &new).unwrap();
            store.commit(|tx| tx.finish_match(game_id(nth), &ending(None))).unwrap();
        }
        let row = |nth, result| ResultRow {
            game_id: game_id(nth),
            account: made[0],
            opponent: Some("Elf".to_owned()),
            result,
            reason: "normal".to_owned(),
            rounds: 3,
            league_delta: 5,
            league_after: 5,
            rating_after: 1500.25,
            newcomer: false,
            at: 100 + nth,
        };
        let add = |tx: &mut Tx<'_>| {
            tx.add_result(&row(1, MatchResult::Win))?;
            tx.add_result(&row(2, MatchResult::Loss))?;
            tx.add_result(&row(3, MatchResult::Void))
        };
        assert_eq!(store.commit(add), Ok(Posted::New));
        assert_eq!(store.commit(add), Ok(Posted::Known));
        let stats = store.read(|tx| tx.stats(made[0])).unwrap();
        let counted = Stats {
            n_battles: 2,
            n_wins: 1,
            n_losses: 1,
            n_pvp_battles: 1,
            n_pve_battles: 1,
            n_pvp_wins: 1,
            updated_at: 102,
            ..Stats::default()
        };
        assert_eq!(stats, counted);
        let recent = store.read(|tx| tx.recent_pvp(made[0], 10)).unwrap();
        assert_eq!(recent.len(), 1);
        assert_eq!(recent[0].result, row(1, MatchResult::Win));
        let history = store.read(|tx| tx.history(made[0], None, 10)).unwrap();
        assert_eq!(history.len(), 3);
        assert_eq!(store.read(|tx| tx.results(game_id(2))).unwrap().len(), 1);
        assert_eq!(store.read(|tx| tx.stats(made[1])).unwrap(), Stats::default());
    }

    // Promise: Changed books and a changed audit log are found.
    fn tampering_with_the_books_is_detected(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        open(&mut store, &new_match(1, &made, 4)).unwrap();
        let faults = |store: &mut Store| store.read(|tx| tx.check_books()).unwrap();
        home.meddle("UPDATE balances SET amount = 7 WHERE account = 'player:1'");
        let player = LedgerAccount::Player(made[0]);
        assert_eq!(
            faults(&mut store),
            [
                BookFault::Balance { account: player, kept: 7, counted: 6 },
                BookFault::Total { sum: 1 },
            ]
        );
        home.meddle("UPDATE balances SET amount = 6 WHERE account = 'player:1'");
        assert_eq!(faults(&mut store), []);
        home.meddle("UPDATE matches SET state = 'over', outcome = '', reason = '', rounds = 0, ended_at = 0");
        let kept = BookFault::Escrow {
            game_id: game_id(1),
            state: MatchState::Over,
            kept: 8,
            due: 0,
        };
        assert_eq!(faults(&mut store), [kept]);
        home.meddle("UPDATE matches SET state = 'open'");
        let stray = LedgerAccount::Escrow(game_id(9));
        home.meddle(&format!("INSERT INTO balances (account, amount) VALUES ('escrow:{}', 3)", game_id(9)));
        let found = faults(&mut store);
        assert!(found.contains(&BookFault::Stray { account: stray, kept: 3 }), "{found:?}");
        home.meddle(&format!("DELETE FROM balances WHERE account = 'escrow:{}'", game_id(9)));
        home.meddle("UPDATE entries SET amount = 11 WHERE amount = 10 AND account = 'player:2'");
        let found = faults(&mut store);
        assert!(matches!(found[0], BookFault::Unbalanced { sum: 1, .. }), "{found:?}");
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|fault| !fault.to_string().is_empty()));
    }

    // Promise: No token is made or lost in storage, whatever is asked twice and in any order.
    fn a_storm_of_duplicates_in_any_order_leaves_exact_books(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 6);
        let mut storm = Storm::new(&made);
        for _ in 0..200 {
            let batch = storm.batch();
            // Repeated, as callers do after an unknown outcome.
            for _ in 0..=storm.rng.below(2) {
                let answers = store.commit(|tx| batch.iter().map(|ask| ask.run(tx)).collect::<Result<Vec<_>, _>>());
                let expected: Vec<_> = batch.iter().map(|ask| storm.expect(ask)).collect();
                assert_eq!(answers.unwrap(), expected);
                storm.compare(&mut store);
            }
        }
        let n_settled = storm.matches.values().filter(|it| it.closed).count();
        assert!(n_settled > 20, "only {n_settled} matches were settled");
        assert!(storm.n_denied > 10 && storm.n_known > 50, "the storm was too calm");
    }
}

/// A request of the storm.
#[derive(Clone, Debug)]
enum Ask {
    Open(NewMatch),
    Append(u64, u64),
    Close(u64, Vec<Account>),
}

/// A model of the ledger, with random requests, many of them repeated.
struct Storm {
    rng: Generator,
    accounts: Vec<Account>,
    tokens: BTreeMap<Account, u64>,
    burned: u64,
    matches: BTreeMap<u64, Played>,
    asked: Vec<Ask>,
    next: u64,
    n_denied: u64,
    n_known: u64,
}

#[derive(Clone)]
struct Played {
    seats: Vec<Account>,
    stake: u64,
    closed: bool,
    n_events: u64,
}

impl Storm {
    fn new(accounts: &[Account]) -> Storm {
        Storm {
            rng: Generator::from_seed(GeneratorKind::ChaCha20, &Seed::from(20_261)),
            accounts: accounts.to_vec(),
            tokens: accounts.iter().map(|account| (*account, 10)).collect(),
            burned: 0,
            matches: BTreeMap::new(),
            asked: Vec::new(),
            next: 0,
            n_denied: 0,
            n_known: 0,
        }
    }

    fn batch(&mut self) -> Vec<Ask> {
        let n_asks = 1 + self.rng.below(8);
        let mut batch: Vec<Ask> = (0..n_asks).map(|_| self.ask()).collect();
        // A match cannot be closed or have events before it is opened; otherwise the order is
        // random.
        let mut shuffled = batch.clone();
        self.rng.shuffle(&mut shuffled);
        if shuffled.iter().all(|ask| !matches!(ask, Ask::Open(_))) {
            batch = shuffled;
        }
        batch
    }

    fn ask(&mut self) -> Ask {
        let known: Vec<u64> = self.matches.keys().copied().collect();
        let ask = match self.rng.below(6) {
            0 | 1 => self.open(),
            2 if !self.asked.is_empty() => {
                let idx = self.rng.below(self.asked.len() as u64) as usize;
                return self.asked[idx].clone();
            }
            3 | 4 if !known.is_empty() => {
                let nth = known[self.rng.below(known.len() as u64) as usize];
                let played = &self.matches[&nth];
                let version = self.rng.below(played.n_events + 1) + 1;
                Ask::Append(nth, version)
            }
            _ if !known.is_empty() => {
                let nth = known[self.rng.below(known.len() as u64) as usize];
                Ask::Close(nth, self.matches[&nth].seats.clone())
            }
            _ => self.open(),
        };
        self.asked.push(ask.clone());
        ask
    }

    fn open(&mut self) -> Ask {
        let mut pick = || self.accounts[self.rng.below(self.accounts.len() as u64) as usize];
        let pair = [pick(), pick()];
        self.next += 1;
        let stake = self.rng.below(4);
        Ask::Open(new_match(self.next, &pair, stake))
    }

    /// Applies a request to the model, and returns the expected answer.
    fn expect(&mut self, ask: &Ask) -> Result<Posted, Denied> {
        let answer = self.play(ask);
        match answer {
            Err(_) => self.n_denied += 1,
            Ok(Posted::Known) => self.n_known += 1,
            Ok(Posted::New) => {}
        }
        answer
    }

    fn play(&mut self, ask: &Ask) -> Result<Posted, Denied> {
        match ask {
            Ask::Open(new) => self.play_open(new),
            Ask::Append(nth, version) => {
                let played = self.matches.get_mut(nth).unwrap();
                if *version <= played.n_events {
                    return Ok(Posted::Known);
                }
                played.n_events = *version;
                Ok(Posted::New)
            }
            Ask::Close(nth, _) => {
                let played = self.matches.get_mut(nth).unwrap();
                if std::mem::replace(&mut played.closed, true) {
                    return Ok(Posted::Known);
                }
                let (_, shares, burned) = fate(*nth, played.stake);
                for (account, share) in played.seats.iter().zip(shares) {
                    *self.tokens.get_mut(account).unwrap() += share;
                }
                self.burned += burned;
                Ok(Posted::New)
            }
        }
    }

    fn play_open(&mut self, new: &NewMatch) -> Result<Posted, Denied> {
        let nth = new.at - 10;
        if self.matches.contains_key(&nth) {
            return Ok(Posted::Known);
        }
        let seats: Vec<Account> = new
            .seats
            .iter()
            .filter_map(|it| it.sitter.account())
            .collect();
        for (idx, account) in seats.iter().copied().enumerate() {
            if seats[..idx].contains(&account) {
                return Err(Denied::SameAccount { account });
            }
            let sits =
                |(_, played): &(&u64, &Played)| !played.closed && played.seats.contains(&account);
            if let Some((other, _)) = self.matches.iter().find(sits) {
                return Err(Denied::AlreadySeated {
                    account,
                    game_id: game_id(*other),
                });
            }
            let balance = self.tokens[&account];
            if balance < new.stake {
                return Err(Denied::NotEnoughTokens {
                    account,
                    balance,
                    needed: new.stake,
                });
            }
        }
        for account in &seats {
            *self.tokens.get_mut(account).unwrap() -= new.stake;
        }
        let played = Played {
            seats,
            stake: new.stake,
            closed: false,
            n_events: 0,
        };
        self.matches.insert(nth, played);
        Ok(Posted::New)
    }

    fn compare(&self, store: &mut Store) {
        assert_books(store);
        for (account, expected) in &self.tokens {
            assert_eq!(tokens(store, *account), *expected);
        }
        assert_eq!(store.read(|tx| tx.totals()).unwrap().burned, self.burned);
        for (nth, played) in &self.matches {
            let events = store.read(|tx| tx.events(game_id(*nth))).unwrap();
            assert_eq!(events.len() as u64, played.n_events);
        }
    }
}

/// The ending of a match in the storm, by its number.
fn fate(nth: u64, stake: u64) -> (SettlementKind, [u64; 2], u64) {
    match nth % 4 {
        0 => (SettlementKind::Burn, [0, 0], 2 * stake),
        1 => (SettlementKind::Refund, [stake, stake], 0),
        2 => (SettlementKind::Payout, [2 * stake, 0], 0),
        _ => (SettlementKind::Payout, [0, 2 * stake], 0),
    }
}

impl Ask {
    fn run(&self, tx: &mut Tx<'_>) -> Result<Result<Posted, Denied>, StoreError> {
        match self {
            Ask::Open(new) => tx.attempt(|tx| tx.open_match(new)),
            Ask::Append(nth, version) => {
                let n_before = tx.events(game_id(*nth))?.len() as u64;
                let bytes = [*nth as u8, *version as u8];
                tx.append(event(*nth, *version, &bytes))?;
                let n_after = tx.events(game_id(*nth))?.len() as u64;
                Ok(Ok(if n_after > n_before {
                    Posted::New
                } else {
                    Posted::Known
                }))
            }
            Ask::Close(nth, seats) => {
                let stored = tx.stored_match(game_id(*nth))?.unwrap();
                let (kind, shares, burned) = fate(*nth, stored.stake);
                let seats: Vec<Option<Account>> = seats.iter().copied().map(Some).collect();
                let posted = tx.settle(&settlement(*nth, kind, &shares, burned), &seats, 30)?;
                assert_eq!(tx.finish_match(game_id(*nth), &ending(None))?, posted);
                Ok(Ok(posted))
            }
        }
    }
}
