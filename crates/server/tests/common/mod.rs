//! A server in the same process, and clients that talk to it over real sockets.
//!
//! A test is a [`House`] with players in it:
//!
//! ```ignore
//! let house = House::open().await;
//! let (mut a, mut b) = house.duel().await;
//! round(&mut a, &mut b, "ADC", "HDC").await;
//! a.resign().await;
//! house.check_settled(&mut a, &mut b, End::lost_by_first("resign")).await;
//! ```
#![allow(dead_code, unused_imports, reason = "each test file uses a part")]

pub(crate) mod evidence;
pub(crate) mod home;
pub(crate) mod house;
pub(crate) mod http;
pub(crate) mod log;
pub(crate) mod old;
pub(crate) mod player;
pub(crate) mod poller;
pub(crate) mod proxy;
pub(crate) mod settled;
pub(crate) mod socket;
pub(crate) mod until;

pub(crate) use until::{PATIENCE, until};

/// A layout by letters: `A`, `D`, `H`, `C`, `-` for an empty slot, `?` for a card that no
/// hand has.
pub(crate) fn cards(letters: &str) -> serde_json::Value {
    let card = |letter: char| match letter {
        'A' => Some("attack"),
        'D' => Some("defense"),
        'H' => Some("heal"),
        'C' => Some("counter"),
        '?' => Some("joker-from-a-client"),
        _ => None,
    };
    letters.chars().map(card).collect()
}
