//! A position as a document.

use kernel::doc::{Document, Faults, Node, Object, outcome};
use kernel::{Game, SnapshotOf, Table, documents, json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::check;
use crate::layout::Slots;
use crate::state::Player;
use crate::{AFK_ROUNDS_MAX, Ending, Layout, Orcain, Phase, Setup, Stage, Status};

documents! {
    [#[derive(Serialize, JsonSchema, Document)] #[serde(deny_unknown_fields)]];

    /// A position as a document.
    #[schemars(title = "Orcain snapshot")]
    pub struct Snapshot of(at: &Orcain) put(at: &mut Orcain) {
        /// The outcome of the match; null while it runs.
        #[document(read_with = outcome)]
        #[schemars(schema_with = "kernel::schema::outcomes::<Ending>")]
        outcome: Option<Ending> => at.ending,
        /// Both players, by seat.
        players: [PlayerSnapshot; 2] = [0, 1].map(|idx| PlayerSnapshot::of(at, idx)),
        /// The state of the current round.
        turn: TurnSnapshot = TurnSnapshot::of(at),
        /// The constants of the match.
        variant: Setup = at.setup,
    }

    /// The state of the current round.
    pub struct TurnSnapshot of(at: &Orcain) put(at: &mut Orcain) {
        /// The number of steps of this round that were revealed.
        #[schemars(range(max = 4))]
        pub(crate) n_shown: u8 => at.n_shown,
        /// The round, from 1.
        #[schemars(range(min = 1, max = 250))]
        pub(crate) number: u8 => at.round,
        /// The phase of the match.
        pub(crate) phase: Phase = at.phase(),
        /// True once the round's layouts are final.
        pub(crate) sealed: bool = at.stage == Stage::Reveal,
        /// True once the round limit has passed with equal hit points.
        pub(crate) sudden_death: bool = at.is_sudden_death(),
    }

    /// A player's part of the position.
    pub struct PlayerSnapshot of(at: &Orcain, idx: usize) put(player: &mut Player)
    where (player = &at.players[idx]) {
        /// Rounds missed in a row.
        #[schemars(range(max = AFK_ROUNDS_MAX))]
        afk_streak: u8 => player.afk_streak,
        /// Hit points.
        #[schemars(range(max = 100))]
        hp: u8 => player.hp,
        /// The draft, the confirmed layout, or the layout being revealed; null is an empty slot.
        #[schemars(length(min = 1))]
        layout: Slots = player.layout.slots(at.setup.steps()).collect(),
        /// Drafts accepted in this round.
        #[schemars(range(max = 250))]
        n_drafts: u8 => player.n_drafts,
        /// The seat.
        #[schemars(range(max = 1))]
        player_id: u8 = idx as u8,
        /// Hit points when the round began.
        #[schemars(range(min = 1, max = 100))]
        round_hp: u8 => player.round_hp,
        /// The player's status in this round.
        status: Status => player.status,
    }
}

impl SnapshotOf<Orcain> for Snapshot {
    fn of(position: &Orcain) -> Snapshot {
        Snapshot::of(position)
    }

    /// Reads a position. A document that contradicts itself or the rules is refused. Whether the
    /// hit points of a later round can be reached is not checked.
    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Orcain> {
        let n_faults = faults.len();
        let snapshot = Snapshot::read_beside(node, &Table::<Orcain>::KEYS, faults);
        if let Some(setup) = Setup::read(&node.field("variant"), &mut Faults::default()) {
            check::bounds(&setup, node, faults);
        }
        let snapshot = snapshot.filter(|_| faults.len() == n_faults)?;
        let mut at = Orcain::start(&snapshot.variant);
        snapshot.put(&mut at);
        snapshot.turn.put(&mut at);
        at.stage = match snapshot.turn.sealed {
            true => Stage::Reveal,
            false => Stage::Prep,
        };
        for (player, read) in at.players.iter_mut().zip(&snapshot.players) {
            read.put(player);
            player.layout = Layout::of(&read.layout);
        }
        let written = json::from_value(&Snapshot::of(&at)).expect("a snapshot holds no floats");
        node.must_repeat(&written, &Table::<Orcain>::KEYS, faults);
        check::position(&at, node, faults);
        (faults.len() == n_faults).then_some(at)
    }
}
