//! Random matches, chaotic ones included, compared with a model of their life cycle.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

mod model;

use std::collections::{BTreeMap, BTreeSet};

use kernel::doc::Named;
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{
    Close, Departure, Draw, Event as _, Game, GameExt, Recorded, Redraw, Seat, SeatSet, Step,
    Table, Turn, Viewer, json,
};
use model::{Constants, Input, Model, Shown};
use orcain::{Action, Card, Event, Hand, Layout, Orcain, RawSetup, Setup, Stage};
use proptest::prelude::*;

const HANDS: [&str; 6] = ["ADHC", "AAHC", "AAAA", "HHDC", "CADA", "DDHH"];

fn constants() -> impl Strategy<Value = Constants> {
    let hands = [0..HANDS.len(), 0..HANDS.len()];
    (
        hands,
        1..=4usize,
        1..=10i64,
        0..=4i64,
        1..=4u32,
        0..=4u32,
        prop_oneof![1..=3u32, Just(240)],
    )
        .prop_map(
            |(hands, n_steps, start_hp, above, limit, more, drafts_max)| Constants {
                hands: hands.map(|idx| HANDS[idx].to_owned()),
                n_steps,
                start_hp,
                max_hp: start_hp + above,
                limit,
                cap: limit + more,
                drafts_max,
            },
        )
}

/// An input before it is fitted to a hand.
#[derive(Clone, Debug)]
enum Rough {
    /// Any input, legal or not.
    Any(Input),
    /// Cards of the hand in this order, in all slots.
    Confirm(usize, usize),
    /// Cards of the hand in this order, in the slots of this bit mask.
    Draft(usize, usize, u8),
}

fn rough() -> impl Strategy<Value = Rough> {
    let seat = || prop_oneof![20 => 0..2usize, 1 => 2..16usize];
    let letters = |chars: &'static str| proptest::string::string_regex(chars).unwrap();
    let cause = prop_oneof![
        Just("disconnect"),
        Just("resign"),
        Just("cancel"),
        Just("timeout")
    ];
    let leave = (proptest::collection::vec(seat(), 0..=2), cause);
    prop_oneof![
        18 => Just(Rough::Any(Input::Deadline)),
        8 => (0..2usize, 0..24usize).prop_map(|(seat, order)| Rough::Confirm(seat, order)),
        8 => (0..2usize, 0..24usize, 0..16u8).prop_map(|(seat, order, gaps)| {
            Rough::Draft(seat, order, gaps)
        }),
        3 => (seat(), letters("[ADHC-]{1,4}")).prop_map(|(seat, it)| {
            Rough::Any(Input::Draft(seat, it))
        }),
        3 => (seat(), letters("[ADHC]{1,4}")).prop_map(|(seat, it)| {
            Rough::Any(Input::Confirm(seat, it))
        }),
        1 => Just(Rough::Any(Input::Chance)),
        1 => leave.prop_map(|(seats, cause)| Rough::Any(Input::Leave(seats, cause))),
    ]
}

impl Rough {
    fn for_hands(&self, constants: &Constants) -> Input {
        match self {
            Rough::Any(input) => input.clone(),
            Rough::Confirm(seat, order) => {
                let cards = reordered(&constants.hands[*seat], *order);
                Input::Confirm(*seat, cards[..constants.n_steps].iter().collect())
            }
            Rough::Draft(seat, order, gaps) => {
                let cards = reordered(&constants.hands[*seat], *order);
                let slot = |idx: usize| {
                    if gaps >> idx & 1 == 1 {
                        cards[idx]
                    } else {
                        '-'
                    }
                };
                Input::Draft(*seat, (0..constants.n_steps).map(slot).collect())
            }
        }
    }
}

fn reordered(hand: &str, order: usize) -> Vec<char> {
    let mut left: Vec<char> = hand.chars().collect();
    let mut order = order;
    (1..=4)
        .rev()
        .map(|n| {
            let card = left.remove(order % n);
            order /= n;
            card
        })
        .collect()
}

fn setup_of(constants: &Constants) -> Setup {
    let hand = |text: &String| {
        let cards: Vec<Card> = text.chars().filter_map(Card::from_letter).collect();
        Hand::new(cards.try_into().unwrap())
    };
    let raw = RawSetup {
        drafts_max: constants.drafts_max as u8,
        hands: [hand(&constants.hands[0]), hand(&constants.hands[1])],
        max_hp: constants.max_hp as u8,
        round_cap: constants.cap as u8,
        round_limit: constants.limit as u8,
        start_hp: constants.start_hp as u8,
        steps: constants.n_steps as u8,
    };
    Setup::try_from(raw).unwrap()
}

