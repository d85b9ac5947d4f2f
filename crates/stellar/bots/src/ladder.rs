//! Matches between two kinds of agents, with every seat in both roles.

use std::sync::atomic::AtomicU64;

use bots::balance::{LineUp, Match, Plan};
use bots::{Interval, wilson_95};
use kernel::rng::Seed;
use kernel::{Agent, Seat};
use stellar::scenario::{Faction, Profile};
use stellar::{Setup, Stellar};

use crate::{Commander, Script};

/// The agents of one side, one for each of its factions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Commanders of the factions' profiles. The suffix of their names is their skill: empty for
    /// full skill, `-2` or `-1`.
    Skill(&'static str),
    /// The script with this name.
    Script(&'static str),
}

/// The results of matches between two sides.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// The share of decided matches that the first side won, with its 95 % bounds.
    pub won: Interval,
    /// The share of matches that a victory condition ended before the turn limit.
    pub by_condition: f64,
    /// Half of the matches are at most this long.
    pub median_turns: u32,
}

/// The reasons of an end by a victory condition.
const CONDITIONS: [&str; 4] = ["elimination", "domination", "king_of_the_hill", "survival"];
/// Matches in each galaxy.
const N_PER_GALAXY: u32 = 10;

/// Plays `n_games` matches in a tenth as many galaxies. The first side has every other seat, and
/// the sides swap from match to match. Returns the fault of the first agent that failed.
pub fn play(setup: &Setup, sides: [Side; 2], n_games: u32, seed: u64) -> Result<Results, String> {
    let line_ups = [
        line_up(setup, sides)?,
        line_up(setup, [sides[1], sides[0]])?,
    ];
    let plan = Plan {
        setup,
        line_ups: &line_ups,
        n_setups: n_games / N_PER_GALAXY,
        n_games,
        seed: Seed::from(seed),
        n_threads: 2,
    };
    let matches = plan.run(&AtomicU64::new(0))?;
    Ok(Results::of(&matches, setup.scenario().setup.factions.len()))
}

/// The first side in the even seats.
fn line_up(setup: &Setup, sides: [Side; 2]) -> Result<LineUp<Stellar>, String> {
    let factions = setup.scenario().setup.factions.iter().enumerate();
    factions
        .map(|(seat, faction)| sides[seat % 2].agent(faction))
        .collect()
}

impl Side {
    fn agent(self, faction: &Faction) -> Result<Box<dyn Agent<Stellar>>, String> {
        let agent: Option<Box<dyn Agent<Stellar>>> = match self {
            Side::Skill(suffix) => {
                let profile = faction.ai_profile.unwrap_or(Profile::Balanced).name();
                Commander::named(&format!("{profile}{suffix}")).map(|it| Box::new(it) as _)
            }
            Side::Script(name) => Script::named(name).map(|it| Box::new(it) as _),
        };
        agent.ok_or_else(|| format!("there is no agent {self:?}"))
    }
}

impl Results {
    fn of(matches: &[Match], n_seats: usize) -> Results {
        let (mut won, mut decided, mut by_condition) = (0, 0, 0);
        for it in matches {
            let mut seats = Seat::first(n_seats);
            if let Some(winner) = seats.find(|seat| it.outcome.score(*seat) > 0) {
                decided += 1;
                won += u64::from(winner.index() % 2 == it.line_up);
            }
            by_condition += usize::from(CONDITIONS.contains(&it.outcome.reason.0));
        }
        let mut turns: Vec<u32> = matches.iter().map(|it| it.n_turns).collect();
        turns.sort_unstable();
        Results {
            won: wilson_95(won, decided),
            by_condition: by_condition as f64 / matches.len().max(1) as f64,
            median_turns: turns.get(turns.len() / 2).copied().unwrap_or(0),
        }
    }
}
