//! The shipped scenarios are as even as they claim.
//!
//! Promise: No seat of an even shipped scenario is better than another.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::sync::atomic::AtomicU64;

use bots::balance::{LineUp, Match, Plan, Report, SkillReport};
use catalog::Roster;
use kernel::rng::Seed;
use stellar::scenario::{Faction, Profile};
use stellar::{Setup, Stellar, shipped};

fn setup(name: &str) -> Setup {
    let setup = Setup::new(shipped::scenario(name).unwrap(), 0).unwrap();
    setup.with_open_galaxy()
}

fn profile(faction: &Faction) -> &'static str {
    faction.ai_profile.map_or("balanced", Profile::name)
}

fn line_up(setup: &Setup, suffix: impl Fn(usize) -> &'static str) -> LineUp<Stellar> {
    let factions = setup.scenario().setup.factions.iter().enumerate();
    factions
        .map(|(seat, it)| {
            let name = format!("{}{}", profile(it), suffix(seat));
            Stellar::agent(&name, setup).unwrap()
        })
        .collect()
}

fn play(setup: &Setup, line_ups: &[LineUp<Stellar>], n_games: u32, n_threads: usize) -> Vec<Match> {
    let plan = Plan {
        setup,
        line_ups,
        n_setups: n_games,
        n_games,
        seed: Seed::from(17),
        n_threads,
    };
    plan.run(&AtomicU64::new(0)).unwrap()
}

fn check(name: &str, n_games: u32) {
    let setup = setup(name);
    let n_seats = setup.scenario().setup.factions.len();
    let matches = play(&setup, &[line_up(&setup, |_| "")], n_games, 2);
    let report = Report::new(&matches, n_seats);
    assert!(report.even, "{name}: {report:#?}");
    assert_eq!(report.truncated, 0, "{name}");
}

#[test]
fn skirmish_is_even() {
    check("skirmish", 1000);
}

#[test]
fn crown_of_stars_is_even() {
    check("crown_of_stars", 1000);
}

#[test]
fn land_rush_is_even() {
    check("land_rush", 1000);
}

#[test]
fn six_houses_is_even() {
    check("six_houses", 1000);
}

#[test]
fn three_crowns_is_even() {
    check("three_crowns", 1000);
}

#[test]
fn the_bridge_is_even() {
    check("the_bridge", 1000);
}

#[test]
fn the_outnumbered_side_of_last_stand_wins_about_half() {
    check("last_stand", 1000);
}

#[test]
fn slow_thousand_suns_is_even() {
    check("thousand_suns", 200);
}

#[test]
fn matches_do_not_depend_on_the_number_of_threads() {
    let setup = setup("land_rush");
    let line_ups = [line_up(&setup, |_| "")];
    assert_eq!(
        play(&setup, &line_ups, 200, 1),
        play(&setup, &line_ups, 200, 3)
    );
}

#[test]
fn skill_pays_in_every_seat() {
    let setup = setup("three_crowns");
    let strong =
        |strong: usize| line_up(&setup, move |seat| if seat == strong { "" } else { "-1" });
    let line_ups: Vec<LineUp<Stellar>> = (0..3).map(strong).collect();
    let matches = play(&setup, &line_ups, 100, 2);
    for seat in 0..3 {
        let own: Vec<Match> = matches
            .iter()
            .copied()
            .filter(|it| it.line_up == seat)
            .collect();
        assert!(own.len() >= 33);
        assert!(SkillReport::new(&own, 3).pays, "seat {seat}");
    }
}
