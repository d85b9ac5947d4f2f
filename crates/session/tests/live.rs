//! Orcain, live: one rule a test.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

mod desk;

use catalog::Orcain;
use catalog::orcain::{Action, Ask, Asked, Card, Layout, RawSetup, Setup, Stage};
use desk::{A, B, Desk, REJOIN_MS, T0};
use kernel::{SeatSet, Viewer, record};
use session::{Account, Conn, Disposition, Input, Live, Ms, Say, Session};

type Duel = Desk<Orcain>;

/// A layout by letters: `-` is an empty slot, `x` an unknown card.
fn slots(text: &str) -> Option<Vec<Asked>> {
    let slot = |letter| match letter {
        '-' => Ok(None),
        letter => Card::from_letter(letter).map(Some).ok_or(()),
    };
    Some(text.chars().map(slot).collect())
}

fn draft(text: &str) -> Ask {
    Ask::Draft(slots(text))
}

fn confirm(text: &str) -> Ask {
    Ask::Confirm(slots(text))
}

/// Both players confirm, and the round is revealed.
fn round(duel: &mut Duel, first: &str, second: &str) {
    assert_eq!(duel.ask(A, confirm(first)), Disposition::Done);
    assert_eq!(duel.ask(B, confirm(second)), Disposition::Done);
    duel.wait(250 + 3 * 900);
}

fn with_grace(grace_ms: Ms, budget_ms: Ms) -> Duel {
    let policy = Orcain::POLICY.with_people(SeatSet::first(2));
    Desk::open(policy.with_grace(grace_ms, budget_ms), Setup::default())
}

