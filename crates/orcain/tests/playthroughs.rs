//! Whole matches, kept as records, so that a change to any of them is noticed.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::path::PathBuf;

use kernel::record::{Origin, Recorder, verify};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Departure, Game, GameExt, MatchId, Seat, SeatSet, Step, Timestamp, Turn, doc, json};
use orcain::{Action, Event, Orcain, Setup};

/// The behavior of the seats in a playthrough.
#[derive(Clone, Copy)]
enum Manner {
    /// The seats still to act act; the deadline passes when there are none.
    Orderly,
    /// Any seat acts at any time, deadlines pass early, and a seat leaves in the end.
    Wild,
    /// Both defend in every round, so that neither is ever ahead.
    Peaceful,
}

struct Playthrough {
    name: &'static str,
    setup: &'static str,
    manner: Manner,
    seed: u64,
    ends: &'static str,
}

const DUPLICATES: &str = r#"{"steps": 4, "hands": [["attack", "attack", "heal", "counter"],
    ["defense", "attack", "defense", "attack"]]}"#;

const PLAYTHROUGHS: [Playthrough; 6] = [
    Playthrough {
        name: "standard-1",
        setup: "{}",
        manner: Manner::Orderly,
        seed: 1,
        ends: "seat 1 wins (normal)",
    },
    Playthrough {
        name: "standard-2",
        setup: "{}",
        manner: Manner::Orderly,
        seed: 2,
        ends: "seat 0 wins (normal)",
    },
    Playthrough {
        name: "standard-3",
        setup: "{}",
        manner: Manner::Orderly,
        seed: 3,
        ends: "seat 1 wins (normal)",
    },
    Playthrough {
        name: "wild",
        setup: "{}",
        manner: Manner::Wild,
        seed: 4,
        ends: "seat 0 wins (disconnect)",
    },
    Playthrough {
        name: "duplicates",
        setup: DUPLICATES,
        manner: Manner::Orderly,
        seed: 5,
        ends: "seat 0 wins (normal)",
    },
    Playthrough {
        name: "round-cap",
        setup: r#"{"round_cap": 6}"#,
        manner: Manner::Peaceful,
        seed: 6,
        ends: "draw (round_cap, cut off)",
    },
];

#[test]
fn playthroughs_are_as_blessed() {
    for playthrough in &PLAYTHROUGHS {
        let record = playthrough.play();
        let report = verify::<Orcain>(&record).unwrap_or_else(|fault| panic!("{fault}"));
        let outcome = report.outcome.unwrap().to_string();
        assert_eq!(outcome, playthrough.ends, "{}", playthrough.name);
        compare(playthrough.name, &record);
    }
}

#[test]
fn the_round_cap_is_reached_through_sudden_death() {
    let playthrough = &PLAYTHROUGHS[5];
    let sudden_death = |event: &Event| {
        matches!(
            event,
            Event::RoundStarted {
                sudden_death: true,
                ..
            }
        )
    };
    let n_rounds = playthrough
        .events()
        .iter()
        .filter(|it| sudden_death(it))
        .count();
    assert_eq!(n_rounds, 3, "rounds 4, 5 and 6");
}

/// Compares a record with the one in `testdata`, or writes it there if `BLESS` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "tests may read files and the BLESS variable"
)]
fn compare(name: &str, record: &[u8]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/orcain")
        .join(format!("{name}.jsonl"));
    if std::env::var("BLESS").is_ok() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, record).unwrap();
    }
    let blessed = std::fs::read(&path).unwrap_or_default();
    let lines = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes)
            .lines()
            .map(str::to_owned)
            .collect()
    };
    let (found, expected): (Vec<String>, Vec<String>) = (lines(record), lines(&blessed));
    for (idx, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "{name}, line {}", idx + 1);
    }
    assert_eq!(found.len(), expected.len(), "{name}: lines");
    assert!(record == blessed, "{name}: line ends");
}

impl Playthrough {
    fn play(&self) -> Vec<u8> {
        let mut recorder = self.recorder();
        self.drive(&mut recorder);
        recorder.finish()
    }

    fn events(&self) -> Vec<Event> {
        self.drive(&mut self.recorder())
    }

    fn recorder(&self) -> Recorder<Orcain> {
        let setup = json::read(self.setup.as_bytes()).unwrap();
        let setup = doc::parse::<Setup>(&setup).unwrap();
        let mut generator = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(self.seed));
        let game_id = MatchId::draw(&mut generator);
        let origin = Origin::Open(generator);
        Recorder::begin(
            &setup,
            game_id,
            origin,
            &["first", "second"],
            Timestamp::SIMULATED,
        )
    }

    fn drive(&self, recorder: &mut Recorder<Orcain>) -> Vec<Event> {
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1000 + self.seed));
        let mut at = Timestamp::SIMULATED;
        let mut events = Vec::new();
        while let Some(step) = self.manner.next(recorder.table().position(), &mut rng) {
            at = at.plus_ms(1000);
            events.extend_from_slice(recorder.apply(step, at).unwrap());
        }
        events
    }
}

impl Manner {
    /// The next step; `None` when the match is over.
    fn next(self, position: &Orcain, rng: &mut Generator) -> Option<Step<Action>> {
        let turn = position.turn();
        let seats = match (self, turn) {
            (_, Turn::Over(_)) => return None,
            (Manner::Orderly | Manner::Peaceful, _) => turn.missing(),
            (Manner::Wild, _) if rng.below(12) == 0 => return Some(Step::Deadline),
            (Manner::Wild, _) if position.round() > 2 && rng.below(8) == 0 => {
                let seat = Seat::new(rng.below(2) as usize)?;
                return Some(Step::Leave(SeatSet::only(seat), Departure::Disconnect));
            }
            (Manner::Wild, _) => turn.open(),
        };
        let Some(seat) = pick(seats, rng) else {
            return Some(Step::Deadline);
        };
        let action = match self {
            Manner::Peaceful => "draft:DH".parse().ok(),
            Manner::Orderly | Manner::Wild => {
                let id = position.legal(seat).sample(rng);
                id.and_then(|id| position.action(id))
            }
        };
        action.map(|action| Step::Play(seat, action))
    }
}

fn pick(seats: SeatSet, rng: &mut Generator) -> Option<Seat> {
    let rank = rng.below(seats.len() as u64) as usize;
    seats.iter().nth(rank)
}
