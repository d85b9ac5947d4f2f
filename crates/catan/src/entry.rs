//! How a record says what a player did.
//!
//! Small steps that belong together are one entry: a knight with its robber move, road
//! building with its roads, a discard with all its cards. An entry that time or a departure
//! cut short holds what was done of it.

use kernel::doc::{Fault, Faults, Node};
use kernel::json::Json;
use kernel::{Entry, Seat};

use crate::action::{Plenty, Rate, Swap, Throw};
use crate::board::ANY;
use crate::chance::read_faces;
use crate::topology::{EDGE_ENDS, N_EDGES, N_PORTS, N_TILES, N_VERTICES, PORT_EDGES};
use crate::{Action, Catan, Dev, Hand, N_RESOURCES, ROAD_COST, Resource, SETTLEMENT_COST};

/// The types of actions in records: the specification's, then ours.
pub const KINDS: [&str; 17] = [
    "ROLL_DICE",
    "MOVE_ROBBER",
    "BUILD_ROAD",
    "BUILD_SETTLEMENT",
    "BUILD_CITY",
    "BUY_DEVELOPMENT",
    "PLAY_KNIGHT",
    "PLAY_PROGRESS",
    "TRADE_BANK",
    "TRADE_PORT",
    "TRADE_PLAYER",
    "END_TURN",
    "SETUP_PLACE_SETTLEMENT",
    "SETUP_PLACE_ROAD",
    "DISCARD",
    "TRADE_ACCEPT",
    "TRADE_DECLINE",
];

impl Catan {
    /// The entry of actions that were taken on the way to this position.
    pub(crate) fn entry(&self, actions: &[Action]) -> Entry {
        let entry = |kind, payload| Entry { kind, payload };
        match actions[0] {
            Action::RollDice => entry("ROLL_DICE", Json::object([])),
            Action::ForceDice(throw) => {
                let faces = Json::List(throw.faces().map(int).to_vec());
                entry("ROLL_DICE", Json::object([("forced_value", faces)]))
            }
            Action::MoveRobber(tile) => entry("MOVE_ROBBER", self.robber_payload(tile)),
            Action::BuildRoad { edge, free } => {
                let payload = [("edge_id", int(edge)), ("free", Json::Bool(free))];
                entry("BUILD_ROAD", Json::object(payload))
            }
            Action::BuildSettlement(vertex) => {
                let payload = [("free", Json::Bool(false)), ("vertex_id", int(vertex))];
                entry("BUILD_SETTLEMENT", Json::object(payload))
            }
            Action::BuildCity(vertex) => {
                entry("BUILD_CITY", Json::object([("vertex_id", int(vertex))]))
            }
            Action::BuyDevelopment => entry("BUY_DEVELOPMENT", Json::object([])),
            Action::PlayKnight => {
                let payload = match actions.get(1) {
                    Some(Action::MoveRobber(tile)) => self.robber_payload(*tile),
                    _ => Json::object([("steal_from", Json::Null), ("tile_id", Json::Null)]),
                };
                entry("PLAY_KNIGHT", payload)
            }
            Action::PlayRoadBuilding => {
                let edges = actions[1..].iter().filter_map(|action| match action {
                    Action::BuildRoad { edge, .. } => Some(int(*edge)),
                    _ => None,
                });
                let edges = Json::List(edges.collect());
                progress(Dev::RoadBuilding, "edges", edges)
            }
            Action::PlayYearOfPlenty(plenty) => {
                let resources = named(&counts(plenty.cards()));
                progress(Dev::YearOfPlenty, "resources", resources)
            }
            Action::PlayMonopoly(resource) => {
                let name = Json::Text(resource.name().to_owned());
                progress(Dev::Monopoly, "resource", name)
            }
            Action::Trade(rate, swap) => self.trade_entry(rate, swap),
            Action::OfferTrade(swap) => {
                let payload = [
                    ("offer", named(&counts([swap.give()]))),
                    ("partner", int(Catan::other(self.mover()).index() as u8)),
                    ("request", named(&counts([swap.get()]))),
                ];
                entry("TRADE_PLAYER", Json::object(payload))
            }
            Action::EndTurn => entry("END_TURN", Json::object([])),
            Action::SetupSettlement(vertex) => {
                let turn = int(1 + u8::from(self.n_placed > 4));
                let payload = [("turn", turn), ("vertex_id", int(vertex))];
                entry("SETUP_PLACE_SETTLEMENT", Json::object(payload))
            }
            Action::SetupRoad(edge) => {
                let turn = int(1 + u8::from(self.n_placed > 4));
                let payload = [("edge_id", int(edge)), ("turn", turn)];
                entry("SETUP_PLACE_ROAD", Json::object(payload))
            }
            Action::Discard(_) => {
                let cards = actions.iter().filter_map(|action| match action {
                    Action::Discard(resource) => Some(*resource),
                    _ => None,
                });
                let resources = named(&counts(cards));
                entry("DISCARD", Json::object([("resources", resources)]))
            }
            Action::AcceptTrade => entry("TRADE_ACCEPT", Json::object([])),
            Action::DeclineTrade => entry("TRADE_DECLINE", Json::object([])),
        }
    }

