//! The spelling of numbers in files and in hashed documents.

use kernel::doc::{Document, Faults, Node};
use kernel::json::Json;

use super::Scenario;
use crate::decimal::real;

/// The spelling of decimals in a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// As JSON numbers, in scenario files.
    File,
    /// As text if there is a fraction, in setups and snapshots: hashed documents hold no floats.
    Canonical,
}

/// Reads a scenario inside a hashed document, which must use the canonical spelling.
pub(crate) fn read_canonical(node: &Node<'_>, faults: &mut Faults) -> Option<Scenario> {
    let given = node.present(faults)?;
    let mut found = Faults::default();
    let scenario = Scenario::read(&Node::root(&with_numbers(given)), &mut found);
    refuse_floats(&Node::root(given), &mut found);
    faults.extend_below(node, &found);
    let scenario = scenario.filter(|_| found.is_empty())?;
    if scenario.document(Dialect::Canonical) != *given {
        let message = "expected a scenario in canonical form: every field present, and decimals \
                       with a fraction as text";
        faults.at(node, "not_canonical", message);
        return None;
    }
    Some(scenario)
}

/// Refuses every number with a fraction that no other reader has refused.
fn refuse_floats(node: &Node<'_>, faults: &mut Faults) {
    match node.json() {
        Some(Json::Real(_)) if !faults.iter().any(|it| it.pointer == node.pointer()) => {
            let expected = "an integer, or a decimal as text";
            let _: Option<()> = node.refuse("wrong_type", expected, faults);
        }
        Some(Json::List(items)) => {
            (0..items.len()).for_each(|idx| refuse_floats(&node.item(idx), faults));
        }
        Some(Json::Object(fields)) => {
            (fields.keys()).for_each(|key| refuse_floats(&node.field(key), faults));
        }
        _ => {}
    }
}

/// The document with all decimals as numbers, including those spelled as text.
pub(crate) fn with_numbers(document: &Json) -> Json {
    let mut document = document.clone();
    spell_decimals(&mut document, false);
    document
}

/// The document with integral numbers as integers: `5.0` and `5e0` become `5`.
pub(super) fn with_integers(document: &Json) -> Json {
    match document {
        Json::Real(number) => real(&number.to_string()),
        Json::List(items) => Json::List(items.iter().map(with_integers).collect()),
        Json::Object(fields) => {
            let field = |(key, field): (&String, &Json)| (key.clone(), with_integers(field));
            Json::Object(fields.iter().map(field).collect())
        }
        other => other.clone(),
    }
}

/// The fields that hold decimals, in addition to every field of `byFactionId`.
const DECIMALS: [&str; 8] = [
    "minimumSystemSpacingLy",
    "neutralShare",
    "percentage",
    "radius",
    "size",
    "x",
    "y",
    "z",
];

/// Replaces decimals with the numbers that a scenario file has in their place.
pub(super) fn spell_decimals(json: &mut Json, is_decimal: bool) {
    match json {
        Json::Text(text) if is_decimal => *json = real(text),
        Json::List(items) => {
            for item in items {
                spell_decimals(item, false);
            }
        }
        Json::Object(fields) => {
            for (key, field) in fields {
                let key = key.as_str();
                match field {
                    Json::Object(shares) if key == "byFactionId" => {
                        shares.values_mut().for_each(|it| spell_decimals(it, true));
                    }
                    field => spell_decimals(field, DECIMALS.contains(&key)),
                }
            }
        }
        _ => {}
    }
}
