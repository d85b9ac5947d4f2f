//! Properties of every generator.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use kernel::doc::parse;
use kernel::json::{Json, from_value, read, to_canonical};
use kernel::rng::{Generator, GeneratorKind, Pcg64, Seed, SeedError, SeedSequence};
use proptest::prelude::*;
use serde_json::json;

fn kinds() -> impl Strategy<Value = GeneratorKind> {
    prop::sample::select(GeneratorKind::ALL.to_vec())
}

fn draw(rng: &mut Generator, which: u64) -> u64 {
    match which % 4 {
        0 => rng.bits64(),
        1 => rng.below(which),
        2 => rng
            .choice_index(which as usize % 30)
            .map_or(99, |idx| idx as u64),
        _ => {
            let mut items: Vec<u64> = (0..which % 12).collect();
            rng.shuffle(&mut items);
            items.iter().fold(0, |all, item| all * 12 + item)
        }
    }
}

proptest! {
    #[test]
    fn a_restored_generator_continues_like_the_original(
        kind in kinds(),
        seed in any::<u64>(),
        before in prop::collection::vec(any::<u64>(), 0..400),
        after in prop::collection::vec(any::<u64>(), 1..400),
    ) {
        let mut rng = Generator::from_seed(kind, &Seed::from(seed));
        before.iter().for_each(|which| { draw(&mut rng, *which); });
        let bytes = to_canonical(&rng).unwrap();
        let mut restored: Generator = parse(&read(&bytes).unwrap()).unwrap();
        prop_assert_eq!(&restored, &rng);
        prop_assert_eq!(to_canonical(&restored).unwrap(), bytes);
        for which in after {
            prop_assert_eq!(draw(&mut restored, which), draw(&mut rng, which));
        }
        prop_assert_eq!(restored, rng);
    }

    #[test]
    fn below_is_below(kind in kinds(), seed in any::<u64>(), n in 1u64.., small in 1u64..100) {
        let mut rng = Generator::from_seed(kind, &Seed::from(seed));
        for n in [n, small, 1, 1 << 32, u64::MAX, 1 << 63] {
            prop_assert!(rng.below(n) < n);
        }
        prop_assert_eq!(rng.below(0), 0);
        prop_assert_eq!(rng.choice_index(0), None);
    }

    #[test]
    fn a_shuffle_loses_nothing(kind in kinds(), seed in any::<u64>(), len in 0usize..100) {
        let mut rng = Generator::from_seed(kind, &Seed::from(seed));
        let mut items: Vec<usize> = (0..len).collect();
        rng.shuffle(&mut items);
        items.sort_unstable();
        prop_assert!(items.into_iter().eq(0..len));
    }

    #[test]
    fn a_damaged_state_is_refused_or_works(
        kind in kinds(),
        seed in any::<u64>(),
        place in any::<prop::sample::Index>(),
        bad in prop::sample::select(vec!["null", "-1", "4294967296", "1.5", "\"x\"", "[]", "{}", "0", "true", "\"0\""]),
    ) {
        let mut rng = Generator::from_seed(kind, &Seed::from(seed));
        rng.below(10);
        let mut document = from_value(&rng).unwrap();
        let n_places = places(&mut document).len();
        *places(&mut document)[place.index(n_places)] = read(bad.as_bytes()).unwrap();
        match parse::<Generator>(&document) {
            Ok(mut rng) => { draw(&mut rng, 1_000_001); }
            Err(faults) => prop_assert!(!faults.is_empty()),
        }
    }

    #[test]
    fn seeds_of_any_size_are_written_and_read(bytes in prop::collection::vec(any::<u8>(), 0..=512)) {
        let seed = Seed::from_be_bytes(&bytes).unwrap();
        prop_assert_eq!(&seed.to_string().parse::<Seed>().unwrap(), &seed);
        prop_assert_eq!(&parse::<Seed>(&from_value(&seed).unwrap()).unwrap(), &seed);
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        prop_assert_eq!(&format!("0x0{hex}").parse::<Seed>().unwrap(), &seed);
        let digits: Vec<u8> = bytes.into_iter().skip_while(|byte| *byte == 0).collect();
        prop_assert_eq!(seed.to_be_bytes(), digits);
    }
}

#[test]
fn the_schema_allows_the_state_of_every_generator_and_no_other_shape() {
    let schema = schemars::schema_for!(Generator).to_value();
    let judge = jsonschema::validator_for(&schema).unwrap();
    for kind in GeneratorKind::ALL {
        let generator = Generator::from_seed(kind, &Seed::from(1));
        let mut document = serde_json::to_value(&generator).unwrap();
        assert!(judge.is_valid(&document), "{document}");
        for state in [json!(null), json!({}), json!([]), json!([3, [], null])] {
            document["state"] = state;
            assert!(!judge.is_valid(&document), "{document}");
        }
    }
}

