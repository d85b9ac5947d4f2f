//! The setup of a match: a scenario, a seed, and the factions that must survive.

use std::sync::Arc;

use kernel::doc::{Document, Fault, Faults, Node};
use kernel::json::Json;
use kernel::rng::Generator;
use kernel::{Seat, SeatSet};
use schemars::JsonSchema;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::constants::TURNS_MAX;
use crate::galaxy::{Galaxy, NoGalaxy, SystemIdx};
use crate::scenario::{self, Condition, Scenario, Severity, read_canonical};
use crate::shipped;

/// A validated setup. Its galaxy is already generated, so starting a match cannot fail. Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct Setup {
    world: Arc<World>,
    /// True if neither the scenario nor the setup's document chose the galaxy's seed.
    is_open: bool,
}

/// Two setups are equal when they start the same match. An open galaxy makes no difference.
impl PartialEq for Setup {
    fn eq(&self, other: &Setup) -> bool {
        self.world == other.world
    }
}

impl Eq for Setup {}

/// Everything that stays the same during a match.
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

/// The maximum number of seeds that are tried for a galaxy.
const DRAWS_MAX: u32 = 16;

/// A setup as a document.
#[derive(JsonSchema)]
#[schemars(rename = "Setup", deny_unknown_fields)]
#[expect(dead_code, reason = "for the schema alone")]
pub(crate) struct SetupDocument {
    /// The scenario, or the id of a shipped one. Decimals with a fraction are texts here.
    #[schemars(schema_with = "any_value")]
    scenario: Json,
    /// The seed of the galaxy, unless the scenario fixes it; 0 by default. Without a seed,
    /// simulations and arenas draw a galaxy for each match.
    #[schemars(default)]
    seed: u32,
    /// The factions whose survival counts; the first playable one by default.
    #[schemars(default)]
    survivors: Vec<String>,
}

fn any_value(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    true.into()
}

impl Setup {
    /// A match of a scenario in the galaxy of this seed. Survival counts for the first playable
    /// faction. Fails if the galaxy cannot be generated.
    pub fn new(scenario: Scenario, seed: u32) -> Result<Setup, NoGalaxy> {
        let survivors = first_playable(&scenario);
        Setup::with_survivors(scenario, seed, survivors)
    }

    /// Like [`Setup::new`], but survival counts for these factions.
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
        Ok(Setup::of(Arc::new(World {
            fleet_slots: fleet_slots.max(ship_slots.min(FLEETS_MAX)),
            ship_slots,
            goals,
            galaxy,
            survivors,
            seed,
            scenario,
        })))
    }

    /// The same setup, but each match of a series gets its own galaxy unless the scenario fixes
    /// one.
    #[must_use]
    pub fn with_open_galaxy(self) -> Setup {
        let is_open = self.scenario().generation.fixed_seed.is_none();
        Setup { is_open, ..self }
    }

    /// True if each match of a series gets its own galaxy.
    pub fn leaves_galaxy_open(&self) -> bool {
        self.is_open
    }

    /// The setup with a galaxy drawn from the generator, if the galaxy is open. Keeps the current
    /// galaxy if no seed that is tried works.
    #[must_use]
    pub fn draw_galaxy(&self, rng: &mut Generator) -> Setup {
        let draw = |_| {
            let (scenario, seed) = (self.scenario().clone(), rng.below(1 << 32) as u32);
            Setup::with_survivors(scenario, seed, self.world.survivors).ok()
        };
        let n_draws = if self.is_open { DRAWS_MAX } else { 0 };
        let drawn = (0..n_draws).find_map(draw);
        drawn.unwrap_or_else(|| Setup::of(self.world()))
    }

    pub(crate) fn world(&self) -> Arc<World> {
        Arc::clone(&self.world)
    }

    pub(crate) fn of(world: Arc<World>) -> Setup {
        let is_open = false;
        Setup { world, is_open }
    }

    /// The scenario of the match.
    pub fn scenario(&self) -> &Scenario {
        &self.world.scenario
    }

    /// The galaxy of the match.
    pub fn galaxy(&self) -> &Galaxy {
        &self.world.galaxy
    }
}

fn first_playable(scenario: &Scenario) -> SeatSet {
    let playable = scenario.setup.factions.iter().position(|it| it.is_playable);
    SeatSet::only(Seat::new(playable.unwrap_or(0)).unwrap_or(Seat::FIRST))
}

