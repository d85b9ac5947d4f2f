//! Measures the cost of a turn of Stellar Fleet by the number of systems and fleets, and the cost
//! of generating a galaxy.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints its results and panics on failure"
)]

use std::time::Instant;

use bots::simulate::Streams;
use bots::{Agent, Playout};
use catalog::Roster;
use kernel::Game;
use kernel::rng::{Seed, SeedSequence};
use stellar::constants::ShipKind;
use stellar::scenario::Scenario;
use stellar::{Ly, Setup, Stellar, shipped};

const SYSTEMS: [u32; 3] = [80, 1_000, 10_000];
const FLEETS: [usize; 3] = [10, 100, 1_000];
const N_TURNS: u32 = 20;

fn main() {
    println!("| Systems | Fleets | Galaxy, ms | A turn with two commanders, µs |");
    println!("| ---: | ---: | ---: | ---: |");
    for n_systems in SYSTEMS {
        for n_fleets in FLEETS {
            let scenario = scenario(n_systems, n_fleets);
            let began = Instant::now();
            let setup = Setup::new(scenario, 1).unwrap();
            let galaxy_ms = began.elapsed().as_secs_f64() * 1e3;
            let turn_us = best_turn_us(&setup);
            println!("| {n_systems} | {n_fleets} | {galaxy_ms:.1} | {turn_us:.1} |");
        }
    }
}

/// Two factions with this many fleets in total, each a destroyer and a frigate; one in five also
/// has a transport with an army.
fn scenario(n_systems: u32, n_fleets: usize) -> Scenario {
    let mut scenario = shipped::scenario("skirmish").unwrap();
    scenario.generation.static_systems.clear();
    scenario.generation.system_count = n_systems;
    // The same density for every number of systems.
    let radius = i64::from((n_systems * 180).isqrt());
    scenario.generation.radius = Ly::whole(radius);
    scenario.objectives.victory.truncate(1);
    scenario.objectives.constraints.max_turns = Some(N_TURNS);
    let template = scenario.setup.initial_fleets[1].clone();
    scenario.setup.initial_fleets = (0..n_fleets)
        .map(|idx| {
            let mut fleet = template.clone();
            fleet.owner_faction_id = ["blue", "red"][idx % 2].to_owned();
            fleet.ships = match idx / 2 % 5 {
                0 => vec![ShipKind::TroopTransport],
                _ => vec![ShipKind::Destroyer, ShipKind::Frigate],
            };
            fleet
        })
        .collect();
    scenario
}

/// The best of a few matches, which reduces noise from other work on the machine.
fn best_turn_us(setup: &Setup) -> f64 {
    let start = Stellar::start(setup);
    let run = SeedSequence::new(&Seed::from(1), &[]);
    let mut rngs = Vec::new();
    let mut agents: Vec<Box<dyn Agent<Stellar>>> = (0..2)
        .map(|_| Stellar::agent("balanced", setup).unwrap())
        .collect();
    let mut best = f64::INFINITY;
    for match_idx in 0..3 {
        let mut at = start.clone();
        let mut streams = Streams::new(&run, match_idx);
        let began = Instant::now();
        let played = Playout {
            agents: &mut agents,
            agent_rngs: &mut rngs,
        }
        .play(&mut at, &mut streams);
        let us = began.elapsed().as_secs_f64() * 1e6;
        let played = played.expect("commanders do not fail");
        best = best.min(us / f64::from(played.n_turns));
    }
    best
}
