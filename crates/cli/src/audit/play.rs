//! One audited match.

use kernel::json::{self, Hash};
use kernel::record::{Origin, Recorder, verify};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{
    ActionId, Close, Conserve, Discard, GameExt, Mask, MatchId, Outcome, Recorded, Refusal, Seat,
    Source, Step, Table, Timestamp, Turn,
};

/// Average number of steps between two snapshot round trips.
const STEPS_PER_ROUND_TRIP: u64 = 2000;
/// One match in this many is recorded and replayed.
const MATCHES_PER_REPLAY: u64 = 16;
/// The most actions of a seat that are compared with its mask at a time.
const TRIED_MAX: u64 = 512;

/// The numbers of one match.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) n_steps: u64,
    pub(super) n_round_trips: u64,
    pub(super) n_replays: u64,
    pub(super) is_truncated: bool,
}

/// A broken promise of the game.
pub(super) struct Broken {
    pub(super) n_steps: u64,
    pub(super) message: String,
}

/// Buffers that a thread reuses from match to match.
#[derive(Default)]
pub(super) struct Audit {
    mask: Mask,
    bytes: Vec<u8>,
}

impl Audit {
    /// Plays a match with random legal actions. Fails with the first violation and the step at
    /// which it occurred.
    pub(super) fn play<G: Conserve + Recorded>(
        &mut self,
        setup: &G::Setup,
        seed: u64,
    ) -> Result<Counts, Broken> {
        let mut counts = Counts::default();
        let played = self.play_counted::<G>(setup, seed, &mut counts);
        played.map(|()| counts).map_err(|message| Broken {
            n_steps: counts.n_steps,
            message,
        })
    }

    fn play_counted<G: Conserve + Recorded>(
        &mut self,
        setup: &G::Setup,
        seed: u64,
        counts: &mut Counts,
    ) -> Result<(), String> {
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
        let game_id = MatchId::draw(&mut rng);
        let setup = &G::draw_setup(setup, &mut rng);
        let generator = generator(seed);
        let mut table = Table::<G>::open(setup, game_id, Source::Open(generator.clone()));
        let is_recorded = seed.is_multiple_of(MATCHES_PER_REPLAY);
        let mut decisions = Vec::new();
        let mut next_trip = 1 + rng.below(2 * STEPS_PER_ROUND_TRIP);
        let steps_max = G::steps_max(setup);
        let outcome = loop {
            let step = match table.position().turn() {
                Turn::Over(outcome) => break outcome,
                turn => self.choose(&mut table, turn, &mut rng),
            };
            counts.n_steps += 1;
            let step = step.ok_or("no seat has a legal action")?;
            if is_recorded && !matches!(step, Step::Chance(_)) {
                decisions.push(step);
            }
            let refused = |refusal: Refusal| format!("a legal action is refused: {refusal}");
            table.apply(step, &mut Discard).map_err(refused)?;
            if let Some(broken) = table.position().broken() {
                return Err(broken);
            }
            if counts.n_steps > steps_max {
                return Err(format!("the match exceeds {steps_max} steps"));
            }
            if counts.n_steps == next_trip {
                next_trip += 1 + rng.below(2 * STEPS_PER_ROUND_TRIP);
                self.check_all(&mut table)?;
                counts.n_round_trips += 1;
            }
        };
        self.check_all(&mut table)?;
        counts.n_round_trips += 1;
        counts.is_truncated = outcome.close == Close::Truncated;
        if is_recorded {
            let end = (table.state_hash(), outcome);
            check_replay::<G>(setup, game_id, generator, &decisions, &end)?;
            counts.n_replays += 1;
        }
        Ok(())
    }

    fn choose<G: Recorded>(
        &mut self,
        table: &mut Table<G>,
        turn: Turn,
        rng: &mut Generator,
    ) -> Option<Step<G::Action>> {
        if turn == Turn::Chance {
            return table.draw().map(Step::Chance);
        }
        let Some(seat) = turn.missing().lowest() else {
            return Some(Step::Deadline);
        };
        let position = table.position();
        position.fill_legal(seat, &mut self.mask);
        let action = position.action(self.mask.sample(rng)?)?;
        Some(Step::Play(seat, action))
    }

    /// Checks what is too expensive for every step: invariants, masks and a snapshot round trip.
    /// The match continues with the restored table.
    fn check_all<G: Conserve + Recorded>(&mut self, table: &mut Table<G>) -> Result<(), String> {
        if let Some(broken) = table.position().broken_in_depth() {
            return Err(broken);
        }
        self.check_masks(table.position())?;
        self.bytes.clear();
        table.write_snapshot(&mut self.bytes);
        let document = json::read(&self.bytes).map_err(|error| error.to_string())?;
        let restored = Table::<G>::restore(&document).map_err(|faults| faults.one_line())?;
        if restored != *table {
            return Err("the table restored from a snapshot differs".to_owned());
        }
        let n_before = self.bytes.len();
        restored.write_snapshot(&mut self.bytes);
        let (first, second) = self.bytes.split_at(n_before);
        if first != second || restored.state_hash() != table.state_hash() {
            return Err("the snapshot of a restored table differs".to_owned());
        }
        *table = restored;
        Ok(())
    }

    /// The rules accept exactly the actions in a seat's mask. Of many actions, some are tried.
    fn check_masks<G: Recorded>(&mut self, position: &G) -> Result<(), String> {
        let n_actions = position.n_actions() as u64;
        for seat in Seat::first(position.n_seats()) {
            position.fill_legal(seat, &mut self.mask);
            let stride = n_actions.div_ceil(TRIED_MAX).max(1);
            for id in (0..n_actions).step_by(stride as usize) {
                let id = ActionId::new(id as usize);
                let action = position.action(id);
                let action = action.ok_or_else(|| format!("no action has the id {id}"))?;
                let is_accepted = position.check(&Step::Play(seat, action)).is_ok();
                if is_accepted != self.mask.allows(id) {
                    let (mask, rules) = match is_accepted {
                        true => ("forbids", "accept"),
                        false => ("allows", "refuse"),
                    };
                    return Err(format!(
                        "the mask of seat {seat} {mask} {action}, but the rules {rules} it"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The generator of a match's chance: of a different kind for each four seeds.
fn generator(seed: u64) -> Generator {
    let kind = GeneratorKind::ALL[(seed / 4 % 4) as usize];
    Generator::from_seed(kind, &Seed::from(seed))
}

/// Records the same decisions, then replays the record. It must be valid and end in the same state.
fn check_replay<G: Recorded>(
    setup: &G::Setup,
    game_id: MatchId,
    generator: Generator,
    decisions: &[Step<G::Action>],
    end: &(Hash, Outcome),
) -> Result<(), String> {
    let mut at = Timestamp::SIMULATED;
    let mut recorder = Recorder::<G>::begin(setup, game_id, Origin::Open(generator), &[], at);
    for step in decisions {
        at = at.plus_ms(1000);
        let recorded = recorder.apply(*step, at);
        recorded.map_err(|refusal| format!("the same decision is refused: {refusal}"))?;
    }
    let replayed = verify::<G>(&recorder.finish()).map_err(|fault| fault.to_string())?;
    if (replayed.state_hash, replayed.outcome.as_ref()) != (end.0, Some(&end.1)) {
        return Err("the replay of the record ends in another state".to_owned());
    }
    Ok(())
}
