//! Plays matches of one game on one thread, so that their instructions can be counted:
//! `inner_loop GAME AGENT MATCHES [SETUP]`. Prints the number of joint decisions. Without arguments,
//! lists what to count: each game with `random` and with the first agent of its own, if it has any.

#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::error::Error;
use std::sync::atomic::AtomicU64;

use bots::simulate::{Keep, Plan, run};
use catalog::{GameName, Roster, with_game};
use kernel::json;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let ([game, agent, n_games] | [game, agent, n_games, _]) = args.as_slice() else {
        if !args.is_empty() {
            return Err("usage: inner_loop [GAME AGENT MATCHES [SETUP]]".into());
        }
        for game in GameName::ALL {
            with_game!(game, G => list::<G>(game));
        }
        return Ok(());
    };
    let game: GameName = game.parse()?;
    let n_games = n_games.parse()?;
    let setup = args.get(3).map(String::as_str);
    let n_decisions = with_game!(game, G => joint_decisions::<G>(agent, n_games, setup))?;
    println!("{n_decisions}");
    Ok(())
}

fn list<G: Roster>(game: GameName) {
    let names = G::AGENTS.iter().map(|(name, _)| *name);
    let own = names.filter(|name| !bots::GENERIC.iter().any(|(generic, _)| generic == name));
    for agent in ["random"].into_iter().chain(own.take(1)) {
        println!("{game} {agent}");
    }
}

fn joint_decisions<G: Roster>(
    agent: &str,
    n_games: u32,
    setup: Option<&str>,
) -> Result<u64, Box<dyn Error>> {
    let setup = match setup {
        Some(text) => G::read_setup(&json::read(text.as_bytes())?)?,
        None => G::Setup::default(),
    };
    let n_seats = G::start(&setup).n_seats();
    let agents = (0..n_seats).map(|_| G::agent(agent, &setup));
    let agents = agents.collect::<Result<Vec<_>, _>>()?;
    let plan = Plan {
        setup: &setup,
        agents: &agents,
        n_games,
        seed: "1".parse()?,
        n_threads: 1,
        keep: Keep::Tally,
    };
    Ok(run(&plan, &AtomicU64::new(0))?.joint_decisions)
}
