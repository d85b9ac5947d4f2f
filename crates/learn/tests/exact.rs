//! Catan's observation and its `aux` give back the exact position.
#![allow(clippy::unwrap_used, reason = "an error here fails the test")]

use catan::exact::{AUX_LEN, decode, encode};
use catan::{BoardKind, Catan, DiceKind, DiscardRule, RawSetup, Setup, Switch};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Departure, Discard, Game, GameExt, Redraw, Seat, SeatSet, Step, Turn, Viewer};
use learn::{Encoder, Form, Frame, Learn, Sight};

const NAMES: [&str; 2] = ["Blue", "Orange"];

/// The number of states to try; `REFEREE_STATES=1000000` makes this the long run.
fn n_states() -> usize {
    let told = std::env::var("REFEREE_STATES").ok();
    told.and_then(|n| n.parse().ok()).unwrap_or(30_000)
}

fn setups() -> Vec<Setup> {
    let standard = RawSetup::default();
    let all = [
        standard,
        RawSetup {
            board: BoardKind::Random,
            dice: DiceKind::Bag36,
            ..standard
        },
        RawSetup {
            player_trades: Switch::Off,
            discard_rule: DiscardRule::ToThreshold,
            friendly_robber: true,
            max_turns: 60,
            ..standard
        },
        RawSetup {
            board: BoardKind::Random,
            vp_to_win: 8,
            discard_threshold: 5,
            ..standard
        },
        RawSetup {
            dice: DiceKind::Bag36,
            friendly_robber: true,
            test: true,
            ..standard
        },
    ];
    all.into_iter()
        .map(|raw| Setup::try_from(raw).unwrap())
        .collect()
}

fn forms() -> impl Iterator<Item = Form> {
    let both = |sight| Frame::ALL.map(|frame| Form { sight, frame });
    Sight::ALL.into_iter().flat_map(both)
}

/// Visits the states of random matches in each setup, from the first to the last, including those
/// with chance pending and those after the end.
fn visit(n_states: usize, mut see: impl FnMut(&Catan, usize)) {
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(8));
    let mut idx = 0;
    for round in 0.. {
        for setup in setups() {
            let mut position = Catan::start(&setup);
            let leaves_at = (round % 3 == 2).then(|| idx + rng.below(400) as usize);
            loop {
                see(&position, idx);
                idx += 1;
                if idx >= n_states {
                    return;
                }
                let step = match position.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance => Step::Chance(position.odds().draw(&mut rng)),
                    _ if leaves_at.is_some_and(|at| idx > at) => {
                        Step::Leave(SeatSet::only(Seat::SECOND), Departure::Resign)
                    }
                    turn => {
                        let seat = turn.open().lowest().unwrap();
                        let id = position.legal(seat).sample(&mut rng).unwrap();
                        Step::Play(seat, position.action(id).unwrap())
                    }
                };
                position.apply_trusted(step, &mut Discard);
            }
        }
    }
}

// Promise: The exact tensors give back every state.
#[test]
fn slow_encoding_and_decoding_give_back_every_state() {
    let encoder = Encoder::new::<Catan>(&Setup::default());
    let mut n_seen = 0;
    visit(n_states(), |position, idx| {
        let form = forms().nth(idx % 4).unwrap();
        let seat = [Seat::FIRST, Seat::SECOND][idx / 4 % 2];
        let (numbers, aux) = encode(position, seat, form);
        let numbers = match idx / 8 % 3 {
            0 => numbers,
            1 => {
                let mut bytes = vec![0; encoder.len()];
                encoder.write_bytes(&numbers, &mut bytes);
                encoder.from_bytes(&bytes)
            }
            _ => {
                let mut floats = vec![0.0; encoder.len()];
                encoder.write_floats(&numbers, &mut floats);
                assert_eq!(encoder.from_floats(&floats), numbers);
                encoder.from_floats(&floats)
            }
        };
        let back = decode(&numbers, &aux, form, NAMES).unwrap();
        assert_eq!(back, *position, "state {idx}");
        n_seen += 1;
    });
    assert_eq!(n_seen, n_states());
}

#[test]
fn names_come_from_the_caller() {
    let raw = RawSetup {
        players: ["Ada", "Bob"].map(|name| catan::Name::new(name).unwrap()),
        ..RawSetup::default()
    };
    let position = Catan::start(&Setup::try_from(raw).unwrap());
    let (numbers, aux) = encode(&position, Seat::FIRST, Form::default());
    let back = decode(&numbers, &aux, Form::default(), ["Ada", "Bob"]).unwrap();
    assert_eq!(back, position);
}

#[test]
fn contradictions_are_refused_with_all_reasons() {
    let position = Catan::start(&Setup::default());
    let (numbers, aux) = encode(&position, Seat::FIRST, Form::default());
    let faults = decode(&numbers[1..], &aux[1..], Form::default(), NAMES).unwrap_err();
    assert_eq!(faults.len(), 2, "{faults}");
    let mut n_refused = 0;
    for idx in 0..AUX_LEN {
        let mut damaged = aux;
        damaged[idx] ^= 0x55;
        // Never a panic. An accepted input is a different position or the same one.
        n_refused += usize::from(decode(&numbers, &damaged, Form::default(), NAMES).is_err());
    }
    assert!(n_refused > AUX_LEN / 2, "{n_refused} of {AUX_LEN}");
}

#[test]
fn seats_swap_and_the_own_seat_comes_first() {
    let ego = Form {
        frame: Frame::Ego,
        ..Form::default()
    };
    visit(2_000, |position, _| {
        let (first, _) = encode(position, Seat::SECOND, ego);
        let hands = &first[240..250];
        assert_eq!(hands[..5], position.hand(Seat::SECOND).map(i16::from));
        assert_eq!(hands[5..], position.hand(Seat::FIRST).map(i16::from));
    });
}

#[test]
fn a_redrawn_position_looks_the_same_to_its_viewer_but_not_in_full_sight() {
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(3));
    let mut n_told = 0;
    visit(3_000, |position, _| {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let drawn = position.redraw(Viewer::Seat(seat), &mut rng);
            for form in forms() {
                let (mut seen, mut again) = ([0; 275], [0; 275]);
                position.write_form(seat, form, &mut seen);
                drawn.write_form(seat, form, &mut again);
                match form.sight {
                    Sight::Honest => assert_eq!(seen, again),
                    Sight::Full => n_told += usize::from(seen != again),
                }
            }
        }
    });
    assert!(n_told > 100, "{n_told}");
}
