//! The setup, the end, and what holds throughout a match.

use catan::{BoardKind, DiceKind, RawSetup};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Conserve, Discard, GameExt, Mask, Step, Turn};

use super::*;

#[test]
fn setup_runs_in_snake_order_and_the_second_settlement_pays() {
    let [first, second, third, last] =
        [(31, 32), (52, 53), (36, 37), (20, 21)].map(|(one, other)| edge(one, other));
    let script = format!(
        "chance 1; 1 first-settle:53 !not_your_turn; 0 first-settle:31 first-road:{first};
         0 first-settle:53 !not_your_turn; 1 first-settle:53 first-road:{second};
         0 first-settle:37 !not_your_turn; 1 first-settle:37 first-road:{third};
         1 first-settle:20 !not_your_turn; 0 first-settle:20 first-road:{last}"
    );
    let (own, theirs) = (hand([1, 0, 1, 0, 0]), hand([0, 0, 0, 0, 1]));
    check(
        "",
        &script,
        &format!(
            "waits_for=seat:0 turn.number=1 players.0.resources={own}
             players.1.resources={theirs}"
        ),
    );
}

#[test]
fn an_action_of_another_phase_is_refused_for_the_phase() {
    for word in [
        "roll",
        "robber:3",
        "free-road:12",
        "first-settle:30",
        "first-road:12",
        "discard:ORE",
        "accept",
        "decline",
        "ask:ORE",
        "send",
    ] {
        check(&plain(), &format!("0 {word} !wrong_phase"), "");
    }
    for word in ["road:12", "settle:30", "city:3", "buy", "end", "give:ORE"] {
        let given = format!("{} {TO_ROLL}", plain());
        check(&given, &format!("0 {word} !roll_first"), "");
    }
    let beside = edge(31, 32);
    let setup = format!("chance 1; 0 first-settle:31 first-road:{beside}");
    check("", &format!("{setup}; 1 first-settle:32 !too_close"), "");
}

#[test]
fn the_last_turn_cuts_the_match_off() {
    let last = start().setup().max_turns;
    check(
        &format!("{} turn.number={last} turn.current_player=1", plain()),
        "1 end",
        "outcome={reason:turn_cap,result:draw,truncated:true,winners:[]}",
    );
}

// Promise: No card, piece or title of Catan is made or lost.
#[test]
fn cards_pieces_and_points_are_conserved_in_random_matches() {
    let setups = [
        RawSetup::default(),
        RawSetup {
            board: BoardKind::Random,
            dice: DiceKind::Bag36,
            friendly_robber: true,
            discard_threshold: 5,
            ..RawSetup::default()
        },
    ];
    let mut mask = Mask::default();
    for (setup, seed) in setups
        .iter()
        .flat_map(|setup| (0..1000).map(move |seed| (setup, seed)))
    {
        let setup = Setup::try_from(*setup).unwrap();
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
        let mut at = Catan::start(&setup);
        loop {
            let step = match at.turn() {
                Turn::Over(_) => break,
                Turn::Chance => Step::Chance(at.odds().draw(&mut rng)),
                turn => {
                    let seat = turn.open().lowest().unwrap();
                    at.fill_legal(seat, &mut mask);
                    let id = mask.sample(&mut rng).unwrap();
                    Step::Play(seat, at.action(id).unwrap())
                }
            };
            at.apply_trusted(step, &mut Discard);
            assert_eq!(at.broken(), None, "{at}");
        }
        assert_eq!(at.broken_in_depth(), None, "{at}");
    }
}

#[test]
fn a_position_is_small() {
    assert_eq!(size_of::<Catan>(), 368);
}
