//! The best decision by what comes of it over the next turns.

use std::time::{Duration, Instant};

use catan::{Action, Catan, Phase};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Discard, Game, Perspective, Turn};

use super::ground::Ground;
use super::lookahead::Choice;
use super::policy::Policy;
use super::value::{Eye, Value, evaluation, squash};
use kernel::{Agent, Evaluation};

/// How long a search may go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Until so many decisions were tried out. The same match comes out every time.
    Nodes(u32),
    /// For so many milliseconds.
    Millis(u32),
}

impl Bound {
    /// What a search goes by when nothing is said.
    pub const DEFAULT: Bound = Bound::Nodes(400);
    /// The most nodes or milliseconds.
    pub const MAX: u32 = 10_000_000;
}

/// Tries each promising decision out, again and again with the same dice for each, and
/// takes the one after which it stands best a few turns later.
///
/// What it plays in is redrawn for every try: the deck and the other's development cards
/// are never looked at. Both sides go on as the heuristic would, chance comes out anew in
/// every try, and the position at the end counts as the heuristic sees it. The better half
/// of the decisions gets the next tries.
#[derive(Clone, Debug)]
pub struct Search {
    name: String,
    bound: Bound,
    ground: Option<Ground>,
    policy: Policy,
}

/// The most decisions that are tried out.
const CHOICES_MAX: usize = 6;
/// What is this much worse at first sight is not tried.
const MARGIN: Value = 1_200_000;
/// Ends of turns until a try is judged.
const HORIZON: u32 = 3;
/// The same for the first placements, which matter for longest.
const SETUP_HORIZON: u32 = 10;
/// Placements may take so many times the nodes.
const SETUP_FACTOR: u32 = 4;
/// The first sight counts like so many tries.
const PRIOR: i64 = 3;
/// Tries between two thoughts about which decisions are still worth trying.
const TRIES_PER_ROUND: u32 = 4;

impl Search {
    /// A search with a bound, under the name it is seated by.
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

/// A decision that is tried out.
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

/// What is left of a search.
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

    /// What is spent, in thousandths.
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

/// Tries decisions out.
struct Tries<'a> {
    eye: Eye<'a>,
    policy: &'a mut Policy,
    horizon: u32,
}

impl Tries<'_> {
    /// Tries until the budget is spent; the worse half of the decisions drops out when a
    /// third and when two thirds are.
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
                    // The same cards and the same dice for each.
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

    /// Plays on as the heuristic would until `horizon` turns have ended, and judges; also
    /// how many decisions that took, at least one.
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
