//! Snapshots as files: one document in JSON, MessagePack or NPZ, with one hash.
//!
//! An envelope contains the name of the game, the format, the snapshot and the snapshot's hash. The
//! hash is computed from the document, so it is the same in every format. Everything works on bytes
//! in memory: nothing here reads or writes files.
//!
//! [`write_arrays`] packs named arrays of numbers for NumPy, for datasets.
//!
//! ```
//! use envelope::{Envelope, Format};
//! use kernel::json;
//!
//! let snapshot = json::read(br#"{"schema_version": "1.0.0", "turn": 3}"#)?;
//! let envelope = Envelope::new("catan", snapshot);
//! for format in Format::ALL {
//!     let bytes = envelope.write(format)?;
//!     assert_eq!(Envelope::read(&bytes)?, (format, envelope.clone()));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrays;
mod crc;
pub mod msgpack;
mod npy;
mod npz;
mod zip;

pub use arrays::{ArrayFault, FILE_BYTES_MAX, NamedArray, Numbers, write_arrays};
use kernel::doc::{Fault, Faults, Names, Node};
use kernel::json::{self, CanonicalError, Hash, Json};

/// The maximum size of an envelope in bytes, packed or unpacked.
pub const BYTES_MAX: usize = 64 << 20;

/// A snapshot and its game.
#[derive(Clone, PartialEq, Debug)]
pub struct Envelope {
    game: String,
    snapshot: Json,
}

/// The file format of an envelope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Canonical JSON.
    Json,
    /// MessagePack.
    #[serde(rename = "msgpack")]
    MessagePack,
    /// NumPy arrays in a zip file, as `numpy.savez_compressed` writes them.
    Npz,
}

impl Format {
    /// True if the document is packed more tightly than as JSON.
    pub const fn is_compressed(self) -> bool {
        !matches!(self, Format::Json)
    }

    /// Detects the format from the first bytes.
    fn of(bytes: &[u8]) -> Format {
        match bytes {
            [b'P', b'K', ..] => Format::Npz,
            [b'{' | b' ' | b'\t' | b'\n' | b'\r', ..] => Format::Json,
            _ => Format::MessagePack,
        }
    }
}

impl Envelope {
    /// Wraps a snapshot of this game.
    pub fn new(game: impl Into<String>, snapshot: Json) -> Envelope {
        Envelope {
            game: game.into(),
            snapshot,
        }
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The snapshot.
    pub fn snapshot(&self) -> &Json {
        &self.snapshot
    }

    /// The hash of the snapshot without its `log`, which is history, not state.
    pub fn state_hash(&self) -> Result<Hash, CanonicalError> {
        match &self.snapshot {
            Json::Object(fields) if fields.contains_key("log") => {
                let mut fields = fields.clone();
                fields.remove("log");
                Hash::of(&Json::Object(fields))
            }
            snapshot => Hash::of(snapshot),
        }
    }

    /// Writes the envelope in a format. Fails for a snapshot without a canonical form.
    pub fn write(&self, format: Format) -> Result<Vec<u8>, CanonicalError> {
        let document = self.document(format)?;
        match format {
            Format::Json => json::to_canonical(&document),
            Format::MessagePack => Ok(msgpack::write(&document)),
            Format::Npz => npz::write(&document),
        }
    }

    fn document(&self, format: Format) -> Result<Json, CanonicalError> {
        Ok(Json::object([
            ("compressed", Json::Bool(format.is_compressed())),
            ("format", Json::Text(format.name().to_owned())),
            ("game", Json::Text(self.game.clone())),
            ("snapshot", self.snapshot.clone()),
            ("state_hash", Json::Text(self.state_hash()?.to_string())),
        ]))
    }

    /// Reads an envelope and detects its format. Every fault is reported: damage to the packing,
    /// missing or contradictory fields, and a wrong hash. The snapshot itself is not checked
    /// against the rules of its game.
    pub fn read(bytes: &[u8]) -> Result<(Format, Envelope), Faults> {
        let format = Format::of(bytes);
        if bytes.len() > BYTES_MAX {
            let message = format!("an envelope has at most {BYTES_MAX} bytes");
            return Err(only("too_large", message));
        }
        let document = match format {
            Format::Json => {
                json::read(bytes).map_err(|error| only("unreadable", error.to_string()))
            }
            Format::MessagePack => {
                msgpack::read(bytes).map_err(|error| only("unreadable", error.to_string()))
            }
            Format::Npz => npz::read(bytes),
        }?;
        let mut faults = Faults::default();
        let envelope = Envelope::checked(format, &document, &mut faults);
        faults.into_result(envelope.map(|envelope| (format, envelope)))
    }

    fn checked(format: Format, document: &Json, faults: &mut Faults) -> Option<Envelope> {
        let node = Node::root(document);
        node.only_fields(
            &["compressed", "format", "game", "snapshot", "state_hash"],
            faults,
        );
        let named = node.field("format");
        if named.one_of(&Format::NAMES, faults) != Some(format as usize) && named.exists() {
            let message = format!("the envelope is packed as {}", format.name());
            faults.at(&named, "contradiction", message);
        }
        let compressed = node.field("compressed");
        if compressed.bool(faults) == Some(!format.is_compressed()) {
            let message = format!(
                "for the format {}, this must be {}",
                format.name(),
                format.is_compressed()
            );
            faults.at(&compressed, "contradiction", message);
        }
        let game = node.field("game").text(faults);
        let snapshot = node.field("snapshot").present(faults);
        let claimed = node.field("state_hash");
        let hash = claimed.text(faults);
        let envelope = Envelope::new(game?, snapshot?.clone());
        match envelope.state_hash() {
            Ok(found) if hash.is_some_and(|hash| hash != found.to_string()) => {
                let message = format!("the snapshot's hash is {found}");
                faults.at(&claimed, "wrong_hash", message);
            }
            Ok(_) => {}
            Err(error) => faults.at(
                &node.field("snapshot"),
                "no_canonical_form",
                error.to_string(),
            ),
        }
        Some(envelope)
    }
}

/// A single fault of the entire document.
pub(crate) fn only(code: &'static str, message: impl Into<String>) -> Faults {
    let mut faults = Faults::default();
    faults.push(Fault::new("", code, message));
    faults
}
