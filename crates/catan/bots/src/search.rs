//! A searching player: the best decision by rollouts over the next turns.

use std::time::{Duration, Instant};

use catan::{Action, Catan, Phase};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Discard, Game, Perspective, Turn};

use super::ground::Ground;
use super::lookahead::Choice;
use super::policy::Policy;
use super::value::{Eye, Value, evaluation, squash};
use kernel::{Agent, Evaluation};

/// The limit of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Stop after this many simulated decisions. The result is reproducible.
    Nodes(u32),
    /// Stop after this many milliseconds.
    Millis(u32),
}

impl Bound {
    /// The limit of a search without a stated one.
    pub const DEFAULT: Bound = Bound::Nodes(400);
    /// The maximum number of nodes or milliseconds.
    pub const MAX: u32 = 10_000_000;
}

/// Runs rollouts of each promising decision, with the same dice for each, and takes the decision
/// with the best average position a few turns later.
///
/// Hidden facts are redrawn for every rollout: the deck and the opponent's development cards are
/// never read. Both sides continue as the heuristic would, chance is drawn again in every rollout,
/// and the heuristic judges the final position. The better half of the decisions gets the next
/// rollouts.
#[derive(Clone, Debug)]
pub struct Search {
    name: String,
    bound: Bound,
    ground: Option<Ground>,
    policy: Policy,
}

/// The maximum number of decisions that get rollouts.
const CHOICES_MAX: usize = 6;
/// A decision whose heuristic value is this much worse than the best gets no rollouts.
const MARGIN: Value = 1_200_000;
/// Turns until a rollout is judged.
const HORIZON: u32 = 3;
/// The horizon of the initial placements, which matter longest.
const SETUP_HORIZON: u32 = 10;
/// Placements get this many times the nodes.
const SETUP_FACTOR: u32 = 4;
/// The heuristic value counts as this many rollouts.
const PRIOR: i64 = 3;
/// Rollouts between two checks of which decisions to keep.
const TRIES_PER_ROUND: u32 = 4;

impl Search {
    /// A search with a limit, under the name of its agent.
    pub fn new(name: &str, bound: Bound) -> Search {
        Search {
            name: name.to_owned(),
            bound,
            ground: None,
            policy: Policy::default(),
        }
    }
}

impl Agent<Catan> for Search {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self) {
        self.ground = None;
    }

    fn choose(&mut self, seen: &Perspective<'_, Catan>, rng: &mut Generator) -> Option<Action> {
        let ground = self.ground.get_or_insert_with(|| Ground::of(&seen.view()));
        let eye = Eye::new(ground, seen.seat());
        let position = seen.redraw(rng);
        let ranked = self.policy.ranked(&eye, &position);
        let best = ranked.first()?.value;
        let worth_trying = ranked
            .iter()
            .take_while(|choice| best - choice.value <= MARGIN)
            .take(CHOICES_MAX);
        let trials: Vec<Trial> = worth_trying.map(Trial::new).collect();
        if trials.len() < 2 {
            return trials.first().map(|trial| trial.action);
        }
        let mut budget = Budget::new(self.bound, position.phase());
        let horizon = match in_setup(position.phase()) {
            true => SETUP_HORIZON,
            false => HORIZON,
        };
        let mut tries = Tries {
            eye,
            policy: &mut self.policy,
            horizon,
        };
        tries.settle(trials, seen, rng, &mut budget)
    }

    fn evaluate(&mut self, seen: &Perspective<'_, Catan>) -> Option<Evaluation> {
        Some(evaluation(seen))
    }

    fn again(&self) -> Box<dyn Agent<Catan>> {
        Box::new(Search::new(&self.name, self.bound))
    }
}

fn in_setup(phase: Phase) -> bool {
    matches!(phase, Phase::SetupSettlement | Phase::SetupRoad)
}

/// A decision with its rollouts so far.
struct Trial {
    action: Action,
    sum: i64,
    n: i64,
}

impl Trial {
    fn new(choice: &Choice) -> Trial {
        Trial {
            action: choice.action,
            sum: PRIOR * squash(choice.value),
            n: PRIOR,
        }
    }

