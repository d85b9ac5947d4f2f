//! Orders, missions and drafts as words in documents.

use std::borrow::Cow;

use kernel::doc::{Document, Faults, Node};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::galaxy::SystemIdx;
use crate::notation::{number, verb};
use crate::state::{Draft, Mission, Order, Verb};

/// Declares the words of each variant of a type, and implements writing and reading the type as
/// their list. The first variant whose words fit is read.
macro_rules! in_words {
    (@write $word:literal) => { $word.to_owned() };
    (@write $field:ident) => { $field.word() };
    (@read $words:ident $word:literal) => { $words.next().filter(|it| *it == $word)? };
    (@read $words:ident $field:ident) => { let $field = Argument::of($words.next()?)?; };
    ($($type:ident, $expected:literal {
        $($variant:ident $(($($field:ident),+))? = [$($word:tt)*] $(if $fits:expr)?,)+
    })+) => {$(
        impl From<$type> for Vec<String> {
            fn from(value: $type) -> Vec<String> {
                match value {
                    $($type::$variant $(($($field),+))? => {
                        vec![$(in_words!(@write $word)),*]
                    })+
                }
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
                let all = Vec::<String>::read(node, faults)?;
                let found = None$(.or_else(|| {
                    let mut words = all.iter();
                    $(in_words!(@read words $word);)*
                    let fits = words.next().is_none() $(&& $fits)?;
                    fits.then_some($type::$variant $(($($field),+))?)
                }))+;
                found.or_else(|| node.refuse("unknown_value", $expected, faults))
            }
        }
    )+};
}

in_words! {
    Mission, "a mission in words" {
        None = ["none"],
        Invade(on) = ["invade" on],
        Load = ["load"],
        Unload(on) = ["unload" on],
    }
    Order, "an order in words" {
        Move(to) = ["move" to],
        Invade(to, on) = ["invade" to on],
        Load(to) = ["load" to],
        Unload(to, on) = ["unload" to on],
        Transfer(from, to) = ["transfer" from to],
        Split = ["split"],
        Merge(into) = ["merge" into],
        Receive = ["receive"],
    }
    Draft, "the beginning of an order in words" {
        Idle = [],
        Fleet(rank) = [rank],
        Verb(rank, verb) = [rank verb],
        From(rank, from) = [rank "transfer" from],
        Target(rank, verb, to) = [rank verb to] if matches!(verb, Verb::Invade | Verb::Unload),
    }
}

/// An argument of an order, as one word.
trait Argument: Sized {
    fn word(&self) -> String;
    fn of(word: &str) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Argument for $type {
            fn word(&self) -> String {
                self.to_string()
            }

            fn of(word: &str) -> Option<$type> {
                number(word)?.try_into().ok()
            }
        }
    )+};
}

numbers!(u8, u16);

/// A body, or any body.
impl Argument for Option<u8> {
    fn word(&self) -> String {
        self.map_or("any".to_owned(), |body| body.word())
    }

    fn of(word: &str) -> Option<Option<u8>> {
        match word {
            "any" => Some(None),
            body => u8::of(body).map(Some),
        }
    }
}

impl Argument for SystemIdx {
    fn word(&self) -> String {
        self.0.word()
    }

    fn of(word: &str) -> Option<SystemIdx> {
        number(word).map(SystemIdx)
    }
}

impl Argument for Verb {
    fn word(&self) -> String {
        self.name().to_owned()
    }

    fn of(word: &str) -> Option<Verb> {
        verb(word)
    }
}
