//! Compares canonical JSON with the output of Python's `json.dumps`.
//!
//! Promise: Hashes can be computed by others, in any language.

#![allow(
    clippy::unwrap_used,
    reason = "a vector that cannot be read fails the test"
)]

use kernel::json::{Hash, Json, from_value, read, to_canonical};

const VECTORS: &str = include_str!("../../../testdata/json/vectors.json");

#[test]
fn canonical_bytes_are_what_python_writes() {
    let vectors = read(VECTORS.as_bytes()).unwrap();
    let vectors = vectors.as_list().unwrap();
    assert!(vectors.len() > 200);
    for vector in vectors {
        let text = |key: &str| vector.get(key).and_then(Json::as_text).unwrap();
        let document = read(text("plain").as_bytes()).unwrap();
        let canonical = to_canonical(&document).unwrap();
        assert_eq!(std::str::from_utf8(&canonical).unwrap(), text("canonical"));
        let hash = format!("sha256:{}", text("sha256"));
        assert_eq!(Hash::of(&document).unwrap().to_string(), hash);
        assert_eq!(hash.parse::<Hash>().unwrap(), Hash::of_bytes(&canonical));
    }
}

#[test]
fn reading_canonical_bytes_and_writing_them_changes_nothing() {
    let vectors = read(VECTORS.as_bytes()).unwrap();
    for vector in vectors.as_list().unwrap() {
        let canonical = vector.get("canonical").and_then(Json::as_text).unwrap();
        let document = read(canonical.as_bytes()).unwrap();
        assert_eq!(to_canonical(&document).unwrap(), canonical.as_bytes());
        assert_eq!(from_value(&document).unwrap(), document);
    }
}
