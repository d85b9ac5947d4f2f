//! The I/O shell around live matches.
//!
//! [`serve`] runs a whole server: HTTP and sockets, accounts, matchmaking, matches, storage,
//! and the recovery of what was open when it last stopped. The rules are in the games, what
//! happens in a match is in [`session`], what survives is in [`store`], what goes over sockets
//! is in [`wire`]; here they are put together.
//!
//! - **One task for each match**, with a mailbox: `room`.
//! - **One task for each socket**, which keeps order: `gateway`.
//! - **One thread that writes**, many events at a time: `committer`. Nothing is told to
//!   anybody before it is durable.
//! - **One lock** over who is here, who waits and which matches run: `hub`.

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
mod matchmaking;
mod measures;
mod mending;
mod moderation;
mod old_clients;
mod pace;
mod passwords;
mod peer;
mod ratings;
mod readers;
mod recovery;
mod rematch;
mod room;
mod run;
mod seating;
mod secret;
mod seeds;
mod server;
mod sign_ins;
mod start;
mod tables;
mod terms;
mod timing;
mod voice;
mod workshop;

pub use accounts::read_nickname;
#[doc(hidden)]
pub use clock::TestClock;
pub use config::{Config, ConfigFaults, Options};
pub use hub::Census;
pub use run::{Running, ServeError, openapi, serve};
pub use timing::Timing;
