//! A position as a document.

use kernel::SnapshotOf;
use kernel::doc::{Document, Faults, Node, given};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::chance::faces_of;
use crate::restore::{self, read_bag, read_edges, read_ending, read_roll, read_vertices};
use crate::setup::{BoardKind, DiceKind, DiscardRule, Name, RawSetup, Switch};
use crate::state::{Due, Player, bits};
use crate::topology::{N_PORTS, N_TILES, NONE, PORT_EDGES};
use crate::{Catan, Dev, Devs, Ending, Hand, Phase, PortKind, Setup, Terrain};

/// A position as a document.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(title = "Catan snapshot")]
pub struct Snapshot {
    pub(crate) bank: BankSnapshot,
    pub(crate) board: BoardSnapshot,
    pub(crate) discard_pile: PileSnapshot,
    /// The owner of the largest army, or null.
    #[schemars(range(max = 1))]
    pub(crate) largest_army_owner: Option<u8>,
    /// The owner of the longest road, or null.
    #[schemars(range(max = 1))]
    pub(crate) longest_road_owner: Option<u8>,
    /// The outcome of the match; null while it runs.
    #[schemars(schema_with = "outcomes")]
    #[document(read_with = read_ending)]
    pub(crate) outcome: Option<Ending>,
    /// The pending chance. Present only between a decision and its chance outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    pub(crate) pending_chance: Option<Due>,
    /// The discards that are still due, by player.
    pub(crate) pending_discards: Vec<DiscardSnapshot>,
    /// The offer that awaits an answer or is being composed.
    pub(crate) pending_trade: Option<TradeSnapshot>,
    /// Both players, by id.
    pub(crate) players: [PlayerSnapshot; 2],
    pub(crate) turn: TurnSnapshot,
    pub(crate) variant: VariantSnapshot,
    /// The winner, or null.
    #[schemars(range(max = 1))]
    pub(crate) winner: Option<u8>,
}

/// The cards that no player holds.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct BankSnapshot {
    /// In draw order; empty before the deck is shuffled.
    #[schemars(length(max = 25))]
    pub(crate) dev_deck: Vec<Dev>,
    pub(crate) resources: Resources,
}

/// The tiles and harbors.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct BoardSnapshot {
    #[schemars(length(equal = 9))]
    pub(crate) ports: Vec<PortSnapshot>,
    #[schemars(length(equal = 19))]
    pub(crate) tiles: Vec<TileSnapshot>,
}

/// A harbor.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct PortSnapshot {
    #[schemars(range(max = 71))]
    pub(crate) edge_id: u8,
    #[schemars(range(max = 8))]
    pub(crate) port_id: u8,
    /// The resource it takes; `ANY` takes every resource, three for one.
    #[serde(rename = "type")]
    pub(crate) kind: PortKind,
}

/// A tile.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct TileSnapshot {
    pub(crate) has_robber: bool,
    /// The number on which the tile yields; null for the desert.
    #[schemars(range(min = 2, max = 12))]
    pub(crate) pip_number: Option<u8>,
    pub(crate) resource: Terrain,
    #[schemars(range(max = 18))]
    pub(crate) tile_id: u8,
}

/// Development cards that were played.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct PileSnapshot {
    /// Sorted by kind.
    #[schemars(length(max = 20))]
    pub(crate) dev_cards: Vec<Dev>,
}

/// A pending discard.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct DiscardSnapshot {
    /// Cards still to discard.
    #[schemars(range(min = 1, max = 95))]
    pub(crate) left: u8,
    #[schemars(range(max = 1))]
    pub(crate) player_id: u8,
    /// Cards to discard in total.
    #[schemars(range(min = 1, max = 95))]
    pub(crate) total: u8,
}

/// A trade that awaits an answer or is being composed.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct TradeSnapshot {
    /// The cards that the player whose turn it is gives.
    pub(crate) offer: Resources,
    #[schemars(range(max = 1))]
    pub(crate) partner: u8,
    #[schemars(range(max = 1))]
    pub(crate) proposer: u8,
    /// The cards that the player whose turn it is gets.
    pub(crate) request: Resources,
}

