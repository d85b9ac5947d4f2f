//! Games from rules alone: simultaneous decisions, departures and damaged snapshots.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use kernel::conformance::{Memory, Secrets, Suite, setup};
use kernel::doc::{Faults, Names, Node};
use kernel::rules::prelude::*;
use kernel::terminal::Terminal;
use kernel::{Departure, Event, Game, GameExt, Recorded, SnapshotOf, Step, Turn, json};

/// Everyone throws at once, once. A player whose shape nobody else threw wins. Two players have no
/// scissors.
type Throw = Position<State>;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Document, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Setup {
    #[schemars(range(min = 2, max = 4))]
    seats: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { seats: 3 }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Document, JsonSchema, Names)]
#[serde(rename_all = "lowercase")]
enum Shape {
    Rock,
    Paper,
    Scissors,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ActionSpace)]
enum Action {
    /// Throw a shape.
    #[word("throw:{shape}", label = "Throw {shape}")]
    Throw { shape: Shape },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Document, JsonSchema)]
struct State {
    thrown: PerSeat<Option<Shape>, 4>,
}

impl State {
    fn missing(&self) -> SeatSet {
        let seats = self.thrown.seats();
        seats.filter(|it| self.thrown[*it].is_none()).collect()
    }

    fn shapes(&self) -> &'static [Shape] {
        match self.thrown.len() {
            2 => &[Shape::Rock, Shape::Paper],
            _ => &Shape::ALL,
        }
    }
}

impl Rules for State {
    const NAME: &'static str = "throw";
    const TITLE: &'static str = "Throw";
    const SUMMARY: &'static str = "Everyone throws a shape at once.";
    const RULES_VERSION: &'static str = "1.0.0";
    const SEATS: RangeInclusive<u8> = 2..=4;

    type Setup = Setup;
    type Action = Action;

    fn setup_for(seats: u8) -> Setup {
        Setup { seats }
    }

    fn start(setup: &Setup) -> State {
        State {
            thrown: PerSeat::new(setup.seats, None),
        }
    }

    fn steps_max(setup: &Setup) -> u64 {
        setup.seats.into()
    }

    fn n_seats(&self) -> usize {
        self.thrown.len()
    }

    fn next(&self) -> Next {
        let missing = self.missing();
        if !missing.is_empty() {
            return Next::Sealed(missing);
        }
        let is_alone = |seat: &Seat| {
            let own = self.thrown[*seat];
            self.thrown.iter().filter(|it| **it == own).count() == 1
        };
        let winners: SeatSet = self.thrown.seats().filter(is_alone).collect();
        Next::won(winners, "thrown")
    }

    fn is_legal(&self, _: Seat, Action::Throw { shape }: Action) -> bool {
        self.shapes().contains(&shape)
    }

    fn play(&mut self, seat: Seat, Action::Throw { shape }: Action, log: &mut impl Log) {
        self.thrown[seat] = Some(shape);
        if self.missing().is_empty() {
            log.say(|| "All have thrown.".to_owned());
        }
    }

    fn secrets(&mut self, viewer: Viewer, veil: &mut Veil<'_>) {
        if self.missing().is_empty() {
            return;
        }
        let shapes = self.shapes();
        for thrown in self.thrown.hidden_from(viewer) {
            veil.value(thrown, None, |rng| {
                Some(shapes[rng.below(shapes.len() as u64) as usize])
            });
        }
    }

    fn picture(view: &State, _: Viewer) -> Picture {
        let card = |shape: &Option<Shape>| shape.map_or(Card::down(), |it| Card::up(it.name()));
        Picture::new().cards("Thrown", None, view.thrown.iter().map(card))
    }

    fn observe(&self, seat: Seat, numbers: &mut Numbers<'_>) {
        let own = self.thrown[seat].map(|shape| shape as usize);
        numbers.one_hot("own", "its own shape", 3, own);
        numbers.tensor(
            "n_seats",
            "the number of seats",
            [1, 1],
            2..=4,
            [self.thrown.len() as i16],
        );
    }

    fn check(&self, check: &mut Check<'_, '_>) {
        let fits = (2..=4).contains(&self.thrown.len());
        check.that(fits, "thrown", "two to four players");
    }

    fn absent(&self, _: Seat) -> Option<Action> {
        let shape = Shape::Paper;
        Some(Action::Throw { shape })
    }
}

fn start(seats: u8) -> Throw {
    Throw::start(&Setup { seats })
}

fn throw(shape: Shape) -> Action {
    Action::Throw { shape }
}

fn seat(idx: usize) -> Seat {
    Seat::new(idx).unwrap()
}

