//! Random matches, recorded.

use kernel::fair::Opening;
use kernel::json::{Hash, Json, read, to_canonical};
use kernel::record::{Origin, RecordFault, Recorder, split_lines, verify};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{GameExt, MatchId, Recorded, Source, Step, Timestamp, Turn};

use crate::toys::armada::{self, Armada};
use crate::toys::smugglers::{self, Smugglers};

/// A generator with a small seed.
pub(crate) fn generator(kind: GeneratorKind, seed: u64) -> Generator {
    Generator::from_seed(kind, &Seed::from(seed))
}

/// The source of a match whose generator is public.
pub(crate) fn open_source(seed: u64) -> Source {
    Source::Open(generator(GeneratorKind::Pcg64, seed))
}

/// Like [`open_source`], for a recorder.
pub(crate) fn origin(seed: u64) -> Origin {
    Origin::Open(generator(GeneratorKind::Pcg64, seed))
}

/// A recorded match with its steps and hashes.
pub(crate) struct Played<G: Recorded> {
    pub(crate) record: Vec<u8>,
    pub(crate) steps: Vec<Step<G::Action>>,
    /// The hash of the table after each step and the chance that it caused.
    pub(crate) hashes: Vec<Hash>,
}

/// Plays a random match and records it. Occasionally the time runs out.
pub(crate) fn play<G: Recorded>(
    setup: &G::Setup,
    source: Source,
    opening: Option<Opening>,
    seed: u64,
) -> Played<G> {
    let mut rng = generator(GeneratorKind::Pcg64, seed ^ 0xabcd);
    let mut at = Timestamp::SIMULATED;
    let game_id = MatchId::draw(&mut rng);
    let mut recorder = Recorder::<G>::begin_at(setup, game_id, source, opening, &[], at);
    let (mut steps, mut hashes) = (Vec::new(), Vec::new());
    while let Some(step) = next_step(recorder.table().position(), &mut rng) {
        at = at.plus_ms(250);
        recorder.apply(step, at).unwrap();
        steps.push(step);
        hashes.push(recorder.table().state_hash());
    }
    Played {
        record: recorder.finish(),
        steps,
        hashes,
    }
}

fn next_step<G: Recorded>(position: &G, rng: &mut Generator) -> Option<Step<G::Action>> {
    let turn = position.turn();
    assert_ne!(turn, Turn::Chance, "a recorder draws all chance");
    if turn.outcome().is_some() {
        return None;
    }
    let asked: Vec<_> = turn.missing().iter().collect();
    if asked.is_empty() || rng.below(12) == 0 {
        return Some(Step::Deadline);
    }
    let seat = asked[rng.below(asked.len() as u64) as usize];
    let id = position.legal(seat).sample(rng).unwrap();
    Some(Step::Play(seat, position.action(id).unwrap()))
}

/// A short match with discards.
pub(crate) fn smugglers() -> smugglers::Setup {
    smugglers::Setup {
        hand_limit: 1,
        max_turns: 9,
        n_each: 6,
        points_to_win: 3,
        set_size: 3,
    }
}

/// A short match with battles.
pub(crate) fn armada() -> armada::Setup {
    armada::Setup {
        max_turns: 5,
        n_factions: 3,
        n_systems: 5,
    }
}

/// Records of both games, each with the function that verifies it.
pub(crate) fn records() -> [Case; 2] {
    let smugglers = play::<Smugglers>(&smugglers(), open_source(3), None, 3);
    let armada = (0..200)
        .map(|seed| play::<Armada>(&armada(), open_source(seed), None, seed))
        .find(|played| n_with_chance(&played.record) > 1)
        .unwrap();
    [
        Case {
            record: smugglers.record,
            verify: |bytes| verify::<Smugglers>(bytes),
        },
        Case {
            record: armada.record,
            verify: |bytes| verify::<Armada>(bytes),
        },
    ]
}

/// The number of lines with chance.
fn n_with_chance(record: &[u8]) -> usize {
    let has_chance = |line: &&Json| line.pointer("/result/chance").is_some();
    documents(record).iter().filter(has_chance).count()
}

/// A record, and the function that verifies it.
pub(crate) struct Case {
    pub(crate) record: Vec<u8>,
    pub(crate) verify: fn(&[u8]) -> Result<kernel::record::Report, RecordFault>,
}

impl Case {
    /// The line and the code of the first fault in the bytes.
    pub(crate) fn fault(&self, bytes: &[u8]) -> (usize, &'static str) {
        match (self.verify)(bytes) {
            Ok(report) => panic!("accepted: {report:?}"),
            Err(fault) => (fault.line, fault.code),
        }
    }
}

/// The lines of a record, without their line ends.
pub(crate) fn lines(record: &[u8]) -> Vec<Vec<u8>> {
    let (lines, torn) = split_lines(record);
    assert!(torn.is_empty());
    lines.map(<[u8]>::to_vec).collect()
}

pub(crate) fn join<L: AsRef<[u8]>>(lines: &[L]) -> Vec<u8> {
    let ended = lines.iter().map(|line| [line.as_ref(), b"\n"].concat());
    ended.collect::<Vec<_>>().concat()
}

/// The lines of a record as documents.
pub(crate) fn documents(record: &[u8]) -> Vec<Json> {
    let lines = lines(record);
    lines.iter().map(|line| read(line).unwrap()).collect()
}

/// Writes lines as a record with a matching chain, as a careful forger would.
pub(crate) fn rechain(lines: &[Json]) -> Vec<u8> {
    let mut chain = [0; 32];
    let mut out = Vec::new();
    for line in lines {
        let mut fields = line.as_object().unwrap().clone();
        fields.remove("chain");
        let body = to_canonical(&Json::Object(fields.clone())).unwrap();
        let hash = Hash::of_bytes(&[chain.as_slice(), body.as_slice()].concat());
        fields.insert("chain".to_owned(), Json::Text(hash.to_string()));
        out.extend(to_canonical(&Json::Object(fields)).unwrap());
        out.push(b'\n');
        chain = *hash.as_bytes();
    }
    out
}

/// The value at a path in a document, to change it.
pub(crate) fn at<'a>(document: &'a mut Json, path: &str) -> &'a mut Json {
    path.split('/').fold(document, |value, step| match value {
        Json::Object(fields) => fields.get_mut(step).unwrap(),
        Json::List(items) => &mut items[step.parse::<usize>().unwrap()],
        other => panic!("{step} of {other}"),
    })
}
