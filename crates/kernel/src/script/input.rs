//! Plays the inputs of a script.

use super::Scripted;
use crate::doc::{Faults, Named, Node};
use crate::notation;
use crate::{Departure, Game, GameExt, Recorded, Seat, SeatSet, Step, Turn};

/// Plays a script. An error says which input failed and why; the position stays where the script
/// stopped.
pub(super) fn play<G: Scripted>(
    position: &mut G,
    script: &str,
    events: &mut Vec<G::Event>,
) -> Result<(), String> {
    let inputs = script.split(';').map(str::trim);
    for text in inputs.filter(|text| !text.is_empty()) {
        let named = |failure: String| format!("{text}: {failure}");
        let input = Input::read(text).map_err(named)?;
        for _ in 0..input.n_times {
            input.play(position, events).map_err(named)?;
            restores(position).map_err(named)?;
        }
    }
    Ok(())
}

/// Checks that the position is restored from its snapshot.
fn restores<G: Recorded>(position: &G) -> Result<(), String> {
    let (document, mut faults) = (notation::document(position), Faults::default());
    match G::restore(&Node::root(&document), &mut faults) {
        Some(restored) if restored == *position && faults.is_empty() => Ok(()),
        _ => Err(format!(
            "the position is not restored from its snapshot: {}",
            faults.one_line()
        )),
    }
}

/// One input with its mark.
struct Input<'a> {
    moves: Vec<Move<'a>>,
    n_times: usize,
    mark: Mark<'a>,
}

/// One step, or several of the same kind, as written.
#[derive(Clone, Copy)]
enum Move<'a> {
    Act(Seat, &'a str),
    Chance(&'a str),
    Deadline,
    Tick,
    Ticks,
    Leave(SeatSet, Departure),
}

/// The effect that the last action of an input must have.
#[derive(Clone, Copy)]
enum Mark<'a> {
    /// It is played.
    Plays,
    /// It is legal and is not played.
    Legal,
    /// It is refused with this code.
    Refused(&'a str),
}

impl<'a> Input<'a> {
    fn read(text: &'a str) -> Result<Input<'a>, String> {
        let (text, mark) = match (text.rsplit_once(" !"), text.strip_suffix(" ?")) {
            (Some((text, code)), _) => (text, Mark::Refused(code)),
            (_, Some(text)) => (text, Mark::Legal),
            _ => (text, Mark::Plays),
        };
        let (text, n_times) = match text.rsplit_once('*') {
            Some((text, n_times)) => (
                text,
                n_times.parse().map_err(|_| "expected a number after *")?,
            ),
            None => (text, 1),
        };
        Ok(Input {
            moves: moves(text.trim())?,
            n_times,
            mark,
        })
    }

    fn play<G: Scripted>(
        &self,
        position: &mut G,
        events: &mut Vec<G::Event>,
    ) -> Result<(), String> {
        let (last, before) = self.moves.split_last().ok_or("expected an action")?;
        for it in before {
            it.play(position, events)?;
        }
        match self.mark {
            Mark::Plays => last.play(position, events),
            Mark::Legal => {
                let checked = position.check(&last.step(position)?);
                checked.map_err(|refusal| refusal.to_string())
            }
            Mark::Refused(code) => refused(position, last.step(position)?, code),
        }
    }
}

/// The moves of an input without its mark.
fn moves(text: &str) -> Result<Vec<Move<'_>>, String> {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    if let Some(seat) = seat(verb) {
        return Ok(rest
            .split_whitespace()
            .map(|word| Move::Act(seat, word))
            .collect());
    }
    let one = match verb {
        "chance" => Move::Chance(rest),
        "deadline" => Move::Deadline,
        "tick" => Move::Tick,
        "ticks" => Move::Ticks,
        _ => {
            let cause = Departure::ALL.into_iter().find(|it| it.name() == verb);
            let seats = rest
                .split_whitespace()
                .map(|text| seat(text).ok_or_else(|| format!("expected a seat, found {text:?}")));
            let seats: SeatSet = seats.collect::<Result<_, _>>()?;
            Move::Leave(
                seats,
                cause.ok_or("expected a seat, chance, deadline, tick, ticks or a departure")?,
            )
        }
    };
    Ok(vec![one])
}

fn seat(text: &str) -> Option<Seat> {
    Seat::new(text.parse().ok()?)
}

impl Move<'_> {
    fn play<G: Scripted>(self, position: &mut G, events: &mut Vec<G::Event>) -> Result<(), String> {
        if let Move::Ticks = self {
            position.pass_time_trusted(events);
            return Ok(());
        }
        let step = self.step(position)?;
        let applied = position.apply(step, events);
        applied.map_err(|refusal| refusal.to_string())
    }

    /// The step that this means in the position.
    fn step<G: Scripted>(self, position: &G) -> Result<Step<G::Action>, String> {
        match self {
            Move::Act(seat, word) => {
                let action = word.parse();
                let action = action.map_err(|error| format!("{word}: {error}"))?;
                Ok(Step::Play(seat, action))
            }
            Move::Chance(draw) => {
                let document = notation::value(draw)
                    .map_err(|expected| format!("expected {expected} in {draw:?}"))?;
                let mut faults = Faults::default();
                let draw = position.decode_draw(&Node::root(&document), &mut faults);
                let draw = faults.into_result(draw);
                draw.map(Step::Chance).map_err(|faults| faults.one_line())
            }
            Move::Deadline if position.turn() == Turn::Clock => {
                Err("expected an open decision, but the position waits for a tick".to_owned())
            }
            Move::Tick | Move::Ticks if !matches!(position.turn(), Turn::Clock | Turn::Over(_)) => {
                Err("the position does not wait for a tick".to_owned())
            }
            Move::Deadline | Move::Tick | Move::Ticks => Ok(Step::Deadline),
            Move::Leave(seats, cause) => Ok(Step::Leave(seats, cause)),
        }
    }
}

/// Checks that a step is refused with this code, changes nothing and causes nothing.
fn refused<G: Game>(position: &mut G, step: Step<G::Action>, code: &str) -> Result<(), String> {
    let (before, mut events) = (position.clone(), Vec::new());
    match position.apply(step, &mut events) {
        Ok(()) => Err(format!("expected the refusal {code}, but it was accepted")),
        Err(refusal) if refusal.code() != code => Err(format!(
            "expected the refusal {code}, found {}",
            refusal.code()
        )),
        Err(_) if *position != before || !events.is_empty() => {
            Err("it was refused and changed something".to_owned())
        }
        Err(_) => Ok(()),
    }
}
