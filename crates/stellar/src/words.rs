//! Orders, missions and drafts as words in documents.

use std::borrow::Cow;

use kernel::doc::{Document, Faults, Node};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::galaxy::SystemIdx;
use crate::notation::{number, verb};
use crate::state::{Draft, Mission, Order};

/// Implements reading and writing a type as a list of words.
macro_rules! in_words {
    ($($type:ty: $write:path, $read:path, $expected:literal;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $write(*self).serialize(serializer)
            }
        }

        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                Vec::<String>::schema_name()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                Vec::<String>::json_schema(generator)
            }
        }

        impl Document for $type {
            fn read(node: &Node<'_>, faults: &mut Faults) -> Option<$type> {
                let words = Vec::<String>::read(node, faults)?;
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                $read(&words).or_else(|| node.refuse("unknown_value", $expected, faults))
            }
        }
    )+};
}

in_words! {
    Mission: mission, mission_of, "a mission in words";
    Order: order, order_of, "an order in words";
    Draft: draft, draft_of, "the beginning of an order in words";
}

/// An order as words: the verb and its arguments.
pub(crate) fn order(order: Order) -> Vec<String> {
    let words = |verb: &str, rest: &[Option<u16>]| {
        let rest = rest
            .iter()
            .map(|it| it.map_or("any".to_owned(), |it| it.to_string()));
        [verb.to_owned()].into_iter().chain(rest).collect()
    };
    match order {
        Order::Move(to) => words("move", &[Some(to.0)]),
        Order::Invade(to, body) => words("invade", &[Some(to.0), body.map(u16::from)]),
        Order::Load(to) => words("load", &[Some(to.0)]),
        Order::Unload(to, body) => words("unload", &[Some(to.0), body.map(u16::from)]),
        Order::Transfer(from, to) => words("transfer", &[Some(from.into()), Some(to.into())]),
        Order::Split => words("split", &[]),
        Order::Merge(into) => words("merge", &[Some(into)]),
        Order::Receive => words("receive", &[]),
    }
}

pub(crate) fn mission(mission: Mission) -> Vec<String> {
    let body = |body: Option<u8>| body.map_or("any".to_owned(), |it| it.to_string());
    match mission {
        Mission::None => vec!["none".to_owned()],
        Mission::Invade(on) => vec!["invade".to_owned(), body(on)],
        Mission::Load => vec!["load".to_owned()],
        Mission::Unload(on) => vec!["unload".to_owned(), body(on)],
    }
}

/// The words of an order that is being composed.
fn draft(draft: Draft) -> Vec<String> {
    match draft {
        Draft::Idle => Vec::new(),
        Draft::Fleet(rank) => vec![rank.to_string()],
        Draft::Verb(rank, verb) => vec![rank.to_string(), verb.name().to_owned()],
        Draft::Target(rank, verb, system) => {
            vec![
                rank.to_string(),
                verb.name().to_owned(),
                system.0.to_string(),
            ]
        }
        Draft::From(rank, body) => {
            vec![rank.to_string(), "transfer".to_owned(), body.to_string()]
        }
    }
}

fn body(word: &str) -> Option<Option<u8>> {
    match word {
        "any" => Some(None),
        word => number(word)?.try_into().ok().map(Some),
    }
}

fn mission_of(words: &[&str]) -> Option<Mission> {
    match words {
        ["none"] => Some(Mission::None),
        ["invade", on] => body(on).map(Mission::Invade),
        ["load"] => Some(Mission::Load),
        ["unload", on] => body(on).map(Mission::Unload),
        _ => None,
    }
}

fn order_of(words: &[&str]) -> Option<Order> {
    let system = |word: &str| number(word).map(SystemIdx);
    match words {
        ["move", to] => system(to).map(Order::Move),
        ["load", to] => system(to).map(Order::Load),
        ["invade", to, on] => system(to)
            .zip(body(on))
            .map(|(to, on)| Order::Invade(to, on)),
        ["unload", to, on] => system(to)
            .zip(body(on))
            .map(|(to, on)| Order::Unload(to, on)),
        ["transfer", from, to] => match (body(from), body(to)) {
            (Some(Some(from)), Some(Some(to))) => Some(Order::Transfer(from, to)),
            _ => None,
        },
        ["split"] => Some(Order::Split),
        ["merge", into] => number(into).map(Order::Merge),
        ["receive"] => Some(Order::Receive),
        _ => None,
    }
}

fn draft_of(words: &[&str]) -> Option<Draft> {
    match words {
        [] => Some(Draft::Idle),
        [rank] => number(rank).map(Draft::Fleet),
        [rank, does] => number(rank)
            .zip(verb(does))
            .map(|(rank, does)| Draft::Verb(rank, does)),
        [rank, "transfer", from] => match (number(rank), body(from)) {
            (Some(rank), Some(Some(from))) => Some(Draft::From(rank, from)),
            _ => None,
        },
        [rank, does @ ("invade" | "unload"), to] => match (number(rank), verb(does), number(to)) {
            (Some(rank), Some(does), Some(to)) => Some(Draft::Target(rank, does, SystemIdx(to))),
            _ => None,
        },
        _ => None,
    }
}
