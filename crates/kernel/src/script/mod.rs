//! Matches as text, for tests of any game's rules: a position, inputs and what holds afterwards.
//!
//! A script is a list of inputs, separated by `;`:
//!
//! | input | meaning |
//! | --- | --- |
//! | `0 give:ORE ask:WOOL send` | seat 0 plays these actions, one after another |
//! | `deadline` | the time of an open decision runs out |
//! | `tick` | the time of a position that waits for its clock runs out |
//! | `ticks` | all ticks until a decision is open or the match is over |
//! | `chance [3,4]` | chance is resolved; the draw is written as in a record |
//! | `resign 1`, `disconnect 0 1`, `timeout 0`, `cancel` | the seats leave at once |
//!
//! An input can end with a mark, which concerns its last action: `!code` says that it is refused
//! with this code and changes nothing, and `?` that it is legal, without playing it. `*4` before
//! the mark repeats the input. After each input, the position must be restored from its snapshot.
//!
//! Positions are in [`notation`]. Expectations have the same form, `path=value`, where the path is
//! one of the snapshot or begins with one of these names:
//!
//! | path | value |
//! | --- | --- |
//! | `view.…`, `view0.…` | the view of the public, or of a seat |
//! | `waits_for` | `seat:0`, `sealed:0+1` (the open seats), `chance`, `clock` or `over` |
//! | `events` | the names of the script's events, in order |

mod expect;
mod input;

use std::fmt;
use std::str::FromStr;

use crate::{Recorded, notation};

/// A game whose actions can be read from text.
pub trait Scripted: Recorded<Action: FromStr<Err: fmt::Display>> {}

impl<G: Recorded<Action: FromStr<Err: fmt::Display>>> Scripted for G {}

/// Plays `script` from the position that `given` describes relative to `base`, and compares the
/// result with `expected`.
///
/// # Panics
/// Panics if the position is refused, an input does not do what the script says, or an expectation
/// does not hold.
#[track_caller]
pub fn check<G: Scripted>(base: &G, given: &str, script: &str, expected: &str) {
    let mut position = read(base, given);
    let mut events = Vec::new();
    let failures = match input::play(&mut position, script, &mut events) {
        Ok(()) => expect::failures(&position, &events, expected),
        Err(failure) => vec![failure],
    };
    if !failures.is_empty() {
        let (failures, position) = (failures.join("\n"), notation::write(base, &position));
        panic!("{failures}\nafter [{script}] the position is [{position}]");
    }
}

/// The position that `text` describes relative to `base`.
///
/// # Panics
/// Panics with every fault if the text or the position is refused.
#[track_caller]
pub fn read<G: Recorded>(base: &G, text: &str) -> G {
    let position = notation::read(base, text);
    position.unwrap_or_else(|faults| panic!("{faults}\nin [{text}]"))
}

/// Plays a script and returns the events it caused.
///
/// # Panics
/// Panics if an input does not do what the script says.
#[track_caller]
pub fn play<G: Scripted>(position: &mut G, script: &str) -> Vec<G::Event> {
    let mut events = Vec::new();
    let played = input::play(position, script, &mut events);
    played.unwrap_or_else(|failure| panic!("{failure}\nin [{position}]"));
    events
}

/// Compares a position, and the events that led to it, with what is expected.
///
/// # Panics
/// Panics with every expectation that does not hold.
#[track_caller]
pub fn expect<G: Recorded>(position: &G, events: &[G::Event], expected: &str) {
    let failures = expect::failures(position, events, expected);
    assert!(
        failures.is_empty(),
        "{}\nin [{position}]",
        failures.join("\n")
    );
}
