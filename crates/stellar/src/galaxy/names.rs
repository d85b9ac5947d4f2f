//! System names without repeats.

use std::collections::BTreeSet;

use crate::dice::Dice;

const FIRST: [&str; 27] = [
    "Al", "Be", "Cor", "Dra", "Eri", "For", "Gem", "Hy", "In", "Jun", "Kep", "Ly", "Mon", "Nov",
    "Or", "Per", "Qua", "Ri", "Sa", "Tau", "Ur", "Ve", "Vol", "Wol", "Xan", "Ya", "Zen",
];
const SECOND: [&str; 24] = [
    "dar", "mos", "nis", "phor", "rion", "seus", "tara", "thea", "vex", "lia", "bris", "gon",
    "kar", "mir", "nox", "pol", "ris", "sol", "tis", "vane", "wyn", "xis", "zar", "dune",
];

/// Draws `n` different names that are not in `taken`. Once every combination is used, names repeat
/// with a number.
pub(super) fn names(n: usize, taken: &BTreeSet<&str>, dice: &mut Dice) -> Vec<String> {
    let mut pairs: Vec<(usize, usize)> = (0..FIRST.len())
        .flat_map(|first| (0..SECOND.len()).map(move |second| (first, second)))
        .collect();
    dice.shuffle(&mut pairs);
    let mut names = Vec::with_capacity(n);
    for round in 1.. {
        for (first, second) in &pairs {
            if names.len() == n {
                return names;
            }
            let name = match round {
                1 => format!("{}{}", FIRST[*first], SECOND[*second]),
                _ => format!("{}{} {round}", FIRST[*first], SECOND[*second]),
            };
            if !taken.contains(name.as_str()) {
                names.push(name);
            }
        }
    }
    names
}

/// A Roman numeral up to 39.
pub(super) fn roman(number: u8) -> String {
    const ONES: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    let tens = "X".repeat(usize::from(number / 10));
    format!("{tens}{}", ONES[usize::from(number % 10)])
}