/// One player.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct PlayerSnapshot {
    #[document(read_with = read_vertices)]
    pub(crate) cities: Vec<u8>,
    pub(crate) dev_cards: DevCounts,
    /// Points on cards, not included in `victory_points`.
    #[schemars(range(max = 25))]
    pub(crate) hidden_victory_points: u8,
    /// The number of knights played.
    #[schemars(range(max = 25))]
    pub(crate) largest_army_size: u8,
    #[schemars(range(max = 72))]
    pub(crate) longest_road_len: u8,
    #[schemars(with = "String")]
    pub(crate) name: Name,
    /// Cards bought in this turn.
    pub(crate) new_dev_cards: DevCounts,
    pub(crate) played_dev_cards: PlayedCounts,
    #[schemars(range(max = 1))]
    pub(crate) player_id: u8,
    pub(crate) resources: Resources,
    #[document(read_with = read_edges)]
    pub(crate) roads: Vec<u8>,
    #[document(read_with = read_vertices)]
    pub(crate) settlements: Vec<u8>,
    /// Points visible on the board: buildings and titles.
    #[schemars(range(max = 50))]
    pub(crate) victory_points: u8,
}

/// The state of the current turn.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct TurnSnapshot {
    #[schemars(range(max = 1))]
    pub(crate) current_player: u8,
    pub(crate) dev_card_played: bool,
    pub(crate) dice: DiceSnapshot,
    /// Free roads still to build.
    #[schemars(range(max = 2))]
    pub(crate) free_roads: u8,
    /// The turn, from 1; 0 during setup.
    #[schemars(range(max = 10_000))]
    pub(crate) number: u16,
    /// Trades offered in this turn.
    #[schemars(range(max = 100))]
    pub(crate) offers_made: u8,
    pub(crate) phase: Phase,
    /// True once the dice are rolled in this turn.
    pub(crate) rolled: bool,
    /// The progress of the setup; null after it.
    pub(crate) setup: Option<SetupSnapshot>,
}

/// The state of the dice.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct DiceSnapshot {
    /// The rolls left in the bag, only with `bag36`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = read_bag)]
    pub(crate) bag: Option<Vec<[u8; 2]>>,
    /// The last roll, or a forced roll that is still pending; null before the first.
    #[document(read_with = read_roll)]
    pub(crate) last_roll: Option<[u8; 2]>,
    /// True while the robber has yet to move for a seven.
    pub(crate) robber_triggered: bool,
}

/// The progress of the setup.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
pub struct SetupSnapshot {
    /// The settlement whose road comes next.
    #[schemars(range(max = 53))]
    pub(crate) last_vertex: Option<u8>,
    /// 1 while the first settlements are placed, 2 while the second ones are.
    #[schemars(range(min = 1, max = 2))]
    pub(crate) round: u8,
}

/// The rules of the match.
// Documents of version 0.1 may omit fields.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(deny_unknown_fields)]
#[document(default, check = VariantSnapshot::check)]
pub struct VariantSnapshot {
    pub(crate) board: BoardKind,
    pub(crate) dice: DiceKind,
    pub(crate) discard_rule: DiscardRule,
    #[schemars(range(min = 1, max = 95))]
    pub(crate) discard_threshold: u8,
    pub(crate) friendly_robber: bool,
    #[schemars(range(min = 1, max = 10000))]
    pub(crate) max_turns: u16,
    pub(crate) player_trades: Switch,
    /// True for a test match, in which dice may be forced; otherwise omitted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub(crate) test: bool,
    #[schemars(range(min = 1, max = 100))]
    pub(crate) trades_per_turn: u8,
    #[schemars(range(min = 3, max = 22))]
    pub(crate) vp_to_win: u8,
}

