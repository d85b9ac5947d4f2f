//! A position as a document.

use kernel::doc::{Document, Faults, Node, Object, one_written};
use kernel::{SnapshotOf, Table};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::layout::Slots;
use crate::state::Player;
use crate::{AFK_ROUNDS_MAX, Ending, Layout, Orcain, Phase, Setup, Stage, Status, Win};

/// A position as a document.
#[derive(Serialize, JsonSchema, Document)]
#[schemars(title = "Orcain snapshot")]
pub struct Snapshot {
    /// The outcome of the match; null while it runs.
    #[document(read_with = read_ending)]
    #[schemars(schema_with = "outcomes")]
    outcome: Option<Ending>,
    /// Both players, by seat.
    players: [PlayerSnapshot; 2],
    /// The state of the current round.
    turn: TurnSnapshot,
    /// The constants of the match.
    variant: Setup,
}

/// The state of the current round.
#[derive(Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct TurnSnapshot {
    /// The number of steps of this round that were revealed.
    #[schemars(range(max = 4))]
    n_shown: u8,
    /// The round, from 1.
    #[schemars(range(min = 1, max = 250))]
    number: u8,
    /// The phase of the match.
    phase: Phase,
    /// True once the round's layouts are final.
    sealed: bool,
    /// True once the round limit has passed with equal hit points.
    sudden_death: bool,
}

/// A player's part of the position.
#[derive(Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct PlayerSnapshot {
    /// Rounds missed in a row.
    #[schemars(range(max = AFK_ROUNDS_MAX))]
    afk_streak: u8,
    /// Hit points.
    #[schemars(range(max = 100))]
    hp: u8,
    /// The draft, the confirmed layout, or the layout being revealed; null is an empty slot.
    #[schemars(length(min = 1))]
    layout: Slots,
    /// Drafts accepted in this round.
    #[schemars(range(max = 250))]
    n_drafts: u8,
    /// The seat.
    #[schemars(range(max = 1))]
    player_id: u8,
    /// Hit points when the round began.
    #[schemars(range(min = 1, max = 100))]
    round_hp: u8,
    /// The player's status in this round.
    status: Status,
}

