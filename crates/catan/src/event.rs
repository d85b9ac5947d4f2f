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
    DiceRolled { player_id: Seat, dice: [u8; 2] },
    /// A player received cards from the bank for tiles.
    ResourcesProduced {
        player_id: Seat,
        resources: Resources,
    },
    /// The bank could not pay all claims to a resource.
    BankShort { resource: Resource },
    /// A card was discarded after a seven.
    CardDiscarded { player_id: Seat, resource: Resource },
    /// The robber was moved.
    RobberMoved { player_id: Seat, tile_id: u8 },
    /// A card was stolen from the opponent.
    ResourceStolen { player_id: Seat, resource: Resource },
    /// A road was built.
    RoadPlaced { player_id: Seat, edge_id: u8 },
    /// A settlement was placed.
    SettlementPlaced { player_id: Seat, vertex_id: u8 },
    /// A settlement became a city.
    CityPlaced { player_id: Seat, vertex_id: u8 },
    /// The points of a player's buildings changed.
    VictoryPointsUpdated { player_id: Seat },
    /// The longest road has a new owner, or none.
    LongestRoadChanged { owner: Option<Seat> },
    /// The largest army has a new owner.
    LargestArmyChanged { owner: Seat },
    /// A development card was bought. Only its owner learns which one.
    DevelopmentBought {
        player_id: Seat,
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<Dev>,
    },
    /// A development card was played.
    DevelopmentPlayed { player_id: Seat, card: Dev },
    /// A player took these cards with a year of plenty.
    ResourcesTaken {
        player_id: Seat,
        resources: Resources,
    },
    /// A player took these cards with a monopoly.
    ResourcesMonopolized {
        player_id: Seat,
        resource: Resource,
        n_cards: u8,
    },
    /// A player traded with the bank.
    BankTraded {
        player_id: Seat,
        give: Resource,
        n_given: u8,
        receive: Resource,
    },
    /// A trade was offered to the opponent.
    TradeOffered {
        player_id: Seat,
        offer: Resources,
        request: Resources,
    },
    /// The offer was accepted.
    TradeAccepted { player_id: Seat },
    /// The offer was declined.
    TradeDeclined { player_id: Seat },
    /// A turn ended.
    TurnEnded { player_id: Seat },
    /// A player left the match.
    PlayerLeft { player_id: Seat, cause: Departure },
    /// The last turn ended without a winner.
    GameTruncated,
    /// The match is over.
    GameEnded {
        #[schemars(with = "Outcome")]
        outcome: Ending,
    },
}

impl kernel::Event for Event {
    type Seen = Event;

    /// Every viewer sees everything except the development card that another player bought.
    /// Resource hands are common knowledge between two players.
    fn seen_by(&self, viewer: Viewer) -> Option<Event> {
        Some(match *self {
            Event::DevelopmentBought { player_id, .. } if !viewer.is(player_id) => {
                let card = None;
                Event::DevelopmentBought { player_id, card }
            }
            event => event,
        })
    }
}
