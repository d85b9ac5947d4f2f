//! The facts that a viewer may know.

use std::fmt;

use kernel::{Outcome, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::snapshot::{DevCounts, PlayedCounts, Resources, by_name};
use crate::state::bits;
use crate::topology::{N_PORTS, N_TILES};
use crate::{Catan, Devs, Ending, Hand, Phase, PortKind, Resource, Terrain, Trade};

/// The facts that a viewer may know: everything but the order of the deck and the development
/// cards that another player holds. Once the match is over, all hands are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct View {
    /// The turn, from 1; 0 during setup.
    pub number: u16,
    /// The decision that the match waits for.
    pub phase: Phase,
    /// The player whose turn it is.
    pub current_player: u8,
    /// The player to decide, who is not always the player whose turn it is.
    pub to_decide: Option<u8>,
    /// The last roll.
    pub dice: Option<[u8; 2]>,
    /// True once the dice are rolled in this turn.
    pub rolled: bool,
    /// True once a development card is played in this turn.
    pub dev_card_played: bool,
    /// Free roads still to build.
    pub free_roads: u8,
    /// Trades offered in this turn.
    pub offers_made: u8,
    /// The offer that awaits an answer or is being composed.
    pub pending_trade: Option<Trade>,
    /// Cards still to discard, by player.
    pub discards: [u8; 2],
    /// The points needed to win.
    pub vp_to_win: u8,
    /// The resource and number of each tile, by id.
    pub tiles: [Tile; N_TILES],
    /// The robber's tile.
    pub robber: u8,
    /// The resource that each harbor takes.
    pub ports: [PortKind; N_PORTS],
    /// Resource cards in the bank.
    #[serde(serialize_with = "by_name")]
    #[schemars(with = "Resources")]
    pub bank: Hand,
    /// Development cards left in the deck.
    pub n_deck: u8,
    /// Both players, by seat.
    pub players: [PlayerView; 2],
    /// The owner of the longest road.
    pub longest_road_owner: Option<u8>,
    /// The owner of the largest army.
    pub largest_army_owner: Option<u8>,
    /// The outcome of the match, once it is over.
    pub outcome: Option<Outcome>,
}

/// The resource and number of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Tile {
    /// The resource it yields.
    pub resource: Terrain,
    /// The number on which it yields; 0 for the desert.
    pub number: u8,
}

/// A player, as far as the viewer may know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PlayerView {
    /// The player's name.
    #[serde(serialize_with = "name_text")]
    #[schemars(with = "String")]
    pub name: crate::setup::Name,
    /// Points visible on the board.
    pub victory_points: u8,
    /// Cards by resource: common knowledge between two players.
    #[serde(serialize_with = "by_name")]
    #[schemars(with = "Resources")]
    pub resources: Hand,
    /// The number of development cards held.
    pub n_dev_cards: u8,
    /// The number of those that were bought in this turn.
    pub n_new_dev_cards: u8,
    /// The development cards, if the viewer may know them.
    pub own: Option<OwnCards>,
    /// Development cards played, by kind.
    #[serde(serialize_with = "played_by_name")]
    #[schemars(with = "PlayedCounts")]
    pub played: Devs,
    /// The ids of the edges with roads.
    #[serde(serialize_with = "ids")]
    #[schemars(with = "Vec<u8>")]
    pub roads: u128,
    /// The ids of the vertices with settlements.
    #[serde(serialize_with = "ids64")]
    #[schemars(with = "Vec<u8>")]
    pub settlements: u64,
    /// The ids of the vertices with cities.
    #[serde(serialize_with = "ids64")]
    #[schemars(with = "Vec<u8>")]
    pub cities: u64,
    /// The length of the longest road.
    pub longest_road_len: u8,
}

/// The development cards of a player, shown only to viewers who may know them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct OwnCards {
    /// Cards that may be played.
    #[serde(serialize_with = "devs_by_name")]
    #[schemars(with = "DevCounts")]
    pub dev_cards: Devs,
    /// Cards bought in this turn.
    #[serde(serialize_with = "devs_by_name")]
    #[schemars(with = "DevCounts")]
    pub new_dev_cards: Devs,
    /// Points on the cards.
    pub hidden_victory_points: u8,
}

