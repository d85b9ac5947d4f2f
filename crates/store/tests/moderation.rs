//! The decisions of operators: bans, mutes, names, voided matches, reports, the audit log's chain.
//!
//! Promise: Every decision of an operator is in the audit log, and a running server sees it.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is not general enough over the lifetime of a transaction"
)]

mod common;

use common::{accounts, assert_books, correction, ending, game_id, new_match, payout};
use store::{
    Account, AuditFault, Decision, Denied, Deny, MatchResult, MatchState, NewAudit, NewMatch,
    Nickname, Rating, ResultRow, Sanction, SanctionKind, Store, Tx, Voided, Worth,
};

fn attempt<T>(
    store: &mut Store,
    work: impl Fn(&mut Tx<'_>) -> Result<T, Deny>,
) -> Result<T, Denied> {
    store.maintain(|tx| tx.attempt(|tx| work(tx))).unwrap()
}

fn decision() -> Decision {
    Decision {
        operator: "ann".to_owned(),
        reason: "a complaint".to_owned(),
        at: 500,
    }
}

fn tokens(store: &mut Store, who: &[Account]) -> Vec<u64> {
    let read = |tx: &mut Tx<'_>| {
        who.iter()
            .map(|it| Ok(tx.account(*it)?.unwrap().tokens))
            .collect()
    };
    store.read(read).unwrap()
}

/// Plays a match that the first account wins against the second, with its results.
fn play(store: &mut Store, nth: u64, made: &[Account], stake: u64) {
    let opened = store.commit(|tx| tx.attempt(|tx| tx.open_match(&new_match(nth, made, stake))));
    opened.unwrap().unwrap();
    let seats: Vec<Option<Account>> = made.iter().copied().map(Some).collect();
    let result = |account: Account, result: MatchResult, delta: i64| ResultRow {
        game_id: game_id(nth),
        account,
        opponent: Some("the other".to_owned()),
        result,
        reason: "resign".to_owned(),
        rounds: 2,
        league_delta: delta,
        league_after: delta,
        rating_after: 1_500.0,
        newcomer: false,
        at: 100 + nth,
    };
    let closed = store.commit(|tx| {
        tx.finish_match(game_id(nth), &ending(Some(made[0])))?;
        tx.settle(&payout(nth, 2 * stake), &seats, 20)?;
        tx.add_result(&result(made[0], MatchResult::Win, 25))?;
        tx.add_result(&result(made[1], MatchResult::Loss, -10))
    });
    closed.unwrap();
}

