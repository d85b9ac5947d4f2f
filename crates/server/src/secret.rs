//! Tokens, tickets and codes: random, handed out once, stored as hashes.

use sha2::{Digest, Sha256};

/// Returns a new secret for its owner: 64 hexadecimal digits.
pub(crate) fn fresh() -> String {
    hex(&random::<32>())
}

/// Returns a shorter secret for links that people share: 128 bits.
pub(crate) fn fresh_code() -> String {
    hex(&random::<16>())
}

/// Returns the hash of a secret, which is all that is stored.
pub(crate) fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Returns random bytes from the operating system. Without them nothing is secure, so the process
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
