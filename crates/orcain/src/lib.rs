//! Orcain: a duel of two players who place cards in secret and reveal them together.
//!
//! In a round, both players place up to three cards of their hand; drafts count, and a confirm is
//! final. The round is finalized once, at the deadline or when both have confirmed. Then the cards
//! are revealed step by step, and the round ends. A match ends by hit points after the third
//! round, by sudden death after that, by two missed rounds in a row, or by a departure.
//!
//! The position is [`Orcain`]; its rules are the [`kernel::Game`] methods.
//!
//! ```
//! use kernel::{Game, GameExt, Seat, Step, Turn};
//! use orcain::{Action, Orcain, Setup};
//!
//! let mut duel = Orcain::start(&Setup::default());
//! let mut events = Vec::new();
//! duel.play(Seat::FIRST, "confirm:AHD".parse::<Action>()?, &mut events)?;
//! duel.play(Seat::SECOND, "confirm:CAD".parse::<Action>()?, &mut events)?;
//! assert_eq!(duel.turn(), Turn::Clock);
//! duel.apply(Step::Deadline, &mut events)?; // the first step: attack into counter
//! assert_eq!(duel.hp(), [8, 10]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod card;
mod check;
mod describe;
mod event;
mod hand;
mod layout;
mod learn;
mod legal;
mod live;
mod notation;
mod observe;
mod play;
mod redraw;
mod round;
mod setup;
mod snapshot;
mod state;
mod terminal;
mod view;

pub use action::{Action, Decision};
pub use card::{ATTACK_DAMAGE, COUNTER_DAMAGE, Card, HEAL_POINTS};
pub use event::Event;
pub use hand::{HAND_CARDS, Hand};
pub use layout::{Full, Layout, STEPS_MAX, Slot, Slots};
pub use live::{Ask, Asked, read_cards};
pub use round::resolve_step;
pub use setup::{RawSetup, Setup};
pub use snapshot::{PlayerSnapshot, Snapshot, TurnSnapshot};
pub use state::{AFK_ROUNDS_MAX, Ending, Orcain, Phase, Stage, Status, Win};
pub use view::{Exchange, Own, View};
