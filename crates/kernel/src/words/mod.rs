//! The words in which actions are written, declared so that schemas and documents can describe
//! them, and the decisions made of them.

mod decision;

use std::fmt;
use std::str::FromStr;

pub use decision::{CONSIDERED, NoWord, NotAWord, WORDS_MAX, Word, Words, legal};

/// Actions that are written as words.
pub trait Vocabulary: fmt::Display + FromStr<Err: fmt::Display> {
    /// Every form that a word can have. A text is accepted if it matches one of them and refused
    /// otherwise; no text matches two.
    fn forms() -> Vec<WordForm>;
}

/// One form of words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordForm {
    /// A regular expression (ECMA-262, without look-around) that exactly the words of this form
    /// match.
    pub pattern: String,
    /// A word of this form.
    pub example: String,
    /// The meaning of such a word, in a sentence.
    pub about: String,
}

impl WordForm {
    /// The form of all words that the expression matches completely.
    pub fn new(
        expression: impl fmt::Display,
        example: impl Into<String>,
        about: impl Into<String>,
    ) -> WordForm {
        WordForm {
            pattern: format!("^{expression}$"),
            example: example.into(),
            about: about.into(),
        }
    }
}

/// A regular expression for the integers from 0 to `last`, written without leading zeros.
pub fn numbers_to(last: u32) -> String {
    let last = last.to_string();
    let len = last.len();
    let shorter = (1..len).map(|len| match len {
        1 => "[0-9]".to_owned(),
        _ => format!("[1-9]{}", any_digits(len - 1)),
    });
    let as_long = last.bytes().enumerate().filter_map(|(idx, digit)| {
        let least = if idx == 0 && len > 1 { b'1' } else { b'0' };
        let is_last = idx + 1 == len;
        let most = if is_last { digit } else { digit - 1 };
        let (least_digit, most_digit) = (char::from(least), char::from(most));
        let digits = match most.checked_sub(least)? {
            0 => most_digit.to_string(),
            _ => format!("[{least_digit}-{most_digit}]"),
        };
        Some(format!(
            "{}{digits}{}",
            &last[..idx],
            any_digits(len - idx - 1)
        ))
    });
    one_of(shorter.chain(as_long))
}

/// A regular expression for the integers from `first` to `last`, written without leading zeros.
pub fn numbers_in(first: u32, last: u32) -> String {
    match first {
        0 => numbers_to(last),
        _ => one_of((first..=last).map(|number| number.to_string())),
    }
}

fn any_digits(n: usize) -> String {
    match n {
        0 => String::new(),
        1 => "[0-9]".to_owned(),
        _ => format!("[0-9]{{{n}}}"),
    }
}

/// A regular expression that matches any of these expressions.
pub fn one_of<T: AsRef<str>>(expressions: impl IntoIterator<Item = T>) -> String {
    let mut text = String::from("(");
    for (idx, expression) in expressions.into_iter().enumerate() {
        if idx > 0 {
            text.push('|');
        }
        text.push_str(expression.as_ref());
    }
    text.push(')');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_ranges_of_digits() {
        assert_eq!(numbers_to(0), "(0)");
        assert_eq!(numbers_to(7), "([0-7])");
        assert_eq!(numbers_to(18), "([0-9]|1[0-8])");
        assert_eq!(numbers_to(53), "([0-9]|[1-4][0-9]|5[0-3])");
        assert_eq!(
            numbers_to(255),
            "([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
        );
        assert_eq!(numbers_to(100), "([0-9]|[1-9][0-9]|100)");
        assert_eq!(numbers_in(0, 18), numbers_to(18));
        assert_eq!(numbers_in(9, 11), "(9|10|11)");
    }
}
