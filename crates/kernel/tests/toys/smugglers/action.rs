//! The actions of a player, and their form in a record.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use kernel::doc::{Document, Faults, Names, Node};
use kernel::json::Json;
use kernel::{ActionId, DecisionOf, Draw};
use serde::Serialize;

use super::{Goods, KINDS, N_KINDS, Phase, Smugglers};

/// An action of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Roll the dice.
    Roll,
    /// Return one good of this kind.
    Discard(usize),
    /// Sell a set of this kind.
    Sell(usize),
    /// Pass the turn to the opponent.
    EndTurn,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Roll => f.write_str("roll"),
            Action::Discard(kind) => write!(f, "discard:{}", KINDS[*kind]),
            Action::Sell(kind) => write!(f, "sell:{}", KINDS[*kind]),
            Action::EndTurn => f.write_str("end"),
        }
    }
}

impl FromStr for Action {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Action, &'static str> {
        let mut all = (0..Action::N).filter_map(|idx| Action::with_id(ActionId::new(idx)));
        all.find(|action| action.to_string() == text)
            .ok_or("expected roll, discard:, sell: or end")
    }
}

impl Action {
    /// The number of actions.
    pub const N: usize = 2 + 2 * N_KINDS;

    pub fn id(self) -> ActionId {
        ActionId::new(match self {
            Action::Roll => 0,
            Action::Discard(kind) => 1 + kind,
            Action::Sell(kind) => 1 + N_KINDS + kind,
            Action::EndTurn => Action::N - 1,
        })
    }

    pub fn with_id(id: ActionId) -> Option<Action> {
        match id.index() {
            0 => Some(Action::Roll),
            idx if idx <= N_KINDS => Some(Action::Discard(idx - 1)),
            idx if idx <= 2 * N_KINDS => Some(Action::Sell(idx - 1 - N_KINDS)),
            idx if idx == Action::N - 1 => Some(Action::EndTurn),
            _ => None,
        }
    }
}

impl Smugglers {
    /// Dice as faces, goods by name.
    pub(super) fn draw_to_json(&self, draw: Draw) -> Json {
        match self.phase {
            Phase::Dice => {
                let faces = faces_of(draw).map(|face| Json::Int(face.into()));
                Json::List(faces.to_vec())
            }
            _ => Json::Text(KINDS[draw.0 as usize % N_KINDS].to_owned()),
        }
    }

    pub(super) fn read_draw(&self, node: &Node<'_>, faults: &mut Faults) -> Option<Draw> {
        if self.phase != Phase::Dice {
            return node.one_of(&KINDS, faults).map(|kind| Draw(kind as u64));
        }
        let [first, second] =
            crate::toys::array(node, faults, |face, faults| face.int_in(1..=6, faults))?;
        u64::try_from((first - 1) * 6 + second - 1).ok().map(Draw)
    }
}

/// The two faces of a roll, from 1.
pub fn faces_of(draw: Draw) -> [u8; 2] {
    [draw.0 / 6 + 1, draw.0 % 6 + 1].map(|face| face as u8)
}

/// A decision as written in a record.
#[derive(Serialize, Document, Names)]
#[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
    Roll {},
    Sell { good: Good },
    Discard { goods: BTreeMap<Good, Count> },
    EndTurn {},
}

/// A kind of goods.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Document, Names)]
#[serde(rename_all = "lowercase")]
pub enum Good {
    Rum,
    Salt,
    Silk,
    Tea,
}

/// A number of goods of one kind.
#[derive(Clone, Copy, Serialize, Document)]
#[serde(transparent)]
pub struct Count(#[schemars(range(min = 1, max = 48))] u8);

impl DecisionOf<Smugglers> for Decision {
    /// One action, or the goods of a discard as counts by name.
    fn of(_: &Smugglers, actions: &[Action]) -> Decision {
        match actions[0] {
            Action::Roll => Decision::Roll {},
            Action::EndTurn => Decision::EndTurn {},
            Action::Sell(kind) => Decision::Sell {
                good: Good::ALL[kind],
            },
            Action::Discard(_) => {
                let mut counts = Goods::default();
                for action in actions {
                    match action {
                        Action::Discard(kind) => counts[*kind] += 1,
                        other => unreachable!("{other} gets a separate line"),
                    }
                }
                let counts = Good::ALL.into_iter().zip(counts.map(Count));
                let goods = counts.filter(|(_, n)| n.0 > 0).collect();
                Decision::Discard { goods }
            }
        }
    }

    /// The order of the goods within a discard does not matter: they are returned by kind.
    fn actions(self, _: &Smugglers, _: &Node<'_>, _: &mut Faults) -> Option<Vec<Action>> {
        Some(match self {
            Decision::Roll {} => vec![Action::Roll],
            Decision::EndTurn {} => vec![Action::EndTurn],
            Decision::Sell { good } => vec![Action::Sell(good as usize)],
            Decision::Discard { goods } => {
                let each = goods.into_iter();
                let card = |(good, n): (Good, Count)| (0..n.0).map(move |_| good as usize);
                each.flat_map(card).map(Action::Discard).collect()
            }
        })
    }
}
