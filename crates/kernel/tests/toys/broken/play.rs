//! The rules, and most of the ways to break them.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use kernel::doc::{Faults, Node};
use kernel::json::Json;
use kernel::{
    ActionId, Choices, DecisionOf, Departure, Draw, Game, Mask, Odds, Reason, Recorded, Sealed,
    Seat, SeatSet, Sink, Turn, Viewer,
};

use super::document::Snapshot;
use super::fault::is;
use super::hidden::View;
use super::{Broken, Decision, End, Event, Fault, Marks, N_PICKS, N_ROUNDS, Pick, Setup};

/// The outside state that gets into a tainted position.
static OUTSIDE: AtomicU32 = AtomicU32::new(1);

/// One choice only.
static FEW: LazyLock<Choices<Pick>> = LazyLock::new(|| {
    let mut mask = Mask::new(N_PICKS.into());
    mask.allow(ActionId::new(0));
    Choices::new(&mask, |id| Some(Pick(id.index() as u8)))
});

fn keeps<S: Sink<Event>>(_: &S) -> bool {
    S::KEEPS
}

impl<const PAD: usize> Game for Broken<PAD> {
    const NAME: &'static str = "broken";
    const RULES_VERSION: &'static str = "1.0.0";

    type Setup = Setup;
    type Action = Pick;
    type Event = Event;
    type View = View;

    fn start(_: &Setup) -> Self {
        Broken {
            picks: [None; 2],
            points: [0; 2],
            round: 1,
            end: None,
            first: None,
            taint: 0,
            marks: Marks::default(),
            pad: [0; PAD],
        }
    }

    /// In each round: two picks, of which a deadline may replace one or both, and a coin.
    fn steps_max(_: &Setup) -> u64 {
        let n_rounds = u64::from(N_ROUNDS);
        if is(Fault::BoundTooLow) {
            2 * n_rounds
        } else {
            3 * n_rounds
        }
    }

