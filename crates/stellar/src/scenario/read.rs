//! From a document to a scenario.

use std::collections::BTreeMap;

use kernel::doc::{Document, Faults, Named, Node};
use kernel::json::Json;

use super::reader::{Dialect, Presence, Reader, TURNS_LAST, all};
use super::{
    BodyClass, BodyKind, Condition, Constraints, Contiguity, Distribution, Faction, Finding,
    FleetSpec, Generation, Meta, Objectives, Position, Profile, Resource, Rules, SCHEMA_VERSION,
    Scenario, SchemaVersion, Spawn, SpawnName, Start, StaticBody, StaticSystem, Territory,
    TerritoryKind, Topology,
};
use crate::constants::{INITIAL_FLEETS_MAX, SHIPS_MAX, SPACING_DEFAULT_MLY, SYSTEMS_MAX, ShipKind};
use crate::decimal::{Ly, Share};

/// Reads a scenario in the current shape, with everything that is wrong or odd.
pub(super) fn read(document: &Json, dialect: Dialect) -> (Option<Scenario>, Vec<Finding>) {
    let mut reader = Reader::new(dialect);
    let node = Node::root(document);
    let scenario = reader.scenario(&node);
    if let Some(scenario) = &scenario {
        reader.check(&node, scenario);
    }
    let mut findings: Vec<Finding> = reader.faults.iter().map(Finding::from).collect();
    findings.extend(reader.warnings);
    (scenario, findings)
}

/// Reads a scenario inside a hashed document.
pub(crate) fn read_canonical(node: &Node<'_>, faults: &mut Faults) -> Option<Scenario> {
    let mut reader = Reader::new(Dialect::Canonical);
    let scenario = reader.scenario(node);
    if let Some(scenario) = &scenario {
        reader.check(node, scenario);
    }
    for fault in &reader.faults {
        faults.push(fault.clone());
    }
    scenario.filter(|_| reader.faults.is_empty())
}

/// The longest texts.
const ID_CHARS: usize = 64;
const NAME_CHARS: usize = 120;
const PROSE_CHARS: usize = 4000;
/// The longest lists.
const TAGS_MAX: usize = 32;
const STATIC_MAX: usize = 1000;
const PLANETS_MAX: usize = 8;
const FACTIONS_READ: usize = 64;
const CONDITIONS_MAX: usize = 16;
/// The farthest place and the largest radius, in light-years.
const FAR_LY: i64 = 100_000;

impl Reader {
    fn scenario(&mut self, node: &Node<'_>) -> Option<Scenario> {
        node.only_fields(
            &[
                "schemaVersion",
                "id",
                "meta",
                "generation",
                "setup",
                "objectives",
                "rules",
            ],
            &mut self.faults,
        );
        let version = self.version(&node.field("schemaVersion"));
        let id = self.text(&node.field("id"), ID_CHARS);
        let meta = self.meta(&node.field("meta"));
        let generation = self.generation(&node.field("generation"));
        let setup = self.start(&node.field("setup"));
        let objectives = self.objectives(&node.field("objectives"));
        let rules = self.rules(&node.field("rules"));
        version?;
        Some(Scenario {
            schema_version: SchemaVersion,
            id: id?,
            meta: meta?,
            generation: generation?,
            setup: setup?,
            objectives: objectives?,
            rules: rules?,
        })
    }

    fn version(&mut self, node: &Node<'_>) -> Option<()> {
        let version = self.int(node, i64::MIN, i64::MAX)?;
        if version != SCHEMA_VERSION {
            let message =
                format!("version {version} is not supported; this reads version {SCHEMA_VERSION}");
            self.error(node, "unsupported_version", message);
            return None;
        }
        Some(())
    }

