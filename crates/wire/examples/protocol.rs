//! Prints `docs/protocol.md`; `cargo xtask codegen` writes it to its place.
#![allow(clippy::print_stdout, reason = "its output is the document")]

fn main() {
    print!("{}", wire::document::protocol());
}
