//! Value iteration over all states, with a matrix game in each.

use std::collections::BTreeMap;

use kernel::Seat;
use orcain::{Layout, Orcain, Setup};

use super::payoffs::{conducts, payoff};
use super::states::{Conduct, State, TooLarge, reachable};
use bots::matrix_game::{MatrixGame, Solver};

/// A gain in one state up to this is rounding.
const GAIN_MAX: f64 = 1e-11;

/// A solved match: the value of each state and the policies in it.
///
/// With the standard hand a card never does worse than an empty slot, so full layouts suffice and
/// are tried first. A state in which an empty slot would gain something is solved over all
/// layouts. The solution does not assume that missing a round never helps:
/// [`exploitability`](Equilibrium::exploitability) covers every conduct.
pub struct Equilibrium {
    setup: Setup,
    conducts: [Vec<Conduct>; 2],
    solved: BTreeMap<State, Solved>,
}

struct Solved {
    /// The value for the first seat; the second seat's is its negative.
    value: f64,
    /// The layouts that each seat plays, with their nonzero probabilities.
    policies: [Vec<(Layout, f64)>; 2],
}

impl Equilibrium {
    /// Solves every state that any conduct of either player can lead to. The standard match takes
    /// well under a second.
    pub fn solve(setup: &Setup) -> Result<Equilibrium, TooLarge> {
        let conducts = [Seat::FIRST, Seat::SECOND].map(|seat| conducts(setup, seat));
        let rounds = reachable(setup, &conducts)?;
        let mut equilibrium = Equilibrium {
            setup: *setup,
            conducts,
            solved: BTreeMap::new(),
        };
        let mut solver = Solver::new();
        for states in rounds.iter().rev() {
            for state in states {
                let solved = equilibrium.solve_state(state, &mut solver);
                equilibrium.solved.insert(*state, solved);
            }
        }
        Ok(equilibrium)
    }

    /// The value of the match for the first seat: 1 is a win, -1 a loss. It is 0 whenever both
    /// hands are the same.
    pub fn value(&self) -> f64 {
        self.value_of(&State::start(&self.setup))
    }

    /// The value of a position between rounds for the first seat; `None` if it cannot be reached.
    pub fn value_at(&self, position: &Orcain) -> Option<f64> {
        let solved = self.solved.get(&super::public_state(position))?;
        Some(solved.value)
    }

    /// The number of reachable states.
    pub fn n_states(&self) -> usize {
        self.solved.len()
    }

    /// The most that an opponent who knows the bot's policy can gain against it, averaged over
    /// both seats: half the sum of both best responses' values. It is exact: best responses range
    /// over every layout, empty slots and missed rounds included, in every state, and are followed
    /// to the end of the match.
    pub fn exploitability(&self) -> f64 {
        let start = State::start(&self.setup);
        let [first, second] = [Seat::FIRST, Seat::SECOND].map(|seat| {
            let mut worth = BTreeMap::new();
            // States are ordered by round, so later states come first here.
            for state in self.solved.keys().rev() {
                let best = self.best_response(state, seat, &worth);
                worth.insert(*state, best);
            }
            worth[&start]
        });
        (first + second) / 2.0
    }

    /// The seat's policy in this state; `None` if the state cannot be reached.
    pub(super) fn policy(&self, state: &State, seat: Seat) -> Option<&[(Layout, f64)]> {
        let solved = self.solved.get(state)?;
        Some(&solved.policies[seat.index()])
    }

    /// The value of a state for the first seat, if play can lead to it.
    pub(super) fn value_in(&self, state: &State) -> Option<f64> {
        self.solved.get(state).map(|solved| solved.value)
    }

    fn value_of(&self, state: &State) -> f64 {
        self.solved[state].value
    }

    fn solve_state(&self, state: &State, solver: &mut Solver) -> Solved {
        let all = [0, 1].map(|seat| layouts(&self.conducts[seat]));
        let full = |layout: &Layout| layout.full(self.setup.steps()).is_some();
        let some = [0, 1].map(|seat| all[seat].iter().copied().filter(full).collect());
        let solved = self.solve_over(state, &some, solver);
        if self.gain(state, &solved, &all) <= GAIN_MAX {
            return solved;
        }
        self.solve_over(state, &all, solver)
    }

