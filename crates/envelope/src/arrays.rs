//! Named arrays of numbers, stored as in NumPy's `.npz` files.

use std::fmt;

use crate::{npy, zip};

/// The maximum total size of a file's arrays in bytes: a zip file stores sizes and positions in 32
/// bits.
pub const FILE_BYTES_MAX: u64 = 2 << 30;

/// An array with its name and the lengths of its axes, row-major.
pub struct NamedArray<'a> {
    /// The name in the file, as in `numpy.load(file)[name]`.
    pub name: &'a str,
    /// The lengths of its axes.
    pub shape: Vec<usize>,
    /// The numbers: as many as the product of the axes.
    pub values: Numbers<'a>,
}

/// The numbers of an array.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// `numpy.bool_`.
    Bool(&'a [bool]),
    /// `numpy.uint8`.
    U8(&'a [u8]),
    /// `numpy.int8`.
    I8(&'a [i8]),
    /// `numpy.int32`.
    I32(&'a [i32]),
    /// `numpy.int64`.
    I64(&'a [i64]),
    /// `numpy.float32`.
    F32(&'a [f32]),
}

/// Writes the arrays as one `.npz` file. The same arrays give the same bytes.
///
/// ```
/// use envelope::{NamedArray, Numbers, write_arrays};
///
/// let masks = [1, 0, 0, 1];
/// let file = write_arrays(&[NamedArray { name: "mask", shape: vec![2, 2], values: Numbers::U8(&masks) }])?;
/// assert!(file.starts_with(b"PK"));
/// # Ok::<(), envelope::ArrayFault>(())
/// ```
pub fn write_arrays(arrays: &[NamedArray<'_>]) -> Result<Vec<u8>, ArrayFault> {
    let faults: Vec<String> = arrays.iter().filter_map(NamedArray::fault).collect();
    if !faults.is_empty() {
        return Err(ArrayFault(faults));
    }
    let n_bytes: u64 = arrays.iter().map(NamedArray::n_bytes).sum();
    if n_bytes > FILE_BYTES_MAX {
        let message = format!("the arrays have {n_bytes} bytes, but a file holds {FILE_BYTES_MAX}");
        return Err(ArrayFault(vec![message]));
    }
    let file = |array: &NamedArray<'_>| (format!("{}.npy", array.name), array.write());
    let files: Vec<(String, Vec<u8>)> = arrays.iter().map(file).collect();
    Ok(zip::write(&files))
}

/// Every reason why the arrays cannot be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayFault(Vec<String>);

impl fmt::Display for ArrayFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for ArrayFault {}

impl NamedArray<'_> {
    fn fault(&self) -> Option<String> {
        let NamedArray { name, shape, .. } = self;
        let n_values = shape
            .iter()
            .try_fold(1usize, |n, &axis| n.checked_mul(axis));
        if n_values != Some(self.values.len()) {
            let n_found = self.values.len();
            return Some(format!(
                "{name} has {n_found} numbers, but the shape {shape:?}"
            ));
        }
        None
    }

    fn n_bytes(&self) -> u64 {
        let n_each = match self.values {
            Numbers::Bool(_) | Numbers::U8(_) | Numbers::I8(_) => 1,
            Numbers::I32(_) | Numbers::F32(_) => 4,
            Numbers::I64(_) => 8,
        };
        (self.values.len() as u64).saturating_mul(n_each)
    }

    fn write(&self) -> Vec<u8> {
        let axes: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        let shape = match axes.as_slice() {
            [only] => format!("({only},)"),
            axes => format!("({})", axes.join(", ")),
        };
        let bytes;
        let data = match self.values {
            Numbers::U8(values) => values,
            other => {
                bytes = other.to_bytes();
                &bytes
            }
        };
        npy::file(self.values.kind(), &shape, data)
    }
}

impl Numbers<'_> {
    fn len(&self) -> usize {
        match self {
            Numbers::Bool(values) => values.len(),
            Numbers::U8(values) => values.len(),
            Numbers::I8(values) => values.len(),
            Numbers::I32(values) => values.len(),
            Numbers::I64(values) => values.len(),
            Numbers::F32(values) => values.len(),
        }
    }

    /// NumPy's type code in the file.
    fn kind(&self) -> &'static str {
        match self {
            Numbers::Bool(_) => "|b1",
            Numbers::U8(_) => "|u1",
            Numbers::I8(_) => "|i1",
            Numbers::I32(_) => "<i4",
            Numbers::I64(_) => "<i8",
            Numbers::F32(_) => "<f4",
        }
    }

    /// NumPy's name for the type, as `numpy.dtype` accepts it.
    pub fn dtype(&self) -> &'static str {
        match self {
            Numbers::Bool(_) => "bool",
            Numbers::U8(_) => "uint8",
            Numbers::I8(_) => "int8",
            Numbers::I32(_) => "int32",
            Numbers::I64(_) => "int64",
            Numbers::F32(_) => "float32",
        }
    }

    fn to_bytes(self) -> Vec<u8> {
        match self {
            Numbers::Bool(values) => values.iter().map(|&it| u8::from(it)).collect(),
            Numbers::U8(values) => values.to_vec(),
            Numbers::I8(values) => values.iter().map(|&it| it as u8).collect(),
            Numbers::I32(values) => values.iter().flat_map(|it| it.to_le_bytes()).collect(),
            Numbers::I64(values) => values.iter().flat_map(|it| it.to_le_bytes()).collect(),
            Numbers::F32(values) => values.iter().flat_map(|it| it.to_le_bytes()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array<'a>(shape: &[usize], values: Numbers<'a>) -> NamedArray<'a> {
        NamedArray {
            name: "it",
            shape: shape.to_vec(),
            values,
        }
    }

    /// The header and the data of the only file in an archive.
    fn only_file(arrays: &[NamedArray<'_>]) -> (String, Vec<u8>) {
        let archive = write_arrays(arrays).expect("the arrays are valid");
        let mut files = zip::read(&archive).expect("the archive is valid");
        let (name, contents) = files.remove(0);
        assert_eq!((name.as_str(), files.len()), ("it.npy", 0));
        let contents = contents.expect("the file is valid");
        assert_eq!(contents.len() % 64, contents[128..].len() % 64);
        let header = String::from_utf8_lossy(&contents[10..128])
            .trim()
            .to_owned();
        (header, contents[128..].to_vec())
    }

    #[test]
    fn numbers_are_little_endian_after_their_type_and_shape() {
        let (header, data) = only_file(&[array(&[2, 1], Numbers::I32(&[1, -2]))]);
        let expected = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }";
        assert_eq!(header, expected);
        assert_eq!(data, [1, 0, 0, 0, 254, 255, 255, 255]);
        let (header, data) = only_file(&[array(&[1], Numbers::F32(&[-1.0]))]);
        assert!(
            header.contains("'<f4'") && header.contains("(1,)"),
            "{header}"
        );
        assert_eq!(data, [0, 0, 128, 191]);
        let (header, data) = only_file(&[array(&[0], Numbers::Bool(&[]))]);
        assert!(
            header.contains("'|b1'") && header.contains("(0,)"),
            "{header}"
        );
        assert!(data.is_empty());
    }

    #[test]
    fn every_mismatched_shape_is_reported() {
        let fault = write_arrays(&[
            array(&[3], Numbers::U8(&[1, 2])),
            array(&[usize::MAX, 2], Numbers::I8(&[])),
        ]);
        let told = fault.map_err(|fault| fault.to_string());
        let told = told.expect_err("neither shape matches");
        assert!(
            told.contains("it has 2 numbers, but the shape [3]"),
            "{told}"
        );
        assert!(told.contains("it has 0 numbers"), "{told}");
    }
}
