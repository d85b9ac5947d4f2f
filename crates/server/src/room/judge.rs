//! A bot's evaluation, shown only in matches against bots and based on what the player may see.

use bots::{Agent, Evaluation};
use kernel::{Perspective, Seat};
use wire::codes::ErrorCode;
use wire::native::{Chances, ServerMessage};

use super::Room;
use crate::hosted::Hosted;

/// A pending request for an evaluation, and the last answer.
#[derive(Default)]
pub(super) struct Asked {
    is_open: bool,
    /// The last answer, and the version of the match it was for.
    answer: Option<(u64, String)>,
}

impl<G: Hosted> Room<G> {
    /// Requests an evaluation. Refused in matches between people.
    pub(super) fn ask_chances(&mut self, seat: Seat) {
        let alone = self.session.terms().policy.people.sole() == Some(seat);
        let link = self.chairs[seat.index()].link.as_ref();
        if alone {
            self.chances.is_open = true;
        } else if let Some(link) = link {
            let refusal = wire::native::refuse(ErrorCode::ChancesBetweenPeople, None);
            link.line.send(refusal);
        }
    }

    /// Answers a pending request once the position is durable. Each position is evaluated once.
    pub(super) async fn tell_chances(&mut self) {
        let version = self.session.version();
        let ready = self.session.durable() == version && self.session.outcome().is_none();
        let seat = self.session.terms().policy.people.sole();
        let (Some(seat), true, true) = (seat, self.chances.is_open, ready) else {
            return;
        };
        self.chances.is_open = false;
        let known = self.chances.answer.as_ref().filter(|it| it.0 == version);
        let frame = match known {
            Some((_, frame)) => frame.clone(),
            None => self.judge(seat).await,
        };
        self.chances.answer = Some((version, frame.clone()));
        if let Some(link) = &self.chairs[seat.index()].link {
            link.line.send(frame);
        }
    }

    /// Returns the evaluation of the first bot that has one, as a wire message.
    async fn judge(&mut self, seat: Seat) -> String {
        let bots = self.bots.iter();
        let judges: Vec<(Seat, Box<dyn Agent<G>>)> = bots
            .filter_map(|bot| Some((bot.seat, bot.agent.as_ref()?.again())))
            .collect();
        let position = self.session.position().clone();
        let thought = tokio::task::spawn_blocking(move || {
            let seen = Perspective::new(&position, seat);
            let opinion =
                |(at, mut judge): (Seat, Box<dyn Agent<G>>)| Some((at, judge.evaluate(&seen)?));
            judges.into_iter().find_map(opinion)
        });
        let opinion: Option<(Seat, Evaluation)> = thought.await.unwrap_or_default();
        let (by, win_permille) = opinion.unzip();
        let player = by.and_then(|at| self.facts.players.get(at.index()));
        let chances = Chances {
            match_id: self.facts.match_id,
            by: player.and_then(|it| it.bot.clone()),
            win_permille: win_permille.map(|it| it.win_permille),
        };
        ServerMessage::<()>::Chances(chances).write()
    }
}
