//! Reading a position from a document.

use kernel::doc::{Faults, Node, Object, one_written};
use kernel::json::Json;
use kernel::{Seat, Table};

use crate::board::Board;
use crate::chance::{draw_of, read_faces};
use crate::check;
use crate::older;
use crate::snapshot::{
    BoardSnapshot, DiscardSnapshot, PlayerSnapshot, Snapshot, TradeSnapshot, TurnSnapshot,
};
use crate::state::{Discard, Player};
use crate::topology::{N_EDGES, N_VERTICES, NONE, PORT_EDGES};
use crate::{Catan, Dev, Ending, OFFER_CARDS_MAX, Trade};

/// Points and lengths stated by a document, for comparison with what the pieces give.
pub(crate) struct Claims {
    pub(crate) points: [u8; 2],
    pub(crate) hidden: [u8; 2],
    pub(crate) road_len: [u8; 2],
    pub(crate) army: [u8; 2],
    pub(crate) pile: Vec<Dev>,
    pub(crate) winner: Option<Seat>,
    pub(crate) round: Option<u8>,
    pub(crate) proposer: Option<u8>,
    pub(crate) has_bag: bool,
}

/// Reads a position. A document that contradicts itself or the rules is refused, with all reasons.
pub(crate) fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Catan> {
    let n_faults = faults.len();
    let version = node.field("schema_version");
    let version = version.json().and_then(Json::as_text);
    let old = version.is_some_and(|text| text.starts_with("0.1."));
    let read = if old {
        let filled = older::filled(node.present(faults)?);
        let mut found = Faults::default();
        let read = read_parts(&Node::root(&filled), &mut found);
        faults.extend_below(node, &found);
        read
    } else {
        read_parts(node, faults)
    };
    let (mut position, mut claims) = read?;
    position.derive();
    if old {
        older::complete(&mut position, &mut claims, node, faults);
    }
    check::position(&position, &claims, node, faults);
    (faults.len() == n_faults).then_some(position)
}

fn read_parts(node: &Node<'_>, faults: &mut Faults) -> Option<(Catan, Claims)> {
    let n_faults = faults.len();
    let snapshot = Snapshot::read_beside(node, &Table::<Catan>::KEYS, faults);
    check_ids(node, faults);
    let snapshot = snapshot?;
    let [first, second] = &snapshot.players;
    let mut position = Catan::at_start(&snapshot.variant.setup([first.name, second.name]));
    (position.board, position.robber) = board_of(&snapshot.board, node, faults)?;
    position.bank = snapshot.bank.resources.cards();
    position.n_deck = snapshot.bank.dev_deck.len() as u8;
    let deck = snapshot.bank.dev_deck.iter().rev();
    for (place, card) in position.deck.iter_mut().zip(deck) {
        *place = *card as u8;
    }
    position.players = [player_of(first), player_of(second)];
    put_turn(&snapshot.turn, &mut position);
    position.chance = snapshot.pending_chance;
    position.discards = discards_of(&snapshot.pending_discards, node, faults);
    let trade = snapshot.pending_trade.as_ref();
    if let Some(trade) = trade {
        let trade = trade_of(trade, &node.field("pending_trade"), faults);
        position.pending = trade.into();
    }
    position.army_owner = snapshot.largest_army_owner.and_then(seat);
    position.road_owner = snapshot.longest_road_owner.and_then(seat);
    position.ending = snapshot.outcome;
    (faults.len() == n_faults).then(|| (position, Claims::of(snapshot)))
}

impl Claims {
    fn of(snapshot: Snapshot) -> Claims {
        let players = &snapshot.players;
        let each = |of: fn(&PlayerSnapshot) -> u8| [of(&players[0]), of(&players[1])];
        Claims {
            points: each(|it| it.victory_points),
            hidden: each(|it| it.hidden_victory_points),
            road_len: each(|it| it.longest_road_len),
            army: each(|it| it.largest_army_size),
            pile: snapshot.discard_pile.dev_cards,
            winner: snapshot.winner.and_then(seat),
            round: snapshot.turn.setup.as_ref().map(|it| it.round),
            proposer: snapshot.pending_trade.as_ref().map(|it| it.proposer),
            has_bag: snapshot.turn.dice.bag.is_some(),
        }
    }
}

fn seat(id: u8) -> Option<Seat> {
    Seat::new(id.into())
}

/// Checks that tiles, harbors and players are in the order of their ids.
fn check_ids(node: &Node<'_>, faults: &mut Faults) {
    let mut must = |place: Node<'_>, id: usize| {
        if place.exists() {
            place.int_in(id as i64..=id as i64, faults);
        }
    };
    let (board, players) = (node.field("board"), node.field("players"));
    let (tiles, ports) = (board.field("tiles"), board.field("ports"));
    for (list, key) in [
        (&tiles, "tile_id"),
        (&ports, "port_id"),
        (&players, "player_id"),
    ] {
        let n_items = list.json().and_then(Json::as_list).map_or(0, <[Json]>::len);
        for idx in 0..n_items {
            must(list.item(idx).field(key), idx);
        }
    }
    for (idx, edge) in PORT_EDGES.iter().enumerate() {
        must(ports.item(idx).field("edge_id"), (*edge).into());
    }
}

