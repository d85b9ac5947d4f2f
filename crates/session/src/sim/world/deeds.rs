//! The actions of clients and the network.

use kernel::{Seat, SeatSet};

use super::super::cells::{Fault, Phase};
use super::super::client::{Act, Deed, Meaning};
use super::super::fate::Habit;
use super::super::network::Happening;
use super::super::simulated::{Mind, Notion, Simulated};
use super::{EPOCH, World};
use crate::{Conn, Message, Ms, Say};

impl<S: Simulated> World<S> {
    pub(super) fn client_does(&mut self, seat: Seat, deed: Deed) {
        if self.stays_away.contains(seat) {
            return;
        }
        match deed {
            Deed::Act(Act::Ahead) => {
                let say = self.clients[seat.index()].far_ahead();
                self.say(seat, &say);
            }
            Deed::Act(act) => match self.clients[seat.index()].prepare(act) {
                Some(question) => self.say(seat, &question),
                None => self.say_pending(seat),
            },
            Deed::Edge(act) => {
                let client = &mut self.clients[seat.index()];
                let say = client.prepare(act).or_else(|| client.pending());
                if let (Some(conn), Some(say)) = (client.conn, say) {
                    self.queue
                        .push(self.now, Happening::ToHost(seat, conn, say));
                }
                self.arm_resend(seat);
            }
            Deed::Resend => {
                self.clients[seat.index()].resend_armed = false;
                self.say_pending(seat);
            }
            Deed::Poll => {
                let client = &mut self.clients[seat.index()];
                client.mind.wake();
                let seen = client.seen;
                self.say(seat, &Say::Resync { seen });
                let at = self.now + self.draw_poll_ms();
                if !self.clients[seat.index()].over {
                    self.queue.push(at, Happening::Client(seat, Deed::Poll));
                }
            }
            Deed::Drop => self.drop_line(seat),
            Deed::Join if self.clients[seat.index()].conn.is_some() => {}
            Deed::Join => self.join(seat),
            Deed::Takeover => self.take_over(seat),
        }
    }

    /// Connects all seats at the screen.
    fn join(&mut self, seat: Seat) {
        self.n_conns += 1;
        let conn = Conn(self.n_conns);
        let screen = self.screen(seat);
        for seat in screen.iter() {
            self.clients[seat.index()].conn = Some(conn);
        }
        let at = self.now + self.draws.within(2, 60);
        self.queue.push(at, Happening::Connect(screen, conn));
        for seat in screen.iter() {
            self.arm_resend(seat);
        }
    }

    /// Disconnects all seats at the screen.
    fn hang_up(&mut self, seat: Seat) -> Option<(SeatSet, Conn)> {
        let conn = self.clients[seat.index()].conn?;
        let screen = self.screen(seat);
        for seat in screen.iter() {
            self.clients[seat.index()].conn = None;
        }
        Some((screen, conn))
    }

    fn drop_line(&mut self, seat: Seat) {
        let Some((screen, conn)) = self.hang_up(seat) else {
            return;
        };
        let at = self.now + self.draws.within(1, 300);
        self.queue.push(at, Happening::Lost(screen, conn));
        let at = at + self.draws.within(50, 6_500);
        self.queue.push(at, Happening::Client(seat, Deed::Join));
    }

    /// Opens a second window of the same player; the first one sends something once more.
    fn take_over(&mut self, seat: Seat) {
        let Some((screen, old)) = self.hang_up(seat) else {
            return;
        };
        self.join(seat);
        let at = self.now + self.draws.within(70, 400);
        let say = Say::Resync { seen: 0 };
        self.queue.push(at, Happening::ToHost(seat, old, say));
        let at = at + self.draws.within(1, 400);
        self.queue.push(at, Happening::Lost(screen, old));
    }

    fn say_pending(&mut self, seat: Seat) {
        if let Some(say) = self.clients[seat.index()].pending() {
            self.say(seat, &say);
            self.arm_resend(seat);
        }
    }

    fn arm_resend(&mut self, seat: Seat) {
        let client = &mut self.clients[seat.index()];
        if !client.resend_armed && !client.over && client.pending().is_some() {
            client.resend_armed = true;
            let at = self.now + self.draws.within(1_500, 3_000);
            self.queue.push(at, Happening::Client(seat, Deed::Resend));
        }
    }

    fn say(&mut self, seat: Seat, say: &Say<S::Game>) {
        let Some(conn) = self.clients[seat.index()].conn else {
            return;
        };
        for at in self.deliveries(seat) {
            let say = say.clone();
            self.queue.push(at, Happening::ToHost(seat, conn, say));
        }
    }

