//! What a match starts from: a scenario, a seed, and who must survive.

use std::sync::Arc;

use kernel::doc::{Document, Fault, Faults, Node};
use kernel::json::Json;
use kernel::{Seat, SeatSet};
use schemars::JsonSchema;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::constants::TURNS_MAX;
use crate::galaxy::{Galaxy, NoGalaxy, SystemIdx};
use crate::objectives::threshold;
use crate::scenario::{self, Condition, Finding, Scenario, read_canonical};
use crate::shipped;

/// A validated setup: its galaxy is made, so starting cannot fail. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup(Arc<World>);

/// All that stays the same through a match.
#[derive(PartialEq, Eq, Debug)]
pub struct World {
    scenario: Scenario,
    seed: u32,
    survivors: SeatSet,
    galaxy: Galaxy,
    goals: Vec<Goal>,
    fleet_slots: usize,
    ship_slots: usize,
}

/// A condition in the terms of this galaxy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Nobody else is left.
    Elimination,
    /// Own at least so many systems.
    Domination(usize),
    /// Hold a system for so many turns.
    Hill(SystemIdx, u32),
    /// Be alive at the end of this turn.
    Survival(u32),
}

/// The most fleets of one faction at a time.
const FLEETS_MAX: usize = 1024;

/// A setup as a document.
#[derive(JsonSchema)]
#[schemars(rename = "Setup", deny_unknown_fields)]
#[expect(dead_code, reason = "for the schema alone")]
pub(crate) struct SetupDocument {
    /// The scenario, or the id of one that is shipped. Decimals with a fraction are texts here.
    #[schemars(schema_with = "any_value")]
    scenario: Json,
    /// What the galaxy is drawn from, unless the scenario fixes it; 0 unless given.
    #[schemars(default)]
    seed: u32,
    /// The factions whose survival counts: the first playable one unless given.
    #[schemars(default)]
    survivors: Vec<String>,
}

fn any_value(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    true.into()
}

impl Setup {
    /// A match of a scenario. The seed draws the galaxy; survival counts for the first
    /// playable faction.
    pub fn new(scenario: Scenario, seed: u32) -> Result<Setup, NoGalaxy> {
        let playable = scenario.setup.factions.iter().position(|it| it.is_playable);
        let first = Seat::new(playable.unwrap_or(0)).unwrap_or(Seat::FIRST);
        Setup::with_survivors(scenario, seed, SeatSet::only(first))
    }

    /// A match in which survival counts for these factions.
    pub fn with_survivors(
        scenario: Scenario,
        seed: u32,
        survivors: SeatSet,
    ) -> Result<Setup, NoGalaxy> {
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
        Ok(Setup(Arc::new(World {
            fleet_slots: fleet_slots.max(ship_slots.min(FLEETS_MAX)),
            ship_slots,
            goals,
            galaxy,
            survivors,
            seed,
            scenario,
        })))
    }

    pub(crate) fn world(&self) -> Arc<World> {
        Arc::clone(&self.0)
    }

    pub(crate) fn of(world: Arc<World>) -> Setup {
        Setup(world)
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.0.scenario
    }

    /// The galaxy.
    pub fn galaxy(&self) -> &Galaxy {
        &self.0.galaxy
    }
}

impl World {
    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The galaxy.
    pub fn galaxy(&self) -> &Galaxy {
        &self.galaxy
    }

    /// The conditions in the order in which they are asked.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The factions whose survival counts.
    pub fn survivors(&self) -> SeatSet {
        self.survivors
    }

    /// How many factions there are.
    pub fn n_seats(&self) -> usize {
        self.scenario.setup.factions.len()
    }

    /// The last turn: the scenario's cap, or the hard bound.
    pub fn last_turn(&self) -> u32 {
        let cap = self.scenario.objectives.constraints.max_turns;
        cap.unwrap_or(TURNS_MAX)
    }

    /// Ranks of fleets: of each faction no more than this many are alive at a time.
    pub fn fleet_slots(&self) -> usize {
        self.fleet_slots
    }

    /// The most ships of one faction.
    pub fn ship_slots(&self) -> usize {
        self.ship_slots
    }

    /// The id of a faction.
    pub fn faction_id(&self, seat: Seat) -> &str {
        &self.scenario.setup.factions[seat.index()].id
    }
}

