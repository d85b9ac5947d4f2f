//! The history of actions over a match: how much better than usual the iterations with them ended.

use kernel::rng::Generator;
use kernel::{ActionId, Mask, SEATS_MAX, Seat};

/// The mean gain of each action by seat, whatever the position it was played in. Rollouts and new
/// nodes prefer actions that did well before.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    n_actions: usize,
    /// The weight and the sum of gains, by seat and then by action.
    gains: Vec<(f32, f32)>,
    /// The number of iterations of this search and the sum of their values, by seat.
    usual: [(f64, f64); SEATS_MAX],
    /// The actions of the current iteration, as indices into `gains`.
    played: Vec<u32>,
}

/// The past of a match counts this much less with every search.
const KEPT: f32 = 0.97;

impl History {
    /// Forgets the match.
    pub(super) fn clear(&mut self) {
        self.gains.clear();
    }

    /// Begins a search.
    pub(super) fn age(&mut self, n_seats: usize, n_actions: usize) {
        if self.gains.len() != n_seats * n_actions {
            self.gains.clear();
            self.gains.resize(n_seats * n_actions, (0.0, 0.0));
            self.n_actions = n_actions;
        }
        for (weight, sum) in &mut self.gains {
            *weight *= KEPT;
            *sum *= KEPT;
        }
        self.usual = Default::default();
    }

    /// Begins an iteration.
    pub(super) fn begin(&mut self) {
        self.played.clear();
    }

    /// Notes an action of the current iteration.
    #[inline]
    pub(super) fn note(&mut self, seat: Seat, action: ActionId) {
        self.played.push(self.place(seat, action) as u32);
    }

    /// Ends an iteration with these values for the seats.
    pub(super) fn end(&mut self, values: &[f64; SEATS_MAX]) {
        let mut gains = [0.0; SEATS_MAX];
        for ((n, sum), (gain, value)) in self.usual.iter_mut().zip(gains.iter_mut().zip(values)) {
            *n += 1.0;
            *sum += value;
            *gain = (value - *sum / *n) as f32;
        }
        for place in &self.played {
            let (weight, sum) = &mut self.gains[*place as usize];
            *weight += 1.0;
            *sum += gains[*place as usize / self.n_actions];
        }
    }

    /// The better of two random legal actions; `None` if none is legal.
    #[inline]
    pub(super) fn sample(&self, seat: Seat, legal: &Mask, rng: &mut Generator) -> Option<ActionId> {
        let (one, two) = (legal.sample(rng)?, legal.sample(rng)?);
        let is_better = self.gain(seat, two) > self.gain(seat, one);
        Some(if is_better { two } else { one })
    }

    fn gain(&self, seat: Seat, action: ActionId) -> f32 {
        let (weight, sum) = self.gains[self.place(seat, action)];
        sum / (weight + 1.0)
    }

    fn place(&self, seat: Seat, action: ActionId) -> usize {
        seat.index() * self.n_actions + action.index()
    }
}
