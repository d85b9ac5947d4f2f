//! Every check of the suite can fail: for each, there is a game that breaks exactly the promise it
//! checks.
//!
//! Promise: Every conformance check can fail.

#![cfg(feature = "conformance")]

mod toys;

use std::collections::BTreeSet;

use kernel::conformance::{Memory, Secrets, Suite};
use toys::broken::{Broken, Fault, Setup, with_fault};

const IDS: &str = "action ids and actions are one to one";
const TEXTS: &str = "action texts are unique";
const MASK: &str = "exactly the open seats have legal actions";
const LEGAL: &str = "exactly the masked actions can be played";
const REFUSED: &str = "a refused step changes nothing";
const ENDS: &str = "every match ends within its bound";
const SEALED: &str = "sealed commits commute";
const TIME: &str = "passing time equals single deadlines";
const TOGETHER: &str = "sealed decisions played together equal single ones";
const DROPPED: &str = "dropping events changes no position";
const CHOICES: &str = "prepared choices are what the mask allows";
const FORM: &str = "positions keep their form";
const FORCED: &str = "chance is forced only in test matches";
const SNAPSHOT: &str = "snapshots round-trip";
const DAMAGE: &str = "damaged snapshots are refused with every fault";
const NOTATION: &str = "positions read back from their notation";
const SAME: &str = "the same inputs give the same bytes";
const REPLAY: &str = "replaying a record reproduces every hash";
const SECRET: &str = "secrets do not affect what a viewer sees";
const SILENT: &str = "sealed plays are invisible to others";
const OBSERVED: &str = "observations are complete and in range";
const ALLOCATION: &str = "no allocation per step after warm-up";
const BUDGET: &str = "a position stays within its budget";

/// Each fault with the check that must find it.
const FAULTS: [(Fault, &str); 42] = [
    (Fault::IdsRepeat, IDS),
    (Fault::IdsTooMany, IDS),
    (Fault::TextsRepeat, TEXTS),
    (Fault::MaskEmpty, MASK),
    (Fault::MaskClosed, MASK),
    (Fault::MissingNotOpen, MASK),
    (Fault::MaskedRefused, LEGAL),
    (Fault::UnmaskedPlays, LEGAL),
    (Fault::RefusalMarks, REFUSED),
    (Fault::NeverEnds, ENDS),
    (Fault::BoundTooLow, ENDS),
    (Fault::CommitsOrdered, SEALED),
    (Fault::TimeHurries, TIME),
    (Fault::SealedForgets, TOGETHER),
    (Fault::EventsMatter, DROPPED),
    (Fault::ChoicesDiffer, CHOICES),
    (Fault::TurnFalls, FORM),
    (Fault::EventUnlisted, FORM),
    (Fault::PresentTooMany, FORM),
    (Fault::ActionsGrow, FORM),
    (Fault::TurnsIntoATest, FORM),
    (Fault::ForcesInEarnest, FORCED),
    (Fault::SnapshotForgets, SNAPSHOT),
    (Fault::ReaderPanics, DAMAGE),
    (Fault::ReaderGuesses, DAMAGE),
    (Fault::ReaderPassesOver, DAMAGE),
    (Fault::ReaderStops, DAMAGE),
    (Fault::ReaderNeedsTable, NOTATION),
    (Fault::Tainted, SAME),
    (Fault::EncodeWrong, REPLAY),
    (Fault::EncodeDrawWrong, REPLAY),
    (Fault::ViewLeaks, SECRET),
    (Fault::ViewTextLeaks, SECRET),
    (Fault::MaskLeaks, SECRET),
    (Fault::ObservationLeaks, SECRET),
    (Fault::RedrawLazy, SECRET),
    (Fault::RedrawImpossible, SECRET),
    (Fault::EventLeaks, SILENT),
    (Fault::CoinLeaks, SECRET),
    (Fault::ObservationGap, OBSERVED),
    (Fault::ObservationRange, OBSERVED),
    (Fault::StepAllocates, ALLOCATION),
];

/// Faults that other checks find as well.
const FAR_REACHING: [Fault; 10] = [
    Fault::IdsRepeat,
    Fault::MaskEmpty,
    Fault::MaskClosed,
    Fault::MaskedRefused,
    Fault::NeverEnds,
    Fault::BoundTooLow,
    Fault::SnapshotForgets,
    Fault::ReaderNeedsTable,
    Fault::Tainted,
    Fault::MaskLeaks,
];

fn suite<const PAD: usize>() -> Suite<Broken<PAD>> {
    Suite {
        setups: vec![Setup::default()],
        n_matches: 60,
        seed: 1,
        position_bytes_max: 32,
        secrets: Secrets::Some,
        memory: Memory::PerMatch,
        count_allocations: |run| allocation_counter::measure(run).count_total,
    }
}

/// The checks that fail for a game with this fault.
fn found(fault: Fault) -> BTreeSet<&'static str> {
    let violations = with_fault(fault, || suite::<0>().violations());
    violations.iter().map(|violation| violation.check).collect()
}

#[test]
fn a_sound_game_passes_every_check() {
    for sound in [Fault::Sound, Fault::LongLines] {
        let violations = with_fault(sound, || suite::<0>().violations());
        assert!(violations.is_empty(), "{sound:?}: {violations:?}");
    }
}

#[test]
fn every_fault_is_found_by_its_check() {
    for (fault, check) in FAULTS {
        let found = found(fault);
        assert!(found.contains(check), "{fault:?} is found by {found:?}");
        assert!(
            found.len() == 1 || FAR_REACHING.contains(&fault),
            "{fault:?} is found by {found:?}, but only {check:?} should find it"
        );
    }
}

#[test]
fn a_position_over_its_budget_is_found() {
    let violations = suite::<64>().violations();
    let checks: Vec<&str> = violations.iter().map(|it| it.check).collect();
    assert_eq!(checks, [BUDGET]);
}

#[test]
fn every_check_finds_some_fault() {
    let proved: BTreeSet<&str> = FAULTS.iter().map(|(_, check)| *check).collect();
    for (check, _) in Suite::<Broken<0>>::checks() {
        assert!(
            proved.contains(check) || check == BUDGET,
            "no test proves that the check {check:?} can fail: add a fault that it finds"
        );
    }
}
