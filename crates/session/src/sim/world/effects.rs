//! The host carrying out the session's effects, and its crashes while it does.

use kernel::{Seat, Viewer};

use super::super::cells::{Fault, Phase};
use super::super::checker::Told;
use super::super::network::Happening;
use super::super::simulated::Simulated;
use super::World;
use crate::{Effect, Live, Message};

impl<S: Simulated> World<S> {
    /// Carries out effects one by one; the process may die before or after each.
    pub(super) fn carry_out(&mut self, effects: Vec<Effect<S::Game>>) {
        for effect in effects {
            let (before, after) = crash_faults(&effect);
            let phase = self.phase_of(&effect);
            let nth = self.n_effects;
            self.n_effects += 1;
            if is_rare(&effect) && self.draws.permille(50) {
                let before = self.draws.permille(500);
                self.fate.crashes.push((nth, before));
            }
            if self.fate.crashes.contains(&(nth, true)) {
                return self.crash(before, phase);
            }
            self.do_effect(effect);
            if self.fate.crashes.contains(&(nth, false)) {
                return self.crash(after, phase);
            }
        }
    }

    /// The phase in which a crash at an effect strikes: the match is over from its closing event
    /// on, whether or not that event becomes durable.
    fn phase_of(&self, effect: &Effect<S::Game>) -> Phase {
        if closes(effect) {
            Phase::OVER
        } else {
            self.phase
        }
    }

    fn do_effect(&mut self, effect: Effect<S::Game>) {
        match effect {
            Effect::Persist(event) => {
                let outage = self.outage();
                let told = self.checker.on_persist(&event, self.up_ms(), outage);
                if told == Told::Missed {
                    self.count(Fault::MissedDeadline);
                }
                self.disk.take(&event);
                self.write_up_to(event.version);
            }
            Effect::Probe(probe) => self.write_probe(probe),
            Effect::Send(viewer, message) => self.send(viewer, &message),
            Effect::Hangup(_) => {}
            Effect::SetTimer(at) => {
                self.n_timers += 1;
                if let Some(at) = at {
                    let wait = at.saturating_sub(self.host_now());
                    let lag = if self.draws.permille(50) { 40 } else { 2 };
                    let at = self.now + wait + self.draws.within(0, lag);
                    self.queue.push(at, Happening::Timer(self.n_timers));
                }
            }
            Effect::Closed => {
                self.checker.on_closed();
                self.closed_at = Some(self.now);
            }
        }
    }

    fn send(&mut self, viewer: Viewer, message: &Message<S::Game>) {
        self.write_transcript(viewer, message);
        self.checker.on_standing(viewer, message);
        let Viewer::Seat(seat) = viewer else {
            return;
        };
        if let Message::Ack {
            client_seq,
            taken,
            code,
        } = message
        {
            let sent = self.clients[seat.index()].sent_as(*client_seq);
            match sent {
                Some(sent) if *taken => self.checker.on_ack(seat, sent),
                Some(_) => {}
                None => self
                    .checker
                    .wrong("strange_ack", "an answer to a message that was never sent"),
            }
            if code.as_deref() == Some("late") {
                self.checker.on_late(seat);
            }
        }
        let Some(conn) = self.clients[seat.index()].conn else {
            return;
        };
        for at in self.deliveries(seat) {
            let message = message.clone();
            self.queue
                .push(at, Happening::ToClient(seat, conn, message));
        }
    }

    fn write_transcript(&mut self, viewer: Viewer, message: &Message<S::Game>) {
        let Some(transcript) = &mut self.transcript else {
            return;
        };
        if viewer == Viewer::Seat(Seat::SECOND) || transcript.revealed {
            return;
        }
        // After a crash a standing may be the first message to show it.
        if S::SHOWS.is_some_and(|shows| shows(message)) {
            transcript.revealed = true;
            return;
        }
        let written = kernel::json::write_canonical(message, &mut transcript.bytes);
        assert!(written.is_ok(), "messages hold no floats");
        transcript.times.push(self.now);
    }
}

/// Effects that a match has few of. A crash at one of them would be rarer still.
fn is_rare<G: Live>(effect: &Effect<G>) -> bool {
    matches!(effect, Effect::Probe(_) | Effect::Closed) || closes(effect)
}

/// True for the write of the closing event, which holds the settlement.
fn closes<G: Live>(effect: &Effect<G>) -> bool {
    matches!(effect, Effect::Persist(event) if event.settlement.is_some())
}

/// The faults that count a crash before and after an effect.
fn crash_faults<G: Live>(effect: &Effect<G>) -> (Fault, Fault) {
    match effect {
        Effect::Persist(_) => (Fault::CrashBeforePersist, Fault::CrashAfterPersist),
        Effect::Send(..) | Effect::Hangup(_) => (Fault::CrashBeforeSend, Fault::CrashAfterSend),
        Effect::SetTimer(_) => (Fault::CrashBeforeTimer, Fault::CrashAfterTimer),
        Effect::Probe(_) => (Fault::CrashBeforeProbe, Fault::CrashAfterProbe),
        Effect::Closed => (Fault::CrashBeforeClosed, Fault::CrashAfterClosed),
    }
}