    /// Solves a state with these layouts for each seat.
    fn solve_over(&self, state: &State, over: &[Vec<Layout>; 2], solver: &mut Solver) -> Solved {
        let game = MatrixGame::from_fn(over[0].len(), over[1].len(), |row, col| {
            self.payoff_of(state, [over[0][row], over[1][col]])
        })
        .expect("every hand has full layouts, and payoffs lie between -1 and 1");
        let solution = solver.solve(&game);
        let mixed = |layouts: &[Layout], mix: &[f64]| -> Vec<(Layout, f64)> {
            let pairs = layouts.iter().copied().zip(mix.iter().copied());
            pairs
                .filter(|(_, probability)| *probability > 0.0)
                .collect()
        };
        Solved {
            value: solution.value,
            policies: [
                mixed(&over[0], &solution.row),
                mixed(&over[1], &solution.col),
            ],
        }
    }

    /// The most that either seat could gain in this state with any of these layouts.
    fn gain(&self, state: &State, solved: &Solved, over: &[Vec<Layout>; 2]) -> f64 {
        let [own, other] = &solved.policies;
        let first = over[0].iter().map(|&layout| -> f64 {
            let against = |&(reply, p): &(Layout, f64)| p * self.payoff_of(state, [layout, reply]);
            other.iter().map(against).sum::<f64>() - solved.value
        });
        let second = over[1].iter().map(|&layout| -> f64 {
            let against = |&(reply, p): &(Layout, f64)| p * self.payoff_of(state, [reply, layout]);
            solved.value - own.iter().map(against).sum::<f64>()
        });
        first.chain(second).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The value of two layouts for the first seat.
    fn payoff_of(&self, state: &State, layouts: [Layout; 2]) -> f64 {
        let worth = |next: &State| self.value_of(next);
        let conduct = layouts.map(Conduct::Plays);
        payoff(state, conduct, &self.setup, Seat::FIRST, &worth)
    }

    /// The best that the seat can expect in this state against the opponent's policy, given the
    /// best it can expect in later states.
    fn best_response(&self, state: &State, seat: Seat, worth: &BTreeMap<State, f64>) -> f64 {
        let other = &self.solved[state].policies[1 - seat.index()];
        let worth = |next: &State| worth[next];
        let expected = |conduct: &Conduct| -> f64 {
            let against = |&(layout, probability): &(Layout, f64)| {
                let mut pair = [Conduct::Plays(layout); 2];
                pair[seat.index()] = *conduct;
                probability * payoff(state, pair, &self.setup, seat, &worth)
            };
            other.iter().map(against).sum()
        };
        let conducts = self.conducts[seat.index()].iter();
        conducts.map(expected).fold(f64::NEG_INFINITY, f64::max)
    }
}

fn layouts(conducts: &[Conduct]) -> Vec<Layout> {
    let layout = |conduct: &Conduct| match conduct {
        Conduct::Plays(layout) => Some(*layout),
        Conduct::Misses => None,
    };
    conducts.iter().filter_map(layout).collect()
}

#[cfg(test)]
mod tests {
    use kernel::rng::{Generator, GeneratorKind};
    use kernel::{Game, GameExt, Step};
    use orcain::{Action, Card, Hand, RawSetup};

    use super::super::states::Next;
    use super::*;

    #[test]
    fn the_standard_match_is_even_and_nobody_gains_against_the_bot() {
        let solved = Equilibrium::solve(&Setup::default()).unwrap();
        assert!(solved.value().abs() < 1e-9, "value {}", solved.value());
        let exploitability = solved.exploitability();
        assert!(
            (-1e-12..1e-6).contains(&exploitability),
            "exploitability {exploitability}"
        );
    }

    #[test]
    fn unequal_hands_have_a_value_and_nobody_gains_against_the_bot() {
        let raw = RawSetup {
            hands: [
                Card::ALL,
                [Card::Attack, Card::Attack, Card::Heal, Card::Defense],
            ]
            .map(Hand::new),
            max_hp: 6,
            start_hp: 6,
            round_cap: 8,
            ..RawSetup::default()
        };
        let solved = Equilibrium::solve(&Setup::try_from(raw).unwrap()).unwrap();
        assert!(solved.value().abs() > 0.01, "value {}", solved.value());
        let exploitability = solved.exploitability();
        assert!(
            (-1e-12..1e-6).contains(&exploitability),
            "exploitability {exploitability}"
        );
    }

