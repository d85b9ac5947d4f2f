//! The search that plays any game: what it finds, what it may know, and how long it takes.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod toy;

use std::time::{Duration, Instant};

use bots::Agent;
use bots::mcts::{Bound, Mcts};
use catalog::{Catan, Orcain, Roster, Stellar};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Discard, Game, Mask, Perspective, Redraw, Seat, Turn, Viewer};
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
    looks_the_same::<Catan>();
    looks_the_same::<Orcain>();
    looks_the_same::<Stellar>();
}

/// Compares the decisions in positions of a random match with those in redrawn ones.
fn looks_the_same<G: Roster>() {
    let mut rng = rng(3);
    let start = G::start(&G::Setup::default());
    let mut position = start.clone();
    let mut mask = Mask::default();
    let mut n_compared = 0;
    while n_compared < 40 {
        if let Some(seat) = position.turn().missing().lowest() {
            let redrawn = position.redraw(Viewer::Seat(seat), &mut rng);
            let [one, other] =
                [&position, &redrawn].map(|it| choice(it, seat, Bound::Nodes(20), n_compared));
            assert_eq!(one, other, "{position}");
            n_compared += 1;
        }
        step(&mut position, &start, &mut mask, &mut rng);
    }
}

/// One random step of a match that begins again when it is over.
fn step<G: Game>(position: &mut G, start: &G, mask: &mut Mask, rng: &mut Generator) {
    let turn = position.turn();
    match turn {
        Turn::Over(_) => *position = start.clone(),
        Turn::Chance => {
            let draw = position.odds().draw(rng);
            position.resolve_trusted(draw, &mut Discard);
        }
        Turn::Clock => position.pass_time_trusted(&mut Discard),
        Turn::Seat(_) | Turn::Sealed(_) => {
            for seat in turn.missing().iter() {
                mask.reset(position.n_actions());
                position.write_legal(seat, mask);
                let action = position.action(mask.sample(rng).unwrap()).unwrap();
                position.play_trusted(seat, action, &mut Discard);
            }
        }
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