    fn mean(&self) -> i64 {
        self.sum / self.n
    }
}

/// The remaining budget of a search.
enum Budget {
    Nodes { left: u32, all: u32 },
    Until { begun: Instant, length: Duration },
}

impl Budget {
    fn new(bound: Bound, phase: Phase) -> Budget {
        let factor = if in_setup(phase) { SETUP_FACTOR } else { 1 };
        match bound {
            Bound::Nodes(nodes) => {
                let all = nodes.saturating_mul(factor);
                Budget::Nodes { left: all, all }
            }
            Bound::Millis(ms) => Budget::Until {
                begun: Instant::now(),
                length: Duration::from_millis(ms.into()),
            },
        }
    }

    fn spend(&mut self, n_nodes: u32) {
        if let Budget::Nodes { left, .. } = self {
            *left = left.saturating_sub(n_nodes);
        }
    }

    /// The share of the budget that is spent, in thousandths.
    fn spent_permille(&self) -> u64 {
        match self {
            Budget::Nodes { left, all } => u64::from(all - left) * 1000 / u64::from(*all).max(1),
            Budget::Until { begun, length } => {
                let (gone, length) = (begun.elapsed().as_micros(), length.as_micros().max(1));
                u64::try_from(gone * 1000 / length).unwrap_or(u64::MAX)
            }
        }
    }
}

/// Runs rollouts.
struct Tries<'a> {
    eye: Eye<'a>,
    policy: &'a mut Policy,
    horizon: u32,
}

impl Tries<'_> {
    /// Runs rollouts until the budget is spent. The worse half of the decisions is dropped after
    /// one third and again after two thirds of it.
    fn settle(
        &mut self,
        mut trials: Vec<Trial>,
        seen: &Perspective<'_, Catan>,
        rng: &mut Generator,
        budget: &mut Budget,
    ) -> Option<Action> {
        let mut next_cut = 333;
        while budget.spent_permille() < 1000 {
            for _ in 0..TRIES_PER_ROUND {
                let seed = Seed::from(rng.bits64());
                for trial in &mut trials {
                    // The same cards and dice for every decision.
                    let mut own = Generator::from_seed(GeneratorKind::Pcg64, &seed);
                    let mut position = seen.redraw(&mut own);
                    position.play_trusted(self.eye.seat, trial.action, &mut Discard);
                    let ends_turn = trial.action == Action::EndTurn;
                    let horizon = self.horizon - u32::from(ends_turn);
                    let (value, n_nodes) = self.play_on(&mut position, horizon, &mut own);
                    trial.sum += squash(value);
                    trial.n += 1;
                    budget.spend(n_nodes);
                }
                if budget.spent_permille() >= 1000 {
                    break;
                }
            }
            trials.sort_by_key(|trial| std::cmp::Reverse(trial.mean()));
            if budget.spent_permille() >= next_cut {
                next_cut += 333;
                trials.truncate(trials.len().div_ceil(2).max(2));
            }
        }
        trials.first().map(|trial| trial.action)
    }

    /// Plays on as the heuristic would until `horizon` turns have ended, and judges the position.
    /// Also returns the number of decisions made, at least one.
    fn play_on(
        &mut self,
        position: &mut Catan,
        mut horizon: u32,
        rng: &mut Generator,
    ) -> (Value, u32) {
        let mut n_nodes = 1;
        while horizon > 0 {
            match position.turn() {
                Turn::Chance => {
                    let draw = position.odds().draw(rng);
                    position.resolve_trusted(draw, &mut Discard);
                }
                Turn::Seat(seat) => {
                    let eye = Eye { seat, ..self.eye };
                    let Some(action) = self.policy.decide(&eye, position) else {
                        break;
                    };
                    n_nodes += 1;
                    horizon -= u32::from(action == Action::EndTurn);
                    position.play_trusted(seat, action, &mut Discard);
                }
                Turn::Over(_) | Turn::Sealed(_) | Turn::Clock => break,
            }
        }
        (self.eye.value(position), n_nodes)
    }
}
