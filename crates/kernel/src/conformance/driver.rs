//! Random matches with a visitor that sees every position.

use super::{Finding, Suite};
use crate::rng::Generator;
use crate::{Departure, Discard, Game, GameExt, Mask, SeatSet, Step, Turn};

/// The style of a random match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// Missing seats act, the deadline passes when none is missing, and nobody leaves.
    Orderly,
    /// Open seats act in any order and as often as they may, deadlines pass at any time, and
    /// occasionally a seat leaves.
    Wild,
}

/// Plays the suite's random matches, in both manners, and visits every position, including the
/// last. The visitor may draw from the match's generator.
pub(super) fn visit<G: Game>(
    suite: &Suite<G>,
    check: u64,
    mut visitor: impl FnMut(&G::Setup, &G, &mut Generator) -> Finding,
) -> Finding {
    for setup in &suite.setups {
        for match_idx in 0..suite.n_matches {
            let manner = [Manner::Wild, Manner::Orderly][match_idx as usize % 2];
            let mut rng = suite.rng(check, match_idx);
            let mut position = G::start(setup);
            let bound = G::steps_max(setup);
            for n_steps in 0.. {
                visitor(setup, &position, &mut rng)?;
                let Some(step) = next_step(&position, manner, &mut rng) else {
                    break;
                };
                if n_steps == bound {
                    return Err(format!(
                        "the match has not ended after {bound} steps: {position}"
                    ));
                }
                position
                    .apply(step, &mut Discard)
                    .map_err(|refusal| format!("{step:?} in {position}: {refusal}"))?;
            }
        }
    }
    Ok(())
}

/// A random step that the position accepts; `None` when the match is over.
pub(super) fn next_step<G: Game>(
    position: &G,
    manner: Manner,
    rng: &mut Generator,
) -> Option<Step<G::Action>> {
    let turn = position.turn();
    let asked = match (turn, manner) {
        (Turn::Over(_), _) => return None,
        (Turn::Chance, _) => return Some(Step::Chance(position.odds().draw(rng))),
        (_, Manner::Orderly) => turn.missing(),
        (_, Manner::Wild) => match rng.below(256) {
            0 => return Some(random_leave(position, rng)),
            1..24 => return Some(Step::Deadline),
            _ => turn.open(),
        },
    };
    let Some(seat) = random_seat(asked, rng) else {
        return Some(Step::Deadline);
    };
    let mut mask = Mask::default();
    position.fill_legal(seat, &mut mask);
    let action = mask.sample(rng).and_then(|id| position.action(id));
    Some(action.map_or(Step::Deadline, |action| Step::Play(seat, action)))
}

fn random_seat(seats: SeatSet, rng: &mut Generator) -> Option<crate::Seat> {
    let rank = rng.below(seats.len().max(1) as u64) as usize;
    seats.iter().nth(rank)
}

/// A departure of one or more seats that are still present.
fn random_leave<A, G: Game<Action = A>>(position: &G, rng: &mut Generator) -> Step<A> {
    let present = position.present();
    let some: SeatSet = present.iter().filter(|_| rng.below(2) == 0).collect();
    let seats = if some.is_empty() { present } else { some };
    let cause = Departure::ALL[rng.below(Departure::ALL.len() as u64) as usize];
    Step::Leave(seats, cause)
}
