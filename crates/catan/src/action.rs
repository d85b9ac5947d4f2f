//! The actions of a player, and their ids.
//!
//! Ids follow the specification's action table, type by type. Types that the table lacks come at
//! the end, in the order in which they were added: forced rolls, which only test matches allow,
//! and the steps that compose an offer of several cards.

use kernel::ActionId;

use crate::topology::{N_EDGES, N_TILES, N_VERTICES};
use crate::{N_RESOURCES, Resource};

/// A step that a player can take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Roll the dice.
    RollDice,
    /// Move the robber to a tile. A card is stolen from the opponent if they have a building
    /// there.
    MoveRobber(u8),
    /// Build a road on an edge.
    BuildRoad {
        /// The id of the edge.
        edge: u8,
        /// True if a road building card pays for it.
        free: bool,
    },
    /// Build a settlement on a vertex.
    BuildSettlement(u8),
    /// Upgrade one of the player's settlements to a city.
    BuildCity(u8),
    /// Buy a development card.
    BuyDevelopment,
    /// Play a knight; the robber moves next.
    PlayKnight,
    /// Play road building; free roads come next.
    PlayRoadBuilding,
    /// Take two cards from the bank, or one if it has no more.
    PlayYearOfPlenty(Plenty),
    /// Take all cards of a resource from the opponent.
    PlayMonopoly(Resource),
    /// Give cards of one resource to the bank for one of another.
    Trade(Rate, Swap),
    /// Offer the opponent one card for another.
    OfferTrade(Swap),
    /// End the turn.
    EndTurn,
    /// Place one of the two initial settlements.
    SetupSettlement(u8),
    /// Place one of the two initial roads.
    SetupRoad(u8),
    /// Discard one card after a seven.
    Discard(Resource),
    /// Accept the opponent's offer.
    AcceptTrade,
    /// Decline the opponent's offer.
    DeclineTrade,
    /// Roll the dice with a chosen result. Legal in test matches only.
    ForceDice(Throw),
    /// Add a card to the giving side of an offer of several cards.
    GiveCard(Resource),
    /// Add a card to the receiving side of such an offer.
    AskCard(Resource),
    /// Send the composed offer.
    SendOffer,
}

/// The number of cards that the bank takes for one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rate {
    /// Four for one, open to every player.
    Bank,
    /// Three for one, with a harbor for any resource.
    AnyPort,
    /// Two for one, with the resource's own harbor.
    OwnPort,
}

/// One resource for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swap {
    give: Resource,
    get: Resource,
}

/// The cards that a year of plenty takes from the bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plenty {
    first: Resource,
    second: Option<Resource>,
}

/// The result of rolling two dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Throw {
    number: u8,
}

impl Throw {
    pub(crate) const N: usize = 36;

    /// Returns the roll with these faces, or `None` unless each is from 1 to 6.
    pub fn new(faces: [u8; 2]) -> Option<Throw> {
        let [first, second] = faces;
        let fits = faces.iter().all(|face| (1..=6).contains(face));
        fits.then(|| Throw {
            number: 6 * (first - 1) + second - 1,
        })
    }

    /// The faces of the two dice, each from 1 to 6.
    pub const fn faces(self) -> [u8; 2] {
        [self.number / 6 + 1, self.number % 6 + 1]
    }
}

impl Rate {
    pub(crate) const ALL: [Rate; 3] = [Rate::Bank, Rate::AnyPort, Rate::OwnPort];

    /// The number of cards given for one.
    pub const fn price(self) -> u8 {
        4 - self as u8
    }
}

impl Swap {
    /// A swap of two resources; `None` if they are the same.
    pub fn new(give: Resource, get: Resource) -> Option<Swap> {
        (give != get).then_some(Swap { give, get })
    }

    /// The resource that the player gives.
    pub const fn give(self) -> Resource {
        self.give
    }

    /// The resource that the player gets.
    pub const fn get(self) -> Resource {
        self.get
    }

    #[inline]
    fn number(self) -> usize {
        let (give, get) = (self.give as usize, self.get as usize);
        give * (N_RESOURCES - 1) + get - usize::from(get > give)
    }
}

impl Plenty {
    /// 15 pairs and 5 single cards.
    pub(crate) const N: usize = 20;

    /// One card, or two in either order.
    pub fn new(first: Resource, second: Option<Resource>) -> Plenty {
        match second {
            Some(other) if other < first => Plenty {
                first: other,
                second: Some(first),
            },
            _ => Plenty { first, second },
        }
    }

    /// The one or two cards taken.
    pub fn cards(self) -> impl Iterator<Item = Resource> {
        [self.first].into_iter().chain(self.second)
    }

