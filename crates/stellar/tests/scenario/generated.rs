//! Documents generated from the JSON Schema. The generator knows every keyword that the schema uses
//! and stops at any other.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use jsonschema::Validator;
use kernel::json::{self, Json};
use kernel::rng::{Generator, GeneratorKind, Seed};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use stellar::scenario;

use crate::agreement::{any_change, apply_somewhere, refusals};

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::to_value(scenario::schema()).unwrap());

/// The validators of the schemas of texts, by their JSON.
static VALIDATORS: Mutex<BTreeMap<String, Validator>> = Mutex::new(BTreeMap::new());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn documents_generated_from_the_schema_have_only_faults_between_their_parts(seed: u64) {
        let document = generate(seed);
        let (by_schema, by_shape) = refusals(&document);
        prop_assert!(by_schema.is_empty(), "the generator: {:?} in {}", by_schema, document);
        prop_assert!(by_shape.is_empty(), "{:?} in {}", by_shape, document);
    }

    #[test]
    fn changes_of_generated_documents_are_refused_by_both_or_by_neither(
        seed: u64,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any_change()), 1..3),
    ) {
        let mut document = generate(seed);
        for (place, change) in changes {
            apply_somewhere(change, &mut document, &place);
        }
        let (by_schema, by_shape) = refusals(&document);
        prop_assert_eq!(
            by_schema.is_empty(), by_shape.is_empty(), "{:?} {:?} in {}", by_schema, by_shape, document
        );
    }
}

#[test]
fn some_generated_documents_are_accepted() {
    let is_accepted = |seed: &u64| scenario::examine(&generate(*seed)).scenario.is_some();
    let n_accepted = (0..3000).filter(is_accepted).count();
    assert!(n_accepted >= 10, "{n_accepted} of 3000");
}

/// A document that is valid by the schema.
fn generate(seed: u64) -> Json {
    let rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
    let value = Draw { rng }.value(&SCHEMA);
    json::read(value.to_string().as_bytes()).unwrap()
}

struct Draw {
    rng: Generator,
}

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }

    fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }

    /// A value that is valid by a schema.
    fn value(&mut self, schema: &Value) -> Value {
        let schema = schema.as_object().unwrap();
        check_keywords(schema);
        if let Some(name) = schema.get("$ref") {
            let pointer = name.as_str().unwrap().strip_prefix('#').unwrap();
            return self.value(SCHEMA.pointer(pointer).unwrap());
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = schema.get("enum") {
            return self.pick(values.as_array().unwrap()).clone();
        }
        if let Some(forms) = schema.get("oneOf").or_else(|| schema.get("anyOf")) {
            let form = self.pick(forms.as_array().unwrap()).clone();
            return self.value(&form);
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => self.pick(kinds).clone(),
            kind => kind.clone(),
        };
        match kind.as_str().unwrap() {
            "object" => self.object(schema),
            "array" => self.list(schema),
            "string" => self.text(schema),
            "integer" => self.integer(schema),
            "number" => self.number(schema),
            "boolean" => Value::Bool(self.below(2) == 1),
            "null" => Value::Null,
            kind => panic!("the generator knows no {kind}"),
        }
    }

    fn object(&mut self, schema: &Map<String, Value>) -> Value {
        let mut object = Map::new();
        let empty = Map::new();
        let properties = schema.get("properties").map(|it| it.as_object().unwrap());
        let required = schema.get("required").and_then(Value::as_array);
        for (key, property) in properties.unwrap_or(&empty) {
            let is_required = required.is_some_and(|it| it.contains(&Value::from(key.as_str())));
            if is_required || self.below(2) == 1 {
                object.insert(key.clone(), self.value(property));
            }
        }
        if let Some(further @ Value::Object(_)) = schema.get("additionalProperties") {
            for key in ["blue", "red", "a"] {
                if self.below(3) == 0 {
                    object.insert(key.to_owned(), self.value(further));
                }
            }
        }
        Value::Object(object)
    }

    /// A few items, or the most that are allowed if those are few.
    fn list(&mut self, schema: &Map<String, Value>) -> Value {
        let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
        let least = bound("minItems").unwrap_or(0) as usize;
        let most = bound("maxItems").unwrap_or(u64::MAX) as usize;
        let n_items = match self.below(12) {
            0 if most <= 32 => most,
            _ => (least + self.below(3)).min(most),
        };
        let items = (0..n_items).map(|_| self.value(&schema["items"]));
        Value::Array(items.collect())
    }

    fn text(&mut self, schema: &Map<String, Value>) -> Value {
        let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
        let longest = "é".repeat(bound("maxLength").unwrap_or(300) as usize);
        let shortest = "x".repeat(bound("minLength").unwrap_or(0) as usize);
        let texts = [
            "blue", "red", "blue", "red", "a", "sys-0001", "draw", "#12ab3F", "\u{a0}z",
        ];
        let texts: Vec<&str> = texts.into_iter().chain([&*longest, &*shortest]).collect();
        let mut validators = VALIDATORS.lock().unwrap();
        let own = Value::Object(schema.clone());
        let validator = validators
            .entry(own.to_string())
            .or_insert_with(|| jsonschema::validator_for(&own).unwrap());
        let texts = texts.into_iter().map(Value::from);
        let valid: Vec<Value> = texts.filter(|it| validator.is_valid(it)).collect();
        self.pick(&valid).clone()
    }

    fn integer(&mut self, schema: &Map<String, Value>) -> Value {
        let bound = |key: &str| schema.get(key).and_then(Value::as_i64);
        let (least, most) = (bound("minimum").unwrap(), bound("maximum").unwrap());
        let near = (least + self.below(7) as i64).min(most);
        let numbers = [
            json!(least),
            json!(most),
            json!(near),
            json!(near),
            json!(near as f64),
        ];
        self.pick(&numbers).clone()
    }

    fn number(&mut self, schema: &Map<String, Value>) -> Value {
        let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
        let above = bound("exclusiveMinimum");
        let least = bound("minimum").or(above).unwrap();
        let most = bound("maximum").unwrap();
        let part = (most - least) * self.below(1000) as f64 / 1000.0;
        let tiny = least + (most - least) * 1e-9;
        let numbers = [
            least,
            most,
            least + part,
            tiny,
            least + (most - least) / 3.0,
        ];
        let is_valid = |it: &f64| *it <= most && above.is_none_or(|above| *it > above);
        let valid: Vec<f64> = numbers.into_iter().filter(is_valid).collect();
        json!(*self.pick(&valid))
    }
}

/// Stops at a keyword that the generator does not know.
fn check_keywords(schema: &Map<String, Value>) {
    const KNOWN: [&str; 25] = [
        "$defs",
        "$ref",
        "$schema",
        "additionalProperties",
        "anyOf",
        "const",
        "default",
        "description",
        "enum",
        "exclusiveMinimum",
        "format",
        "items",
        "maxItems",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "oneOf",
        "pattern",
        "properties",
        "required",
        "title",
        "type",
        "x-schema-version",
    ];
    for key in schema.keys() {
        assert!(
            KNOWN.contains(&key.as_str()),
            "the generator knows no keyword {key}"
        );
    }
}
