//! Prints the value of the standard match and the exploitability of its equilibrium.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use orcain::Setup;
use orcain_bots::{Equilibrium, TooLarge};

fn main() -> Result<(), TooLarge> {
    let solved = Equilibrium::solve(&Setup::default())?;
    println!("states          {}", solved.n_states());
    println!("value           {:e}", solved.value());
    println!("exploitability  {:e}", solved.exploitability());
    Ok(())
}
