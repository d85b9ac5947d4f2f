//! Resampling the facts that a viewer cannot know.

use kernel::rng::Generator;
use kernel::{Redraw, Seat, Viewer};

use crate::state::Player;
use crate::{Card, Layout, Orcain, Slot, Stage, Status};

impl Redraw for Orcain {
    /// A viewer cannot know other players' layouts before they are revealed, nor whether they are
    /// drafted or confirmed. Missed rounds are public once the round is final.
    fn redraw(&self, viewer: Viewer, rng: &mut Generator) -> Orcain {
        let mut drawn = *self;
        for seat in Orcain::SEATS {
            if viewer.is(seat) {
                continue;
            }
            let other = Orcain::other(seat);
            // Hidden facts of the other seat that are not redrawn yet must not influence this
            // draw.
            let settled = viewer.is(other) || other < seat;
            let other_confirmed = settled && drawn.player(other).status == Status::Confirmed;
            drawn.players[seat.index()] = match self.stage {
                Stage::Prep => self.redraw_prep(seat, other_confirmed, rng),
                Stage::Reveal => self.redraw_reveal(seat, rng),
            };
        }
        drawn
    }
}

impl Orcain {
    /// While layouts are being made a player may have done anything, except that both cannot have
    /// confirmed.
    fn redraw_prep(&self, seat: Seat, other_confirmed: bool, rng: &mut Generator) -> Player {
        let status = Status::ALL[rng.below(if other_confirmed { 2 } else { 3 }) as usize];
        let layout = match status {
            Status::Silent => Layout::EMPTY,
            Status::Drafted => self.complete(seat, 0, true, rng),
            Status::Confirmed => self.complete(seat, 0, false, rng),
        };
        Player {
            status,
            layout,
            n_drafts: self.redraw_n_drafts(status, rng),
            ..*self.player(seat)
        }
    }

    /// Once the layouts are final, the cards revealed so far are known, and so is a missed round.
    fn redraw_reveal(&self, seat: Seat, rng: &mut Generator) -> Player {
        let player = *self.player(seat);
        if player.status == Status::Silent {
            return player;
        }
        let layout = self.complete(seat, self.n_shown.into(), true, rng);
        let full = layout.full(self.setup.steps()).is_some();
        let confirmed = full && rng.below(2) == 1;
        let status = if confirmed {
            Status::Confirmed
        } else {
            Status::Drafted
        };
        Player {
            status,
            layout,
            n_drafts: self.redraw_n_drafts(status, rng),
            ..player
        }
    }

    fn redraw_n_drafts(&self, status: Status, rng: &mut Generator) -> u8 {
        let n_most = u64::from(self.setup.drafts_max);
        let n_drafts = match status {
            Status::Silent => 0,
            Status::Drafted => 1 + rng.below(n_most),
            Status::Confirmed => rng.below(n_most + 1),
        };
        n_drafts as u8
    }

    /// The seat's layout with the slots from `from` on drawn from the rest of the hand, or left
    /// empty if gaps are allowed.
    fn complete(&self, seat: Seat, from: usize, gaps: bool, rng: &mut Generator) -> Layout {
        let mut held = self.setup.hands[seat.index()].counts();
        let mut layout = Layout::EMPTY;
        for (idx, slot) in self.player(seat).layout.slots(from).enumerate() {
            layout = layout.with(idx, slot);
            if let Some(card) = slot {
                held[card as usize] -= 1;
            }
        }
        for idx in from..self.setup.steps() {
            let left = Card::ALL
                .into_iter()
                .filter(|card| held[*card as usize] > 0);
            let choices: Vec<Slot> = left.map(Some).chain(gaps.then_some(None)).collect();
            let slot = choices[rng.below(choices.len() as u64) as usize];
            layout = layout.with(idx, slot);
            if let Some(card) = slot {
                held[card as usize] -= 1;
            }
        }
        layout
    }
}