    fn meta(&mut self, node: &Node<'_>) -> Option<Meta> {
        let fields = ["title", "description", "author", "difficulty", "tags"];
        node.only_fields(&fields, &mut self.faults);
        let title = self.text(&node.field("title"), NAME_CHARS);
        let description = self.any_text(&node.field("description"), PROSE_CHARS);
        let author = self.optional(&node.field("author"), |it, node| {
            it.any_text(node, NAME_CHARS)
        });
        let difficulty = self.int(&node.field("difficulty"), 1, 5);
        let tags = self
            .items(&node.field("tags"), Presence::Optional, TAGS_MAX)
            .and_then(|tags| all(tags.iter().map(|tag| self.text(tag, ID_CHARS)).collect()));
        Some(Meta {
            title: title?,
            description: description?,
            author: author?,
            difficulty: difficulty? as u8,
            tags: tags?,
        })
    }

    fn generation(&mut self, node: &Node<'_>) -> Option<Generation> {
        node.only_fields(
            &[
                "fixedSeed",
                "systemCount",
                "radius",
                "topology",
                "minimumSystemSpacingLy",
                "staticSystems",
            ],
            &mut self.faults,
        );
        let fixed_seed = self.optional(&node.field("fixedSeed"), |it, node| {
            it.int(node, 0, u32::MAX.into())
        });
        let system_count = self.int(&node.field("systemCount"), 2, SYSTEMS_MAX.into());
        let radius = self.length(&node.field("radius"), Ly::from_units(1));
        let topology = Topology::read(&node.field("topology"), &mut self.faults);
        let spacing = match node.field("minimumSystemSpacingLy") {
            given if given.exists() => self.length(&given, Ly::default()),
            _ => Some(Ly::from_units(SPACING_DEFAULT_MLY)),
        };
        let statics = self
            .items(&node.field("staticSystems"), Presence::Optional, STATIC_MAX)
            .and_then(|items| all(items.iter().map(|it| self.static_system(it)).collect()));
        Some(Generation {
            fixed_seed: fixed_seed?.map(|seed| seed as u32),
            system_count: system_count? as u32,
            radius: radius?,
            topology: topology?,
            spacing: spacing?,
            static_systems: statics?,
        })
    }

    fn static_system(&mut self, node: &Node<'_>) -> Option<StaticSystem> {
        let fields = ["id", "name", "position", "resourceType", "planets"];
        node.only_fields(&fields, &mut self.faults);
        let id = self.text(&node.field("id"), ID_CHARS);
        let name = self.text(&node.field("name"), NAME_CHARS);
        let position = self.position(&node.field("position"));
        let resource = Resource::read(&node.field("resourceType"), &mut self.faults);
        let planets = self
            .items(&node.field("planets"), Presence::Optional, PLANETS_MAX)
            .and_then(|items| all(items.iter().map(|it| self.static_body(it)).collect()));
        Some(StaticSystem {
            id: id?,
            name: name?,
            position: position?,
            resource_type: resource?,
            planets: planets?,
        })
    }

    fn static_body(&mut self, node: &Node<'_>) -> Option<StaticBody> {
        let fields = ["id", "name", "bodyType", "class", "size", "ownerFactionId"];
        node.only_fields(&fields, &mut self.faults);
        let text = |it: &mut Reader, node: &Node<'_>| it.text(node, NAME_CHARS);
        let id = self.optional(&node.field("id"), text);
        let name = self.optional(&node.field("name"), text);
        let body_type = BodyKind::read(&node.field("bodyType"), &mut self.faults);
        let class = BodyClass::read(&node.field("class"), &mut self.faults);
        let size = self.optional(&node.field("size"), |it, node| {
            it.length(node, Ly::from_units(1))
        });
        let owner = self.optional(&node.field("ownerFactionId"), text);
        Some(StaticBody {
            id: id?,
            name: name?,
            body_type: body_type?,
            class: class?,
            size: size?,
            owner_faction_id: owner?,
        })
    }

