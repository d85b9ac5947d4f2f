//! Decisions as a record writes them.
//!
//! Small steps that belong together are one decision: a knight with its robber move, road building
//! with its roads, a discard or an offer with all its cards. A decision cut short by a deadline or
//! a departure holds the steps that were taken; such an offer says that it was not sent.

mod steps;

use std::collections::BTreeMap;

use kernel::doc::{Document, Faults, Names, Node, given};
use kernel::{DecisionOf, Seat};
use serde::Serialize;

use crate::action::{Rate, Swap};
use crate::board::ANY;
use crate::chance::Face;
use crate::topology::{EDGE_ENDS, N_PORTS, PORT_EDGES};
use crate::trade::Side;
use crate::{Action, Catan, Hand, Resource, Trade};

/// A decision in a record: the types of the specification, then those of this project.
#[derive(Serialize, Document, Names)]
#[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the fields are what their names say")]
pub enum Decision {
    RollDice {
        /// The faces of the dice, in a test match only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[document(read_with = given)]
        forced_value: Option<[Face; 2]>,
    },
    MoveRobber {
        #[serde(default)]
        #[schemars(range(max = 1))]
        steal_from: Option<u8>,
        #[schemars(range(max = 18))]
        tile_id: u8,
    },
    BuildRoad {
        #[schemars(range(max = 71))]
        edge_id: u8,
        free: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[document(read_with = given)]
        pay_with: Option<Cards>,
    },
    BuildSettlement {
        free: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[document(read_with = given)]
        pay_with: Option<Cards>,
        #[schemars(range(max = 53))]
        vertex_id: u8,
    },
    BuildCity {
        #[schemars(range(max = 53))]
        vertex_id: u8,
    },
    BuyDevelopment {},
    PlayKnight {
        #[serde(default)]
        #[schemars(range(max = 1))]
        steal_from: Option<u8>,
        /// Null if the knight was cut short.
        #[schemars(range(max = 18))]
        tile_id: Option<u8>,
    },
    PlayProgress(Progress),
    TradeBank {
        give: Cards,
        receive: Cards,
    },
    TradePort {
        give: Cards,
        #[schemars(range(max = 8))]
        port_id: u8,
        receive: Cards,
    },
    TradePlayer {
        offer: Cards,
        #[schemars(range(max = 1))]
        partner: u8,
        request: Cards,
        /// False if the offer was cut short.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[document(read_with = given)]
        sent: Option<bool>,
    },
    EndTurn {},
    SetupPlaceSettlement {
        #[schemars(range(min = 1, max = 2))]
        turn: u8,
        #[schemars(range(max = 53))]
        vertex_id: u8,
    },
    SetupPlaceRoad {
        #[schemars(range(max = 71))]
        edge_id: u8,
        #[schemars(range(min = 1, max = 2))]
        turn: u8,
    },
    Discard {
        resources: Cards,
    },
    TradeAccept {},
    TradeDecline {},
}

/// A development card that is neither a knight nor a point.
#[derive(Serialize, Document)]
#[serde(tag = "card", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Progress {
    RoadBuilding { edges: Vec<Edge> },
    YearOfPlenty { resources: Cards },
    Monopoly { resource: Resource },
}

