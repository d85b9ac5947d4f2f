//! Any bytes either parse as a record or are refused with a line number, without a panic. An
//! accepted record verifies again byte for byte.
#![no_main]

use kernel::record::{Reader, split_lines, verify};
use libfuzzer_sys::fuzz_target;
use orcain::Orcain;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = Reader::new();
    let (lines, _) = split_lines(bytes);
    let mut n_lines = 0;
    for line in lines {
        n_lines += 1;
        match reader.push(line) {
            Ok(_) => {}
            Err(fault) => assert_eq!(fault.line, n_lines),
        }
    }
    match verify::<Orcain>(bytes) {
        Ok(report) => assert_eq!(verify::<Orcain>(bytes), Ok(report)),
        Err(fault) => assert!((1..=n_lines + 1).contains(&fault.line)),
    }
});
