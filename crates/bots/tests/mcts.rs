//! The search that plays any game: what it finds, what it may know, and how long it takes.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod toy;

use std::time::{Duration, Instant};

use bots::Agent;
use bots::mcts::{Bound, Mcts};
use catalog::{Orcain, Roster};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Perspective, Redraw, Seat};
use toy::{N_PLAYS, N_REDRAWS, Rules, Toy};

fn rng(seed: u64) -> Generator {
    Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed))
}

fn choice<G: Redraw>(position: &G, seat: Seat, bound: Bound, seed: u64) -> G::Action {
    let mut agent = Mcts::new("mcts", bound);
    let seen = Perspective::new(position, seat);
    agent.choose(&seen, &mut rng(seed)).unwrap()
}

#[test]
fn a_forced_win_is_found() {
    for n_stones in [5, 6, 7, 9, 10, 11] {
        let position = Toy::new(Rules::Stones, n_stones);
        for seed in 0..10 {
            let n_taken = choice(&position, Seat::FIRST, Bound::Nodes(2000), seed) + 1;
            let n_left = n_stones - u32::from(n_taken);
            assert_eq!(n_left % 4, 0, "{n_taken} of {n_stones} stones");
        }
    }
}

#[test]
fn chance_counts_by_its_odds() {
    let position = Toy::new(Rules::Wheel, 0);
    for seed in 0..20 {
        assert_eq!(choice(&position, Seat::FIRST, Bound::Nodes(400), seed), 2);
    }
}

#[test]
fn each_seat_plays_for_itself() {
    for seat in Seat::first(3) {
        let mut position = Toy::new(Rules::King, 0);
        position.to_move = seat.index();
        let named = choice(&position, seat, Bound::Nodes(50), 1);
        assert_eq!(usize::from(named), seat.index());
    }
}

#[test]
fn simultaneous_decisions_are_mixed_evenly_where_that_is_best() {
    let position = Toy::new(Rules::Hands, 0);
    let mut counts = [0u32; 3];
    for seed in 0..600 {
        let hand = choice(&position, Seat::SECOND, Bound::Nodes(300), seed);
        counts[usize::from(hand)] += 1;
    }
    assert!(
        counts.iter().all(|n| (140..=260).contains(n)),
        "{counts:?} of 600"
    );
}

#[test]
fn the_bound_in_nodes_is_kept() {
    let position = Toy::new(Rules::Stones, 11);
    for n_nodes in [1, 10, 300] {
        let mut agent = Mcts::new("mcts", Bound::Nodes(n_nodes));
        N_REDRAWS.set(0);
        let seen = Perspective::new(&position, Seat::FIRST);
        assert!(agent.choose(&seen, &mut rng(1)).is_some());
        // One redraw to look at the turn, then one for each iteration.
        assert_eq!(N_REDRAWS.get(), n_nodes + 1);
        assert!(agent.n_nodes() <= 2 * (n_nodes as usize + 1));
    }
}

#[test]
fn the_bound_in_time_is_kept() {
    let position = Toy::new(Rules::Stones, 11);
    let begun = Instant::now();
    choice(&position, Seat::FIRST, Bound::Millis(20), 1);
    let elapsed = begun.elapsed();
    assert!(elapsed >= Duration::from_millis(20), "{elapsed:?}");
    assert!(elapsed < Duration::from_secs(10), "{elapsed:?}");
}

#[test]
fn every_rollout_is_bounded_even_if_the_rules_count_no_progress() {
    let position = Toy::new(Rules::Endless, 1_000_000);
    N_PLAYS.set(0);
    choice(&position, Seat::FIRST, Bound::Nodes(5), 1);
    assert_eq!(N_PLAYS.get(), 5 * 20_000);
}

#[test]
fn the_same_seed_gives_the_same_decision_and_a_different_one_may_not() {
    let position = Toy::new(Rules::Hands, 0);
    let hands = |seed| choice(&position, Seat::FIRST, Bound::Nodes(100), seed);
    let once: Vec<u8> = (0..30).map(hands).collect();
    let twice: Vec<u8> = (0..30).map(hands).collect();
    assert_eq!(once, twice);
    assert!(once.iter().any(|hand| *hand != once[0]));
}

// Promise: `mcts` decides from what its seat may see.
#[test]
fn positions_that_look_the_same_get_the_same_decision() {
    let [heads, tails] = [0, 1].map(|coin| Toy {
        coin,
        ..Toy::new(Rules::Coin, 0)
    });
    for seed in 0..50 {
        let bound = Bound::Nodes(60);
        assert_eq!(
            choice(&heads, Seat::FIRST, bound, seed),
            choice(&tails, Seat::FIRST, bound, seed)
        );
    }
}

#[test]
fn a_limit_that_cannot_be_read_is_refused_with_the_right_form() {
    let setup = Default::default();
    for name in ["mcts", "mcts:nodes=1", "mcts:ms=50"] {
        assert_eq!(Orcain::agent(name, &setup).unwrap().name(), name);
    }
    for name in ["mcts:", "mcts:nodes=0", "mcts:nodes=-1", "mcts:depth=3"] {
        let refusal = Orcain::agent(name, &setup).err().unwrap().to_string();
        assert!(
            refusal.contains("write mcts:nodes=N or mcts:ms=N"),
            "{refusal}"
        );
    }
    let unknown = Orcain::agent("mctsx", &setup).err().unwrap().to_string();
    assert!(unknown.starts_with("there is no agent"), "{unknown}");
}