on_both! {
    fn a_sanction_holds_until_it_ends_or_is_lifted(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let version = store.read(|tx| tx.moderation_version()).unwrap();
        let ban = |store: &mut Store, until| {
            attempt(store, |tx| tx.impose(made[0], SanctionKind::Ban, until, &decision()))
        };
        ban(&mut store, Some(900)).unwrap();
        let row = store.read(|tx| tx.account(made[0])).unwrap().unwrap();
        assert_eq!((row.ban, row.mute), (Some(Sanction { until: Some(900) }), None));
        let banned = |store: &mut Store, now| store.read(|tx| tx.banned(&made, now)).unwrap();
        assert_eq!((banned(&mut store, 899), banned(&mut store, 900)), (vec![made[0]], vec![]));
        ban(&mut store, None).unwrap();
        assert_eq!(banned(&mut store, u64::MAX >> 1), [made[0]]);
        let lift = |store: &mut Store| {
            store.maintain(|tx| tx.lift(made[0], SanctionKind::Ban, &decision())).unwrap()
        };
        assert!(lift(&mut store));
        assert!(!lift(&mut store), "it was already lifted");
        assert_eq!(banned(&mut store, 600), []);
        let rows = store.read(|tx| tx.audit_rows(Some(made[0]), None, 9)).unwrap();
        let kinds: Vec<&str> = rows.iter().map(|it| it.kind.as_str()).collect();
        assert_eq!(kinds, ["moderate_unban", "moderate_ban", "moderate_ban"]);
        assert_eq!(store.read(|tx| tx.moderation_version()).unwrap(), version + 3);
        let nobody = attempt(&mut store, |tx| tx.impose(Account(99), SanctionKind::Ban, None, &decision()));
        assert_eq!(nobody, Err(Denied::UnknownAccount { account: Account(99) }));
    }

    fn an_operator_renames_free_of_charge_and_a_mute_hides_the_name(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let name = Nickname::read("Grom", []).unwrap();
        attempt(&mut store, |tx| tx.rename(made[0], Some(&name), &decision())).unwrap();
        let taken = attempt(&mut store, |tx| tx.rename(made[1], Some(&name), &decision()));
        assert_eq!(taken, Err(Denied::NicknameTaken));
        attempt(&mut store, |tx| tx.impose(made[0], SanctionKind::Mute, Some(900), &decision())).unwrap();
        let row = store.read(|tx| tx.account(made[0])).unwrap().unwrap();
        assert_eq!((row.public_name(899), row.public_name(900), row.tokens), (None, Some("Grom"), 10));
        attempt(&mut store, |tx| tx.rename(made[0], None, &decision())).unwrap();
        attempt(&mut store, |tx| tx.rename(made[1], Some(&name), &decision())).unwrap();
        assert_books(&mut store);
    }

    fn a_finished_match_is_reversed_once(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let rating = Rating { league: 25, rating: 1_600.0, deviation: 50.0, volatility: 0.06, n_rated: 3 };
        store.commit(|tx| tx.set_rating(game_id(9), made[0], "orcain", &rating)).unwrap();
        play(&mut store, 1, &made, 4);
        assert_eq!(tokens(&mut store, &made), [14, 6]);
        let void = |store: &mut Store, nth| attempt(store, |tx| tx.void_match(game_id(nth), &decision()));
        assert_eq!(void(&mut store, 1), Ok(Voided::Reversed));
        assert_eq!(tokens(&mut store, &made), [10, 10]);
        assert_eq!(void(&mut store, 1), Ok(Voided::Already));
        assert_eq!(void(&mut store, 7), Err(Denied::UnknownMatch { game_id: game_id(7) }));
        let (stored, stats, league, results) = store.read(|tx| Ok((
            tx.stored_match(game_id(1))?.unwrap(),
            tx.stats(made[0])?,
            tx.rating(made[0], "orcain")?.unwrap().league,
            tx.results(game_id(1))?,
        ))).unwrap();
        assert_eq!((stored.state, stats.n_battles, stats.n_wins, league), (MatchState::Void, 0, 0, 0));
        assert!(results.iter().all(|it| it.result.result == MatchResult::Void));
        assert_books(&mut store);
    }

    fn a_test_match_is_reversed_without_touching_the_statistics(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        play(&mut store, 1, &made, 4);
        let test = NewMatch { worth: Worth::TEST, ..new_match(2, &made, 0) };
        attempt(&mut store, |tx| tx.open_match(&test)).unwrap();
        let row = |account, result| ResultRow {
            game_id: game_id(2), account, opponent: None, result, reason: "points".to_owned(),
            rounds: 9, league_delta: 0, league_after: 0, rating_after: 1_500.0, newcomer: false, at: 200,
        };
        store.commit(|tx| {
            tx.finish_match(game_id(2), &ending(Some(made[0])))?;
            tx.add_result(&row(made[0], MatchResult::Win))?;
            tx.add_result(&row(made[1], MatchResult::Loss))
        }).unwrap();
        let seen = |store: &mut Store| store.read(|tx| Ok((
            tx.stats(made[0])?, tx.stats(made[1])?, tx.collusion_report(0, 1, 9)?,
        ))).unwrap();
        let before = seen(&mut store);
        assert_eq!((before.0.n_battles, before.2[0].n_matches), (1, 1));
        let voided = attempt(&mut store, |tx| tx.void_match(game_id(2), &decision()));
        assert_eq!(voided, Ok(Voided::Reversed));
        assert_eq!(seen(&mut store), before);
        assert_eq!(tokens(&mut store, &made), [14, 6]);
        assert_books(&mut store);
    }

    fn a_match_whose_winner_has_spent_the_pot_is_not_reversed(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        play(&mut store, 1, &made, 4);
        attempt(&mut store, |tx| tx.correct(&correction(made[0], -11, "spent"))).unwrap();
        let refused = attempt(&mut store, |tx| tx.void_match(game_id(1), &decision()));
        assert!(matches!(refused, Err(Denied::NotEnoughTokens { .. })), "{refused:?}");
        let stored = store.read(|tx| tx.stored_match(game_id(1))).unwrap().unwrap();
        assert_eq!(stored.state, MatchState::Over);
        assert_eq!(tokens(&mut store, &made), [3, 6]);
        assert_books(&mut store);
    }

    fn voiding_a_live_match_is_left_to_the_server(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let opened = attempt(&mut store, |tx| tx.open_match(&new_match(1, &made, 4)));
        opened.unwrap();
        for _ in 0..2 {
            let ordered = attempt(&mut store, |tx| tx.void_match(game_id(1), &decision()));
            assert_eq!(ordered, Ok(Voided::Ordered));
        }
        assert_eq!(store.read(|tx| tx.void_orders()).unwrap(), [game_id(1)]);
        assert_eq!(tokens(&mut store, &made), [6, 6]);
    }

    fn pairs_that_move_tokens_are_reported(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 3);
        for nth in 1..=3 {
            play(&mut store, nth, &[made[1], made[0]], 2);
        }
        play(&mut store, 4, &[made[0], made[2]], 1);
        let report = store.read(|tx| tx.collusion_report(0, 2, 9)).unwrap();
        assert_eq!(report.len(), 1, "{report:?}");
        let pair = &report[0];
        assert_eq!((pair.gainer, pair.loser, pair.n_matches), (made[1], made[0], 3));
        assert_eq!((pair.n_won, pair.n_lost, pair.n_given_up), (3, 0, 3));
        assert_eq!((pair.net, pair.share_percent), (6, 100));
        assert_eq!(store.read(|tx| tx.collusion_report(0, 1, 9)).unwrap().len(), 2);
        assert_eq!(store.read(|tx| tx.collusion_report(103, 2, 9)).unwrap(), [], "only one since then");
        let history = store.read(|tx| tx.pair_history(made[0], made[1], 9)).unwrap();
        let nets: Vec<(i64, MatchResult)> = history.iter().map(|it| (it.net, it.result)).collect();
        assert_eq!(nets, [(-2, MatchResult::Loss); 3]);
        assert_eq!(history[0].game_id, game_id(3));
    }

    fn a_pruned_audit_is_still_checked_from_where_it_begins(home: &Home) {
        let mut store = home.writer();
        let add = |store: &mut Store, at| {
            let row = NewAudit { at, account: None, kind: "login", payload: "{}" };
            store.commit(|tx| tx.audit(row)).unwrap();
        };
        for at in [10, 20, 40, 30, 50] {
            add(&mut store, at);
        }
        let prune = |store: &mut Store, before| {
            store.maintain(|tx| tx.prune_audit(before, "ann", 60)).unwrap()
        };
        assert_eq!(prune(&mut store, 35), Ok(2), "a younger row stops the pruning");
        let head = store.read(|tx| tx.check_audit()).unwrap().unwrap();
        assert_eq!(head.number, 6, "five rows plus the one about the pruning");
        let base = store.read(|tx| tx.audit_base()).unwrap();
        let rest = store.read(|tx| tx.audit_after(base.number, 99)).unwrap();
        let numbers: Vec<u64> = rest.iter().map(|it| it.number).collect();
        assert_eq!((base.number, numbers), (2, vec![3, 4, 5, 6]));
        assert_eq!(prune(&mut store, 5), Ok(0));
        assert_eq!(prune(&mut store, 1_000), Ok(4));
        add(&mut store, 70);
        assert!(store.read(|tx| tx.check_audit()).unwrap().is_ok());
        home.meddle("UPDATE audit_base SET number = number - 1");
        let fault = store.read(|tx| tx.check_audit()).unwrap();
        assert!(matches!(fault, Err(AuditFault::Missing { .. })), "{fault:?}");
        assert!(prune(&mut store, 1_000).is_err(), "a broken chain is not pruned");
    }
}
