//! Liar's Dice passes every conformance check for games.

use kernel::conformance::{Memory, Secrets, Suite, setup};
use liars_dice::LiarsDice;

#[test]
fn liars_dice_keeps_every_promise() {
    let setups = [
        "{}",
        r#"{"dice": 1}"#,
        r#"{"seats": 3, "dice": 2}"#,
        r#"{"seats": 6, "dice": 1}"#,
    ];
    let suite = Suite::<LiarsDice> {
        setups: setups.map(setup::<LiarsDice>).to_vec(),
        n_matches: 40,
        seed: 1,
        position_bytes_max: 256,
        secrets: Secrets::Some,
        memory: Memory::PerMatch,
        count_allocations: |run| allocation_counter::measure(run).count_total,
    };
    suite.run();
}
