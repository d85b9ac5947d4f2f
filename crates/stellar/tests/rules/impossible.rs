//! Positions that no match can reach are refused, with the reason.

use kernel::notation;

use super::*;

/// The faults of the position with only these pieces.
fn refused(base: &Stellar, pieces: &str) -> String {
    let read = notation::read(base, &board::only(base, pieces));
    read.err()
        .map_or(String::new(), |faults| faults.to_string())
}

#[test]
fn only_a_hill_is_held_and_no_longer_than_the_match_lasts() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 9},
        {"type": "elimination"}]"#;
    let base = two(victory, Some(20));
    let pieces = "blue owns 0..2; red owns 2..3; turn=2";
    let with = |hold: &str| refused(&base, &format!("{pieces}; {hold}"));
    assert_eq!(with("holds.0={holder:0,turns:2}"), "");
    for hold in [
        "holds.0={holder:0,turns:3}",
        "holds.0={holder:2,turns:1}",
        "holds.1={holder:0,turns:1}",
    ] {
        assert_eq!(
            with(hold),
            "at /holds: only a hill can be held, and no longer than the match lasts",
            "{hold}"
        );
    }
}

#[test]
fn a_faction_that_left_has_no_orders() {
    let base = three(r#"[{"type": "elimination"}]"#, Some(20));
    let pieces = "blue owns 0..1; red owns 1..2; green owns 2..3; green fleet 2: cruiser;
        fleets.0.retreat_next=50";
    assert_eq!(refused(&base, pieces), "");
    assert_eq!(
        refused(&base, &format!("{pieces}; present=[0,1]")),
        "at /fleets: a fleet has an order that was never legal"
    );
}
