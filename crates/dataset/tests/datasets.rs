//! Datasets as their readers see them: folders of bytes.
//!
//! Promise: A dataset is the same with any number of threads, and equals its records.
#![allow(clippy::unwrap_used, reason = "an error here fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use bots::Agent;
use bots::simulate::{Keep, Plan, run as simulate};
use catalog::Roster;
use catan::{Catan, RawSetup, Setup};
use dataset::{
    Fault, Manifest, Number, Options, SelfPlay, Source, from_records, record_files, self_play,
};
use kernel::rng::Seed;
use learn::{Form, Frame, Learn, Sight};
use orcain::Orcain;
use stellar::Stellar;
use tempfile::TempDir;

const SEED: u64 = 7;

fn agents<G: Roster>(names: &[&str]) -> Vec<Box<dyn Agent<G>>> {
    let setup = G::Setup::default();
    let agent = |name: &&str| G::agent(name, &setup).unwrap();
    names.iter().map(agent).collect()
}

fn small(shard_rows: usize) -> Options {
    Options {
        shard_rows,
        ..Options::default()
    }
}

fn play<G: Roster + Learn>(
    names: &[&str],
    n_games: u32,
    options: &Options,
    out: &Path,
) -> Result<Manifest, Fault> {
    play_setup::<G>(&G::Setup::default(), names, n_games, options, out)
}

fn play_setup<G: Roster + Learn>(
    setup: &G::Setup,
    names: &[&str],
    n_games: u32,
    options: &Options,
    out: &Path,
) -> Result<Manifest, Fault> {
    let play = SelfPlay::<G> {
        setup,
        agents: &agents(names),
        n_games,
        seed: Seed::from(SEED),
    };
    self_play(&play, options, out, &|_| {})
}

/// Writes the records of the same matches in numbered files and returns their number of decisions.
fn records<G: Roster>(names: &[&str], n_games: u32, dir: &Path) -> u64 {
    records_setup::<G>(&G::Setup::default(), names, n_games, dir)
}

fn records_setup<G: Roster>(setup: &G::Setup, names: &[&str], n_games: u32, dir: &Path) -> u64 {
    fs::create_dir_all(dir).unwrap();
    let keep = |idx: u32, record: Vec<u8>| {
        fs::write(dir.join(format!("{idx:04}.jsonl")), record).map_err(|error| error.to_string())
    };
    let plan = Plan::<G> {
        setup,
        agents: &agents(names),
        n_games,
        seed: Seed::from(SEED),
        n_threads: 1,
        keep: Keep::Records(&keep),
    };
    simulate(&plan, &AtomicU64::new(0)).unwrap().decisions
}

fn replayed<G: Learn>(paths: &[PathBuf], options: &Options, out: &Path) -> Result<Manifest, Fault> {
    from_records::<G>(&record_files(paths)?, options, out, &|_| {})
}

/// All files of a folder.
fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

fn scratch() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    (dir, out)
}

fn threads_do_not_show<G: Roster + Learn>(names: &[&str], n_games: u32, shard_rows: usize) {
    let (dir, _) = scratch();
    let mut all = Vec::new();
    for n_threads in [1, 3] {
        let out = dir.path().join(n_threads.to_string());
        let options = Options {
            n_threads,
            ..small(shard_rows)
        };
        play::<G>(names, n_games, &options, &out).unwrap();
        all.push(contents(&out));
    }
    assert!(all[0].len() > 3, "{:?}", all[0].keys());
    assert!(
        all[0] == all[1],
        "the number of threads changes {}",
        G::NAME
    );
}

#[test]
fn the_same_arguments_give_the_same_bytes_with_any_number_of_threads() {
    threads_do_not_show::<Orcain>(&["random", "random"], 200, 500);
    threads_do_not_show::<Catan>(&["heuristic", "random"], 5, 300);
    threads_do_not_show::<Stellar>(&["random", "random"], 3, 1);
}

#[test]
fn a_different_seed_or_form_gives_different_bytes() {
    let (dir, _) = scratch();
    let bytes = |name: &str, options: Options| {
        let out = dir.path().join(name);
        let made = play::<Catan>(&["heuristic", "random"], 1, &options, &out).unwrap();
        (made.arrays[0].dtype, contents(&out))
    };
    let (dtype, plain) = bytes("plain", Options::default());
    assert_eq!(dtype, "uint8");
    let form = Form {
        sight: Sight::Full,
        frame: Frame::Ego,
    };
    let (_, full) = bytes(
        "full",
        Options {
            form,
            ..Options::default()
        },
    );
    assert_ne!(plain["shard-00000.npz"], full["shard-00000.npz"]);
    let (dtype, floats) = bytes(
        "floats",
        Options {
            number: Number::F32,
            ..Options::default()
        },
    );
    assert_eq!(dtype, "float32");
    assert_ne!(plain["shard-00000.npz"], floats["shard-00000.npz"]);
}

