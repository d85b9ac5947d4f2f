//! Networks from files play, and files that are none are refused with a reason.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::PathBuf;

use bots::{NoAgent, Roster, play_recorded};
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
        r#"{{"frame": "{frame}", "game": "catan", "layers": [275, {n}], "observation_version": "1.0.0"}}"#
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
fn a_network_plays_a_whole_match_that_verifies_and_repeats() {
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
fn files_that_are_no_networks_are_refused_with_a_reason() {
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
