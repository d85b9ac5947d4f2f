//! Liar's Dice for two to six players, as the methods of [`State`].
//!
//! All players roll their dice in secret. In turn, each raises the bid on how many of all dice show
//! a face, or calls the last bid a lie. Then all dice are shown, and the loser of the call loses a
//! die and starts the next round. The last player with dice wins.

mod picture;

use kernel::rules::prelude::*;

/// A position of Liar's Dice.
pub type LiarsDice = Position<State>;

const SEATS_MAX: u8 = 6;
const DICE_MAX: u8 = 6;
const BID_MAX: u8 = SEATS_MAX * DICE_MAX;

/// The starting conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Document, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// The number of dice that each player starts with.
    #[schemars(range(min = 1, max = DICE_MAX))]
    dice: u8,
    /// The number of players.
    #[schemars(range(min = 2, max = SEATS_MAX))]
    seats: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { dice: 5, seats: 2 }
    }
}

/// A player's decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ActionSpace)]
pub enum Action {
    /// Call the last bid a lie.
    #[word("liar", label = "Liar!", group = "Call")]
    Liar,
    /// Bid that at least this many of all dice show a face.
    #[word("bid:{count}x{face}", label = picture::bid(count, face), group = "Bid")]
    Bid {
        /// The number of dice.
        #[word(min = 1, max = BID_MAX)]
        count: u8,
        /// The face.
        #[word(min = 1, max = Die::N_FACES)]
        face: u8,
    },
}

/// The state of a match. In a view, the dice that the viewer may not see are 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Document, JsonSchema)]
pub struct State {
    /// The last bid of the round.
    bid: Option<Bid>,
    /// The call that ended the last round.
    call: Option<Call>,
    /// The faces of each player's dice, by seat; 0 before a die is rolled.
    dice: Dice,
    /// The player whose turn it is once all dice are rolled.
    mover: Seat,
    /// The starting conditions.
    setup: Setup,
}

type Dice = PerSeat<ArrayVec<Die, { DICE_MAX as usize }>, { SEATS_MAX as usize }>;

/// A bid that at least `count` dice show `face`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Document, JsonSchema)]
struct Bid {
    /// The number of dice.
    count: u8,
    /// The face, from 1 to 6.
    #[schemars(range(min = 1, max = Die::N_FACES))]
    face: u8,
    /// The player who made the bid.
    #[serde(rename = "player_id")]
    seat: Seat,
}

/// A call, with the dice that it uncovered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Document, JsonSchema)]
struct Call {
    /// The bid that was called a lie.
    bid: Bid,
    /// The player who called.
    caller: Seat,
    /// All dice, by seat.
    dice: Dice,
}

impl Rules for State {
    const NAME: &'static str = "liars_dice";
    const TITLE: &'static str = "Liar's Dice";
    const SUMMARY: &'static str = "Two to six players bid on how many of all hidden dice show a \
         face, and call each other liars, until only one of them has dice.";
    const RULES_VERSION: &'static str = "1.0.0";
    const SEATS: RangeInclusive<u8> = 2..=SEATS_MAX;

    type Setup = Setup;
    type Action = Action;

    fn setup_for(seats: u8) -> Setup {
        Setup { dice: 5, seats }
    }

    fn quick_setup_for(seats: u8) -> Setup {
        Setup { dice: 1, seats }
    }

    fn start(setup: &Setup) -> State {
        let hand = (0..setup.dice).map(|_| Die::BLANK).collect();
        State {
            bid: None,
            call: None,
            dice: PerSeat::new(setup.seats, hand),
            mover: Seat::FIRST,
            setup: *setup,
        }
    }

    /// A round ends with a lost die or player. All dice roll, the bids rise, and one calls.
    fn steps_max(setup: &Setup) -> u64 {
        let (n_seats, n_dice) = (u64::from(setup.seats), u64::from(setup.dice));
        n_seats * (1 + n_dice) * (1 + 7 * n_seats * n_dice)
    }

    fn n_seats(&self) -> usize {
        self.dice.len()
    }

    fn next(&self) -> Next {
        let mut left = self.dice.seats().filter(|seat| self.has_dice(*seat));
        match (left.next(), left.next()) {
            (Some(winner), None) => Next::won(winner, "last_with_dice"),
            _ if self.dice.iter().flatten().any(|die| die.is_blank()) => Next::Chance,
            _ => Next::Seat(self.mover),
        }
    }

