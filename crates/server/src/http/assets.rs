//! The browser client: files embedded in the program, compressed at build time.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri, header};
use axum::response::IntoResponse;

use super::error::ApiError;

struct Asset {
    path: &'static str,
    etag: &'static str,
    plain: &'static [u8],
    brotli: Option<&'static [u8]>,
    gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The first path segments that the client handles as pages.
const PAGES: [&str; 12] = [
    "match",
    "watch",
    "replay",
    "invite",
    "table",
    "leaderboard",
    "history",
    "profile",
    "settings",
    "tutorial",
    "workshop",
    "index.html",
];

/// Returns the client's first page, or `None` if the program was built without the client.
pub(crate) fn first_page(headers: &HeaderMap) -> Option<Response<Body>> {
    find("/index.html").map(|asset| asset.answer(headers))
}

/// Answers paths that no other route serves: a file of the client, one of its pages, or 404.
pub(crate) async fn file_or_nothing(
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    let reads = method == Method::GET || method == Method::HEAD;
    let found = reads.then(|| look_up(uri.path())).flatten();
    match found {
        Some(asset) => asset.answer(&headers),
        None => ApiError::not_found("page").into_response(),
    }
}

fn look_up(path: &str) -> Option<&'static Asset> {
    find(path).or_else(|| {
        let first = path.trim_start_matches('/').split('/').next()?;
        PAGES.contains(&first).then(|| find("/index.html"))?
    })
}

fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

impl Asset {
    fn answer(&self, headers: &HeaderMap) -> Response<Body> {
        let known = headers.get(header::IF_NONE_MATCH);
        if known.is_some_and(|known| known.as_bytes() == self.etag.as_bytes()) {
            return (StatusCode::NOT_MODIFIED, self.about()).into_response();
        }
        let (bytes, encoding) = self.encoded(headers);
        let mut answer = (self.about(), bytes).into_response();
        if let Some(encoding) = encoding {
            let value = HeaderValue::from_static(encoding);
            answer.headers_mut().insert(header::CONTENT_ENCODING, value);
        }
        answer
    }

    fn about(&self) -> [(header::HeaderName, &'static str); 4] {
        [
            (header::CONTENT_TYPE, self.kind()),
            (header::CACHE_CONTROL, self.keep()),
            (header::ETAG, self.etag),
            (header::VARY, "accept-encoding"),
        ]
    }

    /// Returns the smallest encoding that the browser accepts.
    fn encoded(&self, headers: &HeaderMap) -> (&'static [u8], Option<&'static str>) {
        let accepted = headers.get(header::ACCEPT_ENCODING);
        let accepted = accepted.and_then(|it| it.to_str().ok()).unwrap_or_default();
        let takes = |name: &str| {
            let named = |it: &str| it.split(';').next().is_some_and(|it| it.trim() == name);
            accepted.split(',').any(|it| named(it) && !refuses(it))
        };
        match (self.brotli, self.gzip) {
            (Some(brotli), _) if takes("br") => (brotli, Some("br")),
            (_, Some(gzip)) if takes("gzip") => (gzip, Some("gzip")),
            _ => (self.plain, None),
        }
    }

    /// Files with a hash in their name never change; the others are revalidated each time.
    fn keep(&self) -> &'static str {
        if self.path.starts_with("/assets/") {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        }
    }

    fn kind(&self) -> &'static str {
        match self.path.rsplit('.').next().unwrap_or_default() {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "json" | "webmanifest" => "application/json",
            _ => "application/octet-stream",
        }
    }
}

/// True if an encoding is named only to refuse it.
fn refuses(named: &str) -> bool {
    let weight = named.split(';').find_map(|it| it.trim().strip_prefix("q="));
    weight.is_some_and(|it| it.parse::<f32>() == Ok(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Asset = Asset {
        path: "/assets/page-abc.js",
        etag: "\"1\"",
        plain: b"plain",
        brotli: Some(b"br"),
        gzip: Some(b"gz"),
    };

    fn asked(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn a_browser_receives_the_smallest_encoding_it_accepts() {
        let encoding = |accepted| PAGE.encoded(&asked(header::ACCEPT_ENCODING, accepted)).1;
        assert_eq!(encoding("gzip, deflate, br, zstd"), Some("br"));
        assert_eq!(encoding("gzip;q=0.8, br;q=0"), Some("gzip"));
        assert_eq!(encoding("identity"), None);
        assert_eq!(PAGE.encoded(&HeaderMap::new()), (&b"plain"[..], None));
    }

    #[test]
    fn files_with_a_hash_are_cached_forever_and_pages_are_revalidated() {
        assert!(PAGE.keep().contains("immutable"));
        let page = Asset {
            path: "/index.html",
            ..PAGE
        };
        assert_eq!(page.keep(), "no-cache");
        let same = page.answer(&asked(header::IF_NONE_MATCH, "\"1\""));
        assert_eq!(same.status(), StatusCode::NOT_MODIFIED);
        let other = page.answer(&asked(header::IF_NONE_MATCH, "\"2\""));
        assert_eq!(other.status(), StatusCode::OK);
    }

    #[test]
    fn paths_that_are_not_client_pages_are_not_found() {
        assert!(look_up("/no/such/page").is_none());
        assert!(look_up("/api/none").is_none());
        let page = look_up("/replay/1").map(|asset| asset.path);
        assert_eq!(page, find("/index.html").map(|asset| asset.path));
    }
}
