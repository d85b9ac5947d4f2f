//! Orcain in live play: client messages, refusals and time.

use kernel::doc::{Document, Faults, Node};
use kernel::json::Json;
use kernel::live::{BotManner, Live, Ms, Pace, Policy, Reading};
use kernel::words::NoWord;
use kernel::{Game, GameExt, Seat, SeatSet, Viewer};
use schemars::JsonSchema;

use crate::{Action, Card, Layout, Orcain, STEPS_MAX, Slot, Stage, Status};

/// Place cards. A draft counts until the next one. A confirm is final for the round and needs a
/// card in every slot.
// `None` is a layout that is not a list of cards, which only old clients send. A name that is not
// a card is an unknown slot.
#[derive(Clone, PartialEq, Eq, Debug, Document, JsonSchema)]
#[serde(from = "Written", into = "Written")]
pub enum Ask {
    /// Place cards for now.
    Draft(Option<Vec<Asked>>),
    /// Place cards for good.
    Confirm(Option<Vec<Asked>>),
}

/// A slot as a client sent it: empty, a card, or a name that is not a card.
pub type Asked = Result<Slot, ()>;

/// Reads slots from names on the wire; `None` if there are too many.
pub fn read_cards(names: &[Option<&str>]) -> Option<Vec<Asked>> {
    let read = |name: &Option<&str>| name.map_or(Ok(None), named);
    (names.len() <= STEPS_MAX).then(|| names.iter().map(read).collect())
}

fn named(name: &str) -> Asked {
    let known = Card::ALL.into_iter().find(|card| card.name() == name);
    known.map(Some).ok_or(())
}

#[derive(Document, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Ask")]
struct Written {
    /// Draft or confirm.
    #[serde(rename = "type")]
    kind: Kind,
    /// A card of the hand or null for each step.
    #[document(read_with = read_layout)]
    #[schemars(with = "Vec<Option<Card>>", length(max = STEPS_MAX))]
    layout: Vec<Asked>,
}

#[derive(Document, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Kind {
    Draft,
    Confirm,
}

impl From<Written> for Ask {
    fn from(Written { kind, layout }: Written) -> Ask {
        match kind {
            Kind::Draft => Ask::Draft(Some(layout)),
            Kind::Confirm => Ask::Confirm(Some(layout)),
        }
    }
}

