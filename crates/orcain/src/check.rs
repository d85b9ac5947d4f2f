//! Checks that a document describes a position that a match can reach.

use kernel::doc::{Faults, Node};

use crate::state::Player;
use crate::{AFK_ROUNDS_MAX, Ending, Orcain, Setup, Stage, Status, Win};

/// Reports values beyond the bounds set by the constants of the match.
pub(crate) fn bounds(setup: &Setup, node: &Node<'_>, faults: &mut Faults) {
    let turn = node.field("turn");
    turn.field("n_shown").int_in(0..=setup.steps.into(), faults);
    turn.field("number")
        .int_in(0..=setup.round_cap.into(), faults);
    let players = node.field("players");
    for seat in (0..2).filter(|seat| players.item(*seat).exists()) {
        let player = players.item(seat);
        player.field("hp").int_in(0..=setup.max_hp.into(), faults);
        player
            .field("round_hp")
            .int_in(0..=setup.max_hp.into(), faults);
        player
            .field("n_drafts")
            .int_in(0..=setup.drafts_max.into(), faults);
        let seat = seat as i64;
        player.field("player_id").int_in(seat..=seat, faults);
        player.field("layout").list_of_len(setup.steps(), faults);
    }
}

/// Reports everything that contradicts the rules.
pub(crate) fn position(at: &Orcain, node: &Node<'_>, faults: &mut Faults) {
    if at.stage == Stage::Prep && at.n_shown > 0 {
        let message = "no step is revealed before the layouts are final";
        let turn = node.field("turn");
        faults.at(&turn.field("n_shown"), "contradiction", message);
    }
    check_players(at, node, faults);
    check_ending(at, node, faults);
}

/// Checks each player, and the two against each other.
fn check_players(position: &Orcain, node: &Node<'_>, faults: &mut Faults) {
    let players = node.field("players");
    let hp = position.hp_after(position.n_shown.into());
    for seat in Orcain::SEATS {
        let node = players.item(seat.index());
        let player = position.player(seat);
        check_layout(position, player, seat.index(), &node, faults);
        check_streak(position, player, &node, faults);
        if player.hp != hp[seat.index()] {
            let expected = hp[seat.index()];
            let message = format!("the cards revealed since round_hp give {expected}");
            faults.at(&node.field("hp"), "contradiction", message);
        }
        if position.round == 1 && player.round_hp != position.setup.start_hp {
            let message = "the first round begins at start_hp";
            faults.at(&node.field("round_hp"), "contradiction", message);
        }
    }
    let [first, second] = position.players;
    if position.is_sudden_death() && first.round_hp != second.round_hp {
        let message = "sudden death begins with equal hit points";
        faults.at(&players, "contradiction", message);
    }
    let both_confirmed = [first, second]
        .iter()
        .all(|it| it.status == Status::Confirmed);
    if position.stage == Stage::Prep && both_confirmed {
        let message = "two confirmed layouts are final: sealed must be true";
        faults.at(&players, "contradiction", message);
    }
}

fn check_layout(
    position: &Orcain,
    player: &Player,
    idx: usize,
    node: &Node<'_>,
    faults: &mut Faults,
) {
    let held = position.setup.hands[idx].counts();
    let used = player.layout.counts();
    if used.iter().zip(held).any(|(&used, held)| used > held) {
        let message = "a card is used more often than the hand has it";
        faults.at(&node.field("layout"), "invalid_layout", message);
    }
    let full = player.layout.full(position.setup.steps()).is_some();
    let fits = match player.status {
        Status::Silent => player.layout.is_empty() && player.n_drafts == 0,
        Status::Drafted => player.n_drafts > 0,
        Status::Confirmed => full,
    };
    if !fits {
        let message = "silent means no draft and no card, drafted at least one draft, and \
                       confirmed a card in every slot";
        faults.at(&node.field("status"), "contradiction", message);
    }
}

fn check_streak(position: &Orcain, player: &Player, node: &Node<'_>, faults: &mut Faults) {
    let finalised = position.stage == Stage::Reveal;
    let missed = player.status == Status::Silent;
    let n_finalised = position.round - u8::from(!finalised);
    let by_timeout = matches!(
        position.ending,
        Some(Ending::BothAfk | Ending::Won(_, Win::Timeout))
    );
    let most = if by_timeout {
        AFK_ROUNDS_MAX
    } else {
        AFK_ROUNDS_MAX - 1
    };
    let fits = player.afk_streak <= most.min(n_finalised)
        && (!finalised || (player.afk_streak > 0) == missed);
    if !fits {
        let message = "the streak does not fit the rounds played, this round's status and the \
                       outcome";
        faults.at(&node.field("afk_streak"), "contradiction", message);
    }
}

/// Checks that the position ends with this outcome.
fn check_ending(position: &Orcain, node: &Node<'_>, faults: &mut Faults) {
    let just_finalised = position.stage == Stage::Reveal && position.n_shown == 0;
    let all_shown = position.n_shown == position.setup.steps;
    let gone = position.players.map(|it| it.afk_streak >= AFK_ROUNDS_MAX);
    let fits = match position.ending {
        None => gone == [false; 2],
        Some(Ending::Won(_, Win::Disconnect | Win::Resign) | Ending::Void(_)) => true,
        Some(Ending::BothAfk) => just_finalised && gone == [true; 2],
        // A seat that left for missed deadlines need not have missed rounds.
        Some(Ending::Won(_, Win::Timeout)) if gone == [false; 2] => true,
        Some(Ending::Won(seat, Win::Timeout)) => {
            just_finalised && gone == [0, 1].map(|idx| idx != seat.index())
        }
        Some(Ending::Won(_, Win::Normal) | Ending::Draw | Ending::RoundCap) => {
            all_shown && position.ending_by_hp() == position.ending
        }
    };
    if !fits {
        let message = "the position does not end with this outcome";
        faults.at(&node.field("outcome"), "contradiction", message);
    }
}
