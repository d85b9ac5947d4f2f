//! Releases players who leave a match that continues without them.

use kernel::Seat;
use wire::native::ServerMessage;

use super::{Line, Room};
use crate::committer::Stopped;
use crate::hosted::Hosted;
use crate::voice::Speech;

impl<G: Hosted> Room<G> {
    /// Releases every player who has left, once that is durable. From then on they may play another
    /// match. This is repeated after a restart, because the first release may be lost.
    pub(super) async fn let_leavers_go(&mut self) -> Result<(), Stopped> {
        if self.session.outcome().is_some() {
            return Ok(());
        }
        let (version, durable) = (self.session.version(), self.session.durable());
        let present = self.session.position().present();
        for seat in Seat::first(self.chairs.len()) {
            let chair = &mut self.chairs[seat.index()];
            if present.contains(seat) || chair.is_left {
                continue;
            }
            // Bots may play faster than storage commits, so only events up to the departure count.
            if *chair.leaves_at.get_or_insert(version) <= durable {
                self.let_go(seat).await?;
            }
        }
        Ok(())
    }

    async fn let_go(&mut self, seat: Seat) -> Result<(), Stopped> {
        let chair = &mut self.chairs[seat.index()];
        chair.is_left = true;
        let link = chair.link.take();
        let Some(account) = chair.account else {
            return Ok(());
        };
        let game_id = self.session.game_id();
        let work = move |tx: &mut store::Tx<'_>| tx.release_seat(game_id, account);
        self.server.committer.run(work).await?;
        self.server.hub.free(game_id, std::iter::once(account));
        if let Some(link) = link {
            self.tell_left(&link.line, link.speech);
        }
        tracing::info!(match_id = %game_id, account = account.0, "a player left; the match continues");
        Ok(())
    }

    /// Notifies a client that its account has left the match. Old clients have no message for it.
    pub(super) fn tell_left(&self, line: &Line, speech: Speech) {
        let match_id = self.facts.match_id;
        if speech == Speech::Native {
            line.send(ServerMessage::<()>::Left { match_id }.write());
        }
    }
}