    /// Whom a robber on this tile robs: the other player, if a building stands there.
    fn victim(&self, tile: u8) -> Option<Seat> {
        let other = Catan::other(self.mover());
        self.lives_at(other, tile).then_some(other)
    }

    fn robber_payload(&self, tile: u8) -> Json {
        let victim = self.victim(tile);
        let victim = victim.map_or(Json::Null, |seat| int(seat.index() as u8));
        Json::object([("steal_from", victim), ("tile_id", int(tile))])
    }

    fn trade_entry(&self, rate: Rate, swap: Swap) -> Entry {
        let mut cards = Hand::default();
        cards[swap.give() as usize] = rate.price();
        let (give, receive) = (named(&cards), named(&counts([swap.get()])));
        let payload = [("give", give), ("receive", receive)];
        let kind = match rate {
            Rate::Bank => return entry_of("TRADE_BANK", Json::object(payload)),
            Rate::AnyPort => ANY,
            Rate::OwnPort => swap.give() as u8,
        };
        let port = (0..N_PORTS).find(|&port| self.board.ports[port] == kind && self.owns(port));
        let [give, receive] = payload;
        let port = ("port_id", int(port.unwrap_or(0) as u8));
        entry_of("TRADE_PORT", Json::object([give, port, receive]))
    }

    /// Whether the player of the turn has a building at a harbour.
    fn owns(&self, port: usize) -> bool {
        let homes = self.player(self.mover()).buildings();
        let ends = EDGE_ENDS[usize::from(PORT_EDGES[port])];
        ends.iter().any(|&vertex| homes & (1 << vertex) != 0)
    }

    /// The actions of an entry, read at the position before them.
    pub(crate) fn actions_of(
        &self,
        kind: &str,
        payload: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        let bare = |action, faults: &mut Faults| {
            payload.only_fields(&[], faults);
            Some(vec![action])
        };
        match kind {
            "ROLL_DICE" => self.read_roll(payload, faults),
            "BUY_DEVELOPMENT" => bare(Action::BuyDevelopment, faults),
            "END_TURN" => bare(Action::EndTurn, faults),
            "TRADE_ACCEPT" => bare(Action::AcceptTrade, faults),
            "TRADE_DECLINE" => bare(Action::DeclineTrade, faults),
            "MOVE_ROBBER" => {
                let tile = self.read_robber(payload, faults)?;
                Some(vec![Action::MoveRobber(tile?)])
            }
            "PLAY_KNIGHT" => {
                let tile = self.read_robber(payload, faults)?;
                let moved = tile.map(Action::MoveRobber);
                Some([Action::PlayKnight].into_iter().chain(moved).collect())
            }
            "BUILD_ROAD" => {
                payload.only_fields(&["edge_id", "free", "pay_with"], faults);
                let edge = read_id(&payload.field("edge_id"), N_EDGES, faults);
                let free = payload.field("free").bool(faults);
                read_payment(&payload.field("pay_with"), &ROAD_COST, faults);
                let (edge, free) = (edge?, free?);
                Some(vec![Action::BuildRoad { edge, free }])
            }
            "BUILD_SETTLEMENT" => {
                payload.only_fields(&["free", "pay_with", "vertex_id"], faults);
                let vertex = read_id(&payload.field("vertex_id"), N_VERTICES, faults);
                let free = payload.field("free");
                if free.bool(faults) == Some(true) {
                    faults.at(&free, "not_free", "only SETUP_PLACE_SETTLEMENT is free");
                }
                read_payment(&payload.field("pay_with"), &SETTLEMENT_COST, faults);
                Some(vec![Action::BuildSettlement(vertex?)])
            }
            "BUILD_CITY" => {
                payload.only_fields(&["vertex_id"], faults);
                let vertex = read_id(&payload.field("vertex_id"), N_VERTICES, faults);
                Some(vec![Action::BuildCity(vertex?)])
            }
            "PLAY_PROGRESS" => read_progress(payload, faults),
            "TRADE_BANK" => {
                payload.only_fields(&["give", "receive"], faults);
                let swap = read_swap(payload, "give", Rate::Bank.price(), "receive", faults)?;
                Some(vec![Action::Trade(Rate::Bank, swap)])
            }
            "TRADE_PORT" => self.read_port_trade(payload, faults),
            "TRADE_PLAYER" => {
                payload.only_fields(&["offer", "partner", "request"], faults);
                let other = Catan::other(self.mover()).index() as i64;
                let partner = payload.field("partner").int_in(other..=other, faults);
                let swap = read_swap(payload, "offer", 1, "request", faults);
                partner?;
                Some(vec![Action::OfferTrade(swap?)])
            }
            "SETUP_PLACE_SETTLEMENT" => {
                payload.only_fields(&["turn", "vertex_id"], faults);
                let vertex = read_id(&payload.field("vertex_id"), N_VERTICES, faults);
                self.read_setup_turn(payload, faults)?;
                Some(vec![Action::SetupSettlement(vertex?)])
            }
            "SETUP_PLACE_ROAD" => {
                payload.only_fields(&["edge_id", "turn"], faults);
                let edge = read_id(&payload.field("edge_id"), N_EDGES, faults);
                self.read_setup_turn(payload, faults)?;
                Some(vec![Action::SetupRoad(edge?)])
            }
            "DISCARD" => {
                payload.only_fields(&["resources"], faults);
                let cards = read_cards(&payload.field("resources"), faults)?;
                let each = Resource::ALL.into_iter().zip(cards);
                let all = each.flat_map(|(kind, n)| (0..n).map(move |_| Action::Discard(kind)));
                Some(all.collect())
            }
            _ => {
                let known = KINDS.join(", ");
                let message = format!("expected one of {known}, found {kind:?}");
                faults.push(Fault::new("/type", "unknown_value", message));
                None
            }
        }
    }

