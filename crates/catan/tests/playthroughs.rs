//! Whole matches, kept as records and digests, so that a change to any of them is noticed.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::fmt::Write as _;
use std::path::PathBuf;

use catan::{Action, Catan, Setup};
use kernel::fair::{Opening, Part};
use kernel::record::{Chance, Origin, Recorder, verify};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Game, GameExt, Mask, MatchId, Seat, Source, Step, Table, Timestamp, Turn, doc, json};

struct Playthrough {
    name: &'static str,
    setup: &'static str,
    generator: GeneratorKind,
    seed: u64,
    /// One decision in this many is left to the deadline; 0 for none.
    deadlines: u64,
    ends: &'static str,
}

const PLAYTHROUGHS: [Playthrough; 4] = [
    Playthrough {
        name: "turn-cap",
        setup: r#"{"max_turns": 16}"#,
        generator: GeneratorKind::PyRandom,
        seed: 1,
        deadlines: 0,
        ends: "draw (turn_cap, cut off)",
    },
    Playthrough {
        name: "five-points",
        setup: r#"{"vp_to_win": 5, "player_trades": "off"}"#,
        generator: GeneratorKind::Pcg64,
        seed: 2,
        deadlines: 0,
        ends: "wins (points)",
    },
    Playthrough {
        name: "variants",
        setup: r#"{"board": "random", "dice": "bag36", "friendly_robber": true,
            "discard_rule": "to_threshold", "discard_threshold": 4, "max_turns": 40}"#,
        generator: GeneratorKind::ChaCha20,
        seed: 3,
        deadlines: 0,
        ends: "draw (turn_cap, cut off)",
    },
    Playthrough {
        name: "deadlines",
        setup: r#"{"discard_threshold": 3, "max_turns": 40}"#,
        generator: GeneratorKind::Numpy,
        seed: 4,
        deadlines: 4,
        ends: "draw (turn_cap, cut off)",
    },
];

#[test]
fn playthroughs_are_as_blessed() {
    let mut ends = Vec::new();
    for playthrough in &PLAYTHROUGHS {
        let record = playthrough.play();
        let report = verify::<Catan>(&record).unwrap_or_else(|fault| panic!("{fault}"));
        let outcome = report.outcome.unwrap().to_string();
        compare(&format!("{}.jsonl", playthrough.name), &record);
        if !outcome.ends_with(playthrough.ends) {
            ends.push(format!("{}: {outcome}", playthrough.name));
        }
    }
    assert!(ends.is_empty(), "{ends:?}");
}

#[test]
fn a_match_with_a_joint_seed_is_as_blessed() {
    let part = |seat, n: u8| Part::new(seat, Opening::new([n; 32], [n + 1; 32]), [n + 2; 32]);
    let parts = vec![part(Seat::FIRST, 1), part(Seat::SECOND, 4)];
    let short = Playthrough {
        setup: r#"{"max_turns": 8}"#,
        ..PLAYTHROUGHS[0]
    };
    let record = short.record(Origin::Committed(Opening::joint(parts, [7; 32])));
    let report = verify::<Catan>(&record).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(report.chance, Chance::Joint);
    compare("joint.jsonl", &record);
}

#[test]
fn records_hold_composite_actions() {
    let mut all = String::new();
    for seed in 0..40 {
        let playthrough = Playthrough {
            setup: r#"{"max_turns": 150, "discard_threshold": 4}"#,
            seed,
            ..PLAYTHROUGHS[0]
        };
        all.push_str(&String::from_utf8(playthrough.play()).unwrap());
    }
    let wanted = [
        r#""type": "PLAY_KNIGHT""#,
        r#""card": "ROAD_BUILDING", "edges": ["#,
        r#""card": "YEAR_OF_PLENTY", "resources": {"#,
        r#""card": "MONOPOLY", "resource": ""#,
        r#""type": "DISCARD""#,
        r#""payload": {}, "player_id": 0, "result": {"chance": [["#,
        r#""type": "TRADE_PORT""#,
        r#""type": "TRADE_ACCEPT""#,
        r#""offer": {"BRICK": 1, ""#,
    ];
    for text in wanted {
        assert!(all.contains(text), "no record holds {text}");
    }
    assert!(
        !all.contains(r#""free": true"#),
        "free roads are in their card's line"
    );
}

#[test]
fn digests_of_random_matches_are_as_blessed() {
    let mut lines = String::new();
    let mut mask = Mask::default();
    for seed in 0..256u64 {
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
        let game_id = MatchId::draw(&mut rng);
        let mut at = Catan::start(&Setup::default());
        let mut n_steps = 0;
        loop {
            let step = match at.turn() {
                Turn::Over(_) => break,
                Turn::Chance => Step::Chance(at.odds().draw(&mut rng)),
                turn => {
                    let seat = turn.open().lowest().unwrap();
                    at.fill_legal(seat, &mut mask);
                    let id = mask.sample(&mut rng).unwrap();
                    Step::Play(seat, at.action(id).unwrap())
                }
            };
            at.apply_trusted(step, &mut kernel::Discard);
            n_steps += 1;
        }
        let outcome = at.outcome().unwrap();
        let hash = Table::at(at, game_id, Source::Open(rng)).state_hash();
        writeln!(lines, "{seed} {n_steps} {outcome} {hash}").unwrap();
    }
    compare("digests.txt", lines.as_bytes());
}

/// Compares bytes with those in `testdata`, or writes them there if `BLESS` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "tests may read files and the BLESS variable"
)]
fn compare(name: &str, found: &[u8]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/catan");
    let path = folder.join(name);
    if std::env::var("BLESS").is_ok() {
        std::fs::write(&path, found).unwrap();
    }
    let blessed = std::fs::read(&path).unwrap_or_default();
    let [found, blessed] = [found, &blessed].map(String::from_utf8_lossy);
    for (idx, (found, blessed)) in found.lines().zip(blessed.lines()).enumerate() {
        assert_eq!(found, blessed, "{name}, line {}", idx + 1);
    }
    assert!(found == blessed, "{name}: different number of lines");
}

impl Playthrough {
    fn play(&self) -> Vec<u8> {
        let generator = Generator::from_seed(self.generator, &Seed::from(self.seed));
        self.record(Origin::Open(generator))
    }

    fn record(&self, origin: Origin) -> Vec<u8> {
        let setup = json::read(self.setup.as_bytes()).unwrap();
        let setup = doc::parse::<Setup>(&setup).unwrap();
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1000 + self.seed));
        let game_id = MatchId::draw(&mut rng);
        let mut at = Timestamp::SIMULATED;
        let seats = ["first", "second"];
        let mut recorder = Recorder::<Catan>::begin(&setup, game_id, origin, &seats, at);
        while let Some(step) = self.next(recorder.table().position(), &mut rng) {
            at = at.plus_ms(1000);
            recorder.apply(step, at).unwrap();
        }
        recorder.finish()
    }

    fn next(&self, position: &Catan, rng: &mut Generator) -> Option<Step<Action>> {
        let seat = position.turn().open().lowest()?;
        if self.deadlines > 0 && rng.below(self.deadlines) == 0 {
            return Some(Step::Deadline);
        }
        let id = position.legal(seat).sample(rng)?;
        position.action(id).map(|action| Step::Play(seat, action))
    }
}
