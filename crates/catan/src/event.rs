//! What a step causes.

use std::borrow::Cow;

use kernel::{Departure, Outcome, Seat, Viewer};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::action::{Rate, Swap};
use crate::snapshot::{DevSchema, ResourceSchema, Resources};
use crate::{Dev, Ending, Hand, Resource};

/// What a step causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are what their names say")]
pub enum Event {
    /// A random board was laid.
    BoardLaid,
    /// The deck was shuffled.
    DeckShuffled,
    /// The dice fell.
    DiceRolled { seat: Seat, dice: [u8; 2] },
    /// A player got cards from the bank for tiles.
    ResourcesProduced { seat: Seat, cards: Hand },
    /// The bank could not pay every claim of a resource.
    BankShort { resource: Resource },
    /// A card was given back after a seven.
    CardDiscarded { seat: Seat, resource: Resource },
    /// The robber was moved.
    RobberMoved { seat: Seat, tile: u8 },
    /// A card was stolen from the other.
    ResourceStolen { seat: Seat, resource: Resource },
    /// A road was laid.
    RoadPlaced { seat: Seat, edge: u8 },
    /// A settlement was placed.
    SettlementPlaced { seat: Seat, vertex: u8 },
    /// A settlement became a city.
    CityPlaced { seat: Seat, vertex: u8 },
    /// The points that a player's buildings show have changed.
    VictoryPointsUpdated { seat: Seat },
    /// The longest road has another owner, or none.
    LongestRoadChanged { owner: Option<Seat> },
    /// The largest army has another owner.
    LargestArmyChanged { owner: Seat },
    /// A development card was bought: only its owner learns which.
    DevelopmentBought { seat: Seat, dev: Dev },
    /// A development card was played.
    DevelopmentPlayed { seat: Seat, dev: Dev },
    /// A year of plenty brought these.
    ResourcesTaken { seat: Seat, cards: Hand },
    /// A monopoly brought these.
    ResourcesMonopolized {
        seat: Seat,
        resource: Resource,
        n_cards: u8,
    },
    /// A trade with the bank.
    BankTraded { seat: Seat, rate: Rate, swap: Swap },
    /// A trade was offered to the other.
    TradeOffered { seat: Seat, swap: Swap },
    /// The offer was taken.
    TradeAccepted { seat: Seat },
    /// The offer was left.
    TradeDeclined { seat: Seat },
    /// A turn ended.
    TurnEnded { seat: Seat },
    /// A player left for good.
    PlayerLeft { seat: Seat, cause: Departure },
    /// The last turn ended without a winner.
    GameTruncated,
    /// The match is over.
    GameEnded { ending: Ending },
}

/// An event as one viewer sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    event: Event,
    /// Whether the viewer may know which card was bought.
    whole: bool,
}

impl kernel::Event for Event {
    type Seen = Seen;

