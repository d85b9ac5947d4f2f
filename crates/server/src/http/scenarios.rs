//! The workshop of Stellar Fleet's scenarios: the shipped ones, the game's own validator, and
//! galaxies to look at. Nothing of what is sent here is kept.

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
/// The most systems that are drawn here; bigger galaxies are checked without a picture.
const DRAWN_MAX: u32 = 5_000;

/// A scenario that comes with the game.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScenarioSummary {
    id: String,
    title: String,
    description: String,
    /// From 1, easy, to 5.
    difficulty: u8,
    tags: Vec<String>,
    n_systems: u32,
    /// In the order of their seats.
    factions: Vec<FactionSummary>,
    /// Whether what is far away is hidden.
    fog: bool,
    /// The last turn; nothing where the scenario sets none.
    max_turns: Option<u32>,
    /// The types of its conditions, in order.
    victory: Vec<String>,
}

/// A faction of a scenario.
#[derive(Serialize, ToSchema)]
pub(crate) struct FactionSummary {
    id: String,
    name: String,
    /// `#RRGGBB`.
    color: String,
    /// Whether a person may take it.
    is_playable: bool,
}

/// With which seed a galaxy is drawn where the scenario fixes none.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Drawn {
    seed: Option<u32>,
}

/// What the validator says of a document, and the galaxy that it makes.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScenarioSurvey {
    /// Whether it can be played.
    playable: bool,
    findings: Vec<ScenarioFinding>,
    /// What it is, if it can be played.
    summary: Option<ScenarioSummary>,
    /// The galaxy, if it can be played and is not too big to be drawn here.
    galaxy: Option<GalaxyPreview>,
}

/// One thing that was found in a document.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScenarioFinding {
    /// `error` or `warning`: a document with an error cannot be played.
    severity: String,
    /// A stable name for programs.
    code: String,
    /// The JSON pointer of the place.
    pointer: String,
    /// What is there and what would be right.
    message: String,
}

/// A galaxy as it is before the first turn; lengths in thousandths of a light-year.
#[derive(Serialize, ToSchema)]
pub(crate) struct GalaxyPreview {
    /// The seed that it was drawn with.
    seed: u32,
    /// How often it was drawn until it was fit to play.
    n_attempts: u32,
    factions: Vec<FactionSummary>,
    systems: Vec<SystemPreview>,
    /// Who owns each system.
    owners: Vec<Option<u8>>,
    /// The hills of the objectives, by their place in the list of systems.
    hills: Vec<u16>,
}

/// A system of a galaxy.
#[derive(Serialize, ToSchema)]
pub(crate) struct SystemPreview {
    gas: bool,
    home_of: Option<u8>,
    id: String,
    /// How many bodies troops can land on.
    n_bodies: u8,
    name: String,
    x: i32,
    y: i32,
    z: i32,
}

/// What a scenario with equal fleets is made of.
#[derive(doc::Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScenarioBlueprint {
    title: String,
    /// `spiral`, `cluster`, `ring` or `scattered`.
    topology: String,
    n_systems: u32,
    /// 2 to 8.
    n_factions: u8,
    /// The seed of the galaxy, which is fixed in the scenario.
    seed: u32,
    /// The last turn.
    n_turns: u32,
    /// The share of systems that wins: above 0, up to 1, as text.
    domination: String,
}

/// The scenarios that come with the game.
#[utoipa::path(get, path = "/api/scenarios", tag = "scenarios",
    responses((status = 200, body = Vec<ScenarioSummary>)))]
pub(crate) async fn list() -> Json<Vec<ScenarioSummary>> {
    let scenarios = shipped::NAMES.iter().filter_map(|it| shipped::scenario(it));
    Json(scenarios.map(|it| summary(&it)).collect())
}

/// The document of a scenario that comes with the game.
#[utoipa::path(get, path = "/api/scenarios/{id}", tag = "scenarios",
    params(("id" = String, Path, description = "The scenario")),
    responses((status = 200, body = Value), (status = 404, body = ErrorBody)))]
pub(crate) async fn show(Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    let text = shipped::text(&id).ok_or_else(|| ApiError::not_found("scenario"))?;
    let document = serde_json::from_str(text);
    document.map(Json).map_err(|_| ApiError::internal())
}

/// Every finding of the validator in a document, and its galaxy.
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
        let message = "send the scenario as the body";
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

/// A whole scenario of a few numbers.
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

fn too_long() -> ApiError {
    let message = format!("a scenario has at most {SCENARIO_BYTES_MAX} bytes here");
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_long", message)
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
            "topology is one of {}, found {:?}",
            Topology::NAMES.join(", "),
            asked.topology
        ))
    })?;
    let domination: Percentage = asked.domination.parse().map_err(|_| {
        wrong(format!(
            "domination is a share such as 0.6, found {:?}",
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
            return refused(vec![told(&finding)]);
        }
    };
    if is_big(&document) {
        let report = scenario::examine(&document);
        let findings = report.findings.iter().map(told).collect();
        let summary = report.scenario.as_ref().map(summary);
        return ScenarioSurvey {
            playable: summary.is_some(),
            findings,
            summary,
            galaxy: None,
        };
    }
    let (report, galaxy) = survey(&document, seed);
    let findings = report.findings.iter().map(told).collect();
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

fn told(finding: &Finding) -> ScenarioFinding {
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
