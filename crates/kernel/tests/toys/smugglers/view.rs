//! The view of a position.

use std::fmt;

use kernel::{Outcome, Seat, Viewer};
use serde::Serialize;

use super::{Due, End, Goods, KINDS, Phase, Smugglers, count};

/// The part of a position that a viewer may see: its own goods, and the number of the others'.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The viewer's own hand; `None` for the public.
    pub hand: Option<Goods>,
    /// The number of goods of each seat.
    pub n_hand: [u8; 2],
    /// The number of goods in the bag.
    pub n_bag: u8,
    pub points: [u8; 2],
    /// The turn, from 1.
    pub turn: u16,
    /// The seat whose turn it is.
    pub roller: Seat,
    /// The outcome, once the match is over.
    pub outcome: Option<Outcome>,
    phase: Phase,
    due: Option<Due>,
}

impl View {
    pub(super) fn of(position: &Smugglers, viewer: Viewer) -> View {
        let hand = match viewer {
            Viewer::Seat(seat) => Some(position.hand(seat)),
            Viewer::Public => None,
        };
        View {
            hand,
            n_hand: position.hands.map(count),
            n_bag: count(position.bag),
            points: position.points,
            turn: position.turn,
            roller: position.roller(),
            outcome: position.end.map(End::outcome),
            phase: position.phase,
            due: position.due,
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = Phase::NAMES[self.phase as usize];
        let [first, second] = self.n_hand;
        write!(f, "turn {} {phase}: {first} and {second} goods", self.turn)?;
        write!(f, ", {} in the bag, points {:?}", self.n_bag, self.points)?;
        if let Some(due) = self.due {
            write!(f, ", seat {} must return {}", due.seat, due.n_left)?;
        }
        if let Some(hand) = self.hand {
            let names = KINDS.iter().zip(hand);
            names
                .into_iter()
                .try_for_each(|(name, n)| write!(f, ", {n} {name}"))?;
        }
        match self.outcome {
            Some(outcome) => write!(f, ", {outcome}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Smugglers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = Phase::NAMES[self.phase as usize];
        let (hands, bag) = (self.hands, self.bag);
        write!(f, "t{} {phase} {hands:?} of {bag:?}", self.turn)?;
        write!(f, " {:?} {:?}", self.points, self.end)
    }
}