impl Goal {
    fn of(condition: &Condition, galaxy: &Galaxy) -> Goal {
        match condition {
            Condition::Elimination => Goal::Elimination,
            Condition::Domination { percentage } => {
                Goal::Domination(threshold(galaxy.n_systems(), *percentage))
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

impl Default for Setup {
    /// The skirmish that is shipped.
    fn default() -> Setup {
        let scenario = shipped::scenario(shipped::NAMES[0]);
        let scenario = scenario.expect("the shipped scenarios are valid");
        Setup::new(scenario, 0).expect("the shipped scenarios have a galaxy")
    }
}

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let world = &self.0;
        let survivors: Vec<&str> = world
            .survivors
            .iter()
            .map(|it| world.faction_id(it))
            .collect();
        let mut object = serializer.serialize_struct("Setup", 3)?;
        object.serialize_field("scenario", &world.scenario)?;
        object.serialize_field("seed", &world.seed)?;
        object.serialize_field("survivors", &survivors)?;
        object.end()
    }
}

impl Document for Setup {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Setup> {
        let scenario = read_scenario(&node.field("scenario"), faults);
        Setup::around(scenario, node, faults)
    }
}

impl Setup {
    /// Reads a setup from outside, whose scenario may have any shape that
    /// [`examine`](crate::scenario::examine) brings up to date. There is no setup exactly when a
    /// finding is an error.
    pub fn examine(document: &Json) -> (Option<Setup>, Vec<Finding>) {
        let mut faults = Faults::default();
        let node = Node::root(document);
        let (setup, mut findings) = match document.get("scenario") {
            Some(given @ Json::Object(_)) => {
                let report = scenario::examine(given);
                let setup = Setup::around(report.scenario, &node, &mut faults);
                let below = |it: Finding| Finding {
                    pointer: format!("/scenario{}", it.pointer),
                    ..it
                };
                (setup, report.findings.into_iter().map(below).collect())
            }
            _ => (Setup::read(&node, &mut faults), Vec::new()),
        };
        findings.extend(faults.iter().map(Finding::from));
        (setup.filter(|_| faults.is_empty()), findings)
    }

    /// Reads what stands beside a scenario.
    fn around(scenario: Option<Scenario>, node: &Node<'_>, faults: &mut Faults) -> Option<Setup> {
        node.only_fields(&["scenario", "seed", "survivors"], faults);
        let seed = match node.field("seed") {
            given if given.exists() => given.int_in(0..=u32::MAX.into(), faults),
            _ => Some(0),
        };
        let survivors = node.field("survivors");
        let survivors = survivors
            .exists()
            .then(|| read_survivors(&survivors, scenario.as_ref(), faults));
        let (scenario, seed) = (scenario?, seed? as u32);
        let setup = match survivors {
            None => Setup::new(scenario, seed),
            Some(survivors) => Setup::with_survivors(scenario, seed, survivors?),
        };
        setup
            .map_err(|none| faults.at(&node.field("scenario"), none.code(), none.to_string()))
            .ok()
    }
}

/// A scenario in full, or the id of a shipped one. A fault inside is told with its place.
fn read_scenario(node: &Node<'_>, faults: &mut Faults) -> Option<Scenario> {
    let Some(Json::Text(name)) = node.json() else {
        return read_canonical(node, faults);
    };
    let found = shipped::scenario(name);
    if found.is_none() {
        let message = format!(
            "there is no shipped scenario {name:?}; there are {}",
            shipped::NAMES.join(", ")
        );
        faults.push(Fault::new(node.pointer(), "unknown_value", message));
    }
    found
}

fn read_survivors(
    node: &Node<'_>,
    scenario: Option<&Scenario>,
    faults: &mut Faults,
) -> Option<SeatSet> {
    let items = node.list(faults)?;
    let mut survivors = SeatSet::EMPTY;
    let mut last = None;
    for item in &items {
        let id = item.text(faults)?;
        let Some(scenario) = scenario else { continue };
        let Some(seat) = scenario.faction(id) else {
            faults.at(
                item,
                "unknown_faction",
                format!("there is no faction {id:?}"),
            );
            continue;
        };
        if last >= Some(seat) {
            let message = "expected different factions in the order of their seats";
            faults.at(item, "not_rising", message);
        }
        last = Some(seat);
        survivors = survivors.with(seat);
    }
    Some(survivors)
}
