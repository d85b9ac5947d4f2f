"""NumPy arrays that a batch writes."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee import _native
from referee.documents import Setup

DTYPES = {"uint8": np.uint8, "float32": np.float32}


class Buffers:
    """The arrays that a batch writes. Rows are environments, or seats with ``rows="joint"``.

    - ``observation``: ``(n_rows, n_values)``, ``uint8`` or ``float32``.
    - ``mask_bytes``: ``(n_rows, n_actions)``, ``uint8``; 1 for legal actions. All 0 if the row has
      nothing to decide.
    - ``reward``: ``(n_envs, n_seats)``, ``float32``.
    - ``terminated`` and ``truncated``: ``(n_envs,)``, ``bool``.
    - ``to_play``: ``(n_rows,)``, ``int8``; the seat to play, or -1.
    - ``last``: like ``observation``, or None; the last observation of each match that ended, for
      resets in the same step.
    """

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
        """``mask_bytes`` as ``int8``, which ``Discrete.sample`` needs. Shares its memory."""
        return self.mask_bytes.view(np.int8)

    def native(self) -> Native:
        """The arrays under the names that the native half reads."""
        return Native(self)


class Native:
    """The arrays under the names that the native half reads."""

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
    """Creates a batch; see :class:`referee.Batch` for the options."""
    return _native.Batch(game, setup, **options)


def scripted(n_seats: int, seat: int | None, opponents: str) -> list[str | None]:
    """The agent of each seat, with None where the learner sits: in ``seat``, or everywhere if
    ``seat`` is None."""
    return [None if seat in (None, idx) else opponents for idx in range(n_seats)]


def observation_bounds(tensors: list[dict[str, Any]], dtype: str) -> tuple[Any, Any]:
    """The lowest and highest value of an observation: scalars for ``uint8``, otherwise arrays with
    one number per value."""
    if dtype == "uint8":
        return np.uint8(0), np.uint8(255)
    low, high = [], []
    for tensor in tensors:
        n_values = int(np.prod(tensor["shape"]))
        low += [np.float32(tensor["low"]) / np.float32(tensor["scale"])] * n_values
        high += [np.float32(tensor["high"]) / np.float32(tensor["scale"])] * n_values
    return np.array(low, np.float32), np.array(high, np.float32)
