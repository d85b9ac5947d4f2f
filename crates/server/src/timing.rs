//! The timing of games: their default policies, changed by the operator's options.

use std::fmt;
use std::str::FromStr;

use catalog::GameName;
use serde::Deserialize;
use session::{Live, Ms, Policy};

use crate::config::MS_MAX;

/// One timing option, for one game or for all: `orcain.turn-ms=15000`, `grace-ms=30000`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Timing {
    game: Option<GameName>,
    which: Which,
    ms: Ms,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    Turn,
    FirstStep,
    Step,
    Grace,
    PauseBudget,
}

impl Which {
    const ALL: [(&'static str, Which); 5] = [
        ("turn-ms", Which::Turn),
        ("first-step-ms", Which::FirstStep),
        ("step-ms", Which::Step),
        ("grace-ms", Which::Grace),
        ("pause-budget-ms", Which::PauseBudget),
    ];
}

/// All timing options. An option for one game overrides one for all games; otherwise the last one
/// counts.
#[derive(Clone, Default, Debug)]
pub(crate) struct Timings(pub(crate) Vec<Timing>);

impl Timings {
    /// Returns a game's rules on time and absence, with the options applied.
    pub(crate) fn policy<G: Live>(&self) -> Policy {
        let mut policy = G::POLICY;
        let pace = &mut policy.pace;
        let of = |which| self.find(G::NAME, which);
        pace.turn_ms = of(Which::Turn).unwrap_or(pace.turn_ms);
        pace.step_ms = of(Which::Step).unwrap_or(pace.step_ms);
        let first_step_ms = pace.first_step_ms.min(pace.step_ms);
        pace.first_step_ms = of(Which::FirstStep).unwrap_or(first_step_ms);
        let grace_ms = of(Which::Grace);
        let budget_ms = grace_ms.map_or(policy.pause_budget_ms, |ms| ms.saturating_mul(3));
        let budget_ms = of(Which::PauseBudget).unwrap_or(budget_ms);
        policy.with_grace(grace_ms.unwrap_or(policy.grace_ms), budget_ms)
    }

    fn find(&self, game: &str, which: Which) -> Option<Ms> {
        let last = |own: bool| {
            let fits = |it: &&Timing| match it.game {
                Some(name) => own && name.as_str() == game,
                None => !own,
            };
            let mut found = self.0.iter().rev().filter(|it| it.which == which);
            found.find(fits).map(|it| it.ms)
        };
        last(true).or_else(|| last(false))
    }

    /// Describes each option that is out of bounds.
    pub(crate) fn faults(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(|it| {
            let least = match it.which {
                Which::Turn | Which::Step => 1,
                Which::FirstStep | Which::Grace | Which::PauseBudget => 0,
            };
            let sound = (least..=MS_MAX).contains(&it.ms);
            (!sound).then(|| format!("--timing {it}: expected {least} to {MS_MAX} (a day)"))
        })
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(game) = self.game {
            write!(f, "{game}.")?;
        }
        let named = Which::ALL.iter().find(|(_, which)| *which == self.which);
        write!(f, "{}={}", named.map_or("", |(name, _)| name), self.ms)
    }
}

impl FromStr for Timing {
    type Err = String;

    fn from_str(text: &str) -> Result<Timing, String> {
        let (place, ms) = text.split_once('=').ok_or_else(|| {
            format!("{text:?} has no `=`; expected something like \"orcain.turn-ms=15000\"")
        })?;
        let (game, name) = match place.split_once('.') {
            Some((game, name)) => (Some(game.parse::<GameName>()), name),
            None => (None, place),
        };
        let named = Which::ALL.iter().find(|(known, _)| *known == name);
        let ms = ms.parse::<Ms>();
        let mut faults = Vec::new();
        if let Some(Err(unknown)) = &game {
            faults.push(unknown.to_string());
        }
        if named.is_none() {
            let known = Which::ALL.map(|(name, _)| name).join(", ");
            faults.push(format!(
                "there is no timing {name:?}; the timings are: {known}"
            ));
        }
        if ms.is_err() {
            faults.push("expected a whole number of milliseconds".to_owned());
        }
        match (game.transpose(), named, ms) {
            (Ok(game), Some((_, which)), Ok(ms)) => Ok(Timing {
                game,
                which: *which,
                ms,
            }),
            _ => Err(format!("{text:?}: {}", faults.join("; "))),
        }
    }
}

impl TryFrom<String> for Timing {
    type Error = String;

    fn try_from(text: String) -> Result<Timing, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use catalog::{Catan, Orcain};

    use super::*;

    fn timings(texts: &[&str]) -> Timings {
        Timings(texts.iter().map(|it| it.parse().expect("reads")).collect())
    }

    #[test]
    fn a_game_keeps_its_default_times_until_the_operator_changes_them() {
        assert_eq!(timings(&[]).policy::<Orcain>(), Orcain::POLICY);
        let changed = timings(&["orcain.turn-ms=5", "turn-ms=7", "turn-ms=9"]);
        assert_eq!(changed.policy::<Orcain>().pace.turn_ms, 5);
        assert_eq!(changed.policy::<Catan>().pace.turn_ms, 9);
    }

    #[test]
    fn the_first_step_never_exceeds_a_step_and_the_budget_follows_the_grace() {
        let fast = timings(&["step-ms=100", "grace-ms=20"]).policy::<Orcain>();
        assert_eq!(fast.pace.first_step_ms, 100);
        assert_eq!((fast.grace_ms, fast.pause_budget_ms), (20, 60));
        let own = timings(&["step-ms=100", "first-step-ms=3", "pause-budget-ms=8"]);
        let own = own.policy::<Orcain>();
        assert_eq!((own.pace.first_step_ms, own.pause_budget_ms), (3, 8));
    }

    #[test]
    fn every_fault_in_a_timing_is_reported() {
        let fault = "chess.turn=soon".parse::<Timing>().expect_err("is invalid");
        for part in [
            "\"chess\"",
            "\"turn\"",
            "turn-ms, first-step-ms",
            "whole number",
        ] {
            assert!(fault.contains(part), "{fault}");
        }
        assert!("orcain.turn-ms".parse::<Timing>().is_err());
        let faults: Vec<String> = timings(&["step-ms=0", "grace-ms=0"]).faults().collect();
        assert_eq!(
            faults,
            ["--timing step-ms=0: expected 1 to 86400000 (a day)"]
        );
        let text = "orcain.pause-budget-ms=1";
        assert_eq!(text.parse::<Timing>().expect("reads").to_string(), text);
    }
}
