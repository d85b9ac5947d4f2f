//! The server's side of jointly drawn seeds: see `kernel::fair`.
//!
//! Every connection receives the commitment to its own secret. A client that answers with a
//! contribution takes part in the seed of its next match; a client that does not plays as usual. A
//! commitment is used for one match, and the next one comes with that match.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kernel::Seat;
use kernel::fair::{Commitment, Opening, Part};
use session::Conn;
use wire::codes::ErrorCode;

use crate::secret;
use crate::start::Participant;

/// The secrets whose commitments were sent to connections.
#[derive(Default)]
pub(crate) struct SeedOffers {
    by_conn: Mutex<HashMap<Conn, Offer>>,
}

struct Offer {
    secret: Opening,
    contribution: Option<[u8; 32]>,
}

impl Offer {
    fn fresh() -> Offer {
        Offer {
            secret: Opening::new(secret::random(), secret::random()),
            contribution: None,
        }
    }
}

impl SeedOffers {
    fn by_conn(&self) -> MutexGuard<'_, HashMap<Conn, Offer>> {
        self.by_conn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the commitment for the next match over a connection, and creates it if needed.
    pub(crate) fn offer(&self, conn: Conn) -> Commitment {
        let mut offers = self.by_conn();
        let offer = offers.entry(conn).or_insert_with(Offer::fresh);
        offer.secret.commitment()
    }

    /// Returns the commitment for the next match, if the connection has one.
    pub(crate) fn offered(&self, conn: Conn) -> Option<Commitment> {
        let offers = self.by_conn();
        offers.get(&conn).map(|it| it.secret.commitment())
    }

    /// Stores a client's contribution for its next match; a second one replaces it. It must name
    /// the client's current commitment.
    pub(crate) fn contribute(
        &self,
        conn: Conn,
        commitment: Commitment,
        contribution: [u8; 32],
    ) -> Result<(), ErrorCode> {
        let mut offers = self.by_conn();
        let offer = offers.get_mut(&conn);
        let offer = offer.filter(|it| it.secret.commitment() == commitment);
        let offer = offer.ok_or(ErrorCode::SeedOfferUnknown)?;
        offer.contribution = Some(contribution);
        Ok(())
    }

    /// Draws the seed of a match, with the contributions of the participants who made one.
    pub(crate) fn draw(&self, participants: &[Participant]) -> Opening {
        let offers = self.by_conn();
        let mut drawn = HashSet::new();
        let mut parts = Vec::new();
        for (idx, participant) in participants.iter().enumerate() {
            // People who share a screen share its contribution.
            let (Participant::Person(_, conn), Some(seat)) = (participant, Seat::new(idx)) else {
                continue;
            };
            let offer = offers.get(conn).filter(|_| drawn.insert(*conn));
            if let Some((offer, bytes)) = offer.and_then(|it| Some((it, it.contribution?))) {
                parts.push(Part::new(seat, offer.secret.clone(), bytes));
            }
        }
        match parts.is_empty() {
            true => Opening::new(secret::random(), secret::random()),
            false => Opening::joint(parts, secret::random()),
        }
    }

    /// Gives a new commitment to each connection that took part in this seed.
    pub(crate) fn spend(&self, participants: &[Participant], opening: &Opening) {
        let contributions = opening.contributions();
        let mut offers = self.by_conn();
        for participant in participants {
            let Participant::Person(_, conn) = participant else {
                continue;
            };
            let Some(offer) = offers.get_mut(conn) else {
                continue;
            };
            let own = offer.secret.commitment();
            if contributions.iter().any(|it| it.commitment == own) {
                *offer = Offer::fresh();
            }
        }
    }

    pub(crate) fn forget(&self, conn: Conn) {
        self.by_conn().remove(&conn);
    }
}
