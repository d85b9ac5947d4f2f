//! The facts that a viewer may know.

use std::array::from_fn;

use kernel::{Outcome, Viewer, documents};
use schemars::JsonSchema;
use serde::Serialize;

use crate::card::count;
use crate::snapshot::{DevCounts, Ids, PlayedCounts, Resources};
use crate::state::Player;
use crate::topology::{N_EDGES, N_PORTS, N_TILES, N_VERTICES};
use crate::{Catan, Devs, Ending, Hand, Name, Phase, PortKind, Terrain, Trade};

documents! {
    [#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]];

    /// The facts that a viewer may know: everything but the order of the deck and the development
    /// cards that another player holds. Once the match is over, all hands are shown.
    pub struct View of(at: &Catan, viewer: Viewer)
    where (running = at.ending.is_none() && at.chance.is_none()) {
        /// The turn, from 1; 0 during setup.
        pub number: u16 = at.number,
        /// The decision that the match waits for.
        pub phase: Phase = at.phase,
        /// The player whose turn it is.
        pub current_player: u8 = at.current,
        /// The player to decide, who is not always the player whose turn it is.
        pub to_decide: Option<u8> = running.then(|| at.decider().index() as u8),
        /// The last roll.
        pub dice: Option<[u8; 2]> = Some(at.dice).filter(|dice| *dice != [0, 0]),
        /// True once the dice are rolled in this turn.
        pub rolled: bool = at.rolled,
        /// True once a development card is played in this turn.
        pub dev_card_played: bool = at.dev_played,
        /// Free roads still to build.
        pub free_roads: u8 = at.free_roads,
        /// Trades offered in this turn.
        pub offers_made: u8 = at.n_offers,
        /// The offer that awaits an answer or is being composed.
        pub pending_trade: Option<Trade> = Some(at.trade()).filter(|trade| !trade.is_none()),
        /// Cards still to discard, by player.
        pub discards: [u8; 2] = at.discards.map(|due| due.left),
        /// The points needed to win.
        pub vp_to_win: u8 = at.setup.vp_to_win,
        /// The resource and number of each tile, by id.
        pub tiles: [Tile; N_TILES] = from_fn(|idx| Tile::of(at, idx)),
        /// The robber's tile.
        pub robber: u8 = at.robber,
        /// The resource that each harbor takes.
        pub ports: [PortKind; N_PORTS] = from_fn(|idx| at.board.port(idx)),
        /// Resource cards in the bank.
        #[serde(with = "Resources")]
        pub bank: Hand = at.bank,
        /// Development cards left in the deck.
        pub n_deck: u8 = at.n_deck,
        /// Both players, by seat.
        pub players: [PlayerView; 2] = [0, 1].map(|idx| PlayerView::of(at, idx, viewer)),
        /// The owner of the longest road.
        pub longest_road_owner: Option<u8> = at.road_owner.map(|it| it.index() as u8),
        /// The owner of the largest army.
        pub largest_army_owner: Option<u8> = at.army_owner.map(|it| it.index() as u8),
        /// The outcome of the match, once it is over.
        pub outcome: Option<Outcome> = at.ending.map(Ending::outcome),
    }

    /// The resource and number of a tile.
    pub struct Tile of(at: &Catan, idx: usize) {
        /// The resource it yields.
        pub resource: Terrain = at.board.terrain(idx),
        /// The number on which it yields; 0 for the desert.
        pub number: u8 = at.board.numbers[idx],
    }

    /// A player, as far as the viewer may know.
    pub struct PlayerView of(at: &Catan, idx: usize, viewer: Viewer)
    where (
        seat = Catan::SEATS[idx],
        player = &at.players[idx],
        known = viewer.is(seat) || at.ending.is_some(),
    ) {
        /// The player's name.
        pub name: Name = at.setup.players[idx],
        /// Points visible on the board.
        pub victory_points: u8 = at.public_points(seat),
        /// Cards by resource: common knowledge between two players.
        #[serde(with = "Resources")]
        pub resources: Hand = player.hand,
        /// The number of development cards held.
        pub n_dev_cards: u8 = player.n_devs(),
        /// The number of those that were bought in this turn.
        pub n_new_dev_cards: u8 = count(&player.new_devs),
        /// The development cards, if the viewer may know them.
        pub own: Option<OwnCards> = known.then(|| OwnCards::of(player)),
        /// Development cards played, by kind.
        #[serde(with = "PlayedCounts")]
        pub played: Devs = player.played,
        /// The ids of the edges with roads.
        #[serde(with = "Ids::<N_EDGES>")]
        pub roads: u128 = player.roads,
        /// The ids of the vertices with settlements.
        #[serde(with = "Ids::<N_VERTICES>")]
        pub settlements: u64 = player.settlements,
        /// The ids of the vertices with cities.
        #[serde(with = "Ids::<N_VERTICES>")]
        pub cities: u64 = player.cities,
        /// The length of the longest road.
        pub longest_road_len: u8 = player.road_len,
    }

    /// The development cards of a player, shown only to viewers who may know them.
    pub struct OwnCards of(player: &Player) {
        /// Cards that may be played.
        #[serde(with = "DevCounts")]
        pub dev_cards: Devs = player.devs,
        /// Cards bought in this turn.
        #[serde(with = "DevCounts")]
        pub new_dev_cards: Devs = player.new_devs,
        /// Points on the cards.
        pub hidden_victory_points: u8 = player.hidden_points(),
    }
}
