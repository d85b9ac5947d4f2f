//! Downtime counts against nobody: outages of storage and restarts, one rule a test.
//!
//! Promise: A deadline starts when its round is durable, and none expires while nothing can be written.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

mod desk;

use catalog::Orcain;
use catalog::orcain::{Ask, Card, Setup};
use desk::{A, B, Desk, REJOIN_MS, T0};
use kernel::{SeatSet, Viewer, record};
use session::{Disposition, Input, Live, Ms, Policy, Wait};

type Duel = Desk<Orcain>;

fn confirm() -> Ask {
    let cards = [Card::Attack, Card::Defense, Card::Heal];
    Ask::Confirm(Some(cards.map(|card| Ok(Some(card))).to_vec()))
}

fn with_grace(grace_ms: Ms) -> Duel {
    let policy: Policy = Orcain::POLICY.with_people(SeatSet::first(2));
    Desk::open(policy.with_grace(grace_ms, 60_000), Setup::default())
}

#[test]
fn players_who_answer_every_round_lose_nothing_in_an_outage_of_58_seconds() {
    let mut duel = Duel::between_people();
    duel.stores = false;
    assert_eq!(duel.ask(A, confirm()), Disposition::Done);
    assert_eq!(duel.ask(B, confirm()), Disposition::Done);
    duel.wait(700);
    duel.lose_storage(T0);
    duel.wait(58_000);
    assert_eq!(duel.session.outcome(), None);
    assert_eq!(
        duel.session.position().round(),
        1,
        "nobody was shown a second round"
    );
    duel.regain_storage();
    duel.wait(3_000);
    assert_eq!(duel.session.position().round(), 2);
    duel.wait(15_000);
    for seat in [A, B] {
        assert_eq!(duel.ask(seat, confirm()), Disposition::Done);
    }
    assert_eq!(duel.session.position().afk_streaks(), [0, 0]);
}

