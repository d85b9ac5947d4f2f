//! Reading a position from a document.

use kernel::doc::{Faults, Node, Object};
use kernel::{Table, json};

use crate::board::Board;
use crate::chance::draw_of;
use crate::setup::RawSetup;
use crate::snapshot::{BoardSnapshot, Id, Snapshot, TurnSnapshot};
use crate::topology::NONE;
use crate::{Catan, OFFER_CARDS_MAX, Setup, Trade, check, older};

/// Reads a position. A document that contradicts itself or the rules is refused, with all reasons.
pub(crate) fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Catan> {
    let n_faults = faults.len();
    let filled = older::filled(node);
    let whole = filled.as_ref().map_or(*node, Node::root);
    let snapshot = Snapshot::read_beside(&whole, &Table::<Catan>::KEYS, faults)?;
    let mut trade = Trade::NONE;
    if let Some(pending) = &snapshot.pending_trade {
        pending.put(&mut trade);
    }
    check_trade(&trade, &node.field("pending_trade"), faults);
    if faults.len() > n_faults {
        return None;
    }
    let mut at = position(&snapshot);
    at.pending = trade.into();
    if filled.is_some() {
        older::complete(&mut at, &snapshot, node, faults);
    }
    let written = json::from_value(&Snapshot::of(&at)).expect("a snapshot holds no floats");
    node.must_repeat(&written, &Table::<Catan>::KEYS, faults);
    check::position(&at, node, faults);
    (faults.len() == n_faults).then_some(at)
}

fn position(snapshot: &Snapshot) -> Catan {
    let mut setup = RawSetup::default();
    snapshot.variant.put(&mut setup);
    let mut at = Catan::at_start(&Setup(setup));
    snapshot.put(&mut at);
    put_board(&snapshot.board, &mut at);
    snapshot.bank.put(&mut at);
    at.put_deck(&snapshot.bank.dev_deck);
    for (idx, player) in snapshot.players.iter().enumerate() {
        player.put(&mut at, idx);
    }
    put_turn(&snapshot.turn, &mut at);
    for due in &snapshot.pending_discards {
        due.put(&mut at.discards[usize::from(due.player_id.0)]);
    }
    at.derive();
    at
}

fn put_board(board: &BoardSnapshot, at: &mut Catan) {
    let tiles = board.tiles.each_ref();
    at.board = Board::new(
        tiles.map(|it| it.resource as u8),
        tiles.map(|it| it.pip_number.unwrap_or(0)),
        board.ports.each_ref().map(|it| it.kind as u8),
    );
    let robber = tiles.iter().position(|it| it.has_robber);
    at.robber = robber.unwrap_or(0) as u8;
}

fn put_turn(turn: &TurnSnapshot, at: &mut Catan) {
    turn.put(at);
    turn.dice.put(at);
    at.dice = turn.dice.last_roll.unwrap_or([0, 0]);
    let bag = turn.dice.bag.iter().flatten();
    at.bag = bag.fold(0, |bag, faces| bag | 1 << draw_of(faces.map(|it| it.0)).0);
    let last_vertex = turn.setup.as_ref().and_then(|it| it.last_vertex);
    at.last_vertex = last_vertex.map_or(NONE, |Id(vertex)| vertex);
    let round = turn.setup.as_ref().map_or(0, |it| it.round);
    at.n_placed = n_placed(round, at.current, last_vertex.is_some());
}

/// The number of placements done before this one of a round of the setup; all of them after the
/// setup, which is round 0. Settlements and roads alternate.
pub(crate) fn n_placed(round: u8, current: u8, is_road: bool) -> u8 {
    let second = u8::from((round == 1) == (current == 1));
    match round {
        0 => 8,
        round => 4 * (round - 1) + 2 * second + u8::from(is_road),
    }
}

/// Reports what makes a trade impossible as an offer.
pub(crate) fn check_trade(trade: &Trade, node: &Node<'_>, faults: &mut Faults) {
    if let Some(resource) = trade.shared() {
        let name = resource.name();
        let message = format!("{name} is on both sides: expected it on one side only");
        faults.at(&node.field("request").field(name), "same_resource", message);
    }
    for (key, cards) in [("offer", &trade.offer), ("request", &trade.request)] {
        let n_cards: u32 = cards.iter().map(|&n| u32::from(n)).sum();
        if n_cards > OFFER_CARDS_MAX.into() {
            let message = format!("expected at most {OFFER_CARDS_MAX} cards, found {n_cards}");
            faults.at(&node.field(key), "too_many_cards", message);
        }
    }
}
