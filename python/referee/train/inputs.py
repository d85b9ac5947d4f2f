"""The inputs of a network: numbers computed from the bytes of an observation.

Each run of inputs reads a run of bytes in one way. A network's file contains its runs, so that Rust
computes the same numbers (``crates/learn/src/net/inputs.rs``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

# Rows of bytes, outside or inside a compiled function.
Array = jax.Array | np.ndarray


class Run(NamedTuple):
    """One input for each of the bytes ``start`` (included) to ``end`` (excluded).

    ``way`` is ``is`` (1 if the byte equals ``value``, else 0), ``least`` (1 if it is at least
    ``value``, else 0) or ``per`` (the byte divided by ``value``).
    """

    start: int
    end: int
    way: str
    value: int

    def document(self) -> dict[str, int]:
        """The run as written in a network's file."""
        return {"from": self.start, "to": self.end, self.way: self.value}


def runs_of(described: dict[str, Any]) -> list[Run]:
    """The inputs for a game's observation."""
    if described["game"] == "catan":
        return _catan(described)
    runs = []
    for tensor in described["tensors"]:
        steps, n_values = tensor["bytes"], _length(tensor)
        n_each = n_values // len(steps)
        for idx, step in enumerate(steps):
            start = tensor["offset"] + idx * n_each
            reach = (tensor["high"] + step["add"]) // step["unit"]
            runs.append(Run(start, start + n_each, "per", max(1, min(255, reach))))
    return runs


def n_inputs(runs: list[Run]) -> int:
    """The number of inputs."""
    return sum(run.end - run.start for run in runs)


def expand(runs: list[Run], seen: Array) -> jax.Array:
    """Computes the inputs for rows of bytes."""
    return jnp.concatenate([_column(run, seen) for run in runs], axis=1)


def _column(run: Run, seen: Array) -> Array:
    part = seen[:, run.start : run.end]
    if run.way == "is":
        return (part == run.value).astype(jnp.float32)
    if run.way == "least":
        return (part >= run.value).astype(jnp.float32)
    return part.astype(jnp.float32) / run.value


def _length(tensor: dict[str, Any]) -> int:
    length = 1
    for size in tensor["shape"]:
        length *= size
    return length


def _catan(described: dict[str, Any]) -> list[Run]:
    """Owners, kinds and phases as one-hot inputs; counts both as thresholds and as sizes."""
    at = {tensor["name"]: tensor["offset"] for tensor in described["tensors"]}
    end = {t["name"]: t["offset"] + _length(t) for t in described["tensors"]}

    def whole(name: str, way: str, *values: int) -> list[Run]:
        return [Run(at[name], end[name], way, value) for value in values]

    def meta(first: int, n_values: int, way: str, *values: int) -> list[Run]:
        start = at["metadata"] + first
        return [Run(start, start + n_values, way, value) for value in values]

    return [
        *whole("board", "per", 12),
        *whole("roads", "is", 1, 2),
        *whole("settlements", "is", 1, 2, 3, 4),
        *whole("hands", "least", 1, 2, 3, 4, 5, 6),
        *whole("hands", "per", 8),
        *whole("dev", "least", 1),
        *whole("dev", "per", 35),
        *whole("bank", "least", 1),
        *whole("bank", "per", 19),
        *meta(1, 2, "per", 10),
        *meta(1, 2, "least", 11, 13, 14),
        *meta(3, 2, "is", 1, 2),
        *meta(5, 2, "per", 10),
        *meta(5, 2, "least", 10),
        *meta(7, 1, "least", 1),
        *meta(7, 1, "per", 25),
        *meta(8, 1, "per", 64),
        *meta(9, 1, "is", 0, 1, 2, 3, 4, 5, 6, 7),
    ]
