//! Measures commanders of Stellar Fleet in processor time: turns per core-second on 80 systems, the
//! cost of a turn by the number of systems and fleets, and the cost of generating a large galaxy of
//! every shape.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints its results and panics on failure"
)]

use std::sync::atomic::AtomicU64;

use bots::simulate::{self, Keep, Plan, Streams};
use bots::{Agent, Playout};
use catalog::Roster;
use kernel::Game;
use kernel::rng::{Seed, SeedSequence};
use rustix::time::{ClockId, clock_gettime};
use stellar::constants::ShipKind;
use stellar::scenario::{Homes, Scenario, Symmetry, Topology};
use stellar::{Galaxy, Ly, Setup, Stellar, shipped};

const SYSTEMS: [u32; 3] = [80, 1_000, 10_000];
const FLEETS: [usize; 3] = [10, 100, 1_000];
const N_TURNS: u32 = 20;
const N_MATCHES: u32 = 400;
const N_SYSTEMS_LARGE: u32 = 10_000;
const N_GALAXIES: u32 = 10;

fn main() {
    print_throughput();
    print_growth();
    print_galaxies();
}

/// The processor time of this process so far, in seconds.
fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn print_throughput() {
    let setup = Setup::new(shipped::scenario("skirmish").unwrap(), 0).unwrap();
    let agents: Vec<Box<dyn Agent<Stellar>>> = (0..2)
        .map(|_| Stellar::agent("balanced", &setup).unwrap())
        .collect();
    let plan = Plan {
        setup: &setup,
        agents: &agents,
        n_games: N_MATCHES,
        seed: Seed::from(1),
        n_threads: 1,
        keep: Keep::Tally,
    };
    let mut rates: Vec<f64> = (0..3)
        .map(|_| {
            let began = cpu_s();
            let report = simulate::run(&plan, &AtomicU64::new(0)).unwrap();
            report.turns as f64 / (cpu_s() - began)
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    println!("Two commanders on 80 systems with 36 ships, {N_MATCHES} matches, three runs:");
    println!(
        "{:.1}, {:.1} and {:.1} thousand turns per core-second.\n",
        rates[0] / 1e3,
        rates[1] / 1e3,
        rates[2] / 1e3
    );
}

fn print_growth() {
    println!("| Systems | Fleets | A turn with two commanders, µs | Times the row above |");
    println!("| ---: | ---: | ---: | ---: |");
    for n_systems in SYSTEMS {
        let mut before = None;
        for n_fleets in FLEETS {
            let setup = Setup::new(scenario(n_systems, n_fleets), 1).unwrap();
            let turn_us = best_turn_us(&setup);
            let times = before.map_or(String::new(), |it: f64| format!("{:.1}", turn_us / it));
            println!("| {n_systems} | {n_fleets} | {turn_us:.1} | {times} |");
            before = Some(turn_us);
        }
    }
    println!();
}

fn print_galaxies() {
    let starts = [
        ("rotational", Symmetry::Rotational, Homes::Far),
        ("none, homes far apart", Symmetry::None, Homes::Far),
        ("none, fair homes", Symmetry::None, Homes::Fair),
    ];
    println!("| Shape | Symmetry | Mean, s | Worst, s |");
    println!("| --- | --- | ---: | ---: |");
    for topology in [
        Topology::Spiral,
        Topology::Ring,
        Topology::Cluster,
        Topology::Scattered,
    ] {
        for (title, symmetry, homes) in starts {
            let mut scenario = scenario(N_SYSTEMS_LARGE, 10);
            scenario.generation.topology = topology;
            scenario.generation.symmetry = symmetry;
            scenario.generation.homes = homes;
            let times: Vec<f64> = (0..N_GALAXIES)
                .map(|seed| {
                    let began = cpu_s();
                    Galaxy::generate(&scenario, seed).unwrap();
                    cpu_s() - began
                })
                .collect();
            let mean = times.iter().sum::<f64>() / times.len() as f64;
            let worst = times.iter().copied().fold(0.0, f64::max);
            let shape = topology.name();
            println!("| {shape} | {title} | {mean:.3} | {worst:.3} |");
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
        let began = cpu_s();
        let played = Playout {
            agents: &mut agents,
            agent_rngs: &mut rngs,
        }
        .play(&mut at, &mut streams);
        let us = (cpu_s() - began) * 1e6;
        let played = played.expect("commanders do not fail");
        best = best.min(us / f64::from(played.n_turns));
    }
    best
}