fn board_of(board: &BoardSnapshot, node: &Node<'_>, faults: &mut Faults) -> Option<(Board, u8)> {
    let robbers = board.tiles.iter().filter(|tile| tile.has_robber);
    let n_robbers = robbers.clone().count();
    if n_robbers != 1 {
        let message = format!("expected one tile with the robber, found {n_robbers}");
        let tiles = node.field("board");
        faults.at(&tiles.field("tiles"), "wrong_robber", message);
    }
    let terrain: Vec<u8> = board.tiles.iter().map(|it| it.resource as u8).collect();
    let numbers = board.tiles.iter().map(|it| it.pip_number.unwrap_or(0));
    let numbers: Vec<u8> = numbers.collect();
    let ports: Vec<u8> = board.ports.iter().map(|it| it.kind as u8).collect();
    let robber = robbers.map(|tile| tile.tile_id).next().unwrap_or(0);
    let board = Board::new(
        terrain.try_into().ok()?,
        numbers.try_into().ok()?,
        ports.try_into().ok()?,
    );
    Some((board, robber))
}

fn player_of(player: &PlayerSnapshot) -> Player {
    let set = |ids: &[u8]| ids.iter().fold(0u128, |set, id| set | 1 << id);
    Player {
        roads: set(&player.roads),
        settlements: set(&player.settlements) as u64,
        cities: set(&player.cities) as u64,
        hand: player.resources.cards(),
        devs: player.dev_cards.cards(),
        new_devs: player.new_dev_cards.cards(),
        played: player.played_dev_cards.cards(),
        ..Player::default()
    }
}

fn put_turn(turn: &TurnSnapshot, position: &mut Catan) {
    let last_vertex = turn.setup.as_ref().and_then(|it| it.last_vertex);
    position.number = turn.number;
    position.phase = turn.phase;
    position.current = turn.current_player;
    position.dice = turn.dice.last_roll.unwrap_or([0, 0]);
    position.robber_triggered = turn.dice.robber_triggered;
    let bag = turn.dice.bag.iter().flatten();
    position.bag = bag.fold(0, |bag, faces| bag | 1 << draw_of(*faces).0);
    position.rolled = turn.rolled;
    position.free_roads = turn.free_roads;
    position.n_offers = turn.offers_made;
    position.last_vertex = last_vertex.unwrap_or(NONE);
    position.dev_played = turn.dev_card_played;
    // Settlements and roads alternate; the round distinguishes the first half from the second.
    let in_round = turn.setup.as_ref().map(|it| {
        let second = u8::from((it.round == 1) == (turn.current_player == 1));
        4 * (it.round - 1) + 2 * second + u8::from(last_vertex.is_some())
    });
    position.n_placed = in_round.unwrap_or(8);
}

fn discards_of(due: &[DiscardSnapshot], node: &Node<'_>, faults: &mut Faults) -> [Discard; 2] {
    let mut discards = [Discard::default(); 2];
    for (idx, it) in due.iter().enumerate() {
        if due[..idx]
            .iter()
            .any(|before| before.player_id >= it.player_id)
        {
            let place = node.field("pending_discards").item(idx);
            faults.at(
                &place,
                "not_sorted",
                "expected player ids in ascending order, each once",
            );
        }
        let (total, left) = (it.total, it.left);
        discards[usize::from(it.player_id)] = Discard { total, left };
    }
    discards
}

fn trade_of(trade: &TradeSnapshot, node: &Node<'_>, faults: &mut Faults) -> Trade {
    if trade.proposer == trade.partner {
        faults.at(
            node,
            "contradiction",
            "a player cannot trade with themselves",
        );
    }
    let read = Trade {
        offer: trade.offer.cards(),
        request: trade.request.cards(),
    };
    if read.is_none() {
        faults.at(
            node,
            "wrong_lot",
            "expected an offer with at least one card",
        );
    }
    check_trade(&read, node, faults);
    read
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

pub(crate) fn read_ending(node: &Node<'_>, faults: &mut Faults) -> Option<Option<Ending>> {
    node.null_or(faults, |node, faults| {
        let expected = "null or an outcome that Catan can have, with exactly the fields reason, \
                        result, truncated and winners";
        one_written(node, Ending::all(), expected, faults)
    })
}

pub(crate) fn read_vertices(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<u8>> {
    read_ids(node, N_VERTICES, faults)
}

pub(crate) fn read_edges(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<u8>> {
    read_ids(node, N_EDGES, faults)
}

/// Reads ids below `n`, in ascending order.
fn read_ids(node: &Node<'_>, n: usize, faults: &mut Faults) -> Option<Vec<u8>> {
    let items = node.list(faults)?;
    let ids = items.iter().map(|item| {
        let id = item.int_in(0..=n as i64 - 1, faults)?;
        u8::try_from(id).ok()
    });
    let ids: Vec<Option<u8>> = ids.collect();
    rising(ids.into_iter().collect::<Option<_>>()?, node, "ids", faults)
}

pub(crate) fn read_roll(node: &Node<'_>, faults: &mut Faults) -> Option<Option<[u8; 2]>> {
    node.null_or(faults, read_faces)
}

pub(crate) fn read_bag(node: &Node<'_>, faults: &mut Faults) -> Option<Option<Vec<[u8; 2]>>> {
    let throws = node.list(faults)?;
    let faces: Vec<Option<_>> = throws.iter().map(|it| read_faces(it, faults)).collect();
    let faces = faces.into_iter().collect::<Option<_>>()?;
    rising(faces, node, "rolls", faults).map(Some)
}

fn rising<T: Ord>(
    items: Vec<T>,
    node: &Node<'_>,
    what: &str,
    faults: &mut Faults,
) -> Option<Vec<T>> {
    if items.is_sorted_by(|one, next| one < next) {
        return Some(items);
    }
    faults.at(
        node,
        "not_sorted",
        format!("expected {what} in ascending order, each once"),
    );
    None
}
