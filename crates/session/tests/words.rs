//! Catan and Stellar Fleet live: decisions made of words, the legal words that a seat receives, and
//! deadlines that several seats miss at once.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

mod desk;

use catalog::catan::{self, Catan};
use catalog::stellar::{self, Stellar, shipped};
use desk::{A, B, Desk};
use kernel::words::{Vocabulary, WORDS_MAX, Words};
use kernel::{Game, GameExt, Seat, SeatSet, Turn, Viewer, doc, json, record};
use session::{Disposition, Input, Live, Message, Say};

fn words<A: Vocabulary<Err: std::fmt::Debug>>(text: &str) -> Words<A> {
    Words::new(text.split(' ').map(|it| it.parse().unwrap()).collect())
}

fn catan(vp_to_win: u8) -> Desk<Catan> {
    let raw = catan::RawSetup {
        vp_to_win,
        ..Default::default()
    };
    let policy = Catan::POLICY.with_people(SeatSet::first(2));
    Desk::open(policy, catan::Setup::try_from(raw).unwrap())
}

/// The seat to move builds if it can, or else plays its last legal word.
fn play_on(desk: &mut Desk<Catan>) {
    let Turn::Seat(seat) = desk.session.position().turn() else {
        panic!("seats decide one after another");
    };
    let mut trial = *desk.session.position();
    let mut chosen = Vec::new();
    while chosen.is_empty() || trial.line_open_for(seat) {
        let word = choose(&trial, seat).parse().unwrap();
        trial.play(seat, word, &mut kernel::Discard).unwrap();
        chosen.push(word);
    }
    assert_eq!(desk.ask(seat, Words::new(chosen)), Disposition::Done);
}

/// Builds and buys what it can, and trades for the resources it lacks.
fn choose(position: &Catan, seat: Seat) -> String {
    let legal = position.legal_words(seat);
    if legal[0].starts_with("first") {
        return legal[legal.len() / 2].clone();
    }
    let good = ["city", "settle", "buy", "knight", "road:"];
    let mut good = good
        .iter()
        .filter_map(|it| legal.iter().find(|word| word.starts_with(it)));
    let hand = position.view(Viewer::Seat(seat)).players[seat.index()].resources;
    let lacks = |name: &str| {
        let kinds = catan::Resource::ALL.iter().zip(hand);
        let mut own = kinds.filter(|(kind, _)| kind.name() == name);
        own.any(|(_, n)| n == 0)
    };
    let trade = legal.iter().find(|word| {
        let get = word
            .strip_prefix("bank:")
            .and_then(|it| it.split('>').nth(1));
        get.is_some_and(lacks)
    });
    let mut dull = legal.iter().rev().filter(|it| !it.contains('>'));
    let chosen = good.next().or(trade).or_else(|| dull.next());
    chosen.unwrap().clone()
}

#[test]
fn a_match_of_catan_is_played_to_its_end_and_verifies() {
    let mut desk = catan(5);
    while desk.session.outcome().is_none() {
        play_on(&mut desk);
    }
    let report = record::verify::<Catan>(&desk.record()).unwrap();
    assert_eq!(report.chance, record::Chance::Revealed);
    let (shares, burned) = desk.shares();
    assert_eq!(shares[0] + shares[1] + burned, 2);
}

#[test]
fn after_every_event_each_viewer_receives_a_standing_and_only_the_seat_its_legal_words() {
    let mut desk = catan(15);
    desk.sent.clear();
    desk.ask(A, words("first-settle:31"));
    for (viewer, n_legal) in [
        (Viewer::Seat(A), 3),
        (Viewer::Seat(B), 0),
        (Viewer::Public, 0),
    ] {
        let to = desk.sent.iter().filter(|(to, _)| *to == viewer);
        let standing = to.filter_map(|(_, message)| match message {
            Message::Standing { view, legal, .. } => Some((view.phase, legal.len())),
            _ => None,
        });
        assert_eq!(
            standing.collect::<Vec<_>>(),
            [(catan::Phase::SetupRoad, n_legal)],
            "{viewer:?}"
        );
    }
}