    /// A throw, forced or not.
    fn read_roll(&self, payload: &Node<'_>, faults: &mut Faults) -> Option<Vec<Action>> {
        payload.only_fields(&["forced_value"], faults);
        let forced = payload.field("forced_value");
        if !forced.exists() {
            return Some(vec![Action::RollDice]);
        }
        if !self.setup.test {
            let message = "dice are forced only in a match whose setup says \"test\": true";
            faults.at(&forced, "needs_test_setup", message);
        }
        let throw = Throw::new(read_faces(&forced, faults)?)?;
        Some(vec![Action::ForceDice(throw)])
    }

    /// The tile of a robber move; null in a knight's entry that was cut short.
    fn read_robber(&self, payload: &Node<'_>, faults: &mut Faults) -> Option<Option<u8>> {
        payload.only_fields(&["steal_from", "tile_id"], faults);
        let tile = payload
            .field("tile_id")
            .null_or(faults, |node, faults| read_id(node, N_TILES, faults))?;
        let from = payload.field("steal_from");
        let named = from.optional(faults, |node, faults| node.int_in(0..=1, faults))?;
        let victim = tile.and_then(|tile| self.victim(tile));
        let victim = victim.map(|seat| seat.index() as i64);
        if from.exists() && named != victim {
            let expected = victim.map_or("null".to_owned(), |id| id.to_string());
            let message = format!("the robber robs who lives on the tile: expected {expected}");
            faults.at(&from, "contradiction", message);
        }
        Some(tile)
    }

    fn read_port_trade(&self, payload: &Node<'_>, faults: &mut Faults) -> Option<Vec<Action>> {
        payload.only_fields(&["give", "port_id", "receive"], faults);
        let field = payload.field("port_id");
        let port = usize::from(read_id(&field, N_PORTS, faults)?);
        let rate = match self.board.ports[port] {
            ANY => Rate::AnyPort,
            _ => Rate::OwnPort,
        };
        let swap = read_swap(payload, "give", rate.price(), "receive", faults)?;
        let fits = rate == Rate::AnyPort || self.board.ports[port] == swap.give() as u8;
        if !fits || !self.owns(port) {
            let message = "expected a port of the player's own that takes what is given";
            faults.at(&field, "wrong_port", message);
        }
        Some(vec![Action::Trade(rate, swap)])
    }

    fn read_setup_turn(&self, payload: &Node<'_>, faults: &mut Faults) -> Option<i64> {
        let turn = 1 + i64::from(self.n_placed >= 4);
        payload.field("turn").int_in(turn..=turn, faults)
    }
}

fn entry_of(kind: &'static str, payload: Json) -> Entry {
    Entry { kind, payload }
}

