"""Proximal policy optimisation by self-play in a two-player zero-sum game.

Both seats are played by the network, except that in some environments one seat is played by one
of its past selves. Values are those of who is asked; where the other is asked next, they change
their sign.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from referee.buffers import Buffers, native_batch
from referee.documents import space
from referee.train import net


class Settings(NamedTuple):
    """What a run is made from."""

    game: str = "catan"
    seed: int = 0
    n_envs: int = 256
    n_past_envs: int = 64
    n_steps: int = 64
    width: int = 128
    n_epochs: int = 3
    n_batches: int = 16
    rate: float = 5e-4
    discount: float = 0.997
    decay: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    shaping: float = 0.1
    pool_every: int = 10
    pool_max: int = 16


class Rollout(NamedTuple):
    """Decisions of all environments, by step."""

    seen: np.ndarray
    mask: np.ndarray
    action: np.ndarray
    chance: np.ndarray
    value: np.ndarray
    own: np.ndarray
    advantage: np.ndarray
    target: np.ndarray


@jax.jit
def choose(params: net.Params, key: jax.Array, seen: jax.Array, mask: jax.Array) -> Any:
    """Draws actions; gives them with their log chances and the values."""
    outputs, value = net.apply(params, seen)
    outputs = net.masked(outputs, mask)
    action = jax.random.categorical(key, outputs)
    chances = jax.nn.log_softmax(outputs)
    return action, jnp.take_along_axis(chances, action[:, None], 1)[:, 0], value


def loss(params: net.Params, part: Rollout, settings: Settings) -> jax.Array:
    """What the update lessens."""
    outputs, value = net.apply(params, part.seen)
    chances = jax.nn.log_softmax(net.masked(outputs, part.mask))
    chance = jnp.take_along_axis(chances, part.action[:, None], 1)[:, 0]
    ratio = jnp.exp(chance - part.chance)
    count = jnp.maximum(part.own.sum(), 1.0)
    mean = (part.advantage * part.own).sum() / count
    spread = jnp.sqrt((((part.advantage - mean) ** 2) * part.own).sum() / count)
    advantage = (part.advantage - mean) / (spread + 1e-8)
    cut = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    gain = jnp.minimum(ratio * advantage, cut * advantage)
    entropy = -(jnp.where(part.mask > 0, jnp.exp(chances) * chances, 0.0)).sum(1)
    policy = -((gain + settings.entropy * entropy) * part.own).sum() / count
    return policy + 0.5 * ((value - part.target) ** 2).mean()


class Trainer:
    """A network in training."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.described = space(settings.game)
        self.frame = "ego" if "ego" in self.described["frames"] else "given"
        if self.described["n_seats"] != 2:
            raise ValueError("self-play here is for games of two seats")
        self.batch = native_batch(
            settings.game,
            None,
            n_envs=settings.n_envs,
            autoreset="same_step",
            illegal="refuse",
            frame=self.frame,
        )
        self.buffers = Buffers(self.batch, "float32")
        self.arrays = self.buffers.native()
        self.batch.reset(seed=settings.seed * 1_000_003)
        self.batch.observe(self.arrays)
        self.key = jax.random.key(settings.seed)
        self.random = np.random.default_rng(settings.seed)
        sizes = self.described["n_values"], self.described["n_actions"]
        self.params = net.new(self._key(), *sizes, settings.width)
        self.pool = [self.params]
        self.optimiser = optax.chain(
            optax.clip_by_global_norm(0.5), optax.adam(settings.rate, eps=1e-5)
        )
        self.state = self.optimiser.init(self.params)
        self.n_iterations = 0
        self.n_decisions = 0
        self._update = jax.jit(partial(_update, self.optimiser, settings))

    def iterate(self) -> dict[str, float]:
        """Plays a while and learns from it."""
        rollout, told = self._play()
        flat = [part.reshape(-1, *part.shape[2:]) for part in rollout]
        n_all = flat[0].shape[0]
        size = n_all // self.settings.n_batches
        for _ in range(self.settings.n_epochs):
            order = self.random.permutation(n_all)
            for first in range(0, size * self.settings.n_batches, size):
                part = Rollout(*(values[order[first : first + size]] for values in flat))
                self.params, self.state, told["loss"] = self._update(
                    self.params, self.state, part
                )
        self.n_iterations += 1
        self.n_decisions += n_all
        if self.n_iterations % self.settings.pool_every == 0:
            self.pool = [*self.pool, self.params][-self.settings.pool_max :]
        return {name: float(value) for name, value in told.items()}

    def _key(self) -> jax.Array:
        self.key, key = jax.random.split(self.key)
        return key

    def _play(self) -> tuple[Rollout, dict[str, Any]]:
        settings, buffers = self.settings, self.buffers
        shape = (settings.n_steps, settings.n_envs)
        kept = {
            "seen": np.empty((*shape, buffers.observation.shape[1]), np.float32),
            "mask": np.empty((*shape, buffers.mask.shape[1]), np.int8),
            "action": np.empty(shape, np.int32),
            "chance": np.empty(shape, np.float32),
            "value": np.empty(shape, np.float32),
            "own": np.ones(shape, np.float32),
        }
        reward, ended, same = np.empty(shape, np.float32), np.empty(shape), np.empty(shape)
        past = self.pool[self.random.integers(len(self.pool))]
        past_seat = self.random.integers(0, 2, settings.n_past_envs)
        rows, n_past = np.arange(settings.n_envs), settings.n_past_envs
        n_ended = 0
        for step in range(settings.n_steps):
            asked = buffers.to_play.astype(np.int64)
            action, chance, value = map(
                np.array, choose(self.params, self._key(), buffers.observation, buffers.mask)
            )
            if n_past:
                theirs = asked[:n_past] == past_seat
                other = choose(
                    past, self._key(), buffers.observation[:n_past], buffers.mask[:n_past]
                )[0]
                action[:n_past] = np.where(theirs, np.array(other), action[:n_past])
                kept["own"][step, :n_past] = ~theirs
            kept["seen"][step], kept["mask"][step] = buffers.observation, buffers.mask
            kept["action"][step], kept["chance"][step] = action, chance
            kept["value"][step] = value
            before = potential(settings, buffers.observation)
            self.batch.step(action.astype(np.int32), self.arrays)
            over = buffers.terminated | buffers.truncated
            sign = np.where(buffers.to_play == asked, 1.0, -1.0)
            after = sign * potential(settings, buffers.observation)
            shaped = np.where(over, 0.0, settings.discount * after - before)
            reward[step] = buffers.reward[rows, asked] + shaped
            ended[step], same[step] = over, sign
            n_ended += int(over.sum())
        last = np.array(choose(self.params, self._key(), buffers.observation, buffers.mask)[2])
        advantage = np.empty(shape, np.float32)
        ahead, running = last, np.zeros(settings.n_envs)
        for step in reversed(range(settings.n_steps)):
            on = settings.discount * (1.0 - ended[step]) * same[step]
            surprise = reward[step] + on * ahead - kept["value"][step]
            running = surprise + on * settings.decay * running
            advantage[step] = running
            ahead = kept["value"][step]
        target = np.clip(advantage + kept["value"], -1.0, 1.0)
        told = {"matches": n_ended, "value": np.abs(kept["value"]).mean()}
        return Rollout(**kept, advantage=advantage, target=target), told


def _update(optimiser: Any, settings: Settings, params: Any, state: Any, part: Rollout) -> Any:
    value, slope = jax.value_and_grad(loss)(params, part, settings)
    change, state = optimiser.update(slope, state, params)
    return optax.apply_updates(params, change), state, value


def potential(settings: Settings, seen: np.ndarray) -> np.ndarray:
    """How much better who is asked stands: for Catan the points on the board that both see.

    Differences of it are added to the reward, which changes no optimal play.
    """
    if settings.game != "catan" or settings.shaping == 0.0:
        return np.zeros(seen.shape[0], np.float32)
    sites, owners = seen[:, 186:240], seen[:, 268:270]
    own = (sites == 0).sum(1) + 2 * (sites == 2).sum(1) + 2 * (owners == 0).sum(1)
    other = (sites == 1).sum(1) + 2 * (sites == 3).sum(1) + 2 * (owners == 1).sum(1)
    return settings.shaping * (own - other).astype(np.float32)