fn step_of(input: &Input) -> Step<Action> {
    let seat = |idx: usize| Seat::new(idx).unwrap();
    match input {
        Input::Draft(idx, letters) => {
            Step::Play(seat(*idx), format!("draft:{letters}").parse().unwrap())
        }
        Input::Confirm(idx, letters) => {
            Step::Play(seat(*idx), format!("confirm:{letters}").parse().unwrap())
        }
        Input::Deadline => Step::Deadline,
        Input::Leave(seats, code) => {
            let cause = Departure::ALL.into_iter().find(|it| it.name() == *code);
            let seats: SeatSet = seats.iter().map(|&idx| seat(idx)).collect();
            Step::Leave(seats, cause.unwrap())
        }
        Input::Chance => Step::Chance(Draw(0)),
    }
}

/// The game and the model in lockstep.
struct Lockstep {
    constants: Constants,
    game: Orcain,
    model: Model,
    n_ends: usize,
}

impl Lockstep {
    fn start(constants: Constants) -> Lockstep {
        let both = Lockstep {
            game: Orcain::start(&setup_of(&constants)),
            model: Model::new(&constants),
            constants,
            n_ends: 0,
        };
        both.compare();
        both
    }

    fn feed(&mut self, input: &Input) {
        let before = self.game;
        let mut events = Vec::new();
        let verdict = self.game.apply(step_of(input), &mut events);
        let refusal = self.model.refusal(&self.constants, input);
        assert_eq!(
            verdict.err().map(|it| it.code()),
            refusal,
            "{input:?} in {before}"
        );
        if refusal.is_some() {
            assert_eq!(self.game, before, "{input:?} was refused");
            assert_eq!(events, [], "{input:?} was refused");
            return;
        }
        self.model.take(&self.constants, input);
        self.count_ends(&events);
        self.compare();
        hidden_from_the_others(input, &before, &self.game, &events);
        never_grass(&self.game, &events);
    }

    fn count_ends(&mut self, events: &[Event]) {
        assert!(!events.is_empty(), "an accepted input causes an event");
        let is_end = |event: &Event| Named::name(event) == "MATCH_ENDED";
        let n_ends = events.iter().filter(|it| is_end(it)).count();
        assert_eq!(
            n_ends,
            usize::from(events.last().is_some_and(is_end)),
            "the end comes last"
        );
        self.n_ends += n_ends;
        assert_eq!(self.n_ends, usize::from(self.model.phase == "END"));
    }

    fn compare(&self) {
        let (game, model) = (&self.game, &self.model);
        let view = game.view(Viewer::Public);
        assert_eq!(game.hp().map(i64::from), model.hp, "{game}");
        assert_eq!(u32::from(game.round()), model.round, "{game}");
        assert_eq!(game.turn_number(), model.round, "{game}");
        assert_eq!(view.phase.name(), model.phase, "{game}");
        assert_eq!(game.is_sudden_death(), model.sudden_death, "{game}");
        assert_eq!(
            game.afk_streaks().map(u32::from),
            model.afk_streak,
            "{game}"
        );
        assert_eq!(shown_in(&view), model.shown, "{game}");
        assert_eq!(result_of(game), model.result, "{game}");
        let is_prep = model.phase == "PREP";
        let open = |idx: usize| is_prep && model.confirmed[idx].is_none();
        let missing = |idx: usize| is_prep && !model.had_draft[idx];
        for seat in Seat::first(2) {
            let turn = game.turn();
            assert_eq!(turn.open().contains(seat), open(seat.index()), "{game}");
            assert_eq!(
                turn.missing().contains(seat),
                missing(seat.index()),
                "{game}"
            );
            assert_eq!(game.legal(seat).is_empty(), !open(seat.index()), "{game}");
        }
        assert_eq!(
            game.turn() == Turn::Clock,
            model.phase == "REVEAL",
            "{game}"
        );
    }

