//! Tools for authors of Stellar Fleet scenarios: the shipped ones, the game's validator, and
//! previews of galaxies. Nothing sent here is stored.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use catalog::stellar::scenario::{
    self, Blueprint, Condition, Dialect, Finding, Scenario, Topology,
};
use catalog::stellar::{Galaxy, Percentage, shipped, survey};
use kernel::doc::{self, Named};
use kernel::json;
use kernel::{Seat, json::Json as Document};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::error::{ApiError, Body, ErrorBody, unread};
use super::gate::Caller;
use crate::server::Server;
use crate::workshop::Wanted;

/// The most bytes of a scenario.
pub(crate) const SCENARIO_BYTES_MAX: usize = 256 * 1024;
/// The most systems in a preview. Larger galaxies are validated without one.
const DRAWN_MAX: u32 = 5_000;

/// A scenario shipped with the game.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScenarioSummary {
    id: String,
    title: String,
    description: String,
    /// The difficulty, from 1 (easy) to 5.
    difficulty: u8,
    tags: Vec<String>,
    n_systems: u32,
    /// The factions in the order of their seats.
    factions: Vec<FactionSummary>,
    /// True if fog hides what is far away.
    fog: bool,
    /// The last turn, or null if the scenario sets none.
    max_turns: Option<u32>,
    /// The types of its victory conditions, in order.
    victory: Vec<String>,
}

/// A faction of a scenario.
#[derive(Serialize, ToSchema)]
pub(crate) struct FactionSummary {
    id: String,
    name: String,
    /// The color as `#RRGGBB`.
    color: String,
    /// True if a person may play it.
    is_playable: bool,
}

/// The seed of the galaxy, if the scenario fixes none.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Drawn {
    seed: Option<u32>,
}

/// The validator's findings in a document, and its galaxy.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScenarioSurvey {
    /// True if the scenario can be played.
    playable: bool,
    findings: Vec<ScenarioFinding>,
    /// The scenario's summary, if it can be played.
    summary: Option<ScenarioSummary>,
    /// The galaxy, if the scenario can be played and is not too large for a preview.
    galaxy: Option<GalaxyPreview>,
}

/// One finding in a document.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScenarioFinding {
    /// `error` or `warning`. A document with an error cannot be played.
    severity: String,
    /// A stable code.
    code: String,
    /// A JSON Pointer into the document.
    pointer: String,
    /// The value found and the values expected.
    message: String,
}

/// A galaxy before the first turn. Lengths are in thousandths of a light-year.
#[derive(Serialize, ToSchema)]
pub(crate) struct GalaxyPreview {
    /// The seed of the galaxy.
    seed: u32,
    /// The number of attempts until the galaxy was playable.
    n_attempts: u32,
    factions: Vec<FactionSummary>,
    systems: Vec<SystemPreview>,
    /// The faction that owns each system, or null.
    owners: Vec<Option<u8>>,
    /// The hills of the objectives, as indices into `systems`.
    hills: Vec<u16>,
}

/// A system of a galaxy.
#[derive(Serialize, ToSchema)]
pub(crate) struct SystemPreview {
    gas: bool,
    home_of: Option<u8>,
    id: String,
    /// The number of bodies that troops can land on.
    n_bodies: u8,
    name: String,
    x: i32,
    y: i32,
    z: i32,
}

/// Parameters of a scenario with equal fleets.
#[derive(doc::Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScenarioBlueprint {
    title: String,
    /// `spiral`, `cluster`, `ring` or `scattered`.
    topology: String,
    n_systems: u32,
    /// The number of factions, 2 to 8.
    n_factions: u8,
    /// The seed of the galaxy, which the scenario fixes.
    seed: u32,
    /// The last turn.
    n_turns: u32,
    /// The share of systems that wins: above 0, up to 1, as text.
    domination: String,
}

/// The scenarios shipped with the game.
#[utoipa::path(get, path = "/api/scenarios", tag = "scenarios",
    responses((status = 200, body = Vec<ScenarioSummary>)))]
pub(crate) async fn list() -> Json<Vec<ScenarioSummary>> {
    let scenarios = shipped::NAMES.iter().filter_map(|it| shipped::scenario(it));
    Json(scenarios.map(|it| summary(&it)).collect())
}

/// The document of a shipped scenario.
#[utoipa::path(get, path = "/api/scenarios/{id}", tag = "scenarios",
    params(("id" = String, Path, description = "The scenario")),
    responses((status = 200, body = Value), (status = 404, body = ErrorBody)))]
pub(crate) async fn show(Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    let text = shipped::text(&id).ok_or_else(|| ApiError::not_found("scenario"))?;
    let document = serde_json::from_str(text);
    document.map(Json).map_err(|_| ApiError::internal())
}

/// Validates a document. Returns every finding, and the galaxy.
#[utoipa::path(post, path = "/api/scenarios/survey", tag = "scenarios", params(Drawn),
    request_body(content = Value, content_type = "application/json"),
    responses((status = 200, body = ScenarioSurvey), (status = 400, body = ErrorBody),
        (status = 408, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn survey_document(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    Query(drawn): Query<Drawn>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ScenarioSurvey>, ApiError> {
    let body = body.map_err(|rejection| unread(&rejection, too_long))?;
    if body.is_empty() {
        let message = "send the scenario as the request body";
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "invalid_body",
            message,
        ));
    }
    let look = move |_: &Wanted| look_at(&body, drawn.seed.unwrap_or(0));
    let survey = server.workshop.run(caller.peer(), look).await?;
    Ok(Json(survey))
}

/// Generates a complete scenario from a few parameters.
#[utoipa::path(post, path = "/api/scenarios/generate", tag = "scenarios",
    request_body = ScenarioBlueprint,
    responses((status = 200, body = Value), (status = 400, body = ErrorBody)))]
