//! Warnings about documents that are valid but suspicious.

use super::{
    Condition, Distribution, Finding, Homes, Scenario, StaticSystem, Symmetry, Topology,
    generated_rank,
};
use crate::constants::{ShipKind, TURNS_MAX};
use crate::decimal::Ly;
use crate::galaxy::sectors::Sectors;

/// Every warning that does not need the galaxy.
pub(super) fn advise(scenario: &Scenario) -> Vec<Finding> {
    let mut advice = Advice::default();
    advice.identity(scenario);
    advice.end(scenario);
    advice.spacing(scenario);
    advice.statics(scenario);
    advice.symmetry(scenario);
    advice.rules(scenario);
    advice.start(scenario);
    advice.findings
}

#[derive(Default)]
struct Advice {
    findings: Vec<Finding>,
}

impl Advice {
    fn add(&mut self, pointer: impl Into<String>, code: &'static str, message: impl Into<String>) {
        let finding = Finding::warning(pointer, code, message.into());
        self.findings.push(finding);
    }

    fn identity(&mut self, scenario: &Scenario) {
        let snake = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
        if !scenario.id.chars().all(snake) {
            let message = "use snake_case: lowercase letters, digits and underscores";
            self.add("/id", "id_style", message);
        }
    }

    fn end(&mut self, scenario: &Scenario) {
        let cap = scenario.objectives.constraints.max_turns;
        if scenario.objectives.victory.is_empty() {
            let message = "without a condition, elimination wins; add it to make that explicit";
            self.add("/objectives/victory", "empty_victory", message);
        }
        if cap.is_none() {
            let message = format!(
                "without constraints.maxTurns the match might never end; it is cut off \
                 after {TURNS_MAX} turns"
            );
            self.add("/objectives", "may_not_terminate", message);
        }
        let last = scenario.objectives.constraints.last_turn();
        if let Some(cap) = cap.filter(|cap| *cap > TURNS_MAX) {
            let message = format!(
                "a match can last {cap} turns; without maxTurns it is cut off after {TURNS_MAX}"
            );
            let pointer = "/objectives/constraints/maxTurns";
            self.add(pointer, "very_long", message);
        }
        for (idx, condition) in scenario.objectives.victory.iter().enumerate() {
            let (field, code, what) = match *condition {
                Condition::Survival { turns } if turns > last => {
                    ("turns", "survival_beyond_cap", format!("turn {turns} is"))
                }
                Condition::KingOfTheHill { turns_held, .. } if turns_held > last => {
                    let what = format!("the last of {turns_held} turns is");
                    ("turnsHeld", "hill_beyond_cap", what)
                }
                _ => continue,
            };
            let limit = match cap {
                Some(cap) => format!("maxTurns ({cap})"),
                None => format!("turn {last}, when the match is cut off"),
            };
            let message =
                format!("{what} after {limit}, so this can never be met; the tie-break decides");
            self.add(format!("/objectives/victory/{idx}/{field}"), code, message);
        }
    }

    /// Disks of half the spacing must fit into the disk of the galaxy. Placing them at random fills
    /// little more than half of its area, and no arrangement fills all of it.
    fn spacing(&mut self, scenario: &Scenario) {
        let generation = &scenario.generation;
        let (spacing, radius) = (
            i128::from(generation.spacing.units()),
            i128::from(generation.radius.units()),
        );
        let wanted = i128::from(generation.system_count) * spacing * spacing;
        // Random placement jams at about 0.547 of the area: n (s/2)² > 0.547 R².
        if wanted * 1000 > 4 * 547 * radius * radius && spacing > 0 {
            let message = format!(
                "{} systems with {} ly between them are unlikely to fit into a radius of {} ly; \
                 use fewer systems, a smaller spacing or a larger radius",
                generation.system_count, generation.spacing, generation.radius
            );
            let pointer = "/generation/systemCount";
            self.add(pointer, "spacing_infeasible", message);
        }
    }

    fn statics(&mut self, scenario: &Scenario) {
        let generation = &scenario.generation;
        let systems = &generation.static_systems;
        let place = |idx: usize| {
            let at = systems[idx].position;
            [at.x, at.y, at.z].map(|it: Ly| i128::from(it.units()))
        };
        let squared = |units: i64| i128::from(units) * i128::from(units);
        for idx in 0..systems.len() {
            let far: i128 = place(idx).iter().map(|it| it * it).sum();
            if far > squared(generation.radius.units()) {
                let pointer = format!("/generation/staticSystems/{idx}/position");
                let message = format!("this is outside the radius of {} ly", generation.radius);
                self.add(pointer, "outside_radius", message);
            }
            for (rank, other) in systems[..idx].iter().enumerate() {
                let apart: i128 = place(idx)
                    .iter()
                    .zip(place(rank))
                    .map(|(a, b)| (a - b) * (a - b))
                    .sum();
                if apart < squared(generation.spacing.units()) {
                    let pointer = format!("/generation/staticSystems/{idx}/position");
                    let message = format!(
                        "this is closer to {:?} than the spacing of {} ly; static systems are \
                         never moved",
                        other.id, generation.spacing
                    );
                    self.add(pointer, "static_too_close", message);
                }
            }
        }
    }

