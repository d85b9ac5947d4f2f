//! Events that a step causes.

use kernel::doc::Names;
use kernel::{Departure, Outcome, Seat, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::snapshot::Resources;
use crate::{Dev, Ending, Resource};

/// An event caused by a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Names)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are what their names say")]
pub enum Event {
    /// A random board was set up.
    BoardLaid,
    /// The deck was shuffled.
    DeckShuffled,
    /// The dice were rolled.
    DiceRolled {
        #[serde(rename = "player_id")]
        seat: Seat,
        dice: [u8; 2],
    },
    /// A player received cards from the bank for tiles.
    ResourcesProduced {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "resources")]
        cards: Resources,
    },
    /// The bank could not pay all claims to a resource.
    BankShort { resource: Resource },
    /// A card was discarded after a seven.
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
    /// A card was stolen from the opponent.
    ResourceStolen {
        #[serde(rename = "player_id")]
        seat: Seat,
        resource: Resource,
    },
    /// A road was built.
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
    /// The points of a player's buildings changed.
    VictoryPointsUpdated {
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// The longest road has a new owner, or none.
    LongestRoadChanged { owner: Option<Seat> },
    /// The largest army has a new owner.
    LargestArmyChanged { owner: Seat },
    /// A development card was bought. Only its owner learns which one.
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
    /// A player took these cards with a year of plenty.
    ResourcesTaken {
        #[serde(rename = "player_id")]
        seat: Seat,
        #[serde(rename = "resources")]
        cards: Resources,
    },
    /// A player took these cards with a monopoly.
    ResourcesMonopolized {
        #[serde(rename = "player_id")]
        seat: Seat,
        resource: Resource,
        n_cards: u8,
    },
    /// A player traded with the bank.
    BankTraded {
        #[serde(rename = "player_id")]
        seat: Seat,
        give: Resource,
        n_given: u8,
        receive: Resource,
    },
    /// A trade was offered to the opponent.
    TradeOffered {
        #[serde(rename = "player_id")]
        seat: Seat,
        offer: Resources,
        request: Resources,
    },
    /// The offer was accepted.
    TradeAccepted {
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// The offer was declined.
    TradeDeclined {
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// A turn ended.
    TurnEnded {
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// A player left the match.
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

    /// Every viewer sees everything except the development card that another player bought.
    /// Resource hands are common knowledge between two players.
    fn seen_by(&self, viewer: Viewer) -> Option<Event> {
        Some(match *self {
            Event::DevelopmentBought { seat, .. } if !viewer.is(seat) => {
                Event::DevelopmentBought { seat, dev: None }
            }
            event => event,
        })
    }
}
