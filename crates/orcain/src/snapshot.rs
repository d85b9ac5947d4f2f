//! A position as a document.

use kernel::Table;
use kernel::doc::{Document, Faults, Node};
use kernel::json::{self, Json};
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::layout::Slots;
use crate::state::Player;
use crate::{
    AFK_ROUNDS_MAX, Ending, Layout, Orcain, RawSetup, STEPS_MAX, Setup, Slot, Stage, Status, Win,
};

/// A position as a document.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Orcain snapshot", transform = outcome_is_required)]
pub struct Snapshot {
    /// How the match ended; null while it runs.
    #[schemars(with = "Option<OutcomeSchema>")]
    outcome: Option<kernel::Outcome>,
    /// Both players, by seat.
    players: [PlayerSnapshot; 2],
    /// Where the match stands.
    turn: TurnSnapshot,
    /// The constants of the match.
    #[schemars(with = "RawSetup")]
    variant: Setup,
}

/// Where a match stands.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TurnSnapshot {
    /// Steps of this round that were turned over.
    #[schemars(range(max = 4))]
    n_shown: u8,
    /// The round, from 1.
    #[schemars(range(min = 1, max = 250))]
    number: u8,
    /// `PREP`, `REVEAL` or `END`.
    #[schemars(with = "PhaseSchema")]
    phase: &'static str,
    /// Whether the round's layouts are final.
    sealed: bool,
    /// Whether the round limit has passed with equal hit points.
    sudden_death: bool,
}

/// One player's part.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlayerSnapshot {
    /// Rounds missed in a row.
    #[schemars(range(max = 2))]
    afk_streak: u8,
    /// Hit points.
    #[schemars(range(max = 100))]
    hp: u8,
    /// The draft, the confirmed layout, or what is being turned over; null is no card.
    #[schemars(with = "Vec<Slot>", length(min = 1, max = 4))]
    layout: SlotList,
    /// Drafts taken this round.
    #[schemars(range(max = 250))]
    n_drafts: u8,
    /// The seat.
    #[schemars(range(max = 1))]
    player_id: u8,
    /// Hit points when the round began.
    #[schemars(range(min = 1, max = 100))]
    round_hp: u8,
    /// What the player has done this round.
    #[schemars(with = "StatusSchema")]
    status: &'static str,
}

struct SlotList(Layout, usize);

impl Serialize for SlotList {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Slots(self.0, self.1).serialize(serializer)
    }
}

impl Snapshot {
    pub(crate) fn of(position: &Orcain) -> Snapshot {
        let player = |idx: usize| {
            let player = &position.players[idx];
            PlayerSnapshot {
                afk_streak: player.afk_streak,
                hp: player.hp,
                layout: SlotList(player.layout, position.setup.steps()),
                n_drafts: player.n_drafts,
                player_id: idx as u8,
                round_hp: player.round_hp,
                status: player.status.code(),
            }
        };
        Snapshot {
            outcome: position.ending.map(Ending::outcome),
            players: [player(0), player(1)],
            turn: TurnSnapshot {
                n_shown: position.n_shown,
                number: position.round,
                phase: position.phase(),
                sealed: position.stage == Stage::Reveal,
                sudden_death: position.is_sudden_death(),
            },
            variant: position.setup,
        }
    }

    /// Reads a position. What contradicts itself or the rules is refused; whether hit points of a
    /// later round can be reached at all is not asked.
    pub(crate) fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Orcain> {
        let mut keys = vec!["outcome", "players", "turn", "variant"];
        keys.extend(Table::<Orcain>::KEYS);
        node.only_fields(&keys, faults);
        let setup = Setup::read(&node.field("variant"), faults);
        // With a broken variant the rest is still looked at, by the widest bounds.
        let bounds = setup.unwrap_or_else(|| widest(node));
        let turn = Turn::read(&node.field("turn"), &bounds, faults);
        let players = read_players(&node.field("players"), &bounds, faults);
        let ending = node
            .field("outcome")
            .null_or(faults, |node, faults| read_ending(node, faults));
        let (turn, ending) = (turn?, ending?);
        let position = Orcain {
            setup: setup?,
            players: players?,
            round: turn.round,
            stage: turn.stage,
            n_shown: turn.n_shown,
            ending,
        };
        turn.check(&position, node, faults);
        check_players(&position, node, faults);
        check_ending(&position, node, faults);
        faults.is_empty().then_some(position)
    }
}

/// Bounds within which any match is, for a document whose variant is broken. Rounds have
/// as many steps as the first layout: a list that may be right is not called too short.
fn widest(node: &Node<'_>) -> Setup {
    let layout = node.field("players").item(0).field("layout");
    let n_steps = layout
        .json()
        .and_then(Json::as_list)
        .map_or(3, <[Json]>::len);
    let raw = RawSetup {
        drafts_max: 250,
        max_hp: 100,
        round_cap: 250,
        steps: n_steps.clamp(1, STEPS_MAX) as i64,
        ..RawSetup::default()
    };
    Setup::try_from(raw).unwrap_or_default()
}

