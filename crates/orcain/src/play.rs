//! The rules: the effect of each step.

use std::cmp::Ordering;

use kernel::{
    ActionId, Choices, Conserve, Departure, Discard, Draw, Game, Mask, Odds, Reason, Recorded,
    Seat, SeatSet, Sink, Turn, Viewer,
};

use crate::action::{Decision, id_of, n_actions, with_id};
use crate::round::{resolve_codes, resolve_round};
use crate::state::Player;
use crate::{
    AFK_ROUNDS_MAX, Action, Ending, Event, Layout, Orcain, Setup, Snapshot, Stage, Status, View,
    Win,
};

impl Game for Orcain {
    const NAME: &'static str = "orcain";
    const RULES_VERSION: &'static str = "1.1.0";

    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn start(setup: &Setup) -> Orcain {
        Orcain::at_start(setup)
    }

    fn steps_max(setup: &Setup) -> u64 {
        let inputs = 2 * (u64::from(setup.drafts_max) + 1);
        let clock = u64::from(setup.steps) + 2;
        u64::from(setup.round_cap) * (inputs + clock) + 1
    }

    fn n_seats(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn_now()
    }

    fn turn_number(&self) -> u32 {
        self.round.into()
    }

    /// Hit points.
    #[inline]
    fn progress(&self, seat: Seat) -> Option<u32> {
        Some(self.hp()[seat.index()].into())
    }

    fn n_actions(&self) -> usize {
        n_actions(self.setup.steps())
    }

    #[inline]
    fn action_id(&self, action: Action) -> ActionId {
        id_of(action, self.setup.steps())
    }

    #[inline]
    fn action(&self, id: ActionId) -> Option<Action> {
        with_id(id, self.setup.steps())
    }

    #[inline]
    fn write_legal(&self, seat: Seat, mask: &mut Mask) {
        self.write_mask(seat, mask);
    }

    #[inline]
    fn choices(&self, seat: Seat) -> Option<&'static Choices<Action>> {
        self.open_choices(seat)
    }

    fn refuse(&self, seat: Seat, action: Action) -> Option<Reason> {
        self.refuse_action(seat, action)
    }

    #[inline]
    fn play_trusted(&mut self, seat: Seat, action: Action, events: &mut impl Sink<Event>) {
        let player = &mut self.players[seat.index() & 1];
        player.place(action);
        events.push(match player.status {
            Status::Confirmed => Event::LayoutConfirmed { player_id: seat },
            Status::Silent | Status::Drafted => Event::DraftReceived { player_id: seat },
        });
        let [first, second] = &self.players;
        if (first.status == Status::Confirmed) & (second.status == Status::Confirmed) {
            self.finalize(events);
        }
    }

    fn odds(&self) -> Odds {
        Odds::uniform(1)
    }

    fn resolve_trusted(&mut self, _: Draw, _: &mut impl Sink<Event>) {
        unreachable!("Orcain has no chance");
    }

    #[inline]
    fn deadline_trusted(&mut self, events: &mut impl Sink<Event>) {
        match self.stage {
            Stage::Prep => self.finalize(events),
            Stage::Reveal if self.n_shown < self.setup.steps => self.show_step(events),
            Stage::Reveal => self.end_round(events),
        }
    }

    #[inline]
    fn pass_time_trusted(&mut self, events: &mut impl Sink<Event>) -> u64 {
        if self.ending.is_some() || self.stage == Stage::Prep {
            return 0;
        }
        let n_passed = self.setup.steps - self.n_shown + 1;
        self.reveal(events);
        n_passed.into()
    }

    #[inline(always)]
    fn play_sealed_trusted(
        &mut self,
        plays: &[(Seat, Action)],
        events: &mut impl Sink<Event>,
    ) -> u64 {
        match self.play_unseen(plays, events) {
            Some(n_passed) => n_passed,
            None => self.play_and_wait(plays, events),
        }
    }

    fn leave_trusted(&mut self, seats: SeatSet, cause: Departure, events: &mut impl Sink<Event>) {
        for seat in seats.iter() {
            events.push(Event::PlayerLeft {
                player_id: seat,
                cause,
            });
        }
        let ending = match (cause, seats.sole()) {
            (Departure::Disconnect, Some(seat)) => {
                Ending::Won(Orcain::other(seat), Win::Disconnect)
            }
            (Departure::Resign, Some(seat)) => Ending::Won(Orcain::other(seat), Win::Resign),
            (Departure::Timeout, Some(seat)) => Ending::Won(Orcain::other(seat), Win::Timeout),
            (cause, _) => Ending::Void(cause),
        };
        self.end(ending, events);
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }
}

