//! The limit of a search.

use std::time::{Duration, Instant};

use super::MCTS;
use crate::NoAgent;

/// The limit of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Stop after this many iterations, each of which adds at most one node to each seat's tree.
    /// The result is reproducible.
    Nodes(u32),
    /// Stop after this many milliseconds. The result depends on the machine.
    Millis(u32),
}

impl Bound {
    /// The limit of a search without a stated one.
    pub const DEFAULT: Bound = Bound::Nodes(100);
    /// The maximum number of nodes or milliseconds.
    pub const MAX: u32 = 10_000_000;

    /// Reads `nodes=N` or `ms=N`.
    pub(super) fn read(text: &str) -> Result<Bound, NoAgent> {
        let number = |text: &str| text.parse().ok().filter(|n| (1..=Bound::MAX).contains(n));
        let bound = match text.split_once('=') {
            Some(("nodes", n)) => number(n).map(Bound::Nodes),
            Some(("ms", n)) => number(n).map(Bound::Millis),
            _ => None,
        };
        bound.ok_or_else(|| NoAgent::Unfit {
            name: MCTS.0,
            reason: format!(
                "{text:?} is not a limit; write mcts:nodes=N or mcts:ms=N, N from 1 to {}",
                Bound::MAX
            ),
        })
    }

    pub(super) fn budget(self) -> Budget {
        match self {
            Bound::Nodes(n_nodes) => Budget::Nodes(n_nodes),
            Bound::Millis(ms) => Budget::Until(Instant::now() + Duration::from_millis(ms.into())),
        }
    }
}

/// The rest of a search's limit.
pub(super) enum Budget {
    Nodes(u32),
    Until(Instant),
}

impl Budget {
    /// Takes one iteration from the budget; false if it is used up.
    pub(super) fn spend(&mut self) -> bool {
        match self {
            Budget::Nodes(left) => {
                let rest = left.checked_sub(1);
                *left = rest.unwrap_or(0);
                rest.is_some()
            }
            Budget::Until(end) => Instant::now() < *end,
        }
    }
}
