"""Referee: one deterministic referee for turn-based games.

The native half gives three classes:

- :class:`Match`, a match with its generator and its record;
- :class:`Position`, a position to search in, whose chance the caller brings;
- :class:`Batch`, many environments over NumPy buffers that the caller owns.

Environments are in :mod:`referee.single` (``gymnasium.Env``), :mod:`referee.vector`
(``gymnasium.vector.VectorEnv``), :mod:`referee.zoo` (PettingZoo) and :mod:`referee.spiel`
(OpenSpiel); masks for other frameworks are in :mod:`referee.adapters`. Importing this package
registers ``referee/catan-v0``, ``referee/orcain-v0`` and ``referee/stellar-v0``.
"""

from referee._native import Batch, Match, Position, __version__
from referee.documents import (
    Finding,
    agents,
    arena,
    canonical,
    games,
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
    "games",
    "register_all",
    "setup_faults",
    "simulate",
    "space",
    "state_hash",
    "validate_scenario",
    "verify",
]
