//! Snapshots as files: one document in JSON, MessagePack or NPZ, with one hash.
//!
//! An envelope says which game the snapshot is of, how it is packed, and the snapshot's
//! hash. The hash is of the document, so it is the same in every format. Bytes in, bytes
//! out: nothing here reads or writes files.
//!
//! [`write_arrays`] packs named arrays of numbers for NumPy, as datasets need them.
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
use kernel::doc::{Fault, Faults, Node};
use kernel::json::{self, CanonicalError, Hash, Json};

/// The most bytes that an envelope may have, packed or unpacked.
pub const BYTES_MAX: usize = 64 << 20;

/// A snapshot and the game that it is of.
#[derive(Clone, PartialEq, Debug)]
pub struct Envelope {
    game: String,
    snapshot: Json,
}

/// How an envelope is packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Canonical JSON.
    Json,
    /// MessagePack.
    MessagePack,
    /// NumPy arrays in a zip file, as `numpy.savez_compressed` writes them.
    Npz,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 3] = [Format::Json, Format::MessagePack, Format::Npz];
    /// The names, in the order of [`Format::ALL`].
    pub const NAMES: [&'static str; 3] = ["json", "msgpack", "npz"];

    /// The name in envelopes.
    pub const fn name(self) -> &'static str {
        Format::NAMES[self as usize]
    }

    /// Whether the document is packed more tightly than as JSON.
    pub const fn is_compressed(self) -> bool {
        !matches!(self, Format::Json)
    }

    /// The format that bytes begin like.
    fn of(bytes: &[u8]) -> Format {
        match bytes {
            [b'P', b'K', ..] => Format::Npz,
            [b'{' | b' ' | b'\t' | b'\n' | b'\r', ..] => Format::Json,
            _ => Format::MessagePack,
        }
    }
}

impl Envelope {
    /// A snapshot of this game.
    pub fn new(game: impl Into<String>, snapshot: Json) -> Envelope {
        Envelope {
            game: game.into(),
            snapshot,
        }
    }

    /// The game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The snapshot.
    pub fn snapshot(&self) -> &Json {
        &self.snapshot
    }

    /// The hash of the snapshot without its `log`, which is history and not state.
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

    /// The bytes in a format. A snapshot without a canonical form is refused.
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

    /// Reads an envelope in whichever format it is. Every fault is reported: damage to the
    /// packing, fields that are missing or contradict it, and a hash that does not fit.
    /// Whether the snapshot is one of its game is for the game to say.
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
            let message = format!("this is packed as {}", format.name());
            faults.at(&named, "contradiction", message);
        }
        let compressed = node.field("compressed");
        if compressed.bool(faults) == Some(!format.is_compressed()) {
            let message = format!("{} has {}", format.name(), format.is_compressed());
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

/// One fault of the whole.
pub(crate) fn only(code: &'static str, message: impl Into<String>) -> Faults {
    let mut faults = Faults::default();
    faults.push(Fault::new("", code, message));
    faults
}
