//! Tokens, tickets and codes: random, handed out once, kept as hashes.

use sha2::{Digest, Sha256};

/// A secret as its owner holds it: 64 hexadecimal digits.
pub(crate) fn fresh() -> String {
    hex(&random::<32>())
}

/// A shorter one for links that people send around: 128 bits.
pub(crate) fn fresh_code() -> String {
    hex(&random::<16>())
}

/// What is kept of a secret.
pub(crate) fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Random bytes of the operating system. Without them nothing here is safe, so the process
/// stops.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if let Err(error) = getrandom::fill(&mut bytes) {
        tracing::error!(%error, "the operating system has no random bytes");
        std::process::exit(3);
    }
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
