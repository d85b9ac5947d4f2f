//! Orders and positions as short text.

use std::fmt;

use crate::setup::World;
use crate::state::{Draft, Fleet, Mission, Order, Place, Stellar};

/// An order as words: the verb and what belongs to it.
pub(crate) fn order(order: Order) -> Vec<String> {
    let words = |verb: &str, rest: &[Option<u16>]| {
        let rest = rest
            .iter()
            .map(|it| it.map_or("any".to_owned(), |it| it.to_string()));
        [verb.to_owned()].into_iter().chain(rest).collect()
    };
    match order {
        Order::Move(to) => words("move", &[Some(to.0)]),
        Order::Invade(to, body) => words("invade", &[Some(to.0), body.map(u16::from)]),
        Order::Load(to) => words("load", &[Some(to.0)]),
        Order::Unload(to, body) => words("unload", &[Some(to.0), body.map(u16::from)]),
        Order::Transfer(from, to) => words("transfer", &[Some(from.into()), Some(to.into())]),
        Order::Split => words("split", &[]),
        Order::Merge(into) => words("merge", &[Some(into)]),
        Order::Receive => words("receive", &[]),
    }
}

/// A mission as words.
pub(crate) fn mission(mission: Mission) -> Vec<String> {
    let body = |body: Option<u8>| body.map_or("any".to_owned(), |it| it.to_string());
    match mission {
        Mission::None => vec!["none".to_owned()],
        Mission::Invade(on) => vec!["invade".to_owned(), body(on)],
        Mission::Load => vec!["load".to_owned()],
        Mission::Unload(on) => vec!["unload".to_owned(), body(on)],
    }
}

/// An order that is being composed, as words.
pub(crate) fn draft(draft: Draft) -> Vec<String> {
    match draft {
        Draft::Idle => Vec::new(),
        Draft::Fleet(rank) => vec![rank.to_string()],
        Draft::Verb(rank, verb) => vec![rank.to_string(), verb.name().to_owned()],
        Draft::Target(rank, verb, system) => {
            vec![
                rank.to_string(),
                verb.name().to_owned(),
                system.0.to_string(),
            ]
        }
        Draft::From(rank, body) => {
            vec![rank.to_string(), "transfer".to_owned(), body.to_string()]
        }
    }
}

/// A fleet in one line.
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
        text += &format!(" [{}]", mission(fleet.mission).join(" "));
    }
    if let Some(it) = fleet.order {
        text += &format!(" <{}>", order(it).join(" "));
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
