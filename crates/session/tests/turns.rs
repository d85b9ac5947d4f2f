//! A game played in turns, with dice and a composite action.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

mod desk;
#[path = "../../kernel/tests/toys/mod.rs"]
mod toys;

use desk::{A, B, Desk, T0};
use kernel::doc::{Document, Faults, Node};
use kernel::live::BotManner;
use kernel::words::NoWord;
use kernel::{ActionId, Game, GameExt, Seat, SeatSet, Turn, record};
use schemars::JsonSchema;
use session::{Disposition, Live, Policy, Reading, Wait};
use toys::smugglers::{Action, Setup, Smugglers};

impl Live for Smugglers {
    type Ask = Actions;
    type Word = NoWord;

    const CONSIDERED: &'static str = "";
    const REFUSALS: &'static [(&'static str, &'static str)] = &[];
    const POLICY: Policy = Policy::TURNS;
    const BOT_MANNER: BotManner = BotManner::Watched;
    const PLAYED_FROM: u32 = 1;

    fn interpret(&self, _: Seat, ask: &Actions) -> Reading<Action> {
        Reading::Play(ask.0.clone())
    }
}

/// Actions in a row, by their ids.
#[derive(Clone, Debug, JsonSchema)]
pub struct Actions(#[schemars(with = "Vec<usize>")] Vec<Action>);

impl Document for Actions {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Actions> {
        let action = |item: &Node<'_>, faults: &mut Faults| {
            let id = item.int_in(0..=Action::N as i64 - 1, faults)?;
            Action::with_id(ActionId::new(usize::try_from(id).ok()?))
        };
        let items = node.list(faults)?;
        let actions: Vec<Option<Action>> = items.iter().map(|it| action(it, faults)).collect();
        Some(Actions(actions.into_iter().collect::<Option<_>>()?))
    }
}