#[test]
fn a_normal_end_pays_the_winner() {
    let mut duel = Duel::between_people();
    for _ in 0..3 {
        round(&mut duel, "ADH", "HDC");
    }
    assert_eq!(duel.outcome(), "seat 0 wins (normal)");
    assert_eq!(duel.shares(), ([2, 0], 0));
    let report = record::verify::<Orcain>(&duel.record()).unwrap();
    assert_eq!(report.outcome, duel.session.outcome());
    assert_eq!(report.chance, record::Chance::Revealed);
    let told = duel.take(Viewer::Seat(B));
    assert!(told.last().unwrap().contains(r#""tokens": 0"#), "{told:?}");
}

#[test]
fn steps_are_paced_and_the_round_ends_one_delay_after_the_last() {
    let mut duel = Duel::between_people();
    duel.ask(A, confirm("ADH"));
    duel.ask(B, confirm("ADH"));
    let mut times = Vec::new();
    for _ in 0..4 {
        times.push(duel.timer.unwrap() - T0);
        duel.wait_for_timer();
    }
    assert_eq!(times, [250, 1150, 2050, 2950]);
    assert_eq!(duel.session.position().round(), 2);
    assert_eq!(duel.session.clock().wait, session::Wait::Until(T0 + 22_950));
}

#[test]
fn a_player_who_misses_two_rounds_loses() {
    let mut duel = Duel::between_people();
    duel.ask(A, draft("A--"));
    duel.wait(23_000);
    duel.ask(A, draft("A--"));
    duel.wait(21_000);
    assert_eq!(duel.outcome(), "seat 0 wins (timeout)");
    assert_eq!(duel.shares(), ([2, 0], 0));
}

#[test]
fn the_pot_is_burned_when_both_players_miss_two_rounds() {
    let mut duel = Duel::between_people();
    duel.wait(60_000);
    assert_eq!(duel.outcome(), "everybody loses (timeout)");
    assert_eq!(duel.shares(), ([0, 0], 2));
}

#[test]
fn a_lost_connection_loses_at_once_and_only_the_first_one_counts() {
    let mut duel = Duel::between_people();
    duel.ask(A, confirm("ADH"));
    duel.disconnect(A);
    assert_eq!(duel.outcome(), "seat 1 wins (disconnect)");
    assert_eq!(duel.disconnect(B), Disposition::Over);
    assert_eq!(duel.shares(), ([0, 2], 0));
}

#[test]
fn the_match_is_void_when_both_players_disconnect_at_once() {
    let mut duel = Duel::between_people();
    let gone = vec![(A, duel.conn(A)), (B, duel.conn(B))];
    duel.handle(Input::Disconnect { gone });
    assert_eq!(duel.outcome(), "void (disconnect)");
    assert_eq!(duel.shares(), ([1, 1], 0));
}

#[test]
fn sudden_death_continues_until_hit_points_differ() {
    let mut duel = Duel::between_people();
    for _ in 0..4 {
        round(&mut duel, "DHC", "DHC");
    }
    assert!(duel.session.position().is_sudden_death());
    round(&mut duel, "ADH", "HDC");
    assert_eq!(duel.outcome(), "seat 0 wins (normal)");
}

#[test]
fn a_double_knock_out_returns_both_stakes() {
    let raw = RawSetup {
        start_hp: 2,
        ..RawSetup::default()
    };
    let policy = Orcain::POLICY.with_people(SeatSet::first(2));
    let mut duel = Duel::open(policy, Setup::try_from(raw).unwrap());
    round(&mut duel, "ADC", "ADC");
    assert_eq!(duel.outcome(), "draw (normal)");
    assert_eq!(duel.shares(), ([1, 1], 0));
}

#[test]
fn the_draft_is_played_when_time_runs_out() {
    let mut duel = Duel::between_people();
    duel.ask(A, draft("A--"));
    duel.wait(20_001 + 250);
    assert_eq!(duel.session.position().hp(), [10, 8]);
    assert_eq!(duel.session.position().afk_streaks(), [0, 1]);
}

#[test]
fn an_invalid_draft_is_corrected_and_the_client_is_notified() {
    let mut duel = Duel::between_people();
    duel.take(Viewer::Seat(A));
    assert_eq!(
        duel.ask(A, draft("AAx")),
        Disposition::Corrected("invalid_card")
    );
    let told = duel.take(Viewer::Seat(A)).concat();
    assert!(
        told.contains(r#""code": "invalid_card", "taken": true"#),
        "{told}"
    );
    assert!(
        String::from_utf8(duel.record())
            .unwrap()
            .contains(r#"["attack", null, null]"#)
    );
    assert_eq!(duel.session.metrics().n_mended, 1);
}

#[test]
fn an_invalid_confirm_is_refused_but_shows_that_the_player_is_present() {
    let mut duel = Duel::between_people();
    duel.ask(A, draft("A--"));
    let invalid = [
        confirm("AA-"),
        confirm("AAH"),
        confirm("AD"),
        Ask::Confirm(None),
    ];
    for ask in invalid {
        assert_eq!(duel.ask(A, ask), Disposition::Refused("invalid_layout"));
        let told = duel.take(Viewer::Seat(A)).concat();
        assert!(
            told.contains(r#""code": "invalid_layout", "taken": false"#),
            "{told}"
        );
    }
    duel.wait(20_001 + 250);
    assert_eq!(duel.session.position().hp(), [10, 8], "the draft is kept");
    duel.wait(2_800);
    duel.ask(B, confirm("AAA"));
    duel.wait(20_001);
    assert_eq!(duel.session.position().afk_streaks(), [1, 0]);
}

#[test]
fn a_draft_after_a_confirm_is_ignored() {
    let mut duel = Duel::between_people();
    duel.ask(A, confirm("ADH"));
    assert_eq!(
        duel.ask(A, draft("---")),
        Disposition::Ignored("already_confirmed")
    );
    assert_eq!(
        duel.ask(A, confirm("HDA")),
        Disposition::Ignored("already_confirmed")
    );
}

// Promise: A match ends once, is settled once, and makes or loses no token.
#[test]
fn a_match_ends_once_whatever_arrives_later() {
    let mut duel = Duel::between_people();
    duel.disconnect(A);
    let n_events = duel.log.len();
    assert_eq!(duel.handle(Input::Cancel), Disposition::Over);
    assert_eq!(duel.handle(Input::Timer), Disposition::Ignored("no_timer"));
    assert_eq!(duel.ask(B, confirm("ADH")), Disposition::Over);
    duel.store_all();
    duel.connect(A);
    assert_eq!(duel.log.len(), n_events);
    assert_eq!(duel.shares(), ([0, 2], 0));
}

// Promise: Nobody can stall a match without end.
#[test]
fn stalling_by_reconnects_is_bounded_by_the_pause_budget() {
    let mut duel = with_grace(5_000, 12_000);
    let mut paused_ms = 0;
    for _ in 0..10 {
        duel.disconnect(A);
        if duel.session.outcome().is_some() {
            break;
        }
        assert!(duel.session.is_paused());
        let stall = 3_500.min(12_000 - paused_ms);
        duel.now += stall;
        paused_ms += stall;
        duel.connect(A);
        assert!(!duel.session.is_paused());
    }
    assert_eq!(paused_ms, 12_000);
    assert_eq!(duel.outcome(), "seat 1 wins (disconnect)");
}

// Promise: Nobody can stall a match without end.
#[test]
fn flapping_without_losing_time_is_bounded_too() {
    let mut duel = with_grace(5_000, 12_000);
    let n_drops = (1..100).find(|_| {
        duel.disconnect(A);
        duel.connect(A);
        duel.session.outcome().is_some()
    });
    assert_eq!(n_drops, Some(21));
}

#[test]
fn a_pause_stops_the_clock_and_an_expired_grace_period_loses() {
    let mut duel = with_grace(5_000, 12_000);
    duel.wait(15_000);
    duel.disconnect(A);
    duel.wait(4_000);
    duel.connect(A);
    assert_eq!(duel.session.clock().wait, session::Wait::Until(T0 + 24_000));
    duel.disconnect(B);
    duel.wait(5_001);
    assert_eq!(duel.outcome(), "seat 0 wins (disconnect)");
}

#[test]
fn the_first_player_to_disconnect_loses_even_if_both_did() {
    let mut duel = with_grace(5_000, 12_000);
    duel.disconnect(A);
    duel.wait(1_000);
    duel.disconnect(B);
    duel.wait(6_000);
    assert_eq!(duel.outcome(), "seat 1 wins (disconnect)");
}

#[test]
fn against_a_bot_a_disconnected_player_has_until_the_deadline() {
    let policy = Orcain::POLICY.with_people(SeatSet::only(A));
    let mut duel = Duel::open(policy, Setup::default());
    duel.disconnect(A);
    duel.wait(19_000);
    assert_eq!(duel.session.outcome(), None);
    duel.connect(A);
    assert_eq!(duel.ask(A, confirm("ADH")), Disposition::Done);
}

#[test]
fn a_newer_connection_of_the_same_account_takes_over_the_seat() {
    let mut duel = Duel::between_people();
    let old = duel.conn(A);
    assert_eq!(duel.connect(A), Disposition::Done);
    assert_eq!(duel.hung_up, [old]);
    let gone = vec![(A, old)];
    assert_eq!(duel.handle(Input::Disconnect { gone }), Disposition::Stale);
    let (client_seq, ask) = (1, confirm("ADH"));
    let say = Say::Ask { client_seq, ask };
    let late = Input::Say {
        seat: A,
        conn: old,
        say,
    };
    assert_eq!(duel.handle(late), Disposition::Stale);
    assert_eq!(duel.session.outcome(), None);
    assert_eq!(duel.ask(A, confirm("ADH")), Disposition::Done);
}

#[test]
fn a_foreign_account_cannot_take_the_seat() {
    let mut duel = Duel::between_people();
    for account in [Account(2), Account(99)] {
        let hijack = Input::Connect {
            seat: A,
            conn: Conn(99),
            account,
            seen: 0,
            next_seq: 1,
        };
        duel.take(Viewer::Seat(A));
        assert_eq!(duel.handle(hijack), Disposition::NotYours);
        assert!(duel.take(Viewer::Seat(A)).is_empty());
    }
    assert_eq!(duel.ask(A, confirm("ADH")), Disposition::Done);
}

// Promise: Downtime counts against nobody, and a deadline is the same for every seat.
#[test]
fn an_input_at_the_deadline_counts_and_one_after_it_does_not() {
    for (at, disposition) in [(20_000, Disposition::Done), (20_001, Disposition::Held)] {
        for seat in [A, B] {
            let mut duel = Duel::between_people();
            duel.now = T0 + at;
            assert_eq!(duel.ask(seat, draft("A--")), disposition);
            let n_late = u64::from(disposition == Disposition::Held);
            assert_eq!(duel.session.metrics().n_late, n_late);
            let told = duel.take(Viewer::Seat(seat)).concat();
            assert_eq!(told.contains(r#""code": "late""#), n_late == 1, "{told}");
        }
    }
    let mut duel = Duel::between_people();
    duel.now = T0 + 20_000;
    assert_eq!(
        duel.handle(Input::Timer),
        Disposition::Ignored("early_timer")
    );
    assert_eq!(duel.ask(A, draft("A--")), Disposition::Done);
}

#[test]
fn an_input_in_time_counts_whatever_was_handled_before_it() {
    let mut duel = Duel::between_people();
    duel.now = T0 + 20_001;
    let version = duel.session.version();
    duel.handle(Input::Stored { version });
    duel.now = T0 + 20_000;
    assert_eq!(duel.ask(A, draft("A--")), Disposition::Done);
    duel.now = T0 + 20_001;
    assert_eq!(duel.ask(B, draft("A--")), Disposition::Held);
    assert_eq!(duel.session.metrics().n_late, 1);
}

// Promise: No event is sent before it is durable, and no acknowledged decision is lost.
#[test]
fn nothing_is_sent_before_its_event_is_durable() {
    let mut duel = Duel::between_people();
    duel.stores = false;
    duel.sent.clear();
    duel.ask(A, confirm("ADH"));
    duel.ask(B, confirm("ADH"));
    duel.disconnect(B);
    duel.wait(5_000);
    assert!(duel.sent.is_empty() && duel.settled.is_empty() && duel.n_closed == 0);
    duel.stores = true;
    duel.store_all();
    assert!(
        duel.take(Viewer::Seat(A))
            .concat()
            .contains("LAYOUT_CONFIRMED")
    );
    assert_eq!(duel.shares(), ([2, 0], 0));
}

#[test]
fn a_message_sent_twice_takes_effect_once_and_is_answered_twice() {
    let mut duel = Duel::between_people();
    duel.take(Viewer::Seat(A));
    duel.ask(A, draft("A--"));
    let n_events = duel.log.len();
    assert_eq!(duel.ask_again(A, draft("A--")), Disposition::Duplicate);
    assert_eq!(duel.log.len(), n_events);
    let told = duel.take(Viewer::Seat(A));
    assert_eq!(told[1], told[2], "{told:?}");
}

#[test]
fn a_message_out_of_order_has_no_effect() {
    let mut duel = Duel::between_people();
    let (client_seq, ask) = (2, confirm("ADH"));
    let say = Say::Ask { client_seq, ask };
    let conn = duel.conn(A);
    assert_eq!(
        duel.handle(Input::Say { seat: A, conn, say }),
        Disposition::Gap
    );
    let told = duel.take(Viewer::Seat(A));
    assert!(
        told.last().unwrap().contains(r#""expected": 1"#),
        "{told:?}"
    );
}

#[test]
fn a_player_who_reconnects_receives_everything_after_the_last_version_seen() {
    let mut duel = with_grace(5_000, 12_000);
    duel.ask(A, draft("A--"));
    let whole = duel.take(Viewer::Seat(A));
    assert!(whole.iter().any(|it| it.contains(r#""version": 1"#)));
    duel.disconnect(A);
    duel.ask(B, draft("AHD"));
    duel.wait(2_000);
    duel.reconnect(A, 1);
    let told = duel.take(Viewer::Seat(A));
    let versions: Vec<bool> = (2..=3)
        .map(|version| told[version - 2].contains(&format!(r#""version": {version}"#)))
        .collect();
    assert_eq!(versions, [true, true], "{told:#?}");
    assert!(told[2].contains("standing") && told.len() >= 3, "{told:#?}");
    assert!(!told.concat().contains("defense\", \"heal\", null"));
}

// Promise: No message reveals what the opponent places, or whether they have placed anything.
#[test]
fn nothing_the_opponent_does_shows_before_the_reveal() {
    let watch = |asks: &[Ask]| {
        let mut duel = Duel::between_people();
        for ask in asks {
            duel.ask(B, ask.clone());
        }
        duel.ask(A, draft("A--"));
        duel.reconnect(A, 1);
        let told = duel.take(Viewer::Seat(A));
        (told, duel.take(Viewer::Public))
    };
    let silent = watch(&[]);
    assert_eq!(watch(&[draft("A--"), draft("AHD")]), silent);
    assert_eq!(watch(&[draft("AAA"), confirm("CHD")]), silent);
}

#[test]
fn a_recovered_session_equals_the_lost_one() {
    let mut duel = with_grace(5_000, 12_000);
    duel.ask(A, draft("AAA"));
    duel.disconnect(B);
    duel.wait(1_500);
    duel.connect(B);
    duel.ask(B, confirm("AD-"));
    round(&mut duel, "ADH", "HDC");
    round(&mut duel, "ADH", "HDC");
    let (at, n_events) = (duel.now, duel.log.len());
    let mut again = duel.recovered(n_events, at);
    assert_eq!(again.session.position(), duel.session.position());
    assert_eq!(again.log.len(), n_events + 1, "the recovery is an event");
    for desk in [&mut duel, &mut again] {
        desk.connect(A);
        desk.connect(B);
        round(desk, "ADH", "HDC");
        assert_eq!(desk.outcome(), "seat 0 wins (normal)");
        assert_eq!(desk.shares(), ([2, 0], 0));
        record::verify::<Orcain>(&desk.record()).unwrap();
    }
    assert_eq!(duel.record(), again.record());
}

#[test]
fn every_prefix_of_the_events_recovers_and_ends() {
    let mut duel = Duel::between_people();
    for _ in 0..3 {
        round(&mut duel, "ADH", "HDC");
    }
    for n_events in 1..duel.log.len() {
        let mut again = duel.recovered(n_events, duel.now + 7);
        again.wait(REJOIN_MS + 1);
        assert_eq!(again.n_closed, 1, "{n_events} events");
        let (shares, burned) = again.shares();
        assert_eq!(shares[0] + shares[1] + burned, 2);
        record::verify::<Orcain>(&again.record()).unwrap();
    }
}

// Promise: Downtime counts against nobody, and a deadline is the same for every seat.
#[test]
fn downtime_counts_against_nobody_even_when_the_recovery_itself_is_lost() {
    let mut duel = Duel::between_people();
    duel.wait(15_000);
    let mut down = duel.recovered(1, T0 + 100_000);
    down.connect(A);
    assert_eq!(
        down.session.clock().wait,
        session::Wait::Until(T0 + 120_000)
    );
    down.now = T0 + 110_000;
    // The host dies before its first event is durable; the next one knows only the first event.
    let mut again = duel.recovered(1, T0 + 115_000);
    again.connect(A);
    assert_eq!(
        again.session.clock().wait,
        session::Wait::Until(T0 + 135_000)
    );
    again.now = T0 + 134_000;
    assert_eq!(again.ask(A, draft("A--")), Disposition::Done);
}

#[test]
fn a_host_whose_clock_was_set_back_continues_at_the_same_pace() {
    let mut duel = Duel::between_people();
    round(&mut duel, "ADH", "ADH");
    let n_events = duel.log.len();
    let mut again = duel.recovered(n_events, T0 - 900_000);
    again.connect(A);
    assert_eq!(again.timer, Some(T0 - 900_000 + 20_001));
    again.wait(19_000);
    assert_eq!(again.ask(A, draft("A--")), Disposition::Done);
    again.wait(1_001 + 250);
    assert_eq!(again.session.position().hp(), [9, 7]);
}

// Promise: A match ends once, is settled once, and makes or loses no token.
#[test]
fn a_finished_match_is_settled_and_not_recovered() {
    let mut duel = Duel::between_people();
    duel.disconnect(A);
    assert_eq!(duel.shares(), ([0, 2], 0));
    let terms = duel.session.terms().clone();
    let mut out = Vec::new();
    let recovered = Session::<Orcain>::recover(terms, &duel.log, T0 + 5_000, REJOIN_MS, &mut out);
    let fault = recovered.err().unwrap().fault;
    assert_eq!(fault.version, duel.log.len() as u64);
    assert!(fault.message.contains("ends with this event"), "{fault}");
    assert!(out.is_empty());
}

// Promise: Changes to stored events are detected, and the stakes are returned.
#[test]
fn corrupt_events_void_the_match_and_return_the_stakes() {
    let mut duel = Duel::between_people();
    round(&mut duel, "ADH", "HDC");
    let terms = || duel.session.terms().clone();
    let check = |events: Vec<Vec<u8>>| {
        let recovered =
            Session::<Orcain>::recover(terms(), &events, T0, REJOIN_MS, &mut Vec::new());
        let quarantine = recovered.err().unwrap();
        assert_eq!([A, B].map(|seat| quarantine.settlement.share(seat)), [1, 1]);
    };
    for idx in 0..duel.log.len() {
        for at in (0..duel.log[idx].len()).step_by(41) {
            let mut events = duel.log.clone();
            events[idx][at] ^= 4;
            check(events);
        }
        let mut events = duel.log.clone();
        events.remove(idx);
        if idx + 1 < duel.log.len() {
            check(events);
        }
    }
    check(Vec::new());
}

#[test]
fn a_match_that_the_host_cancels_is_void() {
    let mut duel = Duel::between_people();
    duel.handle(Input::Cancel);
    assert_eq!(duel.outcome(), "void (cancel)");
    assert_eq!(duel.shares(), ([1, 1], 0));
}

#[test]
fn drafts_beyond_the_limit_are_refused() {
    let mut duel = Duel::between_people();
    for _ in 0..240 {
        assert_eq!(duel.ask(A, draft("A--")), Disposition::Done);
    }
    assert_eq!(
        duel.ask(A, draft("A--")),
        Disposition::Refused("too_many_drafts")
    );
    assert_eq!(
        duel.ask(A, confirm("AAA")),
        Disposition::Refused("invalid_layout")
    );
    assert_eq!(duel.ask(A, confirm("ADH")), Disposition::Done);
}

#[test]
fn a_disk_that_does_not_respond_makes_the_session_busy() {
    let mut policy = Orcain::POLICY.with_people(SeatSet::first(2));
    policy.in_flight_max = 3;
    let mut duel = Duel::open(policy, Setup::default());
    duel.stores = false;
    for _ in 0..3 {
        assert_eq!(duel.ask(A, draft("A--")), Disposition::Done);
    }
    assert_eq!(duel.ask(A, draft("A--")), Disposition::Refused("busy"));
    duel.store_all();
    assert_eq!(duel.ask(A, draft("A--")), Disposition::Done);
}

#[test]
fn a_bot_decides_without_a_connection_and_nobody_waits_for_it() {
    let policy = Orcain::POLICY.with_people(SeatSet::only(A));
    let mut duel: Duel = Desk::open(policy, Setup::default());
    let actions = vec![Action::Draft(Layout::EMPTY)];
    let play = |seat| Input::Play {
        seat,
        actions: actions.clone(),
    };
    assert_eq!(duel.handle(play(A)), Disposition::NotYours);
    assert_eq!(duel.handle(play(B)), Disposition::Done);
    assert_eq!(duel.session.position().stage(), Stage::Prep);
    assert_eq!(duel.ask(A, confirm("ADH")), Disposition::Done);
    assert_eq!(duel.session.position().stage(), Stage::Reveal);
}
