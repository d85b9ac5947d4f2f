//! Decisions as a record writes them.
//!
//! Small steps that belong together are one decision: a knight with its robber move, road building
//! with its roads, a discard or an offer with all its cards. A decision cut short by a deadline or
//! a departure holds the steps that were taken; such an offer says that it was not sent.

mod steps;

use std::collections::BTreeMap;

use kernel::decisions;
use kernel::doc::{Document, Names};
use serde::Serialize;

use crate::action::{Rate, Swap};
use crate::board::ANY;
use crate::chance::Face;
use crate::snapshot::{EdgeId, Id, PlayerId, PortId, TileId, VertexId};
use crate::topology::{EDGE_ENDS, N_PORTS, PORT_EDGES};
use crate::trade::{Side, each_card};
use crate::{Action, Catan, Hand, ROAD_COST, Resource, SETTLEMENT_COST, Trade};
use steps::Steps;

decisions! {
    /// A decision in a record: the types of the specification, then those of this project.
    #[derive(Serialize, Document, Names)]
    #[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
    #[expect(missing_docs, reason = "the fields are what their names say")]
    pub enum Decision of(at: &Catan, actions) read(node, faults)
    where (steps = &mut Steps { at, node, faults }) {
        Action::RollDice | Action::ForceDice(_) => RollDice {
            /// The faces of the dice, in a test match only.
            #[serde(skip_serializing_if = "Option::is_none")]
            forced_value: Option<[Face; 2]> = match actions[0] {
                Action::ForceDice(throw) => Some(throw.faces().map(Face)),
                _ => None,
            },
        } => steps.throw(forced_value),
        Action::MoveRobber(tile) => MoveRobber {
            #[serde(default)]
            steal_from: Option<PlayerId> = at.victim(tile),
            tile_id: TileId = Id(tile),
        } => {
            steps.check_victim(Some(tile_id), steal_from);
            Some(vec![Action::MoveRobber(tile_id.0)])
        },
        Action::BuildRoad { edge, free } => BuildRoad {
            edge_id: EdgeId = Id(edge),
            free: bool = free,
            #[serde(skip_serializing_if = "Option::is_none")]
            pay_with: Option<Cards> = None,
        } => {
            steps.check_payment(pay_with, ROAD_COST);
            Some(vec![Action::BuildRoad { edge: edge_id.0, free }])
        },
        Action::BuildSettlement(vertex) => BuildSettlement {
            free: bool = false,
            #[serde(skip_serializing_if = "Option::is_none")]
            pay_with: Option<Cards> = None,
            vertex_id: VertexId = Id(vertex),
        } => {
            if free {
                steps.refuse("free", "not_free", "only SETUP_PLACE_SETTLEMENT may be free");
            }
            steps.check_payment(pay_with, SETTLEMENT_COST);
            Some(vec![Action::BuildSettlement(vertex_id.0)])
        },
        Action::BuildCity(vertex) => BuildCity {
            vertex_id: VertexId = Id(vertex),
        } => Some(vec![Action::BuildCity(vertex_id.0)]),
        Action::BuyDevelopment => BuyDevelopment {} => Some(vec![Action::BuyDevelopment]),
        Action::PlayKnight => PlayKnight {
            #[serde(default)]
            steal_from: Option<PlayerId> = moved(actions).and_then(|tile| at.victim(tile)),
            /// Null if the knight was cut short.
            tile_id: Option<TileId> = moved(actions).map(Id),
        } => {
            steps.check_victim(tile_id, steal_from);
            let moved = tile_id.map(|Id(tile)| Action::MoveRobber(tile));
            Some([Action::PlayKnight].into_iter().chain(moved).collect())
        },
        Action::PlayRoadBuilding | Action::PlayYearOfPlenty(_) | Action::PlayMonopoly(_)
        => PlayProgress {
            #[serde(flatten)]
            card: Progress = Progress::of(actions),
        } => steps.progress(card),
        Action::Trade(Rate::Bank, swap) => TradeBank {
            give: Cards = price(Rate::Bank, swap),
            receive: Cards = gathered([swap.get()]),
        } => {
            let swap = steps.swap(&give, &receive, Rate::Bank)?;
            Some(vec![Action::Trade(Rate::Bank, swap)])
        },
        Action::Trade(rate, swap) => TradePort {
            give: Cards = price(rate, swap),
            port_id: PortId = at.port(rate, swap),
            receive: Cards = gathered([swap.get()]),
        } => steps.port_trade(&give, &receive, port_id),
        Action::OfferTrade(_) | Action::GiveCard(_) | Action::AskCard(_) | Action::SendOffer
        => TradePlayer {
            offer: Cards = cards(offered(actions).offer),
            partner: PlayerId = Catan::other(at.mover()).into(),
            request: Cards = cards(offered(actions).request),
            /// False if the offer was cut short.
            #[serde(skip_serializing_if = "Option::is_none")]
            sent: Option<bool> = match actions.last() {
                Some(Action::GiveCard(_) | Action::AskCard(_)) => Some(false),
                _ => None,
            },
        } => steps.offer(hand(&offer), hand(&request), sent != Some(false)),
        Action::EndTurn => EndTurn {} => Some(vec![Action::EndTurn]),
        Action::SetupSettlement(vertex) => SetupPlaceSettlement {
            #[schemars(range(min = 1, max = 2))]
            turn: u8 = 1 + u8::from(at.n_placed > 4),
            vertex_id: VertexId = Id(vertex),
        } => steps.setup(Action::SetupSettlement(vertex_id.0)),
        Action::SetupRoad(edge) => SetupPlaceRoad {
            edge_id: EdgeId = Id(edge),
            #[schemars(range(min = 1, max = 2))]
            turn: u8 = 1 + u8::from(at.n_placed > 4),
        } => steps.setup(Action::SetupRoad(edge_id.0)),
        Action::Discard(_) => Discard {
            resources: Cards = gathered(actions.iter().filter_map(|action| match action {
                Action::Discard(resource) => Some(*resource),
                _ => None,
            })),
        } => Some(each_card(hand(&resources)).map(Action::Discard).collect()),
        Action::AcceptTrade => TradeAccept {} => Some(vec![Action::AcceptTrade]),
        Action::DeclineTrade => TradeDecline {} => Some(vec![Action::DeclineTrade]),
    }
}

