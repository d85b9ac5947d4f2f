//! From a decision in a record to its actions.

use kernel::doc::{Faults, Node};
use kernel::json;

use super::{Cards, Decision, Edge, Progress, cards, hand, id};
use crate::action::{Plenty, Rate, Swap, Throw};
use crate::board::ANY;
use crate::restore::check_trade;
use crate::trade::each_card;
use crate::{Action, Catan, Hand, N_RESOURCES, ROAD_COST, Resource, SETTLEMENT_COST, Trade};

impl Catan {
    /// Returns the actions of a decision, read at the position before them.
    pub(crate) fn steps_of(
        &self,
        decision: Decision,
        node: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        let action = match decision {
            Decision::RollDice { forced_value } => {
                let forced = forced_value.map(|it| it.map(|face| face.0));
                self.throw(forced, node, faults)?
            }
            Decision::MoveRobber {
                steal_from,
                tile_id,
            } => {
                self.check_victim(Some(tile_id), steal_from, node, faults);
                Action::MoveRobber(tile_id)
            }
            Decision::BuildRoad {
                edge_id,
                free,
                pay_with,
            } => {
                check_payment(pay_with.as_ref(), ROAD_COST, node, faults);
                let edge = edge_id;
                Action::BuildRoad { edge, free }
            }
            Decision::BuildSettlement {
                free,
                pay_with,
                vertex_id,
            } => {
                if free {
                    let message = "only SETUP_PLACE_SETTLEMENT may be free";
                    faults.at(&node.field("free"), "not_free", message);
                }
                check_payment(pay_with.as_ref(), SETTLEMENT_COST, node, faults);
                Action::BuildSettlement(vertex_id)
            }
            Decision::BuildCity { vertex_id } => Action::BuildCity(vertex_id),
            Decision::BuyDevelopment {} => Action::BuyDevelopment,
            Decision::PlayKnight {
                steal_from,
                tile_id,
            } => {
                self.check_victim(tile_id, steal_from, node, faults);
                let moved = tile_id.map(Action::MoveRobber);
                return Some([Action::PlayKnight].into_iter().chain(moved).collect());
            }
            Decision::PlayProgress(progress) => return progress.actions(node, faults),
            Decision::TradeBank { give, receive } => {
                let swap = swap([&give, &receive], Rate::Bank, node, faults)?;
                Action::Trade(Rate::Bank, swap)
            }
            Decision::TradePort {
                give,
                port_id,
                receive,
            } => self.port_trade([&give, &receive], port_id.into(), node, faults)?,
            Decision::TradePlayer {
                offer,
                request,
                sent,
                ..
            } => {
                let (offer, request) = (hand(&offer), hand(&request));
                let trade = Trade { offer, request };
                return self.offer(&trade, sent != Some(false), node, faults);
            }
            Decision::EndTurn {} => Action::EndTurn,
            Decision::SetupPlaceSettlement { vertex_id, .. } => {
                self.check_setup_turn(node, faults);
                Action::SetupSettlement(vertex_id)
            }
            Decision::SetupPlaceRoad { edge_id, .. } => {
                self.check_setup_turn(node, faults);
                Action::SetupRoad(edge_id)
            }
            Decision::Discard { resources } => {
                return Some(each_card(hand(&resources)).map(Action::Discard).collect());
            }
            Decision::TradeAccept {} => Action::AcceptTrade,
            Decision::TradeDecline {} => Action::DeclineTrade,
        };
        Some(vec![action])
    }

