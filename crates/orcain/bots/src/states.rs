//! The states between rounds, and the transitions between them.

use std::collections::BTreeSet;
use std::fmt;

use orcain::{AFK_ROUNDS_MAX, Layout, Setup, resolve_step};

/// The state at the start of a round: all that matters for the rest of the match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct State {
    pub(super) round: u8,
    pub(super) hp: [u8; 2],
    pub(super) afk_streak: [u8; 2],
}

/// A player's conduct in a round: a layout, or missing the round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conduct {
    Plays(Layout),
    Misses,
}

/// The result of a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Next {
    Round(State),
    /// The result of the match for each seat: 1, 0 or -1.
    Over([i8; 2]),
}

impl Conduct {
    fn layout(self) -> Layout {
        match self {
            Conduct::Plays(layout) => layout,
            Conduct::Misses => Layout::EMPTY,
        }
    }
}

impl State {
    pub(super) fn start(setup: &Setup) -> State {
        State {
            round: 1,
            hp: [setup.start_hp; 2],
            afk_streak: [0; 2],
        }
    }

    /// The result of the round under this conduct of both players.
    pub(super) fn next(&self, conduct: [Conduct; 2], setup: &Setup) -> Next {
        let streak = |idx: usize| match conduct[idx] {
            Conduct::Misses => self.afk_streak[idx] + 1,
            Conduct::Plays(_) => 0,
        };
        let afk_streak = [streak(0), streak(1)];
        match afk_streak.map(|streak| streak >= AFK_ROUNDS_MAX) {
            [true, true] => return Next::Over([-1, -1]),
            [true, false] => return Next::Over([-1, 1]),
            [false, true] => return Next::Over([1, -1]),
            [false, false] => {}
        }
        let layouts = conduct.map(Conduct::layout);
        let hp = (0..setup.steps()).fold(self.hp, |hp, idx| {
            resolve_step(layouts.map(|layout| layout.slot(idx)), hp, setup.max_hp)
        });
        let decisive = hp.contains(&0) || self.round >= setup.round_limit;
        match hp[0].cmp(&hp[1]) {
            std::cmp::Ordering::Greater if decisive => Next::Over([1, -1]),
            std::cmp::Ordering::Less if decisive => Next::Over([-1, 1]),
            std::cmp::Ordering::Equal if hp == [0, 0] || self.round >= setup.round_cap => {
                Next::Over([0, 0])
            }
            _ => Next::Round(State {
                round: self.round + 1,
                hp,
                afk_streak,
            }),
        }
    }
}

/// The maximum number of rounds examined while searching for states: conducts of both seats in
/// every state. The standard match has 6.4 million. A larger setup is refused, so that nobody
/// waits indefinitely for an agent.
const ROUNDS_MAX: usize = 100_000_000;

/// The match has too many states to be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this setup has too many states to be solved: lower max_hp, steps, round_limit or \
             round_cap, or seat another agent",
        )
    }
}

impl std::error::Error for TooLarge {}

/// Every state that any conduct can lead to, ordered by round from the first.
pub(super) fn reachable(
    setup: &Setup,
    conducts: &[Vec<Conduct>; 2],
) -> Result<Vec<BTreeSet<State>>, TooLarge> {
    let n_pairs = conducts[0].len() * conducts[1].len();
    let mut n_looked_at = 0;
    let mut rounds = vec![BTreeSet::from([State::start(setup)])];
    while let Some(last) = rounds.last().filter(|states| !states.is_empty()) {
        let mut next = BTreeSet::new();
        for state in last {
            n_looked_at += n_pairs;
            if n_looked_at > ROUNDS_MAX {
                return Err(TooLarge);
            }
            for &first in &conducts[0] {
                for &second in &conducts[1] {
                    if let Next::Round(state) = state.next([first, second], setup) {
                        next.insert(state);
                    }
                }
            }
        }
        rounds.push(next);
    }
    Ok(rounds)
}
