//! Positions and actions as short text, for tests, terminals and bug reports.
//!
//! A layout has one letter per slot, `-` for an empty one: `AD-`. An action is `draft:AD-` or
//! `confirm:ADH`. A position reads `r2 prep 10-8 AD-? 0z ---. 1z`: the round, the stage, hit
//! points, and for each seat the layout, its status (`.` silent, `?` drafted, `!` confirmed), and
//! the rounds missed in a row.

use std::fmt;
use std::str::FromStr;

use crate::{Action, Card, Layout, Orcain, STEPS_MAX, Slot, Stage, Status};

/// A layout of a known number of slots.
pub(crate) struct Letters(pub(crate) Layout, pub(crate) usize);

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |slot: Slot| slot.map_or('-', Card::letter);
        self.0
            .slots(self.1)
            .try_for_each(|slot| write!(f, "{}", letter(slot)))
    }
}

/// Without the setup, a layout is written with as many letters as it needs, and at least one.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = self.layout();
        let last = (0..STEPS_MAX).rev().find(|&idx| layout.slot(idx).is_some());
        let letters = Letters(layout, last.map_or(1, |last| last + 1));
        match self {
            Action::Draft(_) => write!(f, "draft:{letters}"),
            Action::Confirm(_) => write!(f, "confirm:{letters}"),
        }
    }
}

/// The text is not an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAnAction;

impl fmt::Display for NotAnAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected draft: or confirm: and one letter per slot, A D H C or -, as in confirm:ADH",
        )
    }
}

impl std::error::Error for NotAnAction {}

impl FromStr for Action {
    type Err = NotAnAction;

    fn from_str(text: &str) -> Result<Action, NotAnAction> {
        let (verb, letters) = text.split_once(':').ok_or(NotAnAction)?;
        let slot = |letter: char| match letter {
            '-' => Some(None),
            letter => Card::from_letter(letter).map(Some),
        };
        let slots: Option<Vec<Slot>> = letters.chars().map(slot).collect();
        let slots = slots.filter(|slots| !slots.is_empty()).ok_or(NotAnAction)?;
        let layout = Layout::new(&slots).ok_or(NotAnAction)?;
        match verb {
            "draft" => Some(Action::Draft(layout)),
            "confirm" => layout.full(slots.len()).map(Action::Confirm),
            _ => None,
        }
        .ok_or(NotAnAction)
    }
}

impl fmt::Display for Orcain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.hp();
        write!(f, "r{} ", self.round)?;
        match self.stage {
            Stage::Prep => f.write_str("prep")?,
            Stage::Reveal => write!(f, "reveal{}", self.n_shown)?,
        }
        write!(f, " {first}-{second}")?;
        for player in &self.players {
            let mark = match player.status {
                Status::Silent => '.',
                Status::Drafted => '?',
                Status::Confirmed => '!',
            };
            let letters = Letters(player.layout, self.setup.steps());
            write!(f, " {letters}{mark} {}z", player.afk_streak)?;
        }
        match self.ending {
            Some(ending) => write!(f, " over: {}", ending.outcome()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_read_as_they_are_written() {
        for text in [
            "draft:-",
            "draft:--C",
            "draft:A",
            "confirm:ADH",
            "confirm:AAAA",
        ] {
            assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_no_action() {
        for text in [
            "",
            "ADH",
            "confirm:",
            "confirm:A-H",
            "draft:ADHCA",
            "draft:a",
            "play:A",
        ] {
            assert_eq!(text.parse::<Action>(), Err(NotAnAction), "{text}");
        }
    }
}