    /// Pairs ordered by their first card, then single cards.
    #[inline]
    pub(crate) const fn number(self) -> usize {
        let first = self.first as usize;
        match self.second {
            Some(second) => first * (9 - first) / 2 + second as usize,
            None => 15 + first,
        }
    }

    const fn with_number(number: usize) -> Plenty {
        if number >= 15 {
            return Plenty {
                first: Resource::ALL[number - 15],
                second: None,
            };
        }
        let (mut first, mut rest) = (0, number);
        while rest >= N_RESOURCES - first {
            rest -= N_RESOURCES - first;
            first += 1;
        }
        Plenty {
            first: Resource::ALL[first],
            second: Some(Resource::ALL[first + rest]),
        }
    }
}

const PLENTIES: [Plenty; Plenty::N] = {
    let mut all = [Plenty {
        first: Resource::Brick,
        second: None,
    }; Plenty::N];
    let mut number = 0;
    while number < Plenty::N {
        all[number] = Plenty::with_number(number);
        number += 1;
    }
    all
};

const N_SWAPS: usize = N_RESOURCES * (N_RESOURCES - 1);

/// The first id of each action type.
pub(crate) mod first {
    use super::{N_EDGES, N_RESOURCES, N_SWAPS, N_TILES, N_VERTICES, Plenty, Throw};

    pub(crate) const ROLL_DICE: usize = 0;
    pub(crate) const MOVE_ROBBER: usize = ROLL_DICE + 1;
    pub(crate) const BUILD_ROAD: usize = MOVE_ROBBER + N_TILES;
    pub(crate) const FREE_ROAD: usize = BUILD_ROAD + N_EDGES;
    pub(crate) const BUILD_SETTLEMENT: usize = FREE_ROAD + N_EDGES;
    pub(crate) const BUILD_CITY: usize = BUILD_SETTLEMENT + N_VERTICES;
    pub(crate) const BUY_DEVELOPMENT: usize = BUILD_CITY + N_VERTICES;
    pub(crate) const PLAY_KNIGHT: usize = BUY_DEVELOPMENT + 1;
    pub(crate) const ROAD_BUILDING: usize = PLAY_KNIGHT + 1;
    pub(crate) const YEAR_OF_PLENTY: usize = ROAD_BUILDING + 1;
    pub(crate) const MONOPOLY: usize = YEAR_OF_PLENTY + Plenty::N;
    pub(crate) const TRADE_BANK: usize = MONOPOLY + N_RESOURCES;
    pub(crate) const TRADE_PORT: usize = TRADE_BANK + N_SWAPS;
    pub(crate) const TRADE_PLAYER: usize = TRADE_PORT + 2 * N_SWAPS;
    pub(crate) const END_TURN: usize = TRADE_PLAYER + N_SWAPS;
    pub(crate) const SETUP_SETTLEMENT: usize = END_TURN + 1;
    pub(crate) const SETUP_ROAD: usize = SETUP_SETTLEMENT + N_VERTICES;
    pub(crate) const DISCARD: usize = SETUP_ROAD + N_EDGES;
    pub(crate) const ACCEPT: usize = DISCARD + N_RESOURCES;
    pub(crate) const DECLINE: usize = ACCEPT + 1;
    pub(crate) const FORCE_DICE: usize = DECLINE + 1;
    pub(crate) const GIVE_CARD: usize = FORCE_DICE + Throw::N;
    pub(crate) const ASK_CARD: usize = GIVE_CARD + N_RESOURCES;
    pub(crate) const SEND_OFFER: usize = ASK_CARD + N_RESOURCES;
}

impl Action {
    /// The number of action ids.
    pub const N: usize = first::SEND_OFFER + 1;

    /// The id of the action.
    #[inline]
    pub fn id(self) -> ActionId {
        ActionId::new(match self {
            Action::RollDice => first::ROLL_DICE,
            Action::MoveRobber(tile) => first::MOVE_ROBBER + usize::from(tile),
            Action::BuildRoad { edge, free: false } => first::BUILD_ROAD + usize::from(edge),
            Action::BuildRoad { edge, free: true } => first::FREE_ROAD + usize::from(edge),
            Action::BuildSettlement(vertex) => first::BUILD_SETTLEMENT + usize::from(vertex),
            Action::BuildCity(vertex) => first::BUILD_CITY + usize::from(vertex),
            Action::BuyDevelopment => first::BUY_DEVELOPMENT,
            Action::PlayKnight => first::PLAY_KNIGHT,
            Action::PlayRoadBuilding => first::ROAD_BUILDING,
            Action::PlayYearOfPlenty(plenty) => first::YEAR_OF_PLENTY + plenty.number(),
            Action::PlayMonopoly(resource) => first::MONOPOLY + resource as usize,
            Action::Trade(rate, swap) => {
                first::TRADE_BANK + rate as usize * N_SWAPS + swap.number()
            }
            Action::OfferTrade(swap) => first::TRADE_PLAYER + swap.number(),
            Action::EndTurn => first::END_TURN,
            Action::SetupSettlement(vertex) => first::SETUP_SETTLEMENT + usize::from(vertex),
            Action::SetupRoad(edge) => first::SETUP_ROAD + usize::from(edge),
            Action::Discard(resource) => first::DISCARD + resource as usize,
            Action::AcceptTrade => first::ACCEPT,
            Action::DeclineTrade => first::DECLINE,
            Action::ForceDice(throw) => first::FORCE_DICE + usize::from(throw.number),
            Action::GiveCard(resource) => first::GIVE_CARD + resource as usize,
            Action::AskCard(resource) => first::ASK_CARD + resource as usize,
            Action::SendOffer => first::SEND_OFFER,
        })
    }

