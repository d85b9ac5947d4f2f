//! The game's description and its observations.

use kernel::json::{Json, from_value};
use kernel::{Block, Describe, Layout, Observe, Seat};
use schemars::{Schema, schema_for};

use super::snapshot::Snapshot;
use super::{Armada, FLEETS_MAX, Setup};
use crate::toys::Writer;

impl Describe for Armada {
    const TITLE: &'static str = "Armada";
    const SUMMARY: &'static str = "Fleets on a ring of systems, with sealed orders and fog.";

    fn tables(setup: &Setup) -> Json {
        from_value(setup).expect("a setup holds no floats")
    }

    fn setup_schema() -> Schema {
        schema_for!(Setup)
    }

    fn snapshot_schema() -> Schema {
        schema_for!(Snapshot)
    }
}

impl Observe for Armada {
    fn observation(setup: &Setup) -> Layout {
        let n_systems = usize::from(setup.n_systems);
        let n_factions = usize::from(setup.n_factions);
        let block = |name, shape: &[usize], low, high, about| Block {
            name,
            shape: shape.to_vec(),
            low,
            high,
            scale: high,
            about,
        };
        Layout {
            blocks: vec![
                block(
                    "fleets",
                    &[n_factions, n_systems],
                    -1,
                    FLEETS_MAX.into(),
                    "fleets by faction, own first; -1 in the fog",
                ),
                block("alive", &[n_factions], 0, 1, "1 while in the match"),
                block("orders", &[n_systems], -1, 11, "own targets; -1 for none"),
                block(
                    "chosen",
                    &[n_systems],
                    0,
                    1,
                    "1 where an order has been started",
                ),
                block("done", &[1], 0, 1, "1 once all own orders are given"),
                block("turn", &[1], 1, setup.max_turns as i16, "from 1"),
            ],
        }
    }

    fn write_observation(&self, seat: Seat, out: &mut [i16]) {
        let n = usize::from(self.setup.n_factions);
        let mut writer = Writer::new(out);
        let seats = || (0..n).filter_map(|offset| Seat::new((seat.index() + offset) % n));
        for other in seats() {
            for system in self.systems() {
                let fleets = i16::from(self.faction(other).fleets[system]);
                let seen = self.sees(seat, system);
                writer.value(if seen { fleets } else { -1 });
            }
        }
        writer.all(seats().map(|seat| u8::from(self.alive.contains(seat))));
        let own = self.faction(seat);
        for system in self.systems() {
            writer.value(own.orders[system].map_or(-1, i16::from));
        }
        let chosen = |system: usize| u8::from(own.chosen == Some(system as u8));
        writer.all(self.systems().map(chosen));
        writer.all([u8::from(self.done.contains(seat))]);
        writer.value(self.turn as i16);
    }
}
