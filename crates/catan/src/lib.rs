//! Catan for two players, to 15 points.
//!
//! A turn: roll the dice (or play a development card first), collect what the tiles yield, then
//! build, buy, trade and play a card in any order, and end the turn. On a seven, large hands
//! discard and the robber moves.
//!
//! The position is [`Catan`]; its rules are the [`kernel::Game`] methods. A compound decision is a
//! series of small steps here (a knight, then a tile; a discard or an offer card by card) and one
//! line in a record.
//!
//! ```
//! use catan::{Action, Catan, Setup};
//! use kernel::{Draw, Game, GameExt, Seat, Step, Turn};
//!
//! let mut match_ = Catan::start(&Setup::default());
//! let mut events = Vec::new();
//! assert_eq!(match_.turn(), Turn::Chance); // the deck is shuffled first
//! match_.apply(Step::Chance(Draw(7)), &mut events)?;
//! match_.play(Seat::FIRST, "first-settle:31".parse::<Action>()?, &mut events)?;
//! assert_eq!(match_.points(Seat::FIRST), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod topology;

mod action;
mod board;
mod card;
mod chance;
mod check;
mod conserve;
mod describe;
mod entry;
mod event;
mod learn;
mod legal;
mod live;
mod notation;
mod observe;
mod older;
mod pieces;
mod play;
mod reason;
mod redraw;
mod restore;
mod road;
mod setup;
mod snapshot;
mod state;
mod terminal;
mod trade;
mod view;

pub use action::{Action, Plenty, Rate, Swap, Throw};
pub use board::{PortKind, Terrain};
pub use card::{
    CITY_COST, DECK, DEV_CARDS, DEV_COST, Dev, Devs, Hand, N_DEVS, N_RESOURCES, RESOURCE_CARDS,
    ROAD_COST, Resource, SETTLEMENT_COST,
};
pub use entry::Decision;
pub use event::Event;
pub use learn::exact;
pub use notation::NotAnAction;
pub use setup::{BoardKind, DiceKind, DiscardRule, Name, RawSetup, Setup, Switch, VariantSnapshot};
pub use snapshot::{
    BankSnapshot, BoardSnapshot, DevCounts, DiceSnapshot, DiscardSnapshot, Id, PileSnapshot,
    PlayedCounts, PlayerSnapshot, PortSnapshot, Resources, SetupSnapshot, Snapshot, TileSnapshot,
    TradeSnapshot, TurnSnapshot,
};
pub use state::{
    CITIES_MAX, Catan, Due, Ending, LARGEST_ARMY_MIN, LONGEST_ROAD_MIN, Phase, ROADS_MAX,
    SETTLEMENTS_MAX, Win,
};
pub use trade::{OFFER_CARDS_MAX, Trade};
pub use view::{OwnCards, PlayerView, Tile, View};
