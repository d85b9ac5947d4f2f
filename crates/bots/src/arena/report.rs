//! The results of an arena.

use std::collections::BTreeSet;

use kernel::Recorded;
use kernel::json::Hash;
use kernel::rng::SeedSequence;
use serde::Serialize;

use super::{Bout, Plan, Times, Winner};
use crate::simulate::{Stage, Streams};
use crate::{Interval, wilson_95};

/// The results of all bouts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The number of matches played.
    pub games: u64,
    /// The number of different setups: more than one if each bout draws what the setup leaves open.
    pub setups: u64,
    /// The number of matches that were cut off by the game's step limit.
    pub truncated: u64,
    /// The agents, the best first.
    pub agents: Vec<AgentReport>,
    /// The results of every pair of agents.
    pub pairings: Vec<PairingReport>,
    /// A hash of the result and length of every match, in order: the same for the same plan, even
    /// if the run was interrupted.
    pub digest: Hash,
}

/// The results of one agent over all its matches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentReport {
    /// Its name.
    pub agent: String,
    /// Its rating; the mean of all is 1500.
    pub elo: f64,
    /// Matches played.
    pub games: u64,
    /// Matches won.
    pub wins: u64,
    /// Matches lost.
    pub losses: u64,
    /// Matches without a winner.
    pub draws: u64,
    /// The share of matches won, with its 95 % bounds.
    pub win_rate: Interval,
    /// Its decision times.
    pub decisions: DecisionTimes,
}

/// Decision times in microseconds. They are the only part of a report that differs between runs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DecisionTimes {
    /// The number of decisions with more than one legal action.
    pub n: u64,
    /// The mean.
    pub mean_us: f64,
    /// The median.
    pub p50_us: f64,
    /// The 95th percentile.
    pub p95_us: f64,
    /// The 99th percentile.
    pub p99_us: f64,
    /// The maximum.
    pub max_us: f64,
}

/// The results of two agents against each other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairingReport {
    /// The first agent.
    pub first: String,
    /// The second agent.
    pub second: String,
    /// Matches played.
    pub games: u64,
    /// Matches that the first agent won, in the first and in the second seat.
    pub first_wins: [u64; 2],
    /// Matches that the second agent won.
    pub second_wins: u64,
    /// Matches without a winner.
    pub draws: u64,
    /// The share of matches that the first agent won, with its 95 % bounds.
    pub first_win_rate: Interval,
    /// The mean number of turns of a match.
    pub mean_turns: f64,
}

impl Report {
    /// The report on bouts of a plan, given in any order.
    pub fn new<G: Recorded>(plan: &Plan<'_, G>, bouts: &[Bout]) -> Report {
        let mut bouts: Vec<&Bout> = bouts.iter().collect();
        bouts.sort_by_key(|bout| bout.id);
        let names: Vec<&str> = plan.agents.iter().map(|agent| agent.name()).collect();
        let mut pairings = Vec::new();
        let mut scores = Scores::new(names.len());
        for group in bouts.chunk_by(|a, b| (a.id.first, a.id.second) == (b.id.first, b.id.second)) {
            scores.add(group);
            pairings.push(pairing(&names, group));
        }
        let elo = scores.elo();
        let mut agents: Vec<AgentReport> = (0..names.len())
            .map(|idx| agent(idx, names[idx], elo[idx], &bouts))
            .collect();
        agents.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        let matches = || bouts.iter().flat_map(|bout| &bout.matches);
        Report {
            games: matches().count() as u64,
            setups: n_setups(plan, &bouts),
            truncated: matches().filter(|it| it.truncated).count() as u64,
            agents,
            pairings,
            digest: digest(&bouts),
        }
    }
}

/// The number of different setups in these bouts.
fn n_setups<G: Recorded>(plan: &Plan<'_, G>, bouts: &[&Bout]) -> u64 {
    let run = SeedSequence::new(&plan.seed, &[]);
    let mut stage = Stage::<G>::new(plan.setup);
    let numbers: BTreeSet<u32> = bouts.iter().map(|bout| bout.id.number).collect();
    let setups = numbers.into_iter().filter_map(|number| {
        let setup = stage.set(&Streams::new(&run, number))?;
        Hash::of(setup).ok().map(|hash| hash.to_string())
    });
    let setups: BTreeSet<String> = setups.collect();
    setups.len().max(1) as u64
}

fn digest(bouts: &[&Bout]) -> Hash {
    let mut bytes = Vec::new();
    for it in bouts.iter().flat_map(|bout| &bout.matches) {
        bytes.push(it.winner as u8);
        bytes.extend(it.steps.to_le_bytes());
    }
    Hash::of_bytes(&bytes)
}