/// Reads a text that names no card as an unknown slot, because the rules decide its effect: a
/// draft is accepted without it, a confirm is refused.
fn read_layout(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Asked>> {
    let items = node.list_of(0..=STEPS_MAX, faults)?;
    let slots: Vec<Option<Asked>> = items.iter().map(|it| read_slot(it, faults)).collect();
    slots.into_iter().collect()
}

fn read_slot(node: &Node<'_>, faults: &mut Faults) -> Option<Asked> {
    match node.json() {
        Some(Json::Null) => Some(Ok(None)),
        Some(Json::Text(name)) => Some(named(name)),
        _ => node.refuse("wrong_type", "a card's name or null", faults),
    }
}

impl Live for Orcain {
    type Ask = Ask;
    type Word = NoWord;

    const CONSIDERED: &'static str = "\
        `code` is the reason for which the layout would be refused, or null, in which case `whole` \
        is true. A draft with a card that the hand lacks is not refused: the card's slot is left \
        empty. `legal` is always empty.";

    const REFUSALS: &'static [(&'static str, &'static str)] = &[
        (
            "invalid_card",
            "The draft was accepted, with an empty slot for a card that the hand does not have.",
        ),
        (
            "invalid_layout",
            "A confirm needs a card of the hand in every slot. It was refused, but still counts \
             as a sign of presence.",
        ),
        (
            "malformed_layout",
            "A draft must have one slot for each step of the round. It was ignored.",
        ),
        (
            "too_many_drafts",
            "The limit of drafts in this round is reached. The draft was refused.",
        ),
        (
            "already_confirmed",
            "The layout is already final for this round. The new one was ignored.",
        ),
    ];

    /// Twenty seconds to place cards. A disconnect in a match between people loses at once.
    const POLICY: Policy = Policy {
        pace: Pace {
            turn_ms: 20_000,
            first_step_ms: 250,
            step_ms: 900,
        },
        misses_max: None,
        grace_ms: 0,
        pause_budget_ms: 0,
        pauses_max: 20,
        people: SeatSet::EMPTY,
        in_flight_max: 1024,
    };

    const BOT_MANNER: BotManner = BotManner::Hidden;
    const BOT_NICKNAME: Option<&'static str> = Some("Orc Bot");
    const HAS_LEAGUES: bool = true;
    const PLAYED_FROM: u32 = 3;

    fn interpret(&self, seat: Seat, ask: &Ask) -> Reading<Action> {
        let own = self.view(Viewer::Seat(seat)).own;
        let Some(own) = own.filter(|_| self.stage() == Stage::Prep && self.ending().is_none())
        else {
            return Reading::Ignored("wrong_phase");
        };
        if own.status == Status::Confirmed {
            return Reading::Ignored("already_confirmed");
        }
        match ask {
            Ask::Draft(Some(slots)) if slots.len() == self.setup().steps() => {
                self.hear_draft(seat, slots)
            }
            Ask::Draft(_) => Reading::Ignored("malformed_layout"),
            Ask::Confirm(slots) => {
                let confirm = slots.as_deref().and_then(|slots| self.confirm(seat, slots));
                confirm.map_or_else(|| self.refuse_confirm(seat), play)
            }
        }
    }

    /// Drafts the current layout again; an empty one stays empty.
    fn excuse(&self, seat: Seat) -> Option<Action> {
        let standing = self.view(Viewer::Seat(seat)).own?.layout;
        let draft = Action::Draft(Layout::of(&standing));
        let legal = self.check(&kernel::Step::Play(seat, draft)).is_ok();
        legal.then_some(draft)
    }

    fn wait_ms(&self, pace: &Pace) -> Ms {
        match self.stage() {
            Stage::Prep => pace.turn_ms,
            Stage::Reveal if self.n_shown() == 0 => pace.first_step_ms,
            Stage::Reveal => pace.step_ms,
        }
    }
}

fn play(action: Action) -> Reading<Action> {
    Reading::Play(vec![action])
}

impl Orcain {
    /// A card that the hand lacks becomes an empty slot.
    fn hear_draft(&self, seat: Seat, slots: &[Asked]) -> Reading<Action> {
        let wanted: Vec<Slot> = slots.iter().map(|slot| slot.unwrap_or(None)).collect();
        let kept = self.setup().hands[seat.index() & 1].sanitize(&wanted);
        let draft = Action::Draft(kept);
        if self.refuse(seat, draft).is_some() {
            // A player with that many drafts is clearly present, so nothing is lost.
            return Reading::Refused("too_many_drafts", None);
        }
        let as_sent = slots.iter().all(Result::is_ok) && Layout::new(&wanted) == Some(kept);
        if as_sent {
            play(draft)
        } else {
            Reading::Corrected(draft, "invalid_card")
        }
    }

    fn confirm(&self, seat: Seat, slots: &[Asked]) -> Option<Action> {
        let slots: Option<Vec<Slot>> = slots.iter().map(|slot| slot.ok()).collect();
        let full = Layout::new(&slots?)?.full(self.setup().steps())?;
        let confirm = Action::Confirm(full);
        self.refuse(seat, confirm).is_none().then_some(confirm)
    }

    /// A refused confirm still shows that the player is present: the current layout is drafted
    /// again.
    fn refuse_confirm(&self, seat: Seat) -> Reading<Action> {
        Reading::Refused("invalid_layout", self.excuse(seat))
    }

    fn n_shown(&self) -> usize {
        self.view(Viewer::Public).exchanges.len()
    }
}
