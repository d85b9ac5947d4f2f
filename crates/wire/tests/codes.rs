//! Every code that the rules use to refuse a decision has a sentence in the docs.

use std::collections::BTreeSet;

use catalog::{GameName, with_game};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{ActionId, Discard, GameExt, Seat, Step, Turn};
use session::Live;
use wire::codes::ACK_CODES;

const N_STEPS: usize = 600;
/// Actions to try in each position.
const N_TRIED: u64 = 40;

// Promise: Every code that refuses a decision has a sentence in the docs.
#[test]
fn every_code_that_refuses_a_decision_is_documented() {
    for game in GameName::ALL {
        with_game!(game, G => refusals_are_listed::<G>());
    }
}

fn refusals_are_listed<G: Live>() {
    let listed = listed::<G>();
    let mut seen = BTreeSet::new();
    for seed in 0..4 {
        let mut rng = Generator::from_seed(GeneratorKind::PyRandom, &Seed::from(seed));
        let mut position = G::start(&G::Setup::default());
        for _ in 0..N_STEPS {
            let seats = position.turn().open();
            seen.extend(
                seats
                    .iter()
                    .flat_map(|seat| refused(&position, seat, &mut rng)),
            );
            match next(&position, &mut rng) {
                Some(step) => assert_eq!(position.apply(step, &mut Discard), Ok(())),
                None => break,
            }
        }
    }
    let unlisted: Vec<&&str> = seen.difference(&listed).collect();
    assert!(
        unlisted.is_empty(),
        "{}: no sentence for the codes {unlisted:?}",
        G::NAME
    );
    assert!(!seen.is_empty(), "{}: nothing was refused", G::NAME);
}

fn listed<G: Live>() -> BTreeSet<&'static str> {
    let codes: Vec<&str> = ACK_CODES.iter().chain(G::REFUSALS).map(|it| it.0).collect();
    let listed: BTreeSet<&str> = codes.iter().copied().collect();
    assert_eq!(listed.len(), codes.len(), "{} lists a code twice", G::NAME);
    listed
}

fn refused<G: Live>(position: &G, seat: Seat, rng: &mut Generator) -> BTreeSet<&'static str> {
    let any = |_| ActionId::new(rng.below(position.n_actions() as u64) as usize);
    let tried = (0..N_TRIED).map(any).filter_map(|id| position.action(id));
    let reasons = tried.filter_map(|action| position.refuse(seat, action));
    reasons.map(|reason| reason.0).collect()
}

fn next<G: Live>(position: &G, rng: &mut Generator) -> Option<Step<G::Action>> {
    let seat = match position.turn() {
        Turn::Over(_) => return None,
        Turn::Chance => return Some(Step::Chance(position.odds().draw(rng))),
        turn => turn.missing().lowest(),
    };
    let Some(seat) = seat else {
        return Some(Step::Deadline);
    };
    let action = position.legal(seat).sample(rng);
    let action = action.and_then(|id| position.action(id));
    Some(action.map_or(Step::Deadline, |action| Step::Play(seat, action)))
}