/// A development card that is neither a knight nor a point.
#[derive(Serialize, Document)]
#[serde(tag = "card", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Progress {
    RoadBuilding { edges: Vec<EdgeId> },
    YearOfPlenty { resources: Cards },
    Monopoly { resource: Resource },
}

/// A number of cards of one resource.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Document)]
#[serde(transparent)]
pub struct Count(#[schemars(range(min = 1, max = 95))] u8);

/// Cards by name. A resource that is left out counts as zero.
type Cards = BTreeMap<Resource, Count>;

fn cards(hand: Hand) -> Cards {
    let each = Resource::ALL.into_iter().zip(hand.map(Count));
    each.filter(|(_, n)| n.0 > 0).collect()
}

fn hand(cards: &Cards) -> Hand {
    Resource::ALL.map(|resource| cards.get(&resource).map_or(0, |n| n.0))
}

fn gathered(cards: impl IntoIterator<Item = Resource>) -> Cards {
    let mut hand = Hand::default();
    for resource in cards {
        hand[resource as usize] += 1;
    }
    self::cards(hand)
}

fn price(rate: Rate, swap: Swap) -> Cards {
    gathered((0..rate.price()).map(|_| swap.give()))
}

/// The tile that the robber was moved to.
fn moved(actions: &[Action]) -> Option<u8> {
    match actions.get(1) {
        Some(Action::MoveRobber(tile)) => Some(*tile),
        _ => None,
    }
}

fn offered(actions: &[Action]) -> Trade {
    let steps = actions.iter();
    steps.fold(Trade::NONE, |trade, action| match *action {
        Action::OfferTrade(swap) => trade
            .with(Side::Offer, swap.give())
            .with(Side::Request, swap.get()),
        Action::GiveCard(resource) => trade.with(Side::Offer, resource),
        Action::AskCard(resource) => trade.with(Side::Request, resource),
        _ => trade,
    })
}

impl Progress {
    fn of(actions: &[Action]) -> Progress {
        match actions[0] {
            Action::PlayYearOfPlenty(plenty) => Progress::YearOfPlenty {
                resources: gathered(plenty.cards()),
            },
            Action::PlayMonopoly(resource) => Progress::Monopoly { resource },
            _ => {
                let edges = actions.iter().filter_map(|action| match action {
                    Action::BuildRoad { edge, .. } => Some(Id(*edge)),
                    _ => None,
                });
                Progress::RoadBuilding {
                    edges: edges.collect(),
                }
            }
        }
    }
}

impl Catan {
    /// The first harbor with this rate that the player whose turn it is owns.
    fn port(&self, rate: Rate, swap: Swap) -> PortId {
        let kind = match rate {
            Rate::OwnPort => swap.give() as u8,
            Rate::Bank | Rate::AnyPort => ANY,
        };
        let port = (0..N_PORTS).find(|&port| self.board.ports[port] == kind && self.owns(port));
        Id(port.unwrap_or(0) as u8)
    }

    /// The player robbed on this tile: the opponent, if they have a building there.
    fn victim(&self, tile: u8) -> Option<PlayerId> {
        let other = Catan::other(self.mover());
        self.lives_at(other, tile).then(|| other.into())
    }

    /// True if the player whose turn it is has a building at a harbor.
    fn owns(&self, port: usize) -> bool {
        let homes = self.player(self.mover()).buildings();
        let ends = EDGE_ENDS[usize::from(PORT_EDGES[port])];
        ends.iter().any(|&vertex| homes & (1 << vertex) != 0)
    }
}
