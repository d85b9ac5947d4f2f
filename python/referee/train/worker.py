"""Plays matches and computes training data from them.

The results of a worker depend on its number, the settings and its jobs so far, not on the process
or the machine that it runs on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from referee.buffers import Buffers, native_batch
from referee.documents import space
from referee.train.inputs import runs_of
from referee.train.net import Net, Params
from referee.train.settings import Settings

# A network is compiled for at most this many different batch sizes.
SIZES_MAX = 4
# Matches begin in GROUPS groups, APART steps apart. Otherwise all would be at the same stage at
# the same time.
GROUPS, APART = 16, 190


class Job(NamedTuple):
    """A period of play: the network against itself, and in some matches against a past self."""

    seed: int
    params: Params
    past: Params


class Rows(NamedTuple):
    """Decisions of a network between at least two actions, with their advantages and targets."""

    seen: np.ndarray
    mask: np.ndarray
    action: np.ndarray
    chance: np.ndarray
    advantage: np.ndarray
    target: np.ndarray


class Episodes(NamedTuple):
    """The results of a job."""

    rows: Rows
    n_decisions: int
    # Finished matches: all, the truncated ones, those against a past self, and those of the latter
    # that the network won.
    n_matches: int
    n_cut_off: int
    n_past: int
    n_won_past: int


class Step(NamedTuple):
    """The decisions in one step of the environments."""

    stream: np.ndarray
    seen: np.ndarray
    mask: np.ndarray
    action: np.ndarray
    chance: np.ndarray
    value: np.ndarray


@lru_cache(maxsize=4)
def net_of(settings: Settings) -> Net:
    """The network that these settings describe."""
    described = space(settings.game, settings.setup_document())
    frame = "ego" if "ego" in described["frames"] else "given"
    return Net(described, runs_of(described), frame, settings.width)


class Worker:
    """Plays jobs in its own environments.

    By default, all decisions are returned after every job, and the value of an unfinished match is
    estimated. A worker with ``whole=True`` keeps decisions until their match is over.
    """

    def __init__(self, settings: Settings, number: int, *, whole: bool = False) -> None:
        self.settings, self.net, self.whole = settings, net_of(settings), whole
        self.batch = native_batch(
            settings.game,
            settings.setup_document(),
            n_envs=settings.n_envs,
            autoreset="same_step",
            illegal="refuse",
            frame=self.net.frame,
        )
        self._buffers = Buffers(self.batch, "uint8")
        self._arrays = self._buffers.native()
        # In the first environments, a past self has the second seat of even-numbered ones and the
        # first seat of odd-numbered ones.
        envs = np.arange(settings.n_envs)
        self._past_seat = np.where(envs < settings.n_past_envs, 1 - envs % 2, -1)
        self._n_begun = np.zeros(settings.n_envs, np.int64)
        self._held: list[Step] = []
        self._begin(number)

    def play(self, job: Job) -> Episodes:
        """Plays ``n_steps`` steps; with ``whole=True``, longer if no match has ended by then."""
        settings, random = self.settings, np.random.default_rng(job.seed)
        ends: list[tuple[np.ndarray, np.ndarray]] = []
        n_steps = n_cut_off = n_past = n_won = 0
        steps, self._held = self._held, []
        while n_steps < settings.n_steps or (self.whole and not ends):
            steps += self._step(job, random)
            n_steps += 1
            buffers = self._buffers
            ended = np.flatnonzero(buffers.terminated | buffers.truncated)
            if ended.size:
                reward, seat = buffers.reward[ended], self._past_seat[ended]
                ends.append((self._streams(ended), reward))
                n_cut_off += int(buffers.truncated[ended].sum())
                n_past += int((seat >= 0).sum())
                n_won += int((reward[seat >= 0, 1 - seat[seat >= 0]] > 0).sum())
                self._n_begun[ended] += 1
        n_ended = sum(len(reward) for _, reward in ends)
        rows = self._credited(steps, ends)
        n_decisions = n_steps * settings.n_envs
        return Episodes(rows, n_decisions, n_ended, n_cut_off, n_past, n_won)

    def observe(self) -> None:
        """Observes again, after the environments were restored."""
        self.batch.observe(self._arrays)

    def _begin(self, number: int) -> None:
        settings = self.settings
        self.batch.reset(seed=settings.seed * 1_000_003 + number * settings.n_envs)
        if not self.whole:
            for group in range(GROUPS):
                self.batch.reset(which=np.arange(settings.n_envs) % GROUPS == group)
                self.batch.run_random(APART, self._arrays)
        self.observe()

    def _step(self, job: Job, random: np.random.Generator) -> list[Step]:
        """Chooses actions in all environments and steps them."""
        buffers = self._buffers
        actions = buffers.mask_bytes.argmax(axis=1).astype(np.int32)
        choice = buffers.mask_bytes.sum(axis=1, dtype=np.int32) > 1
        theirs = buffers.to_play == self._past_seat
        own, other = np.flatnonzero(choice & ~theirs), np.flatnonzero(choice & theirs)
        decided = [self._decide(job.params, own, random, actions)] if own.size else []
        if other.size:
            self._decide(job.past, other, random, actions)
        self.batch.step(actions, self._arrays)
        return decided

    def _decide(
        self, params: Params, envs: np.ndarray, random: np.random.Generator, actions: np.ndarray
    ) -> Step:
        """Draws actions in these environments and stores them."""
        n_rows, unit = envs.size, -(-self.settings.n_envs // SIZES_MAX)
        filled = np.zeros(-(-n_rows // unit) * unit, np.int64)
        filled[:n_rows] = envs
        seen, mask = self._buffers.observation[filled], self._buffers.mask_bytes[envs]
        outputs, value = (np.asarray(part)[:n_rows] for part in self.net.run(params, seen))
        action, chance = draw(outputs, mask, random.random(n_rows))
        actions[envs] = action
        stream = self._streams(envs)[np.arange(n_rows), self._buffers.to_play[envs]]
        return Step(stream, seen[:n_rows], mask, action, chance, value)

    def _streams(self, envs: np.ndarray) -> np.ndarray:
        """The stream numbers of both seats of the matches in these environments."""
        match = self._n_begun[envs] * self.settings.n_envs + envs
        streams: np.ndarray = match[:, None] * 2 + np.arange(2)
        return streams

    def _nothing(self) -> Step:
        """An empty step: some jobs have only forced decisions."""
        seen, mask = self._buffers.observation[:0], self._buffers.mask_bytes[:0]
        action, number = np.empty(0, np.int32), np.empty(0, np.float32)
        return Step(np.empty(0, np.int64), seen, mask, action, number, number)

    def _credited(self, steps: list[Step], ends: list[tuple[np.ndarray, np.ndarray]]) -> Rows:
        """The training data for these decisions."""
        columns = zip(self._nothing(), *steps, strict=True)
        flat = Step(*(np.concatenate(parts) for parts in columns))
        over: dict[int, float] = {}
        for streams, reward in ends:
            over |= dict(zip(streams.ravel().tolist(), reward.ravel().tolist(), strict=True))
        if self.whole:
            is_whole = np.isin(flat.stream, list(over))
            self._held = [Step(*(part[~is_whole] for part in flat))]
            flat = Step(*(part[is_whole] for part in flat))
        return credit(self.settings, flat, over, self.net.potential)


def draw(outputs: np.ndarray, mask: np.ndarray, draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Draws a legal action for each row by its logits.

    Returns the actions and the logarithms of their probabilities. Only legal actions are computed,
    as they are few.
    """
    row, action = np.nonzero(mask)
    n_legal = np.bincount(row, minlength=len(mask))
    first = np.cumsum(n_legal) - n_legal
    legal = outputs[row, action].astype(np.float64)
    weight = np.exp(legal - np.maximum.reduceat(legal, first)[row])
    total = np.add.reduceat(weight, first)
    sums = np.cumsum(weight)
    before = sums[first] - weight[first]
    drawn = np.searchsorted(sums, before + draws * total, side="right")
    drawn = np.clip(drawn, first, first + n_legal - 1)
    chance = np.log(weight[drawn] / total)
    return action[drawn].astype(np.int32), chance.astype(np.float32)


