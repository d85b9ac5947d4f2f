//! One iteration: down the trees, then at random, then the values back up.

use kernel::rng::Generator;
use kernel::{Discard, Game, GameExt, Mask, Outcome, SEATS_MAX, Seat, SeatSet, Turn};

use super::history::History;
use super::tree::{NodeIdx, Tree};

/// An iteration is judged by the progress of the seats after this many decisions. A longer one
/// says more about its last decisions, which were random, and less about its first.
const HORIZON: u32 = 100;
/// In a game that counts no progress, an iteration without an outcome is a draw after this many
/// decisions.
pub(super) const DECISIONS_MAX: u32 = 20_000;

/// The value of a position for each seat, from 0 (lost) to 1 (won).
type Values = [f64; SEATS_MAX];

/// The node that an iteration has reached in each seat's tree; `None` outside the tree.
type Places = [Option<NodeIdx>; SEATS_MAX];

/// The state that the iterations of a search share.
pub(super) struct Search<'a> {
    pub(super) tree: &'a mut Tree,
    history: &'a mut History,
    pub(super) rng: &'a mut Generator,
    mask: &'a mut Mask,
    /// The nodes of this iteration, each with the owner of its tree.
    path: &'a mut Vec<(NodeIdx, Seat)>,
    /// The lowest and the highest value so far, by seat.
    range: [(f64, f64); SEATS_MAX],
}

impl<'a> Search<'a> {
    pub(super) fn new(
        tree: &'a mut Tree,
        history: &'a mut History,
        mask: &'a mut Mask,
        path: &'a mut Vec<(NodeIdx, Seat)>,
        rng: &'a mut Generator,
    ) -> Search<'a> {
        Search {
            tree,
            history,
            rng,
            mask,
            path,
            range: [(1.0, 0.0); SEATS_MAX],
        }
    }

    /// Plays a position until it can be judged, and counts the values in every tree.
    pub(super) fn iterate<G: Game>(&mut self, mut position: G) {
        let n_seats = position.n_seats();
        let mut places = [None; SEATS_MAX];
        self.path.clear();
        self.history.begin();
        for seat in Seat::first(n_seats) {
            places[seat.index()] = Some(Tree::root(seat));
            self.path.push((Tree::root(seat), seat));
        }
        let values = self.play(&mut position, &mut places);
        self.history.end(&values);
        for ((low, high), value) in self.range.iter_mut().zip(values) {
            (*low, *high) = (low.min(value), high.max(value));
        }
        for &(node, owner) in &*self.path {
            self.tree.back_up(node, values[owner.index()]);
        }
    }

    fn play<G: Game>(&mut self, position: &mut G, places: &mut Places) -> Values {
        let mut n_decisions = 0;
        let mut passed = Passed::default();
        loop {
            let turn = position.turn();
            match turn {
                Turn::Over(outcome) => return values_of(&outcome, position.n_seats()),
                Turn::Chance => {
                    let draw = position.odds().draw(self.rng);
                    position.resolve_trusted(draw, &mut Discard);
                }
                Turn::Clock => {
                    position.pass_time_trusted(&mut Discard);
                }
                Turn::Seat(_) | Turn::Sealed(_) => {
                    if let Some(values) = judge(position, n_decisions) {
                        return values;
                    }
                    n_decisions += self.ask(position, turn, places, &mut passed);
                }
            }
        }
    }

    /// Lets every seat decide that the turn waits for, or the deadline pass if none of them does.
    /// Returns the number of decisions; a deadline counts as one.
    ///
    /// In a simultaneous turn of a rollout, a seat gives one line of the record and then lets the time
    /// run out. Complete random orders would drown the decision that is being judged, and the horizon
    /// would end before its effects are seen.
    fn ask<G: Game>(
        &mut self,
        position: &mut G,
        turn: Turn,
        places: &mut Places,
        passed: &mut Passed,
    ) -> u32 {
        let is_open = matches!(turn, Turn::Seat(_));
        passed.enter(position.turn_number());
        let mut n_decisions = 0;
        for seat in turn.missing().iter() {
            if passed.seats.contains(seat) {
                continue;
            }
            position.fill_legal(seat, self.mask);
            let Some(action) = self.decide(position, seat, is_open, places) else {
                continue;
            };
            n_decisions += 1;
            position.play_trusted(seat, action, &mut Discard);
            let in_rollout = !is_open && places[seat.index()].is_none();
            if in_rollout && !position.line_open_for(seat) {
                passed.seats = passed.seats.with(seat);
            }
        }
        if n_decisions == 0 {
            position.deadline_trusted(&mut Discard);
            passed.seats = SeatSet::EMPTY;
        }
        n_decisions.max(1)
    }

    /// A seat's decision: by the statistics of its own tree, and by the history outside it. The other
    /// seats' trees follow an open decision; a sealed one is hidden from them.
    fn decide<G: Game>(
        &mut self,
        position: &G,
        seat: Seat,
        is_open: bool,
        places: &mut Places,
    ) -> Option<G::Action> {
        let (low, high) = self.range[seat.index()];
        let spread = (high - low).max(0.0);
        let selected = places[seat.index()].and_then(|at| {
            let history = &*self.history;
            self.tree
                .select(at, seat, self.mask, spread, history, self.rng)
        });
        let id = match selected {
            Some((id, node, is_new)) => {
                self.path.push((node, seat));
                places[seat.index()] = (!is_new).then_some(node);
                id
            }
            None => self.history.sample(seat, self.mask, self.rng)?,
        };
        for owner in Seat::first(position.n_seats()) {
            let place = &mut places[owner.index()];
            if let Some(at) = place.filter(|_| is_open && owner != seat) {
                let (node, is_new) = self.tree.follow(at, seat, id);
                self.path.push((node, owner));
                *place = (!is_new).then_some(node);
            }
        }
        self.history.note(seat, id);
        position.action(id)
    }
}

