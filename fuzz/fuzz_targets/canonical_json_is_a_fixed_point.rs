//! Any bytes either parse as a document or are refused. The canonical form of a document parses
//! as the same document with the same canonical form.
#![no_main]

use kernel::json::{read, to_canonical};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = read(bytes) else {
        return;
    };
    let Ok(canonical) = to_canonical(&document) else {
        return;
    };
    assert!(canonical.is_ascii());
    let again = read(&canonical).expect("canonical JSON is JSON");
    assert_eq!(again, document);
    assert_eq!(to_canonical(&again), Ok(canonical));
});
