"""Measures the strength of a network in paired matches against an agent."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from referee.documents import arena
from referee.train.settings import Settings


class Strength(NamedTuple):
    """The share of matches won, with its 95 % Wilson interval.

    A truncated match is not a win.
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
    """Plays the network in a file against an agent, in pairs of matches with the same chance and
    swapped seats. Rust plays both sides."""
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
    return Strength(against, own["games"], own["wins"], rate["rate"], rate["low"], rate["high"])
