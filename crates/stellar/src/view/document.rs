//! A view as a document for clients, and its schema.

use std::borrow::Cow;

use kernel::doc::Named;
use kernel::{Outcome, Seat, SeatSet, documents, schema};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::{Contact, View};
use crate::choices::Choice;
use crate::constants::{
    CAPTURE_RANGE_MLY, JUMP_MAX_MLY, SENSOR_RANGE_MLY, ShipKind, TERRITORY_RADIUS_MLY,
};
use crate::galaxy::SystemIdx;
use crate::scenario::{Condition, Faction};
use crate::space::Point;
use crate::state::{Army, Draft, Ending, Fleet, Mission, Order, Place, Post, Score, Ship, Stellar};
use crate::world::Goal;

documents! {
    [#[derive(Serialize, JsonSchema)]];

    /// Everything a viewer may know. Lengths are in thousandths of a light-year.
    #[schemars(rename = "View")]
    pub(super) struct ViewDocument<'a> of(view: &'a View)
    where (known = view.known(), goals = 0..view.world.goals().len()) {
        /// The seats that had a fleet or a system when the last turn ended.
        alive: SeatSet = view.alive,
        /// The visible armies, including your own.
        armies: Vec<ArmyDocument<'a>> = {
            view.armies.iter().map(|it| ArmyDocument::of(view, it)).collect()
        },
        /// The visible foreign fleets.
        contacts: Vec<ContactDocument<'a>> = {
            view.contacts.iter().map(|it| ContactDocument::of(view, it)).collect()
        },
        /// True once you have given all your orders for this turn.
        done: bool = view.done,
        /// The order that you are composing, as words.
        draft: Draft = view.draft,
        /// Your own fleets with their sealed orders.
        fleets: Vec<FleetDocument<'a>> = {
            let fleets = view.fleets.iter();
            fleets.map(|it| FleetDocument::of(view, it, known.as_ref())).collect()
        },
        /// Everything that stays the same during the match.
        map: MapDocument<'a> = MapDocument::of(view),
        /// The victory conditions, in the order of their declaration.
        objectives: Vec<ObjectiveDocument<'a>> = {
            goals.map(|idx| ObjectiveDocument::of(view, idx)).collect()
        },
        /// The outcome in the form common to all games; null until the match is over.
        outcome: Option<Outcome> = view.outcome(),
        /// The owner of each system; null for none.
        owners: &'a [Option<Seat>] = &view.owners,
        /// The seats that have not left.
        present: SeatSet = view.present,
        /// The result in detail; null until the match is over.
        result: Option<ResultDocument<'a>> = {
            view.ending.as_ref().map(|it| ResultDocument::of(view, it))
        },
        /// Your own score; null in the public view.
        score: Option<Score> = view.score,
        /// Your seat; null in the public view.
        seat: Option<Seat> = view.seat,
        /// The turn that is being planned, from 1.
        turn: u32 = view.turn,
        /// The number of turns still to be resolved, including this one.
        turns_left: u32 = (view.world.last_turn() + 1).saturating_sub(view.turn),
    }

    /// Everything that stays the same during a match; public.
    #[schemars(rename = "StarMap")]
    struct MapDocument<'a> of(view: &'a View) where (scenario = view.world.scenario()) {
        /// The factions, by seat.
        factions: Vec<FactionDocument<'a>> = {
            scenario.setup.factions.iter().map(FactionDocument::of).collect()
        },
        /// True if distant foreign forces are hidden.
        fog: bool = scenario.rules.fog_of_war,
        /// The last turn that is resolved.
        last_turn: u32 = view.world.last_turn(),
        ranges: Ranges = Ranges::of(),
        systems: Vec<SystemDocument<'a>> = {
            let systems = view.world.galaxy().indices();
            systems.map(|idx| SystemDocument::of(view, idx)).collect()
        },
        /// The scenario's title.
        title: &'a str = &scenario.meta.title,
    }

    /// Ranges, in thousandths of a light-year.
    struct Ranges of() {
        /// Ships within this distance of a system count as being there.
        capture: i64 = CAPTURE_RANGE_MLY,
        /// The longest possible jump.
        jump: i64 = JUMP_MAX_MLY,
        /// The distance at which a fleet sees others.
        sensor: i64 = SENSOR_RANGE_MLY,
        /// The radius of territory around an owned system.
        territory: i64 = TERRITORY_RADIUS_MLY,
    }

    #[schemars(rename = "StarSystem")]
    struct SystemDocument<'a> of(view: &'a View, idx: SystemIdx)
    where (galaxy = view.world.galaxy(), system = galaxy.system(idx)) {
        /// True if extractors can make fuel here.
        gas: bool = system.has_gas,
        /// The faction whose home it is.
        home_of: Option<Seat> = {
            Seat::first(view.world.n_seats()).find(|it| galaxy.home(*it) == Some(idx))
        },
        id: &'a str = &system.id,
        /// The number of bodies that troops can land on.
        n_bodies: u8 = system.n_landable,
        name: &'a str = &system.name,
        x: i32 = system.at.x,
        y: i32 = system.at.y,
        z: i32 = system.at.z,
    }

    #[schemars(rename = "Faction")]
    struct FactionDocument<'a> of(faction: &'a Faction) {
        /// The color, as `#RRGGBB`.
        color: &'a str = &faction.color_hex,
        id: &'a str = &faction.id,
        name: &'a str = &faction.name,
    }

    /// One of your fleets.
    #[schemars(rename = "OwnFleet")]
    struct FleetDocument<'a> of(view: &'a View, fleet: &Fleet, known: Option<&Stellar>)
    where (unlimited_fuel = view.world.scenario().rules.unlimited_fuel) {
        at: Point = fleet.at(view.world.galaxy()),
        /// Every verb with its legal arguments or the reason it is illegal; empty when no orders
        /// are accepted.
        choices: Vec<Choice> = known.map_or(Vec::new(), |it| it.choices(fleet)),
        /// Its task on arrival, as words.
        mission: Mission = fleet.mission,
        /// The id of the system it orbits; null in flight.
        orbit: Option<&'a str> = fleet.orbit().map(|it| view.id(it)),
        /// This turn's sealed order, as words; systems are given by index.
        order: Option<Order> = fleet.order,
        /// Its rank among its owner's fleets.
        rank: u16 = fleet.rank,
        /// The longest jump it can make.
        reach: i64 = fleet.reach_mly(unlimited_fuel),
        /// It breaks off a battle when its side falls below this percentage of its initial power.
        retreat: u8 = fleet.retreat,
        /// The sealed change of `retreat`.
        retreat_next: Option<u8> = fleet.new_retreat,
        ships: Vec<ShipDocument> = fleet.ships.iter().map(ShipDocument::of).collect(),
        /// The distance it travels per turn.
        speed: i64 = fleet.speed_mly(),
        /// The id of the system it is heading for; null in orbit.
        to: Option<&'a str> = match fleet.place {
            Place::Orbit(_) => None,
            Place::Moving { to, .. } => Some(view.id(to)),
        },
    }

    #[schemars(rename = "OwnShip")]
    struct ShipDocument of(ship: &Ship) {
        /// The rank of the army aboard.
        army: Option<u16> = ship.army,
        /// Fuel in hundredths.
        fuel: i32 = ship.fuel,
        /// Remaining hull points.
        hull: u16 = ship.hull,
        /// Full hull points of this type.
        hull_max: u16 = ship.kind.class().hull,
        interceptors: u8 = ship.interceptors,
        kind: ShipKind = ship.kind,
        /// True if it leaves by the split that is ordered or being composed.
        leaves: bool = ship.leaves,
        missiles: u8 = ship.missiles,
        torpedoes: u8 = ship.torpedoes,
    }

    /// A visible foreign fleet.
    #[schemars(rename = "Contact")]
    struct ContactDocument<'a> of(view: &'a View, contact: &Contact) {
        at: Point = contact.at,
        orbit: Option<&'a str> = contact.orbit.map(|it| view.id(it)),
        owner: Seat = contact.owner,
        rank: u16 = contact.rank,
        /// The type and remaining hull of each ship.
        ships: Vec<(ShipKind, u16)> = contact.ships.clone(),
    }

    #[schemars(rename = "SeenArmy")]
    struct ArmyDocument<'a> of(view: &'a View, army: &Army)
    where (
        ground = match army.post {
            Post::Ground(system, body) => Some((system, body)),
            Post::Aboard => None,
        },
    ) {
        /// The body it is on; null aboard a transport.
        body: Option<u8> = ground.map(|(_, body)| body),
        /// Morale in thousandths.
        morale: u16 = army.morale,
        owner: Seat = army.owner,
        rank: u16 = army.rank,
        strength: u16 = army.strength,
        /// The id of the system it is in; null aboard a transport.
        system: Option<&'a str> = ground.map(|(system, _)| view.id(system)),
    }

    /// A victory condition and the progress towards it.
    #[schemars(rename = "Objective")]
    struct ObjectiveDocument<'a> of(view: &'a View, idx: usize)
    where (
        goal = view.world.goals()[idx],
        hill = match goal {
            Goal::Hill(system, _) => Some(system),
            _ => None,
        },
        hold = view.holds[idx],
    ) {
        #[serde(rename = "type")]
        #[schemars(schema_with = "schema::names::<Condition>")]
        kind: &'static str = view.world.scenario().conditions()[idx].name(),
        /// The number of systems or of turns held that is needed, or the turn to survive.
        #[serde(skip_serializing_if = "Option::is_none")]
        needed: Option<u32> = match goal {
            Goal::Elimination => None,
            Goal::Domination(n_systems) => Some(n_systems as u32),
            Goal::Hill(_, n_turns) | Goal::Survival(n_turns) => Some(n_turns),
        },
        /// For domination: the systems owned, by seat.
        #[serde(skip_serializing_if = "Option::is_none")]
        progress: Option<Vec<usize>> = matches!(goal, Goal::Domination(_)).then(|| {
            let seats = Seat::first(view.world.n_seats());
            seats.map(|it| view.n_owned(it)).collect()
        }),
        /// For a hill: the id of the system.
        #[serde(skip_serializing_if = "Option::is_none")]
        system: Option<&'a str> = hill.map(|it| view.id(it)),
        /// For a hill: the faction that holds it.
        #[serde(skip_serializing_if = "Option::is_none")]
        holder: Option<Seat> = hill.and(hold).map(|it| it.holder),
        /// For a hill: the number of turns it has been held in a row.
        #[serde(skip_serializing_if = "Option::is_none")]
        held: Option<u32> = hill.map(|_| hold.map_or(0, |it| it.n_turns)),
        /// For a hill: the reason for the current count.
        #[serde(skip_serializing_if = "Option::is_none")]
        hill: Option<HillState> = hill.map(|it| view.hill(idx, it)),
        /// For survival: the factions it counts for.
        #[serde(skip_serializing_if = "Option::is_none")]
        survivors: Option<SeatSet> = {
            matches!(goal, Goal::Survival(_)).then(|| view.world.survivors())
        },
    }

    #[schemars(rename = "MatchResult")]
    struct ResultDocument<'a> of(view: &View, ending: &'a Ending) {
        /// The index of the condition that decided; null for other causes.
        condition: Option<u8> = ending.cause.condition(),
        /// The cause, as a stable code.
        reason: &'static str = ending.cause.code(&view.world),
        /// The scores, by seat.
        scores: &'a [Score] = &ending.scores,
        /// The last turn that was resolved.
        turn: u32 = ending.turn,
        winner: Option<Seat> = ending.winner,
    }
}

/// The state of a hill.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum HillState {
    /// No turn has been resolved yet.
    Unasked,
    /// Nobody owns it.
    Unowned,
    /// Foreign ships are in its orbit, so the count is 0.
    Contested,
    /// Its owner holds it.
    Held,
}

impl JsonSchema for View {
    fn schema_name() -> Cow<'static, str> {
        ViewDocument::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ViewDocument::json_schema(generator)
    }
}

impl View {
    pub(crate) fn id(&self, system: SystemIdx) -> &str {
        &self.world.galaxy().system(system).id
    }

    /// Derives the state from owners and counts, which are public: if an owner does not hold its
    /// hill after a turn, the only possible reason is foreign ships in its orbit.
    fn hill(&self, idx: usize, system: SystemIdx) -> HillState {
        let asked = self.turn > 1 || self.ending.is_some();
        match (self.holds[idx], self.owners[system.index()]) {
            (Some(_), _) => HillState::Held,
            (None, None) => HillState::Unowned,
            (None, Some(_)) if asked => HillState::Contested,
            (None, Some(_)) => HillState::Unasked,
        }
    }
}
