"""The command line of a run."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

from referee.buffers import native_batch
from referee.documents import games, setup_faults, setup_text
from referee.train import checkpoint
from referee.train.crew import Crew, address_faults, crew_of
from referee.train.evaluate import Strength, evaluate
from referee.train.log import Log, sentence
from referee.train.settings import HELP, Settings
from referee.train.trainer import Trainer

# Evaluation matches have their own seeds.
EVALUATION_SEED = 10_000_000


class Plan(NamedTuple):
    """The settings of a run, its limits and its evaluation opponents."""

    settings: Settings
    out: Path
    minutes: float
    iterations: int | None
    against: list[str]
    pairs: int
    every: int
    resume: bool
    ray: str | None


def run(arguments: list[str]) -> int:
    """Trains with these command-line arguments. Returns the exit status."""
    plan, faults = parse(arguments)
    if faults:
        for fault in faults:
            sys.stderr.write(f"python -m referee.train: {fault}\n")
        return 2
    try:
        plan.out.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(crew_of(plan.settings, plan.ray)) as crew:
            return _train(plan, crew)
    except (OSError, ValueError) as fault:
        sys.stderr.write(f"python -m referee.train: {fault}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped: continue from the last checkpoint with --resume\n")
        return 130


def parse(arguments: list[str]) -> tuple[Plan, list[str]]:
    """Parses the arguments. Returns the plan and all its faults."""
    parser = argparse.ArgumentParser(
        prog="python -m referee.train",
        description="Trains with masked PPO, by self-play against a pool of past selves.",
    )
    parser.add_argument("game", help="catan or orcain")
    parser.add_argument("--out", type=Path, default=Path("trained"), help="the output folder")
    parser.add_argument("--minutes", type=float, default=18.0, help="minutes of training")
    parser.add_argument("--iterations", type=int, help="maximum number of iterations")
    parser.add_argument("--setup", help="a JSON file with a setup or a scenario, or the name of a scenario")
    parser.add_argument("--against", action="append", help="an agent to evaluate against; may be repeated")
    parser.add_argument("--pairs", type=int, default=200, help="pairs in the last evaluation")
    parser.add_argument("--every", type=int, default=25, help="iterations between evaluations")
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on Ray; 'local' starts it here")
    for field in fields(Settings):
        if field.name in HELP:
            name = "--" + field.name.replace("_", "-")
            value = field.default
            text = f"{HELP[field.name]} ({value})"
            parser.add_argument(name, type=type(value), default=value, help=text)
    given = parser.parse_args(arguments)
    setup, faults = _setup(given.game, given.setup)
    numbers = {name: getattr(given, name) for name in HELP}
    settings = Settings(game=given.game, setup=setup, **numbers)
    plan = Plan(
        settings,
        given.out,
        given.minutes,
        given.iterations,
        given.against or ["random"],
        given.pairs,
        given.every,
        given.resume,
        given.ray,
    )
    if given.game in games() and not faults:
        faults = _agent_faults(plan)
    return plan, [*settings.faults(), *faults, *_faults(plan)]


def _setup(game: str, given: str | None) -> tuple[str | None, list[str]]:
    """The setup as JSON text, and all its faults."""
    if given is None:
        return None, []
    try:
        setup = json.loads(setup_text(given))
    except ValueError as fault:
        return None, [f"--setup {given}: {fault}"]
    found = setup_faults(game, setup) if game in games() else []
    faults = [f"--setup {given}: {fault.pointer}: {fault.message}" for fault in found]
    return json.dumps(setup, sort_keys=True), faults


def _faults(plan: Plan) -> list[str]:
    found = []
    if not 0 < plan.minutes <= 60 * 24 * 365:
        found.append(f"--minutes is {plan.minutes}: expected more than 0 and at most a year")
    if plan.iterations is not None and plan.iterations < 1:
        found.append(f"--iterations is {plan.iterations}: expected 1 or more")
    found += [
        f"--{name} is {number}: expected 1 to 1000000"
        for name, number in (("pairs", plan.pairs), ("every", plan.every))
        if not 1 <= number <= 1_000_000
    ]
    if plan.resume and not (plan.out / "checkpoint.npz").exists():
        found.append(f"--resume: there is no {plan.out / 'checkpoint.npz'}")
    if plan.out.exists() and not plan.out.is_dir():
        found.append(f"--out {plan.out}: expected a folder")
    if plan.ray is not None:
        found += address_faults(plan.ray)
    return found


def _agent_faults(plan: Plan) -> list[str]:
    """Faults for agents that cannot play this game with this setup."""
    found = []
    for agent in plan.against:
        try:
            native_batch(plan.settings.game, plan.settings.setup_document(), opponents=[None, agent])
        except ValueError as fault:
            found.append(f"--against {agent}: {fault}")
    return found


def _train(plan: Plan, crew: Crew) -> int:
    trainer = Trainer(plan.settings, crew)
    saved, file = plan.out / "checkpoint.npz", plan.out / f"{plan.settings.game}.net"
    minutes_before = checkpoint.restore(saved, trainer, crew.workers) if plan.resume else 0.0
    log = Log(plan.out, trainer.n_iterations)
    last = math.inf if plan.iterations is None else plan.iterations
    begin = time.monotonic()
    done = False
    while not done:
        told = trainer.iterate()
        minutes = minutes_before + (time.monotonic() - begin) / 60
        done = minutes >= plan.minutes or trainer.n_iterations >= last
        met: list[Strength] = []
        if done or trainer.n_iterations % plan.every == 0:
            trainer.net.export(trainer.params, file)
            checkpoint.save(saved, trainer, crew.workers, minutes)
            met = _meet(plan, file, plan.pairs if done else max(1, plan.pairs // 4))
        counts = {
            "iteration": trainer.n_iterations,
            "minutes": round(minutes, 4),
            "decisions": trainer.n_decisions,
            "matches": trainer.n_matches,
        }
        log.tell(counts | told, met, max(minutes / plan.minutes, trainer.n_iterations / last))
    log.close()
    minutes = minutes_before + (time.monotonic() - begin) / 60
    for strength in met:
        sys.stdout.write(f"after {minutes:.1f} minutes the network {sentence(strength)}\n")
    sys.stdout.write(f"the network is {file}: play it with --seats net:{file}\n")
    return 0


def _meet(plan: Plan, file: Path, n_pairs: int) -> list[Strength]:
    seed = EVALUATION_SEED + plan.settings.seed
    return [
        evaluate(plan.settings, file, agent, n_pairs, seed, plan.settings.n_workers) for agent in plan.against
    ]
