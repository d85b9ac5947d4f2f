//! Bytes and lines changed by accident.

use kernel::Recorded;
use kernel::json::{read, to_canonical};
use kernel::record::{Line, Reader, Replay, split_lines};

use crate::matches::{armada, join, lines, open_source, play, records, smugglers};
use crate::toys::armada::Armada;
use crate::toys::smugglers::Smugglers;

#[test]
fn every_flipped_byte_is_found_at_its_line() {
    for case in records() {
        let mut bytes = case.record.clone();
        let mut n_line = 1;
        for idx in 0..bytes.len() {
            let was = bytes[idx];
            bytes[idx] ^= 1 << (idx % 8);
            let code = match was {
                b'\n' if idx + 1 == bytes.len() => "torn_line",
                b'\n' => "not_json",
                _ => code_of(line_around(&bytes, idx)),
            };
            assert_eq!(case.fault(&bytes), (n_line, code), "byte {idx}");
            bytes[idx] = was;
            n_line += usize::from(was == b'\n');
        }
    }
}

#[test]
fn every_flipped_bit_breaks_the_form_or_the_chain_of_its_line() {
    for case in records() {
        let mut reader = Reader::new();
        for line in lines(&case.record) {
            for bit in 0..line.len() * 8 {
                let mut flipped = line.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let mut reader = reader.clone();
                let fault = reader.push(&flipped).unwrap_err();
                let expected = (reader.n_lines(), code_of(&flipped));
                assert_eq!((fault.line, fault.code), expected, "bit {bit}");
            }
            reader.push(&line).unwrap();
        }
    }
}

/// The line that contains this byte; the damaged byte may itself be a line end.
fn line_around(bytes: &[u8], idx: usize) -> &[u8] {
    let is_end = |byte: &u8| *byte == b'\n';
    let start = bytes[..idx].iter().rposition(is_end).map_or(0, |at| at + 1);
    let len = bytes[start..].iter().position(is_end).unwrap();
    &bytes[start..start + len]
}

/// The code that the format prescribes for a damaged line.
fn code_of(line: &[u8]) -> &'static str {
    match read(line) {
        Err(_) => "not_json",
        Ok(json) if json.get("chain").is_none() => "no_chain",
        Ok(json) if to_canonical(&json).is_ok_and(|again| again == line) => "broken_chain",
        Ok(_) => "not_canonical",
    }
}

#[test]
fn a_removed_line_is_found_where_it_is_missing() {
    for case in records() {
        let lines = lines(&case.record);
        for idx in 0..lines.len() {
            let mut rest = lines.clone();
            rest.remove(idx);
            let last = idx + 1 == lines.len();
            let code = if last { "not_closed" } else { "broken_chain" };
            assert_eq!(case.fault(&join(&rest)), (idx + 1, code));
        }
    }
}

#[test]
fn two_swapped_lines_are_found_at_the_first_of_them() {
    for case in records() {
        let lines = lines(&case.record);
        for idx in 0..lines.len() - 1 {
            let mut swapped = lines.clone();
            swapped.swap(idx, idx + 1);
            assert_eq!(case.fault(&join(&swapped)), (idx + 1, "broken_chain"));
        }
    }
}

#[test]
fn a_duplicated_line_is_found_at_its_copy() {
    for case in records() {
        let lines = lines(&case.record);
        for (idx, line) in lines.iter().enumerate() {
            let mut doubled = lines.clone();
            doubled.insert(idx + 1, line.clone());
            let last = idx + 1 == lines.len();
            let code = if last {
                "after_closing"
            } else {
                "broken_chain"
            };
            assert_eq!(case.fault(&join(&doubled)), (idx + 2, code));
        }
    }
}

#[test]
fn an_empty_line_and_an_empty_record_are_refused() {
    for case in records() {
        assert_eq!(case.fault(b""), (1, "empty"));
        assert_eq!(case.fault(b"\n"), (1, "not_json"));
        let lines = lines(&case.record);
        let n_lines = lines.len();
        let padded = [case.record.as_slice(), b"\n"].concat();
        assert_eq!(case.fault(&padded), (n_lines + 1, "after_closing"));
    }
}

#[test]
fn a_torn_last_line_is_named_and_the_lines_before_it_replay() {
    check_torn::<Smugglers>(&smugglers());
    check_torn::<Armada>(&armada());
}

/// Cuts the closing line and an action line at every length.
fn check_torn<G: Recorded>(setup: &G::Setup) {
    let played = play::<G>(setup, open_source(5), None, 5);
    let all = lines(&played.record);
    for n_lines in [all.len(), all.len() / 2] {
        let (torn, whole) = all[..n_lines].split_last().unwrap();
        let expected = kernel::record::verify::<G>(&join(whole))
            .map(|report| report.state_hash)
            .map_err(|fault| fault.code);
        for n_bytes in 1..=torn.len() {
            let bytes = [join(whole).as_slice(), &torn[..n_bytes]].concat();
            let fault = kernel::record::verify::<G>(&bytes).unwrap_err();
            assert_eq!((fault.line, fault.code), (n_lines, "torn_line"));
        }
        let bytes = [join(whole).as_slice(), &torn[..torn.len() / 2]].concat();
        let replay = replay_whole_lines::<G>(&bytes);
        match expected {
            Ok(hash) => assert_eq!(replay.table().state_hash(), hash),
            Err(code) => assert_eq!(code, "not_closed", "only the closing line was torn"),
        }
        assert_eq!(replay.n_actions() as usize, whole.len() - 1);
    }
}

/// Replays the complete lines and ignores the torn one.
fn replay_whole_lines<G: Recorded>(bytes: &[u8]) -> Replay<G> {
    let (lines, torn) = split_lines(bytes);
    assert!(!torn.is_empty());
    let mut reader = Reader::new();
    let mut replay: Option<Replay<G>> = None;
    for line in lines {
        match reader.push(line).unwrap() {
            Line::Header(header) => replay = Some(Replay::begin(&header).unwrap()),
            Line::Action(line) => {
                let replay = replay.as_mut().unwrap();
                replay.advance(&line, reader.n_lines()).unwrap();
            }
            Line::Closing(_) => panic!("the closing line was torn"),
        }
    }
    replay.unwrap()
}
