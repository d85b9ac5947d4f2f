//! What a player can do, and its number.
//!
//! The numbers follow the specification's action table, type by type, with the types that
//! the table lacks at the end, in the order in which they came: forced throws, which only test
//! matches allow, and the steps that compose an offer of several cards.

use kernel::ActionId;

use crate::topology::{N_EDGES, N_TILES, N_VERTICES};
use crate::{N_RESOURCES, Resource};

/// What a player can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Throw the dice.
    RollDice,
    /// Put the robber on a tile; whoever lives there is robbed.
    MoveRobber(u8),
    /// Lay a road on an edge.
    BuildRoad {
        /// Where.
        edge: u8,
        /// Whether a card pays for it.
        free: bool,
    },
    /// Settle a vertex.
    BuildSettlement(u8),
    /// Make a city of an own settlement.
    BuildCity(u8),
    /// Buy a development card.
    BuyDevelopment,
    /// Play a knight; the robber moves next.
    PlayKnight,
    /// Play road building; free roads come next.
    PlayRoadBuilding,
    /// Take two cards from the bank, or one if it has no more.
    PlayYearOfPlenty(Plenty),
    /// Take all cards of a resource from the other.
    PlayMonopoly(Resource),
    /// Give cards of one resource to the bank for one of another.
    Trade(Rate, Swap),
    /// Offer the other one card for another.
    OfferTrade(Swap),
    /// Let the other go on.
    EndTurn,
    /// Place one of the first two settlements.
    SetupSettlement(u8),
    /// Lay one of the first two roads.
    SetupRoad(u8),
    /// Give one card back after a seven.
    Discard(Resource),
    /// Take the other's offer.
    AcceptTrade,
    /// Leave the other's offer.
    DeclineTrade,
    /// Throw the dice and have them fall like this: in test matches only.
    ForceDice(Throw),
    /// Put a card on the own side of an offer of several.
    GiveCard(Resource),
    /// Put a card on the other's side of it.
    AskCard(Resource),
    /// Send the offer.
    SendOffer,
}

/// What the bank asks for one card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rate {
    /// Four, from anybody.
    Bank,
    /// Three, with a harbour for every resource.
    AnyPort,
    /// Two, with the resource's own harbour.
    OwnPort,
}

/// One resource for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swap {
    give: Resource,
    get: Resource,
}

/// What a year of plenty brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plenty {
    first: Resource,
    second: Option<Resource>,
}

/// How two dice fall.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Throw {
    number: u8,
}

impl Throw {
    /// How many there are.
    pub(crate) const N: usize = 36;

    /// A throw with these faces, each from 1 to 6.
    pub fn new(faces: [u8; 2]) -> Option<Throw> {
        let [first, second] = faces;
        let fits = faces.iter().all(|face| (1..=6).contains(face));
        fits.then(|| Throw {
            number: 6 * (first - 1) + second - 1,
        })
    }

    /// The faces.
    pub const fn faces(self) -> [u8; 2] {
        [self.number / 6 + 1, self.number % 6 + 1]
    }
}

impl Rate {
    pub(crate) const ALL: [Rate; 3] = [Rate::Bank, Rate::AnyPort, Rate::OwnPort];

    /// How many cards one costs.
    pub const fn price(self) -> u8 {
        4 - self as u8
    }
}

impl Swap {
    /// A swap of two different resources.
    pub fn new(give: Resource, get: Resource) -> Option<Swap> {
        (give != get).then_some(Swap { give, get })
    }

    /// What is given.
    pub const fn give(self) -> Resource {
        self.give
    }

    /// What is got.
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
    /// How many there are: 15 pairs and 5 single cards.
    pub(crate) const N: usize = 20;

    /// One card, or two in any order.
    pub fn new(first: Resource, second: Option<Resource>) -> Plenty {
        match second {
            Some(other) if other < first => Plenty {
                first: other,
                second: Some(first),
            },
            _ => Plenty { first, second },
        }
    }

    /// The cards.
    pub fn cards(self) -> impl Iterator<Item = Resource> {
        [self.first].into_iter().chain(self.second)
    }

    /// Pairs by their first card, then single cards.
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

/// Where each type's numbers begin.
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
    /// How many actions there are.
    pub const N: usize = first::SEND_OFFER + 1;

    /// The number of the action.
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

    /// The action with this number.
    #[inline]
    pub fn with_id(id: ActionId) -> Option<Action> {
        ALL.get(id.index()).copied()
    }
}

/// Every action by number.
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