macro_rules! counts {
    ($(#[$about:meta])* $type:ident [$array:ty; $max:literal] { $($field:ident = $name:literal @ $idx:literal),+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
        #[schemars(deny_unknown_fields)]
        #[allow(missing_docs, reason = "the fields are what their names say")]
        pub struct $type {
            $(#[serde(rename = $name)] #[schemars(range(max = $max))] $field: u8),+
        }

        impl $type {
            pub(crate) fn of(cards: &$array) -> $type {
                $type { $($field: cards[$idx]),+ }
            }

            pub(crate) fn cards(&self) -> $array {
                let mut cards = <$array>::default();
                $(cards[$idx] = self.$field;)+
                cards
            }
        }
    };
}

counts! {
    /// Cards by resource.
    Resources[Hand; 19] {
        brick = "BRICK" @ 0, lumber = "LUMBER" @ 1, wool = "WOOL" @ 2, grain = "GRAIN" @ 3,
        ore = "ORE" @ 4
    }
}
counts! {
    /// Development cards by kind.
    DevCounts[Devs; 25] {
        knight = "KNIGHT" @ 0, road_building = "ROAD_BUILDING" @ 1,
        year_of_plenty = "YEAR_OF_PLENTY" @ 2, monopoly = "MONOPOLY" @ 3,
        victory_point = "VICTORY_POINT" @ 4
    }
}
counts! {
    /// Played development cards, by kind.
    PlayedCounts[Devs; 25] {
        knight = "KNIGHT" @ 0, road_building = "ROAD_BUILDING" @ 1,
        year_of_plenty = "YEAR_OF_PLENTY" @ 2, monopoly = "MONOPOLY" @ 3
    }
}

/// Writes cards as [`Resources`].
pub(crate) fn by_name<S: serde::Serializer>(
    cards: &Hand,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Resources::of(cards).serialize(serializer)
}

impl SnapshotOf<Catan> for Snapshot {
    fn of(position: &Catan) -> Snapshot {
        let seat_id = |seat: kernel::Seat| seat.index() as u8;
        let winner = match position.ending {
            Some(Ending::Won(seat, _)) => Some(seat_id(seat)),
            _ => None,
        };
        Snapshot {
            bank: BankSnapshot {
                dev_deck: position.deck_cards(),
                resources: Resources::of(&position.bank),
            },
            board: BoardSnapshot::of(position),
            discard_pile: PileSnapshot {
                dev_cards: position.pile_cards(),
            },
            largest_army_owner: position.army_owner.map(seat_id),
            longest_road_owner: position.road_owner.map(seat_id),
            outcome: position.ending,
            pending_chance: position.chance,
            pending_discards: pending_discards(position),
            pending_trade: (!position.trade().is_none()).then(|| TradeSnapshot {
                offer: Resources::of(&position.trade().offer),
                partner: 1 - position.current,
                proposer: position.current,
                request: Resources::of(&position.trade().request),
            }),
            players: [0, 1].map(|idx| PlayerSnapshot::of(position, idx)),
            turn: TurnSnapshot::of(position),
            variant: VariantSnapshot::of(&position.setup),
            winner,
        }
    }

    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Catan> {
        restore::read(node, faults)
    }
}

/// The schema of every outcome that Catan can have, or null.
fn outcomes(_: &mut SchemaGenerator) -> Schema {
    kernel::schema::outcomes(Ending::all().map(Ending::outcome))
}

fn pending_discards(position: &Catan) -> Vec<DiscardSnapshot> {
    let each = position.discards.iter().enumerate();
    each.filter(|(_, due)| due.left > 0)
        .map(|(idx, due)| DiscardSnapshot {
            left: due.left,
            player_id: idx as u8,
            total: due.total,
        })
        .collect()
}

impl Catan {
    fn deck_cards(&self) -> Vec<Dev> {
        let cards = self.deck[..self.n_deck.into()].iter().rev();
        cards
            .map(|&kind| Dev::ALL[usize::from(kind) % Dev::ALL.len()])
            .collect()
    }

    /// The cards that were played, sorted by kind.
    pub(crate) fn pile_cards(&self) -> Vec<Dev> {
        let mut cards = Vec::new();
        for (kind, &dev) in Dev::ALL.iter().enumerate() {
            let n = self.players[0].played[kind] + self.players[1].played[kind];
            cards.extend((0..n).map(|_| dev));
        }
        cards
    }
}

impl BoardSnapshot {
    fn of(position: &Catan) -> BoardSnapshot {
        let board = &position.board;
        let tile = |idx: usize| TileSnapshot {
            has_robber: usize::from(position.robber) == idx,
            pip_number: Some(board.numbers[idx]).filter(|&number| number > 0),
            resource: board.terrain(idx),
            tile_id: idx as u8,
        };
        let port = |idx: usize| PortSnapshot {
            edge_id: PORT_EDGES[idx],
            port_id: idx as u8,
            kind: board.port(idx),
        };
        BoardSnapshot {
            ports: (0..N_PORTS).map(port).collect(),
            tiles: (0..N_TILES).map(tile).collect(),
        }
    }
}

impl PlayerSnapshot {
    fn of(position: &Catan, idx: usize) -> PlayerSnapshot {
        let player: &Player = &position.players[idx];
        let ids = |set: u128| bits(set).map(|id| id as u8).collect();
        PlayerSnapshot {
            cities: ids(player.cities.into()),
            dev_cards: DevCounts::of(&player.devs),
            hidden_victory_points: player.hidden_points(),
            largest_army_size: player.played[Dev::Knight as usize],
            longest_road_len: player.road_len,
            name: position.setup.players[idx],
            new_dev_cards: DevCounts::of(&player.new_devs),
            played_dev_cards: PlayedCounts::of(&player.played),
            player_id: idx as u8,
            resources: Resources::of(&player.hand),
            roads: ids(player.roads),
            settlements: ids(player.settlements.into()),
            victory_points: position.public_points(Catan::SEATS[idx]),
        }
    }
}

impl TurnSnapshot {
    fn of(position: &Catan) -> TurnSnapshot {
        let setup = (position.n_placed < 8).then(|| SetupSnapshot {
            last_vertex: Some(position.last_vertex).filter(|&vertex| vertex != NONE),
            round: 1 + u8::from(position.n_placed >= 4),
        });
        let bag = (position.setup.dice == DiceKind::Bag36).then(|| {
            let throws = bits(position.bag.into());
            throws
                .map(|outcome| faces_of(kernel::Draw(outcome as u64)))
                .collect()
        });
        TurnSnapshot {
            current_player: position.current,
            dev_card_played: position.dev_played,
            dice: DiceSnapshot {
                bag,
                last_roll: Some(position.dice).filter(|dice| *dice != [0, 0]),
                robber_triggered: position.robber_triggered,
            },
            free_roads: position.free_roads,
            number: position.number,
            offers_made: position.n_offers,
            phase: position.phase,
            rolled: position.rolled,
            setup,
        }
    }
}

impl VariantSnapshot {
    pub(crate) fn of(setup: &Setup) -> VariantSnapshot {
        VariantSnapshot {
            board: setup.board,
            dice: setup.dice,
            discard_rule: setup.discard_rule,
            discard_threshold: setup.discard_threshold,
            friendly_robber: setup.friendly_robber,
            max_turns: setup.max_turns,
            player_trades: setup.player_trades,
            test: setup.test,
            trades_per_turn: setup.trades_per_turn,
            vp_to_win: setup.vp_to_win,
        }
    }

    pub(crate) fn setup(&self, players: [Name; 2]) -> Setup {
        Setup(RawSetup {
            board: self.board,
            dice: self.dice,
            discard_rule: self.discard_rule,
            discard_threshold: self.discard_threshold,
            friendly_robber: self.friendly_robber,
            max_turns: self.max_turns,
            player_trades: self.player_trades,
            players,
            test: self.test,
            trades_per_turn: self.trades_per_turn,
            vp_to_win: self.vp_to_win,
        })
    }

    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        let test = node.field("test");
        if test.exists() && !self.test {
            faults.at(
                &test,
                "surplus",
                "expected no such field unless the match is a test",
            );
        }
    }
}

impl Default for VariantSnapshot {
    fn default() -> VariantSnapshot {
        VariantSnapshot::of(&Setup::default())
    }
}
