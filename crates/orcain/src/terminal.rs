//! A view as lines for the terminal.

use std::fmt;

use kernel::Seat;
use kernel::terminal::Terminal;

use crate::{
    AFK_ROUNDS_MAX, ATTACK_DAMAGE, COUNTER_DAMAGE, Card, HEAL_POINTS, Orcain, Setup, Slot, View,
};

impl Terminal for Orcain {
    fn how_to_play(setup: &Setup) -> String {
        let (steps, start, most) = (setup.steps, setup.start_hp, setup.max_hp);
        let (limit, cap) = (setup.round_limit, setup.round_cap);
        format!(
            "\
Each player starts with {start} hit points. In a round you place {steps} cards of your hand in secret,
one for each step. Then both players' cards are revealed, step by step:
  A  attack   the opponent loses {ATTACK_DAMAGE}, unless they defend or counter
  D  defense  blocks an attack
  H  heal     you gain {HEAL_POINTS}, up to {most}, before any damage of the step
  C  counter  an attacker loses {COUNTER_DAMAGE}, and you lose nothing
After round {limit}, or when a player is at 0, more hit points win. If they are equal, further rounds
follow until one ends unequal; after round {cap} the match is a draw.
Type the first letters of your cards in order: adh plays attack, defense, heal.
draft:A-H places cards that you may still change (- leaves a slot empty); wait then plays them.
"
        )
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Round {} of {}", self.round, self.round_limit)?;
        if self.sudden_death {
            f.write_str(", sudden death")?;
        }
        writeln!(f, " · {}", self.phase.name())?;
        for seat in Orcain::SEATS {
            self.write_player(seat, f)?;
        }
        for (idx, step) in self.exchanges.iter().enumerate() {
            let [first, second] = step.cards.map(name);
            let ([was_0, was_1], [hp_0, hp_1]) = (step.hp_before, step.hp_after);
            writeln!(
                f,
                "  step {}: {first:7} – {second:7}   {was_0} → {hp_0}, {was_1} → {hp_1}",
                idx + 1
            )?;
        }
        match self.outcome {
            Some(outcome) => writeln!(f, "Over: {outcome}"),
            None => Ok(()),
        }
    }
}

impl View {
    fn write_player(&self, seat: Seat, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hp, max) = (self.hp[seat.index()], self.max_hp);
        let bar: String = (0..max)
            .map(|point| if point < hp { '█' } else { '·' })
            .collect();
        let hand: String = self.hands[seat.index()]
            .cards()
            .map(Card::letter)
            .iter()
            .collect();
        write!(f, "  seat {seat} {bar} {hp}/{max}  hand {hand}")?;
        if let Some(own) = self.own.as_ref().filter(|own| own.seat == seat) {
            let letter = |slot: &Slot| slot.map_or('-', Card::letter);
            let layout: String = own.layout.iter().map(letter).collect();
            write!(f, "  you: {layout} ({})", own.status.name())?;
        }
        if self.afk_streak[seat.index()] + 1 == AFK_ROUNDS_MAX {
            f.write_str("  missed a round: one more loses the match")?;
        }
        writeln!(f)
    }
}

fn name(slot: Slot) -> &'static str {
    slot.map_or("nothing", |card| card.name())
}