    fn throw(
        &self,
        forced: Option<[u8; 2]>,
        node: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Action> {
        let Some(faces) = forced else {
            return Some(Action::RollDice);
        };
        if !self.setup.test {
            let message = "dice can be forced only in a match whose setup says \"test\": true";
            faults.at(&node.field("forced_value"), "needs_test_setup", message);
        }
        Throw::new(faces).map(Action::ForceDice)
    }

    /// The victim may be omitted. A named victim must have a building on the tile.
    fn check_victim(
        &self,
        tile: Option<u8>,
        named: Option<u8>,
        node: &Node<'_>,
        faults: &mut Faults,
    ) {
        let from = node.field("steal_from");
        let victim = tile.and_then(|tile| self.victim(tile));
        if from.exists() && named != victim {
            let expected = victim.map_or("null".to_owned(), |id| id.to_string());
            let message =
                format!("the robber steals from a player on the tile: expected {expected}");
            faults.at(&from, "contradiction", message);
        }
    }

    fn port_trade(
        &self,
        cards: [&Cards; 2],
        port: usize,
        node: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Action> {
        let rate = match self.board.ports[port] {
            ANY => Rate::AnyPort,
            _ => Rate::OwnPort,
        };
        let swap = swap(cards, rate, node, faults)?;
        let fits = rate == Rate::AnyPort || self.board.ports[port] == swap.give() as u8;
        if !fits || !self.owns(port) {
            let message = "expected a port of the player that takes the given resource";
            faults.at(&node.field("port_id"), "wrong_port", message);
        }
        Some(Action::Trade(rate, swap))
    }

    /// The actions that make an offer.
    fn offer(
        &self,
        trade: &Trade,
        sent: bool,
        node: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        let n_faults = faults.len();
        let other = i64::from(id(Catan::other(self.mover())));
        node.field("partner").int_in(other..=other, faults);
        for (key, cards, may_be_empty) in [
            ("offer", trade.offer, false),
            ("request", trade.request, !sent),
        ] {
            if cards == Hand::default() && !may_be_empty {
                faults.at(&node.field(key), "wrong_lot", "expected at least one card");
            }
        }
        check_trade(trade, node, faults);
        (faults.len() == n_faults).then(|| match sent {
            true => trade.actions().collect(),
            false => trade.composition().collect(),
        })
    }

    fn check_setup_turn(&self, node: &Node<'_>, faults: &mut Faults) {
        let turn = 1 + i64::from(self.n_placed >= 4);
        node.field("turn").int_in(turn..=turn, faults);
    }
}

impl Progress {
    fn actions(self, node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Action>> {
        match self {
            Progress::RoadBuilding { edges } => {
                let road = |Edge(edge)| Action::BuildRoad { edge, free: true };
                let card = [Action::PlayRoadBuilding];
                Some(
                    card.into_iter()
                        .chain(edges.into_iter().map(road))
                        .collect(),
                )
            }
            Progress::YearOfPlenty { resources } => {
                let all: Vec<Resource> = each_card(hand(&resources)).collect();
                let plenty = match all.as_slice() {
                    [one] => Plenty::new(*one, None),
                    [one, two] => Plenty::new(*one, Some(*two)),
                    _ => {
                        let message = "expected one or two cards";
                        faults.at(&node.field("resources"), "wrong_lot", message);
                        return None;
                    }
                };
                Some(vec![Action::PlayYearOfPlenty(plenty)])
            }
            Progress::Monopoly { resource } => Some(vec![Action::PlayMonopoly(resource)]),
        }
    }
}

/// The price may be omitted. A given price must be correct.
fn check_payment(paid: Option<&Cards>, cost: Hand, node: &Node<'_>, faults: &mut Faults) {
    let cost = cards(cost);
    if paid.is_some_and(|paid| *paid != cost) {
        let cost = json::from_value(&cost).expect("cards hold no floats");
        let message = format!("expected the cost, {cost}");
        faults.at(&node.field("pay_with"), "wrong_payment", message);
    }
}

/// Some cards of one resource for one card of another.
fn swap(
    [give, receive]: [&Cards; 2],
    rate: Rate,
    node: &Node<'_>,
    faults: &mut Faults,
) -> Option<Swap> {
    let given = lot(give, rate.price(), &node.field("give"), faults);
    let got = lot(receive, 1, &node.field("receive"), faults);
    let swap = Swap::new(given?, got?);
    if swap.is_none() {
        let message = "expected a resource other than the one given";
        faults.at(&node.field("receive"), "same_resource", message);
    }
    swap
}

fn lot(cards: &Cards, n: u8, node: &Node<'_>, faults: &mut Faults) -> Option<Resource> {
    let cards = hand(cards);
    let kind = (0..N_RESOURCES).find(|&kind| cards[kind] == n);
    let n_cards: u16 = cards.iter().map(|&n| u16::from(n)).sum();
    let sole = kind.filter(|_| n_cards == u16::from(n));
    if sole.is_none() {
        let message = format!("expected exactly {n} of one resource");
        faults.at(node, "wrong_lot", message);
    }
    sole.map(|kind| Resource::ALL[kind])
}
