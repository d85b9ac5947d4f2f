//! Renders schemas as Markdown tables.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value};

pub(super) struct Field {
    name: String,
    kind: String,
    about: String,
}

/// The field that names the variant of a tagged schema: `type`, or `name`.
pub(super) fn tag(schema: &Value) -> &'static str {
    let first = schema.pointer("/oneOf/0/properties");
    let is_tag = |tag: &&str| first.is_some_and(|it| it[tag].get("const").is_some());
    ["type", "name"].into_iter().find(is_tag).unwrap_or("type")
}

/// The name, description and fields of each variant of a tagged schema.
pub(super) fn variants(schema: &Value, root: &Value) -> Vec<(String, String, Vec<Field>)> {
    let (list, tag) = (schema.get("oneOf").and_then(Value::as_array), tag(schema));
    let mut variants = Vec::new();
    for variant in list.into_iter().flatten() {
        let name = variant.pointer(&format!("/properties/{tag}/const"));
        let Some(name) = name.and_then(Value::as_str) else {
            continue;
        };
        let mut fields = fields(variant, root);
        fields.retain(|field| field.name != tag);
        variants.push((name.to_owned(), about(variant), fields));
    }
    variants
}

/// The fields of an object, including those of the type that it refers to.
pub(super) fn fields(schema: &Value, root: &Value) -> Vec<Field> {
    let empty = Map::new();
    let own = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|list| list.iter().any(|it| it == name));
    let mut fields: Vec<Field> = Vec::new();
    for (name, value) in own.unwrap_or(&empty) {
        let optional = if is_required(name) { "" } else { ", optional" };
        fields.push(Field {
            name: name.clone(),
            kind: format!("{}{optional}", kind(value)),
            about: about(value),
        });
    }
    if let Some(target) = target(schema, root) {
        fields.extend(self::fields(target, root));
    }
    fields
}

/// A table, or a sentence when there are no fields.
pub(super) fn field_table(fields: &[Field]) -> String {
    if fields.is_empty() {
        return "No further fields.\n\n".to_owned();
    }
    let mut text = "| field | what | meaning |\n| --- | --- | --- |\n".to_owned();
    for Field { name, kind, about } in fields {
        let kind = kind.replace('|', "\\|");
        let _ = writeln!(text, "| `{name}` | {kind} | {about} |");
    }
    text.push('\n');
    text
}

pub(super) fn variant_table(tag: &str, variants: &[(String, String, Vec<Field>)]) -> String {
    let mut text = format!("| {tag} | fields | meaning |\n| --- | --- | --- |\n");
    for (name, about, fields) in variants {
        let field = |Field { name, kind, about }: &Field| match about.trim_end_matches('.') {
            "" => format!("`{name}`: {kind}"),
            about => format!("`{name}`: {kind} ({})", with_small_letter(about)),
        };
        let fields: Vec<String> = fields.iter().map(field).collect();
        let fields = fields.join("<br>").replace('|', "\\|");
        let _ = writeln!(text, "| `{name}` | {fields} | {about} |");
    }
    text.push('\n');
    text
}

fn with_small_letter(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|it| it.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// Writes every type that the messages refer to and that `wanted` accepts, by name.
pub(super) fn write_definitions(
    text: &mut String,
    roots: &[&Value],
    wanted: impl Fn(&str) -> bool,
) {
    let mut definitions = BTreeMap::new();
    for root in roots {
        let own = root.get("$defs").and_then(Value::as_object);
        for (name, schema) in own.into_iter().flatten() {
            definitions.entry(name).or_insert((schema, *root));
        }
    }
    let named: Vec<&str> = roots.iter().flat_map(|root| named_types(root)).collect();
    definitions.retain(|name, _| named.contains(&name.as_str()) && wanted(name));
    for (name, (schema, root)) in definitions {
        let _ = writeln!(text, "### {name}\n\n{}\n", about(schema));
        write_definition(text, schema, root);
    }
}

/// The types that something refers to by name. A message's own fields are listed with the message.
fn named_types(root: &Value) -> Vec<&str> {
    let mut names = Vec::new();
    let messages = root.get("oneOf").and_then(Value::as_array);
    let parts = messages
        .into_iter()
        .flatten()
        .filter_map(|it| it.get("properties"));
    for part in parts.chain(root.get("$defs")) {
        push_references(part, &mut names);
    }
    names
}

fn push_references<'a>(value: &'a Value, names: &mut Vec<&'a str>) {
    names.extend(reference(value));
    match value {
        Value::Object(entries) => entries.values().for_each(|it| push_references(it, names)),
        Value::Array(items) => items.iter().for_each(|it| push_references(it, names)),
        _ => {}
    }
}

pub(super) fn write_definition(text: &mut String, schema: &Value, root: &Value) {
    let variants = variants(schema, root);
    if !variants.is_empty() {
        for (name, about, fields) in variants {
            let _ = writeln!(text, "`{name}`: {about}\n");
            text.push_str(&field_table(&fields));
        }
    } else if schema.get("properties").is_some() {
        text.push_str(&field_table(&fields(schema, root)));
    } else {
        let _ = writeln!(text, "Type: {}.\n", kind(schema));
    }
}

/// The type of a value, in a few words.
fn kind(schema: &Value) -> String {
    if let Some(name) = reference(schema) {
        let anchor = name.to_lowercase();
        return format!("[{name}](#{anchor})");
    }
    if let Some(only) = schema.get("const") {
        return format!("`{only}`");
    }
    if let Some(names) = schema.get("enum").and_then(Value::as_array) {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        return names.join(" or ");
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(kinds) = schema.get(choice).and_then(Value::as_array) {
            let kinds: Vec<String> = kinds.iter().map(kind).collect();
            return kinds.join(" or ");
        }
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        return format!("text like `{pattern}`");
    }
    match schema.get("type") {
        Some(Value::String(name)) => named(name, schema),
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str);
            let names: Vec<String> = names.map(|name| named(name, schema)).collect();
            names.join(" or ")
        }
        // This schema allows everything.
        _ if schema.get("properties").is_none() => "any value".to_owned(),
        _ => "?unknown?".to_owned(),
    }
}

fn named(name: &str, schema: &Value) -> String {
    match name {
        "array" if schema.get("items") == Some(&Value::Bool(false)) => "empty list".to_owned(),
        "array" => {
            let item = schema.get("items").map_or("anything".to_owned(), kind);
            let len = ["minItems", "maxItems"].map(|it| schema.get(it).and_then(Value::as_u64));
            match len {
                [Some(min), Some(max)] if min == max => format!("list of {max} ({item})"),
                [_, Some(max)] => format!("list of at most {max} ({item})"),
                _ => format!("list ({item})"),
            }
        }
        "string" => "text".to_owned(),
        "boolean" => "true or false".to_owned(),
        "object" => match schema.get("properties").and_then(Value::as_object) {
            Some(fields) => {
                let inner = |(name, field): (&String, &Value)| format!("`{name}`: {}", kind(field));
                let fields: Vec<String> = fields.iter().map(inner).collect();
                format!("object ({})", fields.join(", "))
            }
            None => "object".to_owned(),
        },
        other => other.to_owned(),
    }
}

fn reference(schema: &Value) -> Option<&str> {
    let pointer = schema.get("$ref")?.as_str()?;
    pointer.strip_prefix("#/$defs/")
}

fn target<'a>(schema: &Value, root: &'a Value) -> Option<&'a Value> {
    root.get("$defs")?.get(reference(schema)?)
}

/// The description as one line.
pub(super) fn about(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str);
    text.unwrap_or_default()
        .replace("\n\n", " ")
        .replace('\n', " ")
}
