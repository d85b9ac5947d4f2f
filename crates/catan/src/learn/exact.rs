//! Catan's observation with its `aux`, and the exact way back to the position.
//!
//! An honest observation leaves out what a seat may not know, and every observation leaves out
//! what the specified tensors have no room for. [`encode`] writes the missing facts as bytes,
//! separately; [`decode`] combines both. Names are identity, not state, so the caller of
//! [`decode`] supplies them.

mod aux;

use kernel::doc::{Fault, Faults, Node};
use kernel::learn::{Form, Frame, Learn};
use kernel::{Block, Observe, Recorded, Seat, json};

use super::{META_UNITS, at, meta, swap_seats};
use crate::board::Board;
use crate::topology::N_TILES;
use crate::{Catan, Hand, N_RESOURCES, Name, Phase, Setup};
pub use aux::{AUX_LEN, aux_blocks, write_aux};

/// Returns the observation of a seat as integers, and the facts that it leaves out.
pub fn encode(position: &Catan, seat: Seat, form: Form) -> (Vec<i16>, [u8; AUX_LEN]) {
    let mut numbers = vec![0; at::END];
    position.write_form(seat, form, &mut numbers);
    let mut aux = [0; AUX_LEN];
    write_aux(position, seat, &mut aux);
    (numbers, aux)
}

/// Returns the position that has this observation, in this form, and this `aux`. The turn number
/// is read from `aux`, so the byte form, which counts turns in fours, works too. Input that
/// contradicts itself or the rules is refused, with all reasons.
pub fn decode(numbers: &[i16], aux: &[u8], form: Form, names: [&str; 2]) -> Result<Catan, Faults> {
    let mut faults = Faults::default();
    let lengths = [
        ("/observation", numbers.len(), at::END),
        ("/aux", aux.len(), AUX_LEN),
    ];
    for (place, found, right) in lengths {
        if found != right {
            let message = format!("expected {right} values, found {found}");
            faults.push(Fault::new(place, "wrong_length", message));
        }
    }
    let mut position = Catan::at_start(&Setup::default());
    for (idx, name) in names.into_iter().enumerate() {
        match Name::new(name) {
            Some(name) => position.setup.0.players[idx] = name,
            None => {
                let message = "expected a name of 1 to 24 bytes";
                faults.push(Fault::new(format!("/names/{idx}"), "bad_name", message));
            }
        }
    }
    let aux = faults.into_result(<&[u8; AUX_LEN]>::try_from(aux).ok())?;
    let seat = aux::read(aux, &mut position)?;
    let mut given = numbers.to_vec();
    if form.frame == Frame::Ego && seat == Seat::SECOND {
        swap_seats(&mut given);
    }
    put_numbers(&given, &mut position);
    let position = restored(&position)?;
    let (mut numbers_again, aux_again) = encode(&position, seat, form);
    allow_fours(numbers, &mut numbers_again);
    let mut faults = Faults::default();
    let blocks = Catan::observation(position.setup()).blocks;
    must_agree("observation", &blocks, numbers, &numbers_again, &mut faults);
    must_agree("aux", &aux_blocks(), aux, &aux_again, &mut faults);
    faults.into_result(Some(position))
}

/// Puts what the tensors hold into a position. Numbers that mean nothing are skipped here and
/// found to disagree later.
fn put_numbers(numbers: &[i16], position: &mut Catan) {
    let byte = |number: i16| u8::try_from(number).unwrap_or(u8::MAX);
    let hand = |from: usize| -> Hand { std::array::from_fn(|kind| byte(numbers[from + kind])) };
    let row = |tile: usize| &numbers[tile * 6..tile * 6 + 6];
    let terrain = |tile| row(tile)[..5].iter().position(|&it| it > 0).unwrap_or(5) as u8;
    position.board = Board::new(
        std::array::from_fn::<_, N_TILES, _>(terrain),
        std::array::from_fn(|tile| byte(row(tile)[5])),
        position.board.ports,
    );
    for (edge, owner) in numbers[at::ROADS..at::SITES].iter().enumerate() {
        if let 0..2 = owner {
            position.players[*owner as usize].roads |= 1 << edge;
        }
    }
    for (vertex, site) in numbers[at::SITES..at::HANDS].iter().enumerate() {
        match site {
            0..2 => position.players[*site as usize].settlements |= 1 << vertex,
            2..4 => position.players[*site as usize - 2].cities |= 1 << vertex,
            _ => {}
        }
    }
    position.players[0].hand = hand(at::HANDS);
    position.players[1].hand = hand(at::HANDS + N_RESOURCES);
    position.bank = hand(at::BANK);
    let value = |idx: usize| numbers[at::METADATA + idx] / META_UNITS[idx];
    let owner = |idx| match numbers[at::METADATA + idx] {
        ..0 => None,
        _ => Some(Catan::SEATS[value(idx) as usize & 1]),
    };
    position.road_owner = owner(meta::ROAD_OWNER);
    position.army_owner = owner(meta::ARMY_OWNER);
    let phase = Phase::ALL.get(usize::from(byte(value(meta::PHASE))));
    position.phase = phase.copied().unwrap_or(Phase::GameOver);
}

/// Returns a position as its snapshot gives it back, with everything derived and checked.
fn restored(position: &Catan) -> Result<Catan, Faults> {
    let snapshot = json::from_value(&position.snapshot()).expect("a snapshot holds no floats");
    let mut faults = Faults::default();
    let position = Catan::restore(&Node::root(&snapshot), &mut faults);
    faults.into_result(position)
}

/// Accepts the turn of the byte form, which counts turns in fours up to 255.
fn allow_fours(given: &[i16], again: &mut [i16]) {
    let idx = at::METADATA + meta::TURN;
    let fours = 4 * META_UNITS[meta::TURN];
    if given[idx] == (again[idx] / fours).min(255) * fours {
        again[idx] = given[idx];
    }
}

/// Reports each block in which the input differs from what its position has.
fn must_agree<T: PartialEq>(
    place: &str,
    blocks: &[Block],
    given: &[T],
    again: &[T],
    faults: &mut Faults,
) {
    let mut from = 0;
    for block in blocks {
        let own = from..from + block.len();
        from = own.end;
        if given[own.clone()] != again[own] {
            let pointer = format!("/{place}/{}", block.name);
            let message = "the observation and aux contradict each other here";
            faults.push(Fault::new(pointer, "disagrees", message));
        }
    }
}
