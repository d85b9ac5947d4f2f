//! The reasons for refusing an action, as precise as its player may know.

use kernel::{Reason, Seat};

use crate::card::covers;
use crate::state::{CITIES_MAX, Player, SETTLEMENTS_MAX};
use crate::trade::Side;
use crate::{
    Action, CITY_COST, Catan, DEV_COST, Dev, Hand, Phase, ROAD_COST, Rate, Resource,
    SETTLEMENT_COST, Swap,
};

impl Catan {
    /// The reason why this action of the deciding seat is not legal now.
    pub(crate) fn reason(&self, seat: Seat, action: Action) -> Reason {
        if matches!(action, Action::ForceDice(_)) && !self.setup.test {
            return Reason("needs_test_setup");
        }
        if !self.fits_phase(action) {
            return Reason(self.why_not_yet());
        }
        let player = self.player(seat);
        Reason(match action {
            Action::BuildRoad { free, .. } => match () {
                () if !player.has_road_left() => "no_pieces_left",
                () if !free && !covers(&player.hand, &ROAD_COST) => "not_enough_resources",
                () => "not_connected",
            },
            Action::BuildSettlement(vertex) => self.why_not_settle(player, vertex),
            Action::BuildCity(_) => match () {
                () if player.cities.count_ones() >= CITIES_MAX => "no_pieces_left",
                () if !covers(&player.hand, &CITY_COST) => "not_enough_resources",
                () => "no_settlement_there",
            },
            Action::BuyDevelopment if self.n_deck == 0 => "deck_empty",
            Action::BuyDevelopment if !covers(&player.hand, &DEV_COST) => "not_enough_resources",
            Action::PlayKnight => self.why_no_card(player, Dev::Knight),
            Action::PlayRoadBuilding => self.why_no_card(player, Dev::RoadBuilding),
            Action::PlayYearOfPlenty(_) => self.why_no_card(player, Dev::YearOfPlenty),
            Action::PlayMonopoly(_) => self.why_no_card(player, Dev::Monopoly),
            Action::Trade(rate, swap) => self.why_no_trade(&player.hand, rate, swap),
            Action::OfferTrade(swap) => self.why_no_offer(seat, swap),
            Action::GiveCard(resource) => self.why_no_step(Side::Offer, resource),
            Action::AskCard(resource) => self.why_no_step(Side::Request, resource),
            Action::SendOffer => "offer_incomplete",
            Action::MoveRobber(tile) if tile == self.robber => "robber_must_move",
            Action::MoveRobber(_) => "friendly_robber",
            Action::SetupSettlement(_) => "too_close",
            Action::SetupRoad(_) => "not_connected",
            Action::Discard(_) | Action::AcceptTrade => "not_enough_resources",
            _ => "illegal_action",
        })
    }

    fn fits_phase(&self, action: Action) -> bool {
        match action {
            Action::RollDice | Action::ForceDice(_) => self.phase == Phase::Roll,
            Action::MoveRobber(_) => self.phase == Phase::MoveRobber,
            Action::BuildRoad { free: true, .. } => self.phase == Phase::RoadBuilding,
            Action::PlayKnight
            | Action::PlayRoadBuilding
            | Action::PlayYearOfPlenty(_)
            | Action::PlayMonopoly(_) => matches!(self.phase, Phase::Roll | Phase::Action),
            Action::SetupSettlement(_) => self.phase == Phase::SetupSettlement,
            Action::SetupRoad(_) => self.phase == Phase::SetupRoad,
            Action::Discard(_) => self.phase == Phase::Discard,
            Action::AcceptTrade | Action::DeclineTrade => self.phase == Phase::TradeResponse,
            Action::GiveCard(_) => matches!(self.phase, Phase::Action | Phase::TradeOffer),
            Action::AskCard(_) | Action::SendOffer => self.phase == Phase::TradeOffer,
            _ => self.phase == Phase::Action,
        }
    }

    fn why_not_yet(&self) -> &'static str {
        match self.phase {
            Phase::Roll => "roll_first",
            _ => "wrong_phase",
        }
    }

    fn why_not_settle(&self, player: &Player, vertex: u8) -> &'static str {
        if player.settlements.count_ones() >= SETTLEMENTS_MAX {
            "no_pieces_left"
        } else if !covers(&player.hand, &SETTLEMENT_COST) {
            "not_enough_resources"
        } else if self.open & (1 << vertex) == 0 {
            "too_close"
        } else {
            "not_connected"
        }
    }

    fn why_no_card(&self, player: &Player, dev: Dev) -> &'static str {
        if player.devs[dev as usize] == 0 {
            match player.new_devs[dev as usize] {
                0 => "card_not_held",
                _ => "card_bought_this_turn",
            }
        } else if self.dev_played {
            "one_card_a_turn"
        } else if dev == Dev::RoadBuilding {
            "no_road_possible"
        } else {
            "bank_empty"
        }
    }

    fn why_no_trade(&self, hand: &Hand, rate: Rate, swap: Swap) -> &'static str {
        if hand[swap.give() as usize] < rate.price() {
            "not_enough_resources"
        } else if self.bank[swap.get() as usize] == 0 {
            "bank_empty"
        } else {
            "no_such_port"
        }
    }

    fn why_no_offer(&self, seat: Seat, swap: Swap) -> &'static str {
        if self.n_offers >= self.setup.offers_max() {
            "too_many_offers"
        } else if self.player(seat).hand[swap.give() as usize] == 0 {
            "not_enough_resources"
        } else {
            "other_lacks_it"
        }
    }

    fn why_no_step(&self, side: Side, resource: Resource) -> &'static str {
        let (own, _) = self.traders();
        let next = self.trade().with(side, resource);
        if self.n_offers >= self.setup.offers_max() {
            "too_many_offers"
        } else if !self.trade().is_in_order(side, resource) {
            "out_of_order"
        } else if next.shared().is_some() {
            "same_resource"
        } else if !next.has_form() {
            "offer_too_large"
        } else if !covers(own, &next.offer) {
            "not_enough_resources"
        } else {
            "other_lacks_it"
        }
    }
}
