//! Positions and actions as short text, for tests, terminals and bug reports.
//!
//! An action is a verb, followed by a colon and its target if it has one. [`Vocabulary::forms`]
//! lists all forms.

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

/// The text is not an action.
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
            plain("roll", "Roll the dice."),
            WordForm::new(
                "roll:[1-6][+][1-6]",
                "roll:3+4",
                "Roll the dice with these faces. Test matches only.",
            ),
            on("robber", N_TILES, "robber:7", "Move the robber to the tile"),
            card(
                "discard",
                "discard:ORE",
                "Discard a card after a seven; one word for each card.",
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
                "Play a year of plenty for two cards from the bank, or one if it has no more. \
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
            "Place one of the two initial settlements on the vertex",
        ),
        on(
            "first-road",
            N_EDGES,
            "first-road:12",
            "Place one of the two initial roads on the edge",
        ),
    ]
}

fn building_forms() -> [WordForm; 4] {
    [
        on("road", N_EDGES, "road:12", "Build a road on the edge"),
        on(
            "free-road",
            N_EDGES,
            "free-road:12",
            "Build a free road from a card on the edge",
        ),
        on(
            "settle",
            N_VERTICES,
            "settle:30",
            "Build a settlement on the vertex",
        ),
        on(
            "city",
            N_VERTICES,
            "city:30",
            "Upgrade your settlement to a city on the vertex",
        ),
    ]
}

fn trading_forms() -> [WordForm; 9] {
    let swap = |verb: &str, example, about: &str| {
        let about = format!("{about}. The given resource comes first.");
        WordForm::new(format!("{verb}:{}", swaps()), example, about)
    };
    [
        swap("bank", "bank:ORE>WOOL", "Give the bank four cards for one"),
        swap(
            "port3",
            "port3:ORE>WOOL",
            "Give three cards for one, with a harbor for any resource",
        ),
        swap(
            "port2",
            "port2:ORE>WOOL",
            "Give two cards for one, with the resource's own harbor",
        ),
        swap(
            "offer",
            "offer:ORE>WOOL",
            "Offer the opponent one card for another",
        ),
        card(
            "give",
            "give:ORE",
            "Give a card in an offer of three cards or more in total, one word for each card. \
             The order is BRICK, LUMBER, WOOL, GRAIN, ORE; `ask` follows in the same decision. \
             Neither side has more than five cards, and no resource is on both.",
        ),
        card(
            "ask",
            "ask:WOOL",
            "Ask for a card in such an offer, one word for each card, in the same order; `send` \
             follows in the same decision.",
        ),
        WordForm::new("send", "send", "Send the offer to the opponent."),
        WordForm::new("accept", "accept", "Accept the opponent's offer."),
        WordForm::new("decline", "decline", "Decline the opponent's offer."),
    ]
}

/// A verb with a place out of `n_places`.
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

/// One resource, or two in the order of the list.
fn plenties() -> String {
    let names = Resource::NAMES.iter().enumerate();
    one_of(names.map(|(idx, first)| {
        let second = one_of(&Resource::NAMES[idx..]);
        format!("{first}([+]{second})?")
    }))
}

/// The turn number, the player whose turn it is, the phase, and each player's points, cards and
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
