//! Reads a typed line as actions.

use kernel::live::Live;
use kernel::terminal::Terminal;
use kernel::words::WORDS_MAX;
use kernel::{Discard, GameExt, Reason, Seat};

/// The actions that a line means, each legal after those before it, or a sentence that says why it
/// means none. A line holds one action or several of the same turn, separated by spaces, such as the
/// steps of an order.
pub(super) fn read<G: Terminal + Live>(
    position: &G,
    seat: Seat,
    line: &str,
) -> Result<Vec<G::Action>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() > WORDS_MAX {
        return Err(format!("a line has at most {WORDS_MAX} words"));
    }
    let turn = position.turn_number();
    let (mut position, mut actions, mut n_read) = (position.clone(), Vec::new(), 0);
    while n_read < words.len() {
        let (before, rest) = words.split_at(n_read);
        if position.turn_number() != turn || !position.turn().open().contains(seat) {
            let (before, rest) = (before.join(" "), rest.join(" "));
            return Err(format!(
                "{rest:?} comes after the turn, which {before:?} ends"
            ));
        }
        let Some((n_words, action)) = longest(rest, |text| legal(&position, seat, text)) else {
            return Err(refusal(&position, seat, before, rest));
        };
        position.play_trusted(seat, action, &mut Discard);
        actions.push(action);
        n_read += n_words;
    }
    Ok(actions)
}

/// The longest beginning of the words that means something, with its number of words.
fn longest<T>(words: &[&str], meaning: impl Fn(&str) -> Option<T>) -> Option<(usize, T)> {
    let mut lengths = (1..=words.len()).rev();
    lengths.find_map(|n_words| Some((n_words, meaning(&words[..n_words].join(" "))?)))
}

/// The legal action that a text means. If several fit, the one with the highest id wins, as it is
/// the most final.
fn legal<G: Terminal>(position: &G, seat: Seat, text: &str) -> Option<G::Action> {
    let mask = position.legal(seat);
    let actions: Vec<G::Action> = mask.iter().filter_map(|id| position.action(id)).collect();
    meant(position, &actions, text)
}

/// The action with this text; otherwise, the one with this part after the colon; otherwise, the
/// one with this name.
fn meant<G: Terminal>(position: &G, actions: &[G::Action], text: &str) -> Option<G::Action> {
    let wanted = text.to_lowercase();
    let own = |action: &G::Action| action.to_string().to_lowercase();
    let is_whole = |action: &G::Action| {
        let own = own(action);
        own == wanted || own.replacen(':', " ", 1) == wanted
    };
    let is_end = |action: &G::Action| own(action).rsplit(':').next() == Some(&wanted);
    let is_name = |action: &G::Action| {
        let names = position.names(*action);
        names.iter().any(|name| name.to_lowercase() == wanted)
    };
    let last = |fits: &dyn Fn(&G::Action) -> bool| actions.iter().rev().find(|it| fits(it));
    let action = last(&is_whole).or_else(|| last(&is_end));
    action.or_else(|| last(&is_name)).copied()
}

/// Says why the rest of a line means nothing.
fn refusal<G: Terminal + Live>(position: &G, seat: Seat, before: &[&str], rest: &[&str]) -> String {
    let what = match before {
        [] => format!("{:?} is not legal now", rest.join(" ")),
        _ => format!(
            "{:?} is not legal after {:?}",
            rest.join(" "),
            before.join(" ")
        ),
    };
    match reason(position, seat, rest) {
        Some(reason) => format!("{what}: {reason}"),
        None => format!("{what}; help lists the legal actions"),
    }
}

/// The sentence with which the rules refuse the action that the words mean.
fn reason<G: Terminal + Live>(position: &G, seat: Seat, words: &[&str]) -> Option<&'static str> {
    let actions: Vec<G::Action> = position.actions().map(|(_, action)| action).collect();
    let (_, action) = longest(words, |text| meant(position, &actions, text))?;
    let Reason(code) = position.refuse(seat, action)?;
    let mut sentences = G::REFUSALS.iter();
    sentences.find(|it| it.0 == code).map(|it| it.1)
}
