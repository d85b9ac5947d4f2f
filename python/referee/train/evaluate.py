"""How strong a network is: matches in pairs against an agent."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from referee.documents import arena
from referee.train.settings import Settings


class Strength(NamedTuple):
    """The share of matches won, with the bounds that hold with 95 % (Wilson).

    A match that the rules cut off is not won.
    """

    against: str
    n_matches: int
    n_wins: int
    share: float
    low: float
    high: float


def evaluate(
    settings: Settings, file: Path, against: str, n_pairs: int, seed: int, n_threads: int
) -> Strength:
    """Lets the network of a file meet an agent, every match twice: with swapped seats and the
    same chance. Rust plays both."""
    agent = f"net:{file}"
    report = arena(
        settings.game,
        [agent, against],
        n_pairs,
        seed=seed,
        n_threads=n_threads,
        setup=settings.setup_document(),
    )
    (own,) = (row for row in report["agents"] if row["agent"] == agent)
    rate = own["win_rate"]
    return Strength(
        against, own["games"], own["wins"], rate["rate"], rate["low"], rate["high"]
    )
