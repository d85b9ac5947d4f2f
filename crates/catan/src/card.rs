//! Resources and development cards.

/// How many kinds of resources there are.
pub const N_RESOURCES: usize = 5;
/// How many kinds of development cards there are.
pub const N_DEVS: usize = 5;
/// Cards of each resource in the game.
pub const RESOURCE_CARDS: u8 = 19;
/// Development cards in the game.
pub const DEV_CARDS: usize = 25;
/// The deck by kind.
pub const DECK: [u8; N_DEVS] = [14, 2, 2, 2, 5];

/// How many cards of each resource.
pub type Hand = [u8; N_RESOURCES];
/// How many development cards of each kind.
pub type Devs = [u8; N_DEVS];

/// What a tile yields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Resource {
    /// From hills.
    Brick,
    /// From forests.
    Lumber,
    /// From pastures.
    Wool,
    /// From fields.
    Grain,
    /// From mountains.
    Ore,
}

/// A development card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Dev {
    /// Moves the robber and counts for the largest army.
    Knight,
    /// Two free roads.
    RoadBuilding,
    /// Two cards from the bank.
    YearOfPlenty,
    /// All cards of one resource from the other.
    Monopoly,
    /// A point, kept hidden.
    VictoryPoint,
}

impl Resource {
    /// In the order of the action table.
    pub const ALL: [Resource; N_RESOURCES] = [
        Resource::Brick,
        Resource::Lumber,
        Resource::Wool,
        Resource::Grain,
        Resource::Ore,
    ];
    /// The names in documents.
    pub const NAMES: [&'static str; N_RESOURCES] = ["BRICK", "LUMBER", "WOOL", "GRAIN", "ORE"];

    /// The name in documents.
    pub const fn name(self) -> &'static str {
        Resource::NAMES[self as usize]
    }
}

impl Dev {
    /// In the order of documents.
    pub const ALL: [Dev; N_DEVS] = [
        Dev::Knight,
        Dev::RoadBuilding,
        Dev::YearOfPlenty,
        Dev::Monopoly,
        Dev::VictoryPoint,
    ];
    /// The names in documents.
    pub const NAMES: [&'static str; N_DEVS] = [
        "KNIGHT",
        "ROAD_BUILDING",
        "YEAR_OF_PLENTY",
        "MONOPOLY",
        "VICTORY_POINT",
    ];

    /// The name in documents.
    pub const fn name(self) -> &'static str {
        Dev::NAMES[self as usize]
    }
}

/// What a road costs.
pub const ROAD_COST: Hand = [1, 1, 0, 0, 0];
/// What a settlement costs.
pub const SETTLEMENT_COST: Hand = [1, 1, 1, 1, 0];
/// What a city costs, on top of the settlement it replaces.
pub const CITY_COST: Hand = [0, 0, 0, 2, 3];
/// What a development card costs.
pub const DEV_COST: Hand = [0, 0, 1, 1, 1];

/// Whether a hand holds all of a cost.
#[inline]
pub(crate) fn covers(hand: &Hand, cost: &Hand) -> bool {
    hand.iter().zip(cost).all(|(have, need)| have >= need)
}

/// How many cards there are.
#[inline]
pub(crate) fn count(cards: &[u8]) -> u8 {
    cards.iter().sum()
}

/// Which kinds there are at least `n` of, as a set.
#[inline]
pub(crate) fn at_least(cards: &Hand, n: u8) -> u8 {
    let mut set = 0;
    for (kind, &have) in cards.iter().enumerate() {
        set |= u8::from(have >= n) << kind;
    }
    set
}