fn progress(card: Dev, key: &str, value: Json) -> Entry {
    let card = Json::Text(card.name().to_owned());
    entry_of(
        "PLAY_PROGRESS",
        Json::object([("card", card), (key, value)]),
    )
}

fn int(value: u8) -> Json {
    Json::Int(value.into())
}

fn counts(cards: impl IntoIterator<Item = Resource>) -> Hand {
    let mut counts = Hand::default();
    for resource in cards {
        counts[resource as usize] += 1;
    }
    counts
}

/// The cards that are there, by name.
fn named(cards: &Hand) -> Json {
    let entries = Resource::NAMES.iter().zip(cards).filter(|(_, n)| **n > 0);
    let entries = entries.map(|(name, &n)| ((*name).to_owned(), int(n)));
    Json::Object(entries.collect())
}

fn read_id(node: &Node<'_>, n: usize, faults: &mut Faults) -> Option<u8> {
    let id = node.int_in(0..=n as i64 - 1, faults)?;
    u8::try_from(id).ok()
}

/// Cards by name; those left out are none.
fn read_cards(node: &Node<'_>, faults: &mut Faults) -> Option<Hand> {
    node.only_fields(&Resource::NAMES, faults);
    let mut cards = Hand::default();
    for (name, n) in node.entries(faults)? {
        let kind = Resource::NAMES.iter().position(|known| *known == name)?;
        cards[kind] = n.int_in(1..=95, faults)? as u8;
    }
    Some(cards)
}

/// What was paid may be told, and then it is what the thing costs.
fn read_payment(node: &Node<'_>, cost: &Hand, faults: &mut Faults) {
    if node.exists() && read_cards(node, faults).is_some_and(|cards| cards != *cost) {
        let message = format!("expected the cost, {}", named(cost));
        faults.at(node, "wrong_payment", message);
    }
}

/// Some cards of one resource for one of another.
fn read_swap(
    payload: &Node<'_>,
    give: &str,
    price: u8,
    get: &str,
    faults: &mut Faults,
) -> Option<Swap> {
    let given = read_lot(&payload.field(give), price, faults);
    let got = read_lot(&payload.field(get), 1, faults);
    let swap = Swap::new(given?, got?);
    if swap.is_none() {
        let message = "expected another resource than the one that is given";
        faults.at(&payload.field(get), "same_resource", message);
    }
    swap
}

/// A number of cards of one resource.
fn read_lot(node: &Node<'_>, n: u8, faults: &mut Faults) -> Option<Resource> {
    let cards = read_cards(node, faults)?;
    let kind = (0..N_RESOURCES).find(|&kind| cards[kind] == n);
    let n_cards: u16 = cards.iter().map(|&n| u16::from(n)).sum();
    let sole = kind.filter(|_| n_cards == u16::from(n));
    if sole.is_none() {
        faults.at(
            node,
            "wrong_lot",
            format!("expected {n} of one resource: one lot"),
        );
    }
    sole.map(|kind| Resource::ALL[kind])
}

fn read_progress(payload: &Node<'_>, faults: &mut Faults) -> Option<Vec<Action>> {
    const CARDS: [&str; 3] = ["ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY"];
    match payload.field("card").one_of(&CARDS, faults)? {
        0 => {
            payload.only_fields(&["card", "edges"], faults);
            let edges = payload.field("edges").list(faults)?;
            let roads = edges.iter().map(|edge| {
                let edge = read_id(edge, N_EDGES, faults)?;
                Some(Action::BuildRoad { edge, free: true })
            });
            let roads: Option<Vec<Action>> = roads.collect();
            let card = [Action::PlayRoadBuilding];
            Some(card.into_iter().chain(roads?).collect())
        }
        1 => {
            payload.only_fields(&["card", "resources"], faults);
            let node = payload.field("resources");
            let cards = read_cards(&node, faults)?;
            let each = Resource::ALL.into_iter().zip(cards);
            let all: Vec<Resource> = each
                .flat_map(|(kind, n)| std::iter::repeat_n(kind, n.into()))
                .collect();
            match all.as_slice() {
                [one] => Some(vec![Action::PlayYearOfPlenty(Plenty::new(*one, None))]),
                [one, two] => Some(vec![Action::PlayYearOfPlenty(Plenty::new(
                    *one,
                    Some(*two),
                ))]),
                _ => {
                    faults.at(&node, "wrong_lot", "expected one or two cards");
                    None
                }
            }
        }
        _ => {
            payload.only_fields(&["card", "resource"], faults);
            let kind = payload.field("resource").one_of(&Resource::NAMES, faults)?;
            Some(vec![Action::PlayMonopoly(Resource::ALL[kind])])
        }
    }
}
