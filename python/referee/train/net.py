"""The network: a policy and a value on a common trunk, and the file that Rust plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Params = dict[str, list[tuple[jax.Array, jax.Array]]]

FORMAT = b"referee-net 1\n"


def new(key: jax.Array, n_values: int, n_actions: int, width: int) -> Params:
    """A network with two hidden layers."""
    keys = jax.random.split(key, 4)

    def layer(key: jax.Array, n_in: int, n_out: int, gain: float) -> tuple[jax.Array, jax.Array]:
        weights = jax.random.normal(key, (n_in, n_out)) * gain / np.sqrt(n_in)
        return weights, jnp.zeros(n_out)

    return {
        "trunk": [
            layer(keys[0], n_values, width, np.sqrt(2)),
            layer(keys[1], width, width, np.sqrt(2)),
        ],
        "policy": [layer(keys[2], width, n_actions, 0.01)],
        "value": [layer(keys[3], width, 1, 1.0)],
    }


def apply(params: Params, seen: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The outputs for every action, and the value from -1 to 1 for who is asked."""
    hidden = seen
    for weights, biases in params["trunk"]:
        hidden = jax.nn.relu(hidden @ weights + biases)
    (weights, biases), (value_weights, value_biases) = params["policy"][0], params["value"][0]
    value = jnp.tanh(hidden @ value_weights + value_biases)[:, 0]
    return hidden @ weights + biases, value


def masked(outputs: jax.Array, mask: jax.Array) -> jax.Array:
    """Outputs that no illegal action can win with."""
    return jnp.where(mask > 0, outputs, -1e9)


def export(params: Params, described: dict[str, Any], frame: str, path: Path) -> None:
    """Writes the policy as a file that the agent ``net:FILE`` plays."""
    layers = [*params["trunk"], *params["policy"]]
    widths = [layers[0][0].shape[0], *(biases.shape[0] for _, biases in layers)]
    header = {
        "frame": frame,
        "game": described["game"],
        "layers": widths,
        "observation_version": described["observation_version"],
    }
    with open(path, "wb") as out:
        out.write(FORMAT)
        out.write(json.dumps(header, sort_keys=True).encode("ascii") + b"\n")
        for weights, biases in layers:
            out.write(np.asarray(weights, "<f4").tobytes())
            out.write(np.asarray(biases, "<f4").tobytes())
