//! The facts that a viewer may know.

use arrayvec::ArrayVec;
use kernel::{Outcome, Seat, Viewer, documents};
use schemars::JsonSchema;
use serde::Serialize;

use crate::layout::Slots;
use crate::{Ending, Hand, Orcain, Phase, STEPS_MAX, Slot, Status};

documents! {
    /// The facts that a viewer may know: everything but other players' layouts before they are
    /// revealed. The view does not even show whether the opponent has confirmed.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
    pub struct View of(at: &Orcain, viewer: Viewer) {
        /// The round, from 1.
        pub round: u8 = at.round,
        /// From this round on, different hit points decide the match.
        pub round_limit: u8 = at.setup.round_limit,
        /// The last round.
        pub round_cap: u8 = at.setup.round_cap,
        /// The phase of the match.
        pub phase: Phase = at.phase(),
        /// True once the limit has passed with equal hit points.
        pub sudden_death: bool = at.is_sudden_death(),
        /// The number of steps in a round.
        pub steps: u8 = at.setup.steps,
        /// Hit points by seat.
        pub hp: [u8; 2] = at.hp(),
        /// The maximum of hit points.
        pub max_hp: u8 = at.setup.max_hp,
        /// The hands by seat. They are part of the public setup.
        pub hands: [Hand; 2] = at.setup.hands,
        /// Rounds missed in a row, by seat; two lose the match.
        pub afk_streak: [u8; 2] = at.afk_streaks(),
        /// The viewer's own side; null for the public.
        pub own: Option<Own> = match viewer {
            Viewer::Seat(seat) => Orcain::SEATS.contains(&seat).then(|| Own::of(at, seat)),
            Viewer::Public => None,
        },
        /// The steps of this round that were revealed, in order.
        pub exchanges: ArrayVec<Exchange, STEPS_MAX> = {
            (0..at.n_shown.into()).map(|idx| Exchange::of(at, idx)).collect()
        },
        /// The outcome of the match, once it is over.
        pub outcome: Option<Outcome> = at.ending.map(Ending::outcome),
    }

    /// The viewer's own side.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Own of(at: &Orcain, seat: Seat) where (player = at.player(seat)) {
        /// True if a draft would be accepted now.
        pub can_draft: bool = at.can_draft(seat),
        /// The layout: a card or null for each step.
        #[schemars(length(min = 1))]
        pub layout: Slots = player.layout.slots(at.setup.steps()).collect(),
        /// The viewer's seat.
        #[serde(rename = "player_id")]
        pub seat: Seat = seat,
        /// The viewer's status in this round.
        pub status: Status = player.status,
    }

    /// A revealed step.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
    pub struct Exchange of(at: &Orcain, idx: usize) {
        /// The cards by seat; null for an empty slot.
        pub cards: [Slot; 2] = at.players.map(|player| player.layout.slot(idx)),
        /// Hit points before the step, by seat.
        pub hp_before: [u8; 2] = at.hp_after(idx),
        /// Hit points after the step, by seat.
        pub hp_after: [u8; 2] = at.hp_after(idx + 1),
    }
}
