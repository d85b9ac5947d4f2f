"""Datasets of matches: written natively, read with NumPy, exported to Minari.

A dataset is a folder with NPZ shards and a ``dataset.json``. Every decision of every seat is a row,
and all rows of a match are in the same shard. ``referee dataset`` writes the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from referee import _native
from referee.documents import Setup

FORMAT, MAJOR = "referee-dataset", "1"


def dataset(
    game: str,
    out: str | os.PathLike[str],
    *,
    seats: str | Sequence[str] = "random",
    games: int | None = None,
    seed: int = 0,
    setup: Setup | None = None,
    records: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None,
    dtype: str = "uint8",
    sight: str = "honest",
    frame: str = "given",
    shard_rows: int = 65536,
    n_threads: int = 1,
) -> Dataset:
    """Writes a dataset of ``games`` matches between agents, or of the matches in ``records``.

    ``out`` is a folder that must be empty or not exist yet. ``seats`` is one agent for all seats,
    or one for each. ``records`` are record files or folders of them (``*.jsonl``). The same
    arguments produce the same bytes for any number of threads.

    Raises ``ValueError`` that lists all faults, with the file and line of faulty records, and
    ``OSError`` if a folder cannot be used. In both cases no dataset is written.
    """
    if (games is None) == (records is None):
        raise ValueError("pass games or records, but not both")
    shape = {
        "dtype": dtype,
        "sight": sight,
        "frame": frame,
        "shard_rows": shard_rows,
        "n_threads": n_threads,
    }
    if games is not None:
        names = [seats] if isinstance(seats, str) else list(seats)
        _native.dataset_of_play(game, os.fspath(out), names, games, str(seed), shape, setup)
    elif records is not None:
        given = [records] if isinstance(records, (str, os.PathLike)) else records
        files = [os.fspath(file) for file in given]
        _native.dataset_of_records(game, os.fspath(out), files, shape)
    return load(out)


def load(folder: str | os.PathLike[str]) -> Dataset:
    """Opens a dataset. Raises ``ValueError`` if the folder is not a complete dataset."""
    folder = Path(folder)
    try:
        about = json.loads((folder / "dataset.json").read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{folder} is not a complete dataset: {error}") from error
    except ValueError as error:
        raise ValueError(f"{folder / 'dataset.json'}: {error}") from error
    found, version = about.get("format"), str(about.get("schema_version"))
    if found != FORMAT or version.split(".")[0] != MAJOR:
        raise ValueError(f"{folder / 'dataset.json'}: expected {FORMAT} {MAJOR}, found {found} {version}")
    faults = []
    for shard in about["shards"]:
        file = folder / shard["file"]
        n_bytes = file.stat().st_size if file.is_file() else None
        if n_bytes != shard["n_bytes"]:
            faults.append(f"{file}: expected {shard['n_bytes']} bytes, found {n_bytes}")
    if faults:
        raise ValueError("\n".join(faults))
    return Dataset(folder, about)


@dataclass(frozen=True)
class Episode:
    """The decisions of one seat in one match.

    All arrays have one row per decision. ``observations`` has one more: the seat's observation at
    the end of the match.
    """

    episode: int
    player: int
    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    returns: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    steps: np.ndarray


class Dataset:
    """A dataset on disk. ``about`` is its ``dataset.json``; shards are read one at a time."""

    def __init__(self, folder: Path, about: dict[str, Any]) -> None:
        self.folder, self.about = folder, about

    def __len__(self) -> int:
        """The number of rows."""
        return int(self.about["n_rows"])

    def __repr__(self) -> str:
        about = self.about
        return (
            f"Dataset({str(self.folder)!r}, game={about['game']!r}, rows={about['n_rows']}, "
            f"episodes={about['n_episodes']}, shards={len(about['shards'])})"
        )

    def shards(self, *, verify: bool = True) -> Iterator[dict[str, np.ndarray]]:
        """Yields the arrays of each shard by name.

        With ``verify``, raises ``ValueError`` if the hash of a shard does not match.
        """
        for shard in self.about["shards"]:
            file = self.folder / shard["file"]
            if verify:
                with file.open("rb") as opened:
                    found = "sha256:" + hashlib.file_digest(opened, "sha256").hexdigest()
                if found != shard["sha256"]:
                    raise ValueError(f"{file}: expected {shard['sha256']}, found {found}")
            with np.load(file) as arrays:
                yield {name: arrays[name] for name in arrays.files}

    def episodes(self, *, verify: bool = True) -> Iterator[Episode]:
        """Yields the episodes of each seat of each match, in order. Seats that never decided have
        none."""
        for shard in self.shards(verify=verify):
            yield from _episodes(shard)

    def tensors(self, observations: np.ndarray) -> dict[str, np.ndarray]:
        """Splits observations of shape ``(..., n_values)`` into named tensors, as views."""
        lead, views = observations.shape[:-1], {}
        for tensor in self.about["tensors"]:
            begin, shape = tensor["offset"], tuple(tensor["shape"])
            end = begin + int(np.prod(shape))
            views[tensor["name"]] = observations[..., begin:end].reshape(lead + shape)
        return views


def _episodes(shard: dict[str, np.ndarray]) -> Iterator[Episode]:
    episode, player = shard["episode"], shard["player"]
    ends = np.stack([shard["last_episode"], shard["last_player"].astype(np.int64)], 1)
    for end, (match, seat) in enumerate(ends):
        begin, stop = np.searchsorted(episode, [match, match + 1])
        rows = begin + np.flatnonzero(player[begin:stop] == seat)
        if len(rows) == 0:
            continue
        last = shard["last_observation"][end : end + 1]
        yield Episode(
            episode=int(match),
            player=int(seat),
            observations=np.concatenate([shard["observation"][rows], last]),
            masks=shard["mask"][rows],
            actions=shard["action"][rows],
            rewards=shard["reward"][rows],
            returns=shard["return"][rows],
            terminated=shard["terminated"][rows],
            truncated=shard["truncated"][rows],
            steps=shard["step"][rows],
        )


def to_minari(folder: str | os.PathLike[str], dataset_id: str, **about: Any) -> Any:
    """Copies a dataset into Minari's local store and returns the ``MinariDataset``.

    Minari supports a single agent, so each seat of each match becomes an episode. An observation is
    a dictionary with ``observation`` and ``action_mask``; the mask after the last decision is all
    0. ``infos["player"]`` is the seat. ``about`` is passed on to Minari: ``author``,
    ``description`` and so on. Only one shard at a time is in memory.
    """
    import minari
    from gymnasium import spaces

    source = load(folder)
    spaces_of = {
        "observation_space": spaces.Dict(
            {
                "observation": _observation_space(source.about),
                "action_mask": spaces.Box(0, 1, (source.about["n_actions"],), np.int8),
            }
        ),
        "action_space": spaces.Discrete(source.about["n_actions"]),
    }
    made = None
    try:
        for shard in source.shards():
            buffers = [_buffer(episode) for episode in _episodes(shard)]
            if made is None:
                made = minari.create_dataset_from_buffers(
                    dataset_id, buffers, **spaces_of, jpeg_encoding=False, **about
                )
            else:
                made.storage.update_episodes(buffers)
    except BaseException:
        if made is not None:
            minari.delete_dataset(dataset_id)
        raise
    return minari.load_dataset(dataset_id)


def _observation_space(about: dict[str, Any]) -> Any:
    from gymnasium import spaces

    from referee.buffers import observation_bounds

    dtype = next(array["dtype"] for array in about["arrays"] if array["name"] == "observation")
    low, high = observation_bounds(about["tensors"], dtype)
    return spaces.Box(low, high, (about["n_values"],), np.dtype(dtype))


def _buffer(episode: Episode) -> Any:
    from minari.data_collector import EpisodeBuffer

    n_rows = len(episode.actions)
    masks = np.concatenate([episode.masks, np.zeros_like(episode.masks[:1])]).view(np.int8)
    return EpisodeBuffer(
        observations={"observation": episode.observations, "action_mask": masks},
        actions=episode.actions.astype(np.int64),
        rewards=episode.rewards,
        terminations=episode.terminated,
        truncations=episode.truncated,
        infos={"player": np.full(n_rows + 1, episode.player, np.int8)},
    )
