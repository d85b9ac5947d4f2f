//! Catan's observation with its `aux`, and the exact way back to the position.
//!
//! An honest observation leaves out what a seat may not know, and every observation leaves out
//! what the specified tensors have no room for. [`encode`] writes the missing facts as bytes,
//! separately; [`decode`] combines both. Names are identity, not state, so the caller of
//! [`decode`] supplies them.

mod document;

use kernel::doc::{Fault, Faults, Node};
use kernel::json::{self, Json};
use kernel::learn::{Form, Frame, Learn, Sight};
use kernel::{Block, Recorded, Seat};

use super::{META_UNITS, at, meta, swap_seats};
use crate::topology::N_PORTS;
use crate::{Catan, DEV_CARDS, Dev, Due, N_DEVS, N_RESOURCES, Phase, PortKind, Resource, Terrain};

/// The byte for an absent value.
pub(crate) const NONE: u8 = 255;

/// The blocks of `aux` in order, with their lengths and meanings.
const BLOCKS: [(&str, usize, &str); 24] = [
    ("ports", N_PORTS, "the kind of each harbor"),
    ("robber", 1, "the tile with the robber"),
    ("current_player", 1, "the player whose turn it is"),
    ("dice", 2, "the last roll; 0 before the first"),
    (
        "robber_triggered",
        1,
        "1 while the robber has yet to move for a seven",
    ),
    ("rolled", 1, "1 once the dice are rolled in the turn"),
    ("dev_card_played", 1, "1 once a card is played in the turn"),
    ("free_roads", 1, "free roads still to build"),
    ("offers_made", 1, "trades offered in the turn"),
    ("turn_number", 2, "the number of the turn, high byte first"),
    ("setup_round", 1, "1 or 2 in the setup; 0 after it"),
    (
        "setup_vertex",
        1,
        "the settlement whose road comes next; 255 for none",
    ),
    (
        "pending_chance",
        1,
        "DEAL, DICE, THEFT, FORCED_DICE; 255 for none",
    ),
    (
        "pending_discards",
        4,
        "cards left and in total, for each player",
    ),
    (
        "pending_trade",
        2 * N_RESOURCES,
        "cards offered, then requested, sent or not; zeros for none",
    ),
    (
        "bag",
        5,
        "rolls left in the bag as 36 bits, the lowest first",
    ),
    (
        "dev_cards",
        2 * N_DEVS,
        "cards that may be played, by player",
    ),
    (
        "new_dev_cards",
        2 * N_DEVS,
        "cards bought in the turn, by player",
    ),
    (
        "played_dev_cards",
        2 * (N_DEVS - 1),
        "cards played, by player",
    ),
    (
        "dev_deck",
        DEV_CARDS,
        "the deck in draw order; 255 after its end",
    ),
    ("road_lengths", 2, "the longest road of each player"),
    (
        "outcome",
        2,
        "index of the reason, and the winner; 255 for none",
    ),
    (
        "variant",
        10,
        "board, dice, discard rule, threshold, switches (1 friendly robber, 2 test), last turn (2 bytes), trades, offers per turn, points to win",
    ),
    ("seat", 1, "the seat that observes"),
];

/// The length of `aux` in bytes.
pub const AUX_LEN: usize = {
    let (mut len, mut idx) = (0, 0);
    while idx < BLOCKS.len() {
        len += BLOCKS[idx].1;
        idx += 1;
    }
    len
};

/// The blocks of `aux`, in order.
pub fn aux_blocks() -> Vec<Block> {
    let block = |(name, len, about): (&'static str, usize, &'static str)| Block {
        name,
        shape: vec![len],
        low: 0,
        high: 255,
        scale: 1,
        about,
    };
    BLOCKS.into_iter().map(block).collect()
}

