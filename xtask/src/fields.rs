//! The table of all fields of a scenario in docs/scenarios.md, made from the JSON Schema.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// The document that holds the table.
pub(crate) const DOCUMENT: &str = "docs/scenarios.md";

const BEGIN: &str = "<!-- The table is made by `cargo xtask codegen` from the JSON Schema. -->\n";
const END: &str = "<!-- End of the table. -->\n";

/// The document with the table as the schema has it now.
pub(crate) fn document(schema: &Value) -> Result<String> {
    let text = fs::read_to_string(DOCUMENT).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let places = text.split_once(BEGIN).and_then(|(head, rest)| {
        let (_, tail) = rest.split_once(END)?;
        Some((head, tail))
    });
    let (head, tail) = places.with_context(|| format!("{DOCUMENT} has no place for the table"))?;
    Ok(format!("{head}{BEGIN}{}{END}{tail}", table(schema)?))
}

/// A row for each field, in the order of their names, with the fields of an object below it.
fn table(schema: &Value) -> Result<String> {
    let mut table = Table {
        root: schema,
        rows: String::from("| field | value | without it | meaning |\n| --- | --- | --- | --- |\n"),
    };
    table.add_fields("", schema)?;
    Ok(table.rows)
}

struct Table<'a> {
    root: &'a Value,
    rows: String,
}

