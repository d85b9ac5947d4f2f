//! Positions and actions as short text, for tests, terminals and bug reports.
//!
//! An action is a verb and, after a colon, what it is done to: `roll`, `roll:3+4` (the dice are
//! forced: in test matches only), `robber:7`,
//! `road:12`, `free-road:12`, `settle:30`, `city:30`, `buy`, `knight`, `roads`,
//! `plenty:BRICK+ORE`, `monopoly:ORE`, `bank:ORE>WOOL`, `port3:ORE>WOOL`, `port2:ORE>WOOL`,
//! `offer:ORE>WOOL`, `end`, `first-settle:30`, `first-road:12`, `discard:ORE`, `accept`,
//! `decline`.

use std::fmt;
use std::str::FromStr;

use kernel::ActionId;

use crate::action::Rate;
use crate::state::bits;
use crate::{Action, Catan, Resource};

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::RollDice => f.write_str("roll"),
            Action::ForceDice(throw) => {
                let [first, second] = throw.faces();
                write!(f, "roll:{first}+{second}")
            }
            Action::MoveRobber(tile) => write!(f, "robber:{tile}"),
            Action::BuildRoad { edge, free: false } => write!(f, "road:{edge}"),
            Action::BuildRoad { edge, free: true } => write!(f, "free-road:{edge}"),
            Action::BuildSettlement(vertex) => write!(f, "settle:{vertex}"),
            Action::BuildCity(vertex) => write!(f, "city:{vertex}"),
            Action::BuyDevelopment => f.write_str("buy"),
            Action::PlayKnight => f.write_str("knight"),
            Action::PlayRoadBuilding => f.write_str("roads"),
            Action::PlayYearOfPlenty(plenty) => {
                let names: Vec<&str> = plenty.cards().map(Resource::name).collect();
                write!(f, "plenty:{}", names.join("+"))
            }
            Action::PlayMonopoly(resource) => write!(f, "monopoly:{}", resource.name()),
            Action::Trade(rate, swap) => {
                let verb = match rate {
                    Rate::Bank => "bank",
                    Rate::AnyPort => "port3",
                    Rate::OwnPort => "port2",
                };
                write!(f, "{verb}:{}>{}", swap.give().name(), swap.get().name())
            }
            Action::OfferTrade(swap) => {
                write!(f, "offer:{}>{}", swap.give().name(), swap.get().name())
            }
            Action::EndTurn => f.write_str("end"),
            Action::SetupSettlement(vertex) => write!(f, "first-settle:{vertex}"),
            Action::SetupRoad(edge) => write!(f, "first-road:{edge}"),
            Action::Discard(resource) => write!(f, "discard:{}", resource.name()),
            Action::AcceptTrade => f.write_str("accept"),
            Action::DeclineTrade => f.write_str("decline"),
        }
    }
}

/// The text was not an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAnAction;

impl fmt::Display for NotAnAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an action such as roll, settle:30, road:12, bank:ORE>WOOL or end")
    }
}

impl std::error::Error for NotAnAction {}

impl FromStr for Action {
    type Err = NotAnAction;

    fn from_str(text: &str) -> Result<Action, NotAnAction> {
        (0..Action::N_IN_TESTS)
            .filter_map(|idx| Action::with_id(ActionId::new(idx)))
            .find(|action| action.to_string() == text)
            .ok_or(NotAnAction)
    }
}

/// The turn, whose it is, the phase, and for each player the points, the cards and the
/// pieces.
impl fmt::Display for Catan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "t{} p{} {}",
            self.number,
            self.current,
            self.phase.name()
        )?;
        if let Some(due) = self.chance {
            write!(f, " due {}", due.name())?;
        }
        write!(f, " dice {:?} robber {}", self.dice, self.robber)?;
        for (seat, player) in Catan::SEATS.into_iter().zip(&self.players) {
            let list = |set: u128| {
                let ids: Vec<String> = bits(set).map(|id| id.to_string()).collect();
                ids.join(",")
            };
            write!(
                f,
                " | {seat}: {}+{}vp {:?} dev {:?} new {:?} played {:?} s{} c{} r{}",
                self.public_points(seat),
                player.hidden_points(),
                player.hand,
                player.devs,
                player.new_devs,
                player.played,
                list(player.settlements.into()),
                list(player.cities.into()),
                list(player.roads),
            )?;
        }
        match self.ending {
            Some(ending) => write!(f, " over: {}", ending.outcome()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_read_as_they_are_written() {
        for idx in 0..Action::N_IN_TESTS {
            let action = Action::with_id(ActionId::new(idx)).unwrap();
            assert_eq!(action.to_string().parse(), Ok(action));
        }
        assert_eq!("settle:54".parse::<Action>(), Err(NotAnAction));
    }
}
