//! Checks of shortcuts: a game that offers one must do exactly what the plain rules do.

use super::driver::{Manner, next_step, visit};
use super::{Finding, Suite};
use crate::{Discard, Game, GameExt, Mask, Seat, Turn};

/// A game's own `pass_time_trusted` must do the same as single deadlines, with the same events.
pub(super) fn time_passes<G: Game>(suite: &Suite<G>) -> Finding {
    visit(suite, 7, |_, position, _| {
        let by_default = |position: &mut G, events: &mut Vec<G::Event>| {
            let mut n_passed = 0;
            while matches!(position.turn(), Turn::Clock) {
                position.deadline_trusted(events);
                n_passed += 1;
            }
            n_passed
        };
        let mut dropped = position.clone();
        let passed = dropped.pass_time_trusted(&mut Discard);
        agree(
            "passing time",
            position,
            by_default,
            G::pass_time_trusted,
            (dropped, passed),
        )
    })
}

/// A game's own `play_sealed_trusted` must do the same as single plays and deadlines, with the same
/// events.
pub(super) fn sealed_decisions_play_together<G: Game>(suite: &Suite<G>) -> Finding {
    visit(suite, 9, |_, position, rng| {
        let Turn::Sealed(sealed) = position.turn() else {
            return Ok(());
        };
        let draw = |seat: Seat| {
            let id = position.legal(seat).sample(rng)?;
            Some((seat, position.action(id)?))
        };
        let plays: Vec<(Seat, G::Action)> = sealed.missing.iter().filter_map(draw).collect();
        let by_default = |position: &mut G, events: &mut Vec<G::Event>| {
            for &(seat, action) in &plays {
                position.play_trusted(seat, action, events);
            }
            let mut n_passed = 0;
            while waits_for_time(&position.turn()) {
                position.deadline_trusted(events);
                n_passed += 1;
            }
            n_passed
        };
        let mut dropped = position.clone();
        let passed = dropped.play_sealed_trusted(&plays, &mut Discard);
        agree(
            "playing together",
            position,
            by_default,
            |position, events| position.play_sealed_trusted(&plays, events),
            (dropped, passed),
        )
    })
}

/// True if no seat is missing, so that a driver without a clock lets the deadline pass.
fn waits_for_time(turn: &Turn) -> bool {
    match turn {
        Turn::Clock => true,
        Turn::Sealed(sealed) => sealed.missing.is_empty(),
        Turn::Seat(_) | Turn::Chance | Turn::Over(_) => false,
    }
}

/// Compares a shortcut with the plain rules, and with what it does if its events are dropped: the
/// positions, the numbers of deadlines and the events.
fn agree<G: Game>(
    what: &str,
    position: &G,
    plain: impl FnOnce(&mut G, &mut Vec<G::Event>) -> u64,
    shortcut: impl FnOnce(&mut G, &mut Vec<G::Event>) -> u64,
    dropped: (G, u64),
) -> Finding {
    let (mut slow, mut slow_events) = (position.clone(), Vec::new());
    let n_slow = plain(&mut slow, &mut slow_events);
    let (mut fast, mut fast_events) = (position.clone(), Vec::new());
    let n_fast = shortcut(&mut fast, &mut fast_events);
    let slow = (slow, n_slow);
    if (&fast, &n_fast, &fast_events) == (&slow.0, &slow.1, &slow_events) && dropped == slow {
        return Ok(());
    }
    let (dropped, n_dropped) = dropped;
    let (slow, n_slow) = slow;
    Err(format!(
        "{what} turns {position} into {fast} with {n_fast} deadlines and {fast_events:?}, and without \
         events into {dropped} with {n_dropped}, single steps into {slow} with {n_slow} and \
         {slow_events:?}"
    ))
}

/// A step whose events are dropped leads to the same position as one whose events are kept.
pub(super) fn events_have_no_effect<G: Game>(suite: &Suite<G>) -> Finding {
    visit(suite, 10, |_, position, rng| {
        let Some(step) = next_step(position, Manner::Wild, rng) else {
            return Ok(());
        };
        let (mut kept, mut dropped) = (position.clone(), position.clone());
        kept.apply_trusted(step, &mut Vec::new());
        dropped.apply_trusted(step, &mut Discard);
        match kept == dropped {
            true => Ok(()),
            false => Err(format!(
                "{step:?} turns {position} into {kept}, but into {dropped} if its events are dropped"
            )),
        }
    })
}

/// A game's own choices must be what its mask allows.
pub(super) fn choices_agree_with_the_mask<G: Game>(suite: &Suite<G>) -> Finding {
    let mut mask = Mask::default();
    visit(suite, 11, |_, position, _| {
        for seat in Seat::first(position.n_seats()) {
            let Some(choices) = position.choices(seat) else {
                continue;
            };
            position.fill_legal(seat, &mut mask);
            let allowed = mask.iter().map(|id| (id, position.action(id)));
            let listed = choices.listed().iter();
            let same = listed.map(|&(id, action)| (id, Some(action))).eq(allowed);
            if !same || *choices.mask() != mask {
                return Err(format!(
                    "seat {seat} has the choices {:?}, but the mask {mask:?} in {position}",
                    choices.mask()
                ));
            }
        }
        Ok(())
    })
}
