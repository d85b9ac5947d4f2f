//! The actions of decisions that were read.

use kernel::doc::{Faults, Node};
use kernel::json;

use super::{Cards, Progress, cards, hand};
use crate::action::{Plenty, Rate, Swap, Throw};
use crate::board::ANY;
use crate::chance::Face;
use crate::restore::check_trade;
use crate::snapshot::{Id, PlayerId, PortId, TileId};
use crate::trade::each_card;
use crate::{Action, Catan, Hand, Resource, Trade};

/// The checks of a decision that was read at a node, at the position before its actions.
pub(super) struct Steps<'a, 'n> {
    pub(super) at: &'a Catan,
    pub(super) node: &'a Node<'n>,
    pub(super) faults: &'a mut Faults,
}

impl Steps<'_, '_> {
    pub(super) fn refuse(&mut self, key: &str, code: &'static str, message: impl Into<String>) {
        self.faults.at(&self.node.field(key), code, message);
    }

    pub(super) fn throw(&mut self, forced: Option<[Face; 2]>) -> Option<Vec<Action>> {
        let Some(faces) = forced else {
            return Some(vec![Action::RollDice]);
        };
        if !self.at.setup.test {
            let message = "dice can be forced only in a match whose setup says \"test\": true";
            self.refuse("forced_value", "needs_test_setup", message);
        }
        let throw = Throw::new(faces.map(|face| face.0))?;
        Some(vec![Action::ForceDice(throw)])
    }

    /// The victim may be omitted. A named victim must have a building on the tile.
    pub(super) fn check_victim(&mut self, tile: Option<TileId>, named: Option<PlayerId>) {
        let victim = tile.and_then(|tile| self.at.victim(tile.0));
        if self.node.field("steal_from").exists() && named != victim {
            let expected = victim.map_or("null".to_owned(), |id| id.0.to_string());
            let message =
                format!("the robber steals from a player on the tile: expected {expected}");
            self.refuse("steal_from", "contradiction", message);
        }
    }

    /// The price may be omitted. A given price must be correct.
    pub(super) fn check_payment(&mut self, paid: Option<Cards>, cost: Hand) {
        let cost = cards(cost);
        if paid.is_some_and(|paid| paid != cost) {
            let cost = json::from_value(&cost).expect("cards hold no floats");
            self.refuse(
                "pay_with",
                "wrong_payment",
                format!("expected the cost, {cost}"),
            );
        }
    }

    pub(super) fn port_trade(
        &mut self,
        give: &Cards,
        receive: &Cards,
        Id(port): PortId,
    ) -> Option<Vec<Action>> {
        let kind = self.at.board.ports[usize::from(port)];
        let rate = match kind {
            ANY => Rate::AnyPort,
            _ => Rate::OwnPort,
        };
        let swap = self.swap(give, receive, rate)?;
        let fits = rate == Rate::AnyPort || kind == swap.give() as u8;
        if !fits || !self.at.owns(port.into()) {
            let message = "expected a port of the player that takes the given resource";
            self.refuse("port_id", "wrong_port", message);
        }
        Some(vec![Action::Trade(rate, swap)])
    }

    /// The actions that make an offer.
    pub(super) fn offer(&mut self, offer: Hand, request: Hand, sent: bool) -> Option<Vec<Action>> {
        let n_faults = self.faults.len();
        self.must_be("partner", Catan::other(self.at.mover()).index());
        for (key, cards, may_be_empty) in [("offer", offer, false), ("request", request, !sent)] {
            if cards == Hand::default() && !may_be_empty {
                self.refuse(key, "wrong_lot", "expected at least one card");
            }
        }
        let trade = Trade { offer, request };
        check_trade(&trade, self.node, self.faults);
        (self.faults.len() == n_faults).then(|| match sent {
            true => trade.actions().collect(),
            false => trade.composition().collect(),
        })
    }

    pub(super) fn setup(&mut self, action: Action) -> Option<Vec<Action>> {
        self.must_be("turn", 1 + usize::from(self.at.n_placed >= 4));
        Some(vec![action])
    }

    fn must_be(&mut self, key: &str, number: usize) {
        let number = number as i64;
        self.node.field(key).int_in(number..=number, self.faults);
    }

    pub(super) fn progress(&mut self, progress: Progress) -> Option<Vec<Action>> {
        match progress {
            Progress::RoadBuilding { edges } => {
                let road = |Id(edge)| Action::BuildRoad { edge, free: true };
                let card = [Action::PlayRoadBuilding].into_iter();
                Some(card.chain(edges.into_iter().map(road)).collect())
            }
            Progress::YearOfPlenty { resources } => {
                let all: Vec<Resource> = each_card(hand(&resources)).collect();
                let plenty = match all.as_slice() {
                    [one] => Plenty::new(*one, None),
                    [one, two] => Plenty::new(*one, Some(*two)),
                    _ => {
                        self.refuse("resources", "wrong_lot", "expected one or two cards");
                        return None;
                    }
                };
                Some(vec![Action::PlayYearOfPlenty(plenty)])
            }
            Progress::Monopoly { resource } => Some(vec![Action::PlayMonopoly(resource)]),
        }
    }

    /// Some cards of one resource for one card of another.
    pub(super) fn swap(&mut self, give: &Cards, receive: &Cards, rate: Rate) -> Option<Swap> {
        let given = self.lot("give", give, rate.price());
        let got = self.lot("receive", receive, 1);
        let swap = Swap::new(given?, got?);
        if swap.is_none() {
            let message = "expected a resource other than the one given";
            self.refuse("receive", "same_resource", message);
        }
        swap
    }

    fn lot(&mut self, key: &str, cards: &Cards, n: u8) -> Option<Resource> {
        let mut each = cards.iter();
        let sole = each.next().filter(|it| it.1.0 == n && cards.len() == 1);
        if sole.is_none() {
            self.refuse(
                key,
                "wrong_lot",
                format!("expected exactly {n} of one resource"),
            );
        }
        sole.map(|(resource, _)| *resource)
    }
}