/// The `turn` of a snapshot.
struct Turn {
    round: u8,
    stage: Stage,
    n_shown: u8,
    phase: usize,
    sudden_death: bool,
}

const PHASES: [&str; 3] = ["PREP", "REVEAL", "END"];

impl Turn {
    fn read(node: &Node<'_>, setup: &Setup, faults: &mut Faults) -> Option<Turn> {
        let fields = ["n_shown", "number", "phase", "sealed", "sudden_death"];
        node.only_fields(&fields, faults);
        let n_shown = read_u8(&node.field("n_shown"), 0..=setup.steps, faults);
        let round = read_u8(&node.field("number"), 1..=setup.round_cap, faults);
        let phase = node.field("phase").one_of(&PHASES, faults);
        let sealed = node.field("sealed").bool(faults);
        let sudden_death = node.field("sudden_death").bool(faults);
        Some(Turn {
            round: round?,
            stage: if sealed? { Stage::Reveal } else { Stage::Prep },
            n_shown: n_shown?,
            phase: phase?,
            sudden_death: sudden_death?,
        })
    }

    fn check(&self, position: &Orcain, node: &Node<'_>, faults: &mut Faults) {
        let node = node.field("turn");
        if PHASES[self.phase] != position.phase() {
            let expected = position.phase();
            let message = format!("with this outcome and sealed, the phase is {expected}");
            faults.at(&node.field("phase"), "contradiction", message);
        }
        if self.sudden_death != position.is_sudden_death() {
            let message = "sudden death is exactly the rounds after the round limit";
            faults.at(&node.field("sudden_death"), "contradiction", message);
        }
        if self.stage == Stage::Prep && self.n_shown > 0 {
            let message = "nothing is turned over before the layouts are final";
            faults.at(&node.field("n_shown"), "contradiction", message);
        }
    }
}

fn read_u8(
    node: &Node<'_>,
    range: std::ops::RangeInclusive<u8>,
    faults: &mut Faults,
) -> Option<u8> {
    let range = i64::from(*range.start())..=i64::from(*range.end());
    u8::try_from(node.int_in(range, faults)?).ok()
}

fn read_players(node: &Node<'_>, setup: &Setup, faults: &mut Faults) -> Option<[Player; 2]> {
    let nodes = node.list_of_len(2, faults)?;
    let first = read_player(&nodes[0], 0, setup, faults);
    let second = read_player(&nodes[1], 1, setup, faults);
    Some([first?, second?])
}

fn read_player(node: &Node<'_>, seat: u8, setup: &Setup, faults: &mut Faults) -> Option<Player> {
    const FIELDS: [&str; 7] = [
        "afk_streak",
        "hp",
        "layout",
        "n_drafts",
        "player_id",
        "round_hp",
        "status",
    ];
    node.only_fields(&FIELDS, faults);
    let afk_streak = read_u8(&node.field("afk_streak"), 0..=AFK_ROUNDS_MAX, faults);
    let hp = read_u8(&node.field("hp"), 0..=setup.max_hp, faults);
    let layout = Layout::read(&node.field("layout"), setup.steps(), faults);
    let n_drafts = read_u8(&node.field("n_drafts"), 0..=setup.drafts_max, faults);
    let player_id = read_u8(&node.field("player_id"), seat..=seat, faults);
    let round_hp = read_u8(&node.field("round_hp"), 1..=setup.max_hp, faults);
    let status = node.field("status").one_of(&Status::CODES, faults);
    player_id?;
    Some(Player {
        hp: hp?,
        round_hp: round_hp?,
        afk_streak: afk_streak?,
        status: Status::ALL[status?],
        n_drafts: n_drafts?,
        layout: layout?,
    })
}

fn read_ending(node: &Node<'_>, faults: &mut Faults) -> Option<Ending> {
    let found = node.present(faults)?;
    let ending = Ending::all().find(|ending| {
        json::from_value(&ending.outcome()).is_ok_and(|expected| expected == *found)
    });
    if ending.is_none() {
        faults.at(
            node,
            "unknown_value",
            "expected null or an outcome that Orcain can have, with exactly the fields reason, \
             result, truncated and winners",
        );
    }
    ending
}

/// What must hold for each player, and between the two.
fn check_players(position: &Orcain, node: &Node<'_>, faults: &mut Faults) {
    let players = node.field("players");
    let hp = position.hp_after(position.n_shown.into());
    for seat in Orcain::SEATS {
        let node = players.item(seat.index());
        let player = position.player(seat);
        check_layout(position, player, seat.index(), &node, faults);
        check_streak(position, player, &node, faults);
        if player.hp != hp[seat.index()] {
            let expected = hp[seat.index()];
            let message = format!("the cards turned over since round_hp give {expected}");
            faults.at(&node.field("hp"), "contradiction", message);
        }
        if position.round == 1 && player.round_hp != position.setup.start_hp {
            let message = "the first round begins at start_hp";
            faults.at(&node.field("round_hp"), "contradiction", message);
        }
    }
    let [first, second] = position.players;
    if position.is_sudden_death() && first.round_hp != second.round_hp {
        let message = "sudden death begins with equal hit points";
        faults.at(&players, "contradiction", message);
    }
    let both_confirmed = [first, second]
        .iter()
        .all(|it| it.status == Status::Confirmed);
    if position.stage == Stage::Prep && both_confirmed {
        let message = "two confirmed layouts are final: sealed must be true";
        faults.at(&players, "contradiction", message);
    }
}

