//! Clients written before Referee. They play Orcain over Socket.IO.

use std::any::Any;

use catalog::{GameName, Orcain};
use kernel::Seat;
use session::{Live, Message, Ms, Say};
use wire::native::{MatchEnd, MatchFound};
use wire::old::{Context, Dialect};

use crate::voice::{Said, Voice};

pub(crate) const GAME: GameName = GameName::Orcain;

/// Returns the voice for an old client, or `None` if it cannot play the game.
pub(crate) fn voice<G: Live>(seat: Seat, found: &MatchFound) -> Option<Box<dyn Voice<G>>> {
    let dialect = Dialect::new(Context::of(seat, found));
    let voice: Box<dyn Voice<Orcain>> = Box::new(OldVoice { dialect });
    let voice: Box<dyn Any> = Box::new(voice);
    voice.downcast().ok().map(|voice| *voice)
}

struct OldVoice {
    dialect: Dialect,
}

impl Voice<Orcain> for OldVoice {
    /// The dialect sends this with the first standing, which has the hit points and the hand.
    fn found(&mut self, _: &MatchFound) -> Vec<String> {
        Vec::new()
    }

    fn tell(&mut self, message: Message<Orcain>, now: Ms) -> Vec<String> {
        self.dialect.tell(&message, now)
    }

    fn end(&mut self, end: &MatchEnd) -> Vec<String> {
        self.dialect.end(end)
    }

    fn receive(&mut self, said: Said) -> Option<Result<Say<Orcain>, String>> {
        let Said::Old(heard) = said else {
            return None;
        };
        let asked = self.dialect.ask(heard)?;
        Some(asked.map(|(client_seq, ask)| Say::Ask { client_seq, ask }))
    }
}
