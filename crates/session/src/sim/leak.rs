//! Hidden stays hidden: the same match with other cards in the other seat.

use super::world::{Transcript, World};
use super::{Plan, Violation};

/// Plays a match twice up to the first reveal, with other cards for the second seat, and
/// compares what the first seat and the public were sent: every byte, every length, every
/// time.
pub(super) fn check(seed: u64, plan: &Plan) -> Option<Violation> {
    let first = transcript(seed, plan, seed);
    let second = transcript(seed, plan, !seed);
    if first == second {
        return None;
    }
    let shown =
        |it: &Transcript| format!("{} bytes in {} messages", it.bytes.len(), it.times.len());
    Some(Violation {
        seed,
        code: "leaked_layout",
        message: format!(
            "other cards in the other seat change what is sent: {} and {}",
            shown(&first),
            shown(&second)
        ),
    })
}

fn transcript(seed: u64, plan: &Plan, cards: u64) -> Transcript {
    let mut world = World::with_cards(seed, plan, cards);
    world.transcript = Some(Transcript::default());
    world.run();
    world.transcript.take().unwrap_or_default()
}
