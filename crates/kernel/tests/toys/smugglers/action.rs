//! What a player can do, and how a record says it.

use std::fmt;

use kernel::doc::{Fault, Faults, Node};
use kernel::json::Json;
use kernel::{ActionId, Draw, Entry};

use super::{Goods, KINDS, N_KINDS, Phase, Smugglers};

/// What a player can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Throw the dice.
    Roll,
    /// Give one good of this kind back.
    Discard(usize),
    /// Sell a set of this kind.
    Sell(usize),
    /// Let the other go on.
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

impl Action {
    /// How many actions there are.
    pub const N: usize = 2 + 2 * N_KINDS;

    /// The number of the action.
    pub fn id(self) -> ActionId {
        ActionId::new(match self {
            Action::Roll => 0,
            Action::Discard(kind) => 1 + kind,
            Action::Sell(kind) => 1 + N_KINDS + kind,
            Action::EndTurn => Action::N - 1,
        })
    }

    /// The action with this number.
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
    /// One action, or the goods of a discard as counts by name.
    pub(super) fn entry(actions: &[Action]) -> Entry {
        let (kind, payload) = match actions[0] {
            Action::Roll => ("ROLL", Json::object([])),
            Action::EndTurn => ("END_TURN", Json::object([])),
            Action::Sell(kind) => {
                let name = Json::Text(KINDS[kind].to_owned());
                ("SELL", Json::object([("good", name)]))
            }
            Action::Discard(_) => {
                let mut counts = Goods::default();
                for action in actions {
                    match action {
                        Action::Discard(kind) => counts[*kind] += 1,
                        other => unreachable!("{other} stands on a line of its own"),
                    }
                }
                ("DISCARD", Json::object([("goods", named(counts))]))
            }
        };
        Entry { kind, payload }
    }

    /// The order of the goods within a discard does not count: they come back by kind.
    pub(super) fn actions_of(
        kind: &str,
        payload: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        match kind {
            "ROLL" | "END_TURN" => {
                payload.only_fields(&[], faults);
                let roll = kind == "ROLL";
                Some(vec![if roll { Action::Roll } else { Action::EndTurn }])
            }
            "SELL" => {
                payload.only_fields(&["good"], faults);
                let kind = payload.field("good").one_of(&KINDS, faults)?;
                Some(vec![Action::Sell(kind)])
            }
            "DISCARD" => {
                payload.only_fields(&["goods"], faults);
                read_discard(&payload.field("goods"), faults)
            }
            _ => {
                let message = format!("{kind:?} is no action of Smugglers");
                faults.push(Fault::new("/type", "unknown_value", message));
                None
            }
        }
    }

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

/// The two faces of a throw, from 1.
pub fn faces_of(draw: Draw) -> [u8; 2] {
    [draw.0 / 6 + 1, draw.0 % 6 + 1].map(|face| face as u8)
}

/// The goods that are there, by name.
fn named(goods: Goods) -> Json {
    let entries = KINDS.iter().zip(goods).filter(|(_, n)| *n > 0);
    Json::Object(
        entries
            .map(|(name, n)| ((*name).to_owned(), Json::Int(n.into())))
            .collect(),
    )
}

fn read_discard(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Action>> {
    node.only_fields(&KINDS, faults);
    let mut actions = Vec::new();
    for (name, n) in node.entries(faults)? {
        let n = n.int_in(1..=48, faults)?;
        let kind = KINDS.iter().position(|kind| *kind == name)?;
        actions.extend((0..n).map(|_| Action::Discard(kind)));
    }
    Some(actions)
}
