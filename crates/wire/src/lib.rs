//! The messages on the wire, without any sockets.
//!
//! An incoming frame is text from a stranger: it is either parsed into a typed message or refused
//! with a code, and nothing else happens here. The server, the load generator, the fuzz targets and
//! the generated docs all share these types, so they cannot disagree.

pub mod codes;
pub mod document;
pub mod engineio;
pub mod limits;
pub mod native;
pub mod old;
pub mod schema;
pub mod socketio;

pub use limits::{DEPTH_MAX, MESSAGE_BYTES_MAX, Misread};
