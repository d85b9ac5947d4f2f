//! What goes over sockets, with no socket.
//!
//! A frame that comes in is text from a stranger: it is read into a typed message or refused
//! with a code, and nothing else happens here. The server, the load generator, the fuzz
//! targets and the generated documents all use these types, so that they cannot disagree.

pub mod codes;
pub mod document;
pub mod engineio;
pub mod limits;
pub mod native;
pub mod old;
pub mod schema;
pub mod socketio;

pub use limits::{DEPTH_MAX, MESSAGE_BYTES_MAX, Misread};
