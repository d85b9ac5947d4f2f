//! Documents to test with, and changes to them.

use kernel::json::{self, Json};
use proptest::prelude::*;

const TABLE: &str = include_str!("../../../../testdata/stellar/scenarios.json");

pub(crate) fn table() -> (Json, Vec<Json>) {
    let table = json::read(TABLE.as_bytes()).unwrap();
    let cases = table.get("cases").unwrap().as_list().unwrap().to_vec();
    (table.get("base").unwrap().clone(), cases)
}

/// Sets or removes the value at a pointer.
pub(crate) fn put(document: &mut Json, pointer: &str, value: Option<Json>) {
    let Some((parent, key)) = pointer.rsplit_once('/') else {
        *document = value.unwrap();
        return;
    };
    let mut place = document;
    for step in parent.split('/').skip(1) {
        place = match place {
            Json::Object(fields) => fields.get_mut(step).unwrap(),
            Json::List(items) => &mut items[step.parse::<usize>().unwrap()],
            _ => panic!("{pointer}"),
        };
    }
    match (place, value) {
        (Json::Object(fields), Some(value)) => drop(fields.insert(key.to_owned(), value)),
        (Json::Object(fields), None) => drop(fields.remove(key)),
        (Json::List(items), Some(value)) => items[key.parse::<usize>().unwrap()] = value,
        (Json::List(items), None) => drop(items.remove(key.parse().unwrap())),
        _ => panic!("{pointer}"),
    }
}

pub(crate) fn document(base: &Json, case: &Json) -> Json {
    let mut document = base.clone();
    for pointer in case.get("remove").unwrap().as_list().unwrap() {
        put(&mut document, pointer.as_text().unwrap(), None);
    }
    for (pointer, value) in case.get("set").unwrap().as_object().unwrap() {
        put(&mut document, pointer, Some(value.clone()));
    }
    document
}

/// The pointers of all values in a document.
pub(crate) fn places(value: &Json, here: &str, into: &mut Vec<String>) {
    into.push(here.to_owned());
    match value {
        Json::List(items) => {
            for (idx, item) in items.iter().enumerate() {
                places(item, &format!("{here}/{idx}"), into);
            }
        }
        Json::Object(fields) => {
            for (key, field) in fields {
                places(field, &format!("{here}/{key}"), into);
            }
        }
        _ => {}
    }
}

pub(crate) fn any_json() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(|it| Json::Int(it.into())),
        (-200i64..200).prop_map(|it| Json::Int(it.into())),
        any::<f64>().prop_map(|it| Json::Real(it.into())),
        "[a-z-]{0,12}".prop_map(Json::Text),
        Just(Json::List(Vec::new())),
        Just(Json::object([])),
        Just(Json::object([("type", Json::Text("survival".into()))])),
    ]
}
