//! Who leaves a match that goes on without them is let go.

use kernel::Seat;
use wire::native::ServerMessage;

use super::Room;
use crate::committer::Stopped;
use crate::hosted::Hosted;

impl<G: Hosted> Room<G> {
    /// Lets everybody go who has left, once that is durable: from then on they may play
    /// another match. After a restart it is done again, because the first time may be lost.
    pub(super) async fn let_leavers_go(&mut self) -> Result<(), Stopped> {
        let durable = self.session.durable() == self.session.version();
        if !durable || self.session.outcome().is_some() {
            return Ok(());
        }
        let present = self.session.position().present();
        for seat in Seat::first(self.chairs.len()) {
            if !present.contains(seat) && !self.chairs[seat.index()].is_left {
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
            let match_id = self.facts.match_id;
            link.line
                .send(ServerMessage::<()>::Left { match_id }.write());
        }
        tracing::info!(match_id = %game_id, account = account.0, "a player left, the match goes on");
        Ok(())
    }
}
