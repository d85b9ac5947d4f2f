//! "Did you mean": the known name closest to a misspelled one.

/// The name among `known` that `text` was most likely meant to be, if any is close: up to a third
/// of its letters may be wrong, or one letter of a short name.
pub(super) fn nearest<'k>(text: &str, known: &[&'k str]) -> Option<&'k str> {
    let text: Vec<char> = text.chars().take(TEXT_MAX + 1).collect();
    if text.len() > TEXT_MAX {
        return None;
    }
    known
        .iter()
        .map(|name| (distance(&text, name), *name))
        .filter(|(distance, name)| *distance <= (name.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Longer names are not compared, so that a hostile document costs little.
const TEXT_MAX: usize = 64;

/// The number of letters to add, drop or change; case is ignored.
fn distance(text: &[char], name: &str) -> usize {
    let mut row: Vec<usize> = (0..=text.len()).collect();
    for (name_idx, wanted) in name.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = name_idx + 1;
        for (idx, found) in text.iter().enumerate() {
            let changed = diagonal + usize::from(!found.eq_ignore_ascii_case(&wanted));
            diagonal = row[idx + 1];
            row[idx + 1] = changed.min(row[idx] + 1).min(diagonal + 1);
        }
    }
    row[text.len()]
}