/// The part of a schema that says which values a field can have.
enum Form<'a> {
    /// An object with fields.
    Fields(&'a Value),
    /// An object with a value for each key.
    Entries(&'a Value),
    /// A list, with the schema of its items.
    List(&'a Value, &'a Value),
    /// One of several forms.
    OneOf(Vec<&'a Value>),
    /// A value without parts.
    Plain(&'a Value),
}

impl<'a> Table<'a> {
    fn add_fields(&mut self, path: &str, object: &'a Value) -> Result<()> {
        let fields = object["properties"].as_object();
        let fields = fields.with_context(|| format!("{path} has no fields"))?;
        for (name, field) in fields {
            let is_required = object["required"]
                .as_array()
                .is_some_and(|it| it.contains(&Value::from(name.as_str())));
            let path = format!("{path}{name}");
            self.add(&path, field, &absence(field, is_required))?;
        }
        Ok(())
    }

    fn add(&mut self, path: &str, field: &'a Value, absent: &str) -> Result<()> {
        let (value, about) = (self.value(path, field)?, about(self.root, field));
        writeln!(self.rows, "| `{path}` | {value} | {absent} | {about} |")?;
        self.add_parts(path, field)
    }

    /// Adds the fields of the values that a field holds.
    fn add_parts(&mut self, path: &str, field: &'a Value) -> Result<()> {
        match form(self.root, field)? {
            Form::Fields(object) => self.add_fields(&format!("{path}."), object),
            Form::Entries(_) | Form::Plain(_) => Ok(()),
            Form::List(_, items) => self.add_parts(&format!("{path}[]"), items),
            Form::OneOf(forms) => forms
                .into_iter()
                .try_for_each(|it| match it.get("properties") {
                    Some(_) => self.add_fields_of_form(path, it),
                    None => self.add_parts(path, it),
                }),
        }
    }

    /// Adds the fields of one of several forms of an object; `type` distinguishes them.
    fn add_fields_of_form(&mut self, path: &str, object: &'a Value) -> Result<()> {
        let kind = &object["properties"]["type"]["const"];
        let path = match (kind.as_str(), path.strip_suffix("[]")) {
            (Some(kind), Some(list)) => format!("{list}[{kind}]"),
            (Some(kind), None) => format!("{path}({kind})"),
            (None, _) => path.to_owned(),
        };
        let (about, value) = (about(self.root, object), "an object");
        writeln!(self.rows, "| `{path}` | {value} | – | {about} |")?;
        let fields = object["properties"].as_object().context("no fields")?;
        for (name, field) in fields.iter().filter(|(name, _)| *name != "type") {
            self.add(&format!("{path}.{name}"), field, "required")?;
        }
        Ok(())
    }

    /// The values that a field can have, in words.
    fn value(&self, path: &str, field: &'a Value) -> Result<String> {
        Ok(match form(self.root, field)? {
            Form::Fields(_) => "an object".to_owned(),
            Form::Entries(entry) => {
                format!("an object: for each key {}", self.value(path, entry)?)
            }
            Form::List(list, items) => {
                let items = self.value(path, items)?;
                format!("a list of {}; each {items}", length(list)?)
            }
            Form::OneOf(forms) => {
                let words: Result<Vec<String>> =
                    forms.iter().map(|it| self.choice(path, it)).collect();
                any_of(&words?)
            }
            Form::Plain(schema) => plain(schema)
                .with_context(|| format!("the values of {path} cannot be described"))?,
        })
    }

    /// One of several forms in words.
    fn choice(&self, path: &str, form: &'a Value) -> Result<String> {
        let form = resolved(self.root, form)?;
        match (form.get("const"), form.pointer("/properties/type/const")) {
            (Some(value), _) | (_, Some(value)) => Ok(code(value)),
            _ => self.value(path, form),
        }
    }
}

/// Follows references.
fn resolved<'a>(root: &'a Value, schema: &'a Value) -> Result<&'a Value> {
    let Some(name) = schema.get("$ref") else {
        return Ok(schema);
    };
    let pointer = name.as_str().and_then(|it| it.strip_prefix('#'));
    let target = pointer.and_then(|it| root.pointer(it));
    resolved(
        root,
        target.with_context(|| format!("{name} leads nowhere"))?,
    )
}

fn form<'a>(root: &'a Value, schema: &'a Value) -> Result<Form<'a>> {
    let schema = resolved(root, schema)?;
    for key in ["oneOf", "anyOf"] {
        let Some(forms) = schema.get(key).and_then(Value::as_array) else {
            continue;
        };
        let is_null = |it: &&Value| it["type"] == "null";
        let forms: Vec<&Value> = forms.iter().filter(|it| !is_null(it)).collect();
        return match forms[..] {
            [only] => form(root, only),
            _ => Ok(Form::OneOf(forms)),
        };
    }
    if schema.get("properties").is_some() {
        return Ok(Form::Fields(schema));
    }
    if let Some(entry @ Value::Object(_)) = schema.get("additionalProperties") {
        return Ok(Form::Entries(entry));
    }
    match schema.get("items") {
        Some(items) => Ok(Form::List(schema, items)),
        None => Ok(Form::Plain(schema)),
    }
}

/// A value without parts, with its bounds.
fn plain(schema: &Value) -> Result<String> {
    if let Some(value) = schema.get("const") {
        return Ok(code(value));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Ok(any_of(&values.iter().map(code).collect::<Vec<_>>()));
    }
    let is = |kind: &str| match &schema["type"] {
        Value::Array(kinds) => kinds.contains(&kind.into()),
        only => only == kind,
    };
    if is("boolean") {
        return Ok("`true` or `false`".to_owned());
    }
    if is("string") {
        return text(schema);
    }
    ensure!(is("integer") || is("number"), "{schema} has no known type");
    let noun = if is("integer") {
        "an integer"
    } else {
        "a number"
    };
    let most = schema.get("maximum").context("there is no upper bound")?;
    match (schema.get("minimum"), schema.get("exclusiveMinimum")) {
        (Some(least), _) => Ok(format!("{noun} from {least} to {most}")),
        (_, Some(least)) => Ok(format!("{noun} above {least}, up to {most}")),
        _ => bail!("there is no lower bound"),
    }
}

fn text(schema: &Value) -> Result<String> {
    let most = schema.get("maxLength");
    let is_blank_allowed = schema.get("minLength").is_none();
    match (most, schema.get("pattern").and_then(Value::as_str)) {
        (Some(most), None) => Ok(format!("text of up to {most} characters")),
        (Some(most), Some(_)) if !is_blank_allowed => {
            Ok(format!("text of 1 to {most} characters, not blank"))
        }
        (None, Some(pattern)) => Ok(format!("text that matches `{pattern}`")),
        _ => bail!("the length of the text has no bound"),
    }
}

fn length(list: &Value) -> Result<String> {
    let most = list.get("maxItems").context("a list has no upper bound")?;
    Ok(match list.get("minItems") {
        Some(least) => format!("{least} to {most}"),
        None => format!("up to {most}"),
    })
}

/// The meaning of a field that is left out.
fn absence(field: &Value, is_required: bool) -> String {
    match field.get("default") {
        _ if is_required => "required".to_owned(),
        None | Some(Value::Null) => "optional".to_owned(),
        Some(Value::Object(_)) => "optional".to_owned(),
        Some(value) => code(value),
    }
}

/// Choices as a list with "or" before the last one.
fn any_of(choices: &[String]) -> String {
    match choices.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The description of a field, or of its type.
fn about(root: &Value, field: &Value) -> String {
    let own = field.get("description").and_then(Value::as_str);
    let inherited = || resolved(root, field).ok()?.get("description")?.as_str();
    let text = own.or_else(inherited).unwrap_or("");
    text.replace('\n', " ").replace('|', "\\|")
}

fn code(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_listed_with_their_bounds_and_defaults() {
        let schema = json!({
            "properties": {
                "size": {"type": "integer", "minimum": 1, "maximum": 5, "description": "How big."},
                "tags": {"type": "array", "maxItems": 3, "items": {"$ref": "#/$defs/Tag"}, "default": []},
                "goal": {"$ref": "#/$defs/Goal"},
                "ends": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/End"}},
                "kind": {"anyOf": [{"$ref": "#/$defs/Kind"}, {"type": "null"}]},
            },
            "required": ["size", "goal"],
            "$defs": {
                "End": {"oneOf": [
                    {"type": "object", "description": "Soon.", "properties": {"type": {"const": "soon"}}},
                    {"type": "object", "description": "Late.", "properties": {"type": {"const": "late"}}},
                ]},
                "Kind": {"oneOf": [{"const": "only", "description": "The one."}]},
                "Tag": {"type": ["string", "null"], "maxLength": 9},
                "Goal": {"description": "An end.", "oneOf": [
                    {"type": "object", "description": "All.", "properties": {"type": {"const": "all"}}},
                    {"type": "object", "description": "Some.", "properties": {
                        "type": {"const": "some"},
                        "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
                    }},
                ]},
            },
        });
        let wanted = "\
| field | value | without it | meaning |
| --- | --- | --- | --- |
| `size` | an integer from 1 to 5 | required | How big. |
| `tags` | a list of up to 3; each text of up to 9 characters | `[]` |  |
| `kind` | `only` | optional |  |
| `ends` | a list of up to 2; each `soon` or `late` | optional |  |
| `ends[soon]` | an object | – | Soon. |
| `ends[late]` | an object | – | Late. |
| `goal` | `all` or `some` | required | An end. |
| `goal(all)` | an object | – | All. |
| `goal(some)` | an object | – | Some. |
| `goal(some).share` | a number above 0, up to 1 | required |  |
";
        let rows = |text: &str| -> Vec<String> {
            let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
            rows.sort();
            rows
        };
        assert_eq!(rows(&table(&schema).unwrap()), rows(wanted));
        let unbounded = json!({"properties": {"size": {"type": "integer"}}});
        assert!(table(&unbounded).is_err());
    }
}
