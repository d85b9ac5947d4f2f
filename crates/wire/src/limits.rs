//! What a frame may be before anybody reads it.

use std::fmt;

/// The most bytes of one message from a client.
pub const MESSAGE_BYTES_MAX: usize = 4_096;

/// How deep the lists and objects of a message may nest.
pub const DEPTH_MAX: usize = 8;

/// The most characters that say what is wrong with a message.
const WHAT_MAX: usize = 900;

/// Why a frame is no message. It is short enough for an answer; only faults of a native message
/// quote what the frame held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misread {
    /// It is longer than a message may be.
    TooLong,
    /// Its lists and objects nest too deep.
    TooDeep,
    /// It is not JSON of the expected form; the sentence says where.
    Malformed(String),
    /// It is a kind of frame that this protocol does not have.
    Unsupported(&'static str),
}

impl Misread {
    /// All that is wrong with a message, cut to the length of an answer.
    pub(crate) fn malformed(what: &str) -> Misread {
        Misread::Malformed(what.chars().take(WHAT_MAX).collect())
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Misread::TooLong => "message_too_long",
            Misread::TooDeep => "message_too_deep",
            Misread::Malformed(_) => "malformed_message",
            Misread::Unsupported(_) => "unsupported_message",
        }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misread::TooLong => write!(f, "a message has at most {MESSAGE_BYTES_MAX} bytes"),
            Misread::TooDeep => write!(f, "lists and objects nest at most {DEPTH_MAX} deep"),
            Misread::Malformed(what) => write!(f, "the message cannot be read: {what}"),
            Misread::Unsupported(what) => write!(f, "{what} are not supported here"),
        }
    }
}

impl std::error::Error for Misread {}

/// Looks at the length and the nesting of JSON text, before it is parsed.
pub(crate) fn measure(text: &str) -> Result<(), Misread> {
    if text.len() > MESSAGE_BYTES_MAX {
        return Err(Misread::TooLong);
    }
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH_MAX {
            return Err(Misread::TooDeep);
        }
    }
    Ok(())
}

/// What `serde_json` found wrong, without a word of the text itself.
pub(crate) fn malformed(error: &serde_json::Error) -> Misread {
    use serde_json::error::Category;
    let what = match error.classify() {
        Category::Syntax | Category::Eof => format!("no JSON at column {}", error.column()),
        Category::Data | Category::Io => error.to_string(),
    };
    Misread::malformed(&what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_long_and_deep_enough_but_not_more() {
        let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert_eq!(measure(&deep(DEPTH_MAX)), Ok(()));
        assert_eq!(measure(&deep(DEPTH_MAX + 1)), Err(Misread::TooDeep));
        assert_eq!(measure(&"x".repeat(MESSAGE_BYTES_MAX)), Ok(()));
        let long = "x".repeat(MESSAGE_BYTES_MAX + 1);
        assert_eq!(measure(&long), Err(Misread::TooLong));
    }

    #[test]
    fn brackets_inside_texts_do_not_nest() {
        assert_eq!(measure(r#"["[[[[[[[[[[[\"[[[["]"#), Ok(()));
    }
}
