//! A position as a document.

use std::array::from_fn;

use kernel::doc::{Document, Faults, Node, StandIn, outcome};
use kernel::{Draw, Seat, SnapshotOf, documents};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::chance::{Face, faces_of};
use crate::restore;
use crate::setup::{DiceKind, Name, VariantSnapshot};
use crate::state::{Discard, Due, bits};
use crate::topology::{N_EDGES, N_PORTS, N_TILES, N_VERTICES, NONE, PORT_EDGES};
use crate::{Catan, Dev, Devs, Ending, Hand, Phase, PortKind, Terrain, Trade};

documents! {
    [#[derive(Serialize, JsonSchema, Document)] #[schemars(deny_unknown_fields)]];

    /// A position as a document.
    #[schemars(title = "Catan snapshot")]
    pub struct Snapshot of(at: &Catan) put(at: &mut Catan) {
        pub(crate) bank: BankSnapshot = BankSnapshot::of(at),
        pub(crate) board: BoardSnapshot = BoardSnapshot::of(at),
        pub(crate) discard_pile: PileSnapshot = PileSnapshot::of(at),
        /// The owner of the largest army, or null.
        #[schemars(with = "Option<Id<2>>")]
        pub(crate) largest_army_owner: Option<Seat> => at.army_owner,
        /// The owner of the longest road, or null.
        #[schemars(with = "Option<Id<2>>")]
        pub(crate) longest_road_owner: Option<Seat> => at.road_owner,
        /// The outcome of the match; null while it runs.
        #[schemars(schema_with = "kernel::schema::outcomes::<Ending>")]
        #[document(read_with = outcome)]
        pub(crate) outcome: Option<Ending> => at.ending,
        /// The pending chance. Present only between a decision and its chance outcome.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) pending_chance: Option<Due> => at.chance,
        /// The discards that are still due, by player.
        pub(crate) pending_discards: Vec<DiscardSnapshot> = {
            let due = (0..2).filter(|&idx| at.discards[idx].left > 0);
            due.map(|idx| DiscardSnapshot::of(at.discards[idx], idx)).collect()
        },
        /// The offer that awaits an answer or is being composed.
        pub(crate) pending_trade: Option<TradeSnapshot> = {
            let trade = Some(at.trade()).filter(|it| !it.is_none());
            trade.map(|it| TradeSnapshot::of(it, at.current))
        },
        /// Both players, by id.
        pub(crate) players: [PlayerSnapshot; 2] = [0, 1].map(|idx| PlayerSnapshot::of(at, idx)),
        pub(crate) turn: TurnSnapshot = TurnSnapshot::of(at),
        pub(crate) variant: VariantSnapshot = VariantSnapshot::of(&at.setup),
        /// The winner, or null.
        #[schemars(with = "Option<Id<2>>")]
        pub(crate) winner: Option<Seat> = at.winner(),
    }

    /// The cards that no player holds.
    pub struct BankSnapshot of(at: &Catan) put(at: &mut Catan) {
        /// In draw order; empty before the deck is shuffled.
        #[schemars(length(max = 25))]
        pub(crate) dev_deck: Vec<Dev> = at.deck_cards(),
        #[serde(with = "Resources")]
        pub(crate) resources: Hand => at.bank,
    }

    /// The tiles and harbors.
    pub struct BoardSnapshot of(at: &Catan) {
        pub(crate) ports: [PortSnapshot; N_PORTS] = from_fn(|idx| PortSnapshot::of(at, idx)),
        pub(crate) tiles: [TileSnapshot; N_TILES] = from_fn(|idx| TileSnapshot::of(at, idx)),
    }

    /// A harbor.
    pub struct PortSnapshot of(at: &Catan, idx: usize) {
        pub(crate) edge_id: EdgeId = Id(PORT_EDGES[idx]),
        pub(crate) port_id: PortId = Id(idx as u8),
        /// The resource it takes; `ANY` takes every resource, three for one.
        #[serde(rename = "type")]
        pub(crate) kind: PortKind = at.board.port(idx),
    }

    /// A tile.
    pub struct TileSnapshot of(at: &Catan, idx: usize) {
        pub(crate) has_robber: bool = usize::from(at.robber) == idx,
        /// The number on which the tile yields; null for the desert.
        #[schemars(range(min = 2, max = 12))]
        pub(crate) pip_number: Option<u8> = Some(at.board.numbers[idx]).filter(|&it| it > 0),
        pub(crate) resource: Terrain = at.board.terrain(idx),
        pub(crate) tile_id: TileId = Id(idx as u8),
    }

    /// Development cards that were played.
    pub struct PileSnapshot of(at: &Catan) {
        /// Sorted by kind.
        #[schemars(length(max = 20))]
        pub(crate) dev_cards: Vec<Dev> = at.pile_cards(),
    }

    /// A pending discard.
    pub struct DiscardSnapshot of(due: Discard, idx: usize) put(due: &mut Discard) {
        /// Cards still to discard.
        #[schemars(range(min = 1, max = 95))]
        pub(crate) left: u8 => due.left,
        pub(crate) player_id: PlayerId = Id(idx as u8),
        /// Cards to discard in total.
        #[schemars(range(min = 1, max = 95))]
        pub(crate) total: u8 => due.total,
    }

    /// A trade that awaits an answer or is being composed.
    pub struct TradeSnapshot of(trade: Trade, current: u8) put(trade: &mut Trade) {
        /// The cards that the player whose turn it is gives.
        #[serde(with = "Resources")]
        pub(crate) offer: Hand => trade.offer,
        pub(crate) partner: PlayerId = Id(1 - current),
        pub(crate) proposer: PlayerId = Id(current),
        /// The cards that the player whose turn it is gets.
        #[serde(with = "Resources")]
        pub(crate) request: Hand => trade.request,
    }

    /// One player.
    pub struct PlayerSnapshot of(at: &Catan, idx: usize) put(at: &mut Catan, idx: usize)
    where (player = &at.players[idx]) {
        #[serde(with = "Ids::<N_VERTICES>")]
        pub(crate) cities: u64 => at.players[idx].cities,
        #[serde(with = "DevCounts")]
        pub(crate) dev_cards: Devs => at.players[idx].devs,
        /// Points on cards, not included in `victory_points`.
        #[schemars(range(max = 25))]
        pub(crate) hidden_victory_points: u8 = player.hidden_points(),
        /// The number of knights played.
        #[schemars(range(max = 25))]
        pub(crate) largest_army_size: u8 = player.played[Dev::Knight as usize],
        #[schemars(range(max = 72))]
        pub(crate) longest_road_len: u8 = player.road_len,
        pub(crate) name: Name => at.setup.0.players[idx],
        /// Cards bought in this turn.
        #[serde(with = "DevCounts")]
        pub(crate) new_dev_cards: Devs => at.players[idx].new_devs,
        #[serde(with = "PlayedCounts")]
        pub(crate) played_dev_cards: Devs => at.players[idx].played,
        pub(crate) player_id: PlayerId = Id(idx as u8),
        #[serde(with = "Resources")]
        pub(crate) resources: Hand => at.players[idx].hand,
        #[serde(with = "Ids::<N_EDGES>")]
        pub(crate) roads: u128 => at.players[idx].roads,
        #[serde(with = "Ids::<N_VERTICES>")]
        pub(crate) settlements: u64 => at.players[idx].settlements,
        /// Points visible on the board: buildings and titles.
        #[schemars(range(max = 50))]
        pub(crate) victory_points: u8 = at.public_points(Catan::SEATS[idx]),
    }

    /// The state of the current turn.
    pub struct TurnSnapshot of(at: &Catan) put(at: &mut Catan) {
        #[schemars(range(max = 1))]
        pub(crate) current_player: u8 => at.current,
        pub(crate) dev_card_played: bool => at.dev_played,
        pub(crate) dice: DiceSnapshot = DiceSnapshot::of(at),
        /// Free roads still to build.
        #[schemars(range(max = 2))]
        pub(crate) free_roads: u8 => at.free_roads,
        /// The turn, from 1; 0 during setup.
        #[schemars(range(max = 10_000))]
        pub(crate) number: u16 => at.number,
        /// Trades offered in this turn.
        #[schemars(range(max = 100))]
        pub(crate) offers_made: u8 => at.n_offers,
        pub(crate) phase: Phase => at.phase,
        /// True once the dice are rolled in this turn.
        pub(crate) rolled: bool => at.rolled,
        /// The progress of the setup; null after it.
        pub(crate) setup: Option<SetupSnapshot> = {
            (at.n_placed < 8).then(|| SetupSnapshot::of(at))
        },
    }

    /// The state of the dice.
    pub struct DiceSnapshot of(at: &Catan) put(at: &mut Catan) {
        /// The rolls left in the bag, only with `bag36`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) bag: Option<Vec<[Face; 2]>> = (at.setup.dice == DiceKind::Bag36).then(|| {
            let throws = bits(at.bag.into());
            throws.map(|it| faces_of(Draw(it as u64)).map(Face)).collect()
        }),
        /// The last roll, or a forced roll that is still pending; null before the first.
        #[schemars(with = "Option<[Face; 2]>")]
        pub(crate) last_roll: Option<[u8; 2]> = Some(at.dice).filter(|dice| *dice != [0, 0]),
        /// True while the robber has yet to move for a seven.
        pub(crate) robber_triggered: bool => at.robber_triggered,
    }

    /// The progress of the setup.
    pub struct SetupSnapshot of(at: &Catan) {
        /// The settlement whose road comes next.
        pub(crate) last_vertex: Option<VertexId> = {
            (at.last_vertex != NONE).then_some(Id(at.last_vertex))
        },
        /// 1 while the first settlements are placed, 2 while the second ones are.
        #[schemars(range(min = 1, max = 2))]
        pub(crate) round: u8 = 1 + u8::from(at.n_placed >= 4),
    }
}

