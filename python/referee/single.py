"""One learner against scripted opponents, as a ``gymnasium.Env``."""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from referee import draw
from referee.buffers import Buffers, native_batch, observation_bounds, scripted
from referee.documents import Setup, space


class RefereeEnv(gymnasium.Env):
    """One learner in a seat against scripted agents.

    Observations are flat, with shape ``(n_values,)``; ``referee.space(game)`` names their tensors.
    The mask of legal actions is ``info["action_mask"]`` (``int8``, ``(n_actions,)``) and
    :meth:`action_masks`. The reward is 1 for a win and -1 for a loss at the end of the match, and 0
    otherwise.

    ``illegal`` sets the effect of an illegal action: ``"forfeit"`` forfeits the match,
    ``"replace"`` plays a random legal action instead, ``"refuse"`` raises ``ValueError``.
    ``dtype`` is ``"float32"`` or ``"uint8"``. ``sight`` is ``"honest"`` (what the seat may know) or
    ``"full"`` (what all seats know together). ``frame`` numbers seats as the game does
    (``"given"``) or from the learner's seat (``"ego"``, not in every game).
    """

    # Gymnasium declares it on the instance, so a ClassVar would not match.
    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        setup: Setup | None = None,
        opponents: str = "random",
        seat: int = 0,
        illegal: str = "forfeit",
        dtype: str = "float32",
        sight: str = "honest",
        frame: str = "given",
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode must be one of {self.metadata['render_modes']}")
        self._arguments = {
            "game": game,
            "setup": setup,
            "opponents": opponents,
            "seat": seat,
            "illegal": illegal,
            "dtype": dtype,
            "sight": sight,
            "frame": frame,
            "render_mode": render_mode,
        }
        self.game, self.seat, self.render_mode = game, seat, render_mode
        described = space(game, setup)
        self._batch = native_batch(
            game,
            setup,
            autoreset="disabled",
            illegal=illegal,
            sight=sight,
            frame=frame,
            opponents=scripted(described["n_seats"], seat, opponents),
        )
        self._buffers = Buffers(self._batch, dtype)
        self._arrays = self._buffers.native()
        low, high = observation_bounds(described["tensors"], dtype)
        shape = (described["n_values"],)
        self.observation_space: spaces.Box = spaces.Box(low, high, shape, self._buffers.observation.dtype)
        self.action_space: spaces.Discrete = spaces.Discrete(described["n_actions"])
        self._action = np.zeros(1, np.int32)
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins a match. The same seed gives the same matches. Without one, the random stream
        continues."""
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        self._seeded = True
        self._batch.reset(seed=seed)
        self._batch.observe(self._arrays)
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Plays the action and everything that follows until the learner must decide again.

        ``info["state_hash"]`` is set once the match is over. Raises ``ValueError`` for an illegal
        action if ``illegal`` is ``"refuse"``.
        """
        self._action[0] = action
        self._batch.step(self._action, self._arrays)
        buffers = self._buffers
        return (
            self._observation(),
            float(buffers.reward[0, self.seat]),
            bool(buffers.terminated[0]),
            bool(buffers.truncated[0]),
            self._info(),
        )

    def action_masks(self) -> np.ndarray:
        """The legal actions as ``bool``, ``(n_actions,)``, for sb3-contrib."""
        mask: np.ndarray = self._buffers.mask[0].astype(np.bool_)
        return mask

    def sample(self) -> int:
        """A uniformly drawn legal action, from the environment's own random stream."""
        actions = np.zeros(1, np.int32)
        self._batch.sample(actions)
        return int(actions[0])

    def snapshot(self) -> dict[str, Any]:
        """The snapshot of the match, including hidden information."""
        snapshot: dict[str, Any] = json.loads(self._batch.snapshot())
        return snapshot

    def state_hash(self) -> str:
        """The hash of the snapshot."""
        return self._batch.state_hash()

    def render(self) -> Any:
        """The learner's view as text (``"ansi"``), or the public view as pixels
        (``"rgb_array"``)."""
        if self.render_mode == "ansi":
            return self._batch.text(0, self.seat)
        if self.render_mode == "rgb_array":
            return draw.rgb(self.game, self._batch.snapshot())
        return None

    def svg(self) -> str:
        """The public view as SVG."""
        return draw.svg(self.game, self._batch.snapshot())

    def _observation(self) -> np.ndarray:
        observation: np.ndarray = self._buffers.observation[0].copy()
        return observation

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._buffers.mask[0].copy()}
        if self._buffers.terminated[0] or self._buffers.truncated[0]:
            info["state_hash"] = self._batch.state_hash()
        return info

    def __getstate__(self) -> dict[str, Any]:
        return {
            "arguments": self._arguments,
            "document": self._batch.document(),
            "np_random": self._np_random,
            "np_random_seed": self._np_random_seed,
            "seeded": self._seeded,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        # A subclass is restored by its own constructor.
        self.__init__(**state["arguments"])  # type: ignore[misc]
        self._np_random = state["np_random"]
        self._np_random_seed = state["np_random_seed"]
        self._seeded = state["seeded"]
        self._batch.restore(state["document"])
        self._batch.observe(self._arrays)
