//! Generates the reader of a type.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, FieldsNamed, Ident, Result};

use crate::attributes::{Bounds, Case, Container, Member};
use crate::names::{is_plain, names};

pub(crate) fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let container = Container::read(&input.attrs)?;
    if let Some(from) = &container.from {
        let read = quote! { <#from as ::kernel::doc::Document>::read(node, faults) };
        return Ok(implement_document(input, &quote! { #read.map(Self::from) }));
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Ok(implement_object(input, &object(&container, fields)?)),
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 && container.transparent => {
                let read = reader(&fields.unnamed[0], &quote! { node })?;
                Ok(implement_document(input, &quote! { Some(Self(#read?)) }))
            }
            _ => Err(Error::new_spanned(
                input,
                "expected named fields, or one field and #[serde(transparent)]",
            )),
        },
        Data::Enum(data) if is_plain(data) => {
            Ok(implement_document(input, &one_of(&container, data)?))
        }
        Data::Enum(data) => match (&container.tag, &container.content) {
            (Some(tag), None) => Ok(implement_object(input, &tagged(tag, &container, data)?)),
            (Some(tag), Some(content)) => implement_beside(input, &container, data, tag, content),
            (None, _) => Ok(implement_document(input, &keyed(&container, data)?)),
        },
        Data::Union(_) => Err(Error::new_spanned(input, "a union cannot be a document")),
    }
}

fn implement_document(input: &DeriveInput, body: &TokenStream) -> TokenStream {
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics ::kernel::doc::Document for #ident #arguments #bounds {
            fn read(
                node: &::kernel::doc::Node<'_>,
                faults: &mut ::kernel::doc::Faults,
            ) -> Option<Self> {
                #body
            }
        }
    }
}

fn implement_object(input: &DeriveInput, body: &TokenStream) -> TokenStream {
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let document = implement_document(
        input,
        &quote! { <Self as ::kernel::doc::Object>::read_beside(node, &[], faults) },
    );
    quote! {
        #document

        #[automatically_derived]
        impl #generics ::kernel::doc::Object for #ident #arguments #bounds {
            #[allow(clippy::unnecessary_cast, clippy::clone_on_copy)]
            fn read_beside(
                node: &::kernel::doc::Node<'_>,
                others: &[&str],
                faults: &mut ::kernel::doc::Faults,
            ) -> Option<Self> {
                #body
            }
        }
    }
}

/// Reads an object with exactly these fields.
fn object(container: &Container, fields: &FieldsNamed) -> Result<TokenStream> {
    let Parts {
        keys,
        names,
        locals,
        reads,
    } = Parts::of(fields, container.rename_all, container.default)?;
    let standard = container.default.then(|| {
        quote! { let standard = <Self as ::core::default::Default>::default(); }
    });
    let check = container.check.as_ref();
    let check = check.map(|check| quote! { #check(&value, node, faults); });
    Ok(quote! {
        node.only_fields_beside(&[#(#keys),*], others, faults);
        #standard
        #(let #locals = #reads;)*
        let value = Self { #(#names: #locals?),* };
        #check
        Some(value)
    })
}

/// Reads one of an enum's names.
fn one_of(container: &Container, data: &DataEnum) -> Result<TokenStream> {
    let names = names(container, data)?;
    let variants = data.variants.iter().map(|it| &it.ident);
    Ok(quote! {
        let idx = node.one_of(&[#(#names),*], faults)?;
        [#(Self::#variants),*].into_iter().nth(idx)
    })
}

/// Reads the name of a variant without fields, or an object whose only key is the name of a variant
/// and whose value is its content.
fn keyed(container: &Container, data: &DataEnum) -> Result<TokenStream> {
    let names = names(container, data)?;
    let (mut bare, mut bare_names, mut arms, mut keys) = (vec![], vec![], vec![], vec![]);
    for (variant, name) in data.variants.iter().zip(names) {
        let ident = &variant.ident;
        if let Fields::Unit = variant.fields {
            bare.push(quote! { Self::#ident });
            bare_names.push(name);
        } else {
            let (idx, body) = (
                keys.len(),
                content_reader(container.rename_all_fields, variant)?,
            );
            arms.push(quote! { #idx => { let node = &node.field(#name); #body } });
            keys.push(name);
        }
    }
    Ok(quote! {
        match node.name_or_key(&[#(#bare_names),*], &[#(#keys),*], faults)? {
            ::kernel::doc::Choice::Name(idx) => [#(#bare),*].into_iter().nth(idx),
            ::kernel::doc::Choice::Key(idx) => match idx {
                #(#arms)*
                _ => None,
            },
        }
    })
}

/// Reads an object with the name of a variant in one field and its content in another.
fn implement_beside(
    input: &DeriveInput,
    container: &Container,
    data: &DataEnum,
    tag: &str,
    content: &str,
) -> Result<TokenStream> {
    let names = names(container, data)?;
    let case = container.rename_all_fields;
    let arms = arms(data, |variant| content_reader(case, variant))?;
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let document = implement_document(
        input,
        &quote! {
            node.only_fields(&[#tag, #content], faults);
            let idx = node.field(#tag).one_of(&[#(#names),*], faults)?;
            <Self as ::kernel::doc::Variants>::read_variant(idx, &node.field(#content), faults)
        },
    );
    Ok(quote! {
        #document

        #[automatically_derived]
        impl #generics ::kernel::doc::Variants for #ident #arguments #bounds {
            const CONTENT: &'static str = #content;

            fn read_variant(
                idx: usize,
                node: &::kernel::doc::Node<'_>,
                faults: &mut ::kernel::doc::Faults,
            ) -> Option<Self> {
                match idx {
                    #(#arms)*
                    _ => None,
                }
            }
        }
    })
}

/// Generates a match arm for each variant, by its index.
fn arms(
    data: &DataEnum,
    read: impl Fn(&syn::Variant) -> Result<TokenStream>,
) -> Result<Vec<TokenStream>> {
    let arm = |(idx, variant)| read(variant).map(|body| quote! { #idx => { #body } });
    data.variants.iter().enumerate().map(arm).collect()
}

/// Reads the content of a variant from its separate place.
fn content_reader(case: Case, variant: &syn::Variant) -> Result<TokenStream> {
    let ident = &variant.ident;
    match &variant.fields {
        Fields::Named(fields) => {
            let Parts {
                keys,
                names,
                locals,
                reads,
            } = Parts::of(fields, case, false)?;
            Ok(quote! {
                node.only_fields(&[#(#keys),*], faults);
                #(let #locals = #reads;)*
                Some(Self::#ident { #(#names: #locals?),* })
            })
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let read = reader(&fields.unnamed[0], &quote! { node })?;
            Ok(quote! { #read.map(Self::#ident) })
        }
        _ => Err(Error::new_spanned(
            variant,
            "expected named fields, possibly none, or one unnamed field",
        )),
    }
}

/// Reads an object distinguished by its tag.
fn tagged(tag: &str, container: &Container, data: &DataEnum) -> Result<TokenStream> {
    let names = names(container, data)?;
    let case = container.rename_all_fields;
    let arms = arms(data, |variant| variant_reader(tag, case, variant))?;
    Ok(quote! {
        match node.field(#tag).one_of(&[#(#names),*], faults)? {
            #(#arms)*
            _ => None,
        }
    })
}

fn variant_reader(tag: &str, case: Case, variant: &syn::Variant) -> Result<TokenStream> {
    let ident = &variant.ident;
    match &variant.fields {
        Fields::Unit => Ok(quote! {
            node.only_fields_beside(&[#tag], others, faults);
            Some(Self::#ident)
        }),
        Fields::Named(fields) => {
            let Parts {
                keys,
                names,
                locals,
                reads,
            } = Parts::of(fields, case, false)?;
            Ok(quote! {
                node.only_fields_beside(&[#tag, #(#keys),*], others, faults);
                #(let #locals = #reads;)*
                Some(Self::#ident { #(#names: #locals?),* })
            })
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Ok(quote! {
            ::kernel::doc::Object::read_beside(node, &[others, &[#tag]].concat(), faults)
                .map(Self::#ident)
        }),
        Fields::Unnamed(_) => Err(Error::new_spanned(variant, "expected named fields")),
    }
}

/// The fields of an object: keys, Rust names, local variables and readers.
#[derive(Default)]
struct Parts {
    keys: Vec<String>,
    names: Vec<Ident>,
    locals: Vec<Ident>,
    reads: Vec<TokenStream>,
}

impl Parts {
    /// If `has_standard`, a value `standard` holds the defaults of omitted fields.
    fn of(fields: &FieldsNamed, case: Case, has_standard: bool) -> Result<Parts> {
        let mut parts = Parts::default();
        for field in &fields.named {
            let Some(name) = &field.ident else { continue };
            let member = Member::read(&field.attrs)?;
            let by_rule = || case.of_field(&name.to_string());
            let key = member.rename.clone().unwrap_or_else(by_rule);
            let read = reader(field, &quote! { (&node.field(#key)) })?;
            let left_out = match (has_standard, member.default) {
                (true, _) => Some(quote! { standard.#name.clone() }),
                (false, Some(default)) => Some(quote! { #default() }),
                (false, None) => None,
            };
            parts.reads.push(match left_out {
                Some(value) => quote! {
                    if node.field(#key).exists() { #read } else { Some(#value) }
                },
                None => read,
            });
            parts.locals.push(format_ident!("field_{}", name));
            parts.names.push(name.clone());
            parts.keys.push(key);
        }
        Ok(parts)
    }
}

/// An expression that reads the field at `place`.
fn reader(field: &Field, place: &TokenStream) -> Result<TokenStream> {
    let member = Member::read(&field.attrs)?;
    let ty = &field.ty;
    let or = |bound: &Option<syn::Expr>, otherwise: TokenStream| match bound {
        Some(bound) => quote! { (#bound) as _ },
        None => otherwise,
    };
    Ok(match member {
        Member {
            read_with: Some(read),
            ..
        } => quote! { #read(#place, faults) },
        Member {
            range: Some(Bounds { min, max }),
            ..
        } => {
            let ranged = quote! { <#ty as ::kernel::doc::Ranged> };
            let (min, max) = (
                or(&min, quote! { #ranged::LEAST }),
                or(&max, quote! { #ranged::MOST }),
            );
            quote! { #ranged::read_within(#place, #min..=#max, faults) }
        }
        Member {
            length: Some(Bounds { min, max }),
            ..
        } => {
            let (min, max) = (or(&min, quote! { 0 }), or(&max, quote! { usize::MAX }));
            quote! { <#ty as ::kernel::doc::Counted>::read_counted(#place, #min..=#max, faults) }
        }
        _ => quote! { <#ty as ::kernel::doc::Document>::read(#place, faults) },
    })
}
