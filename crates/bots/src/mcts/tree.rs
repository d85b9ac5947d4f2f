//! The statistics of a search: one tree for each seat, all in one arena.

use kernel::rng::Generator;
use kernel::{ActionId, Mask, Seat};

use super::history::History;

/// The index of a node in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeIdx(u32);

/// The trees of all seats.
///
/// A node of a seat's tree stands for a sequence of decisions that the seat knows: its own, and
/// those that others made openly. Chance is not part of the sequence, so a node gathers all draws
/// and all redrawn positions, and not every decision below it is legal each time.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// A buffer for the legal decisions that were not tried.
    untried: Mask,
}

/// A decision of a seat that was tried after those above it.
#[derive(Clone, Copy, Debug)]
struct Node {
    seat: u8,
    action: u32,
    first_child: u32,
    next_sibling: u32,
    /// Iterations through this node.
    n_visits: u32,
    /// Iterations in which the decision was legal, visited or not.
    n_available: u32,
    /// The sum of the values of the tree's owner.
    sum: f64,
}

/// A decision that was tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Tried {
    pub(super) action: ActionId,
    pub(super) n_visits: u32,
    pub(super) mean: f64,
}

/// The end of a list of nodes.
const NONE: u32 = u32::MAX;
/// The weight of exploration, in units of the range of values.
const EXPLORATION: f64 = 0.2;
/// At a node with `n` visits, this many times the square root of `n` decisions are tried.
const WIDENING: f64 = 2.0;

impl Tree {
    /// Empties the trees and gives each seat a root.
    pub(super) fn reset(&mut self, n_seats: usize) {
        self.nodes.clear();
        for seat in Seat::first(n_seats) {
            self.push(seat, ActionId::new(0));
        }
    }

    /// The root of a seat's tree.
    pub(super) fn root(seat: Seat) -> NodeIdx {
        NodeIdx(seat.index() as u32)
    }

    /// Selects a legal decision of the tree's owner: a new one while few were tried,
    /// otherwise the one with the highest upper confidence bound. Returns it with its node, and
    /// true if the node is new. `spread` is the difference between the highest and lowest value.
    pub(super) fn select(
        &mut self,
        at: NodeIdx,
        seat: Seat,
        legal: &Mask,
        spread: f64,
        history: &History,
        rng: &mut Generator,
    ) -> Option<(ActionId, NodeIdx, bool)> {
        let parent = self.nodes[at.0 as usize];
        let n_wanted = (WIDENING * f64::from(parent.n_visits + 1).sqrt()) as usize;
        let mut best = (f64::NEG_INFINITY, NONE);
        let mut n_tried = 0;
        let mut next = parent.first_child;
        while let Some(node) = self.nodes.get_mut(next as usize) {
            if node.is_of(seat) && legal.allows(node.action()) {
                n_tried += 1;
                node.n_available += 1;
                let bound = node.upper_bound(spread);
                if bound > best.0 {
                    best = (bound, next);
                }
            }
            next = node.next_sibling;
        }
        if n_tried < n_wanted.min(legal.count())
            && let Some(action) = self.sample_untried(at, seat, legal, history, rng)
        {
            return Some((action, self.add(at, seat, action), true));
        }
        let node = self.nodes.get(best.1 as usize)?;
        Some((node.action(), NodeIdx(best.1), false))
    }

    /// The node of another seat's decision, and true if it is new.
    pub(super) fn follow(&mut self, at: NodeIdx, seat: Seat, action: ActionId) -> (NodeIdx, bool) {
        match self.child(at, seat, action) {
            Some(node) => (node, false),
            None => (self.add(at, seat, action), true),
        }
    }

    /// Counts one iteration through a node.
    pub(super) fn back_up(&mut self, at: NodeIdx, value: f64) {
        let node = &mut self.nodes[at.0 as usize];
        node.n_visits += 1;
        node.sum += value;
    }

    /// The legal decisions of a seat that were tried at this node.
    pub(super) fn tried(
        &self,
        at: NodeIdx,
        seat: Seat,
        legal: &Mask,
    ) -> impl Iterator<Item = Tried> {
        let nodes = self.children(at).map(|(_, node)| node);
        let nodes = nodes.filter(move |node| node.is_of(seat) && legal.allows(node.action()));
        nodes.map(|node| Tried {
            action: node.action(),
            n_visits: node.n_visits,
            mean: node.mean(),
        })
    }

    /// The node of a seat's decision, if it was tried.
    pub(super) fn child(&self, at: NodeIdx, seat: Seat, action: ActionId) -> Option<NodeIdx> {
        let mut children = self.children(at);
        let found = children.find(|(_, node)| node.is_of(seat) && node.action() == action);
        found.map(|(idx, _)| idx)
    }

    /// Iterations through a node.
    pub(super) fn n_visits(&self, at: NodeIdx) -> u32 {
        self.nodes[at.0 as usize].n_visits
    }

    /// The number of nodes, roots included.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn sample_untried(
        &mut self,
        at: NodeIdx,
        seat: Seat,
        legal: &Mask,
        history: &History,
        rng: &mut Generator,
    ) -> Option<ActionId> {
        let mut untried = std::mem::take(&mut self.untried);
        untried.clone_from(legal);
        for (_, node) in self.children(at).filter(|(_, node)| node.is_of(seat)) {
            untried.forbid(node.action());
        }
        let action = history.sample(seat, &untried, rng);
        self.untried = untried;
        action
    }

    fn children(&self, at: NodeIdx) -> impl Iterator<Item = (NodeIdx, &Node)> {
        let mut next = self.nodes[at.0 as usize].first_child;
        std::iter::from_fn(move || {
            let idx = NodeIdx(next);
            let node = self.nodes.get(next as usize)?;
            next = node.next_sibling;
            Some((idx, node))
        })
    }

    fn add(&mut self, at: NodeIdx, seat: Seat, action: ActionId) -> NodeIdx {
        let idx = self.push(seat, action);
        let parent = &mut self.nodes[at.0 as usize];
        let next_sibling = std::mem::replace(&mut parent.first_child, idx.0);
        self.nodes[idx.0 as usize].next_sibling = next_sibling;
        idx
    }

    fn push(&mut self, seat: Seat, action: ActionId) -> NodeIdx {
        let idx = NodeIdx(self.nodes.len() as u32);
        self.nodes.push(Node {
            seat: seat.index() as u8,
            action: action.index() as u32,
            first_child: NONE,
            next_sibling: NONE,
            n_visits: 0,
            n_available: 1,
            sum: 0.0,
        });
        idx
    }
}

impl Node {
    fn action(&self) -> ActionId {
        ActionId::new(self.action as usize)
    }

    fn is_of(&self, seat: Seat) -> bool {
        usize::from(self.seat) == seat.index()
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.n_visits.max(1))
    }

    /// The mean plus a bonus for rare visits, counted only while the decision was legal. The
    /// logarithm is an integer, so that every machine computes the same.
    fn upper_bound(&self, spread: f64) -> f64 {
        let log = f64::from(self.n_available.ilog2() + 1);
        let rarity = (log / f64::from(self.n_visits.max(1))).sqrt();
        self.mean() + EXPLORATION * spread * rarity
    }
}
