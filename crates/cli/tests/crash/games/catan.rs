//! Catan, as it is played here.

use serde_json::{Value, json};

/// A match that is soon over.
pub(super) fn short() -> Value {
    json!({ "vp_to_win": 4 })
}

/// Builds whenever it can: matches come to an end.
pub(super) fn weight(word: &str) -> u64 {
    let verb = word.split(':').next().unwrap_or_default();
    match verb {
        "city" | "settle" => 60,
        "buy" | "knight" => 12,
        "end" => 4,
        _ => 1,
    }
}