/// Reading a snapshot back checks the consistency of a position.
impl Conserve for Orcain {}

impl Recorded for Orcain {
    const SNAPSHOT_VERSION: &'static str = "0.1.0";
    type Snapshot = Snapshot;
    type Decision = Decision;
}

impl Orcain {
    /// Plays a whole round in which both players decide once, if nobody sees the steps, and returns
    /// the number of deadlines. `None`, with nothing changed, if it must be played step by step.
    #[inline]
    fn play_unseen<S: Sink<Event>>(&mut self, plays: &[(Seat, Action)], _: &mut S) -> Option<u64> {
        let &[(_, one), (_, two)] = plays else {
            return None;
        };
        if S::KEEPS {
            return None;
        }
        let actions = [one, two];
        let layouts = [one.layout(), two.layout()];
        let hp = resolve_round(layouts, self.hp(), self.setup.max_hp)?;
        for ((player, action), hp) in self.players.iter_mut().zip(actions).zip(hp) {
            player.place(action);
            player.afk_streak = 0;
            player.hp = hp;
        }
        let is_confirmed = |action| matches!(action, Action::Confirm(_));
        let finalized_early = is_confirmed(actions[0]) & is_confirmed(actions[1]);
        self.stage = Stage::Reveal;
        self.n_shown = self.setup.steps;
        self.end_round(&mut Discard);
        Some(u64::from(self.setup.steps) + 2 - u64::from(finalized_early))
    }

    /// Plays decisions step by step, and lets time pass until a decision is missing.
    fn play_and_wait(&mut self, plays: &[(Seat, Action)], events: &mut impl Sink<Event>) -> u64 {
        for &(seat, action) in plays {
            self.play_trusted(seat, action, events);
        }
        let n_passed = match self.turn_now() {
            Turn::Sealed(sealed) if sealed.missing.is_empty() => {
                self.finalize(events);
                1
            }
            _ => 0,
        };
        n_passed + self.pass_time_trusted(events)
    }

    /// Makes both layouts final, once per round: at the deadline or the second confirm, whichever
    /// comes first. A layout that was not confirmed is played as drafted, with its empty slots
    /// empty. A silent player has missed the round.
    #[inline]
    fn finalize(&mut self, events: &mut impl Sink<Event>) {
        let missed = [0, 1].map(|idx: usize| self.players[idx].status == Status::Silent);
        let streak = |idx: usize| match missed[idx] {
            true => self.players[idx].afk_streak + 1,
            false => 0,
        };
        let streaks = [streak(0), streak(1)];
        [self.players[0].afk_streak, self.players[1].afk_streak] = streaks;
        self.stage = Stage::Reveal;
        events.push(Event::RoundFinalized {
            round: self.round,
            missed,
        });
        match streaks.map(|streak| streak >= AFK_ROUNDS_MAX) {
            [false, false] => {}
            // Both streaks reach two only if both players missed both rounds.
            [true, true] => self.end(Ending::BothAfk, events),
            [true, false] => self.end(Ending::Won(Seat::SECOND, Win::Timeout), events),
            [false, true] => self.end(Ending::Won(Seat::FIRST, Win::Timeout), events),
        }
    }

    /// Reveals the rest of a round. Nobody sees the steps if events are dropped: then a whole round
    /// is looked up.
    #[inline]
    fn reveal<S: Sink<Event>>(&mut self, events: &mut S) {
        let (layouts, max_hp) = (self.layouts(), self.setup.max_hp);
        let whole = !S::KEEPS && self.n_shown == 0;
        let hp = match resolve_round(layouts, self.hp(), max_hp).filter(|_| whole) {
            Some(hp) => hp,
            None => self.reveal_steps(events),
        };
        self.n_shown = self.setup.steps;
        [self.players[0].hp, self.players[1].hp] = hp;
        self.end_round(events);
    }

