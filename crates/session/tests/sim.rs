//! The simulator: no promise is broken, every fault strikes, and planted bugs are caught.

use session::Planted;
use session::sim::{Cells, Plan, Report, run};

fn sound(report: &Report) {
    let shown = report.violations.iter().take(5).collect::<Vec<_>>();
    assert!(report.violations.is_empty(), "{shown:#?}");
}

#[test]
fn thousands_of_bad_nights_break_no_promise() {
    let report = run(&Plan::new(1, 3_000));
    sound(&report);
    assert_eq!(report.n_matches, 3_000);
    for end in ["payout", "burn", "refund"] {
        assert!(report.ends[end] > 0, "no match ended in a {end}");
    }
    assert!(!report.ends.contains_key("none"));
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let reports = [1, 2].map(|_| run(&Plan::new(77, 200)));
    assert_eq!(format!("{:?}", reports[0]), format!("{:?}", reports[1]));
}

#[test]
fn a_match_is_its_own_seed_wherever_the_run_began() {
    let [whole, tail] = [Plan::new(500, 40), Plan::new(520, 20)].map(|plan| run(&plan));
    let head = run(&Plan::new(500, 20));
    assert_eq!(whole.n_events, head.n_events + tail.n_events);
    assert_eq!(whole.simulated_ms, head.simulated_ms + tail.simulated_ms);
}

#[test]
fn slow_every_fault_strikes_in_every_phase_it_can() {
    let report = run(&Plan::new(1_000_000, 50_000));
    sound(&report);
    let unreached: Vec<_> = report.cells.unreached().collect();
    assert!(unreached.is_empty(), "{unreached:?}");
    assert_eq!(report.cells.n_reached(), Cells::n_possible());
}

fn caught(bug: Planted) -> Vec<&'static str> {
    let mut plan = Plan::new(9, 1_000);
    plan.planted = Some(bug);
    let report = run(&plan);
    assert!(!report.violations.is_empty(), "{bug:?} was not caught");
    // The seed of a violation reproduces it.
    let first = &report.violations[0];
    plan.seed = first.seed;
    plan.n_matches = 1;
    assert!(run(&plan).violations.contains(first));
    report.violations.iter().map(|it| it.code).collect()
}

#[test]
fn a_planted_double_settlement_is_caught() {
    assert!(caught(Planted::DoubleSettle).contains(&"double_settle"));
}

#[test]
fn a_planted_answer_before_durability_is_caught() {
    assert!(caught(Planted::EarlyAck).contains(&"lost_ack"));
}

#[test]
fn a_planted_leak_of_a_layout_is_caught() {
    assert!(caught(Planted::LeakedLayout).contains(&"leaked_layout"));
}

#[test]
fn a_planted_deadline_that_runs_on_in_an_outage_is_caught() {
    let codes = caught(Planted::DowntimeCounts);
    assert!(codes.contains(&"judged_in_outage"), "{codes:?}");
    assert!(codes.contains(&"unfair_deadline"), "{codes:?}");
}
