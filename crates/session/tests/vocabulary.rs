//! The forms of a game's words describe exactly the words that are accepted.
//!
//! Promise: Every word that is accepted has a form, and every form is accepted.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use std::collections::BTreeSet;

use catalog::LiarsDice;
use catalog::catan::{self, BoardKind, Catan, RawSetup};
use catalog::stellar::{self, Stellar, shipped};
use jsonschema::Validator;
use kernel::words::Vocabulary;
use kernel::{GameExt, Recorded};
use serde_json::json;

/// The forms, compiled by an independent schema validator.
fn judges<A: Vocabulary>() -> Vec<Validator> {
    let judge = |pattern: &str| jsonschema::validator_for(&json!({"pattern": pattern})).unwrap();
    A::forms().iter().map(|form| judge(&form.pattern)).collect()
}

fn matching(judges: &[Validator], word: &str) -> Vec<usize> {
    let word = json!(word);
    let fits = |(idx, judge): (usize, &Validator)| judge.is_valid(&word).then_some(idx);
    judges.iter().enumerate().filter_map(fits).collect()
}

/// Every word of the action spaces of these setups.
fn words<G: Recorded>(setups: &[G::Setup]) -> BTreeSet<String> {
    let positions = setups.iter().map(G::start);
    let words = positions.flat_map(|it| {
        it.actions()
            .map(|(_, it)| it.to_string())
            .collect::<Vec<_>>()
    });
    words.collect()
}

/// Strings that differ slightly from a word.
fn neighbours(word: &str) -> Vec<String> {
    let mut texts = vec![
        String::new(),
        word.to_uppercase(),
        format!(" {word}"),
        format!("{word} "),
        format!("{word}:"),
        format!("{word}0"),
        format!("{word}+ORE"),
        word.replace(':', ":0"),
        word.replace(':', ":-"),
        word.replace(':', ""),
        word.replace('>', "+"),
    ];
    for (idx, letter) in word.char_indices() {
        let (before, after) = (&word[..idx], &word[idx + letter.len_utf8()..]);
        texts.push(format!("{before}{after}"));
        texts.push(format!("{before}{letter}{letter}{after}"));
        texts.extend(["0", "7", "9", ":"].map(|it| format!("{before}{it}{after}")));
    }
    texts
}

fn check<G: Recorded<Action: Vocabulary>>(setups: &[G::Setup]) {
    let judges = judges::<G::Action>();
    let words = words::<G>(setups);
    let mut used = BTreeSet::new();
    for word in &words {
        let forms = matching(&judges, word);
        assert_eq!(forms.len(), 1, "{word} has the forms {forms:?}");
        used.extend(forms);
    }
    let forms = G::Action::forms();
    assert_eq!(used.len(), forms.len(), "a form matches no word: {used:?}");
    for (idx, form) in forms.iter().enumerate() {
        assert_eq!(matching(&judges, &form.example), [idx], "{form:?}");
        assert!(form.about.ends_with('.'), "{form:?}");
    }
    // Similar words have similar neighbors, so a sample of them is enough.
    let some = words.iter().step_by(words.len().div_ceil(100));
    for text in some.flat_map(|it| neighbours(it)) {
        let reads = text.parse::<G::Action>().is_ok();
        assert_eq!(
            matching(&judges, &text).len(),
            usize::from(reads),
            "{text:?}"
        );
    }
}

#[test]
fn the_forms_of_catan_are_its_words() {
    let random = RawSetup {
        board: BoardKind::Random,
        vp_to_win: 10,
        ..RawSetup::default()
    };
    let test = RawSetup {
        test: true,
        ..RawSetup::default()
    };
    let setups = [random, test].map(|raw| catan::Setup::try_from(raw).unwrap());
    check::<Catan>(&setups);
}

#[test]
fn the_forms_of_stellar_fleet_are_its_words() {
    let setup = |name: &&str| stellar::Setup::new(shipped::scenario(name).unwrap(), 0).unwrap();
    check::<Stellar>(&shipped::NAMES.iter().map(setup).collect::<Vec<_>>());
}

#[test]
fn the_forms_of_derived_actions_are_their_words() {
    let setup = kernel::json::read(br#"{"seats": 6, "dice": 6}"#).unwrap();
    check::<LiarsDice>(&[LiarsDice::read_setup(&setup).unwrap()]);
}

#[test]
fn the_largest_numbers_of_a_word_are_accepted_and_the_next_are_not() {
    fn reads<A: Vocabulary>(word: &str) -> bool {
        let n_forms = matching(&judges::<A>(), word).len();
        assert_eq!(word.parse::<A>().is_ok(), n_forms == 1, "{word}");
        n_forms == 1
    }
    for (word, is_read) in [
        ("roll:6+6", true),
        ("roll:7+1", false),
        ("robber:18", true),
        ("robber:19", false),
        ("road:71", true),
        ("road:72", false),
        ("city:53", true),
        ("city:54", false),
        ("bank:ORE>ORE", false),
        ("plenty:ORE+BRICK", false),
        ("plenty:ORE", true),
    ] {
        assert_eq!(reads::<catan::Action>(word), is_read, "{word}");
    }
    for (word, is_read) in [
        ("fleet:65535", true),
        ("fleet:65536", false),
        ("body:255", true),
        ("body:256", false),
        ("below:75", true),
        ("below:100", false),
    ] {
        assert_eq!(reads::<stellar::Action>(word), is_read, "{word}");
    }
}