    /// Reveals the steps that are left and returns the hit points after the last. They are not
    /// stored between steps, because reading them back at once would take most of the time.
    #[inline]
    fn reveal_steps(&self, events: &mut impl Sink<Event>) -> [u8; 2] {
        let layouts = self.layouts();
        let mut hp = self.hp();
        for step in self.n_shown..self.setup.steps {
            let idx = usize::from(step);
            let codes = layouts.map(|layout| layout.code(idx));
            hp = resolve_codes(codes, hp, self.setup.max_hp);
            events.push(Event::StepRevealed {
                round: self.round,
                step,
                cards: layouts.map(|layout| layout.slot(idx)),
                hp,
            });
        }
        hp
    }

    #[inline]
    fn show_step(&mut self, events: &mut impl Sink<Event>) {
        let [first, second] = &mut self.players;
        let step = self.n_shown;
        let codes = [
            first.layout.code(step.into()),
            second.layout.code(step.into()),
        ];
        let cards = [
            first.layout.slot(step.into()),
            second.layout.slot(step.into()),
        ];
        let hp = resolve_codes(codes, [first.hp, second.hp], self.setup.max_hp);
        [first.hp, second.hp] = hp;
        self.n_shown += 1;
        events.push(Event::StepRevealed {
            round: self.round,
            step,
            cards,
            hp,
        });
    }

    /// Matches are decided here and never within a round: a player at 0 after one step may have
    /// healed by the last.
    #[inline]
    fn end_round(&mut self, events: &mut impl Sink<Event>) {
        let (round, hp) = (self.round, self.hp());
        events.push(Event::RoundEnded { round, hp });
        match self.ending_by_hp() {
            Some(ending) => self.end(ending, events),
            None => self.next_round(events),
        }
    }

    /// The ending after this round by hit points; `None` if the match continues.
    #[inline]
    pub(crate) fn ending_by_hp(&self) -> Option<Ending> {
        let [first, second] = self.hp();
        let knocked_out = first == 0 || second == 0;
        let decisive = knocked_out || self.round >= self.setup.round_limit;
        match first.cmp(&second) {
            _ if !decisive => None,
            Ordering::Greater => Some(Ending::Won(Seat::FIRST, Win::Normal)),
            Ordering::Less => Some(Ending::Won(Seat::SECOND, Win::Normal)),
            Ordering::Equal if knocked_out => Some(Ending::Draw),
            Ordering::Equal if self.round >= self.setup.round_cap => Some(Ending::RoundCap),
            Ordering::Equal => None,
        }
    }

    #[inline]
    fn next_round(&mut self, events: &mut impl Sink<Event>) {
        self.round += 1;
        self.stage = Stage::Prep;
        self.n_shown = 0;
        for player in &mut self.players {
            *player = Player {
                round_hp: player.hp,
                status: Status::Silent,
                n_drafts: 0,
                layout: Layout::EMPTY,
                ..*player
            };
        }
        events.push(Event::RoundStarted {
            round: self.round,
            sudden_death: self.is_sudden_death(),
        });
    }

    /// Ends the match. A match ends nowhere else.
    fn end(&mut self, ending: Ending, events: &mut impl Sink<Event>) {
        debug_assert_eq!(self.ending, None, "a match ends once");
        self.ending = Some(ending);
        events.push(Event::MatchEnded { outcome: ending });
    }
}

impl Player {
    /// Places the cards of a draft or a confirm. Without branches, which the processor could not
    /// predict in random play.
    #[inline]
    fn place(&mut self, action: Action) {
        let is_draft = matches!(action, Action::Draft(_));
        self.layout = action.layout();
        self.n_drafts += u8::from(is_draft);
        self.status = match is_draft {
            true => Status::Drafted,
            false => Status::Confirmed,
        };
    }
}
