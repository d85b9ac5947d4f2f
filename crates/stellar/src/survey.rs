//! Full validation of a scenario document, including its galaxy.

use kernel::Seat;
use kernel::json::Json;

use crate::galaxy::Galaxy;
use crate::scenario::{self, Condition, Finding, Report, Scenario};

/// Reads a document, generates its galaxy and reports the findings of both. Returns the galaxy if
/// there are no errors.
pub fn survey(document: &Json, seed: u32) -> (Report, Option<Galaxy>) {
    let mut report = scenario::examine(document);
    let Some(scenario) = report.scenario.clone() else {
        return (report, None);
    };
    match Galaxy::generate(&scenario, seed) {
        Ok(galaxy) => {
            for finding in already_satisfied(&scenario, &galaxy, document) {
                report.push(finding);
            }
            (report, Some(galaxy))
        }
        Err(none) => {
            let pointer = match document.pointer("/generation").is_some() {
                true => "/generation",
                false => "",
            };
            report.push(Finding::error(pointer, none.code(), none.to_string()));
            report.scenario = None;
            (report, None)
        }
    }
}

/// A warning for each condition that is met before the first turn.
fn already_satisfied(scenario: &Scenario, galaxy: &Galaxy, document: &Json) -> Vec<Finding> {
    let list = match document.pointer("/objectives/victory") {
        Some(_) => "/objectives/victory",
        None => "/objectives/win",
    };
    let conditions = scenario.objectives.victory.iter().enumerate();
    let holding = conditions.filter_map(|(idx, condition)| {
        let seats = Seat::first(scenario.setup.factions.len());
        let holder = seats
            .into_iter()
            .find(|seat| holds(condition, *seat, galaxy))?;
        let faction = &scenario.setup.factions[holder.index()].id;
        let message = format!("{faction:?} already meets this before the first turn");
        Some(Finding::warning(
            format!("{list}/{idx}"),
            "already_satisfied",
            message,
        ))
    });
    holding.collect()
}

fn holds(condition: &Condition, seat: Seat, galaxy: &Galaxy) -> bool {
    let owners = galaxy.owners();
    let n_owned = owners.iter().filter(|it| **it == Some(seat)).count();
    match condition {
        Condition::Elimination => {
            let others = owners.iter().flatten().any(|it| *it != seat);
            let fleets = galaxy.fleets().iter().any(|it| it.owner != seat);
            let alive = n_owned > 0 || galaxy.fleets().iter().any(|it| it.owner == seat);
            alive && !others && !fleets
        }
        Condition::Domination { percentage } => n_owned >= percentage.of(owners.len()),
        // No turn has been held or survived yet.
        Condition::KingOfTheHill { .. } | Condition::Survival { .. } => false,
    }
}
