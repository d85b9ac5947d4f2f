//! Composing orders step by step.

use kernel::{Seat, Sink};

use crate::action::Action;
use crate::constants::RETREAT_SHARES;
use crate::event::Event;
use crate::state::{Draft, Order, Stellar, Verb};

impl Stellar {
    /// Applies one step of a faction. Trusted: the caller promises that the step is legal.
    pub(crate) fn compose(&mut self, seat: Seat, action: Action, events: &mut impl Sink<Event>) {
        let draft = self.drafts[seat.index()];
        let next = match (draft, action) {
            (_, Action::Fleet(rank)) => Draft::Fleet(rank),
            (Draft::Fleet(rank), Action::Verb(verb)) => Draft::Verb(rank, verb),
            (Draft::Verb(rank, verb), Action::System(system)) => match verb {
                Verb::Invade | Verb::Unload => Draft::Target(rank, verb, system),
                Verb::Load => self.give(seat, rank, Order::Load(system), events),
                _ => self.give(seat, rank, Order::Move(system), events),
            },
            (Draft::Target(rank, verb, system), Action::Body(_) | Action::AnyBody) => {
                let body = match action {
                    Action::Body(body) => Some(body),
                    _ => None,
                };
                let order = match verb {
                    Verb::Unload => Order::Unload(system, body),
                    _ => Order::Invade(system, body),
                };
                self.give(seat, rank, order, events)
            }
            (Draft::Verb(rank, _), Action::Body(from)) => Draft::From(rank, from),
            (Draft::From(rank, from), Action::Body(to)) => {
                self.give(seat, rank, Order::Transfer(from, to), events)
            }
            (Draft::Verb(rank, _), Action::Ship(place)) => {
                if let Some(idx) = self.fleet_idx(seat, rank) {
                    self.fleets[idx].ships[usize::from(place)].leaves = true;
                }
                draft
            }
            (Draft::Verb(rank, _), Action::End) => self.give(seat, rank, Order::Split, events),
            (Draft::Verb(rank, _), Action::Into(other)) => {
                if let Some(idx) = self.fleet_idx(seat, other) {
                    self.fleets[idx].order = Some(Order::Receive);
                }
                self.give(seat, rank, Order::Merge(other), events)
            }
            (Draft::Verb(rank, _), Action::Share(idx)) => {
                let share = RETREAT_SHARES[usize::from(idx)];
                if let Some(idx) = self.fleet_idx(seat, rank) {
                    self.fleets[idx].new_retreat = Some(share);
                }
                events.push(Event::Ordered { seat, fleet: rank });
                Draft::Idle
            }
            _ => Draft::Idle,
        };
        self.drafts[seat.index()] = next;
        if action == Action::Done {
            self.done = self.done.with(seat);
        }
    }

    fn give(
        &mut self,
        seat: Seat,
        rank: u16,
        order: Order,
        events: &mut impl Sink<Event>,
    ) -> Draft {
        if let Some(idx) = self.fleet_idx(seat, rank) {
            self.fleets[idx].order = Some(order);
        }
        events.push(Event::Ordered { seat, fleet: rank });
        Draft::Idle
    }

    /// Drops orders that were started and not finished.
    pub(crate) fn drop_drafts(&mut self) {
        for fleet in &mut self.fleets {
            if fleet.order != Some(Order::Split) {
                fleet.ships.iter_mut().for_each(|ship| ship.leaves = false);
            }
        }
        self.drafts = Default::default();
    }
}
