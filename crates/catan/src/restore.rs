//! Reading a position back from a document.

use kernel::doc::{Faults, Node};
use kernel::json;
use kernel::{Seat, Table};

use crate::board::{Board, PortKind, Terrain};
use crate::chance::{draw_of, read_faces};
use crate::check;
use crate::older;
use crate::setup::{Name, VARIANT_FIELDS, read_name, read_variant};
use crate::state::{Discard, Due, Player};
use crate::topology::{N_EDGES, N_PORTS, N_TILES, N_VERTICES, NONE, PORT_EDGES};
use crate::{Catan, DEV_CARDS, Dev, Devs, Ending, Hand, Phase, Resource, Setup};

const FIELDS: [&str; 13] = [
    "bank",
    "board",
    "discard_pile",
    "largest_army_owner",
    "longest_road_owner",
    "outcome",
    "pending_chance",
    "pending_discards",
    "pending_trade",
    "players",
    "turn",
    "variant",
    "winner",
];

/// What a document says of points and lengths, to be compared with what the pieces give.
pub(crate) struct Claims {
    pub(crate) points: [u8; 2],
    pub(crate) hidden: [u8; 2],
    pub(crate) road_len: [u8; 2],
    pub(crate) army: [u8; 2],
    pub(crate) pile: Vec<usize>,
    pub(crate) winner: Option<Seat>,
    pub(crate) round: Option<u8>,
    pub(crate) proposer: Option<u8>,
    pub(crate) has_bag: bool,
}

/// Reads a position; what contradicts itself or the rules is refused, with all reasons.
pub(crate) fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Catan> {
    let keys: Vec<&str> = FIELDS.into_iter().chain(Table::<Catan>::KEYS).collect();
    node.only_fields(&keys, faults);
    let version = node.field("schema_version");
    let version = version.json().and_then(json::Json::as_text);
    let old = version.is_some_and(|text| text.starts_with("0.1."));
    let variant = node.field("variant");
    variant.only_fields(&VARIANT_FIELDS, faults);
    let test = variant.field("test");
    if test.json() == Some(&json::Json::Bool(false)) {
        faults.at(&test, "surplus", "left out where the match is no test");
    }
    let setup = read_variant(&variant, faults);
    let board = read_board(&node.field("board"), faults);
    let bank = read_bank(&node.field("bank"), faults);
    let players = read_players(&node.field("players"), faults);
    let turn = Turn::read(&node.field("turn"), old, faults);
    let pile = read_pile(&node.field("discard_pile"), faults);
    let rest = Rest::read(node, old, faults);
    let (board, (hand, deck)) = (board?, bank?);
    let ([first, second], turn, rest) = (players?, turn?, rest?);
    let mut claims = Claims {
        points: [first.points, second.points],
        hidden: [first.hidden, second.hidden],
        road_len: [first.road_len, second.road_len],
        army: [first.army, second.army],
        pile: pile?,
        winner: rest.winner,
        round: turn.round,
        proposer: rest.proposer,
        has_bag: turn.bag.is_some(),
    };
    let mut position = Catan::at_start(&Setup {
        players: [first.name, second.name],
        ..setup?
    });
    position.board = board.0;
    position.robber = board.1;
    position.bank = hand;
    position.n_deck = deck.len() as u8;
    for (place, kind) in position.deck.iter_mut().zip(deck.iter().rev()) {
        *place = *kind;
    }
    position.players = [first.player, second.player];
    turn.put_into(&mut position);
    rest.put_into(&mut position);
    position.derive();
    if old {
        older::complete(&mut position, &mut claims, node, faults);
    }
    check::position(&position, &claims, node, faults);
    faults.is_empty().then_some(position)
}

