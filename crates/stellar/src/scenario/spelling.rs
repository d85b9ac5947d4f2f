//! The spelling of numbers in files and in hashed documents.

use kernel::doc::{Faults, Node};
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
    let scenario = Scenario::read_whole(&Node::root(&with_numbers(given)), &mut found);
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
    replaced(document, "", &|key, value| match value {
        Json::Text(text) if holds_decimal(key) => real(text),
        other => other.clone(),
    })
}

/// The document with integral numbers as integers: `5.0` and `5e0` become `5`.
pub(super) fn with_integers(document: &Json) -> Json {
    replaced(document, "", &|_, value| match value {
        Json::Real(number) => real(number.as_str()),
        other => other.clone(),
    })
}

/// The field whose own fields are all decimals.
const SHARES: &str = "byFactionId";

fn holds_decimal(key: &str) -> bool {
    let places = ["x", "y", "z", "radius", "size", "minimumSystemSpacingLy"];
    places.contains(&key) || [SHARES, "neutralShare", "percentage"].contains(&key)
}

/// The document with each simple value replaced, given the field that holds it.
fn replaced(json: &Json, key: &str, by: &impl Fn(&str, &Json) -> Json) -> Json {
    match json {
        Json::List(items) => Json::List(items.iter().map(|it| replaced(it, "", by)).collect()),
        Json::Object(fields) => {
            let entry = |(field, value): (&String, &Json)| {
                let holder = if key == SHARES { key } else { field };
                (field.clone(), replaced(value, holder, by))
            };
            Json::Object(fields.iter().map(entry).collect())
        }
        value => by(key, value),
    }
}