#[test]
fn a_game_of_sealed_throws_keeps_every_promise() {
    let suite = Suite::<Throw> {
        setups: [r#"{"seats": 2}"#, "{}", r#"{"seats": 4}"#]
            .map(setup::<Throw>)
            .to_vec(),
        n_matches: 60,
        seed: 3,
        position_bytes_max: 64,
        secrets: Secrets::Some,
        memory: Memory::PerMatch,
        count_allocations: |run| allocation_counter::measure(run).count_total,
    };
    suite.run();
}

#[test]
fn words_are_made_of_the_names_of_fields() {
    assert_eq!(Action::N, 3);
    assert_eq!(throw(Shape::Paper).to_string(), "throw:paper");
    assert_eq!(throw(Shape::Paper).label(), "Throw paper");
    assert_eq!("throw:scissors".parse(), Ok(throw(Shape::Scissors)));
    for bad in [
        "",
        "throw",
        "throw:",
        "throw:stone",
        "throw:paperx",
        "xthrow:paper",
    ] {
        let error = bad.parse::<Action>().unwrap_err().to_string();
        assert_eq!(error, "expected an action such as throw:rock");
    }
}

#[test]
fn the_terminal_explains_the_words_and_shows_no_map() {
    let view = start(2).view(Viewer::Public);
    assert_eq!((Throw::map(&view), Throw::legend(&view)), (None, None));
    assert_eq!(
        Throw::how_to_play(&Setup::default()),
        "The words:\n  throw:rock  Throw a shape.\n"
    );
}

#[test]
fn a_sealed_decision_is_shown_to_its_player_alone() {
    let mut events = Vec::new();
    let mut position = start(3);
    position
        .play(seat(1), throw(Shape::Rock), &mut events)
        .unwrap();
    let seen = |viewer| events.iter().filter_map(|it| it.seen_by(viewer)).count();
    assert_eq!(seen(Viewer::Seat(seat(1))), 1);
    assert_eq!(seen(Viewer::Seat(seat(0))) + seen(Viewer::Public), 0);
    assert_eq!(position.turn_number(), 0, "the round is not over");
    let view = position.view(Viewer::Seat(seat(0)));
    assert_eq!((view.choices.len(), view.state.thrown[seat(1)]), (3, None));
    assert_eq!(view.choices[1].word, "throw:paper");
    assert_eq!(position.view(Viewer::Public).choices, []);
}

#[test]
fn an_illegal_action_is_refused_and_changes_nothing() {
    let mut position = start(2);
    let refused = position.play(seat(0), throw(Shape::Scissors), &mut Vec::new());
    assert_eq!(refused.unwrap_err().code(), "illegal_action");
    assert_eq!(position, start(2));
}

#[test]
fn a_deadline_decides_for_all_who_did_not() {
    let mut position = start(3);
    let mut events = Vec::new();
    position
        .play(seat(0), throw(Shape::Rock), &mut events)
        .unwrap();
    position.apply(Step::Deadline, &mut events).unwrap();
    assert_eq!(position.turn_number(), 1);
    assert_eq!(
        position.outcome().unwrap().to_string(),
        "seat 0 wins (thrown)"
    );
}

#[test]
fn the_last_seat_that_stays_wins_and_an_empty_table_is_void() {
    let ending = |leave: &[usize], cause| {
        let mut position = start(3);
        let seats = leave.iter().map(|idx| seat(*idx)).collect();
        position
            .apply(Step::Leave(seats, cause), &mut Vec::new())
            .unwrap();
        position.outcome().map(|it| it.to_string())
    };
    let won = Some("seat 1 wins (resign)".to_owned());
    assert_eq!(ending(&[0, 2], Departure::Resign), won);
    assert_eq!(
        ending(&[0, 1, 2], Departure::Timeout),
        Some("void (timeout)".to_owned())
    );
    assert_eq!(
        ending(&[0], Departure::Cancel),
        Some("void (cancel)".to_owned())
    );
    assert_eq!(ending(&[0], Departure::Disconnect), None);
}

#[test]
fn the_rules_decide_for_a_seat_that_left_but_it_cannot_win() {
    let mut position = start(3);
    let mut events = Vec::new();
    let gone = SeatSet::only(seat(2));
    position
        .apply(Step::Leave(gone, Departure::Resign), &mut events)
        .unwrap();
    assert_eq!(
        position.turn().open(),
        SeatSet::first(2),
        "seat 2 threw paper"
    );
    for idx in 0..2 {
        position
            .play(seat(idx), throw(Shape::Rock), &mut events)
            .unwrap();
    }
    // Only seat 2 threw paper, so the seats that stayed share the win.
    let Turn::Over(outcome) = position.turn() else {
        panic!("the match continues");
    };
    assert_eq!(outcome.winners(), SeatSet::first(2));
    assert!(matches!(
        events.last(),
        Some(kernel::rules::Event::MatchEnded { .. })
    ));
}

#[test]
fn a_snapshot_that_contradicts_itself_is_refused_with_all_reasons() {
    let faults_of = |text: &str| {
        let document = json::read(text.as_bytes()).unwrap();
        let mut faults = Faults::default();
        let restored = <Throw as SnapshotOf<Throw>>::restore(&Node::root(&document), &mut faults);
        assert!(restored.is_none(), "{text}");
        faults
            .iter()
            .map(|it| it.pointer.clone())
            .collect::<Vec<_>>()
    };
    let with = |ended: &str, present: &str, thrown: &str| {
        format!(
            r#"{{"ended": {ended}, "present": {present}, "state": {{"thrown": {thrown}}}, "turn_number": 0}}"#
        )
    };
    let two = "[null, null]";
    assert_eq!(
        faults_of(&with("null", "[0, 1]", "[null]")),
        ["/state/thrown"]
    );
    assert_eq!(faults_of(&with("null", "[0]", two)), ["/ended", "/present"]);
    assert_eq!(
        faults_of(&with("null", "[0, 5]", two)),
        ["/present", "/present"]
    );
    let won = r#"{"cause": "resign", "winner": 1}"#;
    assert_eq!(faults_of(&with(won, "[0]", two)), ["/ended"]);
    assert_eq!(
        faults_of(&with(won, "[1]", r#"["rock", "paper"]"#)),
        ["/ended"]
    );
    let cancelled = r#"{"cause": "cancel", "winner": 1}"#;
    assert_eq!(faults_of(&with(cancelled, "[1]", two)), ["/ended"]);
    let position = start(2);
    let document = json::from_value(&position.snapshot()).unwrap();
    let mut faults = Faults::default();
    let restored = <Throw as SnapshotOf<Throw>>::restore(&Node::root(&document), &mut faults);
    assert_eq!(restored, Some(position));
}
