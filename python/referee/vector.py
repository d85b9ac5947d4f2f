"""Many environments as one ``gymnasium.vector.VectorEnv``."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from referee.buffers import Buffers, native_batch, observation_bounds, scripted
from referee.documents import Setup, space


class RefereeVectorEnv(VectorEnv):
    """Many matches over one set of arrays. See :class:`~referee.single.RefereeEnv` for the options.

    Environment ``i`` of a vector reset with seed ``s`` behaves exactly like a
    :class:`~referee.single.RefereeEnv` reset with seed ``s + i``, for any number of environments
    and threads.

    With ``seat=None`` every seat learns: ``info["to_play"]`` is the seat to play (``int8``,
    ``(num_envs,)``), the reward is that of the seat that acted, and ``info["rewards"]`` has the
    rewards of all seats (``(num_envs, n_seats)``).

    With ``copy=False`` observations and infos are the internal arrays, which the next step
    overwrites.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        setup: Setup | None = None,
        opponents: str = "random",
        seat: int | None = 0,
        illegal: str = "forfeit",
        dtype: str = "float32",
        sight: str = "honest",
        frame: str = "given",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        n_threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError("render_mode must be None or 'ansi'")
        if isinstance(autoreset_mode, str):
            autoreset_mode = AutoresetMode[autoreset_mode.upper()]
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": autoreset_mode}
        self.game, self.num_envs, self.seat = game, num_envs, seat
        self.render_mode, self.copy = render_mode, copy
        described = space(game, setup)
        self.n_seats = described["n_seats"]
        self._batch = native_batch(
            game,
            setup,
            n_envs=num_envs,
            autoreset=autoreset_mode.name.lower(),
            illegal=illegal,
            sight=sight,
            frame=frame,
            n_threads=n_threads,
            opponents=scripted(self.n_seats, seat, opponents),
        )
        keeps_last = autoreset_mode is AutoresetMode.SAME_STEP
        self._buffers = Buffers(self._batch, dtype, keeps_last)
        self._arrays = self._buffers.native()
        low, high = observation_bounds(described["tensors"], dtype)
        number = self._buffers.observation.dtype
        self.single_observation_space = spaces.Box(low, high, (described["n_values"],), number)
        self.single_action_space = spaces.Discrete(described["n_actions"])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._acted = np.zeros(num_envs, np.int8)
        self._seeded = False

    def reset(
        self,
        *,
        seed: int | list[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins new matches in all environments, or in those of ``options["reset_mask"]``.

        ``seed`` is the seed of environment 0, or a list with one seed for each.
        """
        which = None if options is None else options.get("reset_mask")
        if which is not None:
            which = np.ascontiguousarray(which, np.bool_)
        if isinstance(seed, (list, tuple, np.ndarray)):
            super().reset(seed=None)
            self._batch.reset(seeds=[int(one) for one in seed], which=which)
        else:
            super().reset(seed=seed)
            if seed is None and not self._seeded:
                seed = int(self.np_random.integers(2**62))
            self._batch.reset(seed=seed, which=which)
        self._seeded = True
        self._batch.observe(self._arrays)
        return self._given(self._buffers.observation), self._info()

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Steps every environment with one action each."""
        buffers = self._buffers
        np.copyto(self._acted, buffers.to_play)
        actions = np.ascontiguousarray(actions, np.int32)
        self._batch.step(actions, self._arrays)
        if self.seat is None:
            rows = np.arange(self.num_envs)
            reward = buffers.reward[rows, np.maximum(self._acted, 0)]
        else:
            reward = buffers.reward[:, self.seat]
        return (
            self._given(buffers.observation),
            self._given(reward),
            self._given(buffers.terminated),
            self._given(buffers.truncated),
            self._info(),
        )

    def sample(self) -> np.ndarray:
        """A uniformly drawn legal action for each environment, drawn natively."""
        actions = np.empty(self.num_envs, np.int32)
        self._batch.sample(actions)
        return actions

    def snapshot(self, env: int) -> dict[str, Any]:
        """The snapshot of an environment's match, including hidden information."""
        snapshot: dict[str, Any] = json.loads(self._batch.snapshot(env))
        return snapshot

    def state_hash(self, env: int) -> str:
        """The hash of the snapshot of an environment's match."""
        return self._batch.state_hash(env)

    def render(self) -> tuple[str, ...] | None:
        """The public view of every match as text."""
        if self.render_mode is None:
            return None
        return tuple(self._batch.text(env) for env in range(self.num_envs))

    def _given(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array

    def _info(self) -> dict[str, Any]:
        buffers = self._buffers
        everybody = np.ones(self.num_envs, np.bool_)
        info: dict[str, Any] = {
            "action_mask": self._given(buffers.mask),
            "_action_mask": everybody,
            "to_play": self._given(buffers.to_play),
            "_to_play": everybody,
        }
        if self.seat is None:
            info["rewards"] = self._given(buffers.reward)
            info["_rewards"] = everybody
        ended = buffers.terminated | buffers.truncated
        if buffers.last is not None and ended.any():
            last = np.full(self.num_envs, None, dtype=object)
            for env in np.flatnonzero(ended):
                last[env] = buffers.last[env].copy()
            info["final_obs"], info["_final_obs"] = last, ended
            info["final_info"], info["_final_info"] = {}, ended
        return info