    fn position(&mut self, node: &Node<'_>) -> Option<Position> {
        node.only_fields(&["x", "y", "z"], &mut self.faults);
        let least = Ly::whole(-FAR_LY);
        let x = self.length(&node.field("x"), least);
        let y = self.length(&node.field("y"), least);
        let z = self.length(&node.field("z"), least);
        Some(Position {
            x: x?,
            y: y?,
            z: z?,
        })
    }

    /// A length from `least` up to the edge of all that is.
    fn length(&mut self, node: &Node<'_>, least: Ly) -> Option<Ly> {
        let length = self.decimal(node)?;
        if (least..=Ly::whole(FAR_LY)).contains(&length) {
            return Some(length);
        }
        let message = format!("expected a number from {least} to {FAR_LY}, found {length}");
        self.error(node, "out_of_range", message);
        None
    }

    fn start(&mut self, node: &Node<'_>) -> Option<Start> {
        node.only_fields(
            &[
                "factions",
                "startingDistribution",
                "territoryAllocation",
                "initialFleets",
            ],
            &mut self.faults,
        );
        let factions = self
            .items(&node.field("factions"), Presence::Required, FACTIONS_READ)
            .and_then(|items| all(items.iter().map(|it| self.faction(it)).collect()));
        let distribution =
            Distribution::read(&node.field("startingDistribution"), &mut self.faults);
        let territory = self.optional(&node.field("territoryAllocation"), Reader::territory);
        let fleets = self
            .items(
                &node.field("initialFleets"),
                Presence::Required,
                INITIAL_FLEETS_MAX,
            )
            .and_then(|items| all(items.iter().map(|it| self.fleet(it)).collect()));
        Some(Start {
            factions: factions?,
            starting_distribution: distribution?,
            territory_allocation: territory?,
            initial_fleets: fleets?,
        })
    }

    fn faction(&mut self, node: &Node<'_>) -> Option<Faction> {
        let fields = ["id", "name", "colorHex", "isPlayable", "aiProfile"];
        node.only_fields(&fields, &mut self.faults);
        let id = self.text(&node.field("id"), ID_CHARS);
        let name = self.text(&node.field("name"), NAME_CHARS);
        let color = self.color(&node.field("colorHex"));
        let is_playable = self.bool(&node.field("isPlayable"));
        let profile = self.optional(&node.field("aiProfile"), |it, node| {
            Profile::read(node, &mut it.faults)
        });
        Some(Faction {
            id: id?,
            name: name?,
            color_hex: color?,
            is_playable: is_playable?,
            ai_profile: profile?,
        })
    }

    fn color(&mut self, node: &Node<'_>) -> Option<String> {
        let text = self.text(node, ID_CHARS)?;
        let digits = text.strip_prefix('#');
        let is_color =
            digits.is_some_and(|it| it.len() == 6 && it.bytes().all(|it| it.is_ascii_hexdigit()));
        if !is_color {
            let message = format!("expected a color such as #3a7bd5, found {text:?}");
            self.error(node, "not_a_color", message);
            return None;
        }
        Some(text)
    }

    fn territory(&mut self, node: &Node<'_>) -> Option<Territory> {
        let fields = ["type", "byFactionId", "neutralShare", "contiguity"];
        node.only_fields(&fields, &mut self.faults);
        let kind = TerritoryKind::read(&node.field("type"), &mut self.faults);
        let shares = self.shares(&node.field("byFactionId"));
        let neutral = self.optional(&node.field("neutralShare"), Reader::share);
        let contiguity = self.optional(&node.field("contiguity"), |it, node| {
            Contiguity::read(node, &mut it.faults)
        });
        Some(Territory {
            kind: kind?,
            by_faction_id: shares?,
            neutral_share: neutral?,
            contiguity: contiguity?,
        })
    }

    fn shares(&mut self, node: &Node<'_>) -> Option<BTreeMap<String, Share>> {
        let entries = node.entries(&mut self.faults)?;
        let read = entries
            .into_iter()
            .map(|(key, node)| Some((key.to_owned(), self.share(&node)?)));
        let read: Vec<Option<(String, Share)>> = read.collect();
        read.into_iter().collect()
    }

