//! The OpenAPI document, generated from the handlers and their types.

use axum::Json;
use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::schema::{KnownFormat, SchemaFormat};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Content, OpenApi as OpenApiDocument, Ref, RefOr, ResponseBuilder, Schema};
use utoipa::{Number, OpenApi};

use super::{
    account, auth, balance, credentials, leaving, lobbies, matches, overview, replay, scenarios,
    sessions, snapshot, status,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Referee",
        description = "Referee's HTTP interface. Matches are played over `/ws` or `/socket.io/`: see docs/protocol.md."
    ),
    paths(
        status::health,
        status::healthz,
        status::readyz,
        status::metrics_for_operator,
        auth::guest,
        auth::me,
        auth::login,
        auth::logout,
        auth::rotate,
        auth::ticket,
        credentials::recover,
        credentials::set_password,
        credentials::make_codes,
        sessions::list,
        sessions::end,
        sessions::end_others,
        leaving::export,
        leaving::delete,
        account::nickname,
        account::profile,
        account::history,
        account::ledger,
        overview::overview,
        overview::leaderboard,
        overview::invitation,
        matches::list,
        matches::show,
        matches::record,
        matches::exhibit,
        replay::of_match,
        replay::of_file,
        snapshot::of_match,
        scenarios::list,
        scenarios::show,
        scenarios::survey_document,
        scenarios::generate,
        balance::measure,
        lobbies::open,
        lobbies::show,
    ),
    components(schemas(replay::ReplayFrame))
)]
struct Document;

/// The OpenAPI document of this server.
pub(crate) async fn document() -> Json<OpenApiDocument> {
    Json(build())
}

pub(crate) fn build() -> OpenApiDocument {
    let mut document = Document::openapi();
    for item in document.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post];
        for operation in operations.into_iter().flatten() {
            add_refusals(operation);
            let parameters = operation.parameters.iter_mut().flatten();
            parameters.for_each(widen);
        }
    }
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("token", token);
    document
}

/// Sets the maximum of unsigned parameters, to which utoipa gives the format of signed numbers.
fn widen(parameter: &mut RefOr<Parameter>) {
    if let RefOr::T(parameter) = parameter
        && let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
        && is_zero(schema.minimum.as_ref())
    {
        schema.maximum = match schema.format.take() {
            Some(SchemaFormat::KnownFormat(KnownFormat::Int32)) => Some(u32::MAX.into()),
            _ => Some(Number::UInt(usize::MAX)),
        };
    }
}

fn is_zero(number: Option<&Number>) -> bool {
    match number {
        Some(Number::Int(number)) => *number == 0,
        Some(Number::UInt(number)) => *number == 0,
        Some(Number::Float(number)) => *number == 0.0,
        None => false,
    }
}

/// Adds the refusals that any operation may answer, because they are made before or around the
/// handlers.
fn add_refusals(operation: &mut Operation) {
    let mut refusals = vec![
        ("408", "The request or the answer took too long."),
        ("429", "Too many requests from this address."),
        ("503", "The server is busy."),
    ];
    if operation.parameters.is_some() || operation.request_body.is_some() {
        refusals.push(("400", "The request is invalid."));
    }
    if operation.request_body.is_some() {
        refusals.push(("413", "The body is too long."));
        refusals.push(("415", "The body has the wrong content type."));
    }
    for (status, description) in refusals {
        let responses = &mut operation.responses.responses;
        responses.entry(status.to_owned()).or_insert_with(|| {
            let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
            let response = ResponseBuilder::new().description(description);
            RefOr::T(response.content("application/json", body).build())
        });
    }
}
