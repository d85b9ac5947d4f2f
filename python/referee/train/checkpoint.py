"""Checkpoints: the complete state of a run in one file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import jax
import numpy as np

from referee.train.settings import Settings
from referee.train.trainer import Trainer
from referee.train.worker import Worker

FORMAT = "referee-train 1"


def save(path: Path, trainer: Trainer, workers: list[Worker], minutes: float) -> None:
    """Writes the parameters, optimizer state, pool, counters and all environments.

    The file is replaced atomically.
    """
    document = {
        "format": FORMAT,
        "settings": trainer.settings.document(),
        "n_iterations": trainer.n_iterations,
        "n_decisions": trainer.n_decisions,
        "n_matches": trainer.n_matches,
        "n_pool": len(trainer.pool),
        "minutes": minutes,
        "environments": [
            [worker.batch.document(env) for env in range(trainer.settings.n_envs)] for worker in workers
        ],
    }
    leaves = jax.tree.leaves(_numbers(trainer))
    arrays: dict[str, Any] = {f"leaf_{idx}": np.asarray(leaf) for idx, leaf in enumerate(leaves)}
    arrays["document"] = np.frombuffer(json.dumps(document).encode("ascii"), np.uint8)
    beside = path.with_name(path.name + ".part")
    with open(beside, "wb") as out:
        np.savez(out, **arrays)
    os.replace(beside, path)


def restore(path: Path, trainer: Trainer, workers: list[Worker]) -> float:
    """Restores a run and returns the minutes that it has taken so far.

    Without workers, the environments are not restored. Raises ``ValueError`` that lists all
    mismatches.
    """
    arrays = _arrays(path)
    document = _document(arrays)
    faults = _faults(document, trainer.settings)
    if faults:
        raise ValueError(f"{path}: {'; '.join(faults)}")
    trainer.pool = [trainer.params] * document["n_pool"]
    wanted, shape = jax.tree.flatten(_numbers(trainer))
    leaves = [arrays.get(f"leaf_{idx}") for idx in range(len(wanted))]
    for idx, (leaf, like) in enumerate(zip(leaves, wanted, strict=True)):
        found = None if leaf is None else leaf.shape
        if found != np.shape(like):
            faults.append(f"leaf_{idx} has shape {found}: expected {np.shape(like)}")
    if faults:
        raise ValueError(f"{path}: {'; '.join(faults)}")
    numbers = jax.tree.unflatten(shape, [jax.numpy.asarray(leaf) for leaf in leaves])
    trainer.params, trainer.state, trainer.pool = numbers
    for count in ("n_iterations", "n_decisions", "n_matches"):
        setattr(trainer, count, document[count])
    for worker, environments in zip(workers, document["environments"], strict=False):
        for env, text in enumerate(environments):
            worker.batch.restore(text, env)
        worker.observe()
    return float(document["minutes"])


def _numbers(trainer: Trainer) -> tuple[Any, Any, Any]:
    return trainer.params, trainer.state, trainer.pool


def _arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as arrays:
            return dict(arrays)
    except (EOFError, OSError, TypeError, ValueError, BadZipFile) as fault:
        raise ValueError(f"{path}: not a checkpoint: {fault}") from fault


def _document(arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(arrays["document"].tobytes())
    except (KeyError, ValueError):
        return {}
    return document


def _faults(document: dict[str, Any], settings: Settings) -> list[str]:
    if document.get("format") != FORMAT:
        return [f"not a checkpoint: its format is not {FORMAT!r}"]
    return [
        f"the checkpoint has {name} {document['settings'].get(name)!r}, not {value!r}"
        for name, value in settings.document().items()
        if document["settings"].get(name) != value
    ]
