//! Catan's bots follow the rules, use no secrets, and are as strong as they should be.
#![allow(clippy::unwrap_used, reason = "an error here fails the test")]

use std::sync::atomic::AtomicU64;

use bots::Agent;
use bots::arena::{self, PairingReport};
use bots::simulate::{self, Keep, Streams};
use catalog::Roster;
use catan::{BoardKind, Catan, DiceKind, DiscardRule, RawSetup, Setup};
use kernel::record::verify;
use kernel::rng::{Generator, GeneratorKind, Seed, SeedSequence};
use kernel::{Discard, Game, GameExt, Perspective, Redraw, Seat, Turn, Viewer};

fn agents(names: &[&str], setup: &Setup) -> Vec<Box<dyn Agent<Catan>>> {
    names
        .iter()
        .map(|name| Catan::agent(name, setup).unwrap())
        .collect()
}

/// The standard rules, and all variants at once.
fn setups() -> [Setup; 2] {
    let raw = RawSetup {
        board: BoardKind::Random,
        dice: DiceKind::Bag36,
        discard_rule: DiscardRule::ToThreshold,
        friendly_robber: true,
        vp_to_win: 10,
        max_turns: 60,
        ..RawSetup::default()
    };
    [Setup::default(), Setup::try_from(raw).unwrap()]
}

fn meet(names: [&str; 2], n_bouts: u32, seed: u64) -> PairingReport {
    let setup = Setup::default();
    let agents = agents(&names, &setup);
    let plan = arena::Plan {
        setup: &setup,
        agents: &agents,
        n_bouts,
        seed: Seed::from(seed),
        n_threads: 2,
    };
    let bouts = std::sync::Mutex::new(Vec::new());
    let keep = |bout| {
        bouts.lock().unwrap().push(bout);
        Ok(())
    };
    plan.run(&Default::default(), &keep).unwrap();
    let report = arena::Report::new(&plan, &bouts.into_inner().unwrap());
    report.pairings[0].clone()
}

#[test]
fn every_agent_follows_the_rules_in_every_variant_and_its_records_verify() {
    for setup in setups() {
        for names in [["heuristic", "random"], ["random", "search:nodes=20"]] {
            let agents = agents(&names, &setup);
            let checked = |_, record: Vec<u8>| {
                verify::<Catan>(&record)
                    .map(|_| ())
                    .map_err(|fault| fault.to_string())
            };
            let plan = simulate::Plan {
                setup: &setup,
                agents: &agents,
                n_games: 6,
                seed: Seed::from(3),
                n_threads: 2,
                keep: Keep::Records(&checked),
            };
            simulate::run(&plan, &AtomicU64::new(0)).unwrap();
        }
    }
}

#[test]
fn the_heuristic_beats_random_in_99_of_100_of_1000_paired_matches() {
    let met = meet(["heuristic", "random"], 500, 1);
    let n_wins: u64 = met.first_wins.iter().sum();
    assert!(met.games == 1000 && n_wins >= 990, "{met:?}");
}

/// The full proof is `referee arena catan --seats search,heuristic --games 400 --seed 1`. These
/// are its first matches, enough to detect a search that no longer helps.
#[test]
fn slow_the_search_beats_the_heuristic() {
    let n_bouts = std::env::var("SEARCH_BOUTS").map_or(20, |text| text.parse().unwrap());
    let met = meet(["search", "heuristic"], n_bouts, 1);
    assert!(met.first_win_rate.rate > 0.55, "{met:?}");
    if n_bouts >= 200 {
        assert!(met.first_win_rate.low > 0.55, "{met:?}");
    }
}

#[test]
fn identical_agents_win_each_paired_match_once() {
    let met = meet(["heuristic", "heuristic"], 20, 4);
    assert_eq!(
        met.first_wins.iter().sum::<u64>(),
        met.second_wins,
        "{met:?}"
    );
    assert_eq!(met.draws, 0);
}

#[test]
fn a_search_by_nodes_repeats_exactly() {
    let play = || {
        let setup = Setup::default();
        let mut agents = agents(&["search:nodes=30", "search"], &setup);
        agents[1] = Catan::agent("heuristic", &setup).unwrap();
        let mut streams = Streams::new(&SeedSequence::new(&Seed::from(5), &[]), 0);
        bots::play_recorded(&setup, &mut agents, &mut streams)
            .unwrap()
            .2
    };
    assert_eq!(play(), play());
}

#[test]
fn a_search_by_time_keeps_its_limit() {
    let setup = Setup::default();
    let mut agent = Catan::agent("search:ms=20", &setup).unwrap();
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
    let mut position = Catan::start(&setup);
    position.resolve_trusted(kernel::Draw(1), &mut Discard);
    let begun = std::time::Instant::now();
    let seen = Perspective::new(&position, Seat::FIRST);
    assert!(agent.choose(&seen, &mut rng).is_some());
    // Generous, for machines under load: without the limit it would not end at all.
    assert!(begun.elapsed().as_millis() < 5000);
}

/// Positions along a match of the heuristic against itself, each with the seat to decide. The last
/// one is the end.
fn positions(seed: u64) -> Vec<(Catan, Seat)> {
    let setup = Setup::default();
    let mut found = Vec::new();
    let mut agent = Catan::agent("heuristic", &setup).unwrap();
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
    let mut position = Catan::start(&setup);
    loop {
        match position.turn() {
            Turn::Chance => {
                let draw = position.odds().draw(&mut rng);
                position.resolve_trusted(draw, &mut Discard);
            }
            Turn::Seat(seat) => {
                found.push((position, seat));
                let seen = Perspective::new(&position, seat);
                let action = agent.choose(&seen, &mut rng).unwrap();
                position.play_trusted(seat, action, &mut Discard);
            }
            _ => {
                found.push((position, Seat::FIRST));
                return found;
            }
        }
    }
}

