//! Whole matches of the games from rules alone, kept as records, so that a change to any of them is
//! noticed. `cargo xtask bless` writes them.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use std::fs;
use std::path::{Path, PathBuf};

use bots::play_recorded;
use bots::simulate::Streams;
use catalog::{GameName, Roster, with_game};
use kernel::record::verify;
use kernel::rng::SeedSequence;
use kernel::{Describe, GameExt};

fn file(game: GameName, n_seats: u8) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(format!("testdata/{game}/match-{n_seats}.jsonl"))
}

/// The record of a match between random players.
fn record<G: Roster + Describe>(n_seats: u8) -> Option<Vec<u8>> {
    let setup = G::quick_setup_for(n_seats)?;
    let mut agents: Vec<_> = (0..n_seats)
        .map(|_| G::agent("random", &setup).unwrap())
        .collect();
    let mut streams = Streams::new(
        &SeedSequence::new(&n_seats.to_string().parse().unwrap(), &[]),
        0,
    );
    let (played, record, hash) = play_recorded::<G>(&setup, &mut agents, &mut streams).unwrap();
    assert!(played.outcome.winners().len() <= n_seats.into());
    assert_eq!(verify::<G>(&record).unwrap().state_hash, hash);
    assert_eq!(G::start(&setup).n_seats(), usize::from(n_seats));
    assert_eq!(G::start(&setup).outcome(), None);
    Some(record)
}

#[test]
fn matches_of_games_from_rules_alone_are_what_they_were() {
    for game in GameName::ALL {
        for n_seats in with_game!(game, G => G::SEATS) {
            let Some(record) = with_game!(game, G => record::<G>(n_seats)) else {
                continue;
            };
            let file = file(game, n_seats);
            if std::env::var_os("BLESS").is_some() {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, &record).unwrap();
            }
            let kept = fs::read(&file).unwrap_or_default();
            assert!(
                kept == record,
                "{} differs: if that is intended, raise RULES_VERSION and run `cargo xtask bless`",
                file.display()
            );
        }
    }
}