    /// The arrival times of the copies of a packet: none, one or two, in any order.
    pub(super) fn deliveries(&mut self, seat: Seat) -> impl Iterator<Item = Ms> + use<S> {
        let roll = self.draws.within(0, 999);
        let slow = self.clients[seat.index()].habit == Habit::Slow;
        let mut delay = self.draws.within(4, 45);
        if slow && roll.is_multiple_of(3) {
            delay += self.draws.within(200, 4_000);
            self.count(Fault::SlowClient);
        }
        let mut copies = [Some(self.now + delay), None];
        match roll {
            0..30 => {
                copies[0] = None;
                self.count(Fault::PacketLost);
            }
            30..60 => {
                copies[1] = Some(self.now + delay + self.draws.within(0, 900));
                self.count(Fault::PacketDuplicated);
            }
            60..90 => {
                copies[0] = Some(self.now + delay + self.draws.within(100, 600));
                self.count(Fault::PacketReordered);
            }
            _ => {}
        }
        copies.into_iter().flatten()
    }

    pub(super) fn client_hears(&mut self, seat: Seat, conn: Conn, message: &Message<S::Game>) {
        let client = &mut self.clients[seat.index()];
        if client.conn != Some(conn) {
            return;
        }
        match client.receive(message) {
            Meaning::Notion(notion) => self.take_notion(seat, notion),
            Meaning::Missing => {
                let seen = client.seen;
                self.say(seat, &Say::Resync { seen });
            }
            Meaning::Answered(notion) => {
                self.say_pending(seat);
                self.take_notion(seat, notion);
            }
            Meaning::Over => self.after_the_end(seat),
        }
    }

    fn take_notion(&mut self, seat: Seat, notion: Notion) {
        match notion {
            Notion::Nothing => {}
            Notion::Wanted(deadline) => self.plan_decision(seat, deadline),
            Notion::Continue => {
                let at = self.now + self.draws.within(5, 60);
                let decide = Deed::Act(Act::Decide);
                self.queue.push(at, Happening::Client(seat, decide));
            }
        }
    }

    fn plan_decision(&mut self, seat: Seat, deadline: Option<Ms>) {
        let deeds = self.clients[seat.index()].plan(&mut self.draws);
        for (after, deed) in deeds {
            let at = match (deed, deadline) {
                (Deed::Edge(_), Some(deadline)) => {
                    let deadline = deadline.saturating_add_signed(-self.ahead);
                    let at = deadline.saturating_sub(EPOCH) + self.draws.within(0, 2);
                    at.saturating_sub(1).max(self.now)
                }
                _ => self.now + after,
            };
            self.queue.push(at, Happening::Client(seat, deed));
        }
    }

    /// Some clients miss the end or ignore it.
    fn after_the_end(&mut self, seat: Seat) {
        let deed = match self.draws.within(0, 19) {
            0 => Deed::Act(Act::Decide),
            1 => Deed::Act(Act::Resign),
            2 => Deed::Takeover,
            3 => Deed::Drop,
            4 => Deed::Act(Act::Ahead),
            _ => return,
        };
        let at = self.now + self.draws.within(1, 100);
        self.queue.push(at, Happening::Client(seat, deed));
    }

    /// Plans rare faults in rare phases; without this, some cells would take millions of matches.
    pub(super) fn plan_mischief(&mut self, phase: Phase) {
        if !self.draws.permille(phase.mischief) {
            return;
        }
        let at = self.now + self.draws.within(1, 600);
        let seat = self.any_person();
        let deed = |deed| Happening::Client(seat, deed);
        let happening = match self.draws.within(0, 18) {
            12..14 => return self.plan_outage(false),
            14..16 => return self.plan_outage(true),
            0 => Happening::Cancel,
            1 => Happening::AllGone,
            2 => Happening::Hijack(seat),
            3 => deed(Deed::Takeover),
            4 => deed(Deed::Drop),
            5 => deed(Deed::Act(Act::Resign)),
            6 => deed(Deed::Act(Act::Garbage)),
            7 => deed(Deed::Act(Act::BadDecide)),
            8 => deed(Deed::Act(Act::Ahead)),
            _ => {
                let nth = self.n_effects + self.draws.within(0, 12);
                let before = self.draws.permille(500);
                self.fate.crashes.push((nth, before));
                return;
            }
        };
        self.queue.push(at, happening);
    }
}