    /// The mask allows exactly what the model does not refuse.
    fn compare_masks(&self) {
        for seat in Seat::first(2) {
            let mask = self.game.legal(seat);
            for (id, action) in self.game.actions() {
                let letters: String = action
                    .layout()
                    .slots(self.constants.n_steps)
                    .map(|slot| slot.map_or('-', Card::letter))
                    .collect();
                let input = match action {
                    Action::Draft(_) => Input::Draft(seat.index(), letters),
                    Action::Confirm(_) => Input::Confirm(seat.index(), letters),
                };
                let refusal = self.model.refusal(&self.constants, &input);
                assert_eq!(
                    mask.allows(id),
                    refusal.is_none(),
                    "{input:?} in {}",
                    self.game
                );
            }
        }
    }
}

fn shown_in(view: &orcain::View) -> Vec<Shown> {
    let exchanges = view.exchanges.as_slice().iter();
    exchanges
        .map(|it| Shown {
            cards: it.cards.map(|slot| slot.map_or('G', Card::letter)),
            before: it.hp_before.map(i64::from),
            after: it.hp_after.map(i64::from),
        })
        .collect()
}

fn result_of(game: &Orcain) -> Option<(Vec<usize>, &'static str, &'static str, bool)> {
    let outcome = game.outcome()?;
    let winners = outcome.winners().iter().map(Seat::index).collect();
    let cut = outcome.close == Close::Truncated;
    Some((winners, outcome.verdict.code(), outcome.reason.0, cut))
}

/// A seat's layout changes nothing for other viewers before the round is final.
fn hidden_from_the_others(input: &Input, before: &Orcain, after: &Orcain, events: &[Event]) {
    let (Input::Draft(seat, _) | Input::Confirm(seat, _)) = input else {
        return;
    };
    if before.stage() != after.stage() {
        return;
    }
    for viewer in Viewer::all(2).filter(|it| *it != Viewer::Seat(Seat::new(*seat).unwrap())) {
        assert_eq!(
            bytes(before, viewer),
            bytes(after, viewer),
            "{input:?} shows"
        );
        assert!(
            events.iter().all(|it| it.seen_by(viewer).is_none()),
            "{input:?} is visible to others"
        );
        for seed in 0..4 {
            let rng = || Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
            let drawn = [before, after].map(|it| it.redraw(viewer, &mut rng()));
            assert_eq!(drawn[0], drawn[1], "{input:?} influences the redraw");
        }
    }
}

fn bytes(position: &Orcain, viewer: Viewer) -> Vec<u8> {
    let view = position.view(viewer);
    let mut bytes = json::to_canonical(&view).unwrap();
    bytes.extend(view.to_string().bytes());
    bytes
}

/// The rules' word for an empty slot never appears in a document.
fn never_grass(position: &Orcain, events: &[Event]) {
    let says = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes)
            .to_lowercase()
            .contains("grass")
    };
    for viewer in Viewer::all(2) {
        assert!(!says(&bytes(position, viewer)), "{viewer:?} of {position}");
        for seen in events.iter().filter_map(|it| it.seen_by(viewer)) {
            assert!(!says(&json::to_canonical(&seen).unwrap()), "{seen:?}");
        }
    }
    assert!(!says(&json::to_canonical(&position.snapshot()).unwrap()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_game_and_the_model_agree(
        constants in constants(),
        inputs in proptest::collection::vec(rough(), 0..90),
    ) {
        let mut both = Lockstep::start(constants.clone());
        for (idx, rough) in inputs.iter().enumerate() {
            both.feed(&rough.for_hands(&constants));
            if idx % 16 == 0 {
                both.compare_masks();
            }
        }
    }

    #[test]
    fn every_position_of_a_rough_match_is_restored_from_its_snapshot(
        constants in constants(),
        inputs in proptest::collection::vec(rough(), 0..60),
    ) {
        let mut game = Orcain::start(&setup_of(&constants));
        for rough in &inputs {
            let _ = game.apply(step_of(&rough.for_hands(&constants)), &mut kernel::Discard);
        }
        let table = Table::at(game, game_id(), source());
        let document = json::from_value(&table.snapshot()).unwrap();
        prop_assert_eq!(Table::<Orcain>::restore(&document), Ok(table));
    }
}

fn game_id() -> kernel::MatchId {
    kernel::MatchId::from_random_bytes([7; 16])
}

fn source() -> kernel::Source {
    kernel::Source::Open(Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1)))
}

