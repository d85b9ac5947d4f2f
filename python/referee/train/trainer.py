"""Proximal policy optimization by self-play in a two-player zero-sum game."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from referee.train.crew import Crew
from referee.train.net import Net, Params, masked
from referee.train.settings import Settings
from referee.train.worker import Episodes, Job, Rows, net_of

# The maximum gradient norm.
NORM_MAX = 0.5


class Trainer:
    """A network in training.

    The randomness of an iteration, except in the environments, depends only on the seed and the
    iteration's number.
    """

    def __init__(self, settings: Settings, crew: Crew) -> None:
        self.settings, self.crew = settings, crew
        self.net = net_of(settings)
        self.params = self.net.new(jax.random.key(settings.seed))
        # The first self plays at random. It stays in the pool so that the network keeps beating it.
        self.pool = [self.params]
        self.state = _optimiser(settings).init(self.params)
        self.n_iterations = self.n_decisions = self.n_matches = 0
        self._update = _update_of(settings)

    def iterate(self) -> dict[str, float]:
        """Plays matches, learns from them and returns the figures of the iteration."""
        settings = self.settings
        random = np.random.default_rng([settings.seed, self.n_iterations])
        episodes = self.crew.play(self._jobs(random))
        told = _told(episodes)
        columns = zip(*(one.rows for one in episodes), strict=True)
        rows = Rows(*(np.concatenate(parts) for parts in columns))
        told |= self._learn(rows, random)
        self.n_iterations += 1
        self.n_decisions += sum(one.n_decisions for one in episodes)
        self.n_matches += sum(one.n_matches for one in episodes)
        if self.n_iterations % settings.pool_every == 0:
            newest = [*self.pool[1:], self.params][-settings.pool_max :]
            self.pool = [self.pool[0], *newest]
        return told

    def _jobs(self, random: np.random.Generator) -> list[Job]:
        past = self.pool[int(random.integers(len(self.pool)))]
        seeds = random.integers(2**62, size=self.settings.n_workers).tolist()
        return [Job(seed, self.params, past) for seed in seeds]

    def _learn(self, rows: Rows, random: np.random.Generator) -> dict[str, float]:
        n_rows, size = rows.action.size, self.settings.batch_size
        if n_rows == 0:
            return {}
        told: list[dict[str, jax.Array]] = []
        for _ in range(self.settings.n_epochs):
            order = random.permutation(n_rows)
            # If there are too few for one update, some repeat: it is compiled for one size.
            order = order if n_rows >= size else np.resize(order, size)
            for first in range(0, order.size - size + 1, size):
                part = Rows(*(values[order[first : first + size]] for values in rows))
                self.params, self.state, one = self._update(self.params, self.state, part)
                told.append(one)
        return {name: float(np.mean([one[name] for one in told])) for name in told[0]}


def _told(episodes: list[Episodes]) -> dict[str, float]:
    n_matches = sum(one.n_matches for one in episodes)
    n_past = sum(one.n_past for one in episodes)
    told = {}
    if n_matches:
        told["cut_off"] = sum(one.n_cut_off for one in episodes) / n_matches
    if n_past:
        told["won_from_past"] = sum(one.n_won_past for one in episodes) / n_past
    return told


def _loss(net: Net, settings: Settings, params: Params, part: Rows) -> tuple[jax.Array, dict[str, jax.Array]]:
    """The PPO loss, and its parts by name."""
    outputs, value = net.apply(params, part.seen)
    chances = jax.nn.log_softmax(masked(outputs, part.mask))
    chance = jnp.take_along_axis(chances, part.action[:, None], 1)[:, 0]
    ratio = jnp.exp(chance - part.chance)
    cut = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    advantage = (part.advantage - part.advantage.mean()) / (part.advantage.std() + 1e-8)
    gain = jnp.minimum(ratio * advantage, cut * advantage).mean()
    entropy = -jnp.where(part.mask > 0, jnp.exp(chances) * chances, 0.0).sum(1).mean()
    misjudged = ((value - part.target) ** 2).mean()
    loss = 0.5 * misjudged - gain - settings.entropy * entropy
    told = {
        "loss": loss,
        "value_loss": misjudged,
        "entropy": entropy,
        "moved": (part.chance - chance).mean(),
    }
    return loss, told


def _optimiser(settings: Settings) -> optax.GradientTransformation:
    return optax.chain(optax.clip_by_global_norm(NORM_MAX), optax.adam(settings.rate, eps=1e-5))


@lru_cache(maxsize=4)
def _update_of(settings: Settings) -> Callable[..., tuple[Params, Any, dict[str, jax.Array]]]:
    """One step of the optimizer, compiled once for all runs with these settings."""
    optimiser = _optimiser(settings)
    slope_of = jax.grad(partial(_loss, net_of(settings), settings), has_aux=True)

    def update(params: Params, state: Any, part: Rows) -> tuple[Params, Any, dict[str, jax.Array]]:
        slope, told = slope_of(params, part)
        change, state = optimiser.update(slope, state, params)
        return optax.apply_updates(params, change), state, told

    return jax.jit(update)
