//! Orcain in the simulator: layouts are drafted, confirmed and revealed.

use kernel::live::Ms;
use orcain::{Action, Ask, Asked, Card, Layout, Orcain, Stage};
use session::Message;
use session::sim::{
    Act, Deed, Draws, Habit, Mind, Notion, Phase, PhaseKind, Shows, Simulated, Word,
};

const PREP: Phase = Phase::new("Prep", PhaseKind::Deciding, 12);
const REVEAL: Phase = Phase::new("Reveal", PhaseKind::Showing, 12);
/// Either phase, after the round limit.
const SUDDEN_DEATH: Phase = Phase::new("SuddenDeath", PhaseKind::Deciding, 60);

/// The simulator's driver for Orcain.
pub struct Simulation;

impl Simulated for Simulation {
    type Game = Orcain;
    type Mind = Duelist;

    const PHASES: &'static [Phase] = &[PREP, REVEAL, SUDDEN_DEATH, Phase::PAUSED, Phase::OVER];
    const TURN_MS: Ms = 20_000;
    const N_EFFECTS: u64 = 150;

    fn draw_setup(_: &mut Draws) -> orcain::Setup {
        orcain::Setup::default()
    }

    fn rare_habits(draws: &mut Draws) -> Option<Habit> {
        draws.permille(80).then_some(Habit::Patient)
    }

    fn phase(position: &Orcain) -> Phase {
        match position.stage() {
            _ if position.is_sudden_death() => SUDDEN_DEATH,
            Stage::Prep => PREP,
            Stage::Reveal => REVEAL,
        }
    }

    fn meant(ask: &Ask) -> Option<Vec<Action>> {
        let (confirms, slots) = match ask {
            Ask::Draft(Some(slots)) => (false, slots),
            Ask::Confirm(Some(slots)) => (true, slots),
            Ask::Draft(None) | Ask::Confirm(None) => return None,
        };
        let layout = fit(slots)?;
        let confirm = || layout.full(slots.len()).map(Action::Confirm);
        let action = if confirms {
            confirm()
        } else {
            Some(Action::Draft(layout))
        };
        action.map(|action| vec![action])
    }

    const SHOWS: Option<Shows<Simulation>> = Some(shows);
}

/// True if the message reveals a card.
fn shows(message: &Message<Orcain>) -> bool {
    let shown = |event: &orcain::Event| matches!(event, orcain::Event::StepRevealed { .. });
    match message {
        Message::News { events, .. } => events.iter().any(shown),
        Message::Standing { view, .. } => !view.exchanges.is_empty(),
        _ => false,
    }
}

/// The part of a layout that fits a hand with one of each card.
fn fit(slots: &[Asked]) -> Option<Layout> {
    let mut used: Vec<Card> = Vec::new();
    let mut kept = Vec::new();
    for slot in slots {
        kept.push(match slot {
            Ok(Some(card)) if !used.contains(card) => {
                used.push(*card);
                Some(*card)
            }
            _ => None,
        });
    }
    Layout::new(&kept)
}

/// A simulated player. Its cards are the hidden part.
pub struct Duelist {
    habit: Habit,
    planned_round: u8,
    cards: Draws,
}

impl Mind<Simulation> for Duelist {
    fn new(habit: Habit, _: Draws, hidden: Draws) -> Duelist {
        Duelist {
            habit,
            planned_round: 0,
            cards: hidden,
        }
    }

    fn receive(&mut self, message: &Message<Orcain>) -> Notion {
        let (round, deadline) = match message {
            Message::Standing {
                view, deadline_ms, ..
            } => (
                Some(view.round).filter(|_| view.phase == orcain::Phase::Prep),
                *deadline_ms,
            ),
            Message::News {
                events,
                deadline_ms,
                ..
            } => (events.iter().find_map(started), *deadline_ms),
            _ => return Notion::Nothing,
        };
        match round.filter(|&round| round > self.planned_round) {
            None => Notion::Nothing,
            Some(round) => {
                self.planned_round = round;
                Notion::Wanted(deadline)
            }
        }
    }

    fn plan(&mut self, draws: &mut Draws) -> Vec<(Ms, Deed)> {
        let mut deeds = Vec::new();
        let mut act = |draws: &mut Draws, low: Ms, high: Ms, act: Act| {
            deeds.push((draws.within(low, high), Deed::Act(act)));
        };
        match self.habit {
            Habit::Gone => {}
            Habit::Absent if draws.permille(500) => {}
            Habit::Late => {
                if draws.permille(600) {
                    act(draws, 200, 9_000, Act::Try);
                }
                deeds.push((0, Deed::Edge(draws.pick(&[Act::Try, Act::Decide]))));
            }
            Habit::Noisy => {
                for _ in 0..draws.within(1, 4) {
                    let noise = draws.pick(&Act::NOISE);
                    act(draws, 100, 22_500, noise);
                }
                if draws.permille(500) {
                    act(draws, 1_000, 15_000, Act::Decide);
                }
            }
            Habit::Steady | Habit::Absent | Habit::Flapping | Habit::Slow | Habit::Patient => {
                if draws.permille(350) {
                    act(draws, 200, 6_000, Act::Try);
                }
                if draws.permille(880) {
                    act(draws, 1_000, 12_000, Act::Decide);
                }
            }
        }
        if self.habit == Habit::Flapping && draws.permille(400) {
            deeds.push((draws.within(100, 22_000), Deed::Drop));
        }
        deeds
    }

    fn word(&mut self, act: Act) -> Word<Simulation> {
        Word::Ask(match act {
            Act::Try => Ask::Draft(Some(self.draft())),
            Act::Decide => Ask::Confirm(Some(self.full())),
            Act::BadTry => Ask::Draft(Some(self.bad())),
            Act::BadDecide => Ask::Confirm(Some(self.bad())),
            Act::Garbage | Act::Resign | Act::Ahead => Ask::Draft(None),
        })
    }
}

fn started(event: &orcain::Event) -> Option<u8> {
    match event {
        orcain::Event::RoundStarted { round, .. } => Some(*round),
        _ => None,
    }
}

impl Duelist {
    /// A card for each slot. Patient players never attack before sudden death.
    fn full(&mut self) -> Vec<Asked> {
        let mut cards = Card::ALL;
        for idx in (1..cards.len()).rev() {
            cards.swap(idx, self.cards.within(0, idx as u64) as usize);
        }
        if self.habit == Habit::Patient && self.planned_round <= 3 {
            cards = [Card::Defense, Card::Heal, Card::Counter, Card::Attack];
        }
        cards[..3].iter().map(|&card| Ok(Some(card))).collect()
    }

    fn draft(&mut self) -> Vec<Asked> {
        let mut slots = self.full();
        for slot in &mut slots {
            if self.cards.permille(300) {
                *slot = Ok(None);
            }
        }
        slots
    }

    /// The same card twice, or a name that is not a card: neither fits the hand.
    fn bad(&mut self) -> Vec<Asked> {
        let mut slots = self.full();
        slots[1] = if self.cards.permille(500) {
            slots[0]
        } else {
            Err(())
        };
        slots
    }
}
