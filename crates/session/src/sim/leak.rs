//! Checks that secrets stay hidden, by playing the same match with a different secret in a seat.

use super::simulated::Simulated;
use super::world::{Transcript, World};
use super::{Plan, Violation};
use kernel::Game;

/// Plays a match twice up to the reveal of the second seat's secret, with different secrets, and
/// compares what the first seat and the public received: every byte, every length, every time.
/// Returns `None` if there is nothing to hide: the game has no such secret, or the second seat is a
/// bot's.
pub(super) fn check<S: Simulated>(seed: u64, plan: &Plan) -> Option<Result<(), Violation>> {
    S::SHOWS?;
    let first = transcript::<S>(seed, plan, seed)?;
    let second = transcript::<S>(seed, plan, !seed)?;
    if first == second {
        return Some(Ok(()));
    }
    let shown =
        |it: &Transcript| format!("{} bytes in {} messages", it.bytes.len(), it.times.len());
    Some(Err(Violation {
        game: <S::Game>::NAME,
        seed,
        code: "leaked_secret",
        message: format!(
            "a different secret in the second seat changes the messages: {} and {}",
            shown(&first),
            shown(&second)
        ),
    }))
}

fn transcript<S: Simulated>(seed: u64, plan: &Plan, secret: u64) -> Option<Transcript> {
    let mut world = World::<S>::with_secret(seed, plan, secret);
    world.hides().then(|| {
        world.transcript = Some(Transcript::default());
        world.run();
        world.transcript.take().unwrap_or_default()
    })
}
