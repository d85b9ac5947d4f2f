//! The shortcuts of the rules in lockstep with the rules step by step, in matches with any setup.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Discard, Game, GameExt, Seat, Step};
use orcain::{Action, Card, Hand, Orcain, RawSetup, Setup};

const N_SETUPS: u32 = 4000;
const MATCHES_PER_SETUP: u32 = 25;

/// A random setup: half of them with the standard rounds, the others with anything.
fn setup(rng: &mut Generator) -> Setup {
    let standard = rng.below(2) == 0;
    let mut up_to = |most: u64| 1 + rng.below(most) as u8;
    let max_hp = if standard { 10 } else { up_to(20) };
    let round_limit = up_to(4);
    let cards = [(); 2].map(|()| [(); 4].map(|()| Card::ALL[usize::from(up_to(4)) - 1]));
    let raw = RawSetup {
        drafts_max: up_to(3),
        hands: cards.map(Hand::new),
        max_hp,
        start_hp: up_to(max_hp.into()),
        steps: if standard { 3 } else { up_to(4) },
        round_limit,
        round_cap: round_limit + up_to(6),
    };
    Setup::try_from(raw).unwrap()
}

/// Decisions for a round: of both seats, of one, or of none.
fn draw(position: &Orcain, rng: &mut Generator) -> Vec<(Seat, Action)> {
    let missing = position.turn().missing();
    let mut plays = Vec::new();
    for seat in missing.iter() {
        let (id, action) = position.choices(seat).unwrap().sample(rng).unwrap();
        assert!(position.legal(seat).allows(id));
        assert_eq!(position.action(id), Some(action));
        plays.push((seat, action));
    }
    plays
}

/// Plays decisions one by one, checked and with events, then the deadlines that follow.
fn play_singly(position: &mut Orcain, plays: &[(Seat, Action)]) -> u64 {
    let (mut events, mut n_passed) = (Vec::new(), 0);
    for &(seat, action) in plays {
        position.play(seat, action, &mut events).unwrap();
    }
    while position.outcome().is_none() && position.turn().missing().is_empty() {
        position.apply(Step::Deadline, &mut events).unwrap();
        n_passed += 1;
    }
    n_passed
}

#[test]
fn rounds_played_at_once_equal_rounds_played_step_by_step() {
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(18));
    for _ in 0..N_SETUPS {
        let setup = setup(&mut rng);
        for _ in 0..MATCHES_PER_SETUP {
            let mut fast = Orcain::start(&setup);
            let mut plain = fast;
            while plain.outcome().is_none() {
                miss_or_draft(&mut fast, &mut plain, &mut rng);
                let plays = draw(&fast, &mut rng);
                let n_fast = fast.play_sealed_trusted(&plays, &mut Discard);
                let n_plain = play_singly(&mut plain, &plays);
                assert_eq!((fast, n_fast), (plain, n_plain), "{plays:?}");
            }
        }
    }
}

/// Now and then one seat drafts before the round is played, or the deadline passes before anyone
/// decides, so that the round is not the usual one.
fn miss_or_draft(fast: &mut Orcain, plain: &mut Orcain, rng: &mut Generator) {
    let step = match rng.below(8) {
        0 => Step::Deadline,
        1 => match draw(plain, rng).first() {
            Some(&(seat, action)) => Step::Play(seat, action),
            None => return,
        },
        _ => return,
    };
    plain.apply(step, &mut Vec::new()).unwrap();
    fast.apply_trusted(step, &mut Discard);
    play_singly(plain, &[]);
    fast.pass_time_trusted(&mut Discard);
    assert_eq!(fast, plain);
}
