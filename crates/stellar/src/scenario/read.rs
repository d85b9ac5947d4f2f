//! Values that derive cannot describe.

use kernel::doc::{Counted, Document, Faults, Node, Ranged};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::SCHEMA_VERSION;
use crate::constants::{SHIPS_MAX, ShipKind};
use crate::decimal::{Ly, Share};

/// The maximum radius, in light-years.
const FAR_LY: i64 = 100_000;

/// A character that is not white space, as a regular expression for JSON Schema, where `\s`
/// includes the byte order mark but not the next-line character.
const NOT_BLANK: &str = r"[^\s\u0085]";

/// Declares types that stand in for the type of a field, each with its schema and its reader.
macro_rules! stand_ins {
    ($($name:ident($type:ty): [$($schema:tt)+], [$($read:tt)+];)+) => {$(
        #[derive(JsonSchema, Document)]
        #[serde(transparent)]
        #[schemars(inline)]
        pub(super) struct $name(
            #[schemars($($schema)+)]
            #[document(read_with = $($read)+)]
            $type,
        );
    )+};
}

stand_ins! {
    Version(i64): [schema_with = "version_schema"], [version];
    Id(String): [length(min = 1, max = 64), regex(pattern = NOT_BLANK)], [text::<64>];
    Label(String): [length(min = 1, max = 120), regex(pattern = NOT_BLANK)], [text::<120>];
    Color(String): [regex(pattern = "^#[0-9a-fA-F]{6}$")], [color];
    Length(Ly): [range(min = 0.001, max = 100_000)], [length];
    Part(Share): [range(min = 0, max = 1)], [part];
}

fn version_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": SCHEMA_VERSION })
}

/// A share from 0 to 1.
fn part(node: &Node<'_>, faults: &mut Faults) -> Option<Share> {
    Share::read_within(node, 0..=1, faults)
}

/// A length above zero.
fn length(node: &Node<'_>, faults: &mut Faults) -> Option<Ly> {
    Ly::read_between(node, Ly::from_units(1), Ly::whole(FAR_LY), faults)
}

fn version(node: &Node<'_>, faults: &mut Faults) -> Option<i64> {
    let version = i64::read(node, faults)?;
    if version == SCHEMA_VERSION {
        return Some(version);
    }
    let message = format!("version {version} is not supported; expected version {SCHEMA_VERSION}");
    faults.at(node, "unsupported_version", message);
    None
}

fn color(node: &Node<'_>, faults: &mut Faults) -> Option<String> {
    let text = node.text(faults)?;
    let digits = text.strip_prefix('#').unwrap_or("");
    if digits.len() == 6 && digits.bytes().all(|it| it.is_ascii_hexdigit()) {
        return Some(text.to_owned());
    }
    node.refuse("not_a_color", "a color such as #3a7bd5", faults)
}

pub(super) fn ships(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<ShipKind>> {
    let ships = Vec::read_counted(node, 0..=SHIPS_MAX, faults)?;
    if ships.is_empty() {
        faults.at(node, "empty_fleet", "a fleet needs at least one ship");
        return None;
    }
    Some(ships)
}

/// A text of at most `N` characters that is not blank.
fn text<const N: usize>(node: &Node<'_>, faults: &mut Faults) -> Option<String> {
    let is_space = |it: char| it.is_whitespace() || it == '\u{feff}';
    if node.text(faults)?.chars().all(is_space) {
        faults.at(node, "blank", "expected text that is not blank");
        return None;
    }
    String::read_counted(node, 0..=N, faults)
}