// Promise: An agent uses nothing that it cannot know.
#[test]
fn hidden_facts_do_not_change_what_the_heuristic_does() {
    let setup = Setup::default();
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(8));
    let mut n_checked = 0;
    for (position, seat) in (0..3).flat_map(positions) {
        if !matches!(position.turn(), Turn::Seat(_)) {
            continue;
        }
        let other = position.redraw(Viewer::Seat(seat), &mut rng);
        let decide = |position: &Catan| {
            let mut agent = Catan::agent("heuristic", &setup).unwrap();
            let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
            let seen = Perspective::new(position, seat);
            (agent.choose(&seen, &mut rng), agent.evaluate(&seen))
        };
        assert_eq!(decide(&position), decide(&other));
        n_checked += 1;
    }
    assert!(n_checked > 300);
}

/// The actions of a seat from here on, in words, until another seat decides.
fn goes_on(agent: &str, position: &mut Catan, seat: Seat) -> Vec<String> {
    let mut agent = Catan::agent(agent, &Setup::default()).unwrap();
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(2));
    let mut words = Vec::new();
    while position.turn() == Turn::Seat(seat) {
        let seen = Perspective::new(position, seat);
        let action = agent.choose(&seen, &mut rng).unwrap();
        words.push(action.to_string());
        position.play_trusted(seat, action, &mut Discard);
        if words.last().is_some_and(|word| word == "end") {
            break;
        }
    }
    words
}

#[test]
fn bots_offer_bundles_that_buy_something_and_opponents_accept_them() {
    let mut sizes = std::collections::BTreeMap::new();
    let mut n_taken = 0;
    for seed in 0..40 {
        let met = positions(seed);
        for ((position, _), (next, _)) in met.iter().zip(&met[1..]) {
            if position.phase().name() != "TRADE_RESPONSE" {
                continue;
            }
            let trade = position.view(Viewer::Public).pending_trade.unwrap();
            let sides = [trade.offer, trade.request].map(|side| side.iter().sum::<u8>());
            *sizes.entry(sides).or_insert(0) += 1;
            n_taken += u32::from(next.hand(Seat::FIRST) != position.hand(Seat::FIRST));
        }
    }
    assert!(n_taken > 20, "{n_taken} of {sizes:?}");
    for sides in [[2, 1], [1, 2]] {
        assert!(
            sizes.contains_key(&sides),
            "no offer of {sides:?} in {sizes:?}"
        );
    }
}

#[test]
fn every_bot_finishes_an_offer_begun_by_another() {
    let mut n_finished = 0;
    for (position, seat) in positions(3) {
        for (_, action) in position.actions() {
            let begins = action.to_string().starts_with("give:");
            if !begins || !position.legal(seat).allows(action.id()) {
                continue;
            }
            let mut begun = position;
            begun.play_trusted(seat, action, &mut Discard);
            let words = goes_on("heuristic", &mut begun, seat);
            assert!(
                words.contains(&"send".to_owned()),
                "{words:?} in {position}"
            );
            n_finished += 1;
        }
    }
    assert!(n_finished > 50, "{n_finished}");
}

#[test]
fn a_bundle_is_judged_by_its_value_and_not_by_its_kinds() {
    let (mut n_taken, mut n_left) = (0, 0);
    for (position, seat) in (0..6).flat_map(positions) {
        let other = [Seat::SECOND, Seat::FIRST][seat.index()];
        for text in [
            "give:ORE give:ORE ask:BRICK send",
            "give:BRICK ask:ORE ask:ORE send",
        ] {
            let mut offered = position;
            let words = text.split(' ').map(|word| word.parse().unwrap());
            let fits = words
                .into_iter()
                .all(|action| offered.play(seat, action, &mut Discard).is_ok());
            if !fits {
                continue;
            }
            let words = goes_on("heuristic", &mut offered, other);
            match words.first().map(String::as_str) {
                Some("accept") => n_taken += 1,
                _ => n_left += 1,
            }
        }
    }
    assert!(n_taken > 10 && n_left > 10, "{n_taken} {n_left}");
}

#[test]
fn chances_add_up_and_favor_the_later_winner() {
    let setup = Setup::default();
    let mut agent = Catan::agent("heuristic", &setup).unwrap();
    let (mut right, mut n) = (0, 0);
    for seed in 0..20 {
        let met = positions(seed);
        let winner = match met.last().unwrap().0.turn() {
            Turn::Over(outcome) => outcome.winners().sole().unwrap(),
            _ => unreachable!(),
        };
        for (position, seat) in met.iter().skip(met.len() / 2) {
            let seen = Perspective::new(position, *seat);
            let chances = agent.evaluate(&seen).unwrap().win_permille;
            assert_eq!(chances.iter().sum::<u16>(), 1000);
            n += 1;
            right += u32::from(chances[winner.index()] > 500);
        }
        let (over, seat) = met.last().unwrap();
        let end = agent.evaluate(&Perspective::new(over, *seat)).unwrap();
        assert_eq!(end.win_permille[winner.index()], 1000);
    }
    assert!(right * 3 > n * 2, "{right} of {n}");
}

#[test]
fn an_invalid_limit_is_refused_with_the_valid_forms() {
    for name in ["search:", "search:nodes=0", "search:ms=x", "search:depth=3"] {
        let error = Catan::agent(name, &Setup::default()).err().unwrap();
        assert!(
            error.to_string().contains("search:nodes=N or search:ms=N"),
            "{error}"
        );
    }
    let error = Catan::agent("searches", &Setup::default()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "there is no agent \"searches\"; the agents are: random, mcts, heuristic, search"
    );
}
