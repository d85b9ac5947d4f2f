//! Every possible round, compared with a table written by hand from the rules.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::collections::BTreeMap;

use kernel::{Discard, Game, GameExt, Seat, Step, Table, json};
use orcain::{Action, Card, Hand, Layout, Orcain, RawSetup, Setup, Slot, resolve_step};

/// The effect of one step on the player of the row against the column: hit points healed, then
/// damage. The last row and column are the empty slot.
const STEP_TABLE: &str = "
        A      D      H      C      -
    A   +0-2   +0-0   +0-0   +0-2   +0-0
    D   +0-0   +0-0   +0-0   +0-0   +0-0
    H   +1-2   +1-0   +1-0   +1-0   +1-0
    C   +0-0   +0-0   +0-0   +0-0   +0-0
    -   +0-2   +0-0   +0-0   +0-0   +0-0
";

const LETTERS: &str = "ADHC-";
const MAX_HP: i32 = 10;

/// The table above, by the letters of the row and the column.
struct Oracle(BTreeMap<(char, char), (i32, i32)>);

impl Oracle {
    fn new() -> Oracle {
        let mut lines = STEP_TABLE.trim().lines();
        let columns: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
        let mut cells = BTreeMap::new();
        for line in lines {
            let mut words = line.split_whitespace();
            let row = words.next().unwrap();
            for (column, cell) in columns.iter().zip(words) {
                let (heal, damage) = cell.trim_start_matches('+').split_once('-').unwrap();
                let key = (row.chars().next().unwrap(), column.chars().next().unwrap());
                cells.insert(key, (heal.parse().unwrap(), damage.parse().unwrap()));
            }
        }
        assert_eq!(cells.len(), 25);
        Oracle(cells)
    }

    /// Heals come first and stop at the maximum. Then comes damage, which stops at 0.
    fn after(&self, own: char, other: char, hp: i32) -> i32 {
        let (heal, damage) = self.0[&(own, other)];
        0.max(MAX_HP.min(hp + heal) - damage)
    }

    /// Both players' hit points after each step.
    fn round(&self, layouts: [&str; 2], hp: [u8; 2]) -> Vec<[u8; 2]> {
        let mut hp = hp.map(i32::from);
        let steps = layouts[0].chars().zip(layouts[1].chars());
        steps
            .map(|(first, second)| {
                hp = [
                    self.after(first, second, hp[0]),
                    self.after(second, first, hp[1]),
                ];
                hp.map(|hp| u8::try_from(hp).unwrap())
            })
            .collect()
    }
}

/// All ways to fill three slots, whether or not the standard hand allows them.
fn all_layouts() -> Vec<String> {
    let mut layouts = vec![String::new()];
    for _ in 0..3 {
        let longer = |layout: &String| LETTERS.chars().map(|it| format!("{layout}{it}")).collect();
        layouts = layouts.iter().flat_map(longer as fn(_) -> Vec<_>).collect();
    }
    layouts
}

/// The layouts that use no card twice.
fn standard_layouts() -> Vec<String> {
    let once = |layout: &String| {
        LETTERS[..4]
            .chars()
            .all(|it| layout.matches(it).count() < 2)
    };
    all_layouts().into_iter().filter(once).collect()
}

fn slots(layout: &str) -> Vec<Slot> {
    layout.chars().map(Card::from_letter).collect()
}

fn layout(letters: &str) -> Layout {
    Layout::new(&slots(letters)).unwrap()
}

/// The steps of a round by the resolver function alone.
fn resolved(layouts: [&[Slot]; 2], hp: [u8; 2]) -> Vec<[u8; 2]> {
    let mut hp = hp;
    (0..3)
        .map(|idx| {
            hp = resolve_step([layouts[0][idx], layouts[1][idx]], hp, MAX_HP as u8);
            hp
        })
        .collect()
}

/// The steps of a round as played: two drafts, the deadline, three reveals.
fn played(position: &mut Orcain, layouts: [Layout; 2]) -> Vec<[u8; 2]> {
    for (seat, layout) in Seat::first(2).zip(layouts) {
        let draft = Action::Draft(layout);
        position.play(seat, draft, &mut Discard).unwrap();
    }
    position.apply(Step::Deadline, &mut Discard).unwrap();
    (0..3)
        .map(|_| {
            position.apply(Step::Deadline, &mut Discard).unwrap();
            position.hp()
        })
        .collect()
}

