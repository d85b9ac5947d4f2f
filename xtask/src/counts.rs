//! Reading the summaries that test runners print.

use crate::step::Tally;

/// The counts of `cargo nextest run`, or nothing when it never came to a summary.
pub(crate) fn nextest(output: &str) -> Option<Tally> {
    let summary = output
        .lines()
        .rev()
        .find(|line| line.trim_start().starts_with("Summary ["))?;
    let (_, counts) = summary
        .split_once(" run: ")
        .or_else(|| summary.split_once(" run; "))?;
    let mut tally = Tally::default();
    for part in without_parentheses(counts).split(',') {
        let (count, what) = part.trim().split_once(' ')?;
        let count: u64 = count.parse().ok()?;
        match what.trim() {
            "passed" => tally.passed += count,
            "skipped" => tally.skipped += count,
            // "failed", "exec failed", "timed out"
            _ => tally.failed += count,
        }
    }
    Some(tally)
}

/// The counts of `cargo test --doc`, summed over all crates; nothing when no crate came to a result.
pub(crate) fn doctest(output: &str) -> Option<Tally> {
    let mut results = output
        .lines()
        .filter_map(|line| line.strip_prefix("test result: "))
        .peekable();
    results.peek()?;
    let mut tally = Tally::default();
    for result in results {
        tally.passed += count_before(result, " passed");
        tally.failed += count_before(result, " failed");
        tally.skipped += count_before(result, " ignored");
    }
    Some(tally)
}

/// The counts of `python -m unittest`, or nothing when it never came to a summary.
pub(crate) fn unittest(output: &str) -> Option<Tally> {
    let mut lines = output
        .lines()
        .rev()
        .skip_while(|line| !is_unittest_verdict(line));
    let verdict = lines.next()?;
    let ran = lines.find_map(|line| line.strip_prefix("Ran "))?;
    let ran: u64 = ran.split(' ').next()?.parse().ok()?;
    let skipped = count_after(verdict, "skipped=");
    let failed = count_after(verdict, "(failures=")
        + count_after(verdict, "errors=")
        + count_after(verdict, "unexpected successes=");
    Some(Tally {
        passed: ran.saturating_sub(failed + skipped),
        failed,
        skipped,
    })
}

/// The counts at the end of `node --test` with the reporter `tap`; nothing without them.
pub(crate) fn node(output: &str) -> Option<Tally> {
    let count = |label: &str| -> Option<u64> {
        let line = output
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix(label));
        line?.trim().parse().ok()
    };
    Some(Tally {
        passed: count("# pass ")?,
        failed: count("# fail ")? + count("# cancelled ")?,
        skipped: count("# skipped ")? + count("# todo ")?,
    })
}

/// The output of `node --test` with the reporter `tap` without the tests that passed: the fault that a
/// reader looks for stands at the top.
pub(crate) fn node_faults(output: &str) -> String {
    let mut kept = Vec::new();
    let mut passed = false;
    for line in output.lines() {
        match line.trim_start() {
            test if test.starts_with("ok ") => passed = true,
            test if test.starts_with("not ok ") => passed = false,
            name if name.starts_with("# Subtest: ") => passed = true,
            _ if !line.starts_with(' ') => passed = false,
            _ => {}
        }
        if !passed {
            kept.push(line);
        }
    }
    kept.join("\n")
}

fn is_unittest_verdict(line: &str) -> bool {
    line == "NO TESTS RAN"
        || line == "OK"
        || line.starts_with("OK (")
        || line == "FAILED"
        || line.starts_with("FAILED (")
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0;
    let mut kept = String::new();
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 => kept.push(character),
            _ => {}
        }
    }
    kept
}

/// The number that ends just before `label`; 0 when there is none.
fn count_before(text: &str, label: &str) -> u64 {
    let Some((before, _)) = text.split_once(label) else {
        return 0;
    };
    let digits = before.rsplit(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|d| d.parse().ok()).unwrap_or(0)
}