// Promise: No development card of the other, and nothing that fog hides, goes over the wire.
/// No message to a viewer depends on the cards that somebody else holds.
#[test]
fn no_message_shows_a_development_card_of_the_opponent() {
    let mut desk = catan(15);
    let mut n_bought = 0;
    for _ in 0..2_000 {
        play_on(&mut desk);
        for (viewer, message) in std::mem::take(&mut desk.sent) {
            let text = format!("{message:?}");
            if let Message::Standing { view, .. } = &message {
                for (idx, player) in view.players.iter().enumerate() {
                    let own = viewer == Viewer::Seat(Seat::new(idx).unwrap());
                    assert_eq!(
                        player.own.is_some(),
                        own || view.outcome.is_some(),
                        "{text}"
                    );
                }
            }
            let bought = text.split("DEVELOPMENT_BOUGHT").nth(1);
            if let Some(before) = text
                .split("\"DEVELOPMENT_BOUGHT\"")
                .next()
                .filter(|_| bought.is_some())
            {
                n_bought += 1;
                let event = &before[before.rfind('{').unwrap()..];
                let buyer = if event.contains("\"player_id\": 0") {
                    A
                } else {
                    B
                };
                assert_eq!(
                    event.contains("\"card\""),
                    viewer == Viewer::Seat(buyer),
                    "{text}"
                );
            }
        }
        if desk.session.outcome().is_some() {
            break;
        }
    }
    assert!(
        n_bought >= 6,
        "{n_bought} cards were bought: too few to prove anything"
    );
}

fn options<G: Live>(desk: &mut Desk<G>, seat: Seat, ask: G::Ask) -> String {
    desk.sent.clear();
    desk.consider(seat, ask);
    desk.take(Viewer::Seat(seat)).join("\n")
}

#[test]
fn a_question_is_answered_and_changes_nothing() {
    let mut desk = catan(15);
    let before = *desk.session.position();
    let n_events = desk.log.len();
    let legal = options(&mut desk, A, words("first-settle:31"));
    assert!(
        legal.contains("\"whole\": true") && legal.contains("\"code\": null"),
        "{legal}"
    );
    let refused = options(&mut desk, A, words("first-road:3"));
    assert!(refused.contains("\"code\": \"wrong_phase\""), "{refused}");
    let others = options(&mut desk, B, words("first-settle:31"));
    assert!(others.contains("\"code\": \"not_your_turn\""), "{others}");
    let nothing = options(&mut desk, A, Words::new(Vec::new()));
    assert!(
        nothing.contains("first-settle:0") && nothing.contains("\"whole\": false"),
        "{nothing}"
    );
    assert_eq!(
        (*desk.session.position(), desk.log.len()),
        (before, n_events)
    );
}

#[test]
fn an_ask_cannot_hold_two_decisions() {
    let mut desk = catan(15);
    let both = words("first-settle:31 first-road:50");
    assert_eq!(
        desk.ask(A, both),
        Disposition::Refused("one_decision_at_a_time")
    );
    assert_eq!(
        desk.ask(A, Words::new(Vec::new())),
        Disposition::Refused("incomplete_action")
    );
    assert_eq!(
        desk.ask(B, words("first-settle:31")),
        Disposition::Refused("not_your_turn")
    );
}

