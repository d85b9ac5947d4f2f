//! Orcain, live.

use std::borrow::Cow;

use catalog::Orcain;
use catalog::orcain::{Action, Card, Layout, STEPS_MAX, Slot, Stage, Status};
use kernel::doc::{Document, Faults, Node};
use kernel::json::Json;
use kernel::{Game, GameExt, Seat, SeatSet, Viewer};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{Heard, Live, Ms, NoWord, Pace, Policy};

/// What a client of Orcain asks for. `None` stands for a list that is no list of cards at
/// all; a name that is no card is an unknown slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrcainAsk {
    /// Lay out cards for now.
    Draft(Option<Vec<Asked>>),
    /// Lay out cards for good.
    Confirm(Option<Vec<Asked>>),
}

/// One slot as a client sent it: nothing, a card, or a name that is no card.
pub type Asked = Result<Slot, ()>;

/// Slots from names as they come over the wire; none when there are too many of them.
pub fn read_cards(names: &[Option<&str>]) -> Option<Vec<Asked>> {
    let read = |name: &Option<&str>| name.map_or(Ok(None), named);
    (names.len() <= STEPS_MAX).then(|| names.iter().map(read).collect())
}

fn named(name: &str) -> Asked {
    let known = Card::ALL.into_iter().find(|card| card.name() == name);
    known.map(Some).ok_or(())
}

/// `{"type": "draft", "layout": ["attack", null, "heal"]}`, or `confirm`.
///
/// A text that names no card is read as an unknown slot, because the rules say what
/// becomes of it: a draft is mended, a confirm refused.
impl Document for OrcainAsk {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<OrcainAsk> {
        node.only_fields(&["layout", "type"], faults);
        let kind = node.field("type").one_of(&["draft", "confirm"], faults);
        let layout = read_layout(&node.field("layout"), faults);
        Some(match kind? {
            0 => OrcainAsk::Draft(Some(layout?)),
            _ => OrcainAsk::Confirm(Some(layout?)),
        })
    }
}

fn read_layout(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Asked>> {
    let items = node.list(faults)?;
    if items.len() > STEPS_MAX {
        let expected = format!("a list of at most {STEPS_MAX}");
        return node.refuse("wrong_length", &expected, faults);
    }
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

impl JsonSchema for OrcainAsk {
    fn schema_name() -> Cow<'static, str> {
        "Ask".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let card = generator.subschema_for::<Card>();
        json_schema!({
            "description": "Lay out cards: a draft counts until the next one, a confirm is final \
                for the round and needs a card in every slot.",
            "type": "object",
            "properties": {
                "type": {"enum": ["draft", "confirm"], "description": "For now, or for good."},
                "layout": {
                    "description": "A card of the hand or null for each step.",
                    "type": "array",
                    "items": {"anyOf": [card, {"type": "null"}]},
                    "maxItems": STEPS_MAX,
                },
            },
            "required": ["layout", "type"],
            "additionalProperties": false,
        })
    }
}

impl Live for Orcain {
    type Ask = OrcainAsk;
    type Word = NoWord;

    const CONSIDERED: &'static str = "\
        `code` is the reason why the layout would be refused, or null, and then `whole` is true. A \
        draft with a card that the hand lacks is not refused: it is laid out with an empty slot in \
        the card's place. `legal` is always empty.";

    /// Twenty seconds to lay out; a lost connection between people loses at once.
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

    fn hear(&self, seat: Seat, ask: &OrcainAsk) -> Heard<Action> {
        let own = self.view(Viewer::Seat(seat)).own;
        let Some(own) = own.filter(|_| self.stage() == Stage::Prep && self.ending().is_none())
        else {
            return Heard::Ignored("wrong_phase");
        };
        if own.status == Status::Confirmed {
            return Heard::Ignored("already_confirmed");
        }
        match ask {
            OrcainAsk::Draft(Some(slots)) if slots.len() == self.setup().steps() => {
                self.hear_draft(seat, slots)
            }
            OrcainAsk::Draft(_) => Heard::Ignored("malformed_layout"),
            OrcainAsk::Confirm(slots) => {
                let confirm = slots.as_deref().and_then(|slots| self.confirm(seat, slots));
                confirm.map_or_else(|| self.refuse_confirm(seat), play)
            }
        }
    }

    /// The standing layout is drafted again: an empty one stays empty.
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

fn play(action: Action) -> Heard<Action> {
    Heard::Play(vec![action])
}

/// What the session asks of the position; each has a rule behind it.
trait Duel {
    fn hear_draft(&self, seat: Seat, slots: &[Asked]) -> Heard<Action>;
    fn confirm(&self, seat: Seat, slots: &[Asked]) -> Option<Action>;
    fn refuse_confirm(&self, seat: Seat) -> Heard<Action>;
    fn n_shown(&self) -> usize;
}

impl Duel for Orcain {
    /// A card that the hand lacks becomes an empty slot.
    fn hear_draft(&self, seat: Seat, slots: &[Asked]) -> Heard<Action> {
        let wanted: Vec<Slot> = slots.iter().map(|slot| slot.unwrap_or(None)).collect();
        let kept = self.setup().hands[seat.index() & 1].sanitize(&wanted);
        let draft = Action::Draft(kept);
        if self.refuse(seat, draft).is_some() {
            // Nobody who drafted so often is away, so nothing is lost.
            return Heard::Refused("too_many_drafts", None);
        }
        let as_sent = slots.iter().all(Result::is_ok) && Layout::new(&wanted) == Some(kept);
        if as_sent {
            play(draft)
        } else {
            Heard::Mended(draft, "invalid_card")
        }
    }

    fn confirm(&self, seat: Seat, slots: &[Asked]) -> Option<Action> {
        let slots: Option<Vec<Slot>> = slots.iter().map(|slot| slot.ok()).collect();
        let full = Layout::new(&slots?)?.full(self.setup().steps())?;
        let confirm = Action::Confirm(full);
        self.refuse(seat, confirm).is_none().then_some(confirm)
    }

    /// A refused confirm counts as being there: the standing layout is drafted again.
    fn refuse_confirm(&self, seat: Seat) -> Heard<Action> {
        Heard::Refused("invalid_layout", self.excuse(seat))
    }

    fn n_shown(&self) -> usize {
        self.view(Viewer::Public).exchanges.len()
    }
}
