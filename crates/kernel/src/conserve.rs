//! Invariants of a game that no step may break.

use crate::Game;

/// A game that can check its own invariants, for audits of very many matches.
///
/// Both checks look only at the position and return `None` unless the rules have a bug.
pub trait Conserve: Game {
    /// The first broken invariant. Must be cheap: it runs after every step.
    fn broken(&self) -> Option<String>;

    /// The first broken invariant among those that are more expensive to check.
    fn broken_in_depth(&self) -> Option<String> {
        None
    }
}
