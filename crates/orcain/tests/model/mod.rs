//! A second implementation of the match, simple and slow, written from the rules alone.
//!
//! It tracks the terms of the rules (confirmed and drafted layouts, whether anything arrived this
//! round, both streaks and the common one) and shares no code with the crate. Cards are letters, a
//! layout is a string of them, and `G` is an empty slot.

/// An input to a match.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Input {
    Draft(usize, String),
    Confirm(usize, String),
    Deadline,
    Leave(Vec<usize>, &'static str),
    Chance,
}

/// A revealed step.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Shown {
    pub(crate) cards: [char; 2],
    pub(crate) before: [i64; 2],
    pub(crate) after: [i64; 2],
}

#[derive(Clone, Debug)]
pub(crate) struct Constants {
    pub(crate) hands: [String; 2],
    pub(crate) n_steps: usize,
    pub(crate) start_hp: i64,
    pub(crate) max_hp: i64,
    pub(crate) limit: u32,
    pub(crate) cap: u32,
    pub(crate) drafts_max: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Model {
    pub(crate) hp: [i64; 2],
    pub(crate) round: u32,
    pub(crate) phase: &'static str,
    pub(crate) sudden_death: bool,
    pub(crate) confirmed: [Option<String>; 2],
    pub(crate) draft: [Option<String>; 2],
    pub(crate) had_draft: [bool; 2],
    n_drafts: [u32; 2],
    played: [String; 2],
    pub(crate) shown: Vec<Shown>,
    pub(crate) afk_streak: [u32; 2],
    both_afk_streak: u32,
    /// The result as written in documents: winners, result, reason, and whether it was cut off.
    pub(crate) result: Option<(Vec<usize>, &'static str, &'static str, bool)>,
}

impl Model {
    pub(crate) fn new(constants: &Constants) -> Model {
        Model {
            hp: [constants.start_hp; 2],
            round: 1,
            phase: "PREP",
            sudden_death: false,
            confirmed: [None, None],
            draft: [None, None],
            had_draft: [false, false],
            n_drafts: [0, 0],
            played: [String::new(), String::new()],
            shown: Vec::new(),
            afk_streak: [0, 0],
            both_afk_streak: 0,
            result: None,
        }
    }

    /// The reason why the input is refused, if it is.
    pub(crate) fn refusal(&self, constants: &Constants, input: &Input) -> Option<&'static str> {
        if self.phase == "END" {
            return Some("match_over");
        }
        let (seat, letters, is_draft) = match input {
            Input::Chance => return Some("no_chance_due"),
            Input::Deadline => return None,
            Input::Leave(seats, _) if seats.is_empty() => return Some("cannot_leave"),
            Input::Leave(seats, _) if seats.iter().any(|&it| it > 1) => {
                return Some("cannot_leave");
            }
            Input::Leave(..) => return None,
            Input::Draft(seat, letters) => (*seat, letters, true),
            Input::Confirm(seat, letters) => (*seat, letters, false),
        };
        if seat > 1 || self.phase != "PREP" || self.confirmed[seat].is_some() {
            return Some("not_your_turn");
        }
        let cards = letters.trim_end_matches('-');
        if cards.chars().count() > constants.n_steps
            || !is_part_of(cards, &constants.hands[seat])
            || (!is_draft && (letters.contains('-') || letters.len() != constants.n_steps))
        {
            return Some("invalid_layout");
        }
        if is_draft && self.n_drafts[seat] == constants.drafts_max {
            return Some("too_many_drafts");
        }
        None
    }

    /// Applies an input that is not refused.
    pub(crate) fn take(&mut self, constants: &Constants, input: &Input) {
        match input {
            Input::Draft(seat, letters) => {
                self.had_draft[*seat] = true;
                self.n_drafts[*seat] += 1;
                self.draft[*seat] = Some(letters.clone());
            }
            Input::Confirm(seat, letters) => {
                self.had_draft[*seat] = true;
                self.confirmed[*seat] = Some(letters.clone());
                if self.confirmed[0].is_some() && self.confirmed[1].is_some() {
                    self.finalize_round(constants);
                }
            }
            Input::Deadline if self.phase == "PREP" => self.finalize_round(constants),
            Input::Deadline if self.shown.len() < constants.n_steps => self.show_step(constants),
            Input::Deadline => self.end_round(constants),
            Input::Leave(seats, cause) => self.leave(seats, cause),
            Input::Chance => unreachable!("always refused"),
        }
    }

