//! People who share a screen: only the player in front of it sees their cards.

use kernel::Seat;
use session::{Input, Say};
use wire::codes::ErrorCode;

use super::Room;
use super::chairs::{Arrival, Curtain};
use crate::committer::Stopped;
use crate::hosted::Hosted;

impl<G: Hosted> Room<G> {
    /// Returns the seat, of those at one screen, that the match waits for, or else the first.
    pub(super) fn front_of(&self, seats: &[Seat]) -> Option<Seat> {
        let missing = self.session.position().turn().missing();
        let mut waited = seats.iter().filter(|it| missing.contains(**it));
        waited.next().or(seats.first()).copied()
    }

    /// Moves the client to another seat at its screen, whose player now sits in front of it.
    pub(super) async fn sit(&mut self, from: Seat, wanted: u8) -> Result<(), Stopped> {
        let account = self.chairs[from.index()].account;
        let seats = account.map(|it| self.seats_of(it)).unwrap_or_default();
        let own = seats.iter().find(|it| it.index() == usize::from(wanted));
        let to = own.filter(|it| self.may_sit(**it)).copied();
        let Some(link) = self.chairs[from.index()].link.take() else {
            return Ok(());
        };
        let Some(to) = to else {
            let refusal = wire::native::refuse(ErrorCode::WrongSeat, None);
            link.line.send(refusal);
            self.chairs[from.index()].link = Some(link);
            return Ok(());
        };
        let arrival = Arrival {
            next_seq: None,
            resumed: true,
            tokens: link.tokens,
            curtain: Curtain::Open,
        };
        let conn = link.line.conn();
        let Some((link, frames)) = self.link(to, link.line, link.speech, &arrival) else {
            return Ok(());
        };
        link.send(frames);
        self.chairs[to.index()].link = Some(link);
        let say = Say::Resync { seen: 0 };
        let input = Input::Say {
            seat: to,
            conn,
            say,
        };
        self.handle(input).await.map(drop)
    }

    /// True if the match waits for this seat. Once a match is over, nothing is hidden any more.
    fn may_sit(&self, seat: Seat) -> bool {
        let position = self.session.position();
        self.session.outcome().is_some() || position.turn().missing().contains(seat)
    }
}
