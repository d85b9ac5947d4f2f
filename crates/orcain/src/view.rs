//! The facts that a viewer may know.

use std::fmt;

use arrayvec::ArrayVec;
use kernel::{Outcome, Seat, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::layout::Slots;
use crate::{AFK_ROUNDS_MAX, Card, Ending, Hand, Orcain, Phase, STEPS_MAX, Slot, Status};

/// The facts that a viewer may know: everything but other players' layouts before they are
/// revealed. The view does not even show whether the opponent has confirmed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct View {
    /// The round, from 1.
    pub round: u8,
    /// From this round on, different hit points decide the match.
    pub round_limit: u8,
    /// The last round.
    pub round_cap: u8,
    /// The phase of the match.
    pub phase: Phase,
    /// True once the limit has passed with equal hit points.
    pub sudden_death: bool,
    /// The number of steps in a round.
    pub steps: u8,
    /// Hit points by seat.
    pub hp: [u8; 2],
    /// The maximum of hit points.
    pub max_hp: u8,
    /// The hands by seat. They are part of the public setup.
    pub hands: [Hand; 2],
    /// Rounds missed in a row, by seat; two lose the match.
    pub afk_streak: [u8; 2],
    /// The viewer's own side; null for the public.
    pub own: Option<Own>,
    /// The steps of this round that were revealed, in order.
    pub exchanges: ArrayVec<Exchange, STEPS_MAX>,
    /// The outcome of the match, once it is over.
    pub outcome: Option<Outcome>,
}

/// The viewer's own side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Own {
    /// True if a draft would be accepted now.
    pub can_draft: bool,
    /// The layout: a card or null for each step.
    #[schemars(length(min = 1))]
    pub layout: Slots,
    /// The viewer's seat.
    #[serde(rename = "player_id")]
    pub seat: Seat,
    /// The viewer's status in this round.
    pub status: Status,
}

/// A revealed step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Exchange {
    /// The cards by seat; null for an empty slot.
    pub cards: [Slot; 2],
    /// Hit points before the step, by seat.
    pub hp_before: [u8; 2],
    /// Hit points after the step, by seat.
    pub hp_after: [u8; 2],
}

impl Orcain {
    pub(crate) fn view_for(&self, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(seat) => Orcain::SEATS.contains(&seat).then(|| self.own(seat)),
            Viewer::Public => None,
        };
        View {
            round: self.round,
            round_limit: self.setup.round_limit,
            round_cap: self.setup.round_cap,
            phase: self.phase(),
            sudden_death: self.is_sudden_death(),
            steps: self.setup.steps,
            hp: self.hp(),
            max_hp: self.setup.max_hp,
            hands: self.setup.hands,
            afk_streak: self.afk_streaks(),
            own,
            exchanges: (0..self.n_shown.into())
                .map(|idx| self.exchange(idx))
                .collect(),
            outcome: self.ending.map(Ending::outcome),
        }
    }

    fn own(&self, seat: Seat) -> Own {
        let player = self.player(seat);
        Own {
            can_draft: self.can_draft(seat),
            layout: player.layout.slots(self.setup.steps()).collect(),
            seat,
            status: player.status,
        }
    }

    fn exchange(&self, idx: usize) -> Exchange {
        Exchange {
            cards: self.players.map(|player| player.layout.slot(idx)),
            hp_before: self.hp_after(idx),
            hp_after: self.hp_after(idx + 1),
        }
    }
}

/// A few lines for the terminal.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Round {} of {}", self.round, self.round_limit)?;
        if self.sudden_death {
            f.write_str(", sudden death")?;
        }
        writeln!(f, " · {}", self.phase.name())?;
        for seat in Orcain::SEATS {
            self.write_player(seat, f)?;
        }
        for (idx, step) in self.exchanges.iter().enumerate() {
            let [first, second] = step.cards.map(name);
            let ([was_0, was_1], [hp_0, hp_1]) = (step.hp_before, step.hp_after);
            writeln!(
                f,
                "  step {}: {first:7} – {second:7}   {was_0} → {hp_0}, {was_1} → {hp_1}",
                idx + 1
            )?;
        }
        match self.outcome {
            Some(outcome) => writeln!(f, "Over: {outcome}"),
            None => Ok(()),
        }
    }
}

impl View {
    fn write_player(&self, seat: Seat, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hp, max) = (self.hp[seat.index()], self.max_hp);
        let bar: String = (0..max)
            .map(|point| if point < hp { '█' } else { '·' })
            .collect();
        let hand: String = self.hands[seat.index()]
            .cards()
            .map(Card::letter)
            .iter()
            .collect();
        write!(f, "  seat {seat} {bar} {hp}/{max}  hand {hand}")?;
        if let Some(own) = self.own.as_ref().filter(|own| own.seat == seat) {
            let letter = |slot: &Slot| slot.map_or('-', Card::letter);
            let layout: String = own.layout.iter().map(letter).collect();
            write!(f, "  you: {layout} ({})", own.status.name())?;
        }
        if self.afk_streak[seat.index()] + 1 == AFK_ROUNDS_MAX {
            f.write_str("  missed a round: one more loses the match")?;
        }
        writeln!(f)
    }
}

fn name(slot: Slot) -> &'static str {
    slot.map_or("nothing", |card| card.name())
}