    const NAMES: &'static [&'static str] = &[
        "BOARD_LAID",
        "DECK_SHUFFLED",
        "DICE_ROLLED",
        "RESOURCES_PRODUCED",
        "BANK_SHORT",
        "CARD_DISCARDED",
        "ROBBER_MOVED",
        "RESOURCE_STOLEN",
        "ROAD_PLACED",
        "SETTLEMENT_PLACED",
        "CITY_PLACED",
        "VICTORY_POINTS_UPDATED",
        "LONGEST_ROAD_CHANGED",
        "LARGEST_ARMY_CHANGED",
        "DEVELOPMENT_BOUGHT",
        "DEVELOPMENT_PLAYED",
        "RESOURCES_TAKEN",
        "RESOURCES_MONOPOLIZED",
        "BANK_TRADED",
        "TRADE_OFFERED",
        "TRADE_ACCEPTED",
        "TRADE_DECLINED",
        "TURN_ENDED",
        "PLAYER_LEFT",
        "GAME_TRUNCATED",
        "GAME_ENDED",
    ];

    fn name(&self) -> &'static str {
        let idx = match self {
            Event::BoardLaid => 0,
            Event::DeckShuffled => 1,
            Event::DiceRolled { .. } => 2,
            Event::ResourcesProduced { .. } => 3,
            Event::BankShort { .. } => 4,
            Event::CardDiscarded { .. } => 5,
            Event::RobberMoved { .. } => 6,
            Event::ResourceStolen { .. } => 7,
            Event::RoadPlaced { .. } => 8,
            Event::SettlementPlaced { .. } => 9,
            Event::CityPlaced { .. } => 10,
            Event::VictoryPointsUpdated { .. } => 11,
            Event::LongestRoadChanged { .. } => 12,
            Event::LargestArmyChanged { .. } => 13,
            Event::DevelopmentBought { .. } => 14,
            Event::DevelopmentPlayed { .. } => 15,
            Event::ResourcesTaken { .. } => 16,
            Event::ResourcesMonopolized { .. } => 17,
            Event::BankTraded { .. } => 18,
            Event::TradeOffered { .. } => 19,
            Event::TradeAccepted { .. } => 20,
            Event::TradeDeclined { .. } => 21,
            Event::TurnEnded { .. } => 22,
            Event::PlayerLeft { .. } => 23,
            Event::GameTruncated => 24,
            Event::GameEnded { .. } => 25,
        };
        Self::NAMES[idx]
    }

    /// Everybody sees everything, but for the card that somebody else bought: hands of
    /// resources are common knowledge between two players.
    fn seen_by(&self, viewer: Viewer) -> Option<Seen> {
        let whole = match self {
            Event::DevelopmentBought { seat, .. } => viewer.is(*seat),
            _ => true,
        };
        Some(Seen {
            event: self.masked(whole),
            whole,
        })
    }
}

impl Event {
    /// The event without the card that a viewer may not know.
    fn masked(self, whole: bool) -> Event {
        match self {
            Event::DevelopmentBought { seat, .. } if !whole => Event::DevelopmentBought {
                seat,
                dev: Dev::Knight,
            },
            event => event,
        }
    }

    fn seat(&self) -> Option<Seat> {
        match *self {
            Event::DiceRolled { seat, .. }
            | Event::ResourcesProduced { seat, .. }
            | Event::CardDiscarded { seat, .. }
            | Event::RobberMoved { seat, .. }
            | Event::ResourceStolen { seat, .. }
            | Event::RoadPlaced { seat, .. }
            | Event::SettlementPlaced { seat, .. }
            | Event::CityPlaced { seat, .. }
            | Event::VictoryPointsUpdated { seat }
            | Event::DevelopmentBought { seat, .. }
            | Event::DevelopmentPlayed { seat, .. }
            | Event::ResourcesTaken { seat, .. }
            | Event::ResourcesMonopolized { seat, .. }
            | Event::BankTraded { seat, .. }
            | Event::TradeOffered { seat, .. }
            | Event::TradeAccepted { seat }
            | Event::TradeDeclined { seat }
            | Event::TurnEnded { seat }
            | Event::PlayerLeft { seat, .. } => Some(seat),
            Event::BoardLaid
            | Event::DeckShuffled
            | Event::BankShort { .. }
            | Event::LongestRoadChanged { .. }
            | Event::LargestArmyChanged { .. }
            | Event::GameTruncated
            | Event::GameEnded { .. } => None,
        }
    }
}

