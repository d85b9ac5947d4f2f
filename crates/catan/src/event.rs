//! What a step causes.

use kernel::doc::Names;
use kernel::{Departure, Outcome, Seat, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::snapshot::Resources;
use crate::{Dev, Ending, Resource};

/// An event that a step causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Names)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are what their names say")]
pub enum Event {
    /// A random board was laid.
    BoardLaid,
    /// The deck was shuffled.
    DeckShuffled,
    /// The dice fell.
    DiceRolled {
        #[serde(rename = "player_id")]
        seat: Seat,
        dice: [u8; 2],
    },
    /// A player got cards from the bank for tiles.
    ResourcesProduced {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "resources")]
        cards: Resources,
    },
    /// The bank could not pay every claim of a resource.
    BankShort { resource: Resource },
    /// A card was given back after a seven.
    CardDiscarded {
        #[serde(rename = "player_id")]
        seat: Seat,
        resource: Resource,
    },
    /// The robber was moved.
    RobberMoved {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "tile_id")]
        tile: u8,
    },
    /// A card was stolen from the other.
    ResourceStolen {
        #[serde(rename = "player_id")]
        seat: Seat,
        resource: Resource,
    },
    /// A road was laid.
    RoadPlaced {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "edge_id")]
        edge: u8,
    },
    /// A settlement was placed.
    SettlementPlaced {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "vertex_id")]
        vertex: u8,
    },
    /// A settlement became a city.
    CityPlaced {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "vertex_id")]
        vertex: u8,
    },
    /// The points that a player's buildings show have changed.
    VictoryPointsUpdated {
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// The longest road has another owner, or none.
    LongestRoadChanged { owner: Option<Seat> },
    /// The largest army has another owner.
    LargestArmyChanged { owner: Seat },
    /// A development card was bought: only its owner learns which.
    DevelopmentBought {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "card", skip_serializing_if = "Option::is_none")]
        dev: Option<Dev>,
    },
    /// A development card was played.
    DevelopmentPlayed {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "card")]
        dev: Dev,
    },
    /// A year of plenty brought these.
    ResourcesTaken {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "resources")]
        cards: Resources,
    },
    /// A monopoly brought these.
    ResourcesMonopolized {
        #[serde(rename = "player_id")]
        seat: Seat,
        resource: Resource,
        n_cards: u8,
    },
    /// A trade with the bank.
    BankTraded {
        #[serde(rename = "player_id")]
        seat: Seat,
        give: Resource,
        n_given: u8,
        receive: Resource,
    },
    /// A trade was offered to the other.
    TradeOffered {
        #[serde(rename = "player_id")]
        seat: Seat,
        offer: Resources,
        request: Resources,
    },
    /// The offer was taken.
    TradeAccepted {
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// The offer was left.
    TradeDeclined {
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// A turn ended.
    TurnEnded {
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// A player left for good.
    PlayerLeft {
        #[serde(rename = "player_id")]
        seat: Seat,
        cause: Departure,
    },
    /// The last turn ended without a winner.
    GameTruncated,
    /// The match is over.
    GameEnded {
        #[serde(rename = "outcome")]
        #[schemars(with = "Outcome")]
        ending: Ending,
    },
}

impl kernel::Event for Event {
    type Seen = Event;

    /// Everybody sees everything, but for the card that somebody else bought: hands of
    /// resources are common knowledge between two players.
    fn seen_by(&self, viewer: Viewer) -> Option<Event> {
        Some(match *self {
            Event::DevelopmentBought { seat, .. } if !viewer.is(seat) => {
                Event::DevelopmentBought { seat, dev: None }
            }
            event => event,
        })
    }
}
