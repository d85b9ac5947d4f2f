//! The attribute `#[word(…)]` of an action.

use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Expr, Ident, LitStr, Result, Token};

/// `#[word("move:{from}-{to}", label = "From {from} to {to}", group = "Moves")]`. Each part is
/// optional.
#[derive(Default)]
pub(crate) struct Word {
    /// The word, with the names of fields in braces.
    pub(crate) text: Option<LitStr>,
    /// The action for people: a format string with the names of fields, or an expression.
    pub(crate) label: Option<Expr>,
    /// The heading under which pages list the action.
    pub(crate) group: Option<LitStr>,
}

impl Word {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Word> {
        let attribute = attributes.iter().find(|it| it.path().is_ident("word"));
        attribute.map_or(Ok(Word::default()), Attribute::parse_args)
    }
}

impl Parse for Word {
    fn parse(input: ParseStream<'_>) -> Result<Word> {
        let mut word = Word::default();
        if input.peek(LitStr) {
            word.text = Some(input.parse()?);
            input.parse::<Option<Token![,]>>()?;
        }
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            match name.to_string().as_str() {
                "label" => word.label = Some(input.parse()?),
                "group" => word.group = Some(input.parse()?),
                _ => return Err(Error::new_spanned(&name, "expected label or group")),
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(word)
    }
}