    /// Parts of the document that make a symmetric galaxy favor a faction.
    fn symmetry(&mut self, scenario: &Scenario) {
        let generation = &scenario.generation;
        if generation.symmetry == Symmetry::None {
            return;
        }
        if generation.symmetry == Symmetry::Mirror && generation.topology == Topology::Spiral {
            let message = "arms that wind one way have mirror images that wind the other way; \
                           \"rotational\" keeps the shape of a spiral";
            self.add("/generation/symmetry", "mirrored_spiral", message);
        }
        let sectors = Sectors::of(scenario);
        for (idx, system) in generation.static_systems.iter().enumerate() {
            if !has_images(sectors, system, &generation.static_systems) {
                let pointer = format!("/generation/staticSystems/{idx}/position");
                let message = "the symmetry needs a static system of the same kind at every \
                               image of this one; without them it favors a faction";
                self.add(pointer, "symmetry_broken", message);
            }
        }
        for (idx, condition) in scenario.objectives.victory.iter().enumerate() {
            if let Condition::KingOfTheHill { system_id, .. } = condition
                && !is_hill_shared(sectors, system_id, scenario)
            {
                let pointer = format!("/objectives/victory/{idx}/systemId");
                let message = "this hill lies in the sector of one faction; use a static system \
                               that the symmetry leaves in place, or make every image a hill";
                self.add(pointer, "symmetry_broken", message);
            }
        }
        if let Some(territory) = &scenario.setup.territory_allocation {
            let factions = scenario.setup.factions.iter();
            let mut shares = factions.map(|it| territory.by_faction_id.get(&it.id));
            let first = shares.next();
            if !shares.all(|it| Some(it) == first) {
                let pointer = "/setup/territoryAllocation/byFactionId";
                let message = "the galaxy is symmetric, but the shares differ";
                self.add(pointer, "symmetry_broken", message);
            }
        }
    }

    fn rules(&mut self, scenario: &Scenario) {
        let rules = &scenario.rules;
        if !rules.total_war {
            let message = "factions cannot make peace in this version: false has no effect";
            self.add("/rules/totalWar", "no_effect", message);
        }
        if !rules.use_advanced_combat {
            let message = "with false, ships never fight";
            self.add("/rules/useAdvancedCombat", "no_space_battles", message);
        }
        if !rules.ai_enabled {
            for (idx, faction) in scenario.setup.factions.iter().enumerate() {
                if faction.ai_profile.is_some() {
                    let pointer = format!("/setup/factions/{idx}/aiProfile");
                    let message = "aiEnabled is false, so this has no effect";
                    self.add(pointer, "no_effect", message);
                }
            }
        }
    }

    fn start(&mut self, scenario: &Scenario) {
        let setup = &scenario.setup;
        let nothing = setup.starting_distribution == Distribution::None;
        if nothing && setup.territory_allocation.is_some() {
            let message =
                "with startingDistribution none, no faction gets systems; this has no effect";
            self.add("/setup/territoryAllocation", "no_effect", message);
        }
        if nothing && scenario.generation.homes != Homes::default() {
            let message = "with startingDistribution none, no home is drawn; this has no effect";
            self.add("/generation/homes", "no_effect", message);
        }
        for (idx, fleet) in setup.initial_fleets.iter().enumerate() {
            if fleet.with_armies && !fleet.ships.contains(&ShipKind::TroopTransport) {
                let pointer = format!("/setup/initialFleets/{idx}/withArmies");
                let message = "this fleet has no troop_transport to carry armies";
                self.add(pointer, "no_effect", message);
            }
        }
        for (idx, faction) in setup.factions.iter().enumerate() {
            let own = |id: &str| id == faction.id;
            let has_fleet = setup
                .initial_fleets
                .iter()
                .any(|it| own(&it.owner_faction_id));
            let mut statics = scenario.generation.static_systems.iter();
            let has_system = statics.any(|it| it.owner().is_some_and(own));
            if !has_fleet && !has_system && nothing {
                let pointer = format!("/setup/factions/{idx}");
                let message = "this faction starts with neither a fleet nor a system";
                self.add(pointer, "starts_with_nothing", message);
            }
        }
    }
}

/// True if every image of a static system is a static system of the same kind.
fn has_images(sectors: Sectors, system: &StaticSystem, all: &[StaticSystem]) -> bool {
    let kind = |it: &StaticSystem| {
        let bodies = it.planets.iter();
        let bodies: Vec<_> = bodies
            .map(|it| (it.class, it.owner_faction_id.is_some()))
            .collect();
        (it.resource_type, bodies)
    };
    (1..sectors.n()).all(|k| {
        all.iter()
            .any(|it| sectors.is_image(system, k, it) && kind(it) == kind(system))
    })
}

/// True if the symmetry leaves the hill in place, or if every image of it is a hill too.
fn is_hill_shared(sectors: Sectors, hill: &str, scenario: &Scenario) -> bool {
    let is_hill = |id: &str| {
        let mut victory = scenario.objectives.victory.iter();
        victory
            .any(|it| matches!(it, Condition::KingOfTheHill { system_id, .. } if system_id == id))
    };
    let statics = &scenario.generation.static_systems;
    if let Some(system) = statics.iter().find(|it| it.id == hill) {
        let is_shared = |k| {
            let mut images = statics.iter().filter(|it| sectors.is_image(system, k, it));
            images.any(|it| is_hill(&it.id))
        };
        return (1..sectors.n()).all(is_shared);
    }
    let n_sectors = sectors.n() as u32;
    let Some(rank) = generated_rank(hill) else {
        return true;
    };
    let first = rank - (rank - 1) % n_sectors;
    (first..first + n_sectors).all(|rank| is_hill(&super::generated_id(rank)))
}
