//! The section about each game: its decisions, its view and its events.

use std::collections::BTreeMap;
use std::fmt::Write;

use catalog::{GameName, with_game};
use kernel::Describe;
use serde_json::Value;
use session::Live;

use super::shape::{about, tag, variant_table, variants, write_definition};
use crate::schema::{prefix, words_schema};

pub(super) fn write(text: &mut String) {
    text.push_str(OPENING);
    for game in GameName::ALL {
        write_game(text, game);
    }
}

const OPENING: &str = "## Games

Games differ in the `ask` field of `ask` and `consider`, the `legal` words and the `view` of a
`standing`, the `events` of `news`, and the answers to `consider`. `referee describe NAME --json`
prints the tables behind the ids, and [`docs/rules`](rules) has the rules.

";

/// The schemas of the types that belong to one game, of all games, by name.
pub(super) fn definitions() -> BTreeMap<String, Value> {
    let all = GameName::ALL.into_iter();
    all.flat_map(|game| own(game, words_schema(game).as_value()))
        .collect()
}

/// The schemas of the types that only this game has.
fn own(game: GameName, words: &Value) -> BTreeMap<String, Value> {
    let prefix = prefix(game.as_str());
    let all = words.get("$defs").and_then(Value::as_object);
    let own = all
        .into_iter()
        .flatten()
        .filter(|(name, _)| name.starts_with(&prefix));
    own.map(|(name, schema)| (name.clone(), schema.clone()))
        .collect()
}

fn write_game(text: &mut String, game: GameName) {
    let words = words_schema(game);
    let root = words.as_value();
    let prefix = prefix(game.as_str());
    let (summary, considered) = with_game!(game, G => (G::SUMMARY, G::CONSIDERED));
    let _ = writeln!(text, "### Game `{game}`\n\n{summary}\n");
    let mut types = own(game, root);
    for part in ["Ask", "Word", "Seen", "View", "Event"] {
        let name = format!("{prefix}{part}");
        let Some(schema) = types.remove(&name) else {
            continue;
        };
        write_type(text, &name, &schema, root);
        if part == "Ask" {
            let _ = writeln!(text, "**Answers to `consider`.** {considered}\n");
        }
    }
    for (name, schema) in &types {
        write_type(text, name, schema, root);
    }
}

fn write_type(text: &mut String, name: &str, schema: &Value, root: &Value) {
    let _ = writeln!(text, "#### {name}\n");
    if !about(schema).is_empty() {
        let _ = writeln!(text, "{}\n", about(schema));
    }
    let variants = variants(schema, root);
    let words = words(schema);
    if !variants.is_empty() {
        text.push_str(&variant_table(tag(schema), &variants));
    } else if !words.is_empty() {
        text.push_str("| word | meaning |\n| --- | --- |\n");
        for (example, about) in words {
            let _ = writeln!(text, "| `{example}` | {about} |");
        }
        text.push('\n');
    } else {
        write_definition(text, schema, root);
    }
}

/// An example and the description of each form of a word.
fn words(schema: &Value) -> Vec<(&str, String)> {
    let forms = schema.get("anyOf").and_then(Value::as_array);
    let word = |form| Some((example(form)?, about(form)));
    forms.into_iter().flatten().filter_map(word).collect()
}

fn example(form: &Value) -> Option<&str> {
    form.pointer("/examples/0")?.as_str()
}
