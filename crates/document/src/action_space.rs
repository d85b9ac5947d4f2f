//! Generates the ids and the words of an enum of actions.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, ExprLit, Field, Fields, Ident, Lit, LitStr, Meta,
    Result, Variant,
};

use crate::attributes::{Bounds, Case};
use crate::word::Word;

pub(crate) fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(
            input,
            "an action space can be derived only for an enum",
        ));
    };
    let actions: Vec<Action<'_>> = data
        .variants
        .iter()
        .map(Action::read)
        .collect::<Result<_>>()?;
    let ident = &input.ident;
    let counts: Vec<TokenStream> = actions.iter().map(Action::count).collect();
    let ids = actions
        .iter()
        .enumerate()
        .map(|(idx, it)| it.id(&counts[..idx]));
    let with_ids = actions.iter().zip(&counts).map(|(it, n)| it.with_id(n));
    let texts = actions.iter().map(Action::text);
    let labels = actions.iter().map(Action::label_arm);
    let groups = actions.iter().map(Action::group_arm);
    let forms = actions
        .iter()
        .enumerate()
        .map(|(idx, it)| it.form(&counts[..idx]));
    Ok(quote! {
        #[automatically_derived]
        #[allow(clippy::unnecessary_cast, clippy::identity_op, clippy::modulo_one)]
        impl ::kernel::rules::ActionSpace for #ident {
            const N: usize = 0 #(+ #counts)*;

            fn id(self) -> usize {
                match self { #(#ids)* }
            }

            fn with_id(id: usize) -> Option<Self> {
                let rest = id;
                #(#with_ids)*
                let _ = rest;
                None
            }

            fn label(self) -> String {
                match self { #(#labels)* }
            }

            fn group(self) -> Option<&'static str> {
                match self { #(#groups)* }
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Display for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match *self { #(#texts)* }
            }
        }

        #[automatically_derived]
        impl ::core::str::FromStr for #ident {
            type Err = ::kernel::words::NotAWord;

            fn from_str(text: &str) -> Result<Self, ::kernel::words::NotAWord> {
                ::kernel::rules::read_word(text)
            }
        }

        #[automatically_derived]
        impl ::kernel::words::Vocabulary for #ident {
            fn forms() -> Vec<::kernel::words::WordForm> {
                vec![#(#forms),*]
            }
        }
    })
}

/// A variant: a kind of action.
struct Action<'a> {
    ident: &'a Ident,
    parts: Vec<Part<'a>>,
    /// The word, with the names of fields in braces.
    word: LitStr,
    label: Option<Expr>,
    group: Option<LitStr>,
    about: String,
}

/// A field of an action.
struct Part<'a> {
    ident: &'a Ident,
    field: &'a Field,
    /// The range of a number; `None` for an enum with names.
    range: Option<(Expr, Expr)>,
}

