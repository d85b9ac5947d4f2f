//! The tables that `referee describe orcain` prints.

use kernel::Describe;
use kernel::json::{self, Json};
use schemars::{Schema, schema_for};

use crate::{Card, Orcain, Setup, Slot, Snapshot, resolve_step};

impl Describe for Orcain {
    const TITLE: &'static str = "Orcain";
    const SUMMARY: &'static str = "A duel of two players who place cards in secret and reveal \
         them together, for hit points, in rounds of three steps.";

    /// The cards, the constants, and the effect of each card on its player against each other
    /// card, at hit points where neither bound matters.
    fn tables(setup: &Setup) -> Json {
        let slots: Vec<Slot> = Card::ALL.into_iter().map(Some).chain([None]).collect();
        let change = |own: Slot, other: Slot| {
            let [hp, _] = resolve_step([own, other], [50, 50], 100);
            Json::Int(i128::from(hp) - 50)
        };
        let row = |own: Slot| Json::List(slots.iter().map(|&other| change(own, other)).collect());
        let names = Json::texts(Card::NAMES);
        Json::object([
            ("cards", names),
            (
                "hp_change",
                Json::List(slots.iter().map(|&own| row(own)).collect()),
            ),
            (
                "setup",
                json::from_value(setup).expect("a setup holds no floats"),
            ),
        ])
    }

    fn setup_schema() -> Schema {
        schema_for!(Setup)
    }

    fn snapshot_schema() -> Schema {
        kernel::schema::of_read::<Snapshot>()
    }
}