fn records_give_the_shards_of_the_play<G: Roster + Learn>(
    setup: &G::Setup,
    names: &[&str],
    n_games: u32,
) {
    let (dir, out) = scratch();
    let options = small(400);
    let played = play_setup::<G>(setup, names, n_games, &options, &out).unwrap();
    let kept = dir.path().join("records");
    let n_decisions = records_setup::<G>(setup, names, n_games, &kept);
    let again = dir.path().join("again");
    let read = replayed::<G>(&[kept], &options, &again).unwrap();
    assert_eq!(played.n_rows, n_decisions);
    assert_eq!(read.shards, played.shards);
    assert_eq!(read.setup, played.setup);
    let (mut one, mut other) = (contents(&out), contents(&again));
    one.remove("dataset.json").unwrap();
    other.remove("dataset.json").unwrap();
    assert!(one == other, "records of {} differ from the play", G::NAME);
    let Source::Records { records, .. } = read.source else {
        panic!("expected records as the source: {:?}", read.source);
    };
    assert_eq!(records, u64::from(n_games));
}

#[test]
fn records_of_self_play_give_the_shards_of_the_self_play() {
    let standard = orcain::Setup::default();
    records_give_the_shards_of_the_play::<Orcain>(&standard, &["random", "random"], 60);
    let standard = stellar::Setup::default();
    records_give_the_shards_of_the_play::<Stellar>(&standard, &["balanced", "random"], 2);
    // Nobody discards here: a record says which cards were discarded, not in which order.
    let setup = RawSetup {
        discard_threshold: 90,
        ..RawSetup::default()
    };
    let setup = Setup::try_from(setup).unwrap();
    records_give_the_shards_of_the_play::<Catan>(&setup, &["heuristic", "random"], 3);
}

#[test]
fn a_discard_is_read_card_by_card() {
    let (dir, out) = scratch();
    let names = ["heuristic", "random"];
    let played = play::<Catan>(&names, 3, &Options::default(), &out).unwrap();
    let kept = dir.path().join("records");
    records::<Catan>(&names, 3, &kept);
    let discards = contents(&kept).into_values().flatten().collect();
    assert!(String::from_utf8(discards).unwrap().contains("DISCARD"));
    let again = dir.path().join("again");
    let read = replayed::<Catan>(&[kept], &Options::default(), &again).unwrap();
    assert_eq!((read.n_rows, read.n_episodes), (played.n_rows, 3));
}

#[test]
fn several_matches_in_one_file_are_read_in_order() {
    let (dir, out) = scratch();
    let kept = dir.path().join("records");
    records::<Orcain>(&["random", "random"], 5, &kept);
    let apart = replayed::<Orcain>(std::slice::from_ref(&kept), &small(10), &out).unwrap();
    let whole: Vec<u8> = contents(&kept).into_values().flatten().collect();
    let file = dir.path().join("all.jsonl");
    fs::write(&file, whole).unwrap();
    let together = dir.path().join("together");
    let joined = replayed::<Orcain>(&[file], &small(10), &together).unwrap();
    // The source's hash covers the bytes, which are the same.
    assert_eq!(joined, apart);
    assert_eq!(contents(&together), contents(&out));
}

#[test]
fn shards_end_with_a_match_and_are_listed_with_their_hashes() {
    let (_dir, out) = scratch();
    let made = play::<Orcain>(&["random", "random"], 100, &small(100), &out).unwrap();
    let files = contents(&out);
    assert_eq!(files.len(), made.shards.len() + 1);
    let mut next = 0;
    for (idx, shard) in made.shards.iter().enumerate() {
        let bytes = &files[&shard.file];
        assert_eq!(shard.n_bytes, bytes.len() as u64);
        assert_eq!(shard.sha256, kernel::json::Hash::of_bytes(bytes));
        assert_eq!(shard.first_episode, next);
        let is_last = idx + 1 == made.shards.len();
        assert!(is_last || (100..200).contains(&shard.n_rows), "{shard:?}");
        next += shard.n_episodes;
    }
    assert_eq!((next, made.n_episodes), (100, 100));
    let text = String::from_utf8(files["dataset.json"].clone()).unwrap();
    assert!(
        text.contains("\"observation_version\": \"1.0.0\""),
        "{text}"
    );
    assert!(text.contains("\"seed\": \"7\""), "{text}");
}

/// Changes one line of a record.
fn spoil(file: &Path, line: usize, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(file).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[line - 1] = change(&lines[line - 1]);
    fs::write(file, lines.join("\n") + "\n").unwrap();
}

