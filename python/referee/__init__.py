"""Referee: one deterministic referee for turn-based games.

The native half gives three classes:

- :class:`Match`, a match with its generator and its record;
- :class:`Position`, a position to search in, whose chance the caller brings;
- :class:`Batch`, many environments over NumPy buffers that the caller owns.

Environments are in :mod:`referee.single` (``gymnasium.Env``), :mod:`referee.vector`
(``gymnasium.vector.VectorEnv``), :mod:`referee.zoo` (PettingZoo) and :mod:`referee.spiel`
(OpenSpiel). :mod:`referee.sb3`, :mod:`referee.rllib` and :mod:`referee.torchrl` put the mask where
those frameworks look for it. :mod:`referee.datasets` has matches as arrays in files. Importing this
package registers ``referee/catan-v0``, ``referee/orcain-v0`` and ``referee/stellar-v0``.
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
