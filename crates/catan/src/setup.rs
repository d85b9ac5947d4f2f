//! What a match starts from.

use kernel::doc::{Document, Fault, Faults, Node};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// The rules of a match and the players' names, validated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Setup {
    pub(crate) board: BoardKind,
    pub(crate) dice: DiceKind,
    pub(crate) discard_rule: DiscardRule,
    pub(crate) discard_threshold: u8,
    pub(crate) friendly_robber: bool,
    pub(crate) max_turns: u16,
    pub(crate) player_trades: Switch,
    pub(crate) players: [Name; 2],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) test: bool,
    pub(crate) trades_per_turn: u8,
    pub(crate) vp_to_win: u8,
}

/// A setup as it is written down, with nothing checked. Fields left out of a document
/// take the standard values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "Catan setup", deny_unknown_fields)]
pub struct RawSetup {
    /// The reference board, or one drawn from the match's generator.
    pub board: BoardKind,
    /// Two independent dice, or the 36 throws drawn without putting back.
    pub dice: DiceKind,
    /// What a hand above the threshold gives back on a seven.
    pub discard_rule: DiscardRule,
    /// A hand above this discards on a seven.
    #[schemars(range(min = 1, max = 95))]
    pub discard_threshold: i64,
    /// Whether the robber keeps off players with at most two points on the board.
    pub friendly_robber: bool,
    /// The last turn: when it ends, the match is cut off.
    #[schemars(range(min = 1, max = 10000))]
    pub max_turns: i64,
    /// Whether the players may offer each other trades.
    pub player_trades: Switch,
    /// The players' names: 1 to 24 bytes each.
    pub players: [String; 2],
    /// Whether this is a test match: players may force the dice (`ROLL_DICE` with
    /// `forced_value`), and it is played without a stake and not rated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// How many trades a player may offer in a turn.
    #[schemars(range(min = 1, max = 100))]
    pub trades_per_turn: i64,
    /// Points that win.
    #[schemars(range(min = 3, max = 22))]
    pub vp_to_win: i64,
}

macro_rules! choice {
    ($(#[$about:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal),+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
        #[schemars(inline)]
        pub enum $type {
            $($(#[$doc])* #[serde(rename = $name)] $variant),+
        }

        impl $type {
            pub(crate) const ALL: &'static [$type] = &[$($type::$variant),+];
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),+];
        }
    };
}

choice! {
    /// Where the tiles lie.
    BoardKind {
        /// As the specification lays them.
        Reference = "reference",
        /// Shuffled, with no two of 6 and 8 side by side.
        Random = "random"
    }
}
choice! {
    /// How the dice fall.
    DiceKind {
        /// Each throw anew.
        Uniform = "uniform",
        /// The 36 throws from a bag that is filled again when it is empty.
        Bag36 = "bag36"
    }
}
choice! {
    /// What a hand above the threshold gives back.
    DiscardRule {
        /// Half of it, rounded down.
        HalfFloor = "half_floor",
        /// All above the threshold.
        ToThreshold = "to_threshold"
    }
}
choice! {
    /// Whether something is allowed.
    Switch {
        /// Yes.
        On = "on",
        /// No.
        Off = "off"
    }
}

/// A player's name: 1 to 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    len: u8,
    bytes: [u8; Name::BYTES_MAX],
}

impl Name {
    /// The most bytes a name has.
    pub const BYTES_MAX: usize = 24;

    /// A name of 1 to 24 bytes.
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

    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len.into()]).unwrap_or("?")
    }
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Default for RawSetup {
    fn default() -> RawSetup {
        RawSetup {
            board: BoardKind::Reference,
            dice: DiceKind::Uniform,
            discard_rule: DiscardRule::HalfFloor,
            discard_threshold: 9,
            friendly_robber: false,
            max_turns: 1000,
            player_trades: Switch::On,
            players: ["Blue".to_owned(), "Orange".to_owned()],
            test: false,
            trades_per_turn: 3,
            vp_to_win: 15,
        }
    }
}

impl Default for Setup {
    /// The standard match: 15 points, discards above nine cards, the reference board.
    fn default() -> Setup {
        Setup::try_from(RawSetup::default()).expect("the standard setup is valid")
    }
}

impl Setup {
    /// Points that win.
    pub fn vp_to_win(&self) -> u8 {
        self.vp_to_win
    }

    /// The last turn.
    pub fn max_turns(&self) -> u16 {
        self.max_turns
    }

    /// The players' names.
    pub fn players(&self) -> [&str; 2] {
        [self.players[0].as_str(), self.players[1].as_str()]
    }

    /// How many cards a hand of `n` gives back on a seven.
    pub(crate) fn discards(&self, n: u8) -> u8 {
        if n <= self.discard_threshold {
            return 0;
        }
        match self.discard_rule {
            DiscardRule::HalfFloor => n / 2,
            DiscardRule::ToThreshold => n - self.discard_threshold,
        }
    }

    /// How many trades a player may offer in a turn; none when they are off.
    #[inline]
    pub(crate) fn offers_max(&self) -> u8 {
        match self.player_trades {
            Switch::On => self.trades_per_turn,
            Switch::Off => 0,
        }
    }
}

impl TryFrom<RawSetup> for Setup {
    type Error = Faults;