fn pairing(names: &[&str], bouts: &[&Bout]) -> PairingReport {
    let id = bouts[0].id;
    let games = 2 * bouts.len() as u64;
    let n = |seat: usize, winner| {
        let won = bouts.iter().filter(|it| it.matches[seat].winner == winner);
        won.count() as u64
    };
    let first_wins = [0, 1].map(|seat| n(seat, Winner::First));
    let turns: u64 = bouts
        .iter()
        .flat_map(|bout| &bout.matches)
        .map(|it| u64::from(it.turns))
        .sum();
    PairingReport {
        first: names[id.first].to_owned(),
        second: names[id.second].to_owned(),
        games,
        first_wins,
        second_wins: n(0, Winner::Second) + n(1, Winner::Second),
        draws: n(0, Winner::Nobody) + n(1, Winner::Nobody),
        first_win_rate: wilson_95(first_wins.iter().sum(), games),
        mean_turns: turns as f64 / games as f64,
    }
}

fn agent(idx: usize, name: &str, elo: f64, bouts: &[&Bout]) -> AgentReport {
    let (mut wins, mut losses, mut draws) = (0, 0, 0);
    let mut times = Times::default();
    for bout in bouts {
        let (own, side) = match idx {
            _ if bout.id.first == idx => (Winner::First, 0),
            _ if bout.id.second == idx => (Winner::Second, 1),
            _ => continue,
        };
        times.add(&bout.times[side]);
        for it in &bout.matches {
            match it.winner {
                Winner::Nobody => draws += 1,
                winner if winner == own => wins += 1,
                _ => losses += 1,
            }
        }
    }
    let games = wins + losses + draws;
    AgentReport {
        agent: name.to_owned(),
        elo,
        games,
        wins,
        losses,
        draws,
        win_rate: wilson_95(wins, games),
        decisions: DecisionTimes::of(&times),
    }
}

impl DecisionTimes {
    fn of(times: &Times) -> DecisionTimes {
        let us = |ns: u64| ns as f64 / 1000.0;
        DecisionTimes {
            n: times.n(),
            mean_us: us(times.mean_ns()),
            p50_us: us(times.percentile_ns(500)),
            p95_us: us(times.percentile_ns(950)),
            p99_us: us(times.percentile_ns(990)),
            max_us: us(times.max_ns()),
        }
    }
}

/// The points that each agent scored against each other agent.
struct Scores {
    n_agents: usize,
    /// Wins of the row over the column, a draw as half of one.
    wins: Vec<f64>,
}

/// Rounds until the ratings have converged.
const N_ROUNDS: usize = 2000;

impl Scores {
    fn new(n_agents: usize) -> Scores {
        Scores {
            n_agents,
            wins: vec![0.0; n_agents * n_agents],
        }
    }

    fn add(&mut self, bouts: &[&Bout]) {
        for bout in bouts {
            let (first, second) = (bout.id.first, bout.id.second);
            for it in &bout.matches {
                let share = match it.winner {
                    Winner::First => 1.0,
                    Winner::Nobody => 0.5,
                    Winner::Second => 0.0,
                };
                self.wins[first * self.n_agents + second] += share;
                self.wins[second * self.n_agents + first] += 1.0 - share;
            }
        }
    }

    /// The maximum-likelihood ratings (Bradley–Terry), with one extra draw between every two
    /// agents, so that an agent that won every match still gets a finite rating.
    fn elo(&self) -> Vec<f64> {
        let n = self.n_agents;
        let wins = |row: usize, col: usize| self.wins[row * n + col] + 0.5;
        let mut strength = vec![1.0; n];
        for _ in 0..N_ROUNDS {
            for row in 0..n {
                let others = || (0..n).filter(|col| *col != row);
                let won: f64 = others().map(|col| wins(row, col)).sum();
                let met: f64 = others()
                    .map(|col| (wins(row, col) + wins(col, row)) / (strength[row] + strength[col]))
                    .sum();
                if met > 0.0 {
                    strength[row] = won / met;
                }
            }
        }
        let logs: Vec<f64> = strength.iter().map(|it: &f64| it.log10()).collect();
        let mean = logs.iter().sum::<f64>() / n.max(1) as f64;
        logs.iter()
            .map(|log| 1500.0 + 400.0 * (log - mean))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_to_one_is_191_points_and_the_mean_stays() {
        let mut scores = Scores::new(2);
        scores.wins = vec![0.0, 75_000.0, 25_000.0, 0.0];
        let elo = scores.elo();
        assert!((elo[0] - elo[1] - 190.8).abs() < 0.1, "{elo:?}");
        assert!((elo[0] + elo[1] - 3000.0).abs() < 1e-6);
    }

    #[test]
    fn who_won_everything_has_a_rating_and_so_has_who_met_nobody() {
        let mut scores = Scores::new(3);
        scores.wins[1] = 100.0;
        let elo = scores.elo();
        assert!(elo.iter().all(|it| it.is_finite()) && elo[0] > elo[1] + 400.0);
    }
}
