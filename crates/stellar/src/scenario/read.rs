//! Readers for values that derive cannot describe.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kernel::doc::{Document, Fault, Faults, Node, Ranged};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::Condition;
use crate::constants::{SHIPS_MAX, ShipKind};
use crate::decimal::{Ly, Share};

const ID_CHARS: usize = 64;
const NAME_CHARS: usize = 120;
const PROSE_CHARS: usize = 4000;
const TAGS_MAX: usize = 32;
const CONDITIONS_MAX: usize = 16;
const TURNS_LAST: i128 = i32::MAX as i128;
/// The maximum coordinate and the maximum radius, in light-years.
const FAR_LY: i64 = 100_000;

pub(super) fn id(node: &Node<'_>, faults: &mut Faults) -> Option<String> {
    text(node, ID_CHARS, faults)
}

pub(super) fn name(node: &Node<'_>, faults: &mut Faults) -> Option<String> {
    text(node, NAME_CHARS, faults)
}

pub(super) fn optional_name(node: &Node<'_>, faults: &mut Faults) -> Option<Option<String>> {
    node.null_or(faults, name)
}

pub(super) fn prose(node: &Node<'_>, faults: &mut Faults) -> Option<String> {
    any_text(node, PROSE_CHARS, faults)
}

pub(super) fn author(node: &Node<'_>, faults: &mut Faults) -> Option<Option<String>> {
    node.null_or(faults, |node, faults| any_text(node, NAME_CHARS, faults))
}

pub(super) fn tags(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<String>> {
    let items = node.list_of(0..=TAGS_MAX, faults)?;
    all(items.iter().map(|it| id(it, faults)))
}

pub(super) fn color(node: &Node<'_>, faults: &mut Faults) -> Option<String> {
    let text = node.text(faults)?;
    let digits = text.strip_prefix('#').unwrap_or("");
    if digits.len() == 6 && digits.bytes().all(|it| it.is_ascii_hexdigit()) {
        return Some(text.to_owned());
    }
    node.refuse("not_a_color", "a color such as #3a7bd5", faults)
}

/// A length above zero.
pub(super) fn length(node: &Node<'_>, faults: &mut Faults) -> Option<Ly> {
    Ly::read_between(node, Ly::from_units(1), Ly::whole(FAR_LY), faults)
}

pub(super) fn optional_length(node: &Node<'_>, faults: &mut Faults) -> Option<Option<Ly>> {
    node.null_or(faults, length)
}

pub(super) fn shares(node: &Node<'_>, faults: &mut Faults) -> Option<BTreeMap<String, Share>> {
    let entries = node.entries(faults)?.into_iter();
    let share = |(key, node): (&str, Node<'_>)| {
        let share = Share::read_within(&node, 0..=1, faults)?;
        Some((key.to_owned(), share))
    };
    all(entries.map(share))
}

pub(super) fn ships(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<ShipKind>> {
    let items = node.list_of(0..=SHIPS_MAX, faults)?;
    if items.is_empty() {
        faults.at(node, "empty_fleet", "a fleet needs at least one ship");
        return None;
    }
    all(items.iter().map(|it| ShipKind::read(it, faults)))
}

/// The turn limit, which may be absent but not null.
pub(super) fn cap(node: &Node<'_>, faults: &mut Faults) -> Option<Option<u32>> {
    u32::read_within(node, 1..=TURNS_LAST, faults).map(Some)
}

pub(super) fn victory(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Condition>> {
    let items = node.list_of(0..=CONDITIONS_MAX, faults)?;
    all(items.iter().map(|it| condition(it, faults)))
}

/// Reads a condition, which must have exactly the parameters of its type. Faults get codes specific
/// to conditions.
fn condition(node: &Node<'_>, faults: &mut Faults) -> Option<Condition> {
    let mut found = Faults::default();
    let condition = Condition::read(node, &mut found);
    let kind = format!("{}/type", node.pointer());
    for fault in &found {
        let code = match fault.code {
            "unknown_field" => "superfluous_parameter",
            "unknown_value" if fault.pointer == kind => "unknown_condition",
            "missing" if fault.pointer != kind => "missing_parameter",
            code => code,
        };
        faults.push(Fault {
            code,
            ..fault.clone()
        });
    }
    condition.filter(|_| found.is_empty())
}

/// A text of a bounded length that is not blank.
fn text(node: &Node<'_>, n_chars_max: usize, faults: &mut Faults) -> Option<String> {
    let is_space = |it: char| it.is_whitespace() || it == '\u{feff}';
    if node.text(faults)?.chars().all(is_space) {
        faults.at(node, "blank", "expected text that is not blank");
        return None;
    }
    any_text(node, n_chars_max, faults)
}

/// A text of a bounded length, which may be empty.
fn any_text(node: &Node<'_>, n_chars_max: usize, faults: &mut Faults) -> Option<String> {
    let text = node.text(faults)?;
    let n_chars = text.chars().count();
    if n_chars > n_chars_max {
        let message = format!("expected at most {n_chars_max} characters, found {n_chars}");
        faults.at(node, "too_long", message);
        return None;
    }
    Some(text.to_owned())
}

/// Collects all values. Reads every one, so that all faults are reported, before it returns `None`.
fn all<T, C: FromIterator<T>>(values: impl Iterator<Item = Option<T>>) -> Option<C> {
    let values: Vec<Option<T>> = values.collect();
    values.into_iter().collect()
}

/// A share from 0 to 1, for the schema.
pub(super) struct Part;

impl JsonSchema for Part {
    fn schema_name() -> Cow<'static, str> {
        "Part".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}