/// The standard match at the start of the second round, with these hit points.
fn second_round(hp: [u8; 2]) -> Orcain {
    let game_id = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
    let player = |idx: usize| {
        format!(
            r#"{{"afk_streak": 0, "hp": {0}, "layout": [null, null, null], "n_drafts": 0,
                 "player_id": {idx}, "round_hp": {0}, "status": "silent"}}"#,
            hp[idx]
        )
    };
    let text = format!(
        r#"{{"game_id": "{game_id}", "outcome": null, "players": [{}, {}],
             "rng_state": {}, "schema_version": "0.1.0",
             "turn": {{"n_shown": 0, "number": 2, "phase": "PREP", "sealed": false,
                       "sudden_death": false}},
             "variant": {{}}}}"#,
        player(0),
        player(1),
        open_source(),
    );
    let document = json::read(text.as_bytes()).unwrap();
    *Table::<Orcain>::restore(&document).unwrap().position()
}

fn open_source() -> String {
    use kernel::rng::{Generator, GeneratorKind, Seed};
    let generator = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
    String::from_utf8(json::to_canonical(&generator).unwrap()).unwrap()
}

#[test]
fn the_standard_hand_has_73_layouts_of_which_24_can_be_confirmed() {
    let position = Orcain::start(&Setup::default());
    let mask = position.legal(Seat::FIRST);
    let mut drafts = [0; 4];
    let mut n_confirms = 0;
    for (id, action) in position.actions() {
        let n_cards = action.layout().slots(3).flatten().count();
        match (mask.allows(id), action) {
            (true, Action::Draft(_)) => drafts[n_cards] += 1,
            (true, Action::Confirm(_)) => n_confirms += 1,
            (false, _) => {}
        }
    }
    assert_eq!(drafts, [1, 12, 36, 24]);
    assert_eq!(drafts.iter().sum::<i32>(), 73);
    assert_eq!(n_confirms, 24);
    assert_eq!(standard_layouts().len(), 73);
}

#[test]
fn every_round_of_the_standard_hand_resolves_as_the_table_says() {
    let oracle = Oracle::new();
    let layouts = standard_layouts();
    let slots: Vec<Vec<Slot>> = layouts.iter().map(|it| slots(it)).collect();
    let mut n_cases = 0;
    let mut worst_loss = 0;
    for (first, first_slots) in layouts.iter().zip(&slots) {
        for (second, second_slots) in layouts.iter().zip(&slots) {
            for hp in hp_pairs(0) {
                let expected = oracle.round([first, second], hp);
                let found = resolved([first_slots, second_slots], hp);
                assert_eq!(found, expected, "{first} {second} from {hp:?}");
                let swapped = resolved([second_slots, first_slots], [hp[1], hp[0]]);
                let back: Vec<_> = swapped.iter().map(|hp| [hp[1], hp[0]]).collect();
                assert_eq!(
                    found, back,
                    "{first} {second} from {hp:?} with seats swapped"
                );
                let loss = |seat: usize| hp[seat].saturating_sub(found[2][seat]);
                worst_loss = worst_loss.max(loss(0)).max(loss(1));
                n_cases += 1;
            }
        }
    }
    assert_eq!(n_cases, 73 * 73 * 121);
    assert_eq!(worst_loss, 4, "the most that one round can cost");
}

/// A round never begins at 0, so the game itself is tested from 1 up.
#[test]
fn every_round_of_the_standard_hand_plays_as_the_table_says() {
    let oracle = Oracle::new();
    let letters = standard_layouts();
    let layouts: Vec<Layout> = letters.iter().map(|it| layout(it)).collect();
    for hp in hp_pairs(1) {
        let start = second_round(hp);
        assert_eq!(start.hp(), hp);
        for (first, first_layout) in letters.iter().zip(&layouts) {
            for (second, second_layout) in letters.iter().zip(&layouts) {
                let mut position = start;
                let found = played(&mut position, [*first_layout, *second_layout]);
                let expected = oracle.round([first, second], hp);
                assert_eq!(found, expected, "{first} {second} from {hp:?}");
            }
        }
    }
}

