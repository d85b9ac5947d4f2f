"""The progress of a run: JSON Lines, TensorBoard, and a bar on the terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tensorboardX import SummaryWriter

from referee.train.evaluate import Strength

BAR_WIDTH = 24


class Log:
    """Writes ``progress.jsonl`` and ``tensorboard/`` in a folder, and to the terminal.

    If the run resumes from a checkpoint, entries after the checkpoint are dropped.
    """

    def __init__(self, folder: Path, n_iterations: int) -> None:
        path = folder / "progress.jsonl"
        kept = []
        if n_iterations and path.exists():
            lines = path.read_text().splitlines()
            kept = [line for line in lines if json.loads(line)["iteration"] <= n_iterations]
        # Open for the whole run: `close` closes it.
        self._file = open(path, "w")  # noqa: SIM115
        self._file.writelines(line + "\n" for line in kept)
        self._board = SummaryWriter(
            str(folder / "tensorboard"), purge_step=n_iterations + 1 if n_iterations else None
        )
        self._is_terminal = sys.stderr.isatty()

    def tell(self, told: dict[str, Any], strengths: list[Strength], part_done: float) -> None:
        """Logs one iteration: its figures, its evaluations, and the share of the run completed."""
        line = told | {"evaluations": [strength._asdict() for strength in strengths]}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        step = told["iteration"]
        for name, value in told.items():
            if name != "iteration":
                self._board.add_scalar(f"train/{name}", value, step)
        for strength in strengths:
            self._board.add_scalar(f"share/{strength.against}", strength.share, step)
        self._show(told, strengths, part_done)

    def close(self) -> None:
        """Flushes and closes the files."""
        self._file.close()
        self._board.close()
        if self._is_terminal:
            sys.stderr.write("\n")

    def _show(self, told: dict[str, Any], strengths: list[Strength], part_done: float) -> None:
        """Prints one line that is overwritten, and one permanent line for each evaluation."""
        bar = "#" * int(BAR_WIDTH * min(1.0, part_done))
        line = (
            f"[{bar:<{BAR_WIDTH}}] {told['minutes']:.1f} min, iteration {told['iteration']}, "
            f"{told['decisions']:,} decisions, {told['matches']:,} matches"
        )
        if self._is_terminal:
            sys.stderr.write(f"\r{line}\x1b[K")
        elif strengths:
            sys.stderr.write(line)
        if strengths:
            sys.stderr.write("".join(f"\n    {sentence(one)}" for one in strengths) + "\n")
        sys.stderr.flush()


def sentence(strength: Strength) -> str:
    """Describes a strength, such as "beats random in 97.5 % (...) of 400 matches"."""
    return (
        f"beats {strength.against} in {100 * strength.share:.1f} % "
        f"({100 * strength.low:.1f} to {100 * strength.high:.1f} %) of {strength.n_matches} matches"
    )
