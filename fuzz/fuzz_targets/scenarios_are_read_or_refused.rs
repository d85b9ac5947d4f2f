//! Any bytes either parse as a scenario or are refused with findings, without a panic. An accepted
//! scenario reads back as it is written. A small one also has a galaxy, or a finding that says why
//! not.
#![no_main]

use kernel::json;
use libfuzzer_sys::fuzz_target;
use stellar::Galaxy;
use stellar::scenario::{self, Dialect};

/// Tests generate larger galaxies; here they would only cost time.
const SYSTEMS_MAX: u32 = 60;

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = json::read(bytes) else {
        return;
    };
    let report = scenario::examine(&document);
    assert_eq!(report.scenario.is_none(), report.has_errors());
    let Some(scenario) = report.scenario else {
        return;
    };
    let again = scenario::examine(&scenario.document(Dialect::File));
    assert_eq!(again.scenario.as_ref(), Some(&scenario));
    if scenario.generation.system_count <= SYSTEMS_MAX {
        let first = Galaxy::generate(&scenario, 1);
        assert_eq!(first, Galaxy::generate(&scenario, 1));
    }
});
