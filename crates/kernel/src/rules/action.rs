//! Actions with ids and words.

use std::fmt::{self, Write};

pub use document::ActionSpace;

use crate::words::{NotAWord, Vocabulary};

/// The actions of a game: each has an id and a word. Derived for an enum.
///
/// ```
/// use kernel::rules::ActionSpace;
///
/// #[derive(Clone, Copy, PartialEq, Eq, Debug, ActionSpace)]
/// enum Action {
///     /// Pass.
///     Pass,
///     /// Move a piece.
///     #[word("move:{from}-{to}", label = "Go from {from} to {to}", group = "Moves")]
///     Move {
///         #[word(min = 1, max = 8)]
///         from: u8,
///         #[word(min = 1, max = 8)]
///         to: u8,
///     },
/// }
///
/// assert_eq!(Action::N, 65);
/// let action: Action = "move:2-8".parse()?;
/// assert_eq!(action, Action::Move { from: 2, to: 8 });
/// assert_eq!((action.id(), Action::with_id(16)), (16, Some(action)));
/// assert_eq!(action.label(), "Go from 2 to 8");
/// assert_eq!((action.group(), Action::Pass.group()), (Some("Moves"), None));
/// assert_eq!(
///     "move:2-9".parse::<Action>().unwrap_err().to_string(),
///     "expected an action such as pass or move:1-1",
/// );
/// # Ok::<(), kernel::words::NotAWord>(())
/// ```
pub trait ActionSpace: Vocabulary + Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The number of actions.
    const N: usize;

    /// The id, from 0.
    fn id(self) -> usize;

    /// The action with this id.
    fn with_id(id: usize) -> Option<Self>;

    /// The action in words for people.
    fn label(self) -> String;

    /// The heading under which pages list the action, if any.
    fn group(self) -> Option<&'static str>;

    /// Every action in the order of ids.
    fn all() -> impl Iterator<Item = Self> {
        (0..Self::N).filter_map(Self::with_id)
    }
}

/// Reads a word.
pub fn read_word<A: ActionSpace>(text: &str) -> Result<A, NotAWord> {
    let found = A::all().find(|action| reads(action, text));
    found.ok_or_else(NotAWord::of::<A>)
}

/// The word of the action with this id; empty if there is none.
pub fn word_of<A: ActionSpace>(id: usize) -> String {
    A::with_id(id).map_or(String::new(), |action| action.to_string())
}

/// True if the action is written as this text. Allocates nothing.
fn reads(action: &impl fmt::Display, text: &str) -> bool {
    let mut rest = Rest(text);
    write!(rest, "{action}").is_ok() && rest.0.is_empty()
}

/// The part of a text that was not written yet.
struct Rest<'a>(&'a str);

impl Write for Rest<'_> {
    fn write_str(&mut self, written: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(written).ok_or(fmt::Error)?;
        Ok(())
    }
}