    fn is_legal(&self, _: Seat, action: Action) -> bool {
        match action {
            Action::Liar => self.bid.is_some(),
            Action::Bid { count, face } => {
                let last = self.bid.map_or((0, 0), |bid| (bid.count, bid.face));
                (count, face) > last && usize::from(count) <= self.n_dice()
            }
        }
    }

    fn play(&mut self, seat: Seat, action: Action, log: &mut impl Log) {
        match (action, self.bid) {
            (Action::Bid { count, face }, _) => {
                self.bid = Some(Bid { count, face, seat });
                self.mover = self.first_with_dice(self.dice.after(seat));
            }
            (Action::Liar, Some(bid)) => {
                let (caller, dice) = (seat, self.dice.clone());
                let call = Call { bid, caller, dice };
                log.say(|| picture::sentence(&call));
                self.dice[call.loser()].pop();
                self.begin_round(call.loser());
                self.call = Some(call);
            }
            (Action::Liar, None) => {}
        }
    }

    /// One die after another is rolled.
    fn resolve(&mut self, draw: Draw, _: &mut impl Log) {
        if let Some(die) = self.dice.iter_mut().flatten().find(|die| die.is_blank()) {
            *die = Die::rolled(draw);
        }
    }

    fn secrets(&mut self, viewer: Viewer, veil: &mut Veil<'_>) {
        veil.dice(self.dice.hidden_from(viewer).flatten());
    }

    fn picture(view: &State, viewer: Viewer) -> Picture {
        picture::of(view, viewer)
    }

    fn observe(&self, seat: Seat, numbers: &mut Numbers<'_>) {
        let own = (1..=Die::N_FACES).map(|face| count(&self.dice[seat], face));
        numbers.block("faces", "own dice with each face", 0..=DICE_MAX, own);
        let all = self.dice.after(seat).map(|it| self.dice[it].len() as u8);
        numbers.block("n_dice", "dice of each player, own last", 0..=DICE_MAX, all);
        let n_bid = self.bid.map_or(0, |bid| bid.count);
        numbers.block("bid_count", "dice in the bid, or 0", 0..=BID_MAX, [n_bid]);
        let face = self.bid.map(|bid| usize::from(bid.face) - 1);
        numbers.one_hot("bid_face", "face of the bid", 6, face);
    }

    fn check(&self, check: &mut Check<'_, '_>) {
        let n_seats = usize::from(self.setup.seats);
        let is_hand = |hand: &ArrayVec<_, _>| hand.len() <= self.setup.dice.into();
        let fits = |dice: &Dice| dice.len() == n_seats && dice.iter().all(is_hand);
        check.that(fits(&self.dice), "dice", "they do not fit the setup");
        check.seats("bid", self.bid.map(|bid| bid.seat));
        if let Some(call) = &self.call {
            check.that(fits(&call.dice), "call", "its dice do not fit the setup");
            check.seats("call", [call.caller, call.bid.seat]);
        }
        if check.seats("mover", [self.mover]) {
            let may_move = self.has_dice(self.mover);
            check.that(may_move, "mover", "this player has no dice");
        }
    }

    /// The dice of a player who leaves are out, and the round starts over.
    fn leave(&mut self, seat: Seat, _: &mut impl Log) {
        self.dice[seat].clear();
        self.begin_round(self.mover);
    }

    fn progress(&self, seat: Seat) -> Option<u32> {
        Some(self.dice[seat].len() as u32)
    }

    fn n_actions(&self) -> usize {
        1 + 6 * usize::from(self.setup.seats * self.setup.dice)
    }
}

impl State {
    fn n_dice(&self) -> usize {
        self.dice.iter().map(ArrayVec::len).sum()
    }

    fn has_dice(&self, seat: Seat) -> bool {
        !self.dice[seat].is_empty()
    }

    fn first_with_dice(&self, mut seats: impl Iterator<Item = Seat>) -> Seat {
        seats.find(|it| self.has_dice(*it)).unwrap_or(self.mover)
    }

    fn begin_round(&mut self, first: Seat) {
        self.bid = None;
        for die in self.dice.iter_mut().flatten() {
            *die = Die::BLANK;
        }
        self.mover = self.first_with_dice(self.dice.from(first));
    }
}

impl Call {
    fn n_found(&self) -> u8 {
        count(self.dice.iter().flatten(), self.bid.face)
    }

    fn loser(&self) -> Seat {
        match self.n_found() < self.bid.count {
            true => self.bid.seat,
            false => self.caller,
        }
    }
}

fn count<'a>(dice: impl IntoIterator<Item = &'a Die>, face: u8) -> u8 {
    let found = dice.into_iter().filter(|die| die.face() == Some(face));
    found.count() as u8
}
