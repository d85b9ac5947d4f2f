//! Playing Catan.

use serde_json::{Value, json};

/// The setup of a short match.
pub(super) fn short() -> Value {
    json!({ "vp_to_win": 4 })
}

/// Prefers building, so that matches end.
pub(super) fn weight(word: &str) -> u64 {
    let verb = word.split(':').next().unwrap_or_default();
    match verb {
        "city" | "settle" => 60,
        "buy" | "knight" => 12,
        "end" => 4,
        _ => 1,
    }
}
