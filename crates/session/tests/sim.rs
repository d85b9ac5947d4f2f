//! The simulator: no promise is broken in any game, every fault strikes, and planted bugs are
//! caught.
//!
//! Promise: The simulator tries every fault in every phase of every game, and its checker can fail.

use catalog::{GameName, with_game};
use kernel::Describe;
use session::Planted;
use session::sim::{Plan, Report, run};

fn sound(report: &Report) {
    let shown = report.violations.iter().take(5).collect::<Vec<_>>();
    assert!(report.violations.is_empty(), "{shown:#?}");
}

/// Runs matches of a game, and checks that no promise is broken and that each ending occurs.
fn bad_nights(game: GameName, n_matches: u64, ends: &[&str]) -> Report {
    let report = run(&Plan::new(&[game.simulation()], 1, n_matches));
    sound(&report);
    let tally = &report.games[game.as_str()];
    assert_eq!(tally.n_matches, n_matches);
    for end in ends {
        assert!(tally.ends[*end] > 0, "no match ended in a {end}");
    }
    assert!(!tally.ends.contains_key("none"));
    assert!(tally.n_with_shared_screen > n_matches / 20);
    assert!(tally.n_with_bots > n_matches / 20);
    assert!(tally.n_bot_decisions > tally.n_with_bots);
    report
}

#[test]
fn thousands_of_bad_nights_break_no_promise_of_orcain() {
    bad_nights(GameName::Orcain, 2_000, &["payout", "burn", "refund"]);
}

#[test]
fn a_thousand_bad_nights_break_no_promise_of_catan() {
    bad_nights(GameName::Catan, 1_000, &["payout", "refund"]);
}

#[test]
fn hundreds_of_bad_nights_break_no_promise_of_stellar_with_two_to_eight_seats() {
    let report = bad_nights(GameName::Stellar, 700, &["payout", "refund"]);
    let seats = report.games["stellar"].seats.keys().copied();
    assert_eq!(seats.collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8]);
}

/// The games without a test of their own.
fn other_games() -> impl Iterator<Item = GameName> {
    let own = [GameName::Catan, GameName::Orcain, GameName::Stellar];
    GameName::ALL
        .into_iter()
        .filter(move |it| !own.contains(it))
}

#[test]
fn hundreds_of_bad_nights_break_no_promise_of_games_from_rules_alone() {
    for game in other_games() {
        let report = bad_nights(game, 700, &["payout", "refund"]);
        let seats = report.games[game.as_str()].seats.keys();
        let offered = with_game!(game, G => G::SEATS.map(usize::from).collect::<Vec<_>>());
        assert_eq!(seats.copied().collect::<Vec<_>>(), offered, "{game}");
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let reports = [1, 2].map(|_| {
        run(&Plan::new(
            &GameName::ALL.map(GameName::simulation),
            77,
            240,
        ))
    });
    assert_eq!(format!("{:?}", reports[0]), format!("{:?}", reports[1]));
}

#[test]
fn a_match_depends_only_on_its_seed() {
    for game in GameName::ALL {
        let [whole, head, tail] = [(500, 40), (500, 20), (520, 20)].map(|(seed, n)| {
            run(&Plan::new(&[game.simulation()], seed, n)).games[game.as_str()].clone()
        });
        assert_eq!(whole.n_events, head.n_events + tail.n_events);
        assert_eq!(whole.simulated_ms, head.simulated_ms + tail.simulated_ms);
    }
}

/// In this match a turn opened while the match was paused, so its clock started with the return.
#[test]
fn a_turn_that_opens_in_a_pause_has_its_full_time_after_it() {
    let stellar = GameName::Stellar.simulation();
    sound(&run(&Plan::new(&[stellar], 50_203_291, 1)));
}

fn reaches_all_cells(game: GameName, n_matches: u64) {
    let report = run(&Plan::new(&[game.simulation()], 1_000_000, n_matches));
    sound(&report);
    let cells = &report.games[game.as_str()].cells;
    let unreached: Vec<_> = cells.unreached().collect();
    assert!(unreached.is_empty(), "{unreached:?}");
    assert_eq!(cells.n_reached(), cells.n_possible());
}

#[test]
fn slow_every_fault_strikes_in_every_phase_of_orcain_it_can() {
    reaches_all_cells(GameName::Orcain, 20_000);
}

#[test]
fn slow_every_fault_strikes_in_every_phase_of_catan_it_can() {
    reaches_all_cells(GameName::Catan, 6_000);
}

#[test]
fn slow_every_fault_strikes_in_every_phase_of_stellar_it_can() {
    reaches_all_cells(GameName::Stellar, 8_000);
}

#[test]
fn slow_every_fault_strikes_in_every_phase_of_games_from_rules_alone_it_can() {
    for game in other_games() {
        reaches_all_cells(game, 12_000);
    }
}

/// Runs matches with a planted bug, which must break these promises.
fn caught(bug: Planted, game: GameName, n_matches: u64, codes: &[&str]) {
    let mut plan = Plan::new(&[game.simulation()], 9, n_matches);
    plan.planted = Some(bug);
    if codes == ["leaked_secret"] {
        // The same bug breaks the views, whose violations would fill the report.
        (plan.verify_every, plan.leak_every) = (u64::MAX, 2);
    }
    let report = run(&plan);
    let all: Vec<_> = report.violations.iter().map(|it| it.code).collect();
    for code in codes {
        let found = report.violations.iter().find(|it| it.code == *code);
        let found = found.unwrap_or_else(|| panic!("{bug:?} in {game} caused {all:?}"));
        // The game and the seed of a violation reproduce it.
        assert_eq!(found.game, game.as_str());
        (plan.seed, plan.n_matches) = (found.seed, 1);
        assert!(run(&plan).violations.contains(found));
    }
}

#[test]
fn a_planted_double_settlement_is_caught_in_every_game() {
    for game in GameName::ALL {
        caught(Planted::DoubleSettle, game, 400, &["double_settle"]);
    }
}

#[test]
fn a_planted_answer_before_durability_is_caught_in_every_game() {
    for game in GameName::ALL {
        caught(Planted::EarlyAck, game, 400, &["lost_ack"]);
    }
}

#[test]
fn a_planted_view_of_another_seat_is_caught_in_every_game() {
    for game in GameName::ALL {
        caught(Planted::LeakedLayout, game, 100, &["foreign_view"]);
    }
}

/// In the other games nothing can be hidden differently, because all that is hidden comes from the
/// generator of the match.
#[test]
fn a_planted_leak_of_a_secret_is_caught_by_its_bytes() {
    for game in [GameName::Orcain, GameName::Stellar] {
        caught(Planted::LeakedLayout, game, 400, &["leaked_secret"]);
    }
}

#[test]
fn a_planted_deadline_that_runs_on_in_an_outage_is_caught_in_every_game() {
    let codes = ["judged_in_outage", "unfair_deadline", "unfair_departure"];
    for game in GameName::ALL {
        caught(Planted::DowntimeCounts, game, 1_000, &codes);
    }
}

#[test]
fn a_planted_decision_after_the_deadline_is_caught_in_every_game() {
    for game in GameName::ALL {
        caught(Planted::LateTaken, game, 400, &["unfair_judgement"]);
    }
}
