//! Checks of memory use.

use super::{Finding, Memory, Suite};
use crate::rng::Generator;
use crate::{Discard, Game, GameExt, Mask, Step, Turn};

// Promise: A step allocates nothing, and a position stays within its budget of bytes.
/// Plays matches with a reused mask and counts the allocations of the steps.
pub(super) fn steps_do_not_allocate<G: Game>(suite: &Suite<G>) -> Finding {
    if suite.memory == Memory::PerStep {
        return Ok(());
    }
    for setup in &suite.setups {
        let mut mask = Mask::default();
        let mut warm_up = G::start(setup);
        let n_steps_max = G::steps_max(setup);
        let mut rng = suite.rng(30, u32::MAX);
        play_on(&mut warm_up, n_steps_max, &mut mask, &mut rng);
        for match_idx in 0..suite.n_matches {
            let mut position = G::start(setup);
            let mut rng = suite.rng(30, match_idx);
            let mut play = || play_on(&mut position, n_steps_max, &mut mask, &mut rng);
            let n = (suite.count_allocations)(&mut play);
            if n > 0 {
                return Err(format!("{n} allocations on the way to {position}"));
            }
        }
    }
    Ok(())
}

/// Plays to the end with trusted steps, without a recorder, events or views. Ignores a match that
/// does not end: another check reports that.
fn play_on<G: Game>(position: &mut G, n_steps_max: u64, mask: &mut Mask, rng: &mut Generator) {
    for _ in 0..n_steps_max {
        let turn = position.turn();
        let step = match turn {
            Turn::Over(_) => return,
            Turn::Chance => Step::Chance(position.odds().draw(rng)),
            _ => match turn.missing().lowest() {
                None => Step::Deadline,
                Some(seat) => {
                    position.fill_legal(seat, mask);
                    let action = mask.sample(rng).and_then(|id| position.action(id));
                    action.map_or(Step::Deadline, |action| Step::Play(seat, action))
                }
            },
        };
        position.apply_trusted(step, &mut Discard);
    }
}

// Promise: A step allocates nothing, and a position stays within its budget of bytes.
pub(super) fn position_is_small<G: Game>(suite: &Suite<G>) -> Finding {
    let (n_bytes, most) = (size_of::<G>(), suite.position_bytes_max);
    if n_bytes > most {
        return Err(format!(
            "a position has {n_bytes} bytes, but at most {most} are allowed"
        ));
    }
    Ok(())
}