#[test]
fn layouts_with_duplicates_resolve_as_the_table_says() {
    let oracle = Oracle::new();
    let layouts = all_layouts();
    assert_eq!(layouts.len(), 125);
    for first in &layouts {
        for second in &layouts {
            let slots = [slots(first), slots(second)];
            for hp in hp_pairs(0) {
                let expected = oracle.round([first, second], hp);
                let found = resolved([&slots[0], &slots[1]], hp);
                assert_eq!(found, expected, "{first} {second} from {hp:?}");
            }
        }
    }
}

/// Any three cards are in some hand of four, so every pair of layouts is a real round.
#[test]
fn layouts_with_duplicates_play_as_the_table_says() {
    let oracle = Oracle::new();
    let hand = |layout: &str| {
        let card = |idx| layout.chars().nth(idx).and_then(Card::from_letter);
        [0, 1, 2, 3].map(|idx| card(idx).unwrap_or(Card::Attack))
    };
    let layouts = all_layouts();
    for first in &layouts {
        for second in &layouts {
            for start_hp in [1, 2, 3, 5, 9, 10] {
                let raw = RawSetup {
                    hands: [first, second].map(|layout| Hand::new(hand(layout))),
                    start_hp,
                    ..RawSetup::default()
                };
                let mut position = Orcain::start(&Setup::try_from(raw).unwrap());
                let found = played(&mut position, [layout(first), layout(second)]);
                let expected = oracle.round([first, second], [start_hp; 2]);
                assert_eq!(found, expected, "{first} {second} from {start_hp}");
            }
        }
    }
}

#[test]
fn a_step_stays_within_bounds_at_any_hit_points() {
    let slots: Vec<Slot> = slots(LETTERS);
    for max_hp in [1, 2, 100, 254, 255] {
        for hp in 0..=max_hp {
            for &first in &slots {
                for &second in &slots {
                    let after = resolve_step([first, second], [hp, max_hp], max_hp);
                    assert!(after.iter().all(|&hp| hp <= max_hp), "{hp} of {max_hp}");
                }
            }
        }
    }
}

#[test]
fn nobody_can_be_at_0_before_the_third_round() {
    let layouts: Vec<Layout> = standard_layouts().iter().map(|it| layout(it)).collect();
    let start = Orcain::start(&Setup::default());
    let mut reached = BTreeMap::from([(start.hp(), start)]);
    let mut lowest = Vec::new();
    for _ in 1..=3 {
        let mut lowest_hp = u8::MAX;
        let mut next = BTreeMap::new();
        for position in reached.values() {
            for pair in pairs(&layouts) {
                let mut position = *position;
                let steps = played(&mut position, pair);
                lowest_hp = steps.into_iter().flatten().fold(lowest_hp, u8::min);
                next.entry(position.hp()).or_insert(position);
            }
        }
        lowest.push(lowest_hp);
        reached = next_rounds(&next);
    }
    assert_eq!(lowest, [6, 2, 0], "in rounds 1, 2 and 3, at any step");
}

/// The positions at the start of the next round, one for each pair of hit points.
fn next_rounds(ended: &BTreeMap<[u8; 2], Orcain>) -> BTreeMap<[u8; 2], Orcain> {
    let mut started = BTreeMap::new();
    for position in ended.values() {
        let mut position = *position;
        position.apply(Step::Deadline, &mut Discard).unwrap();
        if position.outcome().is_none() {
            started.insert(position.hp(), position);
        }
    }
    started
}

fn pairs(layouts: &[Layout]) -> impl Iterator<Item = [Layout; 2]> {
    let with_all = |&first| layouts.iter().map(move |&second| [first, second]);
    layouts.iter().flat_map(with_all)
}

fn hp_pairs(lowest: u8) -> impl Iterator<Item = [u8; 2]> {
    (lowest..=MAX_HP as u8).flat_map(move |a| (lowest..=MAX_HP as u8).map(move |b| [a, b]))
}
