//! The toy games keep every promise that a game makes.

#![cfg(feature = "conformance")]
#![allow(clippy::unwrap_used, reason = "a missing value fails the test")]

mod toys;

use kernel::conformance::{Memory, Secrets, Suite};
use kernel::{Event, Seat, Viewer};
use toys::armada::{self, Armada};
use toys::smugglers::{self, Smugglers};

#[test]
fn smugglers_keeps_every_promise() {
    let standard = smugglers::Setup::default();
    let suite = Suite::<Smugglers> {
        setups: vec![
            standard,
            smugglers::Setup {
                hand_limit: 1,
                max_turns: 25,
                n_each: 3,
                points_to_win: 10,
                set_size: 4,
            },
            smugglers::Setup {
                max_turns: 1,
                set_size: 1,
                ..standard
            },
        ],
        n_matches: 24,
        seed: 1,
        position_bytes_max: 40,
        secrets: Secrets::Some,
        memory: Memory::PerMatch,
        count_allocations: |run| allocation_counter::measure(run).count_total,
    };
    suite.run();
}

#[test]
fn armada_keeps_every_promise() {
    let setup = |n_factions, n_systems, max_turns| armada::Setup {
        max_turns,
        n_factions,
        n_systems,
    };
    let suite = Suite::<Armada> {
        setups: vec![setup(3, 9, 8), setup(2, 4, 12), setup(5, 12, 3)],
        n_matches: 16,
        seed: 1,
        position_bytes_max: 224,
        secrets: Secrets::Some,
        memory: Memory::PerMatch,
        count_allocations: |run| allocation_counter::measure(run).count_total,
    };
    suite.run();
}

#[test]
fn spectators_see_a_theft_and_players_see_the_stolen_good() {
    let good = |event: smugglers::Event, viewer| event.seen_by(viewer).unwrap().good;
    let [first, second] = [Seat::FIRST, Seat::SECOND].map(Viewer::Seat);
    let stole = smugglers::Event::Stole(Seat::FIRST, 2);
    assert_eq!(good(stole, first), Some("silk"));
    assert_eq!(good(stole, second), Some("silk"));
    assert_eq!(good(stole, Viewer::Public), None);
    let drew = smugglers::Event::Drew(Seat::FIRST, 2);
    assert_eq!(good(drew, first), Some("silk"));
    assert_eq!(good(drew, second), None);
    assert_eq!(good(drew, Viewer::Public), None);
}
