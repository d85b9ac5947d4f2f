//! The setup of a match.

use std::ops::Deref;

use kernel::doc::{self, Document, Faults, Names, Node};
use kernel::json;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// The rules of a match and the players' names, validated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema, Document)]
#[serde(transparent)]
pub struct Setup(pub(crate) RawSetup);

/// A setup as written in a document. Omitted fields take the standard values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "Catan setup")]
pub struct RawSetup {
    /// The reference board, or one drawn from the match's generator.
    pub board: BoardKind,
    /// Two independent dice, or the 36 rolls drawn without replacement.
    pub dice: DiceKind,
    /// The number of cards that a hand above the threshold discards on a seven.
    pub discard_rule: DiscardRule,
    /// A hand with more cards than this discards on a seven.
    #[schemars(range(min = 1, max = 95))]
    pub discard_threshold: u8,
    /// If true, the robber cannot block players with at most two points on the board.
    pub friendly_robber: bool,
    /// The last turn. The match is cut off as a draw when it ends.
    #[schemars(range(min = 1, max = 10000))]
    pub max_turns: u16,
    /// Allows the players to offer each other trades.
    pub player_trades: Switch,
    /// The players' names: 1 to 24 bytes each.
    #[schemars(with = "[String; 2]")]
    pub players: [Name; 2],
    /// Declares a test match: players may force the dice (`ROLL_DICE` with `forced_value`), and
    /// the match is played without a stake and unrated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// The number of trades a player may offer in a turn.
    #[schemars(range(min = 1, max = 100))]
    pub trades_per_turn: u8,
    /// The points needed to win.
    #[schemars(range(min = 3, max = 22))]
    pub vp_to_win: u8,
}

/// The source of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum BoardKind {
    /// The board of the specification.
    Reference,
    /// Shuffled, with no two tiles of 6 or 8 adjacent.
    Random,
}

/// The source of the dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum DiceKind {
    /// Each roll is independent.
    Uniform,
    /// The 36 rolls come from a bag that is refilled when empty.
    Bag36,
}

/// The number of cards that a hand above the threshold discards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum DiscardRule {
    /// Half of the hand, rounded down.
    HalfFloor,
    /// All cards above the threshold.
    ToThreshold,
}

/// Turns an option on or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Switch {
    /// Allowed.
    On,
    /// Not allowed.
    Off,
}

/// A player's name: 1 to 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    len: u8,
    bytes: [u8; Name::BYTES_MAX],
}

impl Name {
    /// The maximum length of a name in bytes.
    pub const BYTES_MAX: usize = 24;

    /// Returns `None` unless the text has 1 to 24 bytes.
    pub fn new(text: &str) -> Option<Name> {
        let mut bytes = [0; Name::BYTES_MAX];
        bytes
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        (!text.is_empty()).then_some(Name {
            len: text.len() as u8,
            bytes,
        })
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len.into()]).unwrap_or("?")
    }
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}

impl Document for Name {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Name> {
        let name = Name::new(node.text(faults)?);
        if name.is_none() {
            faults.at(node, "bad_name", "expected a name of 1 to 24 bytes");
        }
        name
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Default for RawSetup {
    /// The standard match: 15 points, discards above nine cards, the reference board.
    fn default() -> RawSetup {
        RawSetup {
            board: BoardKind::Reference,
            dice: DiceKind::Uniform,
            discard_rule: DiscardRule::HalfFloor,
            discard_threshold: 9,
            friendly_robber: false,
            max_turns: 1000,
            player_trades: Switch::On,
            players: ["Blue", "Orange"].map(|name| Name::new(name).expect("a short name")),
            test: false,
            trades_per_turn: 3,
            vp_to_win: 15,
        }
    }
}

impl Setup {
    /// The points needed to win.
    pub fn vp_to_win(&self) -> u8 {
        self.vp_to_win
    }

    /// The last turn of the match.
    pub fn max_turns(&self) -> u16 {
        self.max_turns
    }

    /// The players' names, by seat.
    pub fn players(&self) -> [&str; 2] {
        [self.players[0].as_str(), self.players[1].as_str()]
    }

    /// The number of cards that a hand of `n` discards on a seven.
    pub(crate) fn discards(&self, n: u8) -> u8 {
        if n <= self.discard_threshold {
            return 0;
        }
        match self.discard_rule {
            DiscardRule::HalfFloor => n / 2,
            DiscardRule::ToThreshold => n - self.discard_threshold,
        }
    }

    /// The number of trades a player may offer in a turn; 0 if trades are off.
    #[inline]
    pub(crate) fn offers_max(&self) -> u8 {
        match self.player_trades {
            Switch::On => self.trades_per_turn,
            Switch::Off => 0,
        }
    }
}

impl Deref for Setup {
    type Target = RawSetup;

    fn deref(&self) -> &RawSetup {
        &self.0
    }
}

impl TryFrom<RawSetup> for Setup {
    type Error = Faults;

    /// Lists every fault, with the name of the field as its pointer.
    fn try_from(raw: RawSetup) -> Result<Setup, Faults> {
        doc::parse(&json::from_value(&raw).expect("a setup holds no floats"))
    }
}