impl World {
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
        let cap = self.scenario.objectives.constraints.max_turns;
        cap.unwrap_or(TURNS_MAX)
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

impl Default for Setup {
    /// The shipped scenario `skirmish`.
    fn default() -> Setup {
        let scenario = shipped::scenario(shipped::NAMES[0]);
        let scenario = scenario.expect("the shipped scenarios are valid");
        let setup = Setup::new(scenario, 0).expect("the shipped scenarios have a galaxy");
        setup.with_open_galaxy()
    }
}

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let world = &self.world;
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
        let scenario = node.field("scenario");
        let scenario = match scenario.json() {
            Some(Json::Text(name)) => named(name, &scenario, faults),
            _ => read_canonical(&scenario, faults),
        };
        Setup::around(scenario, node, faults)
    }
}

impl Setup {
    /// Reads a setup from outside and reports every fault. Accepts an object with a scenario in any
    /// form, a scenario as its author writes it, or the name of a shipped one.
    pub fn examine(document: &Json) -> Result<Setup, Faults> {
        let mut faults = Faults::default();
        let node = Node::root(document);
        let setup = if is_scenario(document) {
            let scenario = read_scenario(&node, Json::clone, &mut faults);
            scenario.and_then(|it| Setup::drawn(it, None, None, &node, &mut faults))
        } else {
            let place = node.field("scenario");
            let scenario = read_scenario(&place, scenario::with_numbers, &mut faults);
            Setup::around(scenario, &node, &mut faults)
        };
        faults.into_result(setup)
    }

    /// Reads the fields next to a scenario.
    fn around(scenario: Option<Scenario>, node: &Node<'_>, faults: &mut Faults) -> Option<Setup> {
        node.only_fields(&["scenario", "seed", "survivors"], faults);
        let seed = match node.field("seed") {
            given if given.exists() => u32::read(&given, faults).map(Some),
            _ => Some(None),
        };
        let survivors = node.field("survivors");
        let survivors = survivors
            .exists()
            .then(|| read_survivors(&survivors, scenario.as_ref(), faults));
        let survivors = survivors.map_or(Some(None), |it| it.map(Some));
        let place = node.field("scenario");
        Setup::drawn(scenario?, seed?, survivors?, &place, faults)
    }

    /// A setup with its galaxy. Failing to generate it is a fault of the scenario at `place`.
    fn drawn(
        scenario: Scenario,
        seed: Option<u32>,
        survivors: Option<SeatSet>,
        place: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Setup> {
        let survivors = survivors.unwrap_or_else(|| first_playable(&scenario));
        let setup = Setup::with_survivors(scenario, seed.unwrap_or(0), survivors)
            .map_err(|none| faults.at(place, none.code(), none.to_string()))
            .ok()?;
        Some(match seed {
            Some(_) => setup,
            None => setup.with_open_galaxy(),
        })
    }
}

/// True if the document is a scenario rather than a setup that contains one.
fn is_scenario(document: &Json) -> bool {
    let is_field = |key: &str| matches!(key, "schemaVersion" | "generation" | "objectives");
    match document {
        Json::Object(fields) => {
            !fields.contains_key("scenario") && fields.keys().any(|it| is_field(it))
        }
        Json::Text(_) => true,
        _ => false,
    }
}

/// Reads a shipped scenario by name, or a scenario that `spelled` converts to the form of files.
fn read_scenario(
    node: &Node<'_>,
    spelled: fn(&Json) -> Json,
    faults: &mut Faults,
) -> Option<Scenario> {
    match node.present(faults)? {
        Json::Text(name) => named(name, node, faults),
        document => {
            let report = scenario::examine(&spelled(document));
            for finding in report.findings {
                let pointer = format!("{}{}", node.pointer(), finding.pointer);
                let fault = Fault::new(pointer, finding.code, finding.message);
                match finding.severity {
                    Severity::Error => faults.push(fault),
                    Severity::Warning => faults.remark(fault),
                }
            }
            report.scenario
        }
    }
}

fn named(name: &str, node: &Node<'_>, faults: &mut Faults) -> Option<Scenario> {
    let found = shipped::scenario(name);
    if found.is_none() {
        let known = shipped::NAMES.join(", ");
        let message = format!("no shipped scenario has the name {name:?}; the names are {known}");
        faults.at(node, "unknown_value", message);
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
                format!("no faction has the id {id:?}"),
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