/// Writes the facts that the observation of a seat leaves out.
pub fn write_aux(position: &Catan, seat: Seat, aux: &mut [u8; AUX_LEN]) {
    let snapshot = json::from_value(&position.snapshot()).expect("a snapshot holds no floats");
    document::write_aux(&snapshot, seat, aux);
}

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
    let Ok(aux) = <&[u8; AUX_LEN]>::try_from(aux) else {
        return faults.into_result(None);
    };
    if numbers.len() != at::END {
        return faults.into_result(None);
    }
    let mut numbers = numbers.to_vec();
    let seat = aux[AUX_LEN - 1];
    if form.frame == Frame::Ego && seat == 1 {
        swap_seats(&mut numbers);
    }
    check_agreement(&numbers, aux, form.sight, &mut faults);
    let document = document::position(&numbers, aux, names, &mut faults);
    let document = faults.into_result(document)?;
    restore(&document)
}

fn restore(document: &Json) -> Result<Catan, Faults> {
    let mut faults = Faults::default();
    let position = Catan::restore(&Node::root(document), &mut faults);
    faults.into_result(position)
}

/// Checks that the observation and `aux` agree where they overlap.
fn check_agreement(numbers: &[i16], aux: &[u8; AUX_LEN], sight: Sight, faults: &mut Faults) {
    let (devs, new) = (block(aux, "dev_cards"), block(aux, "new_dev_cards"));
    let seat = usize::from(aux[AUX_LEN - 1]);
    for idx in 0..2 * N_DEVS {
        let known = sight == Sight::Full || idx / N_DEVS == seat;
        let held = i16::from(devs[idx]) + i16::from(new[idx]);
        let right = if known { held * dev_unit(idx) } else { 0 };
        if numbers[at::DEVS + idx] != right {
            let message = "the observation and aux have different development cards";
            faults.push(Fault::new("/observation/dev", "disagrees", message));
        }
    }
    let turn = block(aux, "turn_number");
    let turn = i16::from_be_bytes([turn[0], turn[1]]).saturating_mul(META_UNITS[meta::TURN]);
    let told = numbers[at::METADATA + meta::TURN];
    let fours = 4 * META_UNITS[meta::TURN];
    let cut = told == 255 * fours && turn >= told;
    if told != turn && told != turn / fours * fours && !cut {
        let message = "the observation and aux have different turns";
        faults.push(Fault::new("/observation/metadata", "disagrees", message));
    }
}

/// The integer that stands for one card of a kind.
fn dev_unit(idx: usize) -> i16 {
    70 / i16::from(crate::DECK[idx % N_DEVS])
}

pub(crate) fn block<'a>(aux: &'a [u8; AUX_LEN], name: &str) -> &'a [u8] {
    let (start, len) = place(name);
    &aux[start..start + len]
}

pub(crate) fn block_mut<'a>(aux: &'a mut [u8; AUX_LEN], name: &str) -> &'a mut [u8] {
    let (start, len) = place(name);
    &mut aux[start..start + len]
}

fn place(name: &str) -> (usize, usize) {
    let mut start = 0;
    for (own, len, _) in BLOCKS {
        if own == name {
            return (start, len);
        }
        start += len;
    }
    (0, 0)
}

/// The possible endings as documents write them: reason, result, and whether the match was cut
/// off.
pub(crate) const REASONS: [(&str, &str, bool); 9] = [
    ("points", "win", false),
    ("disconnect", "win", false),
    ("resign", "win", false),
    ("turn_cap", "draw", true),
    ("disconnect", "void", false),
    ("resign", "void", false),
    ("cancel", "void", false),
    ("timeout", "win", false),
    ("timeout", "void", false),
];

pub(crate) const DUES: [&str; 4] = [
    Due::Deal.name(),
    Due::Dice.name(),
    Due::Theft.name(),
    Due::ForcedDice.name(),
];
pub(crate) const PHASES: [&str; 10] = Phase::NAMES;
pub(crate) const DEVS: [&str; N_DEVS] = Dev::NAMES;
pub(crate) const RESOURCES: [&str; 5] = Resource::NAMES;
pub(crate) const PORTS: [&str; 6] = PortKind::NAMES;
pub(crate) const LANDS: [&str; 6] = Terrain::NAMES;