#[test]
fn every_fault_of_a_state_is_reported() {
    let document = read(
        br#"{"type": "pcg64", "state": {"state": "01", "inc": "4", "has_uint32": 2, "uintger": 0}}"#,
    );
    let faults = parse::<Generator>(&document.unwrap()).unwrap_err();
    assert_eq!(
        faults.to_string(),
        "at /state/uintger: unknown field \"uintger\"; did you mean \"uinteger\"?\n\
         at /state/state: expected an integer from 0 to 2^128 - 1, found \"01\"\n\
         at /state/has_uint32: expected an integer from 0 to 1, found 2\n\
         at /state/uinteger: expected an integer from 0 to 4294967295, found nothing\n\
         at /state/inc: expected an odd integer, found \"4\""
    );
}

#[test]
fn a_document_without_a_state_has_one_fault() {
    let document = read(br#"{"type": "chacha20"}"#).unwrap();
    let faults = parse::<Generator>(&document).unwrap_err();
    assert_eq!(
        faults.to_string(),
        "at /state: expected an object, found nothing"
    );
    let document = read(br#"{"type": "chacha20", "state": 5}"#).unwrap();
    let faults = parse::<Generator>(&document).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults}");
}

#[test]
fn a_state_of_zeros_is_refused() {
    let words = vec![Json::Int(0); 625];
    let state = Json::List(vec![Json::Int(3), Json::List(words), Json::Null]);
    let document = Json::Object(
        [
            ("type".to_owned(), Json::Text("py_random".to_owned())),
            ("state".to_owned(), state),
        ]
        .into(),
    );
    let faults = parse::<Generator>(&document).unwrap_err();
    assert_eq!(faults.iter().next().unwrap().code, "dead_state");
}

/// The block of key 0 and nonce 0 that RFC 7539 (appendix A.1, vector 1) prints.
#[test]
fn chacha20_produces_the_published_key_stream() {
    let mut rng = Generator::from_seed(GeneratorKind::ChaCha20, &Seed::from(0));
    assert_eq!(
        rng.bits64().to_le_bytes(),
        [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]
    );
    assert_eq!(
        rng.bits64().to_le_bytes(),
        [0x40, 0x5d, 0x6a, 0xe5, 0x53, 0x86, 0xbd, 0x28]
    );
}

#[test]
fn chacha20_continues_after_the_end_of_its_stream() {
    let document = read(
        format!(
            r#"{{"type": "chacha20", "state": {{"key": "{}", "stream": "18446744073709551615", "word_pos": "{}"}}}}"#,
            "0f".repeat(32),
            (1u128 << 68) - 3
        )
        .as_bytes(),
    );
    let mut rng: Generator = parse(&document.unwrap()).unwrap();
    for _ in 0..100 {
        let written = from_value(&rng).unwrap();
        let mut restored: Generator = parse(&written).unwrap();
        assert_eq!(restored, rng);
        assert_eq!(restored.bits64(), rng.bits64());
    }
}

#[test]
fn debug_does_not_show_the_key() {
    let seed: Seed = format!("0x{}", "ab".repeat(32)).parse().unwrap();
    let rng = Generator::from_seed(GeneratorKind::ChaCha20, &seed);
    assert!(!format!("{rng:?}").contains("ab") && !format!("{rng:?}").contains("171"));
}

#[test]
fn invalid_seeds_are_refused() {
    for text in ["", "-1", "0x", "1e3", "1_000", " 1", "0Xff"] {
        assert_eq!(text.parse::<Seed>(), Err(SeedError::NotAnInteger));
    }
    assert_eq!(
        format!("0x1{}", "0".repeat(1024)).parse::<Seed>(),
        Err(SeedError::TooLarge)
    );
    assert_eq!(
        "9".repeat(100_000).parse::<Seed>(),
        Err(SeedError::TooLarge)
    );
    assert!(Seed::from_be_bytes(&[1; 513]).is_err());
    assert!(Seed::from_be_bytes(&[0; 1000]).is_ok());
}

#[test]
fn sequences_derived_side_by_side_are_those_derived_alone() {
    let run = SeedSequence::new(&"0x123456789abcdef0123".parse().unwrap(), &[5]);
    for first in [0, 1, 1000, u32::MAX - 3] {
        let many = run.children::<8>(first);
        let seats = [0, 1, 15].map(|seat| (seat, many.child(1).child(seat)));
        for (lane, key) in (0..8).map(|lane| (lane, first.wrapping_add(lane as u32))) {
            assert_eq!(many.get(lane), run.child(key));
            for (seat, seats) in &seats {
                let alone = run.child(key).child(1).child(*seat);
                let mut words = [[0; 4]; 8];
                seats.write_words64(&mut words);
                assert_eq!(words[lane], alone.words64());
                assert_eq!(Pcg64::from_words(words[lane]), Pcg64::from_sequence(&alone));
            }
        }
    }
}

#[test]
fn seeding_a_simulation_allocates_nothing() {
    let counted = allocation_counter::measure(|| {
        let sequence = SeedSequence::new(&Seed::from(7), &[1, 2, 3]);
        assert!(Pcg64::from_sequence(&sequence).below(6) < 6);
    });
    assert_eq!(counted.count_total, 0);
    assert!(size_of::<Generator>() <= 64);
}

/// Every value of a document that is neither a list nor an object.
fn places(json: &mut Json) -> Vec<&mut Json> {
    match json {
        Json::List(items) => items.iter_mut().flat_map(places).collect(),
        Json::Object(entries) => entries.values_mut().flat_map(places).collect(),
        leaf => vec![leaf],
    }
}
