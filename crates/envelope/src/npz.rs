//! An envelope as NumPy arrays in a zip file.
//!
//! `snapshot` is the canonical JSON of the snapshot as a row of bytes, so that anyone can check the
//! hash: `hashlib.sha256(npz["snapshot"].tobytes())`. The other fields are single values. NumPy
//! cannot distinguish a string that ends in zeros from a shorter one, so such a string is also
//! stored as a row of bytes.

use std::collections::BTreeMap;

use kernel::doc::{Fault, Faults};
use kernel::json::{self, CanonicalError, Json};

use crate::npy::Array;
use crate::{only, zip};

pub(crate) fn write(document: &Json) -> Result<Vec<u8>, CanonicalError> {
    let mut files = Vec::new();
    for (key, value) in document.as_object().into_iter().flatten() {
        let array = match value {
            Json::Bool(value) if key != "snapshot" => Array::Bool(*value),
            Json::Text(text) if key != "snapshot" && !text.ends_with('\0') => {
                Array::Text(text.clone())
            }
            other => Array::Bytes(json::to_canonical(other)?),
        };
        files.push((format!("{key}.npy"), array.write()));
    }
    Ok(zip::write(&files))
}

pub(crate) fn read(bytes: &[u8]) -> Result<Json, Faults> {
    let files = zip::read(bytes).map_err(|message| only("unreadable", message))?;
    let mut faults = Faults::default();
    let mut fields = BTreeMap::new();
    for (name, contents) in files {
        let key = name.strip_suffix(".npy").unwrap_or(&name);
        match contents.and_then(|file| value(&file)) {
            Ok(value) => {
                fields.insert(key.to_owned(), value);
            }
            Err(message) => faults.push(Fault::new(format!("/{key}"), "unreadable", message)),
        }
    }
    faults.into_result(Some(Json::Object(fields)))
}

/// The value that an array stores.
fn value(file: &[u8]) -> Result<Json, String> {
    match Array::read(file)? {
        Array::Bool(value) => Ok(Json::Bool(value)),
        Array::Text(text) => Ok(Json::Text(text)),
        Array::Bytes(bytes) => json::read(&bytes).map_err(|error| error.to_string()),
    }
}
