//! `mcts`: a player of any game, by information-set Monte Carlo tree search.
//!
//! Each iteration redraws everything that the seat cannot know, walks down one tree per seat,
//! continues at random, and counts the result in every node on the way. Chance is drawn by its
//! odds. In a simultaneous turn every seat selects by its own statistics alone. An iteration is
//! cut off after a few dozen decisions if the rules count the [progress](kernel::Game::progress)
//! of the seats; otherwise it is played to the end.

mod bound;
mod history;
mod iteration;
mod tree;

use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{ActionId, Agent, Game, Mask, Perspective, Redraw, Seat, Turn};

use crate::NoAgent;
pub use bound::Bound;
use history::History;
use iteration::Search;
use tree::{NodeIdx, Tree, Tried};

/// The name and description of the agent that searches any game.
pub const MCTS: (&str, &str) = (
    "mcts",
    "Tries decisions in random continuations; mcts:nodes=N or mcts:ms=N limits it.",
);

/// Searches any game within a limit. It sees only what its seat may see.
#[derive(Clone, Debug)]
pub struct Mcts {
    name: String,
    bound: Bound,
    tree: Tree,
    history: History,
    legal: Mask,
    /// Buffers of the iterations.
    mask: Mask,
    path: Vec<(NodeIdx, Seat)>,
    tried: Vec<Tried>,
    /// The node of the last decision and the turn it was made in.
    place: Option<(NodeIdx, u32)>,
}

/// A line of several decisions continues in the same tree while its node has this many visits.
const VISITS_MIN: u32 = 8;
/// The number of times that a simultaneous position is redrawn to find one in which more seats
/// still have to decide.
const REDRAWS_MAX: usize = 8;
/// In a simultaneous turn, decisions with this many percent of the most visits are played.
const MIXED_PERCENT: u64 = 90;

impl Mcts {
    /// A search with a limit, under the name of its agent.
    pub fn new(name: &str, bound: Bound) -> Mcts {
        Mcts {
            name: name.to_owned(),
            bound,
            tree: Tree::default(),
            history: History::default(),
            legal: Mask::default(),
            mask: Mask::default(),
            path: Vec::new(),
            tried: Vec::new(),
            place: None,
        }
    }

    /// The number of nodes in the trees of the last search.
    pub fn n_nodes(&self) -> usize {
        self.tree.len()
    }

    /// The node to decide at, after a search if necessary.
    fn locate<G: Redraw>(
        &mut self,
        seen: &Perspective<'_, G>,
        position: &G,
        rng: &mut Generator,
    ) -> NodeIdx {
        let continued = self.place.take().filter(|(at, turn_number)| {
            position.line_open_for(seen.seat())
                && position.turn_number() == *turn_number
                && self.tree.n_visits(*at) >= VISITS_MIN
        });
        continued.map_or_else(|| self.search(seen, position, rng), |(at, _)| at)
    }

    /// Searches until the limit. Returns the root of the seat's tree.
    fn search<G: Redraw>(
        &mut self,
        seen: &Perspective<'_, G>,
        first: &G,
        rng: &mut Generator,
    ) -> NodeIdx {
        self.tree.reset(first.n_seats());
        let mut n_missing = first.turn().missing().len();
        let mut budget = self.bound.budget();
        self.history.age(first.n_seats(), first.n_actions());
        let mut search = Search::new(
            &mut self.tree,
            &mut self.history,
            &mut self.mask,
            &mut self.path,
            rng,
        );
        while budget.spend() {
            let position = redraw_undecided(seen, n_missing, search.rng);
            n_missing = n_missing.max(position.turn().missing().len());
            search.iterate(position);
        }
        Tree::root(seen.seat())
    }

    /// Picks a decision at this node and moves to it.
    fn pick<G: Game>(
        &mut self,
        seat: Seat,
        position: &G,
        at: NodeIdx,
        rng: &mut Generator,
    ) -> Option<ActionId> {
        self.tried.clear();
        self.tried.extend(self.tree.tried(at, seat, &self.legal));
        let picked = match position.turn() {
            Turn::Sealed(_) => mixed(&self.tried, rng),
            _ => most_visited(&self.tried),
        };
        let action = picked.or_else(|| self.legal.sample(rng))?;
        let node = self.tree.child(at, seat, action);
        self.place = node.map(|node| (node, position.turn_number()));
        Some(action)
    }
}

impl<G: Redraw> Agent<G> for Mcts {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self) {
        self.place = None;
        self.history.clear();
    }

    /// The search draws from a generator of its own, which one draw seeds, so that its length does
    /// not change what the seat draws later.
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action> {
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(rng.bits64()));
        seen.fill_legal(&mut self.legal);
        let action = match self.legal.count() {
            0 | 1 => self.legal.nth(0)?,
            _ => {
                let position = seen.redraw(&mut rng);
                let at = self.locate(seen, &position, &mut rng);
                self.pick(seen.seat(), &position, at, &mut rng)?
            }
        };
        seen.action(action)
    }

    fn thinks(&self) -> bool {
        true
    }

    fn again(&self) -> Box<dyn Agent<G>> {
        Box::new(Mcts::new(&self.name, self.bound))
    }
}

/// Redraws what the seat cannot know. In a simultaneous turn that includes which seats have
/// decided. A decision already made is as unknown as one still to be made, and the search can
/// only weigh the latter, so it prefers positions in which at least `n_missing` seats decide.
fn redraw_undecided<G: Redraw>(
    seen: &Perspective<'_, G>,
    n_missing: usize,
    rng: &mut Generator,
) -> G {
    let mut position = seen.redraw(rng);
    for _ in 1..REDRAWS_MAX {
        if position.turn().missing().len() >= n_missing {
            break;
        }
        position = seen.redraw(rng);
    }
    position
}

/// The decision with the most visits; among equals, the one with the best mean.
fn most_visited(tried: &[Tried]) -> Option<ActionId> {
    let order = |a: &&Tried, b: &&Tried| {
        let by_visits = a.n_visits.cmp(&b.n_visits);
        by_visits.then(a.mean.total_cmp(&b.mean))
    };
    tried.iter().max_by(order).map(|it| it.action)
}

/// A decision drawn by visits among the most visited: a simultaneous decision must not be
/// predictable, and rare visits are exploration.
fn mixed(tried: &[Tried], rng: &mut Generator) -> Option<ActionId> {
    let weight = |it: &Tried| u64::from(it.n_visits);
    let most = tried.iter().map(weight).max()?;
    let kept = || {
        tried
            .iter()
            .filter(|it| weight(it) * 100 >= most * MIXED_PERCENT)
    };
    let mut point = rng.below(kept().map(weight).sum());
    for it in kept() {
        match point.checked_sub(weight(it)) {
            Some(rest) => point = rest,
            None => return Some(it.action),
        }
    }
    None
}

/// The agent named `mcts`, `mcts:nodes=N` or `mcts:ms=N`; `None` for any other name.
pub(crate) fn agent<G: Redraw>(name: &str) -> Option<Result<Box<dyn Agent<G>>, NoAgent>> {
    let search = |bound| -> Box<dyn Agent<G>> { Box::new(Mcts::new(name, bound)) };
    match name.strip_prefix(MCTS.0)? {
        "" => Some(Ok(search(Bound::DEFAULT))),
        rest => Some(Bound::read(rest.strip_prefix(':')?).map(search)),
    }
}
