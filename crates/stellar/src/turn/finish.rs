//! The end of a turn, after every other update.

use kernel::{SeatSet, Sink};

use super::Presence;
use crate::event::Event;
use crate::state::{Ending, Stellar};

impl Stellar {
    /// Counts hills, reports eliminated factions, checks the conditions, and starts the next turn
    /// or ends the match.
    pub(super) fn finish_turn(&mut self, presence: &Presence, events: &mut impl Sink<Event>) {
        self.count_hills(presence, events);
        self.bury_factions(events);
        events.push(Event::Resolved { turn: self.turn });
        match self.decide() {
            Some(ending) => self.finish(ending, events),
            None => self.turn += 1,
        }
    }

    fn bury_factions(&mut self, events: &mut impl Sink<Event>) {
        let gone = |at: &Stellar| -> SeatSet {
            at.alive
                .iter()
                .filter(|seat| !at.has_anything(*seat))
                .collect()
        };
        for seat in gone(self).iter() {
            self.alive = self.alive.without(seat);
            events.push(Event::Eliminated { seat });
            if self.must_survive(seat) {
                events.push(Event::SurvivalFailed { seat });
            }
        }
    }

    pub(crate) fn finish(&mut self, ending: Ending, events: &mut impl Sink<Event>) {
        self.end = Some(ending);
        events.push(Event::Ended);
    }
}
