//! The I/O shell around live matches.
//!
//! [`serve`] runs a complete server: HTTP and sockets, accounts, matchmaking, matches, storage, and
//! the recovery of matches that were open when it last stopped. The rules are in the games, the
//! logic of a live match is in [`session`], persistence is in [`store`] and the socket protocol is
//! in [`wire`]. This crate puts them together.
//!
//! - **One task per match**, with a mailbox: `room`.
//! - **One task per socket**, which keeps messages in order: `gateway`.
//! - **One thread that writes**, many events at a time: `committer`. No client learns of an event
//!   before it is durable.
//! - **One lock** over connections, queues and running matches: `hub`.

mod accept;
mod accounts;
mod bot_pool;
mod clock;
mod closing;
mod committer;
mod config;
mod economy;
mod gateway;
mod health;
mod holdings;
mod hosted;
mod http;
mod hub;
mod limits;
mod line;
mod lobbies;
mod matchmaking;
mod measures;
mod moderation;
mod old_clients;
mod pace;
mod passwords;
mod peer;
mod ratings;
mod readers;
mod recovery;
mod rematch;
mod restart;
mod room;
mod run;
mod seating;
mod secret;
mod seeds;
mod server;
mod sign_ins;
mod start;
mod terms;
mod timing;
mod trials;
mod voice;
mod workshop;

pub use accounts::read_nickname;
#[doc(hidden)]
pub use clock::TestClock;
pub use config::{Config, ConfigFaults, Options};
pub use hub::Census;
pub use run::{Running, ServeError, openapi, serve};
pub use timing::Timing;