    /// Lists every fault, with the name of the field as its pointer.
    fn try_from(raw: RawSetup) -> Result<Setup, Faults> {
        let mut faults = Faults::default();
        let mut within = |name: &'static str, value: i64| {
            let (min, max) = bounds(name);
            if !(min..=max).contains(&value) {
                let message = format!("expected an integer from {min} to {max}, found {value}");
                faults.push(Fault::new(format!("/{name}"), "out_of_range", message));
            }
            value.clamp(min, max)
        };
        let discard_threshold = within("discard_threshold", raw.discard_threshold) as u8;
        let max_turns = within("max_turns", raw.max_turns) as u16;
        let trades_per_turn = within("trades_per_turn", raw.trades_per_turn) as u8;
        let vp_to_win = within("vp_to_win", raw.vp_to_win) as u8;
        let players = [0, 1].map(|idx| {
            let name = Name::new(&raw.players[idx]);
            if name.is_none() {
                let pointer = format!("/players/{idx}");
                faults.push(Fault::new(pointer, "bad_name", NAME_EXPECTED));
            }
            name
        });
        let setup = || {
            Some(Setup {
                board: raw.board,
                dice: raw.dice,
                discard_rule: raw.discard_rule,
                discard_threshold,
                friendly_robber: raw.friendly_robber,
                max_turns,
                player_trades: raw.player_trades,
                players: [players[0]?, players[1]?],
                test: raw.test,
                trades_per_turn,
                vp_to_win,
            })
        };
        faults.into_result(setup())
    }
}

const NAME_EXPECTED: &str = "expected a name of 1 to 24 bytes";

/// The range of each number.
fn bounds(name: &str) -> (i64, i64) {
    match name {
        "discard_threshold" => (1, 95),
        "max_turns" => (1, 10_000),
        "trades_per_turn" => (1, 100),
        _ => (3, 22),
    }
}

/// The fields that are rules: all but the names, which a snapshot keeps elsewhere.
pub(crate) const VARIANT_FIELDS: [&str; 10] = [
    "board",
    "dice",
    "discard_rule",
    "discard_threshold",
    "friendly_robber",
    "max_turns",
    "player_trades",
    "test",
    "trades_per_turn",
    "vp_to_win",
];

impl Document for Setup {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Setup> {
        let fields: Vec<&str> = VARIANT_FIELDS.into_iter().chain(["players"]).collect();
        node.only_fields(&fields, faults);
        let players = node.field("players");
        let names = if players.exists() {
            read_names(&players, faults)
        } else {
            Some(Setup::default().players)
        };
        let setup = read_variant(node, faults);
        Some(Setup {
            players: names?,
            ..setup?
        })
    }
}

/// Reads the rules of a match; what is left out takes its standard value.
pub(crate) fn read_variant(node: &Node<'_>, faults: &mut Faults) -> Option<Setup> {
    let board = choose(node, "board", BoardKind::ALL, BoardKind::NAMES, faults);
    let dice = choose(node, "dice", DiceKind::ALL, DiceKind::NAMES, faults);
    let (rules, names) = (DiscardRule::ALL, DiscardRule::NAMES);
    let discard_rule = choose(node, "discard_rule", rules, names, faults);
    let discard_threshold = int(node, "discard_threshold", 9, faults);
    let friendly_robber = flag(node, "friendly_robber", faults);
    let max_turns = int(node, "max_turns", 1000, faults);
    let player_trades = choose(node, "player_trades", Switch::ALL, Switch::NAMES, faults);
    let test = flag(node, "test", faults);
    let trades_per_turn = int(node, "trades_per_turn", 3, faults);
    let vp_to_win = int(node, "vp_to_win", 15, faults);
    Some(Setup {
        board: board?,
        dice: dice?,
        discard_rule: discard_rule?,
        discard_threshold: discard_threshold? as u8,
        friendly_robber: friendly_robber?,
        max_turns: max_turns? as u16,
        player_trades: player_trades?,
        players: Setup::default().players,
        test: test?,
        trades_per_turn: trades_per_turn? as u8,
        vp_to_win: vp_to_win? as u8,
    })
}

/// A switch that is off when the field is left out.
fn flag(node: &Node<'_>, name: &str, faults: &mut Faults) -> Option<bool> {
    let field = node.field(name);
    match field.exists() {
        true => field.bool(faults),
        false => Some(false),
    }
}

fn int(node: &Node<'_>, name: &'static str, standard: i64, faults: &mut Faults) -> Option<i64> {
    let field = node.field(name);
    if !field.exists() {
        return Some(standard);
    }
    let (min, max) = bounds(name);
    field.int_in(min..=max, faults)
}

/// One of the named choices; the first when the field is left out.
fn choose<T: Copy>(
    node: &Node<'_>,
    name: &str,
    all: &[T],
    names: &[&str],
    faults: &mut Faults,
) -> Option<T> {
    let field = node.field(name);
    if !field.exists() {
        return all.first().copied();
    }
    all.get(field.one_of(names, faults)?).copied()
}

fn read_names(node: &Node<'_>, faults: &mut Faults) -> Option<[Name; 2]> {
    let nodes = node.list_of_len(2, faults)?;
    let first = read_name(&nodes[0], faults);
    let second = read_name(&nodes[1], faults);
    Some([first?, second?])
}

/// Reads one name.
pub(crate) fn read_name(node: &Node<'_>, faults: &mut Faults) -> Option<Name> {
    let name = Name::new(node.text(faults)?);
    if name.is_none() {
        faults.at(node, "bad_name", NAME_EXPECTED);
    }
    name
}
