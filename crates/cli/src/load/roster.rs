//! Assigns games and opponents to the players of a run.

use catalog::GameName;

use super::Args;
use super::company::{Company, at_lobbies};
use bots::client::Meets;

use super::part::Part;

/// All matches that are played concurrently.
pub(super) struct Roster {
    pub(super) groups: Vec<Group>,
    seed: u64,
}

pub(super) struct Group {
    pub(super) part: Part,
    pub(super) n_matches: u64,
    pub(super) n_seats: u8,
    meets: Meets,
}

impl Roster {
    /// Deals the matches out to the games in turn.
    pub(super) fn new(args: &Args) -> Roster {
        let games = args.games();
        let (n_matches, n_games) = (u64::from(args.matches), games.len() as u64);
        let group = |(nth, game): (u64, &GameName)| {
            let part = Part::of(*game);
            Group {
                part,
                n_matches: n_matches / n_games + u64::from(nth < n_matches % n_games),
                n_seats: part.n_seats(args.seats),
                meets: if args.lobbies {
                    Meets::Table
                } else {
                    part.meets()
                },
            }
        };
        let groups = (0..).zip(&games).map(group);
        Roster {
            groups: groups.filter(|it| it.n_matches > 0).collect(),
            seed: args.seed,
        }
    }

    pub(super) fn n_players(&self) -> u64 {
        let players = |it: &Group| it.n_matches * u64::from(it.n_seats);
        self.groups.iter().map(players).sum()
    }

    /// Every player's game and company. The games alternate, and the players of one match are
    /// adjacent.
    pub(super) fn players(&self) -> Result<Vec<(Part, Company)>, String> {
        let n_rounds = self.groups.iter().map(|it| it.n_matches).max();
        let mut players = Vec::new();
        for round in 0..n_rounds.unwrap_or(0) {
            for group in self.groups.iter().filter(|it| round < it.n_matches) {
                let seed = self.seed.wrapping_add(round);
                let company = group.company(seed)?;
                players.extend(company.into_iter().map(|it| (group.part, it)));
            }
        }
        Ok(players)
    }
}

impl Group {
    fn company(&self, seed: u64) -> Result<Vec<Company>, String> {
        match self.meets {
            Meets::Queue => Ok((0..self.n_seats).map(|_| Company::Queue).collect()),
            Meets::Table => at_lobbies(self.part, self.n_seats, seed),
        }
    }
}
