//! Invariants of a game that no step may break.

use crate::Game;

/// The checks of a game for audits of very many matches, besides those that fit every game. A game
/// without invariants of its own keeps the defaults.
///
/// Checks look only at the position and return `None` unless the rules have a bug.
pub trait Conserve: Game {
    /// The first broken invariant. Must be cheap: it runs after every step.
    fn broken(&self) -> Option<String> {
        None
    }

    /// The first broken invariant among those that are more expensive to check.
    fn broken_in_depth(&self) -> Option<String> {
        None
    }

    /// The setups of an audit that names none: the standard setup, and others that between them
    /// change the rules as far as possible. At least one.
    fn audited_setups() -> Vec<Self::Setup> {
        vec![Self::Setup::default()]
    }
}
