//! Warnings about documents that are valid but suspicious.

use super::{Condition, Distribution, Finding, Scenario};
use crate::constants::{ShipKind, TURNS_MAX};
use crate::decimal::Ly;

/// Every warning that does not need the galaxy.
pub(super) fn advise(scenario: &Scenario) -> Vec<Finding> {
    let mut advice = Advice::default();
    advice.identity(scenario);
    advice.end(scenario);
    advice.spacing(scenario);
    advice.statics(scenario);
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
        let Some(cap) = cap else { return };
        if cap > TURNS_MAX {
            let message = format!(
                "a match can last {cap} turns; without maxTurns it is cut off after {TURNS_MAX}"
            );
            let pointer = "/objectives/constraints/maxTurns";
            self.add(pointer, "very_long", message);
        }
        for (idx, condition) in scenario.objectives.victory.iter().enumerate() {
            let (field, code, what) = match *condition {
                Condition::Survival { turns } if turns > cap => {
                    ("turns", "survival_beyond_cap", format!("turn {turns} is"))
                }
                Condition::KingOfTheHill { turns_held, .. } if turns_held > cap => {
                    let what = format!("the last of {turns_held} turns is");
                    ("turnsHeld", "hill_beyond_cap", what)
                }
                _ => continue,
            };
            let message = format!(
                "{what} after maxTurns ({cap}), so this can never be met; the tie-break \
                 decides"
            );
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
