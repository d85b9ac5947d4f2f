//! The setup of a match: a scenario, a seed, and the factions that must survive.

use std::sync::Arc;

use kernel::doc::{Document, Fault, Faults, Node};
use kernel::json::Json;
use kernel::rng::Generator;
use kernel::{Seat, SeatSet, documents};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::galaxy::{Galaxy, NoGalaxy};
use crate::scenario::{self, Scenario, Severity, read_canonical};
use crate::shipped;
use crate::world::World;

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

/// The maximum number of seeds that are tried for a galaxy.
const DRAWS_MAX: u32 = 16;

documents! {
    /// A setup as a document.
    #[derive(Serialize, JsonSchema)]
    #[schemars(rename = "Setup", deny_unknown_fields)]
    pub(crate) struct SetupDocument<'a> of(world: &'a World) {
        /// The scenario, or the id of a shipped one. Decimals with a fraction are texts here.
        #[schemars(with = "Json")]
        scenario: &'a Scenario = world.scenario(),
        /// The seed of the galaxy, unless the scenario fixes it; 0 by default. Without a seed,
        /// simulations and arenas draw a galaxy for each match.
        #[schemars(default)]
        seed: u32 = world.seed,
        /// The factions whose survival counts; the first playable one by default.
        #[schemars(default)]
        survivors: Vec<&'a str> = {
            world.survivors().iter().map(|it| world.faction_id(it)).collect()
        },
    }
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
        let world = World::new(scenario, seed, survivors)?;
        Ok(Setup::of(Arc::new(world)))
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
            Setup::with_survivors(scenario, seed, self.world.survivors()).ok()
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
        self.world.scenario()
    }

    /// The galaxy of the match.
    pub fn galaxy(&self) -> &Galaxy {
        self.world.galaxy()
    }
}

fn first_playable(scenario: &Scenario) -> SeatSet {
    let playable = scenario.setup.factions.iter().position(|it| it.is_playable);
    SeatSet::only(Seat::new(playable.unwrap_or(0)).unwrap_or(Seat::FIRST))
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
        SetupDocument::of(&self.world).serialize(serializer)
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
        let survivors = node.field("survivors");
        let seed = omissible(&node.field("seed"), faults);
        let ids = omissible::<Vec<String>>(&survivors, faults);
        let scenario = scenario?;
        let seats = ids?.map(|ids| seats_of(&ids, &scenario, &survivors, faults));
        Setup::drawn(scenario, seed?, seats, &node.field("scenario"), faults)
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

/// Reads a value that may be omitted, but must not be null.
fn omissible<T: Document>(node: &Node<'_>, faults: &mut Faults) -> Option<Option<T>> {
    match node.exists() {
        true => T::read(node, faults).map(Some),
        false => Some(None),
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

/// The seats of factions, which must be in the order of their seats.
fn seats_of(ids: &[String], scenario: &Scenario, node: &Node<'_>, faults: &mut Faults) -> SeatSet {
    let mut seats = SeatSet::EMPTY;
    let mut last = None;
    for (idx, id) in ids.iter().enumerate() {
        let Some(seat) = scenario.faction(id) else {
            let message = format!("no faction has the id {id:?}");
            faults.at(&node.item(idx), "unknown_faction", message);
            continue;
        };
        if last >= Some(seat) {
            let message = "expected different factions in the order of their seats";
            faults.at(&node.item(idx), "not_rising", message);
        }
        last = Some(seat);
        seats = seats.with(seat);
    }
    seats
}