/// The random matches above prove something only if they reach every ending.
#[test]
fn random_matches_reach_every_ending() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let sequences = proptest::collection::vec(rough(), 90);
    let mut ends = BTreeSet::new();
    for _ in 0..3000 {
        let constants = constants().new_tree(&mut runner).unwrap().current();
        let inputs = sequences.new_tree(&mut runner).unwrap().current();
        let mut model = Model::new(&constants);
        for input in inputs.iter().map(|it| it.for_hands(&constants)) {
            if model.refusal(&constants, &input).is_none() {
                model.take(&constants, &input);
            }
        }
        let sudden = if model.sudden_death {
            " in sudden death"
        } else {
            ""
        };
        if let Some((winners, result, why, _)) = model.result {
            ends.insert(format!("{result} {winners:?} {why}{sudden}"));
        }
    }
    for end in [
        "win [0] normal",
        "win [1] normal",
        "win [0] normal in sudden death",
        "win [0] timeout",
        "win [1] timeout",
        "win [1] timeout in sudden death",
        "win [0] disconnect",
        "win [1] resign",
        "void [] disconnect",
        "void [] cancel",
        "draw [] normal",
        "draw [] round_cap",
        "draw [] round_cap in sudden death",
        "all_lose [] timeout",
    ] {
        assert!(ends.contains(end), "never {end}, only {ends:#?}");
    }
}

/// The way in which the seat with hidden cards placed them.
#[derive(Clone, Copy, PartialEq, Debug)]
enum How {
    Drafted,
    Confirmed,
    DraftedThenConfirmed,
}

/// Two positions that differ only in unrevealed cards, and in whether those were confirmed, look
/// the same to everyone else: while layouts are being made, between all steps, and when the match
/// ends there.
#[test]
fn unrevealed_cards_show_nowhere() {
    let start = Orcain::start(&Setup::default());
    let legal: Vec<Layout> = start
        .actions()
        .filter(|(id, _)| start.legal(Seat::FIRST).allows(*id))
        .map(|(_, action)| action.layout())
        .collect();
    let opposite = ["confirm:AHD", "draft:-C", "draft:-"];
    for (hidden, other) in [(Seat::FIRST, Seat::SECOND), (Seat::SECOND, Seat::FIRST)] {
        for own in opposite {
            let mut seen: BTreeMap<String, Vec<u8>> = BTreeMap::new();
            for &layout in &legal {
                for how in [How::Drafted, How::Confirmed, How::DraftedThenConfirmed] {
                    let mut position = start;
                    apply(&mut position, Step::Play(other, own.parse().unwrap()));
                    let laid_out = lay_out(&mut position, hidden, layout, how);
                    if laid_out {
                        look(&position, layout, other, &mut seen);
                    }
                }
            }
            assert!(seen.len() > 73, "some positions were compared");
        }
    }
}

fn apply(position: &mut Orcain, step: Step<Action>) {
    position.apply(step, &mut kernel::Discard).unwrap();
}

fn lay_out(position: &mut Orcain, seat: Seat, layout: Layout, how: How) -> bool {
    if how != How::Confirmed {
        apply(position, Step::Play(seat, Action::Draft(layout)));
    }
    if how == How::Drafted {
        return true;
    }
    let full = layout.full(3);
    if let Some(full) = full {
        apply(position, Step::Play(seat, Action::Confirm(full)));
    }
    full.is_some()
}

/// Records the view now and after every further step, and compares each with earlier ones in which
/// the same cards were revealed.
fn look(position: &Orcain, layout: Layout, other: Seat, seen: &mut BTreeMap<String, Vec<u8>>) {
    let mut position = *position;
    let mut compare = |key: String, position: &Orcain| {
        compare_looks(&key, position, other, seen);
        let mut left = *position;
        let step = Step::Leave(SeatSet::only(other), Departure::Disconnect);
        apply(&mut left, step);
        compare_looks(&format!("{key} then left"), &left, other, seen);
    };
    if position.stage() == Stage::Prep {
        compare("PREP".to_owned(), &position);
        apply(&mut position, Step::Deadline);
    }
    for n_shown in 0..=3 {
        let known: Vec<_> = layout.slots(n_shown).collect();
        compare(format!("{known:?}"), &position);
        if n_shown < 3 {
            apply(&mut position, Step::Deadline);
        }
    }
}

fn compare_looks(key: &str, position: &Orcain, other: Seat, seen: &mut BTreeMap<String, Vec<u8>>) {
    for viewer in [Viewer::Seat(other), Viewer::Public] {
        let looks = bytes(position, viewer);
        let earlier = seen
            .entry(format!("{viewer:?} {key}"))
            .or_insert_with(|| looks.clone());
        assert_eq!(*earlier, looks, "{viewer:?} {key} {position}");
    }
}
