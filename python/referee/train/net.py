"""The network: a policy and a value on a shared trunk, and the file that Rust plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from referee.train.inputs import Array, Run, expand, n_inputs

Params = dict[str, Any]

FORMAT = b"referee-net 2\n"
# The tensor with the points of the player to move and of the opponent, and their places in it.
STANDING = {"catan": ("metadata", 1, 2), "orcain": ("hp", 0, 1)}


class Net:
    """The shape of a network for one game. Its parameters are passed to each method."""

    def __init__(self, described: dict[str, Any], runs: list[Run], frame: str, width: int) -> None:
        self.described, self.runs, self.frame, self.width = described, runs, frame, width
        kinds = [action["type"] for action in described["actions"]]
        self.kind_names = sorted(set(kinds))
        self.run = jax.jit(self.apply)
        tensor, *places = STANDING[described["game"]]
        at = {tensor["name"]: tensor["offset"] for tensor in described["tensors"]}
        self.standing = [at[tensor] + place for place in places]
        self.kinds = np.array([self.kind_names.index(kind) for kind in kinds])

    def new(self, key: jax.Array) -> Params:
        """Initial parameters, with which all legal actions are equally likely."""
        keys = jax.random.split(key, 3)
        n_in, n_out, width = n_inputs(self.runs), len(self.kinds), self.width

        def layer(key: jax.Array, n_in: int) -> tuple[jax.Array, jax.Array]:
            weights = jax.random.normal(key, (n_in, width)) * np.sqrt(2 / n_in)
            return weights, jnp.zeros(width)

        return {
            "trunk": [layer(keys[0], n_in), layer(keys[1], width)],
            "action": (jnp.zeros((width, n_out)), jnp.zeros(n_out)),
            "kind": (jnp.zeros((width, len(self.kind_names))), jnp.zeros(len(self.kind_names))),
            "value": (jnp.zeros((width, 1)), jnp.zeros(1)),
        }

    def apply(self, params: Params, seen: Array) -> tuple[jax.Array, jax.Array]:
        """The logits of every action, and the value for the player to move, for rows of bytes."""
        hidden = expand(self.runs, seen)
        for weights, biases in params["trunk"]:
            hidden = jax.nn.relu(hidden @ weights + biases)
        weights, biases = self.head(params)
        value_weights, value_biases = params["value"]
        return hidden @ weights + biases, (hidden @ value_weights + value_biases)[:, 0]

    def potential(self, seen: np.ndarray) -> np.ndarray:
        """The lead of the player to move: points in Catan, hit points in Orcain."""
        own, other = (seen[:, idx].astype(np.float32) for idx in self.standing)
        return own - other

    def head(self, params: Params) -> tuple[jax.Array, jax.Array]:
        """The last layer. Actions of one kind share a part of their weights."""
        weights, biases = params["action"]
        kind_weights, kind_biases = params["kind"]
        return weights + kind_weights[:, self.kinds], biases + kind_biases[self.kinds]

    def export(self, params: Params, path: Path) -> None:
        """Writes the policy to a file that the agent ``net:FILE`` plays."""
        layers = [*params["trunk"], self.head(params)]
        widths = [layers[0][0].shape[0], *(biases.shape[0] for _, biases in layers)]
        header = {
            "frame": self.frame,
            "game": self.described["game"],
            "inputs": [run.document() for run in self.runs],
            "layers": widths,
            "observation_version": self.described["observation_version"],
        }
        with open(path, "wb") as out:
            out.write(FORMAT)
            out.write(json.dumps(header, sort_keys=True).encode("ascii") + b"\n")
            for weights, biases in layers:
                out.write(np.asarray(weights, "<f4").tobytes())
                out.write(np.asarray(biases, "<f4").tobytes())


def masked(outputs: jax.Array, mask: Array) -> jax.Array:
    """The logits, with those of illegal actions too low to be chosen."""
    return jnp.where(mask > 0, outputs, -1e9)
