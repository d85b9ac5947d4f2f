//! The position.

use kernel::doc::{Document, Names};
use kernel::{Departure, Endings, Outcome, Seat, Turn, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::Board;
use crate::card::count;
use crate::topology::{AROUND, EDGES_AT, ENDS_SET, N_VERTICES};
use crate::trade::Pending;
use crate::{DEV_CARDS, Dev, Devs, Hand, Setup, road};

/// The number of road pieces of each player.
pub const ROADS_MAX: u32 = 15;
/// The number of settlement pieces of each player.
pub const SETTLEMENTS_MAX: u32 = 5;
/// The number of city pieces of each player.
pub const CITIES_MAX: u32 = 4;
/// The minimum length of the longest road.
pub const LONGEST_ROAD_MIN: u8 = 5;
/// The minimum size of the largest army.
pub const LARGEST_ARMY_MIN: u8 = 3;

/// A position of Catan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Catan {
    pub(crate) players: [Player; 2],
    /// Vertices that the distance rule leaves open to a settlement. Derived.
    pub(crate) open: u64,
    /// Rolls left in the bag, by outcome; 0 if the dice are uniform.
    pub(crate) bag: u64,
    pub(crate) bank: Hand,
    /// The deck from the bottom up: the last of the first `n_deck` cards is drawn next. Drawn
    /// cards are 0.
    pub(crate) deck: [u8; DEV_CARDS],
    pub(crate) n_deck: u8,
    pub(crate) phase: Phase,
    /// The chance that must be resolved before anything else.
    pub(crate) chance: Option<Due>,
    /// The player whose turn it is. During a discard or an answer, another player may decide.
    pub(crate) current: u8,
    /// The turn, from 1; 0 during setup.
    pub(crate) number: u16,
    /// The number of placements done, of the eight that begin a match.
    pub(crate) n_placed: u8,
    /// The settlement whose road comes next.
    pub(crate) last_vertex: u8,
    /// The last roll, or a forced roll that is still pending; 0 before the first.
    pub(crate) dice: [u8; 2],
    /// True once the dice are rolled in this turn.
    pub(crate) rolled: bool,
    /// True while the robber has yet to move for a seven.
    pub(crate) robber_triggered: bool,
    /// True once a development card is played in this turn.
    pub(crate) dev_played: bool,
    /// Free roads still to build.
    pub(crate) free_roads: u8,
    /// Trades offered in this turn.
    pub(crate) n_offers: u8,
    /// The offer that awaits an answer or is being composed; empty if there is none.
    pub(crate) pending: Pending,
    /// Cards to discard, by seat: in total, and still left.
    pub(crate) discards: [Discard; 2],
    pub(crate) robber: u8,
    pub(crate) road_owner: Option<Seat>,
    pub(crate) army_owner: Option<Seat>,
    pub(crate) ending: Option<Ending>,
    pub(crate) board: Board,
    pub(crate) setup: Setup,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Player {
    pub(crate) roads: u128,
    /// Free edges where a road may be built. Derived.
    pub(crate) road_spots: u128,
    pub(crate) settlements: u64,
    pub(crate) cities: u64,
    /// Vertices that the roads touch. Derived.
    pub(crate) reach: u64,
    pub(crate) hand: Hand,
    /// Development cards that may be played.
    pub(crate) devs: Devs,
    /// Development cards bought in this turn.
    pub(crate) new_devs: Devs,
    /// Development cards played. Victory points are never played.
    pub(crate) played: Devs,
    /// Harbors by kind, as a set. Derived.
    pub(crate) ports: u8,
    /// The length of the longest road. Derived.
    pub(crate) road_len: u8,
}

/// The decision that a match waits for.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Phase {
    /// Place a first or second settlement.
    SetupSettlement,
    /// Place the road next to it.
    SetupRoad,
    /// Roll the dice, or play a development card first.
    Roll,
    /// Discard cards after a seven.
    Discard,
    /// Move the robber, after a seven or a knight.
    MoveRobber,
    /// Build, buy, trade, play a card or end the turn.
    Action,
    /// Build the free roads of a card.
    RoadBuilding,
    /// Answer the opponent's offer.
    TradeResponse,
    /// Nothing: the match is over.
    GameOver,
    /// Continue to compose an offer of several cards.
    TradeOffer,
}