/// The seats that decide nothing more in a simultaneous turn.
#[derive(Default)]
struct Passed {
    turn_number: u32,
    seats: SeatSet,
}

impl Passed {
    fn enter(&mut self, turn_number: u32) {
        if self.turn_number != turn_number {
            self.turn_number = turn_number;
            self.seats = SeatSet::EMPTY;
        }
    }
}

/// A win is 1, a loss 0, anything else one half.
fn values_of(outcome: &Outcome, n_seats: usize) -> Values {
    let mut values = [0.5; SEATS_MAX];
    for seat in Seat::first(n_seats) {
        values[seat.index()] = (1.0 + f64::from(outcome.score(seat))) / 2.0;
    }
    values
}

/// The values of an unfinished position, once this many decisions are enough.
fn judge<G: Game>(position: &G, n_decisions: u32) -> Option<Values> {
    if n_decisions < HORIZON {
        return None;
    }
    let draw = (n_decisions >= DECISIONS_MAX).then_some([0.5; SEATS_MAX]);
    shares(position).or(draw)
}

/// Each seat's share of the progress of itself and its best rival. `None` if the rules count no
/// progress.
fn shares<G: Game>(position: &G) -> Option<Values> {
    let n_seats = position.n_seats();
    let mut progress = [0.0; SEATS_MAX];
    for seat in Seat::first(n_seats) {
        progress[seat.index()] = f64::from(position.progress(seat)?);
    }
    let mut values = [0.5; SEATS_MAX];
    for idx in 0..n_seats {
        let rivals = (0..n_seats).filter(|rival| *rival != idx);
        let best = rivals.map(|rival| progress[rival]).fold(0.0, f64::max);
        let both = progress[idx] + best;
        if both > 0.0 {
            values[idx] = progress[idx] / both;
        }
    }
    Some(values)
}
