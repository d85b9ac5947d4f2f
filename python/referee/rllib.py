"""RLlib: environments with the action mask where RLlib's masking module expects it.

An observation is a dictionary with ``observations`` and ``action_mask``, as
``ActionMaskingTorchRLModule`` in RLlib's examples takes them. Both classes take an ``env_config``
whose keys are the arguments of :class:`referee.single.RefereeEnv`.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from referee.buffers import Buffers, native_batch, observation_bounds
from referee.documents import space
from referee.single import RefereeEnv


class MaskedEnv(gymnasium.Env):
    """One learner in a seat against scripted agents."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.env = RefereeEnv(**config)
        self.action_space = self.env.action_space
        self.observation_space = _masked(self.env.observation_space, self.action_space.n)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begins a match."""
        observation, _ = self.env.reset(seed=seed, options=options)
        return self._with_mask(observation), {}

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Plays the action and everything that follows until the learner must decide again."""
        observation, reward, terminated, truncated, _ = self.env.step(action)
        return self._with_mask(observation), reward, terminated, truncated, {}

    def _with_mask(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        mask = self.env.action_masks().astype(np.float32)
        return {"observations": observation, "action_mask": mask}


class SelfPlayEnv(MultiAgentEnv):
    """Self-play: every seat learns.

    Only agents that must decide get an observation; seats that decide at the same time get theirs
    in the same step. At the end every agent gets a last observation with an all-zero mask, and its
    reward.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        config = dict(config)
        game, setup = config.pop("game"), config.pop("setup", None)
        dtype = config.pop("dtype", "float32")
        described = space(game, setup)
        self._batch = native_batch(game, setup, rows="joint", autoreset="disabled", **config)
        self._buffers = Buffers(self._batch, dtype)
        self._arrays = self._buffers.native()
        self._seeded = False
        self.possible_agents = [f"seat_{idx}" for idx in range(described["n_seats"])]
        self.agents = list(self.possible_agents)
        low, high = observation_bounds(described["tensors"], dtype)
        number = self._buffers.observation.dtype
        values = spaces.Box(low, high, (described["n_values"],), number)
        one = _masked(values, described["n_actions"])
        self.observation_spaces = dict.fromkeys(self.agents, one)
        action = spaces.Discrete(described["n_actions"])
        self.action_spaces = dict.fromkeys(self.agents, action)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins a match."""
        if seed is None and not self._seeded:
            seed = int(np.random.default_rng().integers(2**63))
        self._seeded = True
        self.agents = list(self.possible_agents)
        self._batch.reset(seed=seed)
        self._batch.observe(self._arrays)
        return self._asked(), {}

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Plays the actions of all agents that had to decide."""
        given = [action_dict.get(agent, 0) for agent in self.possible_agents]
        self._batch.step(np.array(given, np.int32), self._arrays)
        terminated = bool(self._buffers.terminated[0])
        truncated = bool(self._buffers.truncated[0])
        if terminated or truncated:
            seen = {agent: self._observation(row) for row, agent in enumerate(self.agents)}
            rewards = dict(zip(self.agents, map(float, self._buffers.reward[0]), strict=True))
        else:
            seen = self._asked()
            rewards = dict.fromkeys(seen, 0.0)
        ended = dict.fromkeys([*seen, "__all__"], terminated)
        cut = dict.fromkeys([*seen, "__all__"], truncated)
        return seen, rewards, ended, cut, {}

    def state_hash(self) -> str:
        """The hash of the match's snapshot."""
        return self._batch.state_hash()

    def _asked(self) -> dict[str, Any]:
        to_play = self._buffers.to_play
        rows = [row for row in range(len(self.possible_agents)) if to_play[row] >= 0]
        return {self.possible_agents[row]: self._observation(row) for row in rows}

    def _observation(self, row: int) -> dict[str, np.ndarray]:
        return {
            "observations": self._buffers.observation[row].copy(),
            "action_mask": self._buffers.mask[row].astype(np.float32),
        }


def _masked(values: spaces.Box, n_actions: int | np.integer[Any]) -> spaces.Dict:
    mask = spaces.Box(0.0, 1.0, (int(n_actions),), np.float32)
    return spaces.Dict({"observations": values, "action_mask": mask})