    fn share(&mut self, node: &Node<'_>) -> Option<Share> {
        let share: Share = self.decimal(node)?;
        if (Share::default()..=Share::whole(1)).contains(&share) {
            return Some(share);
        }
        let message = format!("expected a share from 0 to 1, found {share}");
        self.error(node, "out_of_range", message);
        None
    }

    fn fleet(&mut self, node: &Node<'_>) -> Option<FleetSpec> {
        let fields = ["ownerFactionId", "spawnLocation", "ships", "withArmies"];
        node.only_fields(&fields, &mut self.faults);
        let owner = self.text(&node.field("ownerFactionId"), ID_CHARS);
        let spawn = self.spawn(&node.field("spawnLocation"));
        let ships = self.ships(&node.field("ships"));
        let with_armies = self.bool_or(&node.field("withArmies"), false);
        Some(FleetSpec {
            owner_faction_id: owner?,
            spawn_location: spawn?,
            ships: ships?,
            with_armies: with_armies?,
        })
    }

    fn spawn(&mut self, node: &Node<'_>) -> Option<Spawn> {
        match node.json() {
            Some(Json::Object(_)) => self.position(node).map(Spawn::At),
            _ => SpawnName::read(node, &mut self.faults).map(Spawn::Named),
        }
    }

    fn ships(&mut self, node: &Node<'_>) -> Option<Vec<ShipKind>> {
        let items = self.items(node, Presence::Required, SHIPS_MAX)?;
        if items.is_empty() {
            let message = "a fleet has at least one ship".to_owned();
            self.error(node, "empty_fleet", message);
        }
        let kinds = items
            .iter()
            .map(|item| ShipKind::read(item, &mut self.faults));
        all(kinds.collect()).filter(|ships| !ships.is_empty())
    }

    fn objectives(&mut self, node: &Node<'_>) -> Option<Objectives> {
        node.only_fields(&["victory", "constraints"], &mut self.faults);
        let victory = self
            .items(&node.field("victory"), Presence::Required, CONDITIONS_MAX)
            .and_then(|items| all(items.iter().map(|it| self.condition(it)).collect()));
        let constraints = match node.field("constraints") {
            given if given.exists() => self.constraints(&given),
            _ => Some(Constraints::default()),
        };
        Some(Objectives {
            victory: victory?,
            constraints: constraints?,
        })
    }

    fn constraints(&mut self, node: &Node<'_>) -> Option<Constraints> {
        node.only_fields(&["maxTurns"], &mut self.faults);
        let max_turns = match node.field("maxTurns") {
            given if given.exists() => self.turns(&given).map(Some),
            _ => Some(None),
        };
        Some(Constraints {
            max_turns: max_turns?,
        })
    }

    /// A condition: exactly the parameters of its type, `null` being one too many.
    fn condition(&mut self, node: &Node<'_>) -> Option<Condition> {
        const TYPES: &[&str] = Condition::NAMES;
        let Some(Json::Object(entries)) = node.json() else {
            return node.refuse("wrong_type", "an object with a type", &mut self.faults);
        };
        let kind = node.field("type");
        let idx = match kind.json().and_then(Json::as_text) {
            Some(text) => TYPES.iter().position(|name| *name == text),
            None => {
                self.look_at_parameters(node);
                return node
                    .field("type")
                    .refuse("wrong_type", "a type", &mut self.faults);
            }
        };
        let Some(idx) = idx else {
            self.look_at_parameters(node);
            let expected = format!("one of {}", TYPES.join(", "));
            return kind.refuse("unknown_condition", &expected, &mut self.faults);
        };
        let wanted: &[&str] = match idx {
            0 => &[],
            1 => &["percentage"],
            2 => &["systemId", "turnsHeld"],
            _ => &["turns"],
        };
        let mut complete = true;
        for key in entries.keys().filter(|key| key.as_str() != "type") {
            if !wanted.contains(&key.as_str()) {
                let message = match wanted {
                    [] => format!("{} takes no parameter; remove {key:?}", TYPES[idx]),
                    _ => format!(
                        "{} takes only {}; remove {key:?}",
                        TYPES[idx],
                        wanted.join(", ")
                    ),
                };
                self.error(&node.field(key), "superfluous_parameter", message);
                complete = false;
            }
        }
        for key in wanted {
            if !node.field(key).exists() {
                let message = format!("{} needs the parameter {key:?}", TYPES[idx]);
                self.error(&node.field(key), "missing_parameter", message);
                complete = false;
            }
        }
        let condition = self.parameters(node, idx, wanted);
        condition.filter(|_| complete)
    }