    #[test]
    fn a_match_that_is_too_large_is_refused_up_front() {
        let raw = RawSetup {
            max_hp: 100,
            start_hp: 100,
            round_limit: 250,
            round_cap: 250,
            steps: 4,
            ..RawSetup::default()
        };
        let refused = Equilibrium::solve(&Setup::try_from(raw).unwrap());
        assert_eq!(refused.err(), Some(TooLarge));
    }

    /// The exploitability is meaningful only if the solver's rounds are the game's.
    #[test]
    fn a_round_of_the_solver_leads_where_a_round_of_the_game_does() {
        let hands = [
            [Card::Attack, Card::Attack, Card::Heal, Card::Counter],
            Card::ALL,
        ]
        .map(Hand::new);
        let raw = RawSetup::default;
        for raw in [
            raw(),
            RawSetup {
                hands,
                max_hp: 5,
                start_hp: 3,
                round_cap: 5,
                ..raw()
            },
            RawSetup {
                steps: 1,
                round_limit: 2,
                round_cap: 4,
                ..raw()
            },
            RawSetup {
                steps: 4,
                max_hp: 4,
                start_hp: 4,
                round_limit: 1,
                ..raw()
            },
        ] {
            let setup = Setup::try_from(raw).unwrap();
            let seed = kernel::rng::Seed::from(5);
            let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &seed);
            let both = [Seat::FIRST, Seat::SECOND].map(|seat| conducts(&setup, seat));
            for _ in 0..300 {
                let mut position = Orcain::start(&setup);
                while position.outcome().is_none() {
                    position = compare_rounds(&position, &both, &mut rng);
                }
            }
        }
    }

    /// Compares 20 random rounds from here, with missed ones among them, and plays the last.
    fn compare_rounds(position: &Orcain, both: &[Vec<Conduct>; 2], rng: &mut Generator) -> Orcain {
        let state = super::super::public_state(position);
        let mut last = *position;
        for _ in 0..20 {
            let pair = [0, 1].map(|seat: usize| {
                let conducts = &both[seat];
                match rng.below(4) {
                    0 => Conduct::Misses,
                    _ => conducts[rng.below(conducts.len() as u64) as usize],
                }
            });
            last = *position;
            play_round(&mut last, pair);
            let next = match last.outcome() {
                Some(outcome) => {
                    Next::Over([Seat::FIRST, Seat::SECOND].map(|seat| outcome.score(seat)))
                }
                None => Next::Round(super::super::public_state(&last)),
            };
            let expected = state.next(pair, position.setup());
            assert_eq!(expected, next, "{pair:?} in {position}");
        }
        last
    }

    fn play_round(position: &mut Orcain, pair: [Conduct; 2]) {
        let round = position.round();
        for (seat, conduct) in [Seat::FIRST, Seat::SECOND].into_iter().zip(pair) {
            if let Conduct::Plays(layout) = conduct {
                let draft = Action::Draft(layout);
                position.play(seat, draft, &mut kernel::Discard).unwrap();
            }
        }
        while position.outcome().is_none() && position.round() == round {
            position
                .apply(Step::Deadline, &mut kernel::Discard)
                .unwrap();
        }
    }

    #[test]
    fn the_certificate_can_fail() {
        let mut solved = Equilibrium::solve(&Setup::default()).unwrap();
        for state in solved.solved.values_mut() {
            let always = state.policies[0][0].0;
            state.policies[0] = vec![(always, 1.0)];
        }
        assert!(solved.exploitability() > 0.1);
    }

    #[test]
    fn the_leader_is_better_off() {
        let solved = Equilibrium::solve(&Setup::default()).unwrap();
        let mut position = Orcain::start(&Setup::default());
        for (seat, action) in [(Seat::FIRST, "confirm:CDH"), (Seat::SECOND, "confirm:AHD")] {
            let action: Action = action.parse().unwrap();
            position.play(seat, action, &mut kernel::Discard).unwrap();
        }
        for _ in 0..4 {
            position
                .apply(Step::Deadline, &mut kernel::Discard)
                .unwrap();
        }
        assert_eq!(position.hp(), [10, 9]);
        let value = solved.value_at(&position).unwrap();
        assert!((0.05..0.95).contains(&value), "value {value}");
    }
}
