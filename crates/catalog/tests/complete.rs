//! Checks that every game of the catalog is complete.
//!
//! Promise: A game of the catalog has its documents, vectors and tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use catalog::{GameName, Roster, with_game};
use kernel::conformance::Suite;
use kernel::{Describe, GameExt, Observe, Recorded, Redraw, Viewer, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_game_has_its_documents_vectors_and_tests() {
    let mut missing = Vec::new();
    for game in GameName::ALL {
        let crate_dir = format!("crates/{game}");
        for part in [
            format!("docs/rules/{game}.md"),
            format!("{crate_dir}/tests/conformance.rs"),
            format!("{crate_dir}/clippy.toml"),
        ] {
            if !root().join(&part).is_file() {
                missing.push(part);
            }
        }
        let rules = ["rules.rs", "rules/main.rs"].map(|it| format!("{crate_dir}/tests/{it}"));
        if !rules.iter().any(|it| root().join(it).is_file()) {
            missing.push(rules[0].clone());
        }
        let vectors = root().join(format!("testdata/{game}"));
        let n_vectors = vectors.read_dir().map_or(0, Iterator::count);
        if n_vectors == 0 {
            missing.push(format!("testdata/{game}/…"));
        }
    }
    assert!(missing.is_empty(), "missing: {missing:?}");
}

#[test]
fn the_architecture_fits_in_eight_kilobytes() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(text.len() <= 8 * 1024, "{} bytes", text.len());
}

#[test]
fn every_relative_link_in_the_docs_resolves() {
    let mut documents = vec![
        "README.md".into(),
        "ARCHITECTURE.md".into(),
        "CONTRIBUTING.md".into(),
    ];
    for folder in ["docs", "docs/decisions", "docs/rules"] {
        let entries = root().join(folder).read_dir().unwrap();
        let files = entries.map(|entry| PathBuf::from(folder).join(entry.unwrap().file_name()));
        documents.extend(files.filter(|file| file.extension().is_some_and(|it| it == "md")));
    }
    let mut broken = Vec::new();
    for document in documents {
        let text = std::fs::read_to_string(root().join(&document)).unwrap();
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = document
                .parent()
                .map(|folder| root().join(folder).join(file));
            let leads = match (file, place) {
                ("", place) => text
                    .lines()
                    .any(|line| heading(line) == Some(place.to_owned())),
                _ => file.contains("://") || target.is_some_and(|it| it.exists()),
            };
            if !leads {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}

/// The anchor of a heading in links.
fn heading(line: &str) -> Option<String> {
    let title = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let kept = title
        .chars()
        .filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    Some(kept.collect::<String>().to_lowercase().replace(' ', "-"))
}

/// A game that lacks one of these capabilities does not compile here.
fn has_every_part<G: Recorded + Redraw + Observe + Describe>() {
    let setup = G::Setup::default();
    let position = G::start(&setup);
    assert!(
        !G::observation(&setup).is_empty(),
        "{}: observation",
        G::NAME
    );
    assert!(!G::SUMMARY.is_empty(), "{}: summary", G::NAME);
    assert!(position.actions().count() > 0, "{}: actions", G::NAME);
    for viewer in Viewer::all(position.n_seats()) {
        let view = json::to_canonical(&position.view(viewer));
        assert!(view.is_ok_and(|bytes| bytes.len() > 2), "{}: view", G::NAME);
    }
    for schema in [G::setup_schema(), G::snapshot_schema()] {
        assert!(schema.get("title").is_some(), "{}: schema title", G::NAME);
    }
    assert!(
        G::tables(&setup).as_object().is_some(),
        "{}: tables",
        G::NAME
    );
    assert!(!Suite::<G>::checks().is_empty());
}

#[test]
fn every_game_has_every_capability() {
    for game in GameName::ALL {
        with_game!(game, G => has_every_part::<G>());
    }
}

#[test]
fn names_round_trip_and_unknown_names_are_refused() {
    for game in GameName::ALL {
        assert_eq!(game.to_string().parse(), Ok(game));
        assert_eq!(
            game.name(),
            game.as_str(),
            "documents and commands use the same name"
        );
    }
    let error = "chess".parse::<GameName>().unwrap_err();
    let known = GameName::ALL.map(GameName::as_str).join(", ");
    assert_eq!(
        error.to_string(),
        format!("there is no game \"chess\"; the games are: {known}")
    );
}

#[test]
fn every_game_offers_the_generic_agents_and_no_name_twice() {
    for game in GameName::ALL {
        let names: Vec<&str> =
            with_game!(game, G => G::AGENTS.iter().map(|(name, _)| *name).collect());
        assert_eq!(names[..2], ["random", "mcts"], "{game}");
        let different: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(different.len(), names.len(), "{game}: {names:?}");
        for name in names {
            with_game!(game, G => assert!(G::agent(name, &Default::default()).is_ok(), "{name}"));
        }
    }
}
