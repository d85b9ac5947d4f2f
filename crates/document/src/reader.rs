//! Generates the reader of a type.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, FieldsNamed, Ident, Result, Type};

use crate::attributes::{Bounds, Case, Container, Member};
use crate::names::{is_plain, names};

pub(crate) fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let container = Container::read(&input.attrs)?;
    if let Some(from) = &container.from {
        if container.object {
            let from = quote! { <#from as ::kernel::doc::Object> };
            let body = quote! { #from::read_beside(node, others, faults).map(Self::from) };
            return Ok(implement_object(input, &quote! { #from::keys() }, &body));
        }
        let read = quote! { <#from as ::kernel::doc::Document>::read(node, faults) };
        return Ok(implement_document(input, &quote! { #read.map(Self::from) }));
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => object(input, &container, fields),
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 && container.transparent => {
                let read = reader(&fields.unnamed[0], &quote! { node })?;
                let document = implement_document(input, &quote! { Some(Self(#read?)) });
                let stand_in = implement_stand_in(input, &fields.unnamed[0].ty);
                Ok(quote! { #document #stand_in })
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
            (Some(tag), None) => tagged(input, tag, &container, data),
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

/// A newtype stands in for its content.
fn implement_stand_in(input: &DeriveInput, content: &Type) -> TokenStream {
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics ::kernel::doc::StandIn<#content> for #ident #arguments #bounds {
            fn value(self) -> #content {
                self.0
            }
        }
    }
}

fn implement_object(input: &DeriveInput, keys: &TokenStream, body: &TokenStream) -> TokenStream {
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
            fn keys() -> Vec<&'static str> {
                #keys
            }

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
fn object(input: &DeriveInput, container: &Container, fields: &FieldsNamed) -> Result<TokenStream> {
    let parts = Parts::of(fields, container.rename_all, container.default)?;
    let (names, locals, reads) = (&parts.names, &parts.locals, &parts.reads);
    let standard = container.default.then(|| {
        quote! { let standard = <Self as ::core::default::Default>::default(); }
    });
    let check = container.check.as_ref();
    let check = check.map(|check| quote! { #check(&value, node, faults); });
    let only = parts.only_fields(None);
    let body = quote! {
        #only
        #standard
        #(let #locals = #reads;)*
        let value = Self { #(#names: #locals?),* };
        #check
        Some(value)
    };
    Ok(implement_object(input, &parts.all_keys(), &body))
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
            let read = Parts::of(fields, case, false)?.read_variant(ident, None);
            Ok(quote! { let others: &[&str] = &[]; #read })
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
fn tagged(
    input: &DeriveInput,
    tag: &str,
    container: &Container,
    data: &DataEnum,
) -> Result<TokenStream> {
    let names = names(container, data)?;
    let case = container.rename_all_fields;
    let arms = arms(data, |variant| variant_reader(tag, case, variant))?;
    let keys: Vec<TokenStream> = data
        .variants
        .iter()
        .map(|variant| variant_keys(case, variant))
        .collect::<Result<_>>()?;
    let keys = quote! { [vec![#tag], #(#keys),*].concat() };
    let body = quote! {
        match node.field(#tag).one_of(&[#(#names),*], faults)? {
            #(#arms)*
            _ => None,
        }
    };
    Ok(implement_object(input, &keys, &body))
}

fn variant_keys(case: Case, variant: &syn::Variant) -> Result<TokenStream> {
    Ok(match &variant.fields {
        Fields::Named(fields) => Parts::of(fields, case, false)?.all_keys(),
        Fields::Unnamed(fields) => {
            let types = fields.unnamed.iter().map(|it| &it.ty);
            quote! { [#(<#types as ::kernel::doc::Object>::keys()),*].concat() }
        }
        Fields::Unit => quote! { Vec::new() },
    })
}

fn variant_reader(tag: &str, case: Case, variant: &syn::Variant) -> Result<TokenStream> {
    let ident = &variant.ident;
    match &variant.fields {
        Fields::Unit => Ok(quote! {
            node.only_fields_beside(&[#tag], others, faults);
            Some(Self::#ident)
        }),
        Fields::Named(fields) => Ok(Parts::of(fields, case, false)?.read_variant(ident, Some(tag))),
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
    /// The types of fields whose own fields are mixed with the others.
    flat: Vec<Type>,
}

impl Parts {
    /// If `has_standard`, a value `standard` holds the defaults of omitted fields.
    fn of(fields: &FieldsNamed, case: Case, has_standard: bool) -> Result<Parts> {
        let mut parts = Parts::default();
        for field in &fields.named {
            let Some(name) = &field.ident else { continue };
            let member = Member::read(&field.attrs)?;
            parts.names.push(name.clone());
            parts.locals.push(format_ident!("field_{}", name));
            if member.flatten {
                let object = &field.ty;
                parts.reads.push(quote! {{
                    let own = <#object as ::kernel::doc::Object>::keys();
                    let beside = all.iter().copied().filter(|key| !own.contains(key));
                    let beside: Vec<&str> = beside.collect();
                    <#object as ::kernel::doc::Object>::read_beside(node, &beside, faults)
                }});
                parts.flat.push(field.ty.clone());
                continue;
            }
            let by_rule = || case.of_field(&name.to_string());
            let key = member.rename.clone().unwrap_or_else(by_rule);
            let read = reader(field, &quote! { (&node.field(#key)) })?;
            let left_out = match (has_standard, member.default) {
                (true, _) => Some(quote! { standard.#name.clone() }),
                (false, Some(default)) => Some(quote! { #default() }),
                (false, None) if member.may_be_omitted => Some(quote! { None }),
                (false, None) => None,
            };
            parts.reads.push(match left_out {
                Some(value) => quote! {
                    if node.field(#key).exists() { #read } else { Some(#value) }
                },
                None => read,
            });
            parts.keys.push(key);
        }
        Ok(parts)
    }

    /// An expression for the keys, including those of flattened fields.
    fn all_keys(&self) -> TokenStream {
        let (keys, flat) = (&self.keys, &self.flat);
        quote! {
            [vec![#(#keys),*], #(<#flat as ::kernel::doc::Object>::keys()),*].concat()
        }
    }

    /// Refuses other fields. Afterwards `all` holds every key that may appear, if there are
    /// flattened fields.
    fn only_fields(&self, tag: Option<&str>) -> TokenStream {
        let (keys, tag) = (&self.keys, tag.into_iter());
        if self.flat.is_empty() {
            return quote! {
                node.only_fields_beside(&[#(#tag,)* #(#keys),*], others, faults);
            };
        }
        let all = self.all_keys();
        quote! {
            let keys: Vec<&str> = [vec![#(#tag),*], #all].concat();
            node.only_fields_beside(&keys, others, faults);
            let all = [&keys, others].concat();
        }
    }

    fn read_variant(&self, ident: &Ident, tag: Option<&str>) -> TokenStream {
        let (names, locals, reads) = (&self.names, &self.locals, &self.reads);
        let only = self.only_fields(tag);
        quote! {
            #only
            #(let #locals = #reads;)*
            Some(Self::#ident { #(#names: #locals?),* })
        }
    }
}

/// An expression that reads the field at `place`.
fn reader(field: &Field, place: &TokenStream) -> Result<TokenStream> {
    let member = Member::read(&field.attrs)?;
    if let Some(read) = &member.read_with {
        return Ok(quote! { #read(#place, faults) });
    }
    let ty = member.with.as_ref().unwrap_or(&field.ty);
    let or = |bound: &Option<syn::Expr>, otherwise: TokenStream| match bound {
        Some(bound) => quote! { (#bound) as _ },
        None => otherwise,
    };
    let read = if let Some(Bounds { min, max }) = &member.range {
        let ranged = quote! { <#ty as ::kernel::doc::Ranged> };
        let min = or(min, quote! { #ranged::LEAST });
        let max = or(max, quote! { #ranged::MOST });
        quote! { #ranged::read_within(#place, #min..=#max, faults) }
    } else if let Some(Bounds { min, max }) = &member.length {
        let (min, max) = (or(min, quote! { 0 }), or(max, quote! { usize::MAX }));
        quote! { <#ty as ::kernel::doc::Counted>::read_counted(#place, #min..=#max, faults) }
    } else if member.with.is_none() && member.may_be_omitted && member.default.is_none() {
        quote! { ::kernel::doc::given(#place, faults) }
    } else {
        quote! { <#ty as ::kernel::doc::Document>::read(#place, faults) }
    };
    Ok(match member.with {
        Some(_) => quote! { #read.map(::kernel::doc::StandIn::value) },
        None => read,
    })
}
