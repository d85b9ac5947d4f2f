//! Rules that are easy to get wrong, as positions, inputs and results in text.

#![allow(clippy::unwrap_used, reason = "a missing value fails the test")]

mod cards;
mod progress;
mod roads;
mod robber;
mod trade;

use catan::topology::EDGE_ENDS;
use catan::{Catan, Hand, Resource, Setup};
use kernel::{Game, script};

/// The first turn after a roll, with the deck sorted and nothing on the board.
const TURN: &str = "pending_chance=absent turn.setup=null turn.number=1 turn.phase=ACTION
    turn.rolled=true turn.dice.last_roll=[3,3]
    bank.dev_deck=[KNIGHT,KNIGHT,KNIGHT,KNIGHT,KNIGHT,KNIGHT,KNIGHT,KNIGHT,KNIGHT,KNIGHT,KNIGHT,
    KNIGHT,KNIGHT,KNIGHT,ROAD_BUILDING,ROAD_BUILDING,YEAR_OF_PLENTY,YEAR_OF_PLENTY,MONOPOLY,
    MONOPOLY,VICTORY_POINT,VICTORY_POINT,VICTORY_POINT,VICTORY_POINT,VICTORY_POINT]";

/// The same turn before its roll.
const TO_ROLL: &str = "turn.phase=ROLL turn.rolled=false turn.dice.last_roll=null";

/// The pieces of a player.
struct Side<'a> {
    settlements: &'a [u8],
    /// Paths of vertices.
    roads: &'a [&'a [u8]],
    /// The length of the longest road.
    longest: u8,
}

/// [`TURN`] with these pieces and no cards. No player has the longest road.
fn board(sides: [Side<'_>; 2]) -> String {
    let side = |(seat, side): (usize, Side<'_>)| {
        let Side {
            settlements,
            roads,
            longest,
        } = side;
        let (n_points, roads) = (settlements.len(), edges(roads));
        format!(
            " players.{seat}.settlements={settlements:?} players.{seat}.roads={roads:?}
             players.{seat}.victory_points={n_points} players.{seat}.longest_road_len={longest}"
        )
    };
    let sides: String = sides.into_iter().enumerate().map(side).collect();
    format!("{TURN}{sides}")
}

/// [`TURN`] with two settlements each, in distant corners that nothing else in these tests touches.
fn plain() -> String {
    let sides = [
        Side {
            settlements: &[3, 27],
            roads: &[&[3, 4], &[27, 28]],
            longest: 1,
        },
        Side {
            settlements: &[37, 53],
            roads: &[&[36, 37], &[52, 53]],
            longest: 1,
        },
    ];
    board(sides)
}

/// Cards of the bank in a hand, by resource.
fn gives(seat: usize, cards: Hand) -> String {
    let held = Resource::NAMES.iter().zip(cards).filter(|(_, n)| *n > 0);
    let each = held.map(|(name, n)| {
        format!(" bank.resources.{name}-={n} players.{seat}.resources.{name}+={n}")
    });
    each.collect()
}

/// A card of the deck in a hand.
fn deals(seat: usize, dev: &str) -> String {
    format!(" bank.dev_deck-={dev} players.{seat}.dev_cards.{dev}+=1")
}

/// The edges along paths of vertices.
fn edges(paths: &[&[u8]]) -> Vec<u8> {
    let pairs = paths.iter().flat_map(|path| path.windows(2));
    let mut edges: Vec<u8> = pairs.map(|pair| edge(pair[0], pair[1])).collect();
    edges.sort_unstable();
    edges
}

/// The edge between two vertices.
fn edge(one: u8, other: u8) -> u8 {
    let ends = [one.min(other), one.max(other)];
    let idx = EDGE_ENDS.iter().position(|it| *it == ends).unwrap();
    u8::try_from(idx).unwrap()
}

/// A hand as expected in a snapshot.
fn hand(cards: Hand) -> String {
    let each = Resource::NAMES.iter().zip(cards);
    let each: Vec<String> = each.map(|(name, n)| format!("{name}:{n}")).collect();
    format!("{{{}}}", each.join(","))
}

fn start() -> Catan {
    Catan::start(&Setup::default())
}

/// Plays a script from a position and compares the result.
#[track_caller]
fn check(given: &str, script: &str, expected: &str) {
    script::check(&start(), given, script, expected);
}

/// The position after a script.
#[track_caller]
fn after(given: &str, script: &str) -> Catan {
    let mut position = script::read(&start(), given);
    script::play(&mut position, script);
    position
}
