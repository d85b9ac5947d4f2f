//! What a match is about, in tokens.

use kernel::{GameId, Outcome, Seat, Verdict};
use serde::Serialize;

/// What becomes of the stakes: exactly one for every match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Settlement {
    /// What makes doing it twice the same as once.
    pub key: SettlementKey,
    /// What each seat gets.
    pub shares: Vec<Share>,
    /// What nobody gets.
    pub burned: u64,
}

/// What one seat gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Share {
    /// Who.
    pub seat: Seat,
    /// How much.
    pub tokens: u64,
}

/// Which settlement it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct SettlementKey {
    /// Of which match.
    pub game_id: GameId,
    /// Of which kind.
    pub kind: SettlementKind,
}

/// What kind of settlement it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SettlementKind {
    /// The winners take the pot.
    Payout,
    /// Everybody lost: nobody takes it.
    Burn,
    /// A draw or a void: everybody gets the own stake back.
    Refund,
}

impl Settlement {
    /// What an outcome means for equal stakes of `n_seats` seats.
    pub(crate) fn of(outcome: &Outcome, game_id: GameId, n_seats: usize, stake: u64) -> Settlement {
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

    /// Everybody gets the own stake back.
    pub fn refund(game_id: GameId, n_seats: usize, stake: u64) -> Settlement {
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

    /// What a seat gets.
    pub fn share(&self, seat: Seat) -> u64 {
        let own = self.shares.iter().filter(|share| share.seat == seat);
        own.map(|share| share.tokens).sum()
    }
}

fn key(game_id: GameId, kind: SettlementKind) -> SettlementKey {
    SettlementKey { game_id, kind }
}

/// The pot in equal parts; what cannot be divided goes to the first winners, one each.
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
        Settlement::of(&outcome, GameId::from_random_bytes([7; 16]), n_seats, 5)
    }

    #[test]
    fn every_settlement_gives_out_the_whole_pot() {
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