/// The board and the robber's tile.
fn read_board(node: &Node<'_>, faults: &mut Faults) -> Option<(Board, u8)> {
    node.only_fields(&["ports", "tiles"], faults);
    let tiles = read_each::<_, N_TILES>(&node.field("tiles"), faults, read_tile);
    let ports = read_each::<_, N_PORTS>(&node.field("ports"), faults, |node, idx, faults| {
        node.only_fields(&["edge_id", "port_id", "type"], faults);
        let edge = i64::from(PORT_EDGES[idx]);
        let edge = node.field("edge_id").int_in(edge..=edge, faults);
        let id = node
            .field("port_id")
            .int_in(idx as i64..=idx as i64, faults);
        let kind = node.field("type").one_of(&PortKind::NAMES, faults);
        edge.and(id)?;
        Some(kind? as u8)
    });
    let (tiles, ports) = (tiles?, ports?);
    let robbers: Vec<usize> = (0..N_TILES).filter(|&idx| tiles[idx].2).collect();
    if robbers.len() != 1 {
        let n = robbers.len();
        let message = format!("expected one tile with the robber, found {n}");
        faults.at(&node.field("tiles"), "wrong_robber", message);
    }
    let terrain = tiles.map(|(kind, ..)| kind);
    let numbers = tiles.map(|(_, number, _)| number);
    let robber = robbers.first().map_or(0, |&idx| idx as u8);
    Some((Board::new(terrain, numbers, ports), robber))
}

/// The terrain, the number and whether the robber is there.
fn read_tile(node: &Node<'_>, idx: usize, faults: &mut Faults) -> Option<(u8, u8, bool)> {
    node.only_fields(&["has_robber", "pip_number", "resource", "tile_id"], faults);
    let robber = node.field("has_robber").bool(faults);
    let number = node
        .field("pip_number")
        .null_or(faults, |node, faults| node.int_in(2..=12, faults));
    let kind = node.field("resource").one_of(&Terrain::NAMES, faults);
    let id = node.field("tile_id");
    id.int_in(idx as i64..=idx as i64, faults)?;
    Some((kind? as u8, number?.unwrap_or(0) as u8, robber?))
}