/// A chance that must be resolved before the next decision.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Due {
    /// The deck is shuffled and, for a random board, the board.
    Deal,
    /// The dice are rolled.
    Dice,
    /// A card is stolen.
    Theft,
    /// The dice show what a player of a test match chose.
    ForcedDice,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Discard {
    pub(crate) total: u8,
    pub(crate) left: u8,
}

/// The ending of a match. Documents write its [outcome](Ending::outcome).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(into = "Outcome")]
pub enum Ending {
    /// One player won.
    Won(Seat, Win),
    /// The last turn ended without a winner.
    TurnCap,
    /// Both players left at the same instant, or the host removed a seat. The match does not
    /// count.
    Void(Departure),
}

/// The reason for a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "lowercase")]
pub enum Win {
    /// The winner reached the points.
    Points,
    /// The opponent disconnected.
    Disconnect,
    /// The opponent resigned.
    Resign,
    /// The opponent missed too many deadlines in a row.
    Timeout,
}

impl From<Ending> for Outcome {
    fn from(ending: Ending) -> Outcome {
        ending.outcome()
    }
}

impl Endings for Ending {
    fn all() -> impl Iterator<Item = Ending> {
        let won = Catan::SEATS
            .into_iter()
            .flat_map(|seat| Win::ALL.map(|win| Ending::Won(seat, win)));
        won.chain([Ending::TurnCap])
            .chain(Departure::ALL.map(Ending::Void))
    }
}

impl Ending {
    /// The result for each seat, and the reason.
    pub const fn outcome(self) -> Outcome {
        match self {
            Ending::Won(seat, win) => Outcome::decided(Verdict::Winner(seat), win.name()),
            Ending::TurnCap => Outcome::truncated(Verdict::Draw, "turn_cap"),
            Ending::Void(cause) => Outcome::decided(Verdict::Void, cause.name()),
        }
    }
}

impl Player {
    /// Points of the buildings, without titles.
    #[inline]
    pub(crate) fn building_points(&self) -> u8 {
        (self.settlements.count_ones() + 2 * self.cities.count_ones()) as u8
    }

    /// Points on cards that only the player sees.
    #[inline]
    pub(crate) fn hidden_points(&self) -> u8 {
        self.devs[Dev::VictoryPoint as usize] + self.new_devs[Dev::VictoryPoint as usize]
    }

    pub(crate) fn n_devs(&self) -> u8 {
        count(&self.devs) + count(&self.new_devs)
    }

    #[inline]
    pub(crate) fn buildings(&self) -> u64 {
        self.settlements | self.cities
    }

    #[inline]
    pub(crate) fn has_road_left(&self) -> bool {
        self.roads.count_ones() < ROADS_MAX
    }
}

impl Catan {
    pub(crate) const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

    pub(crate) fn at_start(setup: &Setup) -> Catan {
        let board = Board::reference();
        Catan {
            players: [Player::default(); 2],
            open: (1 << N_VERTICES) - 1,
            bag: 0,
            bank: [crate::RESOURCE_CARDS; 5],
            deck: [0; DEV_CARDS],
            n_deck: 0,
            phase: Phase::SetupSettlement,
            chance: Some(Due::Deal),
            current: 0,
            number: 0,
            n_placed: 0,
            last_vertex: crate::topology::NONE,
            dice: [0; 2],
            rolled: false,
            robber_triggered: false,
            dev_played: false,
            free_roads: 0,
            n_offers: 0,
            pending: Pending::default(),
            discards: [Discard::default(); 2],
            robber: board.desert(),
            road_owner: None,
            army_owner: None,
            ending: None,
            board,
            setup: *setup,
        }
    }