fn check_layout(
    position: &Orcain,
    player: &Player,
    idx: usize,
    node: &Node<'_>,
    faults: &mut Faults,
) {
    let held = position.setup.hands[idx].counts();
    let used = player.layout.counts();
    if used.iter().zip(held).any(|(&used, held)| used > held) {
        let message = "a card is laid out more often than the hand has it";
        faults.at(&node.field("layout"), "invalid_layout", message);
    }
    let full = player.layout.full(position.setup.steps()).is_some();
    let fits = match player.status {
        Status::Silent => player.layout.is_empty() && player.n_drafts == 0,
        Status::Drafted => player.n_drafts > 0,
        Status::Confirmed => full,
    };
    if !fits {
        let message = "silent is no draft and no card, drafted at least one draft, confirmed a \
                       card in every slot";
        faults.at(&node.field("status"), "contradiction", message);
    }
}

fn check_streak(position: &Orcain, player: &Player, node: &Node<'_>, faults: &mut Faults) {
    let finalised = position.stage == Stage::Reveal;
    let missed = player.status == Status::Silent;
    let n_finalised = position.round - u8::from(!finalised);
    let by_timeout = matches!(
        position.ending,
        Some(Ending::BothAfk | Ending::Won(_, Win::Timeout))
    );
    let most = if by_timeout {
        AFK_ROUNDS_MAX
    } else {
        AFK_ROUNDS_MAX - 1
    };
    let fits = player.afk_streak <= most.min(n_finalised)
        && (!finalised || (player.afk_streak > 0) == missed);
    if !fits {
        let message = "the streak does not fit the rounds played, this round's status and the \
                       outcome";
        faults.at(&node.field("afk_streak"), "contradiction", message);
    }
}

/// The outcome must be the one that this position ends with.
fn check_ending(position: &Orcain, node: &Node<'_>, faults: &mut Faults) {
    let just_finalised = position.stage == Stage::Reveal && position.n_shown == 0;
    let all_shown = position.n_shown == position.setup.steps;
    let gone = position.players.map(|it| it.afk_streak >= AFK_ROUNDS_MAX);
    let fits = match position.ending {
        None => gone == [false; 2],
        Some(Ending::Won(_, Win::Disconnect | Win::Resign) | Ending::Void(_)) => true,
        Some(Ending::BothAfk) => just_finalised && gone == [true; 2],
        // A seat that leaves for missed deadlines need not have missed rounds.
        Some(Ending::Won(_, Win::Timeout)) if gone == [false; 2] => true,
        Some(Ending::Won(seat, Win::Timeout)) => {
            just_finalised && gone == [0, 1].map(|idx| idx != seat.index())
        }
        Some(Ending::Won(_, Win::Normal) | Ending::Draw | Ending::RoundCap) => {
            all_shown && position.ending_by_hp() == position.ending
        }
    };
    if !fits {
        let message = "this position does not end like this";
        faults.at(&node.field("outcome"), "contradiction", message);
    }
}

/// A match that runs says so with a null; leaving the outcome out is a fault.
fn outcome_is_required(schema: &mut Schema) {
    let required = schema.get_mut("required").and_then(|it| it.as_array_mut());
    if let Some(required) = required {
        required.insert(0, "outcome".into());
    }
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "the shape of a kernel outcome, for the schema alone"
)]
struct OutcomeSchema {
    /// Why it ended.
    reason: ReasonSchema,
    /// What it means.
    result: ResultSchema,
    /// Whether the round cap cut it off.
    truncated: bool,
    /// The seats that won.
    #[schemars(length(max = 1))]
    winners: Vec<u8>,
}

macro_rules! names {
    ($type:ident: $($variant:ident = $name:literal),+) => {
        #[derive(JsonSchema)]
        #[schemars(inline)]
        #[expect(dead_code, reason = "names for the schema alone")]
        pub(crate) enum $type { $(#[schemars(rename = $name)] $variant),+ }
    };
}

names!(ReasonSchema: Normal = "normal", Timeout = "timeout", Disconnect = "disconnect",
    Resign = "resign", Cancel = "cancel", RoundCap = "round_cap");
names!(ResultSchema: Win = "win", Draw = "draw", AllLose = "all_lose", Void = "void");
names!(PhaseSchema: Prep = "PREP", Reveal = "REVEAL", End = "END");
names!(StatusSchema: Silent = "silent", Drafted = "drafted", Confirmed = "confirmed");
