"""Referee: a deterministic referee for turn-based games.

The native half provides three classes:

- :class:`Match`, a match with its generator and its record;
- :class:`Position`, a position for search, in which the caller resolves chance;
- :class:`Batch`, many environments over NumPy arrays that the caller owns.

Environments are in :mod:`referee.single` (``gymnasium.Env``), :mod:`referee.vector`
(``gymnasium.vector.VectorEnv``), :mod:`referee.zoo` (PettingZoo) and :mod:`referee.spiel`
(OpenSpiel). :mod:`referee.sb3`, :mod:`referee.rllib` and :mod:`referee.torchrl` put the action mask
where those frameworks expect it. :mod:`referee.datasets` writes and reads matches as arrays in
files. Importing this package registers every game with Gymnasium: ``referee/catan-v0`` and so on.
"""

from referee import datasets
from referee._native import Batch, Match, Position, __version__
from referee.datasets import dataset
from referee.documents import (
    Finding,
    agents,
    arena,
    canonical,
    games,
    scenarios,
    setup_faults,
    simulate,
    space,
    state_hash,
    validate_scenario,
    verify,
)
from referee.registration import register_all

register_all()

__all__ = [
    "Batch",
    "Finding",
    "Match",
    "Position",
    "__version__",
    "agents",
    "arena",
    "canonical",
    "dataset",
    "datasets",
    "games",
    "register_all",
    "scenarios",
    "setup_faults",
    "simulate",
    "space",
    "state_hash",
    "validate_scenario",
    "verify",
]
