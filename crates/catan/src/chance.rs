//! Chance outcomes, their odds, and their form in a record.

use kernel::doc::{Document, Faults, Node};
use kernel::json::Json;
use kernel::{Draw, Odds, Sink, Weights};
use schemars::JsonSchema;
use serde::Serialize;

use crate::action::Throw;
use crate::board::{Board, expand};
use crate::setup::{BoardKind, DiceKind};
use crate::state::Due;
use crate::{Catan, DECK, DEV_CARDS, Event, Resource};

/// All 36 rolls, one bit each.
pub(crate) const BAG_FULL: u64 = (1 << Throw::N) - 1;

impl Catan {
    #[inline]
    pub(crate) fn odds_now(&self) -> Odds {
        match self.chance {
            Some(Due::Deal) => Odds::Seed,
            Some(Due::Theft) => {
                let hand = self.player(Catan::other(self.mover())).hand;
                weighted(&hand.map(u32::from))
            }
            Some(Due::ForcedDice) => {
                let forced = draw_of(self.dice).0 as usize;
                let only: [u32; Throw::N] = std::array::from_fn(|idx| u32::from(idx == forced));
                weighted(&only)
            }
            _ if self.setup.dice == DiceKind::Bag36 => {
                let left: [u32; Throw::N] = std::array::from_fn(|idx| u32::from(self.in_bag(idx)));
                weighted(&left)
            }
            _ => Odds::Dice {
                sides: 6,
                n_dice: 2,
            },
        }
    }

    /// True if a roll is in the bag. An empty bag is refilled before it is drawn from.
    fn in_bag(&self, outcome: usize) -> bool {
        self.bag == 0 || self.bag & (1 << outcome) != 0
    }

    /// Shuffles the deck and, for a random board, the board.
    pub(crate) fn deal(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        let mut rng = expand(draw.0);
        if self.setup.board == BoardKind::Random {
            self.board = Board::random(&mut rng);
            self.robber = self.board.desert();
            events.push(Event::BoardLaid);
        }
        let mut deck = [0; DEV_CARDS];
        let mut len = 0;
        for (kind, &n_cards) in DECK.iter().enumerate() {
            for _ in 0..n_cards {
                deck[len] = kind as u8;
                len += 1;
            }
        }
        rng.shuffle(&mut deck);
        // The shuffled list is in draw order; the position stores the deck from the bottom up.
        deck.reverse();
        self.deck = deck;
        self.n_deck = DEV_CARDS as u8;
        self.chance = None;
        events.push(Event::DeckShuffled);
    }

    /// Removes a roll from the bag. A forced roll does not come from the bag.
    pub(crate) fn take_from_bag(&mut self, draw: Draw) {
        let drawn = self.chance != Some(Due::ForcedDice);
        if drawn && self.setup.dice == DiceKind::Bag36 {
            let before = if self.bag == 0 { BAG_FULL } else { self.bag };
            self.bag = before & !(1 << draw.0);
        }
    }

    /// Writes dice as faces, a stolen card by name and a seed as a number.
    pub(crate) fn draw_to_json(&self, draw: Draw) -> Json {
        match self.chance {
            Some(Due::Dice | Due::ForcedDice) => {
                let faces = faces_of(draw).map(|face| Json::Int(face.into()));
                Json::List(faces.to_vec())
            }
            Some(Due::Theft) => {
                let name = Resource::NAMES.get(draw.0 as usize).unwrap_or(&"");
                Json::Text((*name).to_owned())
            }
            Some(Due::Deal) | None => draw.to_json(),
        }
    }

    pub(crate) fn read_draw(&self, node: &Node<'_>, faults: &mut Faults) -> Option<Draw> {
        match self.chance {
            Some(Due::Dice | Due::ForcedDice) => {
                let faces = <[Face; 2]>::read(node, faults)?;
                Some(draw_of(faces.map(|it| it.0)))
            }
            Some(Due::Theft) => {
                let kind = node.one_of(&Resource::NAMES, faults)?;
                Some(Draw(kind as u64))
            }
            Some(Due::Deal) | None => node.u64_text(faults).map(Draw),
        }
    }
}

fn weighted(weights: &[u32]) -> Odds {
    Weights::new(weights).map_or(Odds::uniform(1), Odds::Weighted)
}

#[inline]
pub(crate) fn faces_of(draw: Draw) -> [u8; 2] {
    [draw.0 / 6 + 1, draw.0 % 6 + 1].map(|face| face as u8)
}

pub(crate) fn draw_of(faces: [u8; 2]) -> Draw {
    Draw(u64::from(faces[0] - 1) * 6 + u64::from(faces[1] - 1))
}

/// A face of a die, from 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, Document)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Face(#[schemars(range(min = 1, max = 6))] pub(crate) u8);