    /// Returns the action with this id, or `None` if there is none.
    #[inline]
    pub fn with_id(id: ActionId) -> Option<Action> {
        ALL.get(id.index()).copied()
    }
}

static ALL: [Action; Action::N] = {
    let mut all = [Action::RollDice; Action::N];
    let mut idx = 0;
    while idx < Action::N {
        all[idx] = with_number(idx);
        idx += 1;
    }
    all
};

const fn with_number(idx: usize) -> Action {
    match idx {
        first::ROLL_DICE => Action::RollDice,
        first::MOVE_ROBBER..first::BUILD_ROAD => {
            Action::MoveRobber((idx - first::MOVE_ROBBER) as u8)
        }
        first::BUILD_ROAD..first::FREE_ROAD => Action::BuildRoad {
            edge: (idx - first::BUILD_ROAD) as u8,
            free: false,
        },
        first::FREE_ROAD..first::BUILD_SETTLEMENT => Action::BuildRoad {
            edge: (idx - first::FREE_ROAD) as u8,
            free: true,
        },
        first::BUILD_SETTLEMENT..first::BUILD_CITY => {
            Action::BuildSettlement((idx - first::BUILD_SETTLEMENT) as u8)
        }
        first::BUILD_CITY..first::BUY_DEVELOPMENT => {
            Action::BuildCity((idx - first::BUILD_CITY) as u8)
        }
        first::BUY_DEVELOPMENT => Action::BuyDevelopment,
        first::PLAY_KNIGHT => Action::PlayKnight,
        first::ROAD_BUILDING => Action::PlayRoadBuilding,
        first::YEAR_OF_PLENTY..first::MONOPOLY => {
            Action::PlayYearOfPlenty(PLENTIES[idx - first::YEAR_OF_PLENTY])
        }
        first::MONOPOLY..first::TRADE_BANK => {
            Action::PlayMonopoly(Resource::ALL[idx - first::MONOPOLY])
        }
        first::TRADE_BANK..first::TRADE_PLAYER => {
            let number = idx - first::TRADE_BANK;
            Action::Trade(Rate::ALL[number / N_SWAPS], SWAPS[number % N_SWAPS])
        }
        first::TRADE_PLAYER..first::END_TURN => {
            Action::OfferTrade(SWAPS[idx - first::TRADE_PLAYER])
        }
        first::END_TURN => Action::EndTurn,
        first::SETUP_SETTLEMENT..first::SETUP_ROAD => {
            Action::SetupSettlement((idx - first::SETUP_SETTLEMENT) as u8)
        }
        first::SETUP_ROAD..first::DISCARD => Action::SetupRoad((idx - first::SETUP_ROAD) as u8),
        first::DISCARD..first::ACCEPT => Action::Discard(Resource::ALL[idx - first::DISCARD]),
        first::ACCEPT => Action::AcceptTrade,
        first::DECLINE => Action::DeclineTrade,
        first::FORCE_DICE..first::GIVE_CARD => Action::ForceDice(Throw {
            number: (idx - first::FORCE_DICE) as u8,
        }),
        first::GIVE_CARD..first::ASK_CARD => {
            Action::GiveCard(Resource::ALL[idx - first::GIVE_CARD])
        }
        first::ASK_CARD..first::SEND_OFFER => Action::AskCard(Resource::ALL[idx - first::ASK_CARD]),
        _ => Action::SendOffer,
    }
}

const SWAPS: [Swap; N_SWAPS] = {
    let mut all = [Swap {
        give: Resource::Brick,
        get: Resource::Lumber,
    }; N_SWAPS];
    let mut number = 0;
    while number < N_SWAPS {
        let give = number / (N_RESOURCES - 1);
        let rest = number % (N_RESOURCES - 1);
        let get = if rest >= give { rest + 1 } else { rest };
        all[number] = Swap {
            give: Resource::ALL[give],
            get: Resource::ALL[get],
        };
        number += 1;
    }
    all
};