impl<'a> Action<'a> {
    fn read(variant: &'a Variant) -> Result<Action<'a>> {
        let ident = &variant.ident;
        let fields: Vec<&Field> = match &variant.fields {
            Fields::Unit => Vec::new(),
            Fields::Named(fields) => fields.named.iter().collect(),
            Fields::Unnamed(_) => {
                return Err(Error::new_spanned(variant, "give the fields names"));
            }
        };
        let plain = || LitStr::new(&Case::Kebab.of_variant(&ident.to_string()), ident.span());
        let Word { text, label, group } = Word::read(&variant.attrs)?;
        let word = match text {
            Some(word) => word,
            None if fields.is_empty() => plain(),
            None => {
                let message = "say how the action is written, as in #[word(\"move:{from}-{to}\")]";
                return Err(Error::new_spanned(variant, message));
            }
        };
        let about = docs(&variant.attrs);
        if about.is_empty() {
            let message = "describe the action in a doc comment: the protocol's schema shows it";
            return Err(Error::new_spanned(variant, message));
        }
        let parts: Vec<Part<'a>> = fields.into_iter().map(Part::read).collect::<Result<_>>()?;
        Ok(Action {
            ident,
            parts,
            word,
            label,
            group,
            about,
        })
    }

    /// The number of actions of this kind.
    fn count(&self) -> TokenStream {
        let counts = self.parts.iter().map(Part::count);
        quote! { (1 #(* #counts)*) }
    }

    fn pattern(&self) -> TokenStream {
        let (ident, names) = (self.ident, self.parts.iter().map(|part| part.ident));
        match self.parts.is_empty() {
            true => quote! { Self::#ident },
            false => quote! { Self::#ident { #(#names),* } },
        }
    }

    /// A match arm with the id. Fields count like digits, the last one fastest.
    fn id(&self, before: &[TokenStream]) -> TokenStream {
        let pattern = self.pattern();
        let digits = self.parts.iter().map(|part| (part.count(), part.idx_of()));
        let id = digits.fold(quote! { 0 }, |id, (n, idx)| quote! { (#id * #n + #idx) });
        quote! { #pattern => 0 #(+ #before)* + #id, }
    }

    /// Returns the action if `rest` is one of its ids, else takes their number from `rest`.
    fn with_id(&self, count: &TokenStream) -> TokenStream {
        let ident = self.ident;
        let digits = self.parts.iter().rev().map(|part| {
            let (name, n, value) = (part.ident, part.count(), part.value_at());
            quote! {
                let idx = rest % #n;
                let rest = rest / #n;
                let #name = #value;
            }
        });
        let names = self.parts.iter().map(|part| part.ident);
        let made = match self.parts.is_empty() {
            true => quote! { Self::#ident },
            false => quote! { Self::#ident { #(#names),* } },
        };
        quote! {
            if rest < #count {
                #(#digits)*
                let _ = rest;
                return Some(#made);
            }
            let rest = rest - #count;
        }
    }

    fn text(&self) -> TokenStream {
        let (pattern, word, names) = (self.pattern(), &self.word, self.names());
        quote! {
            #pattern => {
                #names
                write!(f, #word)
            }
        }
    }

    /// Statements that replace each enum among the fields by its name.
    fn names(&self) -> TokenStream {
        let named = self.parts.iter().filter(|part| part.range.is_none());
        let named = named.map(|part| part.ident);
        quote! { #(let #named = ::kernel::doc::Named::name(&#named);)* }
    }

    /// A match arm with the label: the word, unless the author gave another one.
    fn label_arm(&self) -> TokenStream {
        let (pattern, ident) = (self.pattern(), self.ident);
        let label = match &self.label {
            None => return quote! { Self::#ident { .. } => self.to_string(), },
            Some(Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            })) => {
                let names = self.names();
                quote! { #names format!(#text) }
            }
            Some(label) => quote! { String::from(#label) },
        };
        quote! {
            #[allow(unused_variables)]
            #pattern => { #label }
        }
    }

    fn group_arm(&self) -> TokenStream {
        let ident = self.ident;
        let group = match &self.group {
            None => quote! { None },
            Some(group) => quote! { Some(#group) },
        };
        quote! { Self::#ident { .. } => #group, }
    }

    /// The form of the words; its example is the action with the first id.
    fn form(&self, before: &[TokenStream]) -> TokenStream {
        let (pieces, about) = (self.pieces(), &self.about);
        quote! {
            ::kernel::words::WordForm::new(
                [#(#pieces),*].concat(),
                ::kernel::rules::word_of::<Self>(0 #(+ #before)*),
                #about,
            )
        }
    }

    /// The parts of the regular expression, each an expression for a string.
    fn pieces(&self) -> Vec<TokenStream> {
        let word = self.word.value();
        let mut pieces = Vec::new();
        let mut rest = word.as_str();
        while let Some((fixed, after)) = rest.split_once('{') {
            let (name, next) = after.split_once('}').unwrap_or((after, ""));
            let fixed = escaped(fixed);
            pieces.push(quote! { String::from(#fixed) });
            let part = self.parts.iter().find(|part| part.ident == name);
            pieces.extend(part.map(Part::expression));
            rest = next;
        }
        let fixed = escaped(rest);
        pieces.push(quote! { String::from(#fixed) });
        pieces
    }
}

impl<'a> Part<'a> {
    fn read(field: &'a Field) -> Result<Part<'a>> {
        let Some(ident) = &field.ident else {
            return Err(Error::new_spanned(field, "give the field a name"));
        };
        let attribute = field.attrs.iter().find(|it| it.path().is_ident("word"));
        let range = match attribute {
            None => None,
            Some(attribute) => match Bounds::read(&attribute.meta)? {
                Bounds {
                    min: Some(min),
                    max: Some(max),
                } => Some((min, max)),
                _ => return Err(Error::new_spanned(attribute, "expected min and max")),
            },
        };
        Ok(Part {
            ident,
            field,
            range,
        })
    }

    fn count(&self) -> TokenStream {
        let ty = &self.field.ty;
        match &self.range {
            Some((min, max)) => quote! { ((#max) as usize - (#min) as usize + 1) },
            None => quote! { <#ty as ::kernel::doc::Listed>::LIST.len() },
        }
    }

    fn idx_of(&self) -> TokenStream {
        let name = self.ident;
        match &self.range {
            Some((min, _)) => quote! { (#name as usize).wrapping_sub((#min) as usize) },
            None => quote! { #name as usize },
        }
    }

    fn value_at(&self) -> TokenStream {
        let ty = &self.field.ty;
        match &self.range {
            Some((min, _)) => quote! { ((#min) as usize + idx) as #ty },
            None => quote! { <#ty as ::kernel::doc::Listed>::LIST[idx] },
        }
    }

    /// A regular expression for the texts of this field.
    fn expression(&self) -> TokenStream {
        let ty = &self.field.ty;
        match &self.range {
            Some((min, max)) => quote! {
                ::kernel::words::numbers_in((#min) as u32, (#max) as u32)
            },
            None => quote! {
                ::kernel::words::one_of(<#ty as ::kernel::doc::Named>::NAMES)
            },
        }
    }
}

/// The doc comment as one line.
fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(it) if it.path.is_ident("doc") => match &it.value {
                Expr::Lit(lit) => match &lit.lit {
                    Lit::Str(text) => Some(text.value().trim().to_owned()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
    lines.collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// A text that a regular expression matches literally.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' | '^' | ']' => escaped.extend(['\\', letter]),
            _ if letter.is_alphanumeric() || "-_:, ".contains(letter) => escaped.push(letter),
            _ => escaped.extend(['[', letter, ']']),
        }
    }
    escaped
}
