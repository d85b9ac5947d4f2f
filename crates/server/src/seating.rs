//! The participants of matches that start or resume.

use bots::NoAgent;
use catalog::{GameName, with_game};
use kernel::Seat;
use session::Live;
use store::{Ms, Sitter, StoreError, Tx};
use wire::native::Player;

use crate::hosted::Hosted;
use crate::ratings;
use crate::readers::Unanswered;
use crate::room::Bot;
use crate::server::Server;

impl Server {
    /// Returns the bots of a match, each ready for its seat.
    pub(crate) async fn call_bots<G: Hosted>(
        &self,
        sitters: &[Sitter],
        setup: &G::Setup,
    ) -> Result<Vec<Bot<G>>, NoAgent> {
        let mut bots = Vec::new();
        for (idx, sitter) in sitters.iter().enumerate() {
            if let (Sitter::Bot(name), Some(seat)) = (sitter, Seat::new(idx)) {
                let agent = Some(self.bots.pool::<G>().agent(name, setup).await?);
                bots.push(Bot { seat, agent });
            }
        }
        Ok(bots)
    }

    /// Returns the public facts about the players, as of now.
    pub(crate) async fn introduce(
        &self,
        game: &'static str,
        sitters: &[Sitter],
    ) -> Result<Vec<Player>, Unanswered> {
        let (sitters, now) = (sitters.to_vec(), self.clock.now());
        let read = move |tx: &mut Tx<'_>| {
            let players = sitters.iter().map(|sitter| player(tx, game, sitter, now));
            players.collect::<Result<Vec<_>, StoreError>>()
        };
        self.readers.read(read).await
    }
}

fn player(tx: &mut Tx<'_>, game: &str, sitter: &Sitter, now: Ms) -> Result<Player, StoreError> {
    let account = match sitter {
        Sitter::Bot(name) => return Ok(bot(game, name)),
        Sitter::Account(account) => *account,
    };
    let row = tx.account(account)?;
    let rating = tx.rating(account, game)?;
    let points = rating.map_or(0, |it| it.league);
    let name = row.as_ref().and_then(|row| row.public_name(now));
    Ok(Player {
        name: name.map(str::to_owned),
        bot: None,
        avatar: row.map(|row| row.avatar).unwrap_or_default(),
        league: Some(ratings::league(points)),
        points: Some(points),
        rating: rating.map(|it| it.rating.round() as i64),
    })
}

fn bot(game: &str, name: &str) -> Player {
    let nickname = game
        .parse::<GameName>()
        .ok()
        .and_then(|game| with_game!(game, G => <G as Live>::BOT_NICKNAME));
    Player {
        name: Some(nickname.unwrap_or(name).to_owned()),
        bot: Some(name.to_owned()),
        avatar: "orc".to_owned(),
        league: None,
        points: None,
        rating: None,
    }
}