// Promise: No reader takes half a dataset for a whole one.
#[test]
fn every_bad_record_is_reported_by_file_and_line_and_nothing_is_left() {
    let (dir, out) = scratch();
    let kept = dir.path().join("records");
    records::<Orcain>(&["random", "random"], 6, &kept);
    spoil(&kept.join("0002.jsonl"), 4, |line| {
        line.replacen('1', "2", 1)
    });
    spoil(&kept.join("0004.jsonl"), 1, |_| "{".to_owned());
    let text = fs::read(kept.join("0005.jsonl")).unwrap();
    fs::write(kept.join("0005.jsonl"), &text[..text.len() - 1]).unwrap();
    // With a shard for every match, some were written before the first fault.
    let fault = replayed::<Orcain>(std::slice::from_ref(&kept), &small(1), &out).unwrap_err();
    let Fault::Records(problems) = &fault else {
        panic!("{fault:?}");
    };
    let places: Vec<(String, usize)> = problems
        .first()
        .iter()
        .map(|it| {
            let name = it.file.file_name().unwrap().to_string_lossy();
            (name.into_owned(), it.fault.line)
        })
        .collect();
    let n_lines = text.iter().filter(|byte| **byte == b'\n').count();
    let expected = [
        ("0002.jsonl", 4),
        ("0004.jsonl", 1),
        ("0005.jsonl", n_lines),
    ];
    assert_eq!(places, expected.map(|(name, line)| (name.to_owned(), line)));
    assert!(
        fault.to_string().contains("0002.jsonl: line 4: "),
        "{fault}"
    );
    assert!(!out.exists());
}

// Promise: A match with forced chance counts nowhere: no stake, rating, statistic or dataset.
#[test]
fn test_matches_are_in_no_dataset() {
    let (dir, out) = scratch();
    let kept = dir.path().join("records");
    let setup = Setup::try_from(RawSetup {
        max_turns: 10,
        test: true,
        ..RawSetup::default()
    })
    .unwrap();
    let names = ["random", "heuristic"];
    records_setup::<Catan>(&setup, &names, 1, &kept);
    let recorded = replayed::<Catan>(std::slice::from_ref(&kept), &small(1), &out).unwrap_err();
    let played = play_setup::<Catan>(&setup, &names, 1, &small(1), &out).unwrap_err();
    for fault in [recorded, played] {
        assert!(
            fault.to_string().contains("declares a test match"),
            "{fault}"
        );
    }
    assert!(!out.exists());
}

#[test]
fn line_numbers_count_from_the_start_of_the_file() {
    let (dir, out) = scratch();
    let kept = dir.path().join("records");
    records::<Orcain>(&["random", "random"], 2, &kept);
    let first = fs::read_to_string(kept.join("0000.jsonl")).unwrap();
    spoil(&kept.join("0001.jsonl"), 3, |line| {
        line.replacen('1', "2", 1)
    });
    let second = fs::read_to_string(kept.join("0001.jsonl")).unwrap();
    let file = dir.path().join("both.jsonl");
    fs::write(&file, first.clone() + &second).unwrap();
    let fault = replayed::<Orcain>(&[file], &Options::default(), &out).unwrap_err();
    let line = first.lines().count() + 3;
    assert!(
        fault.to_string().contains(&format!("line {line}: ")),
        "{fault}"
    );
}

#[test]
fn a_match_that_is_not_over_is_refused() {
    let (dir, out) = scratch();
    let kept = dir.path().join("records");
    records::<Orcain>(&["random", "random"], 1, &kept);
    let file = kept.join("0000.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let begun: Vec<&str> = text.lines().take(4).collect();
    fs::write(&file, begun.join("\n") + "\n").unwrap();
    let fault = replayed::<Orcain>(&[file], &Options::default(), &out).unwrap_err();
    assert!(fault.to_string().contains("line 4: "), "{fault}");
    assert!(fault.to_string().contains("not_over"), "{fault}");
    assert!(!out.exists());
}

#[test]
fn records_of_another_game_are_refused() {
    let (dir, out) = scratch();
    let kept = dir.path().join("records");
    records::<Orcain>(&["random", "random"], 1, &kept);
    let fault = replayed::<Catan>(&[kept], &Options::default(), &out).unwrap_err();
    assert!(fault.to_string().contains("wrong_game"), "{fault}");
}

#[test]
fn a_folder_that_is_not_empty_is_refused_and_left_alone() {
    let (dir, out) = scratch();
    fs::create_dir(&out).unwrap();
    fs::write(out.join("mine.txt"), "mine").unwrap();
    let names = ["random", "random"];
    let fault = play::<Orcain>(&names, 1, &Options::default(), &out).unwrap_err();
    assert!(fault.to_string().contains("mine.txt"), "{fault}");
    assert_eq!(contents(&out).len(), 1);
    let empty = dir.path().join("empty");
    fs::create_dir(&empty).unwrap();
    play::<Orcain>(&names, 1, &Options::default(), &empty).unwrap();
    assert!(empty.join("dataset.json").exists());
}

#[test]
fn all_invalid_options_are_reported_at_once() {
    let (_dir, out) = scratch();
    let options = Options {
        form: Form {
            sight: Sight::Full,
            frame: Frame::Ego,
        },
        n_threads: 0,
        ..small(0)
    };
    let fault = play::<Stellar>(&["random", "random"], 1, &options, &out).unwrap_err();
    let told = fault.to_string();
    for part in ["shard_rows is 0", "threads is 0", "Full sight", "Ego frame"] {
        assert!(told.contains(part), "{told}");
    }
    let fault = play::<Orcain>(&["random"], 0, &Options::default(), &out).unwrap_err();
    assert!(
        fault.to_string().contains("1 agents for 2 seats; 0 games"),
        "{fault}"
    );
    assert!(!out.exists());
}
