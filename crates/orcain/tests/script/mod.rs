//! Matches as text: the inputs of [`kernel::script`], and `round AD- .` for a whole round in which
//! seat 0 drafts `AD-` and seat 1 is silent.

use orcain::{Event, Orcain};

/// Plays a script and returns the events it caused.
#[track_caller]
pub(crate) fn play(position: &mut Orcain, script: &str) -> Vec<Event> {
    let inputs = script.split(';').map(str::trim);
    let inputs = inputs.map(|input| match input.strip_prefix("round ") {
        Some(layouts) => round(layouts),
        None => input.to_owned(),
    });
    kernel::script::play(position, &inputs.collect::<Vec<_>>().join("; "))
}

fn round(layouts: &str) -> String {
    let layouts = layouts.split_whitespace().enumerate();
    let drafts: String = layouts
        .filter(|(_, layout)| *layout != ".")
        .map(|(seat, layout)| format!("{seat} draft:{layout}; "))
        .collect();
    format!("{drafts}deadline; ticks")
}
