//! A valid record with any bytes changed, added or removed is refused, unless it is truncated
//! at the end of a line before the match is over.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use kernel::record::{Origin, Recorder, verify};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Game, GameExt, MatchId, Step, Timestamp, Turn};
use libfuzzer_sys::fuzz_target;
use orcain::{Orcain, Setup};

#[derive(Arbitrary, Debug)]
struct Change {
    at: u16,
    n_removed: u8,
    added: Vec<u8>,
}

static RECORD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
    let at = Timestamp::SIMULATED;
    let origin = Origin::Open(rng.clone());
    let game_id = MatchId::draw(&mut rng);
    let mut recorder = Recorder::<Orcain>::begin(&Setup::default(), game_id, origin, &[], at);
    loop {
        let position = *recorder.table().position();
        let turn = position.turn();
        let seat = turn.missing().lowest();
        let step = match (turn, seat) {
            (Turn::Over(_), _) => return recorder.finish(),
            (_, None) => Step::Deadline,
            (_, Some(seat)) => {
                let id = position
                    .legal(seat)
                    .sample(&mut rng)
                    .expect("a missing seat may act");
                Step::Play(seat, position.action(id).expect("the mask has actions"))
            }
        };
        recorder.apply(step, at).expect("the step is legal");
    }
});

fuzz_target!(|changes: Vec<Change>| {
    let mut bytes = RECORD.clone();
    for change in &changes {
        let from = usize::from(change.at) % (bytes.len() + 1);
        let to = (from + usize::from(change.n_removed)).min(bytes.len());
        bytes.splice(from..to, change.added.iter().copied());
    }
    let cut_short = RECORD.starts_with(&bytes) && bytes.ends_with(b"\n");
    let accepted = verify::<Orcain>(&bytes).is_ok();
    assert!(!accepted || bytes == *RECORD || cut_short);
});