    fn finalize_round(&mut self, constants: &Constants) {
        for seat in 0..2 {
            let layout = match (&self.confirmed[seat], &self.draft[seat]) {
                (Some(confirmed), _) => confirmed.clone(),
                (None, Some(draft)) if self.had_draft[seat] && draft.contains(is_card) => {
                    draft.replace('-', "G")
                }
                _ => String::new(),
            };
            self.played[seat] = format!("{layout:G<width$}", width = constants.n_steps);
        }
        for seat in 0..2 {
            if self.had_draft[seat] {
                self.afk_streak[seat] = 0;
            } else {
                self.afk_streak[seat] += 1;
            }
        }
        if self.had_draft == [false, false] {
            self.both_afk_streak += 1;
        } else {
            self.both_afk_streak = 0;
        }
        self.phase = "REVEAL";
        if self.both_afk_streak >= 2 {
            self.end_match(vec![], "all_lose", "timeout", false);
        }
        if self.afk_streak[0] >= 2 {
            self.end_match(vec![1], "win", "timeout", false);
        }
        if self.afk_streak[1] >= 2 {
            self.end_match(vec![0], "win", "timeout", false);
        }
    }

    fn show_step(&mut self, constants: &Constants) {
        let idx = self.shown.len();
        let card = |seat: usize| self.played[seat].chars().nth(idx).unwrap();
        let cards = [card(0), card(1)];
        let before = self.hp;
        let mut hp = self.hp;
        for seat in 0..2 {
            if cards[seat] == 'H' && hp[seat] < constants.max_hp {
                hp[seat] += 1;
            }
        }
        for attacker in 0..2 {
            let target = 1 - attacker;
            if cards[attacker] == 'A' {
                match cards[target] {
                    'D' => {}
                    'C' => hp[attacker] -= 2,
                    _ => hp[target] -= 2,
                }
            }
        }
        self.hp = hp.map(|hp| hp.clamp(0, constants.max_hp));
        let after = self.hp;
        self.shown.push(Shown {
            cards,
            before,
            after,
        });
    }

    fn end_round(&mut self, constants: &Constants) {
        let [a, b] = self.hp;
        let somebody_is_out = a == 0 || b == 0;
        let limit_is_reached = self.round >= constants.limit;
        if (somebody_is_out || limit_is_reached) && a != b {
            let winner = if a > b { 0 } else { 1 };
            self.end_match(vec![winner], "win", "normal", false);
        } else if somebody_is_out && a == b {
            self.end_match(vec![], "draw", "normal", false);
        } else if self.round == constants.cap {
            self.end_match(vec![], "draw", "round_cap", true);
        } else {
            self.sudden_death = limit_is_reached;
            self.round += 1;
            self.phase = "PREP";
            self.confirmed = [None, None];
            self.draft = [None, None];
            self.had_draft = [false, false];
            self.n_drafts = [0, 0];
            self.shown.clear();
        }
    }

    fn leave(&mut self, seats: &[usize], cause: &'static str) {
        let alone = seats.iter().all(|seat| *seat == seats[0]);
        if alone && cause != "cancel" {
            self.end_match(vec![1 - seats[0]], "win", cause, false);
        } else {
            self.end_match(vec![], "void", cause, false);
        }
    }

    /// Only the first ending counts.
    fn end_match(
        &mut self,
        winners: Vec<usize>,
        result: &'static str,
        why: &'static str,
        cut: bool,
    ) {
        if self.phase != "END" {
            self.phase = "END";
            self.result = Some((winners, result, why, cut));
        }
    }
}

fn is_card(letter: char) -> bool {
    "ADHC".contains(letter)
}

/// True if the cards can be taken out of the hand one by one.
fn is_part_of(cards: &str, hand: &str) -> bool {
    let mut left: Vec<char> = hand.chars().collect();
    cards.chars().filter(|it| is_card(*it)).all(|card| {
        let found = left.iter().position(|it| *it == card);
        found.map(|idx| left.remove(idx)).is_some()
    })
}
