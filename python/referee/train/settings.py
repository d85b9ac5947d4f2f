"""What a run is made from."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

GAMES = ("catan", "orcain")


@dataclass(frozen=True)
class Settings:
    """Two runs with the same settings learn the same on the same machine."""

    game: str = "catan"
    # The setup as JSON; none for the game's standard.
    setup: str | None = None
    seed: int = 0
    n_workers: int = 2
    n_envs: int = 256
    n_past_envs: int = 64
    n_steps: int = 64
    width: int = 128
    n_epochs: int = 2
    batch_size: int = 2048
    rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.01
    discount: float = 0.998
    decay: float = 0.95
    shaping: float = 0.05
    pool_every: int = 20
    pool_max: int = 15

    def faults(self) -> list[str]:
        """All that is wrong, each with what would be right."""
        found = []
        if self.game not in GAMES:
            found.append(f"game is {self.game!r}: expected one of {', '.join(GAMES)}")
        for name, (low, high) in BOUNDS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                found.append(f"{name} is {value}: expected {low} to {high}")
        if self.n_past_envs > self.n_envs >= 1:
            found.append(
                f"n_past_envs is {self.n_past_envs}: expected at most n_envs, {self.n_envs}"
            )
        return found

    def setup_document(self) -> dict[str, Any] | str | None:
        """The setup as a document."""
        return None if self.setup is None else json.loads(self.setup)

    def document(self) -> dict[str, Any]:
        """The settings by name."""
        return asdict(self)


BOUNDS: dict[str, tuple[float, float]] = {
    "seed": (0, 2**32 - 1),
    "n_workers": (1, 1024),
    "n_envs": (1, 65536),
    "n_past_envs": (0, 65536),
    "n_steps": (1, 65536),
    "width": (1, 8192),
    "n_epochs": (1, 100),
    "batch_size": (1, 1 << 20),
    "rate": (1e-8, 1.0),
    "clip": (1e-3, 1.0),
    "entropy": (0.0, 1.0),
    "discount": (0.0, 1.0),
    "decay": (0.0, 1.0),
    "shaping": (0.0, 10.0),
    "pool_every": (1, 1 << 20),
    "pool_max": (1, 1024),
}

HELP: dict[str, str] = {
    "seed": "of all chance",
    "n_workers": "workers that play",
    "n_envs": "environments of each",
    "n_past_envs": "those of them with a past self in a seat",
    "n_steps": "steps of an iteration",
    "width": "of the network's two hidden layers",
    "n_epochs": "times that decisions are learnt from",
    "batch_size": "decisions of an update",
    "rate": "of learning",
    "clip": "how far an update may move a decision's chance",
    "entropy": "what undecidedness is worth",
    "discount": "what is left of a value from a seat's decision to its next",
    "decay": "what is left of credit from a seat's decision to its next",
    "shaping": "what a point more than the other is worth before the end",
    "pool_every": "iterations after which the network joins the pool of past selves",
    "pool_max": "past selves in the pool beside the first",
}
