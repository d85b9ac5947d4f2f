//! Prints `docs/protocol.md`; `cargo xtask codegen` puts it in its place.
#![allow(clippy::print_stdout, reason = "its output is the document")]

fn main() {
    print!("{}", wire::document::protocol());
}
