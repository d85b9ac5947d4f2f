//! The messages, connections and disconnections that reach the host.

use kernel::{Seat, SeatSet};

use super::super::cells::Fault;
use super::super::client::{Act, Deed};
use super::super::network::Happening;
use super::super::simulated::Simulated;
use super::World;
use crate::{Account, Conn, Disposition, Input, Say};

pub(super) const STRANGER: Account = Account(999_999);

impl<S: Simulated> World<S> {
    /// Handles traffic to a host that is down: clients that connect retry, everything else is lost.
    pub(super) fn knock_in_vain(&mut self, happening: &Happening<S>) {
        let &Happening::Connect(seats, conn) = happening else {
            return;
        };
        let mut knocks = seats.iter();
        if let Some(seat) = knocks.find(|it| self.clients[it.index()].conn == Some(conn)) {
            for seat in seats.iter() {
                self.clients[seat.index()].conn = None;
            }
            let at = self.now + self.draws.within(300, 1_500);
            self.queue.push(at, Happening::Client(seat, Deed::Join));
        }
    }

    pub(super) fn host_hears(&mut self, seat: Seat, conn: Conn, say: Say<S::Game>) {
        let up_ms = self.up_ms();
        let wait = self.checker.wait();
        let deadline = self.session.as_ref().and_then(|it| it.clock().deadline());
        let phase = self.phase;
        let edge = deadline.is_some_and(|at| at.abs_diff(self.host_now()) <= 1);
        let asks = matches!(say, Say::Ask { .. });
        let client_seq = match say {
            Say::Ask { client_seq, .. } | Say::Resign { client_seq } => Some(client_seq),
            Say::Consider { .. } | Say::Resync { .. } => None,
        };
        let Some(disposition) = self.handle(Input::Say { seat, conn, say }) else {
            return;
        };
        if edge && asks {
            self.count_in(Fault::DeadlineEdge, phase);
        }
        if disposition == Disposition::Held {
            self.checker.on_held(seat, wait, up_ms);
        } else if asks {
            let taken = matches!(disposition, Disposition::Done | Disposition::Corrected(_));
            let late = disposition == Disposition::Late;
            self.checker.on_judged(wait, up_ms, taken, late);
        }
        if disposition == Disposition::Stale {
            self.count_in(Fault::StaleConnection, phase);
        }
        let Some(client_seq) = client_seq else {
            return;
        };
        self.check_answered(seat, client_seq, disposition);
        if let Some(fault) = self.fault_of(seat, client_seq, disposition) {
            self.count_in(fault, phase);
        }
    }

    /// Checks that a numbered message is answered, whatever the disposition.
    fn check_answered(&mut self, seat: Seat, client_seq: u64, disposition: Disposition) {
        let waits = matches!(
            disposition,
            Disposition::Held | Disposition::Gap | Disposition::Stale
        );
        let next_seq = self.session.as_ref().map(|it| it.next_seq(seat));
        if !waits && next_seq.is_some_and(|next| next <= client_seq) {
            let message = format!("message {client_seq} of seat {seat}: {disposition:?}");
            self.checker.wrong("no_answer", message);
        }
    }

    fn fault_of(&self, seat: Seat, client_seq: u64, disposition: Disposition) -> Option<Fault> {
        let sent = self.clients[seat.index()].sent_as(client_seq);
        let act = sent.map(|sent| sent.act);
        Some(match disposition {
            Disposition::Held | Disposition::Late => Fault::LateInput,
            Disposition::Corrected(_) => Fault::AdjustedAsk,
            Disposition::Refused("not_your_turn") => Fault::WrongTime,
            Disposition::Refused(_) | Disposition::Ignored("malformed_layout")
                if act == Some(Act::Garbage) =>
            {
                Fault::Garbage
            }
            Disposition::Refused(_) => Fault::RefusedAsk,
            Disposition::Ignored(_) | Disposition::Over => Fault::WrongTime,
            Disposition::Duplicate => Fault::DuplicateInput,
            Disposition::Gap => Fault::GapInInputs,
            Disposition::Done if act == Some(Act::Resign) => Fault::Resign,
            _ => return None,
        })
    }

    /// Connects the seats at one screen.
    pub(super) fn host_meets(&mut self, seats: SeatSet, conn: Conn) {
        for seat in seats.iter() {
            let client = &self.clients[seat.index()];
            if client.conn != Some(conn) {
                continue;
            }
            let (account, seen) = (client.account, client.seen);
            let next_seq = client.lowest_seq();
            let phase = self.phase;
            let n_takeovers = |it: &Self| it.session.as_ref().map(|it| it.metrics().n_takeovers);
            let before = n_takeovers(self);
            let up_ms = self.up_ms();
            let disposition = self.handle(Input::Connect {
                seat,
                conn,
                account,
                seen,
                next_seq,
            });
            if disposition == Some(Disposition::Done) && self.session.is_some() {
                self.met[seat.index()] = Some(conn);
                self.checker.on_there(seat, up_ms);
            }
            let fault = if before == n_takeovers(self) {
                Fault::Reconnect
            } else {
                Fault::Takeover
            };
            self.count_in(fault, phase);
        }
    }

    pub(super) fn all_gone(&mut self) {
        let people = self.terms.policy.people;
        let conns = people
            .iter()
            .map(|seat| (seat, self.clients[seat.index()].conn));
        let gone: Option<Vec<(Seat, Conn)>> = conns.map(|(seat, it)| Some((seat, it?))).collect();
        let Some(gone) = gone else {
            return;
        };
        for client in &mut self.clients {
            client.conn = None;
        }
        self.count(Fault::AllDisconnect);
        self.lose(gone);
        for seat in self.screens() {
            let at = self.now + self.draws.within(100, 6_000);
            self.queue.push(at, Happening::Client(seat, Deed::Join));
        }
    }

    /// Handles connections that are lost at the same instant.
    pub(super) fn lose(&mut self, gone: Vec<(Seat, Conn)>) {
        let up_ms = self.up_ms();
        for &(seat, conn) in &gone {
            // The loss of an older connection does not matter once the seat has a newer one.
            let met = &mut self.met[seat.index()];
            if met.take_if(|it| *it == conn).is_some() {
                self.checker.on_lost(seat, up_ms);
            }
        }
        self.handle(Input::Disconnect { gone });
    }

    pub(super) fn hijack(&mut self, seat: Seat) {
        self.count(Fault::SeatHijack);
        self.n_conns += 1;
        let others = self.terms.accounts.iter().copied().flatten();
        let foreign = others.filter(|it| *it != self.clients[seat.index()].account);
        let foreign: Vec<Account> = foreign.chain([STRANGER]).collect();
        let account = self.draws.pick(&foreign);
        let disposition = self.handle(Input::Connect {
            seat,
            conn: Conn(self.n_conns),
            account,
            seen: 0,
            next_seq: 1,
        });
        if disposition.is_some_and(|it| it != Disposition::NotYours) {
            self.checker
                .wrong("seat_hijack", "a foreign account took the seat");
        }
    }
}
