//! The people at their screens, and the bots.

use kernel::Game;
use kernel::{Seat, SeatSet};

use super::super::network::Happening;
use super::super::simulated::Simulated;
use super::World;
use crate::{Disposition, Input, Ms};

impl<S: Simulated> World<S> {
    /// True if the second seat is a person's and hides something.
    pub(in super::super) fn hides(&self) -> bool {
        self.terms.policy.people.contains(Seat::SECOND)
    }

    /// The seats that share a screen with this one.
    pub(super) fn screen(&self, seat: Seat) -> SeatSet {
        let people = self.terms.policy.people.iter();
        let account = self.terms.accounts[seat.index()];
        let same = |it: &Seat| self.terms.accounts[it.index()] == account;
        people.filter(same).collect()
    }

    /// The first seat at each screen.
    pub(super) fn screens(&self) -> Vec<Seat> {
        let people = self.terms.policy.people.iter();
        let first = |it: &Seat| self.screen(*it).lowest() == Some(*it);
        people.filter(first).collect()
    }

    pub(super) fn any_person(&mut self) -> Seat {
        let people: Vec<Seat> = self.terms.policy.people.iter().collect();
        self.draws.pick(&people)
    }

    /// Draws the time until a client next asks for news.
    pub(super) fn draw_poll_ms(&mut self) -> Ms {
        let turn_ms = self.terms.policy.pace.turn_ms;
        self.draws.within(turn_ms * 9 / 20, turn_ms * 4 / 5)
    }

    /// Schedules the bots that must still decide.
    pub(super) fn wake_bots(&mut self) {
        let people = self.terms.policy.people;
        let Some(session) = self
            .session
            .as_ref()
            .filter(|_| people.len() < self.bots.len())
        else {
            return;
        };
        let missing = session.position().turn().missing();
        let life = self.life;
        for seat in missing.iter().filter(|&seat| !people.contains(seat)) {
            if !self.thinking.contains(seat) {
                self.thinking = self.thinking.with(seat);
                let at = self.now + self.draws.within(20, 1_500);
                self.queue.push(at, Happening::Bot { life, seat });
            }
        }
    }

    pub(super) fn bot_decides(&mut self, seat: Seat) {
        // A decision of a process that has died would come on top of this one's.
        assert!(self.thinking.contains(seat), "the bot was not woken");
        self.thinking = self.thinking.without(seat);
        let Some(session) = &self.session else {
            return;
        };
        let position = session.position();
        if !position.turn().missing().contains(seat) {
            return;
        }
        let actions = S::bot(position, seat, &mut self.bots[seat.index()]);
        match self.handle(Input::Play { seat, actions }) {
            Some(Disposition::Done) => self.n_bot_decisions += 1,
            Some(Disposition::Refused(code)) => self.checker.wrong("refused_bot", code),
            _ => {}
        }
    }
}
