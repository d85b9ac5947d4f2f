"""TorchRL: many matches as one batched ``EnvBase`` with an ``action_mask``."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from referee.buffers import Buffers, native_batch, observation_bounds, scripted
from referee.documents import Setup, space


class RefereeEnv(EnvBase):
    """``n_envs`` matches, each with one learner in a seat against scripted agents.

    ``action_mask`` marks the legal actions, as ``MaskedCategorical`` and the ``ActionMask``
    transform expect. Once a match is over, the mask allows every action, because a masked
    distribution needs something to draw from, and the action is ignored.
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
        device: Any = "cpu",
    ) -> None:
        super().__init__(device=device, batch_size=torch.Size([n_envs]))
        described = space(game, setup)
        self._batch = native_batch(
            game,
            setup,
            n_envs=n_envs,
            autoreset="disabled",
            illegal=illegal,
            sight=sight,
            frame=frame,
            n_threads=n_threads,
            opponents=scripted(described["n_seats"], seat, opponents),
        )
        self._memory = Buffers(self._batch, dtype)
        self._arrays = self._memory.native()
        self._seat = seat
        self._next_seed: int | None = int(np.random.default_rng().integers(2**62))
        n_values, n_actions = described["n_values"], described["n_actions"]
        low, high = observation_bounds(described["tensors"], dtype)
        number = torch.from_numpy(self._memory.observation).dtype
        shape = (n_envs, n_values)
        self.observation_spec = Composite(
            observation=Bounded(low=_bound(low, shape), high=_bound(high, shape), shape=shape, dtype=number),
            action_mask=Binary(n_actions, shape=(n_envs, n_actions), dtype=torch.bool),
            shape=(n_envs,),
            device=self.device,
        )
        self.action_spec = Categorical(n_actions, shape=(n_envs,), device=self.device)
        self.reward_spec = Unbounded(shape=(n_envs, 1), device=self.device)
        flag = Binary(1, shape=(n_envs, 1), dtype=torch.bool, device=self.device)
        self.done_spec = Composite(
            done=flag, terminated=flag.clone(), truncated=flag.clone(), shape=(n_envs,)
        )

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        which = None
        # A TensorDict refuses `in` without `keys`.
        if tensordict is not None and "_reset" in tensordict.keys():  # noqa: SIM118
            which = tensordict["_reset"].reshape(-1).cpu().numpy().astype(np.bool_)
        self._batch.reset(seed=self._next_seed, which=which)
        self._next_seed = None
        self._batch.observe(self._arrays)
        return TensorDict(self._seen(), batch_size=self.batch_size, device=self.device)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        actions = tensordict["action"].reshape(-1).cpu().numpy().astype(np.int32)
        self._batch.step(actions, self._arrays)
        reward = torch.from_numpy(self._memory.reward[:, self._seat : self._seat + 1].copy())
        seen = {**self._seen(), "reward": reward}
        return TensorDict(seen, batch_size=self.batch_size, device=self.device)

    def _set_seed(self, seed: int | None) -> None:
        """At the next reset, match ``i`` begins with this seed plus ``i``."""
        if seed is not None:
            self._next_seed = int(seed)

    def _seen(self) -> dict[str, torch.Tensor]:
        memory = self._memory
        terminated = torch.from_numpy(memory.terminated.copy()).unsqueeze(-1)
        truncated = torch.from_numpy(memory.truncated.copy()).unsqueeze(-1)
        mask = torch.from_numpy(memory.mask.astype(np.bool_))
        return {
            "observation": torch.from_numpy(memory.observation.copy()),
            "action_mask": mask | (terminated | truncated),
            "terminated": terminated,
            "truncated": truncated,
            "done": terminated | truncated,
        }


def _bound(bound: Any, shape: tuple[int, int]) -> torch.Tensor:
    return torch.from_numpy(np.broadcast_to(np.asarray(bound), shape).copy())
