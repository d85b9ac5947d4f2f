//! A view as lines for the terminal.

use std::fmt;

use kernel::terminal::{self, Terminal};

use crate::state::bits;
use crate::{Action, Catan, Hand, PlayerView, Resource, Setup, View};

impl Terminal for Catan {
    fn how_to_play(setup: &Setup) -> String {
        let (points, threshold) = (setup.vp_to_win, setup.discard_threshold);
        let words = terminal::forms::<Action>();
        format!(
            "\
First to {points} points wins: a settlement is worth 1, a city 2, the longest road (5 or more) 2, the
largest army (3 knights or more) 2, and some development cards 1. Place two settlements with a road
each. Then, in your turn, roll the dice, build, buy, trade, and end the turn. Tiles with the number
rolled give a card for each settlement next to them and two for each city. On a 7, a hand of more
than {threshold} cards is halved and the robber moves. A road costs a brick and a lumber; a settlement these, a
wool and a grain; a city three ore and two grain; a development card an ore, a wool and a grain.
Places are numbers: tiles 0 to 18, vertices 0 to 53, edges 0 to 71. The words:
{words}"
        )
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn {} · {}", self.number, self.phase.name())?;
        if let Some([first, second]) = self.dice {
            write!(f, " · dice {first} {second}")?;
        }
        writeln!(f, " · robber on {}", self.robber)?;
        write!(f, "  tiles")?;
        for (idx, tile) in self.tiles.iter().enumerate() {
            write!(f, " {idx}:{}{}", tile.resource.name(), tile.number)?;
        }
        writeln!(f)?;
        write!(f, "  bank ")?;
        write_cards(f, &self.bank)?;
        writeln!(f, " · deck {}", self.n_deck)?;
        for (idx, player) in self.players.iter().enumerate() {
            self.write_player(f, idx, player)?;
        }
        if let Some(trade) = self.pending_trade {
            write!(f, "  offered: ")?;
            write_cards(f, &trade.offer)?;
            write!(f, " for ")?;
            write_cards(f, &trade.request)?;
            writeln!(f)?;
        }
        match self.outcome {
            Some(outcome) => writeln!(f, "Over: {outcome}"),
            None => Ok(()),
        }
    }
}

impl View {
    fn write_player(
        &self,
        f: &mut fmt::Formatter<'_>,
        idx: usize,
        player: &PlayerView,
    ) -> fmt::Result {
        let list = |set: u128| {
            bits(set)
                .map(|id| id.to_string())
                .collect::<Vec<_>>()
                .join(",")
        };
        let (points, target) = (player.victory_points, self.vp_to_win);
        write!(
            f,
            "  seat {idx} {} {points}/{target} ",
            player.name.as_str()
        )?;
        write_cards(f, &player.resources)?;
        write!(f, " · cards {}", player.n_dev_cards)?;
        if let Some(own) = player.own {
            let [knight, road, plenty, monopoly, point] = own.dev_cards;
            let new: u8 = own.new_dev_cards.iter().sum();
            write!(
                f,
                " (K{knight} R{road} P{plenty} M{monopoly} V{point} new {new})"
            )?;
        }
        write!(f, " · knights {}", player.played[0])?;
        if self.longest_road_owner == Some(idx as u8) {
            write!(f, " · longest road {}", player.longest_road_len)?;
        }
        if self.largest_army_owner == Some(idx as u8) {
            f.write_str(" · largest army")?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "    settlements {} · cities {} · roads {}",
            list(player.settlements.into()),
            list(player.cities.into()),
            list(player.roads)
        )
    }
}

fn write_cards(f: &mut fmt::Formatter<'_>, cards: &Hand) -> fmt::Result {
    for (resource, n) in Resource::ALL.iter().zip(cards) {
        write!(f, "{}{n}", &resource.name()[..1])?;
    }
    Ok(())
}
