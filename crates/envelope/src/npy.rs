//! Arrays as in NumPy's `.npy` files: a boolean, a string, or a row of bytes.

/// The supported kinds of arrays.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Array {
    /// A single boolean: `numpy.bool_`.
    Bool(bool),
    /// A single string: `numpy.str_`.
    Text(String),
    /// A row of bytes: `numpy.uint8`.
    Bytes(Vec<u8>),
}

const MAGIC: &[u8] = b"\x93NUMPY";

impl Array {
    pub(crate) fn write(&self) -> Vec<u8> {
        match self {
            Array::Bool(value) => file("|b1", "()", &[u8::from(*value)]),
            Array::Text(text) => {
                let n_chars = text.chars().count().max(1);
                let mut data: Vec<u8> = text
                    .chars()
                    .flat_map(|c| u32::from(c).to_le_bytes())
                    .collect();
                data.resize(4 * n_chars, 0);
                file(&format!("<U{n_chars}"), "()", &data)
            }
            Array::Bytes(bytes) => file("|u1", &format!("({},)", bytes.len()), bytes),
        }
    }

    /// Reads a file; `Err` describes what is wrong with it.
    pub(crate) fn read(file: &[u8]) -> Result<Array, String> {
        let rest = file.strip_prefix(MAGIC).ok_or("this is not a .npy file")?;
        let (len, rest) = match rest {
            [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
            [2 | 3, _, a, b, c, d, rest @ ..] => {
                (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest)
            }
            _ => return Err("the version of this .npy file is unknown".to_owned()),
        };
        let header = rest.get(..len).ok_or("the header is truncated")?;
        let header = std::str::from_utf8(header).map_err(|_| "the header is not text")?;
        let data = &rest[len..];
        let kind = quoted(header, "descr").ok_or("the header has no descr")?;
        let shape = shape(header).ok_or("the header has no shape")?;
        match (kind, shape.as_slice()) {
            ("|b1" | "?", []) => match data {
                [value @ (0 | 1)] => Ok(Array::Bool(*value == 1)),
                _ => Err("a boolean must be one byte, 0 or 1".to_owned()),
            },
            ("|u1", [n]) if *n == data.len() => Ok(Array::Bytes(data.to_vec())),
            ("|u1", [n]) => Err(format!(
                "{n} bytes are declared, but {} are present",
                data.len()
            )),
            (kind, []) if kind.starts_with("<U") => text(&kind[2..], data),
            _ => Err(format!(
                "expected a boolean, a string or a row of uint8, found {kind} of shape {shape:?}"
            )),
        }
    }
}

/// A file of version 1.0, with its header padded so that the data begin at a multiple of 64.
pub(crate) fn file(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let n_before = MAGIC.len() + 4;
    while !(n_before + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut out = Vec::with_capacity(n_before + header.len() + data.len());
    out.extend(MAGIC);
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

/// The quoted string under a key of a header.
fn quoted<'h>(header: &'h str, key: &str) -> Option<&'h str> {
    let (_, rest) = header.split_once(&format!("'{key}':"))?;
    let rest = rest.trim_start().strip_prefix('\'')?;
    rest.split_once('\'').map(|(text, _)| text)
}

fn shape(header: &str) -> Option<Vec<usize>> {
    let (_, rest) = header.split_once("'shape':")?;
    let rest = rest.trim_start().strip_prefix('(')?;
    let (sizes, _) = rest.split_once(')')?;
    let sizes = sizes.split(',').map(str::trim).filter(|it| !it.is_empty());
    sizes.map(|size| size.parse().ok()).collect()
}

/// Reads a string of `n_chars` characters of 4 bytes each, padded with zeros.
fn text(n_chars: &str, data: &[u8]) -> Result<Array, String> {
    let n_chars: usize = n_chars.parse().map_err(|_| "the string has no length")?;
    if n_chars.checked_mul(4) != Some(data.len()) {
        return Err("the length of the string does not match its header".to_owned());
    }
    let chars = data.chunks_exact(4).map(|chunk| {
        let code = chunk
            .iter()
            .rev()
            .fold(0, |code, &byte| code << 8 | u32::from(byte));
        char::from_u32(code).ok_or("the string contains an invalid character")
    });
    let text: Result<String, &str> = chars.collect();
    Ok(Array::Text(text?.trim_end_matches('\0').to_owned()))
}
