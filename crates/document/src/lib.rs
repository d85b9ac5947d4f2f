//! Derive macros for documents, each described once by its Rust type.
//!
//! `Serialize` (serde) writes a document. `JsonSchema` (schemars) generates its schema, from which
//! the TypeScript types and the tables of the docs are generated. [`macro@Document`] reads it and
//! reports every fault at once. All three follow the same attributes:
//! `#[serde(rename, rename_all, rename_all_fields, tag, content, default, from, transparent)]` and
//! `#[schemars(range(…), length(…))]`.

mod attributes;
mod names;
mod reader;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Implements `kernel::doc::Document`: a reader that reports every fault with its place.
///
/// - A struct is an object with exactly its fields. With `#[serde(default)]` on the struct or on a
///   field, an omitted field takes its default; with `#[serde(default = "…")]` it takes the result
///   of that function. An `Option` is null or its value.
/// - schemars' `range` restricts a number, and `length` a list.
/// - A type with parameters declares their bounds itself.
/// - An enum without fields is one of its names. An enum with `#[serde(tag = "…")]` is an object
///   distinguished by that field; with `content` too, the fields of a variant are in a separate
///   field, and the enum implements `kernel::doc::Variants`. Any other enum is the name of a
///   variant without fields, or an object with the name of a variant as its only key.
/// - With `#[serde(from = "…")]`, a value of that type is read and converted.
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

type Implement = fn(&DeriveInput) -> syn::Result<proc_macro2::TokenStream>;

#[expect(
    clippy::needless_pass_by_value,
    reason = "`parse_macro_input!` returns an owned value"
)]
fn expand(input: DeriveInput, implement: Implement) -> TokenStream {
    let tokens = implement(&input);
    tokens.unwrap_or_else(syn::Error::into_compile_error).into()
}
