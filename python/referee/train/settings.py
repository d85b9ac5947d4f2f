"""The settings of a run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

GAMES = ("catan", "orcain")


@dataclass(frozen=True)
class Settings:
    """Two runs with the same settings on the same machine give the same result."""

    game: str = "catan"
    # The setup as JSON; None for the game's default.
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
        """All faults, each with the expected value."""
        found = []
        if self.game not in GAMES:
            found.append(f"game is {self.game!r}: expected one of {', '.join(GAMES)}")
        for name, (low, high) in BOUNDS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                found.append(f"{name} is {value}: expected {low} to {high}")
        if self.n_past_envs > self.n_envs >= 1:
            found.append(f"n_past_envs is {self.n_past_envs}: expected at most n_envs, {self.n_envs}")
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
    "seed": "random seed",
    "n_workers": "number of workers",
    "n_envs": "environments per worker",
    "n_past_envs": "environments per worker with a past self in a seat",
    "n_steps": "steps per iteration",
    "width": "width of the network's two hidden layers",
    "n_epochs": "epochs of training on the decisions of an iteration",
    "batch_size": "decisions per update",
    "rate": "learning rate",
    "clip": "PPO clip range",
    "entropy": "entropy coefficient",
    "discount": "discount from a seat's decision to its next",
    "decay": "GAE lambda from a seat's decision to its next",
    "shaping": "shaping reward for each point of lead",
    "pool_every": "iterations between additions to the pool of past selves",
    "pool_max": "past selves in the pool, besides the first",
}