def credit(settings: Settings, flat: Step, over: dict[int, float], potential: Any) -> Rows:
    """Computes the advantage of each decision with generalized advantage estimation.

    A stream is the decisions of one seat in one match, without the opponent's: everything between
    two of them is attributed to the first. If the match is ``over``, the reward follows the last
    decision. Otherwise the last decision only serves to estimate the value of the one before. The
    lead at the next decision is added as a shaping reward. It does not change optimal play, because
    it cancels out at the end.
    """
    names, stream = np.unique(flat.stream, return_inverse=True)
    order = np.argsort(stream, kind="stable")
    length = np.bincount(stream, minlength=names.size)
    place = np.empty(stream.size, np.int64)
    place[order] = np.arange(stream.size) - (np.cumsum(length) - length)[stream[order]]

    def laid(values: np.ndarray) -> np.ndarray:
        """The values as an array indexed by place in the stream, then by stream."""
        out = np.zeros((int(length.max(initial=0)) + 1, names.size), np.float32)
        out[place, stream] = values
        return out

    value, standing = laid(flat.value), laid(settings.shaping * potential(flat.seen))
    is_over = np.array([name in over for name in names.tolist()], np.bool_)
    reward = np.array([over.get(name, 0.0) for name in names.tolist()], np.float32)
    advantage, running = np.zeros_like(value), np.zeros(names.size, np.float32)
    discount = np.float32(settings.discount)
    decay = np.float32(settings.discount * settings.decay)
    for idx in reversed(range(len(value) - 1)):
        ahead = discount * (value[idx + 1] + standing[idx + 1])
        ahead = np.where(idx + 1 == length, reward, ahead)
        running = ahead - standing[idx] - value[idx] + decay * running
        told = (idx + 1 < length) | ((idx + 1 == length) & is_over)
        running = np.where(told, running, np.float32(0))
        advantage[idx] = running
    used = (place + 1 < length[stream]) | is_over[stream]
    gained = advantage[place, stream]
    rows = flat.seen, flat.mask, flat.action, flat.chance, gained, gained + flat.value
    return Rows(*(part[used] for part in rows))
