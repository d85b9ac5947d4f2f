//! The form in which a policy sees a position.

use serde::Serialize;

use crate::doc::Names;

/// The form of an observation: what it shows, and the numbering of seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// The information that the observation shows.
    pub sight: Sight,
    /// The numbering of seats.
    pub frame: Frame,
}

/// The information that an observation shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Names)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// Only what the seat may know.
    #[default]
    Honest,
    /// Everything that all seats know together: for teachers and critics, never for play.
    Full,
}

/// The numbering of seats in an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Names)]
#[serde(rename_all = "lowercase")]
pub enum Frame {
    /// The game's own numbering, or relative to the observing seat if that is all the game has.
    #[default]
    Given,
    /// Relative to the observing seat, which is always 0.
    Ego,
}
