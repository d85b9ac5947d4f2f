//! From a scenario to a document.

use std::collections::BTreeMap;

use kernel::json::Json;
use serde::{Serialize, Serializer};

use super::upgrade::real;
use super::{
    Condition, Dialect, Faction, FleetSpec, Generation, Meta, Objectives, Position, Rules,
    SCHEMA_VERSION, Scenario, Spawn, Start, StaticBody, StaticSystem, Territory,
};
use crate::decimal::Decimal;

impl Scenario {
    /// The scenario as a document. Reading it in the same dialect gives the scenario back.
    pub fn document(&self, dialect: Dialect) -> Json {
        let writer = Writer(dialect);
        Json::object([
            ("schemaVersion", Json::Int(SCHEMA_VERSION.into())),
            ("id", text(&self.id)),
            ("meta", writer.meta(&self.meta)),
            ("generation", writer.generation(&self.generation)),
            ("setup", writer.start(&self.setup)),
            ("objectives", writer.objectives(&self.objectives)),
            ("rules", writer.rules(&self.rules)),
        ])
    }
}

impl Serialize for Scenario {
    /// In the canonical dialect: without floats.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document(Dialect::Canonical).serialize(serializer)
    }
}

struct Writer(Dialect);

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

/// An object without the entries that have nothing to say.
fn object<const N: usize>(entries: [(&str, Option<Json>); N]) -> Json {
    let given = entries.into_iter();
    let given = given.filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Json::Object(given.collect::<BTreeMap<String, Json>>())
}

fn list<T>(items: &[T], write: impl Fn(&T) -> Json) -> Json {
    Json::List(items.iter().map(write).collect())
}

impl Writer {
    fn decimal<const PLACES: u32>(&self, number: Decimal<PLACES>) -> Json {
        match (number.as_whole(), self.0) {
            (Some(whole), _) => Json::Int(whole.into()),
            (None, Dialect::Canonical) => Json::Text(number.to_string()),
            (None, Dialect::File) => real(&number.to_string()),
        }
    }

    fn meta(&self, meta: &Meta) -> Json {
        object([
            ("title", Some(text(&meta.title))),
            ("description", Some(text(&meta.description))),
            ("author", meta.author.as_deref().map(text)),
            ("difficulty", Some(Json::Int(meta.difficulty.into()))),
            ("tags", Some(list(&meta.tags, |tag| text(tag)))),
        ])
    }

    fn generation(&self, generation: &Generation) -> Json {
        object([
            (
                "fixedSeed",
                generation.fixed_seed.map(|seed| Json::Int(seed.into())),
            ),
            (
                "systemCount",
                Some(Json::Int(generation.system_count.into())),
            ),
            ("radius", Some(self.decimal(generation.radius))),
            ("topology", Some(text(generation.topology.name()))),
            (
                "minimumSystemSpacingLy",
                Some(self.decimal(generation.spacing)),
            ),
            (
                "staticSystems",
                Some(list(&generation.static_systems, |it| self.system(it))),
            ),
        ])
    }

    fn system(&self, system: &StaticSystem) -> Json {
        object([
            ("id", Some(text(&system.id))),
            ("name", Some(text(&system.name))),
            ("position", Some(self.position(&system.position))),
            ("resourceType", Some(text(system.resource_type.name()))),
            ("planets", Some(list(&system.planets, |it| self.body(it)))),
        ])
    }

    fn body(&self, body: &StaticBody) -> Json {
        object([
            ("id", body.id.as_deref().map(text)),
            ("name", body.name.as_deref().map(text)),
            ("bodyType", Some(text(body.body_type.name()))),
            ("class", Some(text(body.class.name()))),
            ("size", body.size.map(|size| self.decimal(size))),
            ("ownerFactionId", body.owner_faction_id.as_deref().map(text)),
        ])
    }

    fn position(&self, at: &Position) -> Json {
        Json::object([
            ("x", self.decimal(at.x)),
            ("y", self.decimal(at.y)),
            ("z", self.decimal(at.z)),
        ])
    }

    fn start(&self, start: &Start) -> Json {
        object([
            (
                "factions",
                Some(list(&start.factions, |it| self.faction(it))),
            ),
            (
                "startingDistribution",
                Some(text(start.starting_distribution.name())),
            ),
            (
                "territoryAllocation",
                start
                    .territory_allocation
                    .as_ref()
                    .map(|it| self.territory(it)),
            ),
            (
                "initialFleets",
                Some(list(&start.initial_fleets, |it| self.fleet(it))),
            ),
        ])
    }

    fn faction(&self, faction: &Faction) -> Json {
        object([
            ("id", Some(text(&faction.id))),
            ("name", Some(text(&faction.name))),
            ("colorHex", Some(text(&faction.color_hex))),
            ("isPlayable", Some(Json::Bool(faction.is_playable))),
            ("aiProfile", faction.ai_profile.map(|it| text(it.name()))),
        ])
    }

    fn territory(&self, territory: &Territory) -> Json {
        let shares = territory.by_faction_id.iter();
        let shares = shares.map(|(faction, share)| (faction.clone(), self.decimal(*share)));
        object([
            ("type", Some(text(territory.kind.name()))),
            ("byFactionId", Some(Json::Object(shares.collect()))),
            (
                "neutralShare",
                territory.neutral_share.map(|it| self.decimal(it)),
            ),
            ("contiguity", territory.contiguity.map(|it| text(it.name()))),
        ])
    }

    fn fleet(&self, fleet: &FleetSpec) -> Json {
        let spawn = match &fleet.spawn_location {
            Spawn::Named(name) => text(name.name()),
            Spawn::At(position) => self.position(position),
        };
        Json::object([
            ("ownerFactionId", text(&fleet.owner_faction_id)),
            ("spawnLocation", spawn),
            ("ships", list(&fleet.ships, |kind| text(kind.name()))),
            ("withArmies", Json::Bool(fleet.with_armies)),
        ])
    }

    fn objectives(&self, objectives: &Objectives) -> Json {
        let max_turns = objectives.constraints.max_turns;
        Json::object([
            (
                "victory",
                list(&objectives.victory, |it| self.condition(it)),
            ),
            (
                "constraints",
                object([("maxTurns", max_turns.map(|turns| Json::Int(turns.into())))]),
            ),
        ])
    }

    fn condition(&self, condition: &Condition) -> Json {
        let int = |number: u32| Some(Json::Int(number.into()));
        let (percentage, system, held, turns) = match condition {
            Condition::Elimination => (None, None, None, None),
            Condition::Domination { percentage } => {
                (Some(self.decimal(*percentage)), None, None, None)
            }
            Condition::KingOfTheHill {
                system_id,
                turns_held,
            } => (None, Some(text(system_id)), int(*turns_held), None),
            Condition::Survival { turns } => (None, None, None, int(*turns)),
        };
        object([
            ("type", Some(text(condition.name()))),
            ("percentage", percentage),
            ("systemId", system),
            ("turnsHeld", held),
            ("turns", turns),
        ])
    }

    fn rules(&self, rules: &Rules) -> Json {
        Json::object([
            ("fogOfWar", Json::Bool(rules.fog_of_war)),
            ("useAdvancedCombat", Json::Bool(rules.use_advanced_combat)),
            ("aiEnabled", Json::Bool(rules.ai_enabled)),
            ("totalWar", Json::Bool(rules.total_war)),
            ("unlimitedFuel", Json::Bool(rules.unlimited_fuel)),
            ("supply", Json::Bool(rules.supply)),
        ])
    }
}