    fn n_seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if let Some(end) = self.end {
            return Turn::Over(end.outcome());
        }
        let open = self.seats_without_pick();
        if open.is_empty() {
            return Turn::Chance;
        }
        let missing = if is(Fault::MissingNotOpen) {
            SeatSet::first(2)
        } else {
            open
        };
        Turn::Sealed(Sealed { open, missing })
    }

    fn turn_number(&self) -> u32 {
        let round = u32::from(self.round);
        if is(Fault::TurnFalls) {
            9 - round
        } else {
            round
        }
    }

    fn present(&self) -> SeatSet {
        SeatSet::first(if is(Fault::PresentTooMany) { 3 } else { 2 })
    }

    fn n_actions(&self) -> usize {
        let more = is(Fault::ActionsGrow) && self.round > 1;
        usize::from(N_PICKS) + usize::from(more)
    }

    fn action_id(&self, action: Pick) -> ActionId {
        let idx = usize::from(action.0);
        ActionId::new(if is(Fault::IdsRepeat) { idx / 2 } else { idx })
    }

    fn action(&self, id: ActionId) -> Option<Pick> {
        let n = self.n_actions() + usize::from(is(Fault::IdsTooMany));
        (id.index() < n).then_some(Pick(id.index() as u8))
    }

    fn write_legal(&self, seat: Seat, mask: &mut Mask) {
        let closed = self.end.is_some() || self.picks[seat.index()].is_some();
        if closed && !(is(Fault::MaskClosed) && self.end.is_none()) {
            return;
        }
        if is(Fault::MaskEmpty) && self.round == N_ROUNDS && seat == Seat::SECOND {
            return;
        }
        let others = self.picks[1 - seat.index()];
        for pick in 0..self.n_legal() {
            if !(is(Fault::MaskLeaks) && others == Some(pick)) {
                mask.allow(self.action_id(Pick(pick)));
            }
        }
    }

    fn choices(&self, _: Seat) -> Option<&'static Choices<Pick>> {
        is(Fault::ChoicesDiffer).then_some(&FEW)
    }

    fn refuse(&self, seat: Seat, action: Pick) -> Option<Reason> {
        let mut mask = Mask::new(self.n_actions());
        self.write_legal(seat, &mut mask);
        let legal = match action.0 {
            0 if is(Fault::MaskedRefused) => false,
            3 if is(Fault::UnmaskedPlays) => true,
            _ => mask.allows(self.action_id(action)),
        };
        if !legal && is(Fault::RefusalMarks) {
            self.marks.add();
        }
        (!legal).then_some(Reason("illegal_action"))
    }

    fn play_trusted(&mut self, seat: Seat, action: Pick, events: &mut impl Sink<Event>) {
        self.picks[seat.index()] = Some(action.0);
        if is(Fault::CommitsOrdered) && self.first.is_none() {
            self.first = Some(seat);
        }
        if is(Fault::StepAllocates) {
            drop(std::hint::black_box(vec![0u8; 16]));
        }
        events.push(Event::Picked(seat, action.0));
    }

    fn odds(&self) -> Odds {
        Odds::uniform(2)
    }

    fn resolve_trusted(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        if is(Fault::Tainted) {
            self.taint = OUTSIDE.fetch_add(1, Ordering::Relaxed);
        }
        let [first, second] = self.picks.map(|pick| pick.unwrap_or(0));
        if first != second {
            let scores = usize::from((first < second) == (draw.0 == 0));
            self.points[scores] = (self.points[scores] + 1).min(N_ROUNDS);
        }
        self.picks = [None; 2];
        events.push(Event::Coin(draw.0, first));
        if self.round < N_ROUNDS {
            self.round += 1;
        } else if !is(Fault::NeverEnds) {
            let [first, second] = self.points;
            let end = match first.cmp(&second) {
                std::cmp::Ordering::Less => End::Won(Seat::SECOND),
                std::cmp::Ordering::Equal => End::Draw,
                std::cmp::Ordering::Greater => End::Won(Seat::FIRST),
            };
            self.end(end, events);
        }
    }

    fn deadline_trusted(&mut self, events: &mut impl Sink<Event>) {
        let last = is(Fault::EventsMatter) && !keeps(events);
        self.picks = self.picks.map(|pick| pick.or(Some(last.into())));
    }

    fn pass_time_trusted(&mut self, events: &mut impl Sink<Event>) -> u64 {
        if is(Fault::TimeHurries) && matches!(self.turn(), Turn::Sealed(_)) {
            self.deadline_trusted(events);
            return 1;
        }
        0
    }

    fn play_sealed_trusted(
        &mut self,
        plays: &[(Seat, Pick)],
        events: &mut impl Sink<Event>,
    ) -> u64 {
        let n_lost = usize::from(is(Fault::SealedForgets) && plays.len() > 1);
        for &(seat, action) in &plays[n_lost..] {
            self.play_trusted(seat, action, events);
        }
        0
    }

    fn leave_trusted(&mut self, seats: SeatSet, _: Departure, events: &mut impl Sink<Event>) {
        let stays = |seat: &Seat| !seats.contains(*seat);
        let end = match Self::SEATS.into_iter().find(stays) {
            Some(seat) => End::Won(seat),
            None => End::Void,
        };
        self.end(end, events);
    }

    fn is_test(&self) -> bool {
        is(Fault::TurnsIntoATest) && self.round > 1
    }

    fn forces_chance(&self, action: Pick) -> bool {
        is(Fault::ForcesInEarnest) && action.0 == 1
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn line_open(&self) -> bool {
        is(Fault::LongLines) && self.end.is_none()
    }
}

impl<const PAD: usize> DecisionOf<Broken<PAD>> for Decision {
    fn of(_: &Broken<PAD>, actions: &[Pick]) -> Decision {
        let shift = u8::from(is(Fault::EncodeWrong));
        let picks = actions.iter().map(|pick| Pick(pick.0 ^ shift)).collect();
        Decision::Pick { picks }
    }

    fn actions(self, _: &Broken<PAD>, _: &Node<'_>, _: &mut Faults) -> Option<Vec<Pick>> {
        let Decision::Pick { picks } = self;
        Some(picks)
    }
}

impl<const PAD: usize> Recorded for Broken<PAD> {
    const SNAPSHOT_VERSION: &'static str = "1.0.0";
    type Snapshot = Snapshot;
    type Decision = Decision;

    fn encode_draw(&self, draw: Draw) -> Json {
        Draw(draw.0 ^ u64::from(is(Fault::EncodeDrawWrong))).to_json()
    }
}

impl<const PAD: usize> Broken<PAD> {
    /// The number of legal picks: one more in the last round.
    fn n_legal(&self) -> u8 {
        N_PICKS - u8::from(self.round < N_ROUNDS)
    }

    fn end(&mut self, end: End, events: &mut impl Sink<Event>) {
        self.end = Some(end);
        events.push(Event::Ended);
    }
}
