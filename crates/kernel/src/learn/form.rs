//! In which form a position is shown to a policy.

use serde::Serialize;

/// What is told, and how seats are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// What is told.
    pub sight: Sight,
    /// How seats are numbered.
    pub frame: Frame,
}

/// What an observation tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// What the seat may know.
    #[default]
    Honest,
    /// What all seats know together: for teachers and critics, never for play.
    Full,
}

/// How seats are numbered in an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Frame {
    /// As the game numbers them, or from the own seat on where it has no other way.
    #[default]
    Given,
    /// From the own seat on: the own seat is always 0.
    Ego,
}

impl Sight {
    /// All of them.
    pub const ALL: [Sight; 2] = [Sight::Honest, Sight::Full];
    /// Their names.
    pub const NAMES: [&'static str; 2] = ["honest", "full"];
}

impl Frame {
    /// All of them.
    pub const ALL: [Frame; 2] = [Frame::Given, Frame::Ego];
    /// Their names.
    pub const NAMES: [&'static str; 2] = ["given", "ego"];
}
