"""NumPy arrays that a batch writes."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee import _native
from referee.documents import Setup

DTYPES = {"uint8": np.uint8, "float32": np.float32}


class Buffers:
    """The arrays of a batch. ``mask`` is the same memory as ``mask_bytes``, as ``int8``."""

    def __init__(self, batch: _native.Batch, dtype: str, keeps_last: bool = False) -> None:
        n_values, n_actions, n_seats = batch.sizes
        n_envs, n_rows = batch.counts
        number = DTYPES[dtype]
        self.observation = np.zeros((n_rows, n_values), number)
        self.mask_bytes = np.zeros((n_rows, n_actions), np.uint8)
        self.reward = np.zeros((n_envs, n_seats), np.float32)
        self.terminated = np.zeros(n_envs, np.bool_)
        self.truncated = np.zeros(n_envs, np.bool_)
        self.to_play = np.zeros(n_rows, np.int8)
        self.last = np.zeros((n_rows, n_values), number) if keeps_last else None

    @property
    def mask(self) -> np.ndarray:
        """The masks as ``int8``, which ``Discrete.sample`` wants."""
        return self.mask_bytes.view(np.int8)

    # The names by which the native half finds the arrays.

    def native(self) -> "Native":
        """The arrays under the names that the native half asks for."""
        return Native(self)


class Native:
    """The arrays under the names that the native half asks for."""

    __slots__ = (
        "last",
        "mask",
        "observation",
        "reward",
        "terminated",
        "to_play",
        "truncated",
    )

    def __init__(self, buffers: Buffers) -> None:
        self.observation = buffers.observation
        self.mask = buffers.mask_bytes
        self.reward = buffers.reward
        self.terminated = buffers.terminated
        self.truncated = buffers.truncated
        self.to_play = buffers.to_play
        self.last = buffers.last


def native_batch(game: str, setup: Setup | None, **options: Any) -> _native.Batch:
    """A batch of environments."""
    return _native.Batch(game, setup, **options)


def scripted(n_seats: int, seat: int | None, opponents: str) -> list[str | None]:
    """Who plays each seat for a learner in ``seat``; nobody scripted where it learns in all."""
    return [None if seat in (None, idx) else opponents for idx in range(n_seats)]


def observation_bounds(tensors: list[dict[str, Any]], dtype: str) -> tuple[Any, Any]:
    """The least and greatest value of every number of an observation."""
    if dtype == "uint8":
        return np.uint8(0), np.uint8(255)
    low, high = [], []
    for tensor in tensors:
        n_values = int(np.prod(tensor["shape"]))
        low += [np.float32(tensor["low"]) / np.float32(tensor["scale"])] * n_values
        high += [np.float32(tensor["high"]) / np.float32(tensor["scale"])] * n_values
    return np.array(low, np.float32), np.array(high, np.float32)
