//! What a viewer may know.

use std::fmt;

use kernel::{Outcome, Seat, Viewer};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::layout::Slots;
use crate::notation::Letters;
use crate::snapshot::{PhaseSchema, StatusSchema};
use crate::{
    AFK_ROUNDS_MAX, Card, Ending, HAND_CARDS, Hand, Layout, Orcain, STEPS_MAX, Slot, Stage, Status,
};

/// What a viewer may know: everything but what the others lay out before it is turned
/// over. Not even whether the other has confirmed shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct View {
    /// The round, from 1.
    pub round: u8,
    /// From this round on, different hit points decide.
    pub round_limit: u8,
    /// The last round.
    pub round_cap: u8,
    /// `PREP`, `REVEAL` or `END`.
    #[schemars(with = "PhaseSchema")]
    pub phase: &'static str,
    /// Whether the limit has passed with equal hit points.
    pub sudden_death: bool,
    /// Cards turned over per round.
    pub steps: u8,
    /// Hit points by seat.
    pub hp: [u8; 2],
    /// Hit points never rise above this.
    pub max_hp: u8,
    /// The hands by seat: part of the setup, which everybody may know.
    #[schemars(with = "[[Card; HAND_CARDS]; 2]")]
    pub hands: [Hand; 2],
    /// Rounds missed in a row by seat; the second loses the match.
    pub afk_streak: [u8; 2],
    /// The viewer's own side; nothing for the public.
    #[schemars(with = "Option<OwnSchema>")]
    pub own: Option<Own>,
    /// The steps of this round that were turned over, in order.
    #[schemars(with = "Vec<Exchange>", length(max = STEPS_MAX))]
    pub exchanges: Exchanges,
    /// How the match ended, if it has.
    pub outcome: Option<Outcome>,
}

/// The viewer's own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Own {
    /// The viewer's seat.
    pub seat: Seat,
    /// What is laid out.
    pub layout: Layout,
    /// What was done in this round.
    pub status: Status,
    /// Whether a draft would be taken now.
    pub can_draft: bool,
    steps: u8,
}

/// One step as it was turned over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Exchange {
    /// The cards by seat; an empty slot is nothing.
    pub cards: [Slot; 2],
    /// Hit points before it.
    pub hp_before: [u8; 2],
    /// Hit points after it.
    pub hp_after: [u8; 2],
}

/// The exchanges of a round so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exchanges {
    exchanges: [Exchange; STEPS_MAX],
    len: usize,
}

impl Exchanges {
    /// In order.
    pub fn as_slice(&self) -> &[Exchange] {
        &self.exchanges[..self.len]
    }
}

impl Orcain {
    /// The phase, as it stands on the wire.
    pub(crate) fn phase(&self) -> &'static str {
        match (self.ending, self.stage) {
            (Some(_), _) => "END",
            (None, Stage::Prep) => "PREP",
            (None, Stage::Reveal) => "REVEAL",
        }
    }

    pub(crate) fn view_for(&self, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(seat) => Orcain::SEATS.contains(&seat).then(|| self.own(seat)),
            Viewer::Public => None,
        };
        View {
            round: self.round,
            round_limit: self.setup.round_limit,
            round_cap: self.setup.round_cap,
            phase: self.phase(),
            sudden_death: self.is_sudden_death(),
            steps: self.setup.steps,
            hp: self.hp(),
            max_hp: self.setup.max_hp,
            hands: self.setup.hands,
            afk_streak: self.afk_streaks(),
            own,
            exchanges: self.exchanges(),
            outcome: self.ending.map(Ending::outcome),
        }
    }

    fn own(&self, seat: Seat) -> Own {
        let player = self.player(seat);
        Own {
            seat,
            layout: player.layout,
            status: player.status,
            can_draft: self.can_draft(seat),
            steps: self.setup.steps,
        }
    }

    fn exchanges(&self) -> Exchanges {
        let mut shown = Exchanges::default();
        for idx in 0..self.n_shown.into() {
            shown.exchanges[idx] = Exchange {
                cards: self.players.map(|player| player.layout.slot(idx)),
                hp_before: self.hp_after(idx),
                hp_after: self.hp_after(idx + 1),
            };
            shown.len = idx + 1;
        }
        shown
    }
}

impl Status {
    /// The stable name.
    pub const fn code(self) -> &'static str {
        Status::CODES[self as usize]
    }

    pub(crate) const ALL: [Status; 3] = [Status::Silent, Status::Drafted, Status::Confirmed];
    pub(crate) const CODES: [&'static str; 3] = ["silent", "drafted", "confirmed"];
}

impl Serialize for Own {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("can_draft", &self.can_draft)?;
        map.serialize_entry("layout", &Slots(self.layout, self.steps.into()))?;
        map.serialize_entry("player_id", &self.seat)?;
        map.serialize_entry("status", self.status.code())?;
        map.end()
    }
}

/// The viewer's own side.
#[derive(JsonSchema)]
#[schemars(rename = "Own", deny_unknown_fields)]
#[expect(dead_code, reason = "the shape of the own side, for the schema alone")]
struct OwnSchema {
    /// Whether a draft would be taken now.
    can_draft: bool,
    /// What is laid out: a card or nothing for each step.
    #[schemars(length(min = 1, max = STEPS_MAX))]
    layout: Vec<Slot>,
    /// The viewer's seat.
    player_id: Seat,
    /// What was done in this round.
    status: StatusSchema,
}

impl Serialize for Exchanges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.as_slice())
    }
}

/// A few lines for the terminal.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Round {} of {}", self.round, self.round_limit)?;
        if self.sudden_death {
            f.write_str(", sudden death")?;
        }
        writeln!(f, " · {}", self.phase)?;
        for seat in Orcain::SEATS {
            self.write_player(seat, f)?;
        }
        for (idx, step) in self.exchanges.as_slice().iter().enumerate() {
            let [first, second] = step.cards.map(name);
            let ([was_0, was_1], [hp_0, hp_1]) = (step.hp_before, step.hp_after);
            writeln!(
                f,
                "  step {}: {first:7} – {second:7}   {was_0} → {hp_0}, {was_1} → {hp_1}",
                idx + 1
            )?;
        }
        match self.outcome {
            Some(outcome) => writeln!(f, "Over: {outcome}"),
            None => Ok(()),
        }
    }
}

impl View {
    fn write_player(&self, seat: Seat, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hp, max) = (self.hp[seat.index()], self.max_hp);
        let bar: String = (0..max)
            .map(|point| if point < hp { '█' } else { '·' })
            .collect();
        let hand: String = self.hands[seat.index()]
            .cards()
            .map(Card::letter)
            .iter()
            .collect();
        write!(f, "  seat {seat} {bar} {hp}/{max}  hand {hand}")?;
        if let Some(own) = self.own.filter(|own| own.seat == seat) {
            let layout = Letters(own.layout, self.steps.into());
            write!(f, "  you: {layout} ({})", own.status.code())?;
        }
        if self.afk_streak[seat.index()] + 1 == AFK_ROUNDS_MAX {
            f.write_str("  missed a round: one more loses the match")?;
        }
        writeln!(f)
    }
}

fn name(slot: Slot) -> &'static str {
    slot.map_or("nothing", |card| card.name())
}
