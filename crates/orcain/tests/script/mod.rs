//! Matches as text.
//!
//! A script is a list of inputs, separated by `;`:
//!
//! - `0 confirm:ADH`, `1 draft:A`: a seat places cards;
//! - `deadline` while layouts are being made, `tick` during the reveal, `tick*4` four times;
//! - `disconnect 0`, `resign 1`, `cancel 0 1`: one or more seats leave at once;
//! - `round AD- .`: a whole round in which seat 0 drafts `AD-` and seat 1 is silent.
//!
//! `!code` after an input says that it is refused with this code; such an input changes nothing.

use kernel::{Departure, GameExt, Refusal, Seat, SeatSet, Step, Turn};
use orcain::{Action, Event, Orcain, Stage};

/// Plays a script and returns the events it caused.
pub(crate) fn play(position: &mut Orcain, script: &str) -> Vec<Event> {
    let mut events = Vec::new();
    for input in script.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        match input.split_once(" !") {
            Some((input, code)) => refused(position, input, code),
            None => accepted(position, input, &mut events),
        }
    }
    events
}

fn refused(position: &mut Orcain, input: &str, code: &str) {
    let (before, mut events) = (*position, Vec::new());
    let refusal = position.apply(step(position, input), &mut events);
    assert_eq!(refusal.map_err(|it| it.code()), Err(code), "{input}");
    assert_eq!(
        *position, before,
        "{input} was refused and changed something"
    );
    assert_eq!(events, [], "{input} was refused and caused something");
}

fn accepted(position: &mut Orcain, input: &str, events: &mut Vec<Event>) {
    if let Some(layouts) = input.strip_prefix("round ") {
        return round(position, layouts, events);
    }
    let (input, n_times) = match input.split_once('*') {
        Some((input, n_times)) => (input, n_times.parse().unwrap()),
        None => (input, 1),
    };
    for _ in 0..n_times {
        let done: Result<(), Refusal> = position.apply(step(position, input), events);
        done.unwrap_or_else(|refusal| panic!("{input} in {position}: {refusal}"));
    }
}

fn round(position: &mut Orcain, layouts: &str, events: &mut Vec<Event>) {
    for (seat, layout) in layouts.split_whitespace().enumerate() {
        if layout != "." {
            accepted(position, &format!("{seat} draft:{layout}"), events);
        }
    }
    accepted(position, "deadline", events);
    while position.turn_is_clock() {
        accepted(position, "tick", events);
    }
}

trait Waits {
    fn turn_is_clock(&self) -> bool;
}

impl Waits for Orcain {
    fn turn_is_clock(&self) -> bool {
        kernel::Game::turn(self) == Turn::Clock
    }
}

fn step(position: &Orcain, input: &str) -> Step<Action> {
    let (verb, rest) = input.split_once(' ').unwrap_or((input, ""));
    let seat = |text: &str| Seat::new(text.parse().unwrap()).unwrap();
    let leave = |cause| {
        let seats: SeatSet = rest.split_whitespace().map(seat).collect();
        Step::Leave(seats, cause)
    };
    match verb {
        "deadline" | "tick" => {
            let expected = [Stage::Prep, Stage::Reveal][usize::from(verb == "tick")];
            let over = position.ending().is_some();
            assert!(over || position.stage() == expected, "{verb} in {position}");
            Step::Deadline
        }
        "disconnect" => leave(Departure::Disconnect),
        "resign" => leave(Departure::Resign),
        "timeout" => leave(Departure::Timeout),
        "cancel" => leave(Departure::Cancel),
        _ => Step::Play(seat(verb), rest.parse().unwrap()),
    }
}
