//! The rules hold for any sequence of inputs, legal or not: refusals change nothing, hit points
//! stay in range, a match ends once, the position restores from its snapshot, and no view reveals
//! what its viewer must not know.
#![no_main]

use arbitrary::Arbitrary;
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{
    ActionId, Departure, Game, GameExt, MatchId, Redraw, Seat, SeatSet, Source, Step, Table,
    Viewer, json,
};
use libfuzzer_sys::fuzz_target;
use orcain::{Card, Event, Hand, Orcain, RawSetup, Setup};

#[derive(Arbitrary, Debug)]
struct Match {
    setup: [u8; 6],
    hands: [[u8; 4]; 2],
    inputs: Vec<Input>,
}

#[derive(Arbitrary, Debug)]
enum Input {
    Play {
        seat: u8,
        id: u16,
    },
    Deadline,
    Chance(u64),
    Leave {
        first: bool,
        second: bool,
        third: bool,
        cause: u8,
    },
}

fn setup_of(given: &Match) -> Option<Setup> {
    let [max_hp, start_hp, round_limit, round_cap, steps, drafts_max] = given.setup;
    let card = |idx: u8| Card::ALL[usize::from(idx) % 4];
    Setup::try_from(RawSetup {
        drafts_max,
        hands: given.hands.map(|hand| Hand::new(hand.map(card))),
        max_hp,
        round_cap,
        round_limit,
        start_hp,
        steps: steps % 6,
    })
    .ok()
}

fn step_of(input: &Input, position: &Orcain) -> Option<Step<orcain::Action>> {
    Some(match *input {
        Input::Play { seat, id } => {
            let id = ActionId::new(usize::from(id) % position.n_actions());
            Step::Play(Seat::new(usize::from(seat % 3))?, position.action(id)?)
        }
        Input::Deadline => Step::Deadline,
        Input::Chance(draw) => Step::Chance(kernel::Draw(draw)),
        Input::Leave {
            first,
            second,
            third,
            cause,
        } => {
            let flags = [first, second, third].into_iter().enumerate();
            let seats: SeatSet = flags
                .filter(|it| it.1)
                .filter_map(|it| Seat::new(it.0))
                .collect();
            Step::Leave(
                seats,
                Departure::ALL[usize::from(cause) % Departure::ALL.len()],
            )
        }
    })
}

fn check_position(position: &Orcain, rng: &mut Generator) {
    assert!(
        position
            .hp()
            .iter()
            .all(|hp| *hp <= position.setup().max_hp)
    );
    let source = Source::Open(rng.clone());
    let table = Table::at(*position, MatchId::draw(rng), source);
    let document = json::from_value(&table.snapshot()).expect("no floats");
    assert_eq!(
        Table::<Orcain>::restore(&document).expect("it restores"),
        table
    );
    for viewer in Viewer::all(2) {
        let drawn = position.redraw(viewer, rng);
        let bytes = |it: &Orcain| json::to_canonical(&it.view(viewer)).expect("no floats");
        assert_eq!(bytes(position), bytes(&drawn));
    }
}

fuzz_target!(|given: Match| {
    let Some(setup) = setup_of(&given) else {
        return;
    };
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
    let mut position = Orcain::start(&setup);
    let mut n_ends = 0;
    for input in &given.inputs {
        let Some(step) = step_of(input, &position) else {
            continue;
        };
        let before = position;
        let mut events: Vec<Event> = Vec::new();
        match position.apply(step, &mut events) {
            Err(_) => assert!(position == before && events.is_empty()),
            Ok(()) => {
                assert!(before.outcome().is_none(), "nothing happens after the end");
                let ends = |event: &&Event| matches!(event, Event::MatchEnded { .. });
                n_ends += events.iter().filter(ends).count();
                assert_eq!(n_ends, usize::from(position.outcome().is_some()));
                check_position(&position, &mut rng);
            }
        }
    }
});
