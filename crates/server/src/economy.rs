//! What a match between people may be for: see `docs/economy.md`.

use session::Account;
use store::{Mode, Pairing, Worth};
use wire::codes::ErrorCode;

use crate::hosted::Hosted;
use crate::ratings;
use crate::server::Server;
use crate::start::NotBegun;

/// What is known of a match before its terms are agreed.
pub(crate) struct Proposal<'a, G: Hosted> {
    pub(crate) accounts: &'a [Option<Account>],
    pub(crate) setup: &'a G::Setup,
    pub(crate) mode: Mode,
    pub(crate) stake: u64,
}

impl<G: Hosted> Proposal<'_, G> {
    /// What the bounds are asked about; nothing for a match that nobody can gain by.
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

/// Whether matches of this kind are rated where no bound is against it: two people who play the
/// standard setup.
pub(crate) fn can_be_rated<G: Hosted>(setup: &G::Setup, mode: Mode, n_seats: usize) -> bool {
    mode == Mode::Pvp && n_seats == 2 && *setup == G::Setup::default()
}

impl Server {
    /// The bounds that a match would pass; a test match counts for nothing, whoever plays it. The
    /// accounts are set aside, so nothing changes this until the match is written down.
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
