//! Strings and integers in their canonical spelling.

use std::fmt;

/// Appends `text` as a JSON string in pure ASCII; returns true if anything had to be escaped.
#[inline]
pub(super) fn push_text(out: &mut Vec<u8>, text: &str) -> bool {
    out.push(b'"');
    // Most strings are plain. Without an early exit the loop is fast for short and long ones.
    let plain = text
        .bytes()
        .fold(true, |plain, byte| plain & is_plain(byte));
    if plain {
        out.extend_from_slice(text.as_bytes());
    } else {
        push_escaped(out, text);
    }
    out.push(b'"');
    !plain
}

/// Appends the displayed form of `value` as a JSON string, without an owned copy of it.
pub(super) fn push_displayed<T: fmt::Display + ?Sized>(
    out: &mut Vec<u8>,
    value: &T,
) -> fmt::Result {
    out.push(b'"');
    fmt::write(&mut Escaping(out), format_args!("{value}"))?;
    out.push(b'"');
    Ok(())
}

#[inline]
pub(super) fn push_u64(out: &mut Vec<u8>, mut int: u64) {
    if int < 10 {
        out.push(b'0' + int as u8);
        return;
    }
    let mut digits = [0; 20];
    let mut at = digits.len();
    while int >= 10 {
        at -= 2;
        let pair = int % 100;
        digits[at] = b'0' + (pair / 10) as u8;
        digits[at + 1] = b'0' + (pair % 10) as u8;
        int /= 100;
    }
    if int > 0 {
        at -= 1;
        digits[at] = b'0' + int as u8;
    }
    out.extend_from_slice(&digits[at..]);
}

pub(super) fn push_i64(out: &mut Vec<u8>, int: i64) {
    if int < 0 {
        out.push(b'-');
    }
    push_u64(out, int.unsigned_abs());
}

struct Escaping<'o>(&'o mut Vec<u8>);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        push_escaped(self.0, text);
        Ok(())
    }
}

fn push_escaped(out: &mut Vec<u8>, text: &str) {
    let mut rest = text;
    loop {
        let n_plain = rest.bytes().take_while(|byte| is_plain(*byte)).count();
        let (plain, tail) = rest.split_at(n_plain);
        out.extend_from_slice(plain.as_bytes());
        let mut chars = tail.chars();
        let Some(special) = chars.next() else { return };
        push_escape(out, special);
        rest = chars.as_str();
    }
}

/// True for printable ASCII other than the quote and the backslash, which needs no escape.
#[inline]
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}

fn push_escape(out: &mut Vec<u8>, special: char) {
    let short = match special {
        '"' => b'"',
        '\\' => b'\\',
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        _ => {
            for unit in special.encode_utf16(&mut [0; 2]) {
                push_unit(out, *unit);
            }
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

fn push_unit(out: &mut Vec<u8>, unit: u16) {
    const HEX: [u8; 16] = *b"0123456789abcdef";
    out.extend_from_slice(b"\\u");
    for shift in [12, 8, 4, 0] {
        out.push(HEX[usize::from(unit >> shift & 0xf)]);
    }
}
