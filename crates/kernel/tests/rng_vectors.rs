//! Compares the generators with the draws of CPython and NumPy.
//!
//! Promise: The generators are those of CPython and NumPy, bit for bit.

#![allow(
    clippy::unwrap_used,
    reason = "a vector that cannot be read fails the test"
)]

use kernel::doc::parse;
use kernel::json::{Hash, Json, read};
use kernel::rng::{Generator, GeneratorKind, Pcg64, Seed, SeedSequence};

const VECTORS: &str = include_str!("../../../testdata/rng/vectors.json");

#[test]
fn every_draw_and_state_matches_the_library() {
    let vectors = read(VECTORS.as_bytes()).unwrap();
    let runs = vectors.get("runs").and_then(Json::as_list).unwrap();
    assert!(runs.len() > 100);
    for run in runs {
        let mut generator = start(run);
        let about = format!("{:?} {:?}", run.get("type"), run.get("seed"));
        for step in run.get("steps").and_then(Json::as_list).unwrap() {
            check(&mut generator, step.as_list().unwrap(), &about);
        }
    }
}

#[test]
fn cached_floats_are_kept_exactly_and_plain_numbers_are_accepted() {
    let vectors = read(VECTORS.as_bytes()).unwrap();
    let runs = vectors.get("runs").and_then(Json::as_list).unwrap();
    let states = runs.iter().filter_map(|run| run.get("state"));
    let py = states
        .into_iter()
        .find(|state| state.get("type").and_then(Json::as_text) == Some("py_random"))
        .unwrap();
    for pair in vectors.get("floats").and_then(Json::as_list).unwrap() {
        let [hex, plain] = pair.as_list().unwrap() else {
            panic!("a float must be its hex and its plain text");
        };
        let number = read(plain.as_text().unwrap().as_bytes()).unwrap();
        let from_number = parse::<Generator>(&with_gauss(py, number)).unwrap();
        let from_hex = parse::<Generator>(&with_gauss(py, hex.clone())).unwrap();
        assert_eq!(from_number, from_hex);
        let written = kernel::json::from_value(&from_number).unwrap();
        assert_eq!(written.pointer("/state/2"), Some(hex));
    }
    for bad in [
        "inf",
        "nan",
        "0x1p0",
        "0x1.8p+1",
        "1.5",
        "0x1.8000000000000p+1024",
        "",
    ] {
        let bad = with_gauss(py, Json::Text(bad.to_owned()));
        let faults = parse::<Generator>(&bad).unwrap_err();
        let fault = faults.iter().next().unwrap();
        assert_eq!(
            (fault.pointer.as_str(), fault.code),
            ("/state/2", "bad_float")
        );
    }
}

fn start(run: &Json) -> Generator {
    if let Some(state) = run.get("state") {
        return parse(state).unwrap();
    }
    let kind: GeneratorKind = text(run.get("type").unwrap()).parse().unwrap();
    let seed_text = text(run.get("seed").unwrap());
    let seed: Seed = seed_text.parse().unwrap();
    assert_eq!(seed.to_string(), seed_text);
    let Some(key) = run.get("spawn_key") else {
        return Generator::from_seed(kind, &seed);
    };
    let key = key.as_list().unwrap().iter();
    let key: Vec<u32> = key
        .map(|word| word.as_int().unwrap().try_into().unwrap())
        .collect();
    let sequence = SeedSequence::new(&seed, &key);
    Generator::Pcg64(Pcg64::from_sequence(&sequence))
}

fn check(generator: &mut Generator, step: &[Json], about: &str) {
    let (result, call) = step.split_last().unwrap();
    let (operation, arguments) = call.split_first().unwrap();
    let operation = text(operation);
    let int = |idx: usize| text(&arguments[idx]).parse::<i64>().unwrap();
    let size = || text(&arguments[0]).parse::<usize>().unwrap();
    let drawn = match (operation, &mut *generator) {
        ("below", any) => any.below(text(&arguments[0]).parse().unwrap()).to_string(),
        ("bits64", any) => any.bits64().to_string(),
        ("choice", any) => any.choice_index(size()).unwrap().to_string(),
        ("hash", any) => {
            let written = kernel::json::from_value(any).unwrap();
            assert_eq!(&parse::<Generator>(&written).unwrap(), any, "{about}");
            Hash::of(any).unwrap().to_string()[7..].to_owned()
        }
        ("shuffle", any) => {
            let mut items: Vec<usize> = (0..size()).collect();
            any.shuffle(&mut items);
            assert_eq!(
                &kernel::json::from_value(&items).unwrap(),
                result,
                "{about}"
            );
            return;
        }
        ("random", Generator::PyRandom(rng)) => return check_float(rng.random(), result, about),
        ("random", Generator::Numpy(rng)) => {
            return check_float(rng.random_sample(), result, about);
        }
        ("random", Generator::Pcg64(rng)) => return check_float(rng.random(), result, about),
        ("randrange", Generator::PyRandom(rng)) => {
            rng.randrange(int(0), int(1), int(2)).unwrap().to_string()
        }
        ("getrandbits", Generator::PyRandom(rng)) => {
            let n_bits = int(0) as u32;
            let mut narrow = rng.clone();
            let words = rng.getrandbits(n_bits).unwrap();
            let bytes: Vec<u8> = words
                .iter()
                .rev()
                .flat_map(|word| word.to_be_bytes())
                .collect();
            let drawn = Seed::from_be_bytes(&bytes).unwrap();
            if n_bits <= 64 {
                assert_eq!(
                    Some(narrow.getrandbits64(n_bits)),
                    drawn.as_u64(),
                    "{about}"
                );
                assert_eq!(&narrow, rng, "{about}");
            }
            drawn.to_string()
        }
        ("between", Generator::Numpy(rng)) => rng.randint(int(0), int(1)).unwrap().to_string(),
        ("between", Generator::Pcg64(rng)) => rng.integers(int(0), int(1)).unwrap().to_string(),
        (other, _) => panic!("unknown operation {other} of {about}"),
    };
    assert_eq!(drawn, text(result), "{operation} {arguments:?} of {about}");
}

/// Random floats are multiples of 2^-53, so that they compare exactly.
fn check_float(drawn: f64, expected: &Json, about: &str) {
    assert_eq!(drawn, hex_value(text(expected)), "random of {about}");
}

/// The value of a `float.hex()` string for a number from 0 to 1.
fn hex_value(hex: &str) -> f64 {
    let (mantissa, exponent) = hex[2..].split_once('p').unwrap();
    let digits = u64::from_str_radix(&mantissa.replace('.', ""), 16).unwrap();
    let n_fraction = mantissa.len() as i32 - 2;
    digits as f64 * 2f64.powi(exponent.parse::<i32>().unwrap() - 4 * n_fraction)
}

fn with_gauss(document: &Json, gauss: Json) -> Json {
    let mut document = document.clone();
    if let Json::Object(entries) = &mut document
        && let Some(Json::List(state)) = entries.get_mut("state")
    {
        state[2] = gauss;
    }
    document
}

fn text(json: &Json) -> &str {
    json.as_text().unwrap()
}
