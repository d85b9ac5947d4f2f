//! Positions and actions as short text, for tests, terminals and bug reports.
//!
//! An action is a verb and, after a colon, what it is done to. [`Vocabulary::forms`] lists them.

use std::fmt;
use std::str::FromStr;

use kernel::ActionId;
use kernel::words::{Vocabulary, WordForm, numbers_to, one_of};

use crate::action::Rate;
use crate::state::bits;
use crate::topology::{N_EDGES, N_TILES, N_VERTICES};
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
            Action::GiveCard(resource) => write!(f, "give:{}", resource.name()),
            Action::AskCard(resource) => write!(f, "ask:{}", resource.name()),
            Action::SendOffer => f.write_str("send"),
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
        (0..Action::N)
            .filter_map(|idx| Action::with_id(ActionId::new(idx)))
            .find(|action| action.to_string() == text)
            .ok_or(NotAnAction)
    }
}

impl Vocabulary for Action {
    fn forms() -> Vec<WordForm> {
        let plain = |word: &'static str, about: &str| WordForm::new(word, word, about);
        let mut forms = Vec::from(setup_forms());
        forms.extend([
            plain("roll", "Throw the dice."),
            WordForm::new(
                "roll:[1-6][+][1-6]",
                "roll:3+4",
                "Let the dice show these faces: in test matches only.",
            ),
            on("robber", N_TILES, "robber:7", "Move the robber to the tile"),
            card(
                "discard",
                "discard:ORE",
                "Give a card back after a seven; one word for each card.",
            ),
        ]);
        forms.extend(building_forms());
        forms.extend([
            plain("buy", "Buy a development card."),
            plain(
                "knight",
                "Play a knight; `robber` follows in the same decision.",
            ),
            plain(
                "roads",
                "Play road building; `free-road` follows, twice if there is room.",
            ),
            WordForm::new(
                format!("plenty:{}", plenties()),
                "plenty:BRICK+ORE",
                "Play a year of plenty for two cards of the bank, or for one if it has no more. \
                 The order is BRICK, LUMBER, WOOL, GRAIN, ORE.",
            ),
            card("monopoly", "monopoly:ORE", "Play a monopoly on a resource."),
        ]);
        forms.extend(trading_forms());
        forms.push(plain("end", "End the turn."));
        forms
    }
}

fn setup_forms() -> [WordForm; 2] {
    [
        on(
            "first-settle",
            N_VERTICES,
            "first-settle:30",
            "Place one of the first two settlements on the vertex",
        ),
        on(
            "first-road",
            N_EDGES,
            "first-road:12",
            "Lay one of the first two roads on the edge",
        ),
    ]
}

fn building_forms() -> [WordForm; 4] {
    [
        on("road", N_EDGES, "road:12", "Lay a road on the edge"),
        on(
            "free-road",
            N_EDGES,
            "free-road:12",
            "Lay a road that a card pays for on the edge",
        ),
        on("settle", N_VERTICES, "settle:30", "Settle the vertex"),
        on(
            "city",
            N_VERTICES,
            "city:30",
            "Make a city of the own settlement on the vertex",
        ),
    ]
}

fn trading_forms() -> [WordForm; 9] {
    let swap = |verb: &str, example, about: &str| {
        let about = format!("{about}: what is given stands first.");
        WordForm::new(format!("{verb}:{}", swaps()), example, about)
    };
    [
        swap("bank", "bank:ORE>WOOL", "Give the bank four cards for one"),
        swap(
            "port3",
            "port3:ORE>WOOL",
            "Give three cards for one, with a harbour for every resource",
        ),
        swap(
            "port2",
            "port2:ORE>WOOL",
            "Give two cards for one, with the harbour of the resource",
        ),
        swap(
            "offer",
            "offer:ORE>WOOL",
            "Offer the other a card for a card",
        ),
        card(
            "give",
            "give:ORE",
            "Put a card on the own side of an offer of three cards or more, one word for each card. \
             The order is BRICK, LUMBER, WOOL, GRAIN, ORE; `ask` follows in the same decision. \
             Neither side has more than five cards, and no resource stands on both.",
        ),
        card(
            "ask",
            "ask:WOOL",
            "Ask for a card in such an offer, one word for each card in the same order; `send` \
             follows in the same decision.",
        ),
        WordForm::new("send", "send", "Send the offer to the other."),
        WordForm::new("accept", "accept", "Take the offer of the other."),
        WordForm::new("decline", "decline", "Leave the offer of the other."),
    ]
}

/// A verb with one of so many places.
fn on(verb: &str, n_places: usize, example: &'static str, about: &str) -> WordForm {
    let last = n_places as u32 - 1;
    WordForm::new(
        format!("{verb}:{}", numbers_to(last)),
        example,
        format!("{about} with this id (0 to {last})."),
    )
}

/// A verb with a resource.
fn card(verb: &str, example: &'static str, about: &str) -> WordForm {
    WordForm::new(
        format!("{verb}:{}", one_of(Resource::NAMES)),
        example,
        about,
    )
}

/// Two different resources.
fn swaps() -> String {
    one_of(Resource::NAMES.map(|give| {
        let others = Resource::NAMES.into_iter().filter(|it| *it != give);
        format!("{give}>{}", one_of(others))
    }))
}

/// One resource, or two in the order of their list.
fn plenties() -> String {
    let names = Resource::NAMES.iter().enumerate();
    one_of(names.map(|(idx, first)| {
        let second = one_of(&Resource::NAMES[idx..]);
        format!("{first}([+]{second})?")
    }))
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
        for idx in 0..Action::N {
            let action = Action::with_id(ActionId::new(idx)).unwrap();
            assert_eq!(action.to_string().parse(), Ok(action));
        }
        assert_eq!("settle:54".parse::<Action>(), Err(NotAnAction));
    }
}
