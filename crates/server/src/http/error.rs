//! HTTP errors: JSON with a stable code and a sentence, without internal details.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::doc::{self, Document, Faults};
use kernel::json::{self, ReadError};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use wire::codes::ErrorCode;

use super::gate::Unread;
use crate::committer::{Stopped, Unavailable};
use crate::hosted::SetupFinding;
use crate::readers::Unanswered;
use crate::workshop::Undone;

/// The answer to a refused request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// A stable code.
    pub(crate) error: String,
    /// One sentence for people.
    pub(crate) message: String,
    /// Every fault in the document that was sent, if the document is at fault.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) findings: Vec<SetupFinding>,
}

#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    more: Map<String, Value>,
}

impl ApiError {
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<String>,
    ) -> ApiError {
        ApiError {
            status,
            code,
            message: message.into(),
            more: Map::new(),
        }
    }

    /// Adds a field.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> ApiError {
        self.more.insert(key.to_owned(), value.into());
        self
    }

    /// Refuses a document, with everything wrong with it as `findings`.
    pub(crate) fn faults(code: &'static str, faults: &Faults) -> ApiError {
        let message: String = faults.one_line().chars().take(MESSAGE_MAX).collect();
        let findings = serde_json::to_value(SetupFinding::list(faults)).unwrap_or_default();
        ApiError::new(StatusCode::BAD_REQUEST, code, message).with("findings", findings)
    }

    /// Old clients compare this code.
    pub(crate) fn unauthorized() -> ApiError {
        let message = "sign in first: send a valid token as Authorization: Bearer";
        ApiError::new(StatusCode::UNAUTHORIZED, "Unauthorized", message)
    }

    pub(crate) fn rate_limited() -> ApiError {
        let message = "too many requests from this address: try again later";
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message)
    }

    pub(crate) fn wrong_credentials() -> ApiError {
        let message = "the login or the password is wrong";
        ApiError::new(StatusCode::UNAUTHORIZED, "wrong_credentials", message)
    }

    pub(crate) fn internal() -> ApiError {
        let message = "internal error; nothing was changed";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message)
    }

    pub(crate) fn busy() -> ApiError {
        let message = "the server is busy: try again soon";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    pub(crate) fn not_found(what: &str) -> ApiError {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("there is no such {what}"),
        )
    }
}

impl From<ErrorCode> for ApiError {
    fn from(code: ErrorCode) -> ApiError {
        let status = match code {
            ErrorCode::Unauthorized => return ApiError::unauthorized(),
            ErrorCode::Busy => return ApiError::busy(),
            ErrorCode::Internal => return ApiError::internal(),
            ErrorCode::RateLimited => return ApiError::rate_limited(),
            ErrorCode::Banned => StatusCode::FORBIDDEN,
            ErrorCode::Draining | ErrorCode::StorageUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::UnknownGame
            | ErrorCode::UnknownBot
            | ErrorCode::UnknownMatch
            | ErrorCode::InvitationUnknown
            | ErrorCode::LobbyUnknown
            | ErrorCode::RematchUnknown => StatusCode::NOT_FOUND,
            ErrorCode::NotEnoughTokens => StatusCode::PAYMENT_REQUIRED,
            ErrorCode::AlreadyInMatch | ErrorCode::AlreadyQueued | ErrorCode::LobbyFull => {
                StatusCode::CONFLICT
            }
            _ => StatusCode::BAD_REQUEST,
        };
        ApiError::new(status, code.code(), code.sentence())
    }
}

impl From<Unanswered> for ApiError {
    fn from(_: Unanswered) -> ApiError {
        ErrorCode::StorageUnavailable.into()
    }
}

impl From<Undone> for ApiError {
    fn from(undone: Undone) -> ApiError {
        match undone {
            Undone::TooMuch => {
                let message = "too much work for this address: try again later";
                ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_much_work", message)
            }
            Undone::Busy => ApiError::busy(),
            Undone::Broken => ApiError::internal(),
        }
    }
}

impl From<Stopped> for ApiError {
    fn from(_: Stopped) -> ApiError {
        ErrorCode::StorageUnavailable.into()
    }
}

impl From<Unavailable> for ApiError {
    fn from(_: Unavailable) -> ApiError {
        ErrorCode::StorageUnavailable.into()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut body = self.more;
        body.insert("error".to_owned(), self.code.into());
        body.insert("message".to_owned(), self.message.into());
        let mut response = (self.status, Json(Value::Object(body))).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            let seconds = HeaderValue::from_static(RETRY_AFTER_SECONDS);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// The most characters in a sentence that lists the faults of a document.
const MESSAGE_MAX: usize = 1_000;

/// The `Retry-After` of a request that cannot be served now.
const RETRY_AFTER_SECONDS: &str = "2";

/// Converts the failure to read a body as bytes. `too_long` is the message for a body over its limit.
pub(crate) fn unread(rejection: &BytesRejection, too_long: impl FnOnce() -> String) -> ApiError {
    if let Some(unread) = Unread::behind(rejection) {
        return unread.refusal();
    }
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_long", too_long());
    }
    let message = "the body cannot be read";
    ApiError::new(StatusCode::BAD_REQUEST, "invalid_body", message)
}

/// A JSON body, or an error that lists what is wrong with it.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: Document> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        let Json(body) = Json::<Box<RawValue>>::from_request(request, state)
            .await
            .map_err(|rejection| not_taken(&rejection))?;
        let body = json::read(body.get().as_bytes()).map_err(|error| not_json(&error))?;
        let read = doc::parse(&body).map_err(|faults| ApiError::faults("invalid_body", &faults))?;
        Ok(Body(read))
    }
}

/// Converts the failure to read a body as JSON.
fn not_taken(rejection: &JsonRejection) -> ApiError {
    match rejection {
        JsonRejection::MissingJsonContentType(_) => {
            let message = "send the body as Content-Type: application/json";
            ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", message)
        }
        JsonRejection::BytesRejection(rejection) => unread(rejection, || {
            "the body is longer than 16384 bytes".to_owned()
        }),
        _ => {
            let message = "the body is not JSON";
            ApiError::new(StatusCode::BAD_REQUEST, "invalid_json", message)
        }
    }
}

fn not_json(error: &ReadError) -> ApiError {
    let message = format!("the body is not JSON: {error}");
    ApiError::new(StatusCode::BAD_REQUEST, "invalid_json", message)
}

/// Rewrites the framework's own refusals (an invalid query, a path that is not text, a missing
/// WebSocket handshake) and timeouts into the form of all others. The framework's text is dropped.
pub(crate) async fn in_json(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let told = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if told || !status.is_client_error() {
        return response;
    }
    let (code, message) = match status {
        StatusCode::REQUEST_TIMEOUT => ("too_slow", "the request took too long: try again"),
        _ => ("invalid_request", "invalid request: see /openapi.json"),
    };
    ApiError::new(status, code, message).into_response()
}

pub(crate) async fn wrong_method() -> ApiError {
    let message = "this method is not supported here: see /openapi.json";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message)
}
