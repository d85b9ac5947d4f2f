//! The OpenAPI document, made from the handlers and their types.

use axum::Json;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

use super::{
    account, auth, credentials, leaving, lobby, matches, replay, scenarios, sessions, status,
    tables,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Referee",
        description = "What can be asked over HTTP. Play itself goes over `/ws`, see docs/protocol.md."
    ),
    paths(
        status::health,
        status::healthz,
        status::readyz,
        status::metrics,
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
        lobby::lobby,
        lobby::leaderboard,
        lobby::invitation,
        matches::list,
        matches::show,
        matches::record,
        matches::exhibit,
        replay::of_match,
        replay::of_file,
        scenarios::list,
        scenarios::show,
        scenarios::survey_document,
        scenarios::generate,
        tables::open,
        tables::show,
    ),
    components(schemas(replay::ReplayFrame))
)]
struct Document;

/// The OpenAPI document.
pub(crate) async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(build())
}

pub(crate) fn build() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("token", token);
    document
}
