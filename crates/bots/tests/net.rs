//! Networks from files play, and invalid files are refused with a reason.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::path::PathBuf;

use bots::{NoAgent, play_recorded};
use catalog::Roster;
use catan::{Catan, Setup};
use kernel::record::verify;
use kernel::rng::{Seed, SeedSequence};

/// A network of one layer whose outputs rise with the action's id.
fn file(name: &str, header: &str, n_numbers: usize) -> PathBuf {
    let mut bytes = format!("referee-net 1\n{header}\n").into_bytes();
    for idx in 0..n_numbers {
        bytes.extend((idx as f32 * 1e-6).to_le_bytes());
    }
    let path = std::env::temp_dir().join(format!("referee-{}-{name}.net", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    path
}

fn n_actions() -> usize {
    catan::Action::N
}

fn header(frame: &str) -> String {
    let n = n_actions();
    format!(
        r#"{{"frame": "{frame}", "game": "catan", "layers": [275, {n}], "observation_version": "2.0.0"}}"#
    )
}

fn refusal(path: &std::path::Path) -> String {
    match Catan::agent(&format!("net:{}", path.display()), &Setup::default()) {
        Err(NoAgent::Unfit {
            name: "net",
            reason,
        }) => reason,
        other => panic!("{:?}", other.err()),
    }
}

#[test]
fn a_network_plays_a_full_match_that_verifies_and_repeats() {
    let path = file("whole", &header("ego"), 276 * n_actions());
    let name = format!("net:{}", path.display());
    let setup = Setup::default();
    let play = || {
        let mut agents = [name.as_str(), "random"].map(|name| Catan::agent(name, &setup).unwrap());
        let run = SeedSequence::new(&Seed::from(4), &[]);
        let mut streams = bots::simulate::Streams::new(&run, 0);
        play_recorded(&setup, &mut agents, &mut streams).unwrap()
    };
    let (_, record, hash) = play();
    assert_eq!(verify::<Catan>(&record).unwrap().state_hash, hash);
    assert_eq!(play().2, hash);
}

#[test]
fn files_that_are_not_networks_are_refused_with_a_reason() {
    let missing = std::env::temp_dir().join("referee-no-such-file.net");
    assert!(refusal(&missing).contains("No such file"));
    let short = file("short", &header("ego"), 12);
    assert!(refusal(&short).contains("bytes of numbers"));
    let other = header("ego").replace("catan", "orcain");
    let other = file("other", &other, 276 * n_actions());
    assert!(refusal(&other).contains("/game"));
    let narrow = header("ego").replace("275", "274");
    let narrow = file("narrow", &narrow, 275 * n_actions());
    assert!(refusal(&narrow).contains("275 numbers"));
}

/// A network of one layer over runs of the observation's bytes.
fn second(name: &str, inputs: &str, n_inputs: usize) -> PathBuf {
    let n = n_actions();
    let header = format!(
        r#"{{"frame": "ego", "game": "catan", "inputs": {inputs}, "layers": [{n_inputs}, {n}], "observation_version": "2.0.0"}}"#
    );
    let path = file(name, &header, (n_inputs + 1) * n);
    let bytes = std::fs::read(&path).unwrap();
    let rest = bytes.strip_prefix(b"referee-net 1").unwrap();
    std::fs::write(&path, [b"referee-net 2", rest].concat()).unwrap();
    path
}

#[test]
fn inputs_can_be_made_from_bytes() {
    let inputs = r#"[{"from": 114, "to": 186, "is": 1}, {"from": 240, "to": 250, "least": 2},
        {"from": 0, "to": 114, "per": 12}]"#
        .replace('\n', "");
    let path = second("runs", &inputs, 72 + 10 + 114);
    let name = format!("net:{}", path.display());
    let setup = Setup::default();
    let mut agents = [name.as_str(), "random"].map(|name| Catan::agent(name, &setup).unwrap());
    let run = SeedSequence::new(&Seed::from(4), &[]);
    let mut streams = bots::simulate::Streams::new(&run, 0);
    let (_, record, hash) = play_recorded(&setup, &mut agents, &mut streams).unwrap();
    assert_eq!(verify::<Catan>(&record).unwrap().state_hash, hash);
}

#[test]
fn every_fault_in_the_inputs_is_reported() {
    let inputs = r#"[{"from": 5, "to": 5, "is": 1}, {"from": 0, "to": 276, "per": 0},
        {"from": 0, "to": 1, "is": 1, "least": 2}]"#
        .replace('\n', "");
    let told = refusal(&second("faulty", &inputs, 9));
    for expected in ["/inputs/0", "/inputs/1/to", "/inputs/1/per", "/inputs/2"] {
        assert!(told.contains(expected), "{expected} is not in {told}");
    }
    let wide = second("wide", r#"[{"from": 0, "to": 9, "per": 1}]"#, 8);
    assert!(refusal(&wide).contains("9 numbers"));
    let none = second("none", "[]", 9);
    assert!(refusal(&none).contains("1 to 4096 runs"));
}