#[test]
fn every_fault_of_an_ask_is_reported_and_its_length_is_bounded() {
    let read = |text: &str| {
        let json = json::read(text.as_bytes()).unwrap();
        doc::parse::<Words<catan::Action>>(&json).map_err(|it| it.one_line())
    };
    assert_eq!(read(r#"{"actions": ["roll"]}"#), Ok(words("roll")));
    let refused = read(r#"{"actions": ["rol", 7, "settle:54"], "free": true}"#).unwrap_err();
    for place in ["/actions/0", "/actions/1", "/actions/2", "/free"] {
        assert!(refused.contains(place), "{place}: {refused}");
    }
    let long = format!(r#"{{"actions": [{}"end"]}}"#, r#""end","#.repeat(WORDS_MAX));
    assert!(read(&long).unwrap_err().contains("at most"));
}

#[test]
fn the_messages_of_a_match_of_catan_and_of_stellar_fit_their_schemas() {
    fn check<G: Live>(desk: &Desk<G>)
    where
        Message<G>: schemars::JsonSchema,
    {
        // A serialized message may leave out empty fields.
        let schema = kernel::schema::of_written::<Message<G>>().to_value();
        let judge = jsonschema::validator_for(&schema).unwrap();
        for (_, message) in &desk.sent {
            let message = serde_json::to_value(message).unwrap();
            let errors: Vec<String> = judge
                .iter_errors(&message)
                .map(|it| it.to_string())
                .collect();
            assert!(errors.is_empty(), "{message}: {errors:?}");
        }
    }
    let mut desk = catan(6);
    while desk.session.outcome().is_none() {
        play_on(&mut desk);
    }
    check(&desk);
    let mut desk = crowns();
    let _ = desk.ask(A, words("fleet:0 retreat below:50"));
    desk.wait(240_002);
    check(&desk);
}

/// Three factions, all played by people.
fn crowns() -> Desk<Stellar> {
    let scenario = shipped::scenario("three_crowns").unwrap();
    let setup = stellar::Setup::new(scenario, 0).unwrap();
    let n_seats = Stellar::start(&setup).n_seats();
    assert_eq!(n_seats, 3);
    Desk::open(Stellar::POLICY.with_people(SeatSet::first(3)), setup)
}

fn turn(desk: &Desk<Stellar>) -> u32 {
    desk.session.position().turn_number()
}

const C: Seat = match Seat::new(2) {
    Some(seat) => seat,
    None => Seat::FIRST,
};

#[test]
fn a_turn_is_resolved_once_all_seats_are_done() {
    let mut desk = crowns();
    for seat in [A, B] {
        assert_eq!(desk.ask(seat, words("done")), Disposition::Done);
    }
    assert_eq!(turn(&desk), 1);
    assert_eq!(desk.ask(C, words("done")), Disposition::Done);
    assert_eq!(turn(&desk), 2);
}

#[test]
fn a_turn_that_everybody_misses_is_resolved_at_its_deadline_and_the_second_ends_the_match() {
    let mut desk = crowns();
    desk.wait(120_001);
    assert_eq!((turn(&desk), desk.session.outcome()), (2, None));
    desk.wait(120_001);
    assert_eq!(
        desk.session.outcome().map(|it| it.verdict),
        Some(kernel::Verdict::Void)
    );
    assert_eq!(desk.settled.len(), 1);
}

// Promise: Seats that miss the same deadline are judged together.
#[test]
fn a_player_who_misses_twice_leaves_and_the_others_lose_only_the_turn() {
    let mut desk = crowns();
    desk.ask(A, words("done"));
    desk.ask(C, words("done"));
    desk.wait(120_001);
    assert_eq!(turn(&desk), 2, "the second seat has missed one deadline");
    // Now all three miss: it is the first for two of them, and the second for one.
    desk.wait(120_001);
    let position = desk.session.position();
    assert_eq!(position.present(), SeatSet::first(3).without(B));
    assert_eq!((turn(&desk), desk.session.outcome()), (3, None));
    for seat in [A, C] {
        assert_eq!(desk.ask(seat, words("done")), Disposition::Done);
    }
    assert_eq!(turn(&desk), 4);
}

// Promise: A player who has left a match is free for another.
#[test]
fn after_one_of_three_resigns_its_forces_stay_and_nobody_waits_for_it() {
    let mut desk = crowns();
    let forces = |desk: &Desk<Stellar>| {
        let view = serde_json::to_value(desk.session.position().view(Viewer::Seat(B))).unwrap();
        let place = |it: &serde_json::Value| it["at"].clone();
        let fleets = view["fleets"].as_array().unwrap();
        fleets.iter().map(place).collect::<Vec<_>>()
    };
    let before = forces(&desk);
    assert!(!before.is_empty());
    let (conn, client_seq) = (desk.conn(B), 1);
    let say = Say::Resign { client_seq };
    assert_eq!(
        desk.handle(Input::Say { seat: B, conn, say }),
        Disposition::Done
    );
    assert_eq!(desk.session.outcome(), None, "two players are left");
    for next in 2..5 {
        for seat in [A, C] {
            assert_eq!(desk.ask(seat, words("done")), Disposition::Done);
        }
        assert_eq!(turn(&desk), next, "nobody waits for the player who left");
    }
    assert_eq!(forces(&desk), before, "no AI moves the forces left behind");
    let late = desk.ask_numbered(B, 2, words("done"));
    assert!(matches!(late, Disposition::Refused(_)), "{late:?}");
}

#[test]
fn a_seat_that_has_left_does_not_pause_the_match_by_disconnecting() {
    let mut desk = crowns();
    for _ in 0..2 {
        desk.ask(A, words("done"));
        desk.ask(C, words("done"));
        desk.wait(120_001);
    }
    assert!(!desk.session.position().present().contains(B));
    desk.disconnect(B);
    assert!(!desk.session.is_paused());
    desk.disconnect(C);
    assert!(desk.session.is_paused());
}

#[test]
fn orders_are_shown_to_nobody_else_and_send_no_standing() {
    let mut desk = crowns();
    desk.sent.clear();
    assert_eq!(
        desk.ask(A, words("fleet:0 retreat below:50")),
        Disposition::Done
    );
    let own = desk.take(Viewer::Seat(A)).join("\n");
    assert!(
        own.contains("ORDERED") && !own.contains("standing"),
        "{own}"
    );
    assert!(desk.sent.is_empty(), "{:?}", desk.sent);
    let later = options(&mut desk, A, words("fleet:0 retreat"));
    assert!(later.contains("fleet_already_ordered"), "{later}");
    let open = options(&mut desk, A, words("fleet:0"));
    assert!(
        open.contains("\"move\"") && open.contains("\"whole\": false"),
        "{open}"
    );
}

#[test]
fn a_recovery_does_not_change_a_match_of_stellar_fleet() {
    let mut desk = crowns();
    desk.ask(A, words("fleet:0 retreat below:50"));
    let mut again = desk.recovered(desk.log.len(), desk.now);
    for desk in [&mut desk, &mut again] {
        for seat in [A, B, C] {
            desk.connect(seat);
        }
        for _ in 0..2 {
            for seat in [A, B, C] {
                assert_eq!(desk.ask(seat, words("done")), Disposition::Done);
            }
        }
    }
    assert_eq!(desk.session.position(), again.session.position());
}

// Promise: Every numbered message is answered.
#[test]
fn a_resignation_of_a_seat_that_has_left_is_answered() {
    let mut desk = crowns();
    for (client_seq, disposition) in [
        (1, Disposition::Done),
        (2, Disposition::Refused("cannot_leave")),
    ] {
        let (conn, say) = (desk.conn(B), Say::Resign { client_seq });
        assert_eq!(desk.handle(Input::Say { seat: B, conn, say }), disposition);
        assert_eq!(desk.session.next_seq(B), client_seq + 1);
    }
    let late = desk.ask_numbered(B, 3, words("done"));
    assert_eq!(late, Disposition::Refused("not_your_turn"));
}

// Promise: A crash counts no missed deadline twice, and an outage charges no pause.
/// The host dies between the two events of one deadline: a player has left, but the deadline has
/// not expired. It expires later, and the others have missed it once, not twice.
#[test]
fn a_deadline_undone_by_a_crash_is_not_counted_twice() {
    let mut desk = crowns();
    desk.ask(A, words("done"));
    desk.ask(C, words("done"));
    desk.wait(120_001);
    desk.ask(A, words("done"));
    desk.wait(120_001);
    let left = |desk: &Desk<Stellar>| !desk.session.position().present().contains(B);
    assert!(left(&desk) && turn(&desk) == 3);
    let mut again = desk.recovered(desk.log.len() - 1, desk.now);
    assert!(left(&again) && turn(&again) == 2);
    // The first player to return is not excused.
    for seat in [C, B, A] {
        again.connect(seat);
    }
    while turn(&again) == 2 && again.session.outcome().is_none() {
        again.wait(1_000);
    }
    let present = again.session.position().present();
    assert_eq!(present, SeatSet::first(3).without(B));
    assert_eq!((turn(&again), again.session.outcome()), (3, None));
}