impl SnapshotOf<Orcain> for Snapshot {
    fn of(position: &Orcain) -> Snapshot {
        let player = |idx: usize| {
            let player = &position.players[idx];
            PlayerSnapshot {
                afk_streak: player.afk_streak,
                hp: player.hp,
                layout: player.layout.slots(position.setup.steps()).collect(),
                n_drafts: player.n_drafts,
                player_id: idx as u8,
                round_hp: player.round_hp,
                status: player.status,
            }
        };
        Snapshot {
            outcome: position.ending,
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

    /// Reads a position. A document that contradicts itself or the rules is refused. Whether the
    /// hit points of a later round can be reached is not checked.
    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Orcain> {
        let n_faults = faults.len();
        let snapshot = Snapshot::read_beside(node, &Table::<Orcain>::KEYS, faults);
        if let Some(setup) = Setup::read(&node.field("variant"), &mut Faults::default()) {
            check_bounds(&setup, node, faults);
        }
        let Snapshot {
            outcome,
            players,
            turn,
            variant,
        } = snapshot?;
        if faults.len() > n_faults {
            return None;
        }
        let position = Orcain {
            setup: variant,
            players: players.map(|it| it.player()),
            round: turn.number,
            stage: if turn.sealed {
                Stage::Reveal
            } else {
                Stage::Prep
            },
            n_shown: turn.n_shown,
            ending: outcome,
        };
        turn.check(&position, node, faults);
        check_players(&position, node, faults);
        check_ending(&position, node, faults);
        (faults.len() == n_faults).then_some(position)
    }
}

/// Reports values beyond the bounds set by the constants of the match.
fn check_bounds(setup: &Setup, node: &Node<'_>, faults: &mut Faults) {
    let turn = node.field("turn");
    turn.field("n_shown").int_in(0..=setup.steps.into(), faults);
    turn.field("number")
        .int_in(0..=setup.round_cap.into(), faults);
    let players = node.field("players");
    for seat in (0..2).filter(|seat| players.item(*seat).exists()) {
        let player = players.item(seat);
        player.field("hp").int_in(0..=setup.max_hp.into(), faults);
        player
            .field("round_hp")
            .int_in(0..=setup.max_hp.into(), faults);
        player
            .field("n_drafts")
            .int_in(0..=setup.drafts_max.into(), faults);
        let seat = seat as i64;
        player.field("player_id").int_in(seat..=seat, faults);
        player.field("layout").list_of_len(setup.steps(), faults);
    }
}

/// The schema of every outcome that Orcain can have, or null.
fn outcomes(_: &mut SchemaGenerator) -> Schema {
    kernel::schema::outcomes(Ending::all().map(Ending::outcome))
}

impl PlayerSnapshot {
    fn player(&self) -> Player {
        Player {
            hp: self.hp,
            round_hp: self.round_hp,
            afk_streak: self.afk_streak,
            status: self.status,
            n_drafts: self.n_drafts,
            layout: Layout::of(&self.layout),
        }
    }
}

impl TurnSnapshot {
    fn check(&self, position: &Orcain, node: &Node<'_>, faults: &mut Faults) {
        let node = node.field("turn");
        if self.phase != position.phase() {
            let expected = position.phase().name();
            let message = format!("with this outcome and sealed, the phase must be {expected}");
            faults.at(&node.field("phase"), "contradiction", message);
        }
        if self.sudden_death != position.is_sudden_death() {
            let message = "true exactly in the rounds after the round limit";
            faults.at(&node.field("sudden_death"), "contradiction", message);
        }
        if !self.sealed && self.n_shown > 0 {
            let message = "no step is revealed before the layouts are final";
            faults.at(&node.field("n_shown"), "contradiction", message);
        }
    }
}

fn read_ending(node: &Node<'_>, faults: &mut Faults) -> Option<Option<Ending>> {
    node.null_or(faults, |node, faults| {
        let expected = "null or an outcome that Orcain can have, with exactly the fields reason, \
                        result, truncated and winners";
        one_written(node, Ending::all(), expected, faults)
    })
}

/// Checks each player, and the two against each other.
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
            let message = format!("the cards revealed since round_hp give {expected}");
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
        let message = "a card is used more often than the hand has it";
        faults.at(&node.field("layout"), "invalid_layout", message);
    }
    let full = player.layout.full(position.setup.steps()).is_some();
    let fits = match player.status {
        Status::Silent => player.layout.is_empty() && player.n_drafts == 0,
        Status::Drafted => player.n_drafts > 0,
        Status::Confirmed => full,
    };
    if !fits {
        let message = "silent means no draft and no card, drafted at least one draft, and \
                       confirmed a card in every slot";
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

/// Checks that the position ends with this outcome.
fn check_ending(position: &Orcain, node: &Node<'_>, faults: &mut Faults) {
    let just_finalised = position.stage == Stage::Reveal && position.n_shown == 0;
    let all_shown = position.n_shown == position.setup.steps;
    let gone = position.players.map(|it| it.afk_streak >= AFK_ROUNDS_MAX);
    let fits = match position.ending {
        None => gone == [false; 2],
        Some(Ending::Won(_, Win::Disconnect | Win::Resign) | Ending::Void(_)) => true,
        Some(Ending::BothAfk) => just_finalised && gone == [true; 2],
        // A seat that left for missed deadlines need not have missed rounds.
        Some(Ending::Won(_, Win::Timeout)) if gone == [false; 2] => true,
        Some(Ending::Won(seat, Win::Timeout)) => {
            just_finalised && gone == [0, 1].map(|idx| idx != seat.index())
        }
        Some(Ending::Won(_, Win::Normal) | Ending::Draw | Ending::RoundCap) => {
            all_shown && position.ending_by_hp() == position.ending
        }
    };
    if !fits {
        let message = "the position does not end with this outcome";
        faults.at(&node.field("outcome"), "contradiction", message);
    }
}
