//! Games for learning: observations as numbers, action masks, and many matches at once.
//!
//! - [`Space`] describes a game's observation and actions, with versions: names, shapes, ranges,
//!   scales, and both number formats, `u8` and `f32`.
//! - [`Learn`] is the trait that a game implements for it.
//! - [`NetPlayer`] plays a trained network from its file.
//! - [`Batch`] steps many environments over buffers that the caller owns. Every environment has
//!   its own seed, so results depend neither on the number of threads nor on the size of the batch.
//!
//! ```
//! use catan::Catan;
//! use learn::{Batch, Buffers, Plan, Room, Values};
//!
//! let mut batch = Batch::<Catan>::new(&Plan { n_envs: 4, ..Plan::default() })?;
//! let Room { observation, mask, reward, envs, rows } = batch.room();
//! let (mut seen, mut legal) = (vec![0u8; observation], vec![0u8; mask]);
//! let (mut score, mut ended, mut cut) = (vec![0.0; reward], vec![false; envs], vec![false; envs]);
//! let (mut to_play, mut actions) = (vec![0; rows], vec![0; rows]);
//! for _ in 0..100 {
//!     batch.sample(&mut actions)?;
//!     batch.step(&actions, Buffers {
//!         observation: Values::U8(&mut seen),
//!         mask: &mut legal,
//!         reward: &mut score,
//!         terminated: &mut ended,
//!         truncated: &mut cut,
//!         to_play: &mut to_play,
//!         last: Values::Nothing,
//!     })?;
//! }
//! # Ok::<(), learn::Fault>(())
//! ```

mod batch;
mod buffers;
mod encoder;
mod env;
mod fault;
mod net;
mod row;
mod space;

pub use batch::{Batch, Plan, Rows};
pub use buffers::{Buffers, Room, Values, write_mask};
pub use encoder::Encoder;
pub use env::{Autoreset, Illegal, Seeding};
pub use fault::Fault;
pub use kernel::learn::{ByteStep, Form, Frame, Learn, Sight};
pub use net::{FORMAT as NET_FORMAT, Net, NetPlayer};
pub use space::{ActionRow, Space, Tensor};
