//! Actions and positions as short text.

use std::fmt;
use std::str::FromStr;

use kernel::words::{Vocabulary, WordForm, numbers_to, one_of};

use crate::action::Action;
use crate::constants::RETREAT_SHARES;
use crate::galaxy::SystemIdx;
use crate::state::{Fleet, Mission, Place, Stellar, Verb};
use crate::world::World;

/// The text is not a step of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAnAction;

impl fmt::Display for NotAnAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected a step of an order such as fleet:0, move, system:12, body:any, ship:1, \
             end, into:2, below:50 or done",
        )
    }
}

impl std::error::Error for NotAnAction {}

/// Reads the text that `Display` writes. Does not check that the match has such a fleet or system.
impl FromStr for Action {
    type Err = NotAnAction;

    fn from_str(text: &str) -> Result<Action, NotAnAction> {
        let Some((kind, rest)) = text.split_once(':') else {
            return match text {
                "end" => Ok(Action::End),
                "done" => Ok(Action::Done),
                _ => verb(text).map(Action::Verb).ok_or(NotAnAction),
            };
        };
        let action = match (kind, rest) {
            ("fleet", rank) => number(rank).map(Action::Fleet),
            ("system", idx) => number(idx).map(|idx| Action::System(SystemIdx(idx))),
            ("body", "any") => Some(Action::AnyBody),
            ("body", body) => number(body)
                .and_then(|it| u8::try_from(it).ok())
                .map(Action::Body),
            ("ship", place) => number(place).map(Action::Ship),
            ("into", rank) => number(rank).map(Action::Into),
            ("below", share) => {
                let share = number(share);
                let idx = RETREAT_SHARES
                    .iter()
                    .position(|it| Some(u16::from(*it)) == share);
                idx.and_then(|idx| u8::try_from(idx).ok())
                    .map(Action::Share)
            }
            _ => None,
        };
        action.ok_or(NotAnAction)
    }
}

/// The verb with this name.
pub(crate) fn verb(name: &str) -> Option<Verb> {
    Verb::ALL.into_iter().find(|it| it.name() == name)
}

/// A number without a sign or leading zeros.
pub(crate) fn number(text: &str) -> Option<u16> {
    text.parse().ok().filter(|it: &u16| it.to_string() == text)
}

impl Vocabulary for Action {
    fn forms() -> Vec<WordForm> {
        let numbered = |kind: &str, last: u32, example, about: &str| {
            WordForm::new(format!("{kind}:{}", numbers_to(last)), example, about)
        };
        let any = u16::MAX.into();
        let mut forms = vec![numbered(
            "fleet",
            any,
            "fleet:0",
            "Begin an order for your fleet of this rank; a verb follows.",
        )];
        forms.extend(Verb::ALL.map(|verb| WordForm::new(verb.name(), verb.name(), meaning(verb))));
        forms.extend([
            numbered(
                "system",
                any,
                "system:12",
                "The system, by its index in `map.systems` of the view.",
            ),
            numbered(
                "body",
                u8::MAX.into(),
                "body:0",
                "The body of the system, by its rank among those that troops can land on.",
            ),
            WordForm::new(
                "body:any",
                "body:any",
                "Any body: the rules choose one, normally where the enemy is.",
            ),
            numbered(
                "ship",
                any,
                "ship:1",
                "A ship to split off, by its index in `ships` of the fleet.",
            ),
            WordForm::new("end", "end", "Ends the list of ships to split off."),
            numbered(
                "into",
                any,
                "into:2",
                "The fleet of yours to merge into, by its rank.",
            ),
            WordForm::new(
                format!("below:{}", one_of(RETREAT_SHARES.map(|it| it.to_string()))),
                "below:50",
                "The retreat threshold: the fleet breaks off a battle when its side falls below \
                 this percentage of its initial power; 0 for never.",
            ),
            WordForm::new("done", "done", "End your orders for this turn."),
        ]);
        forms
    }
}

/// The meaning of a verb, with the words that follow it.
fn meaning(verb: Verb) -> &'static str {
    match verb {
        Verb::Move => "Go to a system; `system` follows.",
        Verb::Invade => "Go to a system and land armies; `system` and `body` follow.",
        Verb::Load => "Go to a system and take armies aboard; `system` follows.",
        Verb::Unload => "Go to a system of yours and land armies; `system` and `body` follow.",
        Verb::Transfer => {
            "Carry an army from one body to another in the system that the fleet orbits; two \
             `body` follow."
        }
        Verb::Split => "Split some ships off into a new fleet; each `ship` and then `end` follow.",
        Verb::Merge => "Merge into another fleet of yours in the same orbit; `into` follows.",
        Verb::Retreat => "Set when the fleet breaks off a battle; `below` follows.",
    }
}

/// A fleet on one line.
pub(crate) fn fleet(fleet: &Fleet, world: &World) -> String {
    let id = |idx| &world.galaxy().system(idx).id;
    let place = match fleet.place {
        Place::Orbit(system) => format!("@{}", id(system)),
        Place::Moving { at, to } => format!("({},{},{})>{}", at.x, at.y, at.z, id(to)),
    };
    let mut text = format!("{}#{}{place}", world.faction_id(fleet.owner), fleet.rank);
    for ship in &fleet.ships {
        let kind = &ship.kind.name()[..2];
        text += &format!(" {kind}{}:{}", ship.rank, ship.hull);
        if ship.army.is_some() {
            text.push('*');
        }
    }
    if fleet.mission != Mission::None {
        text += &format!(" [{}]", Vec::from(fleet.mission).join(" "));
    }
    if let Some(it) = fleet.order {
        text += &format!(" <{}>", Vec::from(it).join(" "));
    }
    text
}

impl fmt::Display for Stellar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{} done {:?}", self.turn, self.done)?;
        for it in &self.fleets {
            write!(f, " | {}", fleet(it, &self.world))?;
        }
        write!(f, " | armies {}", self.armies.len())?;
        let owned = self.owners.iter().map(|it| match it {
            Some(owner) => char::from(b'0' + owner.index() as u8),
            None => '.',
        });
        write!(f, " | {}", owned.collect::<String>())?;
        for hold in self.holds.iter().flatten() {
            write!(f, " hill {}x{}", hold.holder, hold.n_turns)?;
        }
        if !self.battles.is_empty() {
            write!(f, " battles {:?}", self.battles)?;
        }
        match &self.end {
            Some(end) => write!(f, " over: {}", end.outcome(&self.world)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::GameExt;

    use super::*;

    #[test]
    fn steps_read_as_they_are_written() {
        let match_ = <Stellar as kernel::Game>::start(&crate::Setup::default());
        for (_, action) in match_.actions() {
            assert_eq!(action.to_string().parse(), Ok(action));
        }
        for text in [
            "", "fleet", "fleet:", "fleet:-1", "fleet:01", "body:300", "below:7", "Done",
        ] {
            assert_eq!(text.parse::<Action>(), Err(NotAnAction), "{text}");
        }
    }
}
