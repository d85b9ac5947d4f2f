//! Bots for Catan.
//!
//! - [`Heuristic`] takes the decision that leads to the most valuable position.
//! - [`Search`] looks a few turns ahead, with redrawn cards and new dice.
//! - [`Fit`] fits the weights of the evaluation by playing matches.

mod client;
mod features;
mod fit;
mod ground;
mod heuristic;
mod lookahead;
mod offers;
mod policy;
mod search;
mod simulated;
mod value;
mod weights;

use bots::NoAgent;
use catan::{Catan, Setup};
use kernel::Agent;

pub use client::Client;
pub use fit::Fit;
pub use heuristic::Heuristic;
pub use search::{Bound, Search};
pub use simulated::Simulation;

/// The agents by name.
pub struct Bots;

impl bots::Bots<Catan> for Bots {
    const AGENTS: &'static [(&'static str, &'static str)] = &[
        (
            "heuristic",
            "Takes the decision with the best next position.",
        ),
        (
            "search",
            "Looks a few turns ahead; search:nodes=N or search:ms=N limits it.",
        ),
    ];

    fn agent(name: &str, _: &Setup) -> Option<Result<Box<dyn Agent<Catan>>, NoAgent>> {
        let search = |bound| -> Box<dyn Agent<Catan>> { Box::new(Search::new(name, bound)) };
        match name {
            "heuristic" => Some(Ok(Box::new(Heuristic::default()))),
            "search" => Some(Ok(search(Bound::DEFAULT))),
            _ => Some(read_bound(name.strip_prefix("search:")?).map(search)),
        }
    }
}

/// Reads the limit of a search: `nodes=N` or `ms=N`.
fn read_bound(text: &str) -> Result<Bound, NoAgent> {
    let number = |text: &str| text.parse().ok().filter(|n| (1..=Bound::MAX).contains(n));
    let bound = match text.split_once('=') {
        Some(("nodes", n)) => number(n).map(Bound::Nodes),
        Some(("ms", n)) => number(n).map(Bound::Millis),
        _ => None,
    };
    bound.ok_or_else(|| NoAgent::Unfit {
        name: "search",
        reason: format!(
            "{text:?} is not a limit; write search:nodes=N or search:ms=N, N from 1 to {}",
            Bound::MAX
        ),
    })
}
