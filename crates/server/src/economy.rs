//! The stake and rating of a match between people: see `docs/economy.md`.

use session::Account;
use store::{Mode, Pairing, Worth};
use wire::codes::ErrorCode;

use crate::hosted::Hosted;
use crate::ratings;
use crate::server::Server;
use crate::start::NotBegun;

/// A match before its terms are agreed.
pub(crate) struct Proposal<'a, G: Hosted> {
    pub(crate) accounts: &'a [Option<Account>],
    pub(crate) setup: &'a G::Setup,
    pub(crate) mode: Mode,
    pub(crate) stake: u64,
}

impl<G: Hosted> Proposal<'_, G> {
    /// The pairing to check against the bounds; `None` for a match from which nobody can gain.
    fn pairing(&self, at: session::Ms) -> Option<Pairing> {
        let rated = can_be_rated::<G>(self.setup, self.mode, self.accounts.len());
        let wanted = self.mode == Mode::Pvp && (rated || self.stake > 0);
        wanted.then(|| Pairing {
            game: G::NAME.to_owned(),
            accounts: self.accounts.iter().flatten().copied().collect(),
            stake: self.stake,
            points: rated.then_some(if G::HAS_LEAGUES {
                ratings::WIN_POINTS
            } else {
                0
            }),
            at,
        })
    }
}

/// True if matches of this kind are rated unless a bound forbids it: two people who play the
/// default setup.
pub(crate) fn can_be_rated<G: Hosted>(setup: &G::Setup, mode: Mode, n_seats: usize) -> bool {
    mode == Mode::Pvp && n_seats == 2 && *setup == G::Setup::default()
}

impl Server {
    /// Determines what a match may be played for under the bounds. A test match never counts. The
    /// accounts are reserved, so the answer stays valid until the match is stored.
    pub(crate) async fn weigh<G: Hosted>(
        &self,
        proposal: &Proposal<'_, G>,
    ) -> Result<(Option<Pairing>, Worth), NotBegun> {
        if G::start(proposal.setup).is_test() {
            return Ok((None, Worth::TEST));
        }
        let Some(pairing) = proposal.pairing(self.clock.now()) else {
            return Ok((None, Worth::default()));
        };
        let (asked, bounds) = (pairing.clone(), self.config.bounds);
        let worth = self.readers.read(move |tx| tx.worth(&asked, &bounds)).await;
        let worth = worth.map_err(|_| NotBegun::Refused(ErrorCode::Busy))?;
        Ok((Some(pairing), worth))
    }
}

#[cfg(test)]
mod simulation_tests;
