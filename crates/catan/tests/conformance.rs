//! Catan passes every conformance check for games.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use catan::{BoardKind, Catan, DiceKind, DiscardRule, Name, RawSetup, Setup, Switch};
use kernel::conformance::{Memory, Secrets, Suite};

fn setups() -> Vec<Setup> {
    let raw = RawSetup::default;
    [
        RawSetup {
            max_turns: 120,
            ..raw()
        },
        RawSetup {
            board: BoardKind::Random,
            dice: DiceKind::Bag36,
            discard_rule: DiscardRule::ToThreshold,
            discard_threshold: 5,
            friendly_robber: true,
            max_turns: 100,
            vp_to_win: 10,
            ..raw()
        },
        RawSetup {
            discard_threshold: 3,
            player_trades: Switch::Off,
            vp_to_win: 4,
            players: ["É", &"twenty-four bytes of name"[..24]].map(|it| Name::new(it).unwrap()),
            ..raw()
        },
        RawSetup {
            dice: DiceKind::Bag36,
            max_turns: 60,
            test: true,
            ..raw()
        },
        RawSetup {
            board: BoardKind::Random,
            max_turns: 1,
            trades_per_turn: 1,
            ..raw()
        },
    ]
    .map(|raw| Setup::try_from(raw).unwrap())
    .to_vec()
}

#[test]
fn catan_keeps_every_promise() {
    let suite = Suite::<Catan> {
        setups: setups(),
        n_matches: 6,
        seed: 1,
        position_bytes_max: 512,
        secrets: Secrets::Some,
        memory: Memory::PerMatch,
        count_allocations: |run| allocation_counter::measure(run).count_total,
    };
    suite.run();
}
