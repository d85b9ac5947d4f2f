//! The stakes of a match, in tokens, and their settlement.

use kernel::{MatchId, Outcome, Seat, Verdict};
use serde::Serialize;

/// The distribution of the stakes at the end of a match. Every match has exactly one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Settlement {
    /// Identifies the settlement, so that applying it twice has the same effect as once.
    pub key: SettlementKey,
    /// The payment to each seat.
    pub shares: Vec<Share>,
    /// The tokens that nobody gets.
    pub burned: u64,
}

/// The payment to one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Share {
    /// The seat that is paid.
    pub seat: Seat,
    /// The amount, in tokens.
    pub tokens: u64,
}

/// The idempotency key of a settlement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct SettlementKey {
    /// The match's id.
    pub game_id: MatchId,
    /// The kind of settlement.
    pub kind: SettlementKind,
}

/// The kind of a settlement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SettlementKind {
    /// The winners take the pot.
    Payout,
    /// Everybody lost, so the pot is burned.
    Burn,
    /// A draw or a void match: everybody gets their own stake back.
    Refund,
}

impl Settlement {
    /// The settlement of an outcome, with equal stakes of `n_seats` seats.
    pub(crate) fn of(
        outcome: &Outcome,
        game_id: MatchId,
        n_seats: usize,
        stake: u64,
    ) -> Settlement {
        let pot = stake * n_seats as u64;
        let settlement = match outcome.verdict {
            Verdict::Winner(_) | Verdict::Winners(_) => Settlement {
                key: key(game_id, SettlementKind::Payout),
                shares: split(pot, outcome),
                burned: 0,
            },
            Verdict::AllLose => Settlement {
                key: key(game_id, SettlementKind::Burn),
                shares: Vec::new(),
                burned: pot,
            },
            Verdict::Draw | Verdict::Void => Settlement::refund(game_id, n_seats, stake),
        };
        let paid: u64 = settlement.shares.iter().map(|it| it.tokens).sum();
        let out = paid + settlement.burned;
        assert_eq!(out, pot, "a settlement pays out the whole pot: {outcome:?}");
        settlement
    }

    /// Returns each seat's stake.
    pub fn refund(game_id: MatchId, n_seats: usize, stake: u64) -> Settlement {
        let share = |seat| Share {
            seat,
            tokens: stake,
        };
        Settlement {
            key: key(game_id, SettlementKind::Refund),
            shares: Seat::first(n_seats).map(share).collect(),
            burned: 0,
        }
    }

    /// The tokens that a seat gets; 0 if it has no share.
    pub fn share(&self, seat: Seat) -> u64 {
        let own = self.shares.iter().filter(|share| share.seat == seat);
        own.map(|share| share.tokens).sum()
    }
}

fn key(game_id: MatchId, kind: SettlementKind) -> SettlementKey {
    SettlementKey { game_id, kind }
}

/// The pot in equal parts; the remainder goes to the first winners, one token each.
fn split(pot: u64, outcome: &Outcome) -> Vec<Share> {
    let winners = outcome.winners();
    let n_winners = winners.len().max(1) as u64;
    let (each, rest) = (pot / n_winners, pot % n_winners);
    let share = |(nth, seat): (usize, Seat)| Share {
        seat,
        tokens: each + u64::from((nth as u64) < rest),
    };
    winners.iter().enumerate().map(share).collect()
}

#[cfg(test)]
mod tests {
    use kernel::SeatSet;

    use super::*;

    fn settle(verdict: Verdict, n_seats: usize) -> Settlement {
        let outcome = Outcome::decided(verdict, "test");
        Settlement::of(&outcome, MatchId::from_random_bytes([7; 16]), n_seats, 5)
    }

    #[test]
    fn every_settlement_distributes_the_whole_pot() {
        let three = SeatSet::first(3);
        for verdict in [
            Verdict::Winner(Seat::SECOND),
            Verdict::Winners(three.without(Seat::FIRST)),
            Verdict::Draw,
            Verdict::AllLose,
            Verdict::Void,
        ] {
            let settled = settle(verdict, 3);
            let given: u64 = settled.shares.iter().map(|share| share.tokens).sum();
            assert_eq!(given + settled.burned, 15, "{verdict:?}");
        }
    }

    #[test]
    fn a_token_that_cannot_be_divided_goes_to_the_first_winner() {
        let settled = settle(Verdict::Winners(SeatSet::first(2)), 3);
        assert_eq!(settled.share(Seat::FIRST), 8);
        assert_eq!(settled.share(Seat::SECOND), 7);
    }
}