pub(crate) async fn generate(
    Body(asked): Body<ScenarioBlueprint>,
) -> Result<Json<Value>, ApiError> {
    let scenario = blueprint(asked)?.build().map_err(|error| {
        ApiError::new(
            StatusCode::BAD_REQUEST,
            "wrong_blueprint",
            error.to_string(),
        )
    })?;
    let document = serde_json::to_value(scenario.document(Dialect::File));
    document.map(Json).map_err(|_| ApiError::internal())
}

fn too_long() -> String {
    format!("the scenario is longer than {SCENARIO_BYTES_MAX} bytes")
}

fn blueprint(asked: ScenarioBlueprint) -> Result<Blueprint, ApiError> {
    let wrong =
        |message: String| ApiError::new(StatusCode::BAD_REQUEST, "wrong_blueprint", message);
    let known = Topology::ALL
        .iter()
        .find(|it| it.name() == asked.topology)
        .copied();
    let topology = known.ok_or_else(|| {
        wrong(format!(
            "topology must be one of {}, found {:?}",
            Topology::NAMES.join(", "),
            asked.topology
        ))
    })?;
    let domination: Percentage = asked.domination.parse().map_err(|_| {
        wrong(format!(
            "domination must be a share such as 0.6, found {:?}",
            asked.domination
        ))
    })?;
    Ok(Blueprint {
        title: asked.title,
        topology,
        n_systems: asked.n_systems,
        n_factions: asked.n_factions,
        seed: asked.seed,
        n_turns: asked.n_turns,
        domination,
    })
}

fn look_at(body: &[u8], seed: u32) -> ScenarioSurvey {
    let document = match json::read(body) {
        Ok(document) => document,
        Err(error) => {
            let finding = Finding::error("", "malformed_json", error.to_string());
            return refused(vec![scenario_finding(&finding)]);
        }
    };
    if is_big(&document) {
        let report = scenario::examine(&document);
        let findings = report.findings.iter().map(scenario_finding).collect();
        let summary = report.scenario.as_ref().map(summary);
        return ScenarioSurvey {
            playable: summary.is_some(),
            findings,
            summary,
            galaxy: None,
        };
    }
    let (report, galaxy) = survey(&document, seed);
    let findings = report.findings.iter().map(scenario_finding).collect();
    match (report.scenario, galaxy) {
        (Some(scenario), Some(galaxy)) => ScenarioSurvey {
            playable: true,
            findings,
            summary: Some(summary(&scenario)),
            galaxy: Some(preview(&scenario, &galaxy, seed)),
        },
        _ => refused(findings),
    }
}

fn refused(findings: Vec<ScenarioFinding>) -> ScenarioSurvey {
    ScenarioSurvey {
        playable: false,
        findings,
        summary: None,
        galaxy: None,
    }
}

fn is_big(document: &Document) -> bool {
    let n_systems = document.pointer("/generation/systemCount");
    n_systems
        .and_then(Document::as_int)
        .is_some_and(|it| it > i128::from(DRAWN_MAX))
}

fn scenario_finding(finding: &Finding) -> ScenarioFinding {
    ScenarioFinding {
        severity: finding.severity.name().to_owned(),
        code: finding.code.to_owned(),
        pointer: finding.pointer.clone(),
        message: finding.message.clone(),
    }
}

fn summary(scenario: &Scenario) -> ScenarioSummary {
    let conditions = scenario.conditions().iter();
    ScenarioSummary {
        id: scenario.id.clone(),
        title: scenario.meta.title.clone(),
        description: scenario.meta.description.clone(),
        difficulty: scenario.meta.difficulty,
        tags: scenario.meta.tags.clone(),
        n_systems: scenario.generation.system_count,
        factions: factions(scenario),
        fog: scenario.rules.fog_of_war,
        max_turns: scenario.objectives.constraints.max_turns,
        victory: conditions.map(|it| Named::name(it).to_owned()).collect(),
    }
}

fn factions(scenario: &Scenario) -> Vec<FactionSummary> {
    let factions = scenario.setup.factions.iter();
    factions
        .map(|it| FactionSummary {
            id: it.id.clone(),
            name: it.name.clone(),
            color: it.color_hex.clone(),
            is_playable: it.is_playable,
        })
        .collect()
}

fn preview(scenario: &Scenario, galaxy: &Galaxy, seed: u32) -> GalaxyPreview {
    let number = |seat: Seat| seat.index() as u8;
    let seats = || Seat::first(scenario.setup.factions.len());
    let systems = galaxy.indices().zip(galaxy.systems());
    let hills = scenario
        .conditions()
        .iter()
        .filter_map(|condition| match condition {
            Condition::KingOfTheHill { system_id, .. } => galaxy.find(system_id),
            _ => None,
        });
    GalaxyPreview {
        seed: scenario.generation.fixed_seed.unwrap_or(seed),
        n_attempts: galaxy.n_attempts(),
        factions: factions(scenario),
        systems: systems
            .map(|(idx, system)| SystemPreview {
                gas: system.has_gas,
                home_of: seats().find(|it| galaxy.home(*it) == Some(idx)).map(number),
                id: system.id.clone(),
                n_bodies: system.n_landable,
                name: system.name.clone(),
                x: system.at.x,
                y: system.at.y,
                z: system.at.z,
            })
            .collect(),
        owners: galaxy.owners().iter().map(|it| it.map(number)).collect(),
        hills: hills.map(|it| it.index() as u16).collect(),
    }
}

#[cfg(test)]
mod tests;