/// A list of exactly `N` values; every bad one is named.
fn read_each<T, const N: usize>(
    node: &Node<'_>,
    faults: &mut Faults,
    mut read: impl FnMut(&Node<'_>, usize, &mut Faults) -> Option<T>,
) -> Option<[T; N]> {
    let items = node.list_of_len(N, faults)?;
    let values: Vec<Option<T>> = items
        .iter()
        .enumerate()
        .map(|(idx, item)| read(item, idx, faults))
        .collect();
    let values: Option<Vec<T>> = values.into_iter().collect();
    values?.try_into().ok()
}

fn read_counts<const N: usize>(
    node: &Node<'_>,
    names: &[&str; N],
    most: u8,
    faults: &mut Faults,
) -> Option<[u8; N]> {
    node.only_fields(names, faults);
    let mut counts = [Some(0); N];
    for (count, name) in counts.iter_mut().zip(names) {
        let n = node.field(name).int_in(0..=most.into(), faults);
        *count = n.map(|n| n as u8);
    }
    let counts: Option<Vec<u8>> = counts.into_iter().collect();
    counts?.try_into().ok()
}

/// The bank's cards and the deck in draw order.
fn read_bank(node: &Node<'_>, faults: &mut Faults) -> Option<(Hand, Vec<u8>)> {
    node.only_fields(&["dev_deck", "resources"], faults);
    let deck = node.field("dev_deck");
    let cards = read_devs(&deck, faults);
    let hand = read_counts(&node.field("resources"), &Resource::NAMES, 19, faults);
    let cards = cards?;
    if cards.len() > DEV_CARDS {
        let n = cards.len();
        let message = format!("expected at most 25 cards, found {n}");
        faults.at(&deck, "wrong_length", message);
        return None;
    }
    Some((hand?, cards.iter().map(|&kind| kind as u8).collect()))
}

fn read_devs(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<usize>> {
    let cards = node.list(faults)?;
    let kinds: Vec<Option<usize>> = cards
        .iter()
        .map(|card| card.one_of(&Dev::NAMES, faults))
        .collect();
    kinds.into_iter().collect()
}

fn read_pile(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<usize>> {
    node.only_fields(&["dev_cards"], faults);
    read_devs(&node.field("dev_cards"), faults)
}

/// A player as read.
struct PlayerRead {
    player: Player,
    name: Name,
    points: u8,
    hidden: u8,
    road_len: u8,
    army: u8,
}

fn read_players(node: &Node<'_>, faults: &mut Faults) -> Option<[PlayerRead; 2]> {
    read_each::<_, 2>(node, faults, read_player)
}

fn read_player(node: &Node<'_>, idx: usize, faults: &mut Faults) -> Option<PlayerRead> {
    const FIELDS: [&str; 13] = [
        "cities",
        "dev_cards",
        "hidden_victory_points",
        "largest_army_size",
        "longest_road_len",
        "name",
        "new_dev_cards",
        "played_dev_cards",
        "player_id",
        "resources",
        "roads",
        "settlements",
        "victory_points",
    ];
    node.only_fields(&FIELDS, faults);
    let cities = read_set(&node.field("cities"), N_VERTICES, faults);
    let settlements = read_set(&node.field("settlements"), N_VERTICES, faults);
    let roads = read_set(&node.field("roads"), N_EDGES, faults);
    let devs = read_counts(&node.field("dev_cards"), &Dev::NAMES, 25, faults);
    let new_devs = read_counts(&node.field("new_dev_cards"), &Dev::NAMES, 25, faults);
    let [knight, road, plenty, monopoly, _] = Dev::NAMES;
    let playable = [knight, road, plenty, monopoly];
    let played = read_counts(&node.field("played_dev_cards"), &playable, 25, faults);
    let hand = read_counts(&node.field("resources"), &Resource::NAMES, 19, faults);
    let name = read_name(&node.field("name"), faults);
    let mut int = |key: &str, most: i64| {
        let value = node.field(key).int_in(0..=most, faults);
        value.map(|value| value as u8)
    };
    let hidden = int("hidden_victory_points", 25);
    let army = int("largest_army_size", 25);
    let road_len = int("longest_road_len", 72);
    let points = int("victory_points", 50);
    node.field("player_id")
        .int_in(idx as i64..=idx as i64, faults)?;
    let mut all_played = Devs::default();
    all_played[..4].copy_from_slice(&played?);
    let player = Player {
        roads: roads?,
        settlements: settlements? as u64,
        cities: cities? as u64,
        hand: hand?,
        devs: devs?,
        new_devs: new_devs?,
        played: all_played,
        ..Player::default()
    };
    Some(PlayerRead {
        player,
        name: name?,
        points: points?,
        hidden: hidden?,
        road_len: road_len?,
        army: army?,
    })
}

/// A rising list of ids below `n`.
fn read_set(node: &Node<'_>, n: usize, faults: &mut Faults) -> Option<u128> {
    let items = node.list(faults)?;
    let ids: Vec<Option<i64>> = items
        .iter()
        .map(|item| item.int_in(0..=n as i64 - 1, faults))
        .collect();
    let ids: Vec<i64> = ids.into_iter().collect::<Option<_>>()?;
    if ids.windows(2).any(|pair| pair[0] >= pair[1]) {
        faults.at(node, "not_sorted", "expected rising ids, each once");
        return None;
    }
    Some(ids.iter().fold(0, |set, id| set | 1 << id))
}

/// The `turn` of a document.
struct Turn {
    number: u16,
    phase: Phase,
    current: u8,
    dice: [u8; 2],
    triggered: bool,
    bag: Option<u64>,
    rolled: bool,
    dev_played: bool,
    free_roads: u8,
    offers: u8,
    round: Option<u8>,
    last_vertex: u8,
}

impl Turn {
    fn read(node: &Node<'_>, old: bool, faults: &mut Faults) -> Option<Turn> {
        const FIELDS: [&str; 9] = [
            "current_player",
            "dev_card_played",
            "dice",
            "free_roads",
            "number",
            "offers_made",
            "phase",
            "rolled",
            "setup",
        ];
        node.only_fields(&FIELDS, faults);
        let number = node.field("number").int_in(0..=10_000, faults);
        let phase = node.field("phase").one_of(&Phase::NAMES, faults);
        let current = node.field("current_player").int_in(0..=1, faults);
        let dice = node.field("dice");
        dice.only_fields(&["bag", "last_roll", "robber_triggered"], faults);
        let last = dice.field("last_roll").null_or(faults, read_faces);
        let triggered = dice.field("robber_triggered").bool(faults);
        let bag = match dice.field("bag").exists() {
            true => read_bag(&dice.field("bag"), faults).map(Some),
            false => Some(None),
        };
        let missing = |key: &str| old && !node.field(key).exists();
        let mut bool = |key: &str| {
            if missing(key) {
                return Some(false);
            }
            node.field(key).bool(faults)
        };
        let (rolled, dev_played) = (bool("rolled"), bool("dev_card_played"));
        let mut int = |key: &str, most: i64| {
            if missing(key) {
                return Some(0);
            }
            let value = node.field(key).int_in(0..=most, faults)?;
            u8::try_from(value).ok()
        };
        let (free_roads, offers) = (int("free_roads", 2), int("offers_made", 100));
        let setup = if missing("setup") {
            Some(None)
        } else {
            node.field("setup").null_or(faults, read_setup)
        };
        let (round, last_vertex) = setup?.unzip();
        Some(Turn {
            number: u16::try_from(number?).ok()?,
            phase: Phase::ALL[phase?],
            current: current? as u8,
            dice: last?.unwrap_or([0, 0]),
            triggered: triggered?,
            bag: bag?,
            rolled: rolled?,
            dev_played: dev_played?,
            free_roads: free_roads?,
            offers: offers?,
            round,
            last_vertex: last_vertex.unwrap_or(NONE),
        })
    }

    fn put_into(&self, position: &mut Catan) {
        position.number = self.number;
        position.phase = self.phase;
        position.current = self.current;
        position.dice = self.dice;
        position.robber_triggered = self.triggered;
        position.bag = self.bag.unwrap_or(0);
        position.rolled = self.rolled;
        position.free_roads = self.free_roads;
        position.n_offers = self.offers;
        position.last_vertex = self.last_vertex;
        position.dev_played = self.dev_played;
        // Settlements and roads alternate; the round tells the first half from the second.
        let in_round = self.round.map(|round| {
            let second = u8::from((round == 1) == (self.current == 1));
            4 * (round - 1) + 2 * second + u8::from(self.last_vertex != NONE)
        });
        position.n_placed = in_round.unwrap_or(8);
    }
}

/// The round and the vertex whose road is due.
fn read_setup(node: &Node<'_>, faults: &mut Faults) -> Option<(u8, u8)> {
    node.only_fields(&["last_vertex", "round"], faults);
    let vertex = node.field("last_vertex").null_or(faults, |node, faults| {
        node.int_in(0..=N_VERTICES as i64 - 1, faults)
    });
    let round = node.field("round").int_in(1..=2, faults);
    let vertex = vertex?.map_or(NONE, |vertex| vertex as u8);
    Some((round? as u8, vertex))
}

fn read_bag(node: &Node<'_>, faults: &mut Faults) -> Option<u64> {
    let throws = node.list(faults)?;
    let faces: Vec<Option<[u8; 2]>> = throws
        .iter()
        .map(|throw| read_faces(throw, faults))
        .collect();
    let faces: Vec<[u8; 2]> = faces.into_iter().collect::<Option<_>>()?;
    if faces.windows(2).any(|pair| pair[0] >= pair[1]) {
        faults.at(node, "not_sorted", "expected rising throws, each once");
        return None;
    }
    Some(
        faces
            .into_iter()
            .fold(0, |bag, faces| bag | 1 << draw_of(faces).0),
    )
}

/// What stands beside board, players, bank and turn.
struct Rest {
    chance: Option<Due>,
    discards: [Discard; 2],
    offer: Option<(Resource, Resource)>,
    proposer: Option<u8>,
    road_owner: Option<Seat>,
    army_owner: Option<Seat>,
    ending: Option<Ending>,
    winner: Option<Seat>,
}

impl Rest {
    fn read(node: &Node<'_>, old: bool, faults: &mut Faults) -> Option<Rest> {
        let missing = |key: &str| old && !node.field(key).exists();
        let due = node.field("pending_chance");
        let chance = match due.exists() {
            true => due.one_of(&Due::NAMES, faults).map(Some),
            false => Some(None),
        };
        let discards = if missing("pending_discards") {
            Some([Discard::default(); 2])
        } else {
            read_discards(&node.field("pending_discards"), faults)
        };
        let trade = if missing("pending_trade") {
            Some(None)
        } else {
            node.field("pending_trade").null_or(faults, read_trade)
        };
        let mut seat = |key: &str| {
            if missing(key) {
                return Some(None);
            }
            let id = node
                .field(key)
                .null_or(faults, |node, faults| node.int_in(0..=1, faults))?;
            Some(id.and_then(|id| Seat::new(id as usize)))
        };
        let (army_owner, road_owner) = (seat("largest_army_owner"), seat("longest_road_owner"));
        let winner = seat("winner");
        let ending = if missing("outcome") {
            Some(None)
        } else {
            node.field("outcome").null_or(faults, read_ending)
        };
        let (offer, proposer) = trade?.unzip();
        Some(Rest {
            chance: chance?.map(|idx| Due::ALL[idx]),
            discards: discards?,
            offer,
            proposer,
            road_owner: road_owner?,
            army_owner: army_owner?,
            ending: ending?,
            winner: winner?,
        })
    }

    fn put_into(&self, position: &mut Catan) {
        position.chance = self.chance;
        position.discards = self.discards;
        position.offer = self.offer;
        position.road_owner = self.road_owner;
        position.army_owner = self.army_owner;
        position.ending = self.ending;
    }
}

fn read_discards(node: &Node<'_>, faults: &mut Faults) -> Option<[Discard; 2]> {
    let mut discards = [Discard::default(); 2];
    let (mut last, mut whole) = (-1, true);
    for due in node.list(faults)? {
        due.only_fields(&["left", "player_id", "total"], faults);
        let left = due.field("left").int_in(1..=95, faults);
        let total = due.field("total").int_in(1..=95, faults);
        let id = due.field("player_id").int_in(0..=1, faults);
        let (Some(left), Some(total), Some(id)) = (left, total, id) else {
            whole = false;
            continue;
        };
        if id <= last {
            faults.at(&due, "not_sorted", "expected rising player ids, each once");
        }
        last = id;
        discards[id as usize] = Discard {
            total: total as u8,
            left: left as u8,
        };
    }
    whole.then_some(discards)
}

/// What is given and got, and who proposes it.
type Offer = ((Resource, Resource), u8);

fn read_trade(node: &Node<'_>, faults: &mut Faults) -> Option<Offer> {
    node.only_fields(&["offer", "partner", "proposer", "request"], faults);
    let give = read_card(&node.field("offer"), faults);
    let get = read_card(&node.field("request"), faults);
    let proposer = node.field("proposer").int_in(0..=1, faults);
    let partner = node.field("partner").int_in(0..=1, faults);
    let (proposer, partner) = (proposer?, partner?);
    if proposer == partner {
        faults.at(node, "contradiction", "nobody trades with themselves");
    }
    Some(((give?, get?), proposer as u8))
}

/// Exactly one card, among counts of all.
fn read_card(node: &Node<'_>, faults: &mut Faults) -> Option<Resource> {
    let cards = read_counts(node, &Resource::NAMES, 1, faults)?;
    if cards.iter().sum::<u8>() != 1 {
        faults.at(node, "wrong_lot", "expected one card");
        return None;
    }
    let kind = cards.iter().position(|&n| n == 1)?;
    Some(Resource::ALL[kind])
}

fn read_ending(node: &Node<'_>, faults: &mut Faults) -> Option<Ending> {
    let found = node.present(faults)?;
    let ending = Ending::all().find(|ending| {
        json::from_value(&ending.outcome()).is_ok_and(|expected| expected == *found)
    });
    if ending.is_none() {
        faults.at(
            node,
            "unknown_value",
            "expected null or an outcome that Catan can have, with exactly the fields reason, \
             result, truncated and winners",
        );
    }
    ending
}
