//! The names of an enum's variants.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Result};

use crate::attributes::{Container, Member};

pub(crate) fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(
            input,
            "names can be derived only for an enum",
        ));
    };
    let names = names(&Container::read(&input.attrs)?, data)?;
    let (ident, visibility, n) = (&input.ident, &input.vis, names.len());
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let variants: Vec<_> = data.variants.iter().map(|it| &it.ident).collect();
    let own = is_plain(data).then(|| {
        quote! {
            #[automatically_derived]
            impl #ident {
                /// Every value, in the order of declaration.
                #visibility const ALL: [#ident; #n] = [#(#ident::#variants),*];

                /// The names, in the order of [`ALL`](Self::ALL).
                #visibility const NAMES: [&'static str; #n] = [#(#names),*];

                /// The stable name, as documents write it.
                #visibility const fn name(self) -> &'static str {
                    #ident::NAMES[self as usize]
                }
            }

            #[automatically_derived]
            impl ::kernel::doc::Listed for #ident {
                const LIST: &'static [#ident] = &#ident::ALL;
            }
        }
    });
    let arms = variants
        .iter()
        .zip(&names)
        .map(|(variant, name)| quote! { #ident::#variant { .. } => #name, });
    Ok(quote! {
        #own

        #[automatically_derived]
        impl #generics ::kernel::doc::Named for #ident #arguments #bounds {
            const NAMES: &'static [&'static str] = &[#(#names),*];

            fn name(&self) -> &'static str {
                match self { #(#arms)* }
            }
        }
    })
}

/// The names of all variants, as documents write them.
pub(crate) fn names(container: &Container, data: &DataEnum) -> Result<Vec<String>> {
    let name = |variant: &syn::Variant| {
        let renamed = Member::read(&variant.attrs)?.rename;
        let by_rule = || container.rename_all.of_variant(&variant.ident.to_string());
        Ok(renamed.unwrap_or_else(by_rule))
    };
    data.variants.iter().map(name).collect()
}

/// True if no variant has fields.
pub(crate) fn is_plain(data: &DataEnum) -> bool {
    data.variants
        .iter()
        .all(|it| matches!(it.fields, Fields::Unit))
}