impl Serialize for Seen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", kernel::Event::name(&self.event))?;
        if let Some(seat) = self.event.seat() {
            map.serialize_entry("player_id", &seat)?;
        }
        match self.event {
            Event::DiceRolled { dice, .. } => map.serialize_entry("dice", &dice)?,
            Event::ResourcesProduced { cards, .. } | Event::ResourcesTaken { cards, .. } => {
                map.serialize_entry("resources", &Resources::of(&cards))?;
            }
            Event::BankShort { resource }
            | Event::CardDiscarded { resource, .. }
            | Event::ResourceStolen { resource, .. } => {
                map.serialize_entry("resource", resource.name())?;
            }
            Event::ResourcesMonopolized {
                resource, n_cards, ..
            } => {
                map.serialize_entry("resource", resource.name())?;
                map.serialize_entry("n_cards", &n_cards)?;
            }
            Event::RobberMoved { tile, .. } => map.serialize_entry("tile_id", &tile)?,
            Event::RoadPlaced { edge, .. } => map.serialize_entry("edge_id", &edge)?,
            Event::SettlementPlaced { vertex, .. } | Event::CityPlaced { vertex, .. } => {
                map.serialize_entry("vertex_id", &vertex)?;
            }
            Event::LongestRoadChanged { owner } => map.serialize_entry("owner", &owner)?,
            Event::LargestArmyChanged { owner } => map.serialize_entry("owner", &owner)?,
            Event::DevelopmentBought { dev, .. } if self.whole => {
                map.serialize_entry("card", dev.name())?;
            }
            Event::DevelopmentPlayed { dev, .. } => map.serialize_entry("card", dev.name())?,
            Event::BankTraded { rate, swap, .. } => {
                map.serialize_entry("give", swap.give().name())?;
                map.serialize_entry("n_given", &rate.price())?;
                map.serialize_entry("receive", swap.get().name())?;
            }
            Event::TradeOffered { swap, .. } => {
                map.serialize_entry("offer", swap.give().name())?;
                map.serialize_entry("request", swap.get().name())?;
            }
            Event::PlayerLeft { cause, .. } => map.serialize_entry("cause", cause.code())?,
            Event::GameEnded { ending } => map.serialize_entry("outcome", &ending.outcome())?,
            _ => {}
        }
        map.end()
    }
}

impl JsonSchema for Seen {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        EventSchema::json_schema(generator)
    }
}

/// What a step causes, as one viewer sees it.
#[derive(JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[expect(dead_code, reason = "the shapes of events, for the schema alone")]
#[allow(missing_docs, reason = "the fields are what their names say")]
enum EventSchema {
    /// A random board was laid.
    BoardLaid {},
    /// The deck was shuffled.
    DeckShuffled {},
    /// The dice fell.
    DiceRolled { player_id: Seat, dice: [u8; 2] },
    /// A player got cards from the bank for tiles.
    ResourcesProduced {
        player_id: Seat,
        resources: Resources,
    },
    /// The bank could not pay every claim of a resource.
    BankShort { resource: ResourceSchema },
    /// A card was given back after a seven.
    CardDiscarded {
        player_id: Seat,
        resource: ResourceSchema,
    },
    /// The robber was moved.
    RobberMoved { player_id: Seat, tile_id: u8 },
    /// A card was stolen from the other.
    ResourceStolen {
        player_id: Seat,
        resource: ResourceSchema,
    },
    /// A road was laid.
    RoadPlaced { player_id: Seat, edge_id: u8 },
    /// A settlement was placed.
    SettlementPlaced { player_id: Seat, vertex_id: u8 },
    /// A settlement became a city.
    CityPlaced { player_id: Seat, vertex_id: u8 },
    /// The points that a player's buildings show have changed.
    VictoryPointsUpdated { player_id: Seat },
    /// The longest road has another owner, or none.
    LongestRoadChanged { owner: Option<Seat> },
    /// The largest army has another owner.
    LargestArmyChanged { owner: Seat },
    /// A development card was bought: only its owner learns which.
    DevelopmentBought {
        player_id: Seat,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<DevSchema>,
    },
    /// A development card was played.
    DevelopmentPlayed { player_id: Seat, card: DevSchema },
    /// A year of plenty brought these.
    ResourcesTaken {
        player_id: Seat,
        resources: Resources,
    },
    /// A monopoly brought these.
    ResourcesMonopolized {
        player_id: Seat,
        resource: ResourceSchema,
        n_cards: u8,
    },
    /// A trade with the bank.
    BankTraded {
        player_id: Seat,
        give: ResourceSchema,
        n_given: u8,
        receive: ResourceSchema,
    },
    /// A trade was offered to the other.
    TradeOffered {
        player_id: Seat,
        offer: ResourceSchema,
        request: ResourceSchema,
    },
    /// The offer was taken.
    TradeAccepted { player_id: Seat },
    /// The offer was left.
    TradeDeclined { player_id: Seat },
    /// A turn ended.
    TurnEnded { player_id: Seat },
    /// A player left for good.
    PlayerLeft { player_id: Seat, cause: String },
    /// The last turn ended without a winner.
    GameTruncated {},
    /// The match is over.
    GameEnded { outcome: Outcome },
}
