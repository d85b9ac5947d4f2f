//! The game's description and its observations.

use kernel::json::{Json, from_value};
use kernel::{Block, Describe, Layout, Observe, Seat};
use schemars::{Schema, schema_for};

use super::{KINDS, N_KINDS, Phase, Setup, Smugglers, count};
use crate::toys::Writer;

impl Describe for Smugglers {
    const TITLE: &'static str = "Smugglers";
    const SUMMARY: &'static str = "Two smugglers roll for goods, steal at a 7 and sell sets.";

    fn tables(setup: &Setup) -> Json {
        let setup = from_value(setup).expect("a setup holds no floats");
        Json::object([("goods", Json::texts(KINDS)), ("setup", setup)])
    }

    fn setup_schema() -> Schema {
        schema_for!(Setup)
    }

    fn snapshot_schema() -> Schema {
        schema_for!(Smugglers)
    }
}

impl Observe for Smugglers {
    fn observation(setup: &Setup) -> Layout {
        let block = |name, n: usize, high: i16, about| Block {
            name,
            shape: vec![n],
            low: 0,
            high,
            scale: high,
            about,
        };
        let n_all = i16::from(setup.n_each) * N_KINDS as i16;
        Layout {
            blocks: vec![
                block("hand", N_KINDS, setup.n_each.into(), "own goods by kind"),
                block("n_hand", 2, n_all, "goods held: own, opponent's"),
                block("n_bag", 1, n_all, "goods in the bag"),
                block("points", 2, setup.points_to_win.into(), "own, opponent's"),
                block("phase", Phase::NAMES.len(), 1, "one of the phases"),
                block("turn", 1, setup.max_turns as i16, "the turn, from 1"),
                block("rolls", 1, 1, "1 on the seat's own turn"),
                block("due", 2, n_all, "goods to return: own, opponent's"),
            ],
        }
    }

    fn write_observation(&self, seat: Seat, out: &mut [i16]) {
        let seats = [seat, Smugglers::other(seat)];
        let mut writer = Writer::new(out);
        writer.all(self.hand(seat));
        writer.all(seats.map(|seat| self.n_hand(seat)));
        writer.all([count(self.bag)]);
        writer.all(seats.map(|seat| self.points[seat.index()]));
        writer.all((0..Phase::NAMES.len()).map(|idx| u8::from(idx == self.phase as usize)));
        writer.value(self.turn as i16);
        writer.all([u8::from(self.roller() == seat)]);
        let due = |seat: Seat| self.due.filter(|due| due.seat == seat);
        writer.all(seats.map(|seat| due(seat).map_or(0, |due| due.n_left)));
    }
}
