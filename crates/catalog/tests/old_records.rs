//! Records of older versions still verify.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use catalog::{GameName, with_game};
use kernel::record;

#[test]
fn records_of_format_0_2_0_verify_in_every_game() {
    for name in GameName::ALL {
        let path = format!(
            "{}/../../testdata/records/0.2.0/{}.jsonl",
            env!("CARGO_MANIFEST_DIR"),
            name.as_str()
        );
        let bytes = std::fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains(r#""schema_version": "0.2.0""#), "{name:?}");
        assert!(text.contains(r#""rules_version": "1.0.0""#), "{name:?}");
        let verified = with_game!(name, G => record::verify::<G>(&bytes).map(drop));
        verified.unwrap();
    }
}