impl View {
    pub(crate) fn of(position: &Catan, viewer: Viewer) -> View {
        let board = &position.board;
        let running = position.ending.is_none() && position.chance.is_none();
        let id = |seat: kernel::Seat| seat.index() as u8;
        View {
            number: position.number,
            phase: position.phase,
            current_player: position.current,
            to_decide: running.then(|| id(position.decider())),
            dice: Some(position.dice).filter(|dice| *dice != [0, 0]),
            rolled: position.rolled,
            dev_card_played: position.dev_played,
            free_roads: position.free_roads,
            offers_made: position.n_offers,
            pending_trade: Some(position.trade()).filter(|trade| !trade.is_none()),
            discards: position.discards.map(|due| due.left),
            vp_to_win: position.setup.vp_to_win,
            tiles: std::array::from_fn(|idx| Tile {
                resource: board.terrain(idx),
                number: board.numbers[idx],
            }),
            robber: position.robber,
            ports: std::array::from_fn(|idx| board.port(idx)),
            bank: position.bank,
            n_deck: position.n_deck,
            players: [0, 1].map(|idx| PlayerView::of(position, idx, viewer)),
            longest_road_owner: position.road_owner.map(id),
            largest_army_owner: position.army_owner.map(id),
            outcome: position.ending.map(Ending::outcome),
        }
    }
}

impl PlayerView {
    fn of(position: &Catan, idx: usize, viewer: Viewer) -> PlayerView {
        let (seat, player) = (Catan::SEATS[idx], &position.players[idx]);
        let known = viewer.is(seat) || position.ending.is_some();
        PlayerView {
            name: position.setup.players[idx],
            victory_points: position.public_points(seat),
            resources: player.hand,
            n_dev_cards: player.n_devs(),
            n_new_dev_cards: crate::card::count(&player.new_devs),
            own: known.then(|| OwnCards {
                dev_cards: player.devs,
                new_dev_cards: player.new_devs,
                hidden_victory_points: player.hidden_points(),
            }),
            played: player.played,
            roads: player.roads,
            settlements: player.settlements,
            cities: player.cities,
            longest_road_len: player.road_len,
        }
    }
}

fn devs_by_name<S: serde::Serializer>(cards: &Devs, serializer: S) -> Result<S::Ok, S::Error> {
    DevCounts::of(cards).serialize(serializer)
}

fn played_by_name<S: serde::Serializer>(cards: &Devs, serializer: S) -> Result<S::Ok, S::Error> {
    PlayedCounts::of(cards).serialize(serializer)
}

fn name_text<S: serde::Serializer>(
    name: &crate::setup::Name,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    name.serialize(serializer)
}

fn ids<S: serde::Serializer>(set: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(bits(*set))
}

fn ids64<S: serde::Serializer>(set: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(bits((*set).into()))
}

/// A few lines for the terminal.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn {} · {}", self.number, self.phase.name())?;
        if let Some([first, second]) = self.dice {
            write!(f, " · dice {first} {second}")?;
        }
        writeln!(f, " · robber on {}", self.robber)?;
        write!(f, "  tiles")?;
        for (idx, tile) in self.tiles.iter().enumerate() {
            write!(f, " {idx}:{}{}", tile.resource.name(), tile.number)?;
        }
        writeln!(f)?;
        write!(f, "  bank ")?;
        write_cards(f, &self.bank)?;
        writeln!(f, " · deck {}", self.n_deck)?;
        for (idx, player) in self.players.iter().enumerate() {
            self.write_player(f, idx, player)?;
        }
        if let Some(trade) = self.pending_trade {
            write!(f, "  offered: ")?;
            write_cards(f, &trade.offer)?;
            write!(f, " for ")?;
            write_cards(f, &trade.request)?;
            writeln!(f)?;
        }
        match self.outcome {
            Some(outcome) => writeln!(f, "Over: {outcome}"),
            None => Ok(()),
        }
    }
}

impl View {
    fn write_player(
        &self,
        f: &mut fmt::Formatter<'_>,
        idx: usize,
        player: &PlayerView,
    ) -> fmt::Result {
        let list = |set: u128| {
            bits(set)
                .map(|id| id.to_string())
                .collect::<Vec<_>>()
                .join(",")
        };
        let (points, target) = (player.victory_points, self.vp_to_win);
        write!(
            f,
            "  seat {idx} {} {points}/{target} ",
            player.name.as_str()
        )?;
        write_cards(f, &player.resources)?;
        write!(f, " · cards {}", player.n_dev_cards)?;
        if let Some(own) = player.own {
            let [knight, road, plenty, monopoly, point] = own.dev_cards;
            let new: u8 = own.new_dev_cards.iter().sum();
            write!(
                f,
                " (K{knight} R{road} P{plenty} M{monopoly} V{point} new {new})"
            )?;
        }
        write!(f, " · knights {}", player.played[0])?;
        if self.longest_road_owner == Some(idx as u8) {
            write!(f, " · longest road {}", player.longest_road_len)?;
        }
        if self.largest_army_owner == Some(idx as u8) {
            f.write_str(" · largest army")?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "    settlements {} · cities {} · roads {}",
            list(player.settlements.into()),
            list(player.cities.into()),
            list(player.roads)
        )
    }
}

fn write_cards(f: &mut fmt::Formatter<'_>, cards: &Hand) -> fmt::Result {
    for (resource, n) in Resource::ALL.iter().zip(cards) {
        write!(f, "{}{n}", &resource.name()[..1])?;
    }
    Ok(())
}