/// The number that starts just after `label`; 0 when there is none.
fn count_after(text: &str, label: &str) -> u64 {
    let Some((_, after)) = text.split_once(label) else {
        return 0;
    };
    let digits = after.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|d| d.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: u64, failed: u64, skipped: u64) -> Option<Tally> {
        Some(Tally {
            passed,
            failed,
            skipped,
        })
    }

    #[test]
    fn nextest_counts_an_abort_as_a_failure() {
        let output = "\
    Starting 4 tests across 1 binary (1 test skipped)
     SIGABRT [   0.028s] sample aborts
────────────
     Summary [   0.200s] 4 tests run: 2 passed, 2 failed, 1 skipped
     SIGABRT [   0.028s] sample aborts
        FAIL [   0.198s] sample bad
error: test run failed
";
        assert_eq!(nextest(output), tally(2, 2, 1));
    }

    #[test]
    fn nextest_details_in_parentheses_are_not_counted_twice() {
        let line = "     Summary [  12.3s] 9 tests run: 7 passed (2 slow, 1 flaky), 1 failed, 1 timed out, 0 skipped";
        assert_eq!(nextest(line), tally(7, 2, 0));
        let line = "     Summary [   0.1s] 1 test run: 1 passed, 0 skipped";
        assert_eq!(nextest(line), tally(1, 0, 0));
        let line = "     Summary [   0.000s] 0 tests run: 0 passed, 1 skipped";
        assert_eq!(nextest(line), tally(0, 0, 1));
        let line = "     Summary [   2.1s] 3/9 tests run: 2 passed, 1 exec failed, 0 skipped";
        assert_eq!(nextest(line), tally(2, 1, 0));
    }

    #[test]
    fn node_says_its_counts_last() {
        let output = "not ok 1 - matches\n1..1\n# tests 5\n# suites 1\n# pass 3\n# fail 1\n\
                      # cancelled 0\n# skipped 1\n# todo 0\n# duration_ms 12.5\n";
        assert_eq!(node(output), tally(3, 1, 1));
        assert_eq!(node("Error: Cannot find module"), None);
    }

    #[test]
    fn node_faults_leave_out_what_passed() {
        let output = "\
TAP version 13
# Subtest: one
ok 1 - one
  ---
  duration_ms: 2.5
  ...
# Subtest: two
not ok 2 - two
  ---
  error: 'not in time'
  ...
# evidence: target/test-failures/two
1..2
";
        let faults = "\
TAP version 13
not ok 2 - two
  ---
  error: 'not in time'
  ...
# evidence: target/test-failures/two
1..2";
        assert_eq!(node_faults(output), faults);
    }

    #[test]
    fn nextest_that_did_not_build_has_no_counts() {
        assert_eq!(
            nextest("error: could not compile `kernel` (lib test)\n"),
            None
        );
    }

    #[test]
    fn doctests_are_summed_over_crates_and_bundles() {
        let output = "\
   Doc-tests sample

running 3 tests
test src/lib.rs - (line 1) ... ok
test src/lib.rs - (line 7) ... ignored
test src/lib.rs - (line 4) ... FAILED

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.09s


running 1 test
test src/lib.rs - (line 10) - compile fail ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.08s

all doctests ran in 0.77s; merged doctests compilation took 0.59s
";
        assert_eq!(doctest(output), tally(2, 1, 1));
        assert_eq!(doctest("error: could not compile"), None);
    }

    #[test]
    fn unittest_counts_every_kind_of_failure() {
        let output = "\
FE.sux
======================================================================
UNEXPECTED SUCCESS: test_us (test_a.T.test_us)
----------------------------------------------------------------------
Ran 6 tests in 0.001s

FAILED (failures=1, errors=1, skipped=1, expected failures=1, unexpected successes=1)
";
        assert_eq!(unittest(output), tally(2, 3, 1));
    }

    #[test]
    fn unittest_without_faults_or_without_tests() {
        assert_eq!(
            unittest("Ran 12 tests in 0.4s\n\nOK (skipped=2)\n"),
            tally(10, 0, 2)
        );
        assert_eq!(
            unittest("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n"),
            tally(0, 0, 0)
        );
        assert_eq!(unittest("Ran 1 test in 0.0s\n\nOK\n"), tally(1, 0, 0));
        assert_eq!(unittest("ModuleNotFoundError: numpy\n"), None);
    }
}
