//! Checks of what viewers and policies see.

use super::driver::visit;
use super::{Finding, Secrets, Suite};
use crate::doc::{Faults, Node};
use crate::rng::Generator;
use crate::{Event, Game, GameExt, Observe, Recorded, Redraw, Seat, Step, Turn, Viewer, json};

// Promise: No view, mask, observation or event leaks a secret.
/// For every viewer, redraws what that viewer cannot know and compares everything it sees. A redraw
/// that never changes anything proves nothing, and fails too.
pub(super) fn secrets_stay_secret<G: Observe + Redraw + Recorded>(suite: &Suite<G>) -> Finding {
    let mut n_changed = 0u64;
    visit(suite, 20, |setup, position, rng| {
        for viewer in Viewer::all(position.n_seats()) {
            let drawn = position.redraw(viewer, rng);
            n_changed += u64::from(drawn != *position);
            same_view(position, &drawn, viewer)?;
            if let Viewer::Seat(seat) = viewer {
                same_mask(position, &drawn, seat)?;
                same_observation(setup, position, &drawn, seat)?;
            }
            could_be(&drawn)?;
            same_news(position, &drawn, viewer, rng)?;
        }
        Ok(())
    })?;
    match (suite.secrets, n_changed) {
        (Secrets::Some, 0) => Err("redrawing never changed anything".to_owned()),
        (Secrets::None, 1..) => {
            Err("redrawing changed something in a game without secrets".to_owned())
        }
        _ => Ok(()),
    }
}

fn same_view<G: Game>(position: &G, drawn: &G, viewer: Viewer) -> Finding {
    let (was, is) = (position.view(viewer), drawn.view(viewer));
    let bytes = |view: &G::View| json::to_canonical(view).map_err(|error| error.to_string());
    if was != is || bytes(&was)? != bytes(&is)? || was.to_string() != is.to_string() {
        return Err(format!(
            "{viewer:?} can distinguish {position} from {drawn}:\n{was:?}\n{is:?}"
        ));
    }
    Ok(())
}

fn same_mask<G: Game>(position: &G, drawn: &G, seat: Seat) -> Finding {
    if position.legal(seat) != drawn.legal(seat) {
        return Err(format!(
            "seat {seat}'s mask distinguishes {position} from {drawn}"
        ));
    }
    Ok(())
}

fn same_observation<G: Observe>(setup: &G::Setup, position: &G, drawn: &G, seat: Seat) -> Finding {
    let n_values = G::observation(setup).len();
    let [mut was, mut is] = [vec![0; n_values], vec![0; n_values]];
    position.write_observation(seat, &mut was);
    drawn.write_observation(seat, &mut is);
    if was != is {
        return Err(format!(
            "seat {seat}'s observation distinguishes {position} from {drawn}"
        ));
    }
    Ok(())
}

/// The same draw must cause the same visible events in both positions, unless the views differ
/// afterwards.
fn same_news<G: Game>(position: &G, drawn: &G, viewer: Viewer, rng: &mut Generator) -> Finding {
    if position.turn() != Turn::Chance {
        return Ok(());
    }
    let step = Step::Chance(position.odds().draw(rng));
    let after = [position, drawn].map(|it| {
        let (mut after, mut events) = (it.clone(), Vec::new());
        let done = after.apply(step, &mut events);
        done.ok().map(|()| (after.view(viewer), events))
    });
    let [Some((was, news)), Some((is, other_news))] = after else {
        return Ok(());
    };
    let seen = |events: &[G::Event]| -> Vec<<G::Event as Event>::Seen> {
        events.iter().filter_map(|it| it.seen_by(viewer)).collect()
    };
    if was == is && seen(&news) != seen(&other_news) {
        return Err(format!(
            "{viewer:?} learns a secret from the events of {step:?}: {news:?} in \
             {position}, {other_news:?} in {drawn}"
        ));
    }
    Ok(())
}

/// A redrawn position must be valid: its snapshot can be restored.
fn could_be<G: Recorded>(drawn: &G) -> Finding {
    let document = json::from_value(&drawn.snapshot()).map_err(|error| error.to_string())?;
    let mut faults = Faults::default();
    let restored = G::restore(&Node::root(&document), &mut faults);
    match faults.into_result(restored) {
        Ok(restored) if restored == *drawn => Ok(()),
        Ok(restored) => Err(format!("{drawn} was drawn but is restored as {restored}")),
        Err(faults) => Err(format!("{drawn} was drawn but is invalid: {faults}")),
    }
}

// Promise: No view, mask, observation or event leaks a secret.
/// While a sealed turn lasts, no one else sees what a seat plays: the others see the same events,
/// if any, for every action.
pub(super) fn sealed_plays_are_silent<G: Game>(suite: &Suite<G>) -> Finding {
    visit(suite, 22, |_, position, rng| {
        let Turn::Sealed(sealed) = position.turn() else {
            return Ok(());
        };
        for seat in sealed.open.iter() {
            let mask = position.legal(seat);
            let played = [(); 2].map(|()| {
                let action = position.action(mask.sample(rng)?)?;
                let mut after = position.clone();
                let mut events: Vec<G::Event> = Vec::new();
                after.play(seat, action, &mut events).ok()?;
                // A play that ends the turn may be visible.
                let goes_on = matches!(after.turn(), Turn::Sealed(_))
                    && after.turn_number() == position.turn_number();
                goes_on.then_some(events)
            });
            let [Some(one), Some(other)] = played else {
                continue;
            };
            for viewer in Viewer::all(position.n_seats()).filter(|it| !it.is(seat)) {
                let seen = |events: &[G::Event]| -> Vec<<G::Event as Event>::Seen> {
                    events.iter().filter_map(|it| it.seen_by(viewer)).collect()
                };
                if seen(&one) != seen(&other) {
                    return Err(format!(
                        "{viewer:?} can see what seat {seat} plays in {position}: {one:?}, {other:?}"
                    ));
                }
            }
        }
        Ok(())
    })
}

/// Every value must be written, whatever the buffer held before, and lie in its block's range.
pub(super) fn observations_fit<G: Observe>(suite: &Suite<G>) -> Finding {
    visit(suite, 21, |setup, position, _| {
        let layout = G::observation(setup);
        if layout.is_empty() {
            return Err("the observation has no values".to_owned());
        }
        for seat in Seat::first(position.n_seats()) {
            let [mut over_low, mut over_high] =
                [i16::MIN, i16::MAX].map(|it| vec![it; layout.len()]);
            position.write_observation(seat, &mut over_low);
            position.write_observation(seat, &mut over_high);
            if over_low != over_high {
                return Err(format!(
                    "a value is not written for seat {seat} in {position}"
                ));
            }
            if let Some((block, value)) = layout.first_out_of_range(&over_low) {
                return Err(format!(
                    "{block} holds {value} for seat {seat} in {position}"
                ));
            }
        }
        Ok(())
    })
}