macro_rules! counts {
    ($(#[$about:meta])* $type:ident[$array:ty; $max:literal] { $($field:ident),+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
        #[serde(rename_all = "UPPERCASE")]
        #[schemars(deny_unknown_fields)]
        pub struct $type {
            $(#[schemars(range(max = $max))] $field: u8),+
        }

        impl $type {
            pub(crate) fn of(cards: &$array) -> $type {
                let [$($field),+, ..] = *cards;
                $type { $($field),+ }
            }

            /// Writes cards by name, for `#[serde(with = "…")]`.
            pub(crate) fn serialize<S: Serializer>(
                cards: &$array,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                Serialize::serialize(&$type::of(cards), serializer)
            }
        }

        impl StandIn<$array> for $type {
            fn value(self) -> $array {
                let mut cards = <$array>::default();
                let counts = [$(self.$field),+];
                cards[..counts.len()].copy_from_slice(&counts);
                cards
            }
        }
    };
}

counts! {
    /// Cards by resource.
    Resources[Hand; 19] { brick, lumber, wool, grain, ore }
}
counts! {
    /// Development cards by kind.
    DevCounts[Devs; 25] { knight, road_building, year_of_plenty, monopoly, victory_point }
}
counts! {
    /// Played development cards, by kind.
    PlayedCounts[Devs; 25] { knight, road_building, year_of_plenty, monopoly }
}

/// An id below `N`.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, Document)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Id<const N: usize>(#[schemars(range(max = N - 1))] pub(crate) u8);

pub(crate) type PlayerId = Id<2>;
pub(crate) type PortId = Id<N_PORTS>;
pub(crate) type TileId = Id<N_TILES>;
pub(crate) type VertexId = Id<N_VERTICES>;
pub(crate) type EdgeId = Id<N_EDGES>;

impl From<Seat> for PlayerId {
    fn from(seat: Seat) -> PlayerId {
        Id(seat.index() as u8)
    }
}

impl StandIn<Seat> for PlayerId {
    fn value(self) -> Seat {
        Catan::SEATS[usize::from(self.0)]
    }
}

/// Ids below `N`: a set, written as a sorted list.
#[derive(JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub(crate) struct Ids<const N: usize>(#[schemars(with = "Vec<u8>")] u128);

impl<const N: usize> Ids<N> {
    pub(crate) fn serialize<T: Copy + Into<u128>, S: Serializer>(
        set: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(bits((*set).into()))
    }
}

impl<const N: usize> Document for Ids<N> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Ids<N>> {
        let ids = Vec::<Id<N>>::read(node, faults)?;
        if !ids.is_sorted_by(|one, next| one.0 < next.0) {
            let message = "expected ids in ascending order, each once";
            faults.at(node, "not_sorted", message);
            return None;
        }
        Some(Ids(ids.iter().fold(0, |set, id| set | 1 << id.0)))
    }
}

impl<const N: usize, T: TryFrom<u128> + Default> StandIn<T> for Ids<N> {
    fn value(self) -> T {
        T::try_from(self.0).unwrap_or_default()
    }
}

impl SnapshotOf<Catan> for Snapshot {
    fn of(position: &Catan) -> Snapshot {
        Snapshot::of(position)
    }

    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Catan> {
        restore::read(node, faults)
    }
}
