//! Setups are read with standard values for omitted fields, and refused with every fault.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use kernel::{doc, json};
use orcain::{Card, Hand, RawSetup, Setup};

fn check(text: &str, expected: &[&str]) {
    let json = json::read(text.as_bytes()).unwrap();
    let found = match doc::parse::<Setup>(&json) {
        Ok(_) => Vec::new(),
        Err(faults) => faults
            .iter()
            .map(|fault| format!("{} {}", fault.pointer, fault.code))
            .collect(),
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn omitted_fields_are_standard() {
    let json = json::read(b"{}").unwrap();
    assert_eq!(doc::parse::<Setup>(&json).unwrap(), Setup::default());
    check(r#"{"max_hp": 20, "start_hp": 15}"#, &[]);
}

#[test]
fn every_fault_is_listed() {
    check(
        r#"{"max_hp": 0, "start_hp": "ten", "steps": 5, "hands": [["attack"], []], "speed": 1}"#,
        &[
            "/speed unknown_field",
            "/hands/0 wrong_length",
            "/hands/1 wrong_length",
            "/max_hp out_of_range",
            "/start_hp wrong_type",
            "/steps out_of_range",
        ],
    );
    check(
        r#"{"start_hp": 11, "round_cap": 2}"#,
        &["/start_hp above_maximum", "/round_cap below_limit"],
    );
    check("[]", &[" wrong_type"]);
}

#[test]
fn a_raw_setup_lists_every_fault_too() {
    let raw = RawSetup {
        max_hp: 101,
        steps: 0,
        ..RawSetup::default()
    };
    let faults = Setup::try_from(raw).unwrap_err();
    let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(pointers, ["/max_hp", "/steps"]);
}

#[test]
fn a_setup_round_trips() {
    let raw = RawSetup {
        hands: [
            [Card::Attack; 4],
            [Card::Heal, Card::Attack, Card::Heal, Card::Counter],
        ]
        .map(Hand::new),
        steps: 4,
        ..RawSetup::default()
    };
    let setup = Setup::try_from(raw).unwrap();
    assert_eq!(
        doc::parse::<Setup>(&json::from_value(&setup).unwrap()).unwrap(),
        setup
    );
}
