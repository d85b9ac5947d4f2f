//! The attributes that describe a document: those of serde and schemars, and the reader's own.

use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, Lit, Meta, Path, Result, Token, Type, parse_quote};

/// The spelling of an enum's names or a struct's keys.
#[derive(Clone, Copy, Default)]
pub(crate) enum Case {
    #[default]
    AsWritten,
    Lower,
    Upper,
    Snake,
    ScreamingSnake,
    Kebab,
    Camel,
}

/// The attributes of a type.
#[derive(Default)]
pub(crate) struct Container {
    pub(crate) rename_all: Case,
    pub(crate) rename_all_fields: Case,
    pub(crate) tag: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) default: bool,
    pub(crate) transparent: bool,
    pub(crate) check: Option<Path>,
    pub(crate) from: Option<Type>,
    pub(crate) object: bool,
}

/// The attributes of a field or a variant.
#[derive(Default)]
pub(crate) struct Member {
    pub(crate) rename: Option<String>,
    pub(crate) default: Option<Path>,
    pub(crate) range: Option<Bounds>,
    pub(crate) length: Option<Bounds>,
    pub(crate) read_with: Option<Path>,
    pub(crate) with: Option<Type>,
    pub(crate) flatten: bool,
    pub(crate) may_be_omitted: bool,
}

/// The minimum and the maximum, if given.
#[derive(Default)]
pub(crate) struct Bounds {
    pub(crate) min: Option<Expr>,
    pub(crate) max: Option<Expr>,
}

impl Case {
    fn named(name: &str, place: &Expr) -> Result<Case> {
        Ok(match name {
            "lowercase" => Case::Lower,
            "UPPERCASE" => Case::Upper,
            "snake_case" => Case::Snake,
            "SCREAMING_SNAKE_CASE" => Case::ScreamingSnake,
            "kebab-case" => Case::Kebab,
            "camelCase" => Case::Camel,
            _ => {
                return Err(Error::new_spanned(place, "documents do not use this case"));
            }
        })
    }

    /// The document's name for a variant, which Rust writes in Pascal case.
    pub(crate) fn of_variant(self, name: &str) -> String {
        let words = || {
            let mut words = String::new();
            for (idx, letter) in name.char_indices() {
                if letter.is_uppercase() && idx > 0 {
                    words.push('_');
                }
                words.extend(letter.to_lowercase());
            }
            words
        };
        match self {
            Case::AsWritten => name.to_owned(),
            Case::Lower => name.to_lowercase(),
            Case::Upper => name.to_uppercase(),
            Case::Snake => words(),
            Case::ScreamingSnake => words().to_uppercase(),
            Case::Kebab => words().replace('_', "-"),
            Case::Camel => name[..1].to_lowercase() + &name[1..],
        }
    }

    /// The document's key for a field, which Rust writes in snake case.
    pub(crate) fn of_field(self, name: &str) -> String {
        match self {
            Case::AsWritten | Case::Lower | Case::Snake => name.to_owned(),
            Case::Upper | Case::ScreamingSnake => name.to_uppercase(),
            Case::Kebab => name.replace('_', "-"),
            Case::Camel => {
                let mut words = name.split('_');
                let first = words.next().unwrap_or_default().to_owned();
                words.fold(first, |key, word| {
                    let (head, tail) = word.split_at(word.len().min(1));
                    key + &head.to_uppercase() + tail
                })
            }
        }
    }
}

impl Container {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Container> {
        let mut container = Container::default();
        for meta in metas(attributes, &["serde", "document"])? {
            match (name_of(&meta).as_str(), &meta) {
                ("rename_all", Meta::NameValue(it)) => {
                    container.rename_all = Case::named(&text(&it.value)?, &it.value)?;
                }
                ("rename_all_fields", Meta::NameValue(it)) => {
                    container.rename_all_fields = Case::named(&text(&it.value)?, &it.value)?;
                }
                ("tag", Meta::NameValue(it)) => container.tag = Some(text(&it.value)?),
                ("content", Meta::NameValue(it)) => container.content = Some(text(&it.value)?),
                ("from", Meta::NameValue(it)) => {
                    container.from = Some(syn::parse_str(&text(&it.value)?)?);
                }
                ("default", _) => container.default = true,
                ("transparent", _) => container.transparent = true,
                ("object", _) => container.object = true,
                ("check", Meta::NameValue(it)) => container.check = Some(path(&it.value)?),
                ("untagged", _) => {
                    return Err(Error::new_spanned(
                        &meta,
                        "variants must be distinguished by name",
                    ));
                }
                _ => {}
            }
        }
        Ok(container)
    }
}

impl Member {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Member> {
        let mut member = Member::default();
        for meta in metas(attributes, &["serde", "schemars", "document"])? {
            match (name_of(&meta).as_str(), &meta) {
                ("rename", Meta::NameValue(it)) => member.rename = Some(text(&it.value)?),
                ("default", Meta::NameValue(it)) => {
                    member.default = Some(syn::parse_str(&text(&it.value)?)?);
                }
                ("default", _) => {
                    member.default = Some(parse_quote!(::core::default::Default::default));
                }
                ("range", Meta::List(_)) => member.range = Some(Bounds::read(&meta)?),
                ("length", Meta::List(_)) => member.length = Some(Bounds::read(&meta)?),
                ("read_with", Meta::NameValue(it)) => member.read_with = Some(path(&it.value)?),
                ("with", Meta::NameValue(it)) => {
                    member.with = Some(syn::parse_str(&text(&it.value)?)?);
                }
                ("flatten", _) => member.flatten = true,
                ("skip_serializing_if", Meta::NameValue(it)) => {
                    member.may_be_omitted = text(&it.value)? == "Option::is_none";
                }
                ("skip" | "alias", _) => {
                    return Err(Error::new_spanned(
                        &meta,
                        "the reader does not support this attribute",
                    ));
                }
                _ => {}
            }
        }
        Ok(member)
    }
}

impl Bounds {
    pub(crate) fn read(meta: &Meta) -> Result<Bounds> {
        let list = meta.require_list()?;
        let mut bounds = Bounds::default();
        for meta in list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)? {
            let Meta::NameValue(it) = &meta else {
                return Err(Error::new_spanned(&meta, "expected min, max or equal"));
            };
            match name_of(&meta).as_str() {
                "min" => bounds.min = Some(it.value.clone()),
                "max" => bounds.max = Some(it.value.clone()),
                "equal" => {
                    bounds.min = Some(it.value.clone());
                    bounds.max = Some(it.value.clone());
                }
                _ => return Err(Error::new_spanned(&meta, "expected min, max or equal")),
            }
        }
        Ok(bounds)
    }
}

fn metas(attributes: &[Attribute], known: &[&str]) -> Result<Vec<Meta>> {
    let mut metas = Vec::new();
    for attribute in attributes {
        if known.iter().any(|name| attribute.path().is_ident(name)) {
            metas.extend(
                attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?,
            );
        }
    }
    Ok(metas)
}

fn name_of(meta: &Meta) -> String {
    let name = meta.path().get_ident();
    name.map(ToString::to_string).unwrap_or_default()
}

fn text(value: &Expr) -> Result<String> {
    match value {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Ok(text.value()),
            _ => Err(Error::new_spanned(value, "expected a string")),
        },
        _ => Err(Error::new_spanned(value, "expected a string")),
    }
}

fn path(value: &Expr) -> Result<Path> {
    match value {
        Expr::Path(it) => Ok(it.path.clone()),
        _ => Err(Error::new_spanned(value, "expected the path of a function")),
    }
}