/// The id of an edge of the board.
#[derive(Clone, Copy, Serialize, Document)]
#[serde(transparent)]
pub struct Edge(#[schemars(range(max = 71))] u8);

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

impl DecisionOf<Catan> for Decision {
    fn of(position: &Catan, actions: &[Action]) -> Decision {
        match actions[0] {
            Action::RollDice => Decision::RollDice { forced_value: None },
            Action::ForceDice(throw) => Decision::RollDice {
                forced_value: Some(throw.faces().map(Face)),
            },
            Action::MoveRobber(tile_id) => Decision::MoveRobber {
                steal_from: position.victim(tile_id),
                tile_id,
            },
            Action::BuildRoad { edge, free } => Decision::BuildRoad {
                edge_id: edge,
                free,
                pay_with: None,
            },
            Action::BuildSettlement(vertex_id) => Decision::BuildSettlement {
                free: false,
                pay_with: None,
                vertex_id,
            },
            Action::BuildCity(vertex_id) => Decision::BuildCity { vertex_id },
            Action::BuyDevelopment => Decision::BuyDevelopment {},
            Action::PlayKnight => {
                let tile_id = match actions.get(1) {
                    Some(Action::MoveRobber(tile)) => Some(*tile),
                    _ => None,
                };
                Decision::PlayKnight {
                    steal_from: tile_id.and_then(|tile| position.victim(tile)),
                    tile_id,
                }
            }
            Action::PlayRoadBuilding | Action::PlayYearOfPlenty(_) | Action::PlayMonopoly(_) => {
                Decision::PlayProgress(Progress::of(actions))
            }
            Action::Trade(rate, swap) => position.trade_decision(rate, swap),
            Action::OfferTrade(_)
            | Action::GiveCard(_)
            | Action::AskCard(_)
            | Action::SendOffer => position.offer_decision(actions),
            Action::EndTurn => Decision::EndTurn {},
            Action::SetupSettlement(vertex_id) => Decision::SetupPlaceSettlement {
                turn: 1 + u8::from(position.n_placed > 4),
                vertex_id,
            },
            Action::SetupRoad(edge_id) => Decision::SetupPlaceRoad {
                edge_id,
                turn: 1 + u8::from(position.n_placed > 4),
            },
            Action::Discard(_) => {
                let cards = actions.iter().filter_map(|action| match action {
                    Action::Discard(resource) => Some(*resource),
                    _ => None,
                });
                Decision::Discard {
                    resources: gathered(cards),
                }
            }
            Action::AcceptTrade => Decision::TradeAccept {},
            Action::DeclineTrade => Decision::TradeDecline {},
        }
    }

    fn actions(
        self,
        position: &Catan,
        node: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        position.steps_of(self, node, faults)
    }
}

impl Catan {
    fn trade_decision(&self, rate: Rate, swap: Swap) -> Decision {
        let mut price = Hand::default();
        price[swap.give() as usize] = rate.price();
        let (give, receive) = (cards(price), gathered([swap.get()]));
        let kind = match rate {
            Rate::Bank => return Decision::TradeBank { give, receive },
            Rate::AnyPort => ANY,
            Rate::OwnPort => swap.give() as u8,
        };
        let port = (0..N_PORTS).find(|&port| self.board.ports[port] == kind && self.owns(port));
        Decision::TradePort {
            give,
            port_id: port.unwrap_or(0) as u8,
            receive,
        }
    }

    fn offer_decision(&self, actions: &[Action]) -> Decision {
        let trade = actions
            .iter()
            .fold(Trade::NONE, |trade, action| match *action {
                Action::OfferTrade(swap) => trade
                    .with(Side::Offer, swap.give())
                    .with(Side::Request, swap.get()),
                Action::GiveCard(resource) => trade.with(Side::Offer, resource),
                Action::AskCard(resource) => trade.with(Side::Request, resource),
                _ => trade,
            });
        let last = actions.last();
        let cut_short = matches!(last, Some(Action::GiveCard(_) | Action::AskCard(_)));
        Decision::TradePlayer {
            offer: cards(trade.offer),
            partner: id(Catan::other(self.mover())),
            request: cards(trade.request),
            sent: cut_short.then_some(false),
        }
    }

    /// The player robbed on this tile: the opponent, if they have a building there.
    fn victim(&self, tile: u8) -> Option<u8> {
        let other = Catan::other(self.mover());
        self.lives_at(other, tile).then(|| id(other))
    }

    /// True if the player whose turn it is has a building at a harbor.
    fn owns(&self, port: usize) -> bool {
        let homes = self.player(self.mover()).buildings();
        let ends = EDGE_ENDS[usize::from(PORT_EDGES[port])];
        ends.iter().any(|&vertex| homes & (1 << vertex) != 0)
    }
}

impl Progress {
    fn of(actions: &[Action]) -> Progress {
        match actions[0] {
            Action::PlayYearOfPlenty(plenty) => Progress::YearOfPlenty {
                resources: gathered(plenty.cards()),
            },
            Action::PlayMonopoly(resource) => Progress::Monopoly { resource },
            _ => {
                let edges = actions[1..].iter().filter_map(|action| match action {
                    Action::BuildRoad { edge, .. } => Some(Edge(*edge)),
                    _ => None,
                });
                Progress::RoadBuilding {
                    edges: edges.collect(),
                }
            }
        }
    }
}

fn id(seat: Seat) -> u8 {
    seat.index() as u8
}
