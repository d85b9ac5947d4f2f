"""PettingZoo environments in which every seat learns: AEC and parallel.

Both wrap the same match, in which one seat or several seats at the same time may have to decide.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from referee import draw
from referee.buffers import Buffers, native_batch, observation_bounds
from referee.documents import Setup, space

MODES = ["ansi", "rgb_array"]


class _Seats:
    """A match whose arrays have one row per seat."""

    def __init__(
        self,
        game: str,
        setup: Setup | None,
        illegal: str,
        dtype: str,
        sight: str,
        frame: str,
    ) -> None:
        described = space(game, setup)
        self.arguments = (game, setup, illegal, dtype, sight, frame)
        self.game = game
        self.batch = native_batch(
            game,
            setup,
            rows="joint",
            autoreset="disabled",
            illegal=illegal,
            sight=sight,
            frame=frame,
        )
        self.buffers = Buffers(self.batch, dtype)
        self.arrays = self.buffers.native()
        self.agents = [f"seat_{idx}" for idx in range(described["n_seats"])]
        low, high = observation_bounds(described["tensors"], dtype)
        self.n_actions = described["n_actions"]
        values = spaces.Box(low, high, (described["n_values"],), self.buffers.observation.dtype)
        mask = spaces.Box(0, 1, (self.n_actions,), np.int8)
        self.observation_space = spaces.Dict({"observation": values, "action_mask": mask})
        self.asked: list[str] = []
        self.over = False
        self._actions = np.zeros(len(self.agents), np.int32)
        self.seeded = False

    def reset(self, seed: int | None) -> None:
        if seed is None and not self.seeded:
            seed = int(np.random.default_rng().integers(2**63))
        self.seeded = True
        self.batch.reset(seed=seed)
        self._look()

    def step(self, actions: dict[str, Any]) -> None:
        for idx, agent in enumerate(self.agents):
            action = actions.get(agent)
            self._actions[idx] = 0 if action is None else action
        self.batch.step(self._actions, self.arrays)
        self._note()

    def _look(self) -> None:
        self.batch.observe(self.arrays)
        self._note()

    def _note(self) -> None:
        """Notes which seats must decide and whether the match is over. NumPy's scalars are slow,
        so each array is read once."""
        to_play = self.buffers.to_play.tolist()
        self.asked = [agent for agent, seat in zip(self.agents, to_play, strict=True) if seat >= 0]
        self.over = bool(self.buffers.terminated[0] or self.buffers.truncated[0])

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        row = self.agents.index(agent)
        return {
            "observation": self.buffers.observation[row].copy(),
            "action_mask": self.buffers.mask[row].copy(),
        }

    def rewards(self) -> dict[str, float]:
        return dict(zip(self.agents, self.buffers.reward[0].tolist(), strict=True))

    def render(self, mode: str | None) -> Any:
        if mode == "ansi":
            return self.batch.text(0, None)
        if mode == "rgb_array":
            return draw.rgb(self.game, self.batch.snapshot())
        return None

    def __getstate__(self) -> dict[str, Any]:
        document = self.batch.document()
        return {"arguments": self.arguments, "document": document, "seeded": self.seeded}

    def __setstate__(self, state: dict[str, Any]) -> None:
        _Seats.__init__(self, *state["arguments"])
        self.seeded = state["seeded"]
        self.batch.restore(state["document"])
        self._look()


class _Shared:
    """The methods that both kinds of environment share."""

    def __init__(
        self,
        game: str,
        *,
        setup: Setup | None = None,
        illegal: str = "forfeit",
        dtype: str = "float32",
        sight: str = "honest",
        frame: str = "given",
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in MODES:
            raise ValueError(f"render_mode must be one of {MODES}")
        super().__init__()
        self._seats = _Seats(game, setup, illegal, dtype, sight, frame)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"referee_{game}_v0",
            "render_modes": MODES,
            "is_parallelizable": False,
            "render_fps": 4,
        }
        agents = self._seats.agents
        self.possible_agents = list(agents)
        self.agents = list(agents)
        self.observation_spaces = dict.fromkeys(agents, self._seats.observation_space)
        self.action_spaces = {agent: spaces.Discrete(self._seats.n_actions) for agent in agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> Any:
        return self._seats.render(self.render_mode)

    def svg(self) -> str:
        """The public view as SVG."""
        return draw.svg(self._seats.game, self._seats.batch.snapshot())

    def close(self) -> None:
        pass

    def snapshot(self) -> dict[str, Any]:
        """The snapshot of the match, including hidden information."""
        snapshot: dict[str, Any] = json.loads(self._seats.batch.snapshot())
        return snapshot

    def state_hash(self) -> str:
        """The hash of the snapshot."""
        return self._seats.batch.state_hash()

    def state(self) -> np.ndarray:
        """The observations of all seats, concatenated."""
        return self._seats.buffers.observation.reshape(-1).copy()


class RefereeAec(_Shared, AECEnv):
    """Seats act one after another. If several decide at the same time, none sees another's decision
    before all have decided."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._seats.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._given: dict[str, Any] = {}
        self.agent_selection = self._seats.asked[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = self._seats.observe(agent)
        if agent in self._given:
            seen["action_mask"][:] = 0
        return seen

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._given[agent] = action
        waiting = [other for other in self._seats.asked if other not in self._given]
        if waiting:
            self.agent_selection = waiting[0]
        else:
            self._play(agent)
        self._accumulate_rewards()

    def _play(self, agent: str) -> None:
        seats = self._seats
        seats.step(self._given)
        self._given = {}
        self.rewards = seats.rewards()
        if seats.over:
            cut = bool(seats.buffers.truncated[0])
            self.terminations = dict.fromkeys(self.agents, not cut)
            self.truncations = dict.fromkeys(self.agents, cut)
            after = self.agents.index(agent) + 1
            self.agent_selection = self.agents[after % len(self.agents)]
        else:
            self.agent_selection = seats.asked[0]


class RefereeParallel(_Shared, ParallelEnv):
    """All seats act in each step. The action of a seat whose mask is all 0 is ignored."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._seats.reset(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        seats = self._seats
        seats.step(actions)
        agents = self.agents
        cut = bool(seats.buffers.truncated[0])
        ended = bool(seats.buffers.terminated[0])
        seen = self._observations()
        infos: dict[str, Any] = {agent: {} for agent in agents}
        if seats.over:
            self.agents = []
        return (
            seen,
            seats.rewards(),
            dict.fromkeys(agents, ended),
            dict.fromkeys(agents, cut),
            infos,
        )

    def _observations(self) -> dict[str, Any]:
        return {agent: self._seats.observe(agent) for agent in self.agents}


def env(game: str, **options: Any) -> RefereeAec:
    """An AEC environment; see :class:`RefereeAec`."""
    return RefereeAec(game, **options)


def parallel_env(game: str, **options: Any) -> RefereeParallel:
    """A parallel environment; see :class:`RefereeParallel`."""
    return RefereeParallel(game, **options)
