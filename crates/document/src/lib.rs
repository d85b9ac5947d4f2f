//! Derive macros for documents, each described once by its Rust type.
//!
//! `Serialize` (serde) writes a document. `JsonSchema` (schemars) generates its schema, from which
//! the TypeScript types and the tables of the docs are generated. [`macro@Document`] reads it and
//! reports every fault at once. All three follow the same attributes:
//! `#[serde(rename, rename_all, rename_all_fields, tag, content, default, flatten, from, transparent,
//! with)]` and `#[schemars(range(…), length(…), with)]`.

mod action_space;
mod attributes;
mod names;
mod reader;
mod word;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Implements `kernel::doc::Document`: a reader that reports every fault with its place.
///
/// - A struct is an object with exactly its fields. With `#[serde(default)]` on the struct or on a
///   field, an omitted field takes its default; with `#[serde(default = "…")]` it takes the result
///   of that function. An `Option` is null or its value.
/// - schemars' `range` restricts a number, and `length` a list.
/// - A type with parameters declares their bounds itself.
/// - An `Option` with `skip_serializing_if = "Option::is_none"` and no default may be omitted but
///   must not be null.
/// - With `#[serde(flatten)]`, the fields of the field's type, a `kernel::doc::Object`, are mixed
///   with the others.
/// - With `#[schemars(with = "T")]` or `#[serde(with = "T")]`, a `T` is read and replaced by its
///   `kernel::doc::StandIn::value`. A newtype with `#[serde(transparent)]` stands in for its content.
/// - An enum without fields is one of its names. An enum with `#[serde(tag = "…")]` is an object
///   distinguished by that field; with `content` too, the fields of a variant are in a separate
///   field, and the enum implements `kernel::doc::Variants`. Any other enum is the name of a
///   variant without fields, or an object with the name of a variant as its only key.
/// - With `#[serde(from = "…")]`, a value of that type is read and converted; `#[document(object)]`
///   says that it is a `kernel::doc::Object`.
/// - `#[document(check = path)]` names a `fn(&Self, &Node<'_>, &mut Faults)` that looks for
///   contradictions once all fields have been read.
#[proc_macro_derive(Document, attributes(document, serde, schemars))]
pub fn derive_document(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), reader::implement)
}

/// Implements `kernel::doc::Named`: the closed list of an enum's names as documents write them. An
/// enum without fields also gets the constants `ALL` and `NAMES` and the method `name`, and
/// implements `kernel::doc::Listed`.
#[proc_macro_derive(Names, attributes(serde))]
pub fn derive_names(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), names::implement)
}

/// Implements `kernel::rules::ActionSpace` for an enum: the ids of its actions, and their words.
///
/// - A variant without fields is written as its name in kebab case, unless `#[word("…")]` says
///   otherwise. A variant with named fields has a `#[word("…")]` with their names in braces:
///   `#[word("move:{from}-{to}")]`.
/// - A number has a range, `#[word(min = 1, max = 6)]`. Any other field is an enum that derives
///   [`macro@Names`].
/// - `#[word(label = "Go north", group = "Moves")]` sets the text for people, which is otherwise the
///   word, and the heading under which pages list the action. A label can name fields in braces, or
///   be an expression with them: `label = in_words(from, to)`.
/// - The doc comment of a variant describes it in the protocol's schema.
///
/// Ids follow the order of the variants, and within a variant the order of the fields' values, the
/// last field fastest.
#[proc_macro_derive(ActionSpace, attributes(word))]
pub fn derive_action_space(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(input, action_space::implement)
}

type Implement = fn(&DeriveInput) -> syn::Result<proc_macro2::TokenStream>;

#[expect(
    clippy::needless_pass_by_value,
    reason = "`parse_macro_input!` returns an owned value"
)]
fn expand(input: DeriveInput, implement: Implement) -> TokenStream {
    let tokens = implement(&input);
    tokens.unwrap_or_else(syn::Error::into_compile_error).into()
}
