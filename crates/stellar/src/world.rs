//! Everything that stays the same during a match.

use kernel::{Seat, SeatSet};

use crate::galaxy::{Galaxy, NoGalaxy, SystemIdx};
use crate::scenario::{Condition, Scenario};

/// Everything that stays the same during a match.
#[derive(PartialEq, Eq, Debug)]
pub struct World {
    scenario: Scenario,
    pub(crate) seed: u32,
    survivors: SeatSet,
    galaxy: Galaxy,
    goals: Vec<Goal>,
    fleet_slots: usize,
    ship_slots: usize,
}

/// A victory condition resolved against this galaxy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// No other faction is left.
    Elimination,
    /// The faction owns at least this many systems.
    Domination(usize),
    /// The faction holds a system for this many turns in a row.
    Hill(SystemIdx, u32),
    /// The faction is alive at the end of this turn.
    Survival(u32),
}

/// The maximum number of fleets of one faction at a time.
const FLEETS_MAX: usize = 1024;

impl World {
    pub(crate) fn new(
        scenario: Scenario,
        seed: u32,
        survivors: SeatSet,
    ) -> Result<World, NoGalaxy> {
        let galaxy = Galaxy::generate(&scenario, seed)?;
        let goals = scenario.conditions().iter();
        let goals = goals.map(|it| Goal::of(it, &galaxy)).collect();
        let n_ships = |seat: Seat| -> usize {
            let own = galaxy.fleets().iter().filter(|it| it.owner == seat);
            own.map(|it| it.ships.len()).sum()
        };
        let n_fleets = |seat: Seat| galaxy.fleets().iter().filter(|it| it.owner == seat).count();
        let seats = || Seat::first(scenario.setup.factions.len());
        let ship_slots = seats().map(n_ships).max().unwrap_or(0).max(1);
        let fleet_slots = seats().map(n_fleets).max().unwrap_or(0);
        Ok(World {
            fleet_slots: fleet_slots.max(ship_slots.min(FLEETS_MAX)),
            ship_slots,
            goals,
            galaxy,
            survivors,
            seed,
            scenario,
        })
    }

    /// The scenario of the match.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The galaxy of the match.
    pub fn galaxy(&self) -> &Galaxy {
        &self.galaxy
    }

    /// The victory conditions in the order in which they are checked.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The factions whose survival counts.
    pub fn survivors(&self) -> SeatSet {
        self.survivors
    }

    /// The number of factions.
    pub fn n_seats(&self) -> usize {
        self.scenario.setup.factions.len()
    }

    /// The last turn: the scenario's limit, or the hard limit.
    pub fn last_turn(&self) -> u32 {
        self.scenario.objectives.constraints.last_turn()
    }

    /// The maximum number of fleets of one faction at a time. Ranks are below this.
    pub fn fleet_slots(&self) -> usize {
        self.fleet_slots
    }

    /// The maximum number of ships of one faction.
    pub fn ship_slots(&self) -> usize {
        self.ship_slots
    }

    /// The id of the faction in this seat.
    pub fn faction_id(&self, seat: Seat) -> &str {
        &self.scenario.setup.factions[seat.index()].id
    }
}

impl Goal {
    fn of(condition: &Condition, galaxy: &Galaxy) -> Goal {
        match condition {
            Condition::Elimination => Goal::Elimination,
            Condition::Domination { percentage } => {
                Goal::Domination(percentage.of(galaxy.n_systems()))
            }
            Condition::KingOfTheHill {
                system_id,
                turns_held,
            } => {
                // The scenario was checked: the system exists whatever the seed.
                let hill = galaxy.find(system_id).unwrap_or(SystemIdx(0));
                Goal::Hill(hill, *turns_held)
            }
            Condition::Survival { turns } => Goal::Survival(*turns),
        }
    }
}
