"""Documents: hashes, records, setups, scenarios and what a policy gets and gives."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from referee import _native

# A document (a setup, or a whole scenario), the name of a scenario that comes with the game, or the
# path of a JSON file. A string with a dot or a slash is a path.
Setup = dict[str, Any] | str | os.PathLike[str]


class Finding(NamedTuple):
    """Something that is wrong or doubtful about a document."""

    severity: str
    pointer: str
    code: str
    message: str


def games() -> list[str]:
    """The names of all games."""
    return _native.games()


def agents(game: str) -> dict[str, str]:
    """The agents of a game with a sentence for each, weakest first."""
    return dict(_native.agents(game))


def canonical(document: Any) -> bytes:
    """The canonical bytes of a document: what its hash is taken of."""
    return _native.canonical(json.dumps(document)).encode("ascii")


def state_hash(snapshot: Any) -> str:
    """The hash of a snapshot. Its ``log`` is history, not state, and is left out."""
    if isinstance(snapshot, dict):
        snapshot = {key: value for key, value in snapshot.items() if key != "log"}
    return _native.hash_of(json.dumps(snapshot))


def space(game: str, setup: Setup | None = None) -> dict[str, Any]:
    """What a policy of the game gets and gives: tensors, scales, actions, versions."""
    return json.loads(_space(game, setup_text(setup)))


@lru_cache(maxsize=16)
def _space(game: str, setup: str | None) -> str:
    return _native.space(game, setup)


def scenarios(game: str) -> list[str]:
    """The names of the scenarios that come with a game; empty for a game without scenarios."""
    return _native.scenarios(game)


def setup_faults(game: str, setup: Setup) -> list[Finding]:
    """All that is wrong with a setup; empty when it is right."""
    faults = _native.setup_faults(game, setup)
    return [Finding("error", *fault) for fault in faults]


def validate_scenario(scenario: dict[str, Any] | str) -> list[Finding]:
    """All that is wrong or doubtful about a scenario of Stellar Fleet."""
    text = scenario if isinstance(scenario, str) else json.dumps(scenario)
    return [Finding(*finding) for finding in _native.scenario_findings(text)]


def verify(record: bytes) -> dict[str, Any]:
    """Replays a record and checks every line, hash, rule and draw.

    Raises ``ValueError`` with the line and the fault when something is wrong.
    """
    return json.loads(_native.verify(record))


def simulate(
    game: str,
    seats: Sequence[str],
    n_games: int,
    *,
    seed: int = 0,
    n_threads: int = 1,
    setup: Setup | None = None,
) -> dict[str, Any]:
    """Plays many matches between agents. The report is the same with any number of threads."""
    report = _native.simulate_matches(
        game, list(seats), n_games, seed, n_threads, setup
    )
    return json.loads(report)


def arena(
    game: str,
    agents: Sequence[str],
    n_bouts: int,
    *,
    seed: int = 0,
    n_threads: int = 1,
    setup: Setup | None = None,
) -> dict[str, Any]:
    """Lets every two agents fight bouts of two matches with swapped seats and the same chance,
    and rates them."""
    report = _native.arena_report(
        game, list(agents), n_bouts, seed, n_threads, setup
    )
    return json.loads(report)


def setup_text(setup: Setup | None) -> str | None:
    """A setup as JSON text."""
    return None if setup is None else _native.setup_text(setup)
