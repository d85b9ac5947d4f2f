//! The end of a match as the closing line of its record shows it.

use kernel::documents;
use kernel::json::{self, Json};
use serde::Serialize;

use crate::scenario::Condition;
use crate::state::{Ending, Score};
use crate::world::World;

documents! {
    #[derive(Serialize)]
    struct EndingDocument<'a> of(ending: &'a Ending, world: &'a World) {
        /// The condition that was met; null if none was.
        condition: Option<MetCondition<'a>> = {
            let idx = ending.cause.condition();
            idx.map(|idx| MetCondition::of(idx, world))
        },
        /// By seat.
        scores: Vec<FactionScore<'a>> = {
            let seats = ending.scores.iter().zip(&world.scenario().setup.factions);
            seats.map(|(score, faction)| FactionScore::of(score, &faction.id)).collect()
        },
        /// The last turn that was resolved.
        turn: u32 = ending.turn,
    }

    #[derive(Serialize)]
    struct MetCondition<'a> of(idx: u8, world: &'a World) {
        /// The condition as the scenario declares it.
        #[serde(flatten)]
        condition: &'a Condition = &world.scenario().conditions()[usize::from(idx)],
        /// Its rank in the scenario's list, from 0.
        index: u8 = idx,
    }

    #[derive(Serialize)]
    struct FactionScore<'a> of(score: &Score, id: &'a str) {
        /// The id of the faction.
        faction: &'a str = id,
        power: u64 = score.power,
        systems: u32 = score.n_systems,
    }
}

impl Ending {
    /// The condition that was met, the last turn and the scores.
    pub(crate) fn document(&self, world: &World) -> Json {
        json::from_value(&EndingDocument::of(self, world)).expect("an ending holds no floats")
    }
}
