//! The limits that a frame must keep before it is parsed.

use std::fmt;

/// The maximum size of a message from a client, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 4_096;

/// The maximum nesting depth of the lists and objects in a message.
pub const DEPTH_MAX: usize = 8;

/// The maximum length of the sentence that says what is wrong with a message, in characters.
const WHAT_MAX: usize = 900;

/// The reason why a frame is not a message. It is short enough to be sent as an answer, and quotes
/// the frame only for faults in a native message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misread {
    /// The frame is longer than [`MESSAGE_BYTES_MAX`].
    TooLong,
    /// Its lists and objects nest deeper than [`DEPTH_MAX`].
    TooDeep,
    /// The frame is not JSON of the expected form; the sentence says where.
    Malformed(String),
    /// The frame is of a kind that this protocol does not have; the text is a plural noun.
    Unsupported(&'static str),
}

impl Misread {
    /// Truncates the sentence to the length of an answer.
    pub(crate) fn malformed(what: &str) -> Misread {
        Misread::Malformed(what.chars().take(WHAT_MAX).collect())
    }

    /// The stable code, the same as that of the [`ErrorCode`](crate::codes::ErrorCode).
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
            Misread::TooLong => write!(f, "a message may have at most {MESSAGE_BYTES_MAX} bytes"),
            Misread::TooDeep => write!(f, "lists and objects may nest at most {DEPTH_MAX} deep"),
            Misread::Malformed(what) => write!(f, "the message cannot be parsed: {what}"),
            Misread::Unsupported(what) => write!(f, "{what} are not supported"),
        }
    }
}

impl std::error::Error for Misread {}

/// Checks the length and the nesting of JSON text before it is parsed.
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

/// Describes a `serde_json` error. A syntax error is described without quoting the text.
pub(crate) fn malformed(error: &serde_json::Error) -> Misread {
    use serde_json::error::Category;
    let what = match error.classify() {
        Category::Syntax | Category::Eof => format!("invalid JSON at column {}", error.column()),
        Category::Data | Category::Io => error.to_string(),
    };
    Misread::malformed(&what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_of_length_and_depth_are_exact() {
        let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert_eq!(measure(&deep(DEPTH_MAX)), Ok(()));
        assert_eq!(measure(&deep(DEPTH_MAX + 1)), Err(Misread::TooDeep));
        assert_eq!(measure(&"x".repeat(MESSAGE_BYTES_MAX)), Ok(()));
        let long = "x".repeat(MESSAGE_BYTES_MAX + 1);
        assert_eq!(measure(&long), Err(Misread::TooLong));
    }

    #[test]
    fn brackets_inside_strings_do_not_nest() {
        assert_eq!(measure(r#"["[[[[[[[[[[[\"[[[["]"#), Ok(()));
    }
}