    /// The rules of the match.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The decision that the match waits for.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The ending, or `None` while the match runs.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    pub(crate) fn winner(&self) -> Option<Seat> {
        match self.ending {
            Some(Ending::Won(seat, _)) => Some(seat),
            _ => None,
        }
    }

    /// The resource cards of a player.
    pub fn hand(&self, seat: Seat) -> Hand {
        self.player(seat).hand
    }

    /// Points visible to everyone: buildings and titles.
    #[inline]
    pub fn public_points(&self, seat: Seat) -> u8 {
        let titles =
            u8::from(self.road_owner == Some(seat)) + u8::from(self.army_owner == Some(seat));
        self.player(seat).building_points() + 2 * titles
    }

    /// All points, including hidden ones.
    #[inline]
    pub fn points(&self, seat: Seat) -> u8 {
        self.public_points(seat) + self.player(seat).hidden_points()
    }

    #[inline]
    pub(crate) fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index() & 1]
    }

    #[inline]
    pub(crate) fn other(seat: Seat) -> Seat {
        Catan::SEATS[1 - (seat.index() & 1)]
    }

    /// The player whose turn it is.
    #[inline]
    pub(crate) fn mover(&self) -> Seat {
        Catan::SEATS[usize::from(self.current & 1)]
    }

    /// True between the decision to roll and its result.
    pub(crate) fn dice_due(&self) -> bool {
        matches!(self.chance, Some(Due::Dice | Due::ForcedDice))
    }

    /// The seat to decide, while the match runs and no chance is pending.
    #[inline]
    pub(crate) fn decider(&self) -> Seat {
        match self.phase {
            Phase::Discard if self.discards[0].left > 0 => Seat::FIRST,
            Phase::Discard => Seat::SECOND,
            Phase::TradeResponse => Catan::other(self.mover()),
            _ => self.mover(),
        }
    }

    #[inline]
    pub(crate) fn turn_now(&self) -> Turn {
        match (self.ending, self.chance) {
            (Some(ending), _) => Turn::Over(ending.outcome()),
            (None, Some(_)) => Turn::Chance,
            (None, None) => Turn::Seat(self.decider()),
        }
    }

    /// Recomputes everything that follows from the pieces and the board.
    pub(crate) fn derive(&mut self) {
        let buildings = self.players[0].buildings() | self.players[1].buildings();
        self.open = (1 << N_VERTICES) - 1;
        for vertex in bits(buildings.into()) {
            self.open &= !AROUND[vertex];
        }
        for seat in Catan::SEATS {
            let mut player = *self.player(seat);
            player.ports = 0;
            for vertex in bits(player.buildings().into()) {
                player.ports |= self.board.port_at(vertex);
            }
            player.reach = 0;
            for edge in bits(player.roads) {
                player.reach |= ENDS_SET[edge];
            }
            let enemy = self.player(Catan::other(seat)).buildings();
            player.road_len = road::longest(player.roads, enemy);
            self.players[seat.index()] = player;
        }
        for seat in Catan::SEATS {
            self.find_road_spots(seat);
        }
    }

    /// Recomputes the edges where a player may build a road.
    pub(crate) fn find_road_spots(&mut self, seat: Seat) {
        let enemy = self.player(Catan::other(seat)).buildings();
        let taken = self.players[0].roads | self.players[1].roads;
        let player = &mut self.players[seat.index() & 1];
        player.road_spots = 0;
        for vertex in bits((player.reach & !enemy).into()) {
            player.road_spots |= EDGES_AT[vertex];
        }
        player.road_spots &= !taken;
    }
}

/// The members of a set, in ascending order.
#[inline]
pub(crate) fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let lowest = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(lowest)
    })
}
