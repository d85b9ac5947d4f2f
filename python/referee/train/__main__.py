"""``python -m referee.train catan``: train, evaluate, export."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path

from referee.documents import simulate
from referee.train import net
from referee.train.ppo import Settings, Trainer


def wilson(wins: float, n: int) -> tuple[float, float]:
    """Bounds of a share of wins that hold with 95 %."""
    z = 1.96
    share = wins / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - half, middle + half


def evaluate(game: str, file: Path, opponent: str, n_pairs: int, seed: int) -> dict[str, float]:
    """The network against an agent, every match twice with swapped seats and the same dice."""
    wins = 0
    agent = f"net:{file}"
    for seats, own in (([agent, opponent], 0), ([opponent, agent], 1)):
        report = simulate(game, seats, n_pairs, seed=seed, n_threads=2)
        wins += report["seats"][own]["wins"]
    low, high = wilson(wins, 2 * n_pairs)
    return {"share": wins / (2 * n_pairs), "low": low, "high": high, "matches": 2 * n_pairs}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m referee.train", description=__doc__)
    parser.add_argument("game", choices=["catan", "orcain"])
    parser.add_argument("--minutes", type=float, default=20.0, help="when to stop")
    parser.add_argument("--iterations", type=int, default=None, help="when to stop at the latest")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("trained"), help="a folder")
    parser.add_argument("--against", default="random", help="the agent to evaluate against")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of matches to evaluate by")
    parser.add_argument("--every", type=int, default=25, help="iterations between evaluations")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    file = arguments.out / f"{arguments.game}.net"
    trainer = Trainer(Settings(game=arguments.game, seed=arguments.seed))
    begin = time.monotonic()
    with open(arguments.out / "progress.jsonl", "w") as log:
        while True:
            told = trainer.iterate()
            minutes = (time.monotonic() - begin) / 60
            done = minutes >= arguments.minutes or trainer.n_iterations == arguments.iterations
            told |= {"iteration": trainer.n_iterations, "decisions": trainer.n_decisions}
            told |= {"minutes": round(minutes, 3)}
            if done or trainer.n_iterations % arguments.every == 0:
                net.export(trainer.params, trainer.described, trainer.frame, file)
                n_pairs = arguments.pairs if done else max(1, arguments.pairs // 4)
                told["evaluation"] = evaluate(
                    arguments.game, file, arguments.against, n_pairs, 10_000 + arguments.seed
                )
            log.write(json.dumps(told) + "\n")
            log.flush()
            show(told, arguments)
            if done:
                print(f"\n{file}: plays as --seats net:{file}")
                return 0


def show(told: dict, arguments: argparse.Namespace) -> None:
    """One line that is written over, and one that stays for each evaluation."""
    part = min(1.0, told["minutes"] / arguments.minutes)
    bar = "#" * int(24 * part)
    line = f"\r[{bar:<24}] {told['minutes']:.1f} min, {told['decisions']:,} decisions"
    sys.stderr.write(line)
    if "evaluation" in told:
        found = told["evaluation"]
        sys.stderr.write(
            f"; beats {arguments.against} in {100 * found['share']:.1f} % "
            f"({100 * found['low']:.1f} to {100 * found['high']:.1f} %) of {found['matches']}\n"
        )
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
