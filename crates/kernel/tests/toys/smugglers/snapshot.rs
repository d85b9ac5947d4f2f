//! Restores a position.

use kernel::doc::{Document, Faults, Node};
use kernel::{SnapshotOf, Table};

use super::{By, Due, End, Goods, KINDS, N_KINDS, Phase, Setup, Smugglers, count};
use crate::toys::{array, int, seat};

const FIELDS: [&str; 8] = [
    "bag", "due", "end", "hands", "phase", "points", "setup", "turn",
];

impl SnapshotOf<Smugglers> for Smugglers {
    fn of(position: &Smugglers) -> Smugglers {
        *position
    }

    /// Reads a position and refuses one that play cannot reach.
    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Smugglers> {
        let keys: Vec<&str> = FIELDS.into_iter().chain(Table::<Smugglers>::KEYS).collect();
        node.only_fields(&keys, faults);
        let setup = Setup::read(&node.field("setup"), faults);
        let bag = read_goods(&node.field("bag"), faults);
        let due = node.field("due").null_or(faults, read_due);
        let end = node.field("end").null_or(faults, read_end);
        let hands = array(&node.field("hands"), faults, read_goods);
        let phase = node.field("phase").one_of(&Phase::NAMES, faults);
        let points = array(&node.field("points"), faults, |node, faults| {
            u8::try_from(node.int_in(0..=10, faults)?).ok()
        });
        let turn = int(node, "turn", 1..=500, faults);
        let position = Smugglers {
            bag: bag?,
            due: due?,
            end: end?,
            hands: hands?,
            phase: Phase::ALL[phase?],
            points: points?,
            setup: setup?,
            turn: turn?,
        };
        position.check(node, faults);
        Some(position)
    }
}

impl Smugglers {
    /// Checks the constraints between the fields.
    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        let mut must = |holds: bool, key: &str, message: &str| {
            if !holds {
                faults.at(&node.field(key), "contradiction", message);
            }
        };
        for (kind, name) in KINDS.iter().enumerate() {
            let n = u16::from(self.bag[kind])
                + u16::from(self.hands[0][kind])
                + u16::from(self.hands[1][kind]);
            let message = format!("bag and hands contain {n} {name} in total, not n_each");
            must(n == u16::from(self.setup.n_each), "bag", &message);
        }
        must(
            self.turn <= self.setup.max_turns,
            "turn",
            "this turn is after the turn cap",
        );
        must(
            self.due.is_some() == (self.phase == Phase::Discard),
            "due",
            "a discard must be due exactly in the discard phase",
        );
        let enough = |due: Due| self.n_hand(due.seat) >= due.n_left;
        must(
            self.due.is_none_or(enough),
            "due",
            "the hand is smaller than the pending discard",
        );
        let possible = match self.phase {
            Phase::Draw => count(self.bag) > 0,
            Phase::Steal => self.n_hand(Smugglers::other(self.roller())) > 0,
            _ => true,
        };
        must(possible, "phase", "there is nothing to draw or steal");
        must(
            self.fits_end(),
            "end",
            "this position does not end this way",
        );
    }

    fn fits_end(&self) -> bool {
        let won = self.points.map(|points| points >= self.setup.points_to_win);
        match self.end {
            None => won == [false; 2],
            Some(End { by, winner }) => match by {
                By::Points => winner.is_some_and(|seat| {
                    won[seat.index()] && !won[1 - seat.index()] && self.phase == Phase::Trade
                }),
                By::Left => winner.is_some() && won == [false; 2],
                By::Void => winner.is_none() && won == [false; 2],
                By::TurnCap => {
                    self.turn == self.setup.max_turns
                        && winner == self.leader()
                        && won == [false; 2]
                }
            },
        }
    }
}

fn read_goods(node: &Node<'_>, faults: &mut Faults) -> Option<Goods> {
    array::<u8, N_KINDS>(node, faults, |node, faults| {
        u8::try_from(node.int_in(0..=12, faults)?).ok()
    })
}

fn read_due(node: &Node<'_>, faults: &mut Faults) -> Option<Due> {
    node.only_fields(&["begun", "n_left", "seat"], faults);
    let begun = node.field("begun").bool(faults);
    let n_left = int(node, "n_left", 1..=24, faults);
    let seat = seat(&node.field("seat"), 2, faults);
    Some(Due {
        begun: begun?,
        n_left: n_left?,
        seat: seat?,
    })
}

fn read_end(node: &Node<'_>, faults: &mut Faults) -> Option<End> {
    node.only_fields(&["by", "winner"], faults);
    let by = node.field("by").one_of(&By::NAMES, faults);
    let winner = node
        .field("winner")
        .null_or(faults, |node, faults| seat(node, 2, faults));
    Some(End {
        by: By::ALL[by?],
        winner: winner?,
    })
}
