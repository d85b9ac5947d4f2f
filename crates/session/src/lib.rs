//! One live match with no I/O: `handle(now, input) -> effects`.
//!
//! A [`Session`] is a match with its players. It knows who has which seat, who is connected, when
//! time runs out and what the stakes are; it does not know sockets, disks or clocks. Its host hands
//! in each input with its time, and carries out the [`Effect`]s: write an event, send a message,
//! set a timer.
//!
//! Four rules hold whatever the host, the network and the disk do:
//!
//! - **Durable before sent.** A message leaves only after the event it depends on is
//!   durable. An acknowledged decision is therefore never lost.
//! - **One end, one settlement.** The closing event carries the settlement, and the host
//!   stores both in one transaction. A match whose closing event is durable is settled and
//!   never recovered.
//! - **Downtime counts against nobody.** A deadline starts when the event that opens it is
//!   durable, and the clock judges nobody before storage has proved that it takes writes.
//!   While storage is unavailable, the clock is stopped.
//! - **Only projections leave.** Messages are made of [`kernel::Game::view`] and
//!   [`kernel::Event::seen_by`], and versions are counted per viewer, so that not even the
//!   number of another seat's inputs leaks.
//!
//! The [`sim`] module runs thousands of such matches in virtual time through a bad network, bad
//! clients, crashes and torn storage, and checks them with an independent checker.

mod clock;
mod effect;
mod event;
mod input;
mod machine;
mod message;
mod metrics;
mod recover;
mod stakes;

pub mod sim;

pub use clock::{Clock, Opening, Wait};
pub use effect::Effect;
pub use event::{Corrupt, Event};
pub use input::{Account, Conn, Disposition, Input, Say};
pub use kernel::live::{Live, Ms, Pace, Policy, Reading};
#[cfg(feature = "planted")]
pub use machine::Planted;
pub use machine::{Session, Terms};
pub use message::{Message, Note};
pub use metrics::Metrics;
pub use recover::Quarantine;
pub use stakes::{Settlement, SettlementKey, SettlementKind, Share};
