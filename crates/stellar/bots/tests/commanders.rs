//! Commanders against commanders on every shipped scenario.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::sync::atomic::AtomicU64;

use bots::simulate::{self, Keep, Plan, Streams};
use bots::{Agent, Played, play_recorded};
use catalog::Roster;
use kernel::json::Hash;
use kernel::rng::{Seed, SeedSequence};
use kernel::{Close, Discard, Draw, Game, GameExt, Outcome, Perspective, Seat, Step, Turn};
use stellar::scenario::Profile;
use stellar::{Setup, Stellar, shipped};

fn agents(setup: &Setup) -> Vec<Box<dyn Agent<Stellar>>> {
    let factions = &setup.scenario().setup.factions;
    let name = |profile: Option<Profile>| profile.map_or("balanced", Profile::name);
    factions
        .iter()
        .map(|it| Stellar::agent(name(it.ai_profile), setup).unwrap())
        .collect()
}

/// Plays a recorded match with checked actions: an illegal order fails it.
fn play(setup: &Setup, seed: u32) -> (Played, Vec<u8>, Hash) {
    let run = SeedSequence::new(&Seed::from(77), &[]);
    let mut streams = Streams::new(&run, seed);
    play_recorded(setup, &mut agents(setup), &mut streams).unwrap()
}

fn setup(name: &str, seed: u32) -> Setup {
    Setup::new(shipped::scenario(name).unwrap(), seed).unwrap()
}

const N_SEEDS: u32 = 20;

fn outcomes(name: &str) -> Vec<Outcome> {
    (0..N_SEEDS)
        .map(|seed| play(&setup(name, seed), seed).0.outcome)
        .collect()
}

fn check(name: &str, symmetric: bool) {
    let outcomes = outcomes(name);
    let condition = |it: &&Outcome| {
        ["elimination", "domination", "king_of_the_hill", "survival"].contains(&it.reason.0)
    };
    let n_decided = outcomes.iter().filter(condition).count();
    let told: Vec<String> = outcomes.iter().map(ToString::to_string).collect();
    assert!(
        outcomes.iter().all(|it| it.close == Close::Decided),
        "{told:?}"
    );
    assert!(
        n_decided * 2 >= outcomes.len(),
        "{name}: {n_decided} decided by a condition: {told:?}"
    );
    if symmetric {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let won = outcomes.iter().filter(|it| it.score(seat) == 1).count();
            assert!(won > 0, "{name}: seat {seat} never wins: {told:?}");
        }
    }
}

#[test]
fn skirmish_ends_and_both_sides_win_some() {
    check("skirmish", true);
}

#[test]
fn crown_of_stars_ends_and_both_sides_win_some() {
    check("crown_of_stars", true);
}

#[test]
fn first_orders_ends() {
    check("first_orders", false);
}

#[test]
fn land_rush_ends_and_both_sides_win_some() {
    check("land_rush", true);
}

#[test]
fn last_stand_ends() {
    check("last_stand", false);
}

#[test]
fn six_houses_ends() {
    check("six_houses", true);
}

#[test]
fn the_bridge_ends_and_both_sides_win_some() {
    check("the_bridge", true);
}

#[test]
fn three_crowns_ends() {
    check("three_crowns", true);
}

#[test]
fn final_hashes_do_not_depend_on_the_number_of_threads() {
    let setup = setup("first_orders", 0);
    let agents = agents(&setup);
    let report = |n_threads| {
        let plan = Plan {
            setup: &setup,
            agents: &agents,
            // More than one chunk.
            n_games: 1100,
            seed: Seed::from(5),
            n_threads,
            keep: Keep::Hashes,
        };
        simulate::run(&plan, &AtomicU64::new(0)).unwrap()
    };
    assert_eq!(report(1), report(2));
}

#[test]
fn higher_skill_wins_more_often_for_every_profile() {
    let setup = setup("skirmish", 3);
    for profile in Profile::NAMES {
        let wins = |strong: &str, weak: &str| {
            let agents = [strong, weak].map(|name| Stellar::agent(name, &setup).unwrap());
            let plan = Plan {
                setup: &setup,
                agents: &agents,
                n_games: 20,
                seed: Seed::from(8),
                n_threads: 1,
                keep: Keep::Tally,
            };
            simulate::run(&plan, &AtomicU64::new(0)).unwrap().seats[0].wins
        };
        let easy = format!("{profile}-1");
        assert!(wins(profile, &easy) >= 18, "{profile} against {easy}");
        assert!(wins(profile, "random") >= 19, "{profile} against random");
    }
}

#[test]
fn a_commander_continues_after_the_deadline_interrupts_its_orders() {
    let setup = setup("skirmish", 1);
    let mut at = Stellar::start(&setup);
    let mut agents = agents(&setup);
    let run = SeedSequence::new(&Seed::from(2), &[]);
    let mut rng = Streams::new(&run, 0).agent(Seat::FIRST);
    for n_steps in 1..40 {
        for (seat, agent) in Seat::first(2).zip(&mut agents) {
            for _ in 0..n_steps {
                if !at.turn().open().contains(seat) {
                    break;
                }
                let seen = Perspective::new(&at, seat);
                let action = agent.choose(&seen, &mut rng).unwrap();
                at.play(seat, action, &mut Discard).unwrap();
            }
        }
        while at.turn() == Turn::Chance {
            at.resolve(Draw(n_steps), &mut Discard).unwrap();
        }
        if at.outcome().is_none() {
            at.apply(Step::Deadline, &mut Discard).unwrap();
        }
        while at.turn() == Turn::Chance {
            at.resolve(Draw(n_steps), &mut Discard).unwrap();
        }
    }
    assert!(at.turn_number() > 30);
}

/// Without a record: hashing a thousand systems at every step is covered by another test.
#[test]
fn slow_thousand_suns_ends() {
    let mut n_decided = 0;
    for seed in 0..N_SEEDS {
        let setup = setup("thousand_suns", seed);
        let agents = agents(&setup);
        let plan = Plan {
            setup: &setup,
            agents: &agents,
            n_games: 1,
            seed: Seed::from(u64::from(seed)),
            n_threads: 1,
            keep: Keep::Tally,
        };
        let report = simulate::run(&plan, &AtomicU64::new(0)).unwrap();
        let decided = |end: &String| end.contains("domination");
        n_decided += u32::from(report.outcomes.keys().any(decided));
    }
    assert!(n_decided * 2 >= N_SEEDS, "{n_decided} by domination");
}
