"""Functions on documents: hashes, records, setups, scenarios and spaces."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, overload

from referee import _native

# A document (a setup, or a complete scenario), the name of a scenario that ships with the game, or
# the path of a JSON file. A string with a dot or a slash is a path.
Setup = dict[str, Any] | str | os.PathLike[str]


class Finding(NamedTuple):
    """One finding in a document.

    ``severity`` is ``"error"`` or ``"warning"``, ``pointer`` a JSON pointer to the place, and
    ``code`` is stable.
    """

    severity: str
    pointer: str
    code: str
    message: str


def games() -> list[str]:
    """The names of all games."""
    return _native.games()


def agents(game: str) -> dict[str, str]:
    """The agents of a game with a short description of each, weakest first."""
    return dict(_native.agents(game))


def canonical(document: Any) -> bytes:
    """The canonical bytes of a document, over which its hash is computed."""
    return _native.canonical(json.dumps(document)).encode("ascii")


def state_hash(snapshot: Any) -> str:
    """The hash of a snapshot, as ``"sha256:..."``. Its ``log`` is not state, and is ignored."""
    if isinstance(snapshot, dict):
        snapshot = {key: value for key, value in snapshot.items() if key != "log"}
    return _native.hash_of(json.dumps(snapshot))


def space(game: str, setup: Setup | None = None) -> dict[str, Any]:
    """The observation and action space of a game: tensors, scales, actions, versions."""
    described: dict[str, Any] = json.loads(_space(game, setup_text(setup)))
    return described


@lru_cache(maxsize=16)
def _space(game: str, setup: str | None) -> str:
    return _native.space(game, setup)


def scenarios(game: str) -> list[str]:
    """The names of the scenarios that ship with a game. Empty for a game without scenarios."""
    return _native.scenarios(game)


def setup_faults(game: str, setup: Setup) -> list[Finding]:
    """All faults of a setup. Empty if it is valid."""
    faults = _native.setup_faults(game, setup)
    return [Finding("error", *fault) for fault in faults]


def validate_scenario(scenario: dict[str, Any] | str) -> list[Finding]:
    """All errors and warnings in a Stellar Fleet scenario, given as a dict or as JSON text."""
    text = scenario if isinstance(scenario, str) else json.dumps(scenario)
    return [Finding(*finding) for finding in _native.scenario_findings(text)]


def verify(record: bytes) -> dict[str, Any]:
    """Replays a record and checks every line, hash, rule and draw.

    Returns a report with the game, the number of actions, the state hash and the outcome. Raises
    ``ValueError`` with the line and the fault if the record is invalid.
    """
    report: dict[str, Any] = json.loads(_native.verify(record))
    return report


def simulate(
    game: str,
    seats: Sequence[str],
    n_games: int,
    *,
    seed: int = 0,
    n_threads: int = 1,
    setup: Setup | None = None,
) -> dict[str, Any]:
    """Plays ``n_games`` matches between agents, one per seat, and returns a report.

    The report does not depend on the number of threads.
    """
    text = _native.simulate_matches(game, list(seats), n_games, seed, n_threads, setup)
    report: dict[str, Any] = json.loads(text)
    return report


def arena(
    game: str,
    agents: Sequence[str],
    n_bouts: int,
    *,
    seed: int = 0,
    n_threads: int = 1,
    setup: Setup | None = None,
) -> dict[str, Any]:
    """Plays ``n_bouts`` bouts per pairing of agents, and returns a report with ratings.

    A bout is two matches with the same chance and swapped seats.
    """
    text = _native.arena_report(game, list(agents), n_bouts, seed, n_threads, setup)
    report: dict[str, Any] = json.loads(text)
    return report


@overload
def setup_text(setup: None) -> None: ...
@overload
def setup_text(setup: Setup) -> str: ...
@overload
def setup_text(setup: Setup | None) -> str | None: ...
def setup_text(setup: Setup | None) -> str | None:
    """The setup as JSON text. Raises ``ValueError`` if a file cannot be read."""
    return None if setup is None else _native.setup_text(setup)
