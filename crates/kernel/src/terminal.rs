//! Games that a person can play in a terminal.

use crate::Describe;
use crate::words::Vocabulary;

/// A game that a person can play in a terminal. The text of a view and the text of an action are
/// enough to play; the methods add what makes it comfortable.
pub trait Terminal: Describe {
    /// The rules in a few lines beyond [`SUMMARY`](Describe::SUMMARY), and the way decisions are
    /// typed.
    fn how_to_play(setup: &Self::Setup) -> String;

    /// Texts that mean this action besides its own, such as the name of a place. Upper and lower
    /// case are the same.
    fn names(&self, _action: Self::Action) -> Vec<String> {
        Vec::new()
    }

    /// A map of what the viewer sees, printed when a turn begins. `None` if the text of the view
    /// shows everything.
    fn map(_view: &Self::View) -> Option<String> {
        None
    }

    /// The names of what the map shows, printed when the match begins and on request.
    fn legend(_view: &Self::View) -> Option<String> {
        None
    }
}

/// The forms of the words of a game, one per line, each with an example and its meaning.
pub fn forms<A: Vocabulary>() -> String {
    let forms = A::forms();
    let width = forms.iter().map(|form| form.example.len()).max();
    let width = width.unwrap_or(0);
    let line =
        |form: &crate::words::WordForm| format!("  {:width$}  {}\n", form.example, form.about);
    forms.iter().map(line).collect()
}
