//! Records of older versions still verify.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use catalog::{GameName, with_game};
use kernel::record;

#[test]
fn records_of_format_0_2_0_verify_in_every_game_that_had_them() {
    for name in [GameName::Catan, GameName::Orcain, GameName::Stellar] {
        let text = kept("0.2.0", name);
        assert!(text.contains(r#""rules_version": "1.0.0""#), "{name:?}");
        verify(name, &text);
    }
}

#[test]
fn a_record_of_format_0_3_0_verifies_in_the_game_that_has_endings_since() {
    let text = kept("0.3.0", GameName::Stellar);
    assert!(!text.contains(r#""ending""#));
    verify(GameName::Stellar, &text);
}

/// A record that was written in an older format.
fn kept(version: &str, name: GameName) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/records");
    let text = std::fs::read_to_string(format!("{root}/{version}/{name}.jsonl")).unwrap();
    for line in text.lines() {
        let named = format!(r#""schema_version": "{version}""#);
        assert!(line.contains(&named), "{name:?}");
    }
    text
}

fn verify(name: GameName, text: &str) {
    let verified = with_game!(name, G => record::verify::<G>(text.as_bytes()).map(drop));
    verified.unwrap();
}