#[test]
fn the_ask_of_any_game_is_parsed_from_a_document() {
    fn read<G: Live>(text: &str) -> Result<G::Ask, String> {
        let json = kernel::json::read(text.as_bytes()).unwrap();
        kernel::doc::parse(&json).map_err(|faults| faults.one_line())
    }
    let actions = read::<Smugglers>("[0, 1]").unwrap();
    assert_eq!(actions.0, [Action::Roll, Action::Discard(0)]);
    let refused = read::<Smugglers>(r#"[99, "roll"]"#).unwrap_err();
    assert!(
        refused.contains("/0") && refused.contains("/1"),
        "{refused}"
    );
}

type Trade = Desk<Smugglers>;

fn trade() -> Trade {
    Trade::between_people()
}

/// Plays the first legal action for the seat to move; a discard is one ask.
fn play_on(trade: &mut Trade) {
    let position = *trade.session.position();
    let Turn::Seat(seat) = position.turn() else {
        panic!("seats decide one after another");
    };
    let mut trial = position;
    let mut actions = Vec::new();
    while actions.is_empty() || trial.line_open_for(seat) {
        let id = trial.legal(seat).iter().next().unwrap();
        let action = trial.action(id).unwrap();
        trial.play(seat, action, &mut kernel::Discard).unwrap();
        actions.push(action);
    }
    assert_eq!(trade.ask(seat, Actions(actions)), Disposition::Done);
}

#[test]
fn a_match_of_turns_is_played_to_its_end_and_verifies() {
    let mut trade = trade();
    while trade.session.outcome().is_none() {
        play_on(&mut trade);
    }
    let report = record::verify::<Smugglers>(&trade.record()).unwrap();
    assert_eq!(report.chance, record::Chance::Revealed);
    let (shares, burned) = trade.shares();
    assert_eq!(shares[0] + shares[1] + burned, 2);
}

#[test]
fn two_missed_deadlines_in_a_row_lose() {
    let mut trade = trade();
    trade.wait(60_001);
    assert_eq!(
        trade.session.outcome(),
        None,
        "one missed deadline is not enough"
    );
    trade.wait(60_001);
    assert_eq!(trade.outcome(), "seat 1 wins (left)");
    assert_eq!(trade.shares(), ([0, 2], 0));
}

#[test]
fn a_decision_resets_the_missed_deadlines() {
    let mut trade = trade();
    for _ in 0..4 {
        trade.wait(60_001);
        assert_eq!(trade.session.outcome(), None);
        let turn = trade.session.position().turn();
        play_on(&mut trade);
        if trade.session.position().turn() != turn {
            break;
        }
    }
    assert_eq!(trade.session.outcome(), None);
}

#[test]
fn the_clock_is_per_turn_and_not_per_action() {
    let mut trade = trade();
    trade.wait(10_000);
    trade.ask(A, Actions(vec![Action::Roll]));
    let position = trade.session.position();
    assert_eq!(
        position.turn(),
        Turn::Seat(A),
        "the same seat continues with trading"
    );
    assert_eq!(trade.session.clock().wait, Wait::Until(T0 + 60_000));
    trade.ask(A, Actions(vec![Action::EndTurn]));
    assert_eq!(trade.session.clock().wait, Wait::Until(T0 + 70_000));
}

#[test]
fn a_player_has_a_minute_to_reconnect() {
    for (away_ms, lost) in [(60_000, false), (60_001, true)] {
        let mut trade = trade();
        trade.disconnect(B);
        trade.wait(away_ms);
        trade.connect(B);
        trade.wait(1);
        assert_eq!(trade.session.outcome().is_some(), lost);
    }
}

#[test]
fn a_record_says_why_a_player_left() {
    let cause = |leave: fn(&mut Trade)| {
        let mut trade = trade();
        leave(&mut trade);
        let record = String::from_utf8(trade.record()).unwrap();
        let (_, rest) = record.split_once("\"payload\": {\"cause\": \"").unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    let missed = |trade: &mut Trade| {
        trade.wait(60_001);
        trade.wait(60_001);
    };
    let lost = |trade: &mut Trade| {
        trade.disconnect(B);
        trade.wait(60_001);
        trade.wait(1);
    };
    assert_eq!(cause(missed), "timeout");
    assert_eq!(cause(lost), "disconnect");
}

#[test]
fn people_who_share_a_screen_do_not_lose_by_disconnecting() {
    let policy = Smugglers::POLICY.with_people(SeatSet::first(2));
    let mut terms = desk::terms::<Smugglers>(policy.at_one_screen(), Setup::default());
    terms.accounts = vec![terms.accounts[0]; 2];
    let mut trade = Trade::with_terms(terms);
    trade.disconnect(A);
    trade.disconnect(B);
    assert!(!trade.session.is_paused(), "nobody waits for them");
    trade.wait(600_001);
    assert_eq!(trade.session.outcome(), None, "one deadline was missed");
    trade.connect(A);
    trade.connect(B);
    play_on(&mut trade);
    assert_eq!(trade.session.outcome(), None);
}

#[test]
fn half_a_composite_action_is_refused() {
    let setup = Setup {
        hand_limit: 2,
        ..Setup::default()
    };
    let policy = Smugglers::POLICY.with_people(SeatSet::first(2));
    let mut trade = Trade::open(policy, setup);
    for _ in 0..400 {
        let position = *trade.session.position();
        let Turn::Seat(seat) = position.turn() else {
            break;
        };
        let first = position.legal(seat).iter().next().unwrap();
        let action = position.action(first).unwrap();
        let mut trial = position;
        trial.play(seat, action, &mut kernel::Discard).unwrap();
        if trial.line_open_for(seat) {
            let refused = trade.ask(seat, Actions(vec![action]));
            assert_eq!(refused, Disposition::Refused("incomplete_action"));
            assert_eq!(*trade.session.position(), position);
            play_on(&mut trade);
            return;
        }
        play_on(&mut trade);
    }
    panic!("no discard of several resources occurred");
}

#[test]
fn a_recovery_does_not_change_the_dice() {
    let mut trade = trade();
    for _ in 0..12 {
        play_on(&mut trade);
    }
    let mut again = trade.recovered(trade.log.len(), trade.now);
    for desk in [&mut trade, &mut again] {
        desk.connect(A);
        desk.connect(B);
        while desk.session.outcome().is_none() {
            play_on(desk);
        }
    }
    assert_eq!(trade.record(), again.record());
    record::verify::<Smugglers>(&again.record()).unwrap();
}
