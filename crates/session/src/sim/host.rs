//! The parts of the host that survive a crash: its disk and its ledger.

use kernel::{Outcome, Seat, Verdict};

use super::draw::Draws;
use crate::{Event, Ms, Settlement};

/// Stored events. A crash may lose any suffix of those that are not yet durable.
#[derive(Default)]
pub(super) struct Disk {
    pub(super) events: Vec<Vec<u8>>,
    pub(super) n_durable: usize,
    /// Settlements that become durable with their events.
    settlements: Vec<(usize, Settlement)>,
    /// The time when it can be written again, during an outage.
    pub(super) down_until: Option<Ms>,
    /// The probe that waits for the end of the outage.
    pub(super) probe: Option<u64>,
    busy_until: Ms,
}

impl Disk {
    /// Accepts an event, which may or may not become durable.
    pub(super) fn take(&mut self, event: &Event) {
        self.events.push(event.bytes.clone());
        let settlement = event.settlement.clone();
        self.settlements
            .extend(settlement.map(|it| (self.events.len(), it)));
    }

    /// Makes the first events durable, and returns the settlements that take effect with them.
    pub(super) fn keep(&mut self, n_events: usize) -> Vec<Settlement> {
        self.n_durable = self.n_durable.max(n_events);
        let kept = self.settlements.iter();
        let n_kept = kept.take_while(|(at, _)| *at <= self.n_durable).count();
        self.settlements.drain(..n_kept).map(|(_, it)| it).collect()
    }

    /// The time when a write that begins now will be durable, unless an outage intervenes.
    pub(super) fn write(&mut self, now: Ms, draws: &mut Draws) -> Ms {
        let slow = if draws.permille(20) { 400 } else { 12 };
        self.busy_until = self.busy_until.max(now + draws.within(1, slow));
        self.busy_until
    }

    /// Loses a part of what was not durable when the process died, and returns its size. The rest
    /// is durable, although the process never learned of it.
    pub(super) fn tear(&mut self, draws: &mut Draws) -> usize {
        let n_pending = self.events.len() - self.n_durable;
        let n_lost = draws.within(0, n_pending as u64) as usize;
        self.events.truncate(self.events.len() - n_lost);
        self.settlements.retain(|(at, _)| *at <= self.events.len());
        n_lost
    }

    /// Flips a bit of the stored bytes.
    pub(super) fn rot(&mut self, draws: &mut Draws) -> bool {
        if self.events.is_empty() {
            return false;
        }
        let event = draws.within(0, self.events.len() as u64 - 1) as usize;
        let at = draws.within(0, self.events[event].len() as u64 - 1) as usize;
        self.events[event][at] ^= 1 << draws.within(0, 7);
        true
    }
}

/// Double-entry books: an account for each seat, the pot of the match, and the burned tokens.
pub(super) struct Ledger {
    accounts: Vec<u64>,
    stake: u64,
    pot: u64,
    burned: u64,
    settled: Option<Settlement>,
}

/// The balance of each seat before the match.
const ISSUED: u64 = 10;

impl Ledger {
    /// Opens the books and takes the stakes.
    pub(super) fn open(n_seats: usize, stake: u64) -> Ledger {
        Ledger {
            accounts: vec![ISSUED - stake; n_seats],
            stake,
            pot: stake * n_seats as u64,
            burned: 0,
            settled: None,
        }
    }

    pub(super) fn is_settled(&self) -> bool {
        self.settled.is_some()
    }

    pub(super) fn settlement(&self) -> Option<&Settlement> {
        self.settled.as_ref()
    }

    /// Settles. A second settlement changes nothing and must be equal to the first.
    pub(super) fn settle(&mut self, settlement: &Settlement) -> Result<(), String> {
        if let Some(done) = &self.settled {
            let same = done == settlement;
            return same.then_some(()).ok_or(format!(
                "{:?} settled twice, differently",
                settlement.key.kind
            ));
        }
        self.settled = Some(settlement.clone());
        let given: u64 = settlement.shares.iter().map(|share| share.tokens).sum();
        self.pot = self
            .pot
            .checked_sub(given + settlement.burned)
            .ok_or("the shares exceed the pot")?;
        self.burned += settlement.burned;
        for share in &settlement.shares {
            let account = self.accounts.get_mut(share.seat.index());
            *account.ok_or("a share for a seat that does not exist")? += share.tokens;
        }
        self.balanced()
    }

    fn balanced(&self) -> Result<(), String> {
        let sum = self.accounts.iter().sum::<u64>() + self.pot + self.burned;
        let issued = ISSUED * self.accounts.len() as u64;
        let balanced = sum == issued;
        balanced
            .then_some(())
            .ok_or(format!("{sum} tokens are left of {issued}"))
    }

    /// Checks the books at the end of a match: the pot is empty, and no token was made or lost.
    pub(super) fn check_end(&self) -> Result<(), String> {
        self.balanced()?;
        match (&self.settled, self.pot) {
            (Some(_), 0) => Ok(()),
            (None, pot) => Err(format!("never settled, {pot} tokens in the pot")),
            (Some(_), pot) => Err(format!("{pot} tokens left in the pot")),
        }
    }

    /// Checks that every seat has what an outcome gives it. The remainder of a division goes to the
    /// first winners, one token each.
    pub(super) fn check_shares(&self, outcome: &Outcome) -> Result<(), String> {
        let winners = outcome.winners();
        let pot = self.stake * self.accounts.len() as u64;
        let n_winners = winners.len().max(1) as u64;
        for (seat, &account) in Seat::first(self.accounts.len()).zip(&self.accounts) {
            let n_before = winners.iter().filter(|&it| it < seat).count() as u64;
            let tokens = match outcome.verdict {
                Verdict::Draw | Verdict::Void => self.stake,
                _ if !winners.contains(seat) => 0,
                _ => pot / n_winners + u64::from(n_before < pot % n_winners),
            };
            if account != ISSUED - self.stake + tokens {
                return Err(format!("seat {seat} has {account} after {outcome}"));
            }
        }
        Ok(())
    }
}
