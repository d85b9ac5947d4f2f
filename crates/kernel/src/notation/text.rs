//! Documents as edits and values.

use std::collections::{BTreeMap, BTreeSet};

use super::edit::ABSENT;
use crate::json::{self, Json};

/// The edits that turn one document into another, separated by spaces.
pub(super) fn edits_between(from: &Json, to: &Json) -> String {
    match (from, to) {
        (Json::Object(from), Json::Object(to)) => by_key("", from, to).join(" "),
        _ => String::new(),
    }
}

/// The edits of the value at `path`. A list is edited by item only if that is shorter.
fn edits_at(path: &str, from: &Json, to: &Json) -> Vec<String> {
    let whole = || vec![format!("{path}={}", value_text(to))];
    match (from, to) {
        _ if from == to => Vec::new(),
        (Json::Object(from), Json::Object(to)) => by_key(path, from, to),
        (Json::List(from), Json::List(items)) if from.len() == items.len() => {
            let parts = by_item(path, from, items);
            [whole(), parts]
                .into_iter()
                .min_by_key(|edits| edits.join(" ").len())
                .unwrap_or_default()
        }
        _ => whole(),
    }
}

fn by_key(path: &str, from: &BTreeMap<String, Json>, to: &BTreeMap<String, Json>) -> Vec<String> {
    let keys: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    let edits = keys.into_iter().flat_map(|key| {
        let path = step(path, key);
        match (from.get(key), to.get(key)) {
            (Some(from), Some(to)) => edits_at(&path, from, to),
            (_, Some(to)) => vec![format!("{path}={}", value_text(to))],
            (_, None) => vec![format!("{path}={ABSENT}")],
        }
    });
    edits.collect()
}

fn by_item(path: &str, from: &[Json], to: &[Json]) -> Vec<String> {
    let pairs = from.iter().zip(to).enumerate();
    pairs
        .flat_map(|(idx, (from, to))| edits_at(&step(path, &idx.to_string()), from, to))
        .collect()
}

/// The path one step further.
fn step(path: &str, key: &str) -> String {
    // A hyphen at the end would read as the operator `-=`.
    let key = match is_word(key) && !key.ends_with('-') {
        true => key.to_owned(),
        false => quoted(key),
    };
    match path {
        "" => key,
        path => format!("{path}.{key}"),
    }
}

/// The value without spaces and with as few quotes as possible.
pub(crate) fn value_text(value: &Json) -> String {
    match value {
        Json::Text(text) if is_bare(text) => text.clone(),
        Json::List(items) => {
            let items: Vec<String> = items.iter().map(value_text).collect();
            format!("[{}]", items.join(","))
        }
        Json::Object(entries) => {
            let entry = |(key, value): (&String, &Json)| {
                let key = if is_word(key) {
                    key.clone()
                } else {
                    quoted(key)
                };
                format!("{key}:{}", value_text(value))
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries.join(","))
        }
        scalar => scalar.to_string(),
    }
}

/// True if the text can be a key without quotes.
pub(super) fn is_word(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !text.is_empty() && text.bytes().all(fits)
}

/// True if the text can be a value without quotes: it is read as itself and as nothing else.
fn is_bare(text: &str) -> bool {
    let fits = !text.is_empty() && text.split(':').all(|part| part.is_empty() || is_word(part));
    fits && text != ABSENT && json::read(text.as_bytes()).is_err()
}

fn quoted(text: &str) -> String {
    Json::Text(text.to_owned()).to_string()
}
