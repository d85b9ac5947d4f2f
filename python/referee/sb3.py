"""Stable-Baselines3: many matches as one ``VecEnv`` with action masks for sb3-contrib.

Use it directly: ``MaskablePPO("MlpPolicy", RefereeVecEnv("catan", 64))``. A single
:class:`referee.single.RefereeEnv` also has ``action_masks()``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from referee.buffers import Buffers, native_batch, observation_bounds, scripted
from referee.documents import Setup, space


class RefereeVecEnv(VecEnv):
    """Many matches, each with one learner in a seat against scripted agents.

    When a match ends, the next begins in the same step, as Stable-Baselines3 expects. The last
    observation of the match is ``infos[i]["terminal_observation"]``.
    """

    def __init__(
        self,
        game: str,
        n_envs: int = 1,
        *,
        setup: Setup | None = None,
        opponents: str = "random",
        seat: int = 0,
        illegal: str = "forfeit",
        dtype: str = "float32",
        sight: str = "honest",
        frame: str = "given",
        n_threads: int = 1,
    ) -> None:
        described = space(game, setup)
        self._batch = native_batch(
            game,
            setup,
            n_envs=n_envs,
            autoreset="same_step",
            illegal=illegal,
            sight=sight,
            frame=frame,
            n_threads=n_threads,
            opponents=scripted(described["n_seats"], seat, opponents),
        )
        self._buffers = Buffers(self._batch, dtype, keeps_last=True)
        self._arrays = self._buffers.native()
        self._actions = np.zeros(n_envs, np.int32)
        self._seeded = False
        self.game, self.seat, self.render_mode = game, seat, None
        low, high = observation_bounds(described["tensors"], dtype)
        number = self._buffers.observation.dtype
        super().__init__(
            n_envs,
            spaces.Box(low, high, (described["n_values"],), number),
            spaces.Discrete(described["n_actions"]),
        )

    def reset(self) -> np.ndarray:
        """Begins new matches with the seeds that were set. Without seeds, the random streams
        continue."""
        seeds = None
        if self._seeds[0] is not None:
            seeds = [int(seed) for seed in self._seeds]
        elif not self._seeded:
            first = int(np.random.default_rng().integers(2**62))
            seeds = [first + idx for idx in range(self.num_envs)]
        self._seeded = True
        self._batch.reset(seeds=seeds)
        self._batch.observe(self._arrays)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self._buffers.observation.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Sets the actions of the next step, one per match."""
        self._actions[:] = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Steps every match with the actions of :meth:`step_async`."""
        buffers = self._buffers
        self._batch.step(self._actions, self._arrays)
        ended, last = buffers.terminated | buffers.truncated, buffers.last
        assert last is not None, "created with keeps_last"
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for env in np.flatnonzero(ended):
            infos[env]["terminal_observation"] = last[env].copy()
            infos[env]["TimeLimit.truncated"] = bool(buffers.truncated[env])
        return buffers.observation.copy(), buffers.reward[:, self.seat].copy(), ended, infos

    def action_masks(self) -> np.ndarray:
        """The legal actions of every match: ``bool``, ``(num_envs, n_actions)``."""
        return self._buffers.mask.astype(np.bool_)

    def close(self) -> None:
        """Does nothing: there are no resources to release."""

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Calls ``action_masks`` for each match, as sb3-contrib does. Raises ``AttributeError`` for
        other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"only action_masks is supported, not {method_name!r}")
        masks = self.action_masks()
        return [masks[env] for env in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, repeated for each match: all matches share it."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute for all matches. Raises ``ValueError`` if ``indices`` are not all."""
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"{attr_name} is shared by all matches: set it for all of them")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> Sequence[bool]:
        """Always false: matches have no wrappers."""
        return [False for _ in self._get_indices(indices)]
