//! Prints `docs/observations.md`: the inputs and outputs of a policy for each game.
#![allow(clippy::print_stdout, reason = "the output is the generated document")]

use catalog::{GameName, with_game};
use kernel::Describe;
use learn::{ByteStep, Fault, Learn, Space, Tensor};

fn main() -> Result<(), Fault> {
    println!("# Observations and actions\n");
    println!("Made by `cargo xtask codegen` from the code; `referee describe GAME --json` has the");
    println!(
        "same with every action. An observation is a row of small integers. Its `float32` form"
    );
    println!(
        "is each number divided by its scale; its `uint8` form is (number + add) / unit, cut off"
    );
    println!("at 0 and 255. In the honest sight it holds nothing that the seat may not know.\n");
    println!(
        "A mask has a byte for each action: 1 legal, 0 not. It is all 0 when no seat decides."
    );
    for game in GameName::ALL {
        with_game!(game, G => print::<G>()?);
    }
    Ok(())
}

fn print<G: Learn>() -> Result<(), Fault> {
    let space = Space::new::<G>(&G::Setup::default())?;
    println!("\n## {} {}\n", space.game, space.observation_version);
    println!("{}\n", <G as Describe>::SUMMARY);
    println!(
        "Standard setup: {} seats, {} numbers, {} actions (`{}`). Sights: {}. Frames: {}.\n",
        space.n_seats,
        space.n_values,
        space.n_actions,
        space.actions_hash,
        names(space.sights),
        names(space.frames),
    );
    table("Tensor", &space.tensors);
    if !space.aux.is_empty() {
        println!("\n`aux`, bytes for exact inversion, never given to a policy:\n");
        table("Bytes", &space.aux);
    }
    println!("\n| Actions | From | To |\n| --- | ---: | ---: |");
    let mut first = 0;
    for idx in 1..=space.actions.len() {
        let kind = space.actions[first].kind;
        if space.actions.get(idx).is_none_or(|row| row.kind != kind) {
            println!("| `{kind}` | {first} | {} |", idx - 1);
            first = idx;
        }
    }
    Ok(())
}

fn names<T: std::fmt::Debug>(all: &[T]) -> String {
    let names: Vec<String> = all
        .iter()
        .map(|it| format!("{it:?}").to_lowercase())
        .collect();
    names.join(", ")
}

fn table(title: &str, tensors: &[Tensor]) {
    println!("| {title} | At | Shape | Range | Scale | Bytes: add, unit | What |");
    println!("| --- | ---: | --- | --- | ---: | --- | --- |");
    for tensor in tensors {
        let block = &tensor.block;
        println!(
            "| `{}` | {} | {:?} | {} to {} | {} | {} | {} |",
            block.name,
            tensor.offset,
            block.shape,
            block.low,
            block.high,
            block.scale,
            steps(&tensor.bytes),
            block.about,
        );
    }
}

fn steps(steps: &[ByteStep]) -> String {
    let step = |step: &ByteStep| format!("{}, {}", step.add, step.unit);
    let all: Vec<String> = steps.iter().map(step).collect();
    all.join("; ")
}
