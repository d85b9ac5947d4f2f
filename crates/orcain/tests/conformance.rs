//! Orcain passes every conformance check for games.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use kernel::conformance::{Memory, Secrets, Suite};
use orcain::{Card, Hand, Orcain, RawSetup, Setup};

fn setups() -> Vec<Setup> {
    let raw = RawSetup::default;
    let cards = [Card::Attack, Card::Attack, Card::Heal, Card::Counter];
    [
        raw(),
        RawSetup {
            steps: 4,
            hands: [cards, Card::ALL].map(Hand::new),
            ..raw()
        },
        RawSetup {
            steps: 1,
            round_limit: 1,
            round_cap: 1,
            ..raw()
        },
        RawSetup {
            max_hp: 3,
            start_hp: 2,
            drafts_max: 2,
            round_cap: 5,
            ..raw()
        },
    ]
    .map(|raw| Setup::try_from(raw).unwrap())
    .to_vec()
}

#[test]
fn orcain_keeps_every_promise() {
    let suite = Suite::<Orcain> {
        setups: setups(),
        n_matches: 60,
        seed: 1,
        position_bytes_max: 64,
        secrets: Secrets::Some,
        memory: Memory::PerMatch,
        count_allocations: |run| allocation_counter::measure(run).count_total,
    };
    suite.run();
}