#[test]
fn a_deadline_starts_when_its_round_is_durable() {
    let mut duel = Duel::between_people();
    duel.ask(A, confirm());
    duel.ask(B, confirm());
    duel.wait(250 + 2 * 900);
    duel.stores = false;
    duel.wait_for_timer();
    let opening = duel.session.clock().wait;
    assert!(matches!(opening, Wait::Opening(_)), "{opening:?}");
    assert_eq!(duel.timer, None);
    duel.sent.clear();
    duel.now += 5_000;
    duel.store_all();
    assert_eq!(duel.session.clock().wait, Wait::Until(duel.now + 20_000));
    let told = duel.take(Viewer::Seat(A)).concat();
    let shown = format!(r#""deadline_ms": {}"#, duel.now + 20_000);
    assert!(
        told.contains("ROUND_STARTED") && told.contains(&shown),
        "{told}"
    );
}

#[test]
fn a_deadline_waits_for_proof_and_an_outage_that_began_before_it_moves_it() {
    let mut duel = Duel::between_people();
    duel.stores = false;
    duel.wait(20_500);
    assert_eq!(duel.session.position().round(), 1);
    assert_eq!(
        duel.session.clock().wait,
        Wait::Until(T0 + 20_000),
        "nobody is judged without proof"
    );
    // The last write that is known was 100 ms before the deadline.
    duel.lose_storage(T0 + 19_900);
    duel.wait(30_000);
    duel.regain_storage();
    assert_eq!(duel.session.clock().wait, Wait::Until(duel.now + 100));
    duel.now += 100;
    assert_eq!(duel.ask(A, confirm()), Disposition::Done);
    duel.wait(1);
    assert_eq!(duel.session.position().afk_streaks(), [0, 1]);
}

#[test]
fn a_message_after_the_deadline_counts_if_the_outage_began_before_it() {
    let mut duel = Duel::between_people();
    duel.stores = false;
    duel.now = T0 + 20_050;
    assert_eq!(duel.ask(A, confirm()), Disposition::Held);
    duel.lose_storage(T0 + 19_900);
    assert_eq!(duel.session.metrics().n_late, 0);
    duel.sent.clear();
    duel.now += 10_000;
    duel.regain_storage();
    let told = duel.take(Viewer::Seat(A)).concat();
    assert!(told.contains(r#""code": null, "taken": true"#), "{told}");
}

#[test]
fn a_lost_connection_in_an_outage_is_judged_when_it_can_be_stored() {
    let mut duel = Duel::between_people();
    duel.lose_storage(T0);
    duel.disconnect(A);
    duel.wait(10_000);
    assert_eq!(duel.session.outcome(), None);
    duel.regain_storage();
    duel.wait(1);
    assert_eq!(duel.outcome(), "seat 1 wins (disconnect)");
}

#[test]
fn a_player_who_reloads_the_page_in_an_outage_is_still_present() {
    let mut duel = Duel::between_people();
    duel.lose_storage(T0);
    duel.wait(3_000);
    for _ in 0..50 {
        duel.disconnect(A);
        duel.now += 100;
        duel.connect(A);
    }
    let n_events = duel.log.len();
    duel.regain_storage();
    assert!(
        duel.log.len() <= n_events + 1,
        "flapping in an outage stores nothing"
    );
    duel.wait(15_000);
    assert_eq!(duel.ask(A, confirm()), Disposition::Done);
}

#[test]
fn the_match_is_void_when_both_players_disconnect_in_an_outage() {
    let mut duel = Duel::between_people();
    duel.lose_storage(T0);
    duel.disconnect(A);
    duel.wait(2_000);
    duel.disconnect(B);
    duel.regain_storage();
    duel.wait(1);
    assert_eq!(duel.outcome(), "void (disconnect)");
}

#[test]
fn a_grace_period_does_not_run_while_nothing_can_be_written() {
    let mut duel = with_grace(5_000);
    duel.disconnect(A);
    duel.wait(1_000);
    duel.lose_storage(T0 + 1_000);
    duel.wait(60_000);
    duel.regain_storage();
    duel.wait(4_000);
    assert_eq!(duel.session.outcome(), None);
    duel.connect(A);
    assert_eq!(duel.session.clock().wait, Wait::Until(duel.now + 20_000));
}

#[test]
fn players_are_shown_that_the_clock_is_stopped_and_the_new_deadline_after_it() {
    let mut duel = Duel::between_people();
    duel.wait(5_000);
    duel.sent.clear();
    duel.lose_storage(T0 + 5_000);
    let told = duel.take(Viewer::Seat(A)).concat();
    assert!(told.contains(r#""type": "stalled""#), "{told}");
    assert_eq!(
        duel.handle(Input::StorageLost { since: 0 }),
        Disposition::Ignored("known")
    );
    duel.wait(58_000);
    duel.regain_storage();
    let told = duel.take(Viewer::Seat(A)).concat();
    let shown = format!(r#""deadline_ms": {}"#, T0 + 78_000);
    assert!(
        told.contains("recovered") && told.contains(&shown),
        "{told}"
    );
}

#[test]
fn an_event_stored_in_an_outage_recovers_with_the_time_that_was_left() {
    let mut duel = Duel::between_people();
    duel.wait(5_000);
    duel.lose_storage(T0 + 5_000);
    duel.now += 58_000;
    duel.ask(A, confirm());
    let mut again = duel.recovered(duel.log.len(), duel.now + 9_000);
    again.connect(B);
    assert_eq!(again.session.clock().wait, Wait::Until(again.now + 15_000));
}

#[test]
fn a_match_that_nobody_rejoins_is_held_and_then_void() {
    let mut duel = Duel::between_people();
    duel.wait(5_000);
    let mut again = duel.recovered(duel.log.len(), T0 + 100_000);
    again.wait(REJOIN_MS);
    assert_eq!(again.session.outcome(), None);
    assert_eq!(again.session.position().round(), 1);
    again.wait(1);
    assert_eq!(again.outcome(), "void (cancel)");
    assert_eq!(again.shares(), ([1, 1], 0));
    record::verify::<Orcain>(&again.record()).unwrap();
}

// Promise: A round that a player could not see after a restart is not held against them.
#[test]
fn the_clock_continues_when_the_first_player_returns_and_the_absent_are_not_judged() {
    let mut duel = Duel::between_people();
    let mut again = duel.recovered(duel.log.len(), T0 + 100_000);
    again.wait(30_000);
    again.connect(A);
    assert_eq!(again.session.clock().wait, Wait::Until(again.now + 20_000));
    for _ in 0..3 {
        again.ask(A, confirm());
        again.wait(20_001 + 250 + 3 * 900);
        assert_eq!(again.session.position().afk_streaks(), [0, 0]);
    }
    assert_eq!(again.outcome(), "seat 0 wins (normal)");
    duel.wait(60_000);
    assert_eq!(
        duel.outcome(),
        "everybody loses (timeout)",
        "without a restart the missed deadline counts"
    );
}

#[test]
fn a_player_who_returns_is_judged_again_from_the_next_round_on() {
    let duel = Duel::between_people();
    let mut again = duel.recovered(duel.log.len(), T0 + 100_000);
    again.connect(A);
    again.wait(19_000);
    again.connect(B);
    again.wait(1_001);
    assert_eq!(
        again.session.position().afk_streaks(),
        [1, 0],
        "one second is not a full round"
    );
    again.wait(250 + 3 * 900 + 20_001);
    assert_eq!(again.outcome(), "seat 1 wins (timeout)");
}

#[test]
fn a_player_who_does_not_rejoin_in_time_has_lost_the_connection() {
    let mut duel = Duel::between_people();
    duel.wait(5_000);
    let mut again = duel.recovered(duel.log.len(), T0 + 100_000);
    again.wait(REJOIN_MS - 1_000);
    again.connect(A);
    again.wait(1_001);
    assert_eq!(again.outcome(), "seat 0 wins (disconnect)");
}

#[test]
fn a_match_of_bots_continues_after_a_restart() {
    let policy = Orcain::POLICY.with_people(SeatSet::EMPTY);
    let duel: Duel = Desk::open(policy, Setup::default());
    let again = duel.recovered(duel.log.len(), T0 + 100_000);
    assert_eq!(again.session.clock().wait, Wait::Until(T0 + 120_000));
}

#[test]
fn a_pause_that_begins_before_the_outage_is_noticed_costs_nobody_time() {
    let mut duel = with_grace(5_000);
    duel.wait(10_000);
    duel.stores = false;
    duel.wait(800);
    duel.disconnect(B);
    duel.lose_storage(T0 + 10_000);
    duel.wait(30_000);
    duel.regain_storage();
    duel.connect(B);
    assert_eq!(duel.session.clock().wait, Wait::Until(duel.now + 10_000));
}

// Promise: A crash counts no missed deadline twice, and an outage charges no pause.
#[test]
fn an_absence_in_an_outage_that_was_noticed_later_is_not_charged() {
    let policy = Orcain::POLICY.with_people(SeatSet::first(2));
    let mut duel = Duel::open(policy.with_grace(5_000, 5_000), Setup::default());
    duel.stores = false;
    duel.disconnect(B);
    duel.wait(3_000);
    duel.connect(B);
    duel.wait(500);
    duel.lose_storage(T0);
    duel.regain_storage();
    duel.disconnect(B);
    duel.wait(5_000);
    assert_eq!(
        duel.session.outcome(),
        None,
        "the full grace period is left"
    );
    duel.wait(1);
    assert!(duel.session.outcome().is_some());
}

// Promise: A crash counts no missed deadline twice, and an outage charges no pause.
#[test]
fn a_return_after_the_grace_period_counts_if_the_outage_began_before_its_end() {
    let mut duel = with_grace(5_000);
    duel.disconnect(B);
    duel.wait(4_900);
    duel.stores = false;
    duel.wait(300);
    duel.connect(B);
    assert_eq!(
        duel.session.outcome(),
        None,
        "nobody is judged without proof"
    );
    duel.wait(300);
    duel.lose_storage(T0 + 4_900);
    duel.wait(10_000);
    duel.regain_storage();
    duel.wait(1_000);
    assert_eq!(duel.session.outcome(), None);
    assert!(!duel.session.is_paused());
}
