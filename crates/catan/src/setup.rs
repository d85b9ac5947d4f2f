//! The setup of a match.

use kernel::doc::{Document, Faults, Names, Node};
use kernel::{alike, documents, validated};
use schemars::JsonSchema;
use serde::Serialize;

validated! {
    /// The rules of a match and the players' names, validated.
    pub struct Setup(RawSetup)
}

/// Declares the rules of a match once: as fields of a setup and of a snapshot's variant.
macro_rules! rules {
    ($($(#[$about:meta])* $field:ident: $type:ty = $standard:expr,)+) => {
        /// A setup as written in a document. Omitted fields take the standard values.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
        #[serde(deny_unknown_fields, default)]
        #[schemars(title = "Catan setup")]
        pub struct RawSetup {
            $($(#[$about])* pub $field: $type,)+
            /// The players' names: 1 to 24 bytes each.
            pub players: [Name; 2],
            /// Declares a test match: players may force the dice (`ROLL_DICE` with
            /// `forced_value`), and the match is played without a stake and unrated.
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            pub test: bool,
        }

        impl Default for RawSetup {
            /// The standard match: 15 points, discards above nine cards, the reference board.
            fn default() -> RawSetup {
                RawSetup {
                    $($field: $standard,)+
                    players: ["Blue", "Orange"].map(|it| Name::new(it).expect("a short name")),
                    test: false,
                }
            }
        }

        documents! {
            /// The rules of the match.
            #[derive(Serialize, JsonSchema, Document)]
            #[schemars(deny_unknown_fields)]
            pub struct VariantSnapshot of(setup: &RawSetup) put(setup: &mut RawSetup) {
                $($(#[$about])* $field: $type => setup.$field,)+
                /// True for a test match, in which dice may be forced; otherwise omitted.
                #[serde(default, skip_serializing_if = "std::ops::Not::not")]
                #[schemars(extend("const" = true))]
                test: bool => setup.test,
            }
        }
    };
}

rules! {
    /// The reference board, or one drawn from the match's generator.
    board: BoardKind = BoardKind::Reference,
    /// Two independent dice, or the 36 rolls drawn without replacement.
    dice: DiceKind = DiceKind::Uniform,
    /// The number of cards that a hand above the threshold discards on a seven.
    discard_rule: DiscardRule = DiscardRule::HalfFloor,
    /// A hand with more cards than this discards on a seven.
    #[schemars(range(min = 1, max = 95))]
    discard_threshold: u8 = 9,
    /// If true, the robber cannot block players with at most two points on the board.
    friendly_robber: bool = false,
    /// The last turn. The match is cut off as a draw when it ends.
    #[schemars(range(min = 1, max = 10000))]
    max_turns: u16 = 1000,
    /// Allows the players to offer each other trades.
    player_trades: Switch = Switch::On,
    /// The number of trades a player may offer in a turn.
    #[schemars(range(min = 1, max = 100))]
    trades_per_turn: u8 = 3,
    /// The points needed to win.
    #[schemars(range(min = 3, max = 22))]
    vp_to_win: u8 = 15,
}

alike! {
    [#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
     #[serde(rename_all = "snake_case")] #[schemars(inline)]];

    /// The source of the board.
    pub enum BoardKind {
        /// The board of the specification.
        Reference,
        /// Shuffled, with no two tiles of 6 or 8 adjacent.
        Random,
    }

    /// The source of the dice.
    pub enum DiceKind {
        /// Each roll is independent.
        Uniform,
        /// The 36 rolls come from a bag that is refilled when empty.
        Bag36,
    }

    /// The number of cards that a hand above the threshold discards.
    pub enum DiscardRule {
        /// Half of the hand, rounded down.
        HalfFloor,
        /// All cards above the threshold.
        ToThreshold,
    }

    /// Turns an option on or off.
    pub enum Switch {
        /// Allowed.
        On,
        /// Not allowed.
        Off,
    }
}

/// A player's name: 1 to 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(inline)]
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

impl From<Name> for String {
    fn from(name: Name) -> String {
        name.as_str().to_owned()
    }
}

impl Setup {
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