    fn parameters(&mut self, node: &Node<'_>, idx: usize, wanted: &[&str]) -> Option<Condition> {
        if wanted.iter().any(|key| !node.field(key).exists()) {
            self.look_at_parameters(node);
            return None;
        }
        match idx {
            0 => Some(Condition::Elimination),
            1 => {
                let percentage = self.percentage(&node.field("percentage"))?;
                Some(Condition::Domination { percentage })
            }
            2 => {
                let system_id = self.text(&node.field("systemId"), ID_CHARS);
                let turns_held = self.turns(&node.field("turnsHeld"));
                Some(Condition::KingOfTheHill {
                    system_id: system_id?,
                    turns_held: turns_held?,
                })
            }
            _ => {
                let turns = self.turns(&node.field("turns"))?;
                Some(Condition::Survival { turns })
            }
        }
    }

    /// Of a condition that cannot be read, every parameter that is there is still looked at.
    fn look_at_parameters(&mut self, node: &Node<'_>) {
        for key in ["turnsHeld", "turns"] {
            if node.field(key).exists() {
                self.turns(&node.field(key));
            }
        }
        if node.field("percentage").exists() {
            self.percentage(&node.field("percentage"));
        }
        if node.field("systemId").exists() {
            self.text(&node.field("systemId"), ID_CHARS);
        }
    }

    /// A share above 0, up to 1, read by the letter: a threshold must not hang on rounding.
    fn percentage(&mut self, node: &Node<'_>) -> Option<Share> {
        let n_warnings = self.warnings.len();
        let share: Share = self.decimal(node)?;
        if self.warnings.len() > n_warnings {
            self.warnings.truncate(n_warnings);
            let message = "expected at most 9 decimals, so that the threshold is exact".to_owned();
            self.error(node, "too_fine", message);
            return None;
        }
        if share > Share::default() && share <= Share::whole(1) {
            return Some(share);
        }
        let message = format!("expected a share above 0 and up to 1, found {share}");
        self.error(node, "percentage_out_of_range", message);
        None
    }

    /// A count of turns from 1 up.
    fn turns(&mut self, node: &Node<'_>) -> Option<u32> {
        self.int(node, 1, TURNS_LAST)?.try_into().ok()
    }

    fn rules(&mut self, node: &Node<'_>) -> Option<Rules> {
        node.only_fields(
            &[
                "fogOfWar",
                "useAdvancedCombat",
                "aiEnabled",
                "totalWar",
                "unlimitedFuel",
                "supply",
            ],
            &mut self.faults,
        );
        let fog_of_war = self.bool(&node.field("fogOfWar"));
        let use_advanced_combat = self.bool(&node.field("useAdvancedCombat"));
        let ai_enabled = self.bool(&node.field("aiEnabled"));
        let total_war = self.bool(&node.field("totalWar"));
        let unlimited_fuel = self.bool_or(&node.field("unlimitedFuel"), false);
        let supply = self.bool_or(&node.field("supply"), true);
        Some(Rules {
            fog_of_war: fog_of_war?,
            use_advanced_combat: use_advanced_combat?,
            ai_enabled: ai_enabled?,
            total_war: total_war?,
            unlimited_fuel: unlimited_fuel?,
            supply: supply?,
        })
    }
}
