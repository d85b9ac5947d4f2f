//! Laws of a game that no step may break.

use crate::Game;

/// A game that knows what never changes in a match: for audits of very many matches.
///
/// Both checks look at the position alone and say nothing unless the rules have a fault.
pub trait Conserve: Game {
    /// The first law that is broken. Cheap: it is asked after every step.
    fn broken(&self) -> Option<String>;

    /// The first law that is broken among those that cost more to check.
    fn broken_in_depth(&self) -> Option<String> {
        None
    }
}
