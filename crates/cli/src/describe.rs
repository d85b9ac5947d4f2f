//! `referee describe`: prints a game's seats, actions, tensors and agents.

use catalog::Roster;
use catalog::{GameName, with_game};
use kernel::doc::Named;
use kernel::json::Json;
use learn::{ActionRow, Frame, Learn, Sight, Space, Tensor};
use serde::Serialize;

use crate::common::{self, Done, SetupArgs, print, print_json};

/// Describe a game: seats, actions with their ids, tables, observation, agents, events.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee describe orcain
  referee describe orcain --json
  referee describe orcain --setup my_setup.json --json")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_parser = common::game_parser())]
    game: GameName,
    #[command(flatten)]
    setup: SetupArgs,
    /// Print JSON with the entire action table.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Description {
    game: &'static str,
    summary: &'static str,
    rules_version: &'static str,
    snapshot_version: &'static str,
    seats: usize,
    steps_max: u64,
    n_actions: usize,
    actions: Vec<ActionRow>,
    /// The hash of the action table. Tables with the same hash have the same ids.
    actions_hash: kernel::json::Hash,
    events: &'static [&'static str],
    observation_version: &'static str,
    observation: Vec<Tensor>,
    /// Extra tensors that, with the observation, reconstruct the position. Not for a policy.
    aux: Vec<Tensor>,
    /// The supported sights and frames of observations.
    sights: &'static [Sight],
    frames: &'static [Frame],
    tables: Json,
    agents: Vec<AgentRow>,
}

#[derive(Serialize)]
struct AgentRow {
    name: &'static str,
    about: &'static str,
}

pub(crate) fn run(args: &Args) -> Done {
    with_game!(args.game, G => {
        let setup = args.setup.read::<G>()?;
        let description = describe::<G>(&setup)?;
        if args.json { print_json(&description) } else { print(description.text()) }
    })
}

fn describe<G: Learn + Roster>(setup: &G::Setup) -> Result<Description, common::Failure> {
    let space = Space::new::<G>(setup)?;
    Ok(Description {
        game: G::NAME,
        summary: G::SUMMARY,
        rules_version: G::RULES_VERSION,
        snapshot_version: G::SNAPSHOT_VERSION,
        seats: space.n_seats,
        steps_max: G::steps_max(setup),
        n_actions: space.n_actions,
        actions_hash: space.actions_hash,
        actions: space.actions,
        events: <G::Event as Named>::NAMES,
        observation_version: space.observation_version,
        observation: space.tensors,
        aux: space.aux,
        sights: space.sights,
        frames: space.frames,
        tables: G::tables(setup),
        agents: G::AGENTS
            .iter()
            .map(|&(name, about)| AgentRow { name, about })
            .collect(),
    })
}

impl Description {
    fn text(&self) -> String {
        let mut lines = vec![
            format!("{} (rules {})", self.game, self.rules_version),
            format!("  {}", self.summary),
            format!(
                "  {} seats, at most {} steps per match",
                self.seats, self.steps_max
            ),
            format!("  {} actions, for example:", self.n_actions),
        ];
        let stride = (self.n_actions / 8).max(1);
        for row in self.actions.iter().step_by(stride) {
            lines.push(format!(
                "    {:>5}  {:<16} {} {}",
                row.id, row.text, row.kind, row.payload
            ));
        }
        let n_values: usize = self.observation.iter().map(|row| row.block.len()).sum();
        lines.push(format!("  observation of {n_values} small integers:"));
        for Tensor { offset, block, .. } in &self.observation {
            let (name, shape, about) = (block.name, &block.shape, block.about);
            let (low, high) = (block.low, block.high);
            lines.push(format!(
                "    {offset:>5}  {name:<14} {shape:?} {low}–{high}: {about}"
            ));
        }
        lines.push(format!("  events: {}", self.events.join(", ")));
        lines.push("  agents:".to_owned());
        for agent in &self.agents {
            lines.push(format!("    {:<14} {}", agent.name, agent.about));
        }
        lines.push("  Use --json for the full action table and the game's tables.".to_owned());
        lines.join("\n")
    }
}
