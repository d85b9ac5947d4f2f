# Promise: A training run repeats, continues where it stopped, and learns; Rust plays its network alike.
"""Training is repeatable, resumes, exports a network that Rust plays, and learns."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import jax
import numpy as np
from tensorboardX.proto.event_pb2 import Event

from referee.buffers import Buffers, native_batch
from referee.train import __main__ as front
from referee.train import checkpoint, curve
from referee.train.command import parse, run
from referee.train.crew import Threads
from referee.train.evaluate import evaluate
from referee.train.net import Params
from referee.train.settings import HELP, Settings
from referee.train.trainer import Trainer
from referee.train.worker import Job, Step, Worker, credit, draw, net_of

# Few points and no trade offers keep matches short.
SETUP = json.dumps({"player_trades": "off", "vp_to_win": 4})
SMALL = Settings(
    setup=SETUP,
    seed=7,
    n_envs=64,
    n_past_envs=16,
    n_steps=48,
    width=32,
    n_epochs=3,
    batch_size=512,
    rate=3e-3,
    pool_every=1,
)


def trained(n_iterations: int) -> tuple[Trainer, Threads]:
    crew = Threads(SMALL)
    trainer = Trainer(SMALL, crew)
    for _ in range(n_iterations):
        trainer.iterate()
    return trainer, crew


def leaves(trainer: Trainer) -> list[np.ndarray]:
    return [np.asarray(leaf) for leaf in jax.tree.leaves((trainer.params, trainer.state))]


class Runs(unittest.TestCase):
    def assert_same(self, one: Trainer, other: Trainer) -> None:
        for mine, theirs in zip(leaves(one), leaves(other), strict=True):
            np.testing.assert_array_equal(mine, theirs)

    def test_the_same_seed_gives_the_same_run(self) -> None:
        one, other = trained(2)[0], trained(2)[0]
        self.assert_same(one, other)
        self.assertFalse(np.array_equal(leaves(one)[0], leaves(trained(1)[0])[0]))

    def test_a_run_resumes_from_its_checkpoint_as_if_it_had_not_stopped(self) -> None:
        one, crew = trained(2)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "checkpoint.npz"
            checkpoint.save(path, one, crew.workers, 1.5)
            other, other_crew = trained(0)
            self.assertEqual(checkpoint.restore(path, other, other_crew.workers), 1.5)
        self.assert_same(one, other)
        told, again = one.iterate(), other.iterate()
        self.assertEqual(told, again)
        self.assert_same(one, other)
        self.assertEqual(one.n_matches, other.n_matches)
        self.assertEqual(len(one.pool), len(other.pool))
        for mine, theirs in zip(crew.workers, other_crew.workers, strict=True):
            for env in range(SMALL.n_envs):
                self.assertEqual(mine.batch.document(env), theirs.batch.document(env))

    def test_a_checkpoint_of_another_run_is_refused_with_every_difference(self) -> None:
        one, crew = trained(0)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "checkpoint.npz"
            checkpoint.save(path, one, crew.workers, 0.0)
            settings = Settings(setup=SETUP, seed=8, n_envs=64, n_past_envs=16, width=16)
            other = Trainer(settings, crew)
            with self.assertRaisesRegex(ValueError, "seed 7, not 8.*width 32, not 16"):
                checkpoint.restore(path, other, [])
            np.savez(path, nothing=np.zeros(1))
            with self.assertRaisesRegex(ValueError, "not a checkpoint"):
                checkpoint.restore(path, one, [])
            path.write_bytes(path.read_bytes()[:50])
            with self.assertRaisesRegex(ValueError, "not a checkpoint"):
                checkpoint.restore(path, one, [])

    def test_a_short_run_learns_to_beat_its_first_self(self) -> None:
        trainer, _ = trained(0)
        first = trainer.params
        self.assertAlmostEqual(share_won(first, first), 0.5, delta=0.15)
        for _ in range(30):
            trainer.iterate()
        self.assertGreater(share_won(trainer.params, first), 0.8)


def share_won(params: Params, past: Params) -> float:
    """The share of about two hundred matches that one network wins against another, both drawing
    their actions."""
    settings = replace(SMALL, n_past_envs=SMALL.n_envs)
    worker, n_won, n_matches = Worker(settings, 5, whole=True), 0, 0
    while n_matches < 200:
        found = worker.play(Job(n_matches, params, past))
        n_won, n_matches = n_won + found.n_won_past, n_matches + found.n_past
    return n_won / n_matches


class Export(unittest.TestCase):
    def test_rust_plays_the_action_that_the_network_ranks_highest(self) -> None:
        """Plays the same matches twice, with the second seat played by the network and by Rust."""
        trainer, _ = trained(2)
        n_decisions = 0
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "catan.net"
            trainer.net.export(trainer.params, file)
            for seed in range(8):
                here, there = Table(None, seed), Table(f"net:{file}", seed)
                while not here.is_over:
                    while here.asked == 1 and not here.is_over:
                        here.step(here.best(trainer))
                        n_decisions += 1
                    self.assertEqual(here.state_hash, there.state_hash)
                    if not here.is_over:
                        action = here.best(trainer)
                        here.step(action)
                        there.step(action)
                self.assertTrue(there.is_over)
        self.assertGreater(n_decisions, 300)

    def test_the_file_describes_the_inputs(self) -> None:
        net = net_of(SMALL)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "catan.net"
            net.export(net.new(jax.random.key(0)), file)
            name, header = file.read_bytes().split(b"\n", 2)[:2]
        self.assertEqual(name, b"referee-net 2")
        inputs = json.loads(header)["inputs"]
        self.assertIn({"from": 186, "to": 240, "is": 3}, inputs)
        n_inputs = sum(run["to"] - run["from"] for run in inputs)
        self.assertEqual(json.loads(header)["layers"], [n_inputs, 32, 32, 561])


class Table:
    """One environment of the small setup."""

    def __init__(self, second: str | None, seed: int) -> None:
        self.batch = native_batch(
            "catan",
            json.loads(SETUP),
            autoreset="disabled",
            illegal="refuse",
            frame="ego",
            opponents=[None, second],
        )
        self.buffers = Buffers(self.batch, "uint8")
        self.batch.reset(seed=seed)
        self.batch.observe(self.buffers.native())

    @property
    def is_over(self) -> bool:
        return bool(self.buffers.terminated[0] or self.buffers.truncated[0])

    @property
    def asked(self) -> int:
        return int(self.buffers.to_play[0])

    @property
    def state_hash(self) -> str:
        return self.batch.state_hash()

    def step(self, action: int) -> None:
        self.batch.step(np.array([action], np.int32), self.buffers.native())

    def best(self, trainer: Trainer) -> int:
        outputs = np.asarray(trainer.net.run(trainer.params, self.buffers.observation)[0])
        return int(np.where(self.buffers.mask > 0, outputs, -np.inf).argmax())


class Credit(unittest.TestCase):
    """Uses a discount of one half, so that every part can be recognized."""

    settings = Settings(discount=0.5, decay=1.0, shaping=1.0)

    def credited(self, streams: list[int], over: dict[int, float]) -> dict[str, np.ndarray]:
        """Decisions 0, 1, 2, ... of these streams, each with value 0.25 and standing 0."""
        n_rows = len(streams)
        flat = Step(
            np.array(streams),
            np.zeros((n_rows, 1), np.uint8),
            np.zeros((n_rows, 1), np.uint8),
            np.arange(n_rows, dtype=np.int32),
            np.zeros(n_rows, np.float32),
            np.full(n_rows, 0.25, np.float32),
        )
        rows = credit(self.settings, flat, over, lambda seen: np.zeros(len(seen)))
        return dict(zip(rows.action.tolist(), rows.advantage.tolist(), strict=True))

    def test_the_result_reaches_a_seats_decisions_across_those_of_its_opponent(self) -> None:
        found = self.credited([0, 1, 0, 1, 1, 0], {0: 1.0, 1: -1.0})
        won = [1.0 - 0.25, 0.5 - 0.25, 0.25 - 0.25]
        self.assertEqual([found[5], found[2], found[0]], won)
        lost = [-1.0 - 0.25, -0.5 - 0.25, -0.25 - 0.25]
        self.assertEqual([found[4], found[3], found[1]], lost)

    def test_the_last_decision_of_an_open_match_only_values_the_one_before(self) -> None:
        found = self.credited([0, 1, 0], {})
        self.assertEqual(found, {0: 0.5 * 0.25 - 0.25})

    def test_the_shaping_reward_cancels_out_at_the_end(self) -> None:
        flat = Step(
            np.zeros(2, np.int64),
            np.array([[3], [5]], np.uint8),
            np.zeros((2, 1), np.uint8),
            np.arange(2, dtype=np.int32),
            np.zeros(2, np.float32),
            np.zeros(2, np.float32),
        )
        rows = credit(self.settings, flat, {0: 1.0}, lambda seen: seen[:, 0].astype(np.float32))
        self.assertEqual(rows.advantage.tolist(), [0.5 * 5 - 3 + 0.5 * (1 - 5), 1.0 - 5.0])

    def test_complete_episodes_have_the_value_of_their_result(self) -> None:
        settings = Settings(
            setup=SETUP, n_envs=16, n_past_envs=4, discount=1.0, decay=1.0, shaping=0.0, width=8
        )
        params = net_of(settings).new(jax.random.key(1))
        worker = Worker(settings, 0, whole=True)
        n_matches = n_rows = 0
        while n_matches <= 16:
            found = worker.play(Job(n_rows, params, params))
            n_matches += found.n_matches
            n_rows += found.rows.action.size
            np.testing.assert_allclose(np.abs(found.rows.target), 1.0, atol=1e-3)
        self.assertGreater(n_rows, 20 * n_matches)


class Drawing(unittest.TestCase):
    def test_only_legal_actions_are_drawn_by_their_probabilities(self) -> None:
        outputs = np.log(np.array([[1.0, 5.0, 2.0, 1.0]], np.float32)).repeat(40_000, 0)
        mask = np.array([[1, 0, 1, 1]], np.uint8).repeat(40_000, 0)
        draws = np.random.default_rng(3).random(40_000)
        action, chance = draw(outputs, mask, draws)
        shares = np.bincount(action, minlength=4) / 40_000
        np.testing.assert_allclose(shares, [0.25, 0.0, 0.5, 0.25], atol=0.01)
        np.testing.assert_allclose(np.exp(chance), np.where(action == 2, 0.5, 0.25), rtol=1e-5)


class Evaluation(unittest.TestCase):
    def test_every_match_is_played_from_both_seats_and_bounded(self) -> None:
        net = net_of(SMALL)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "catan.net"
            net.export(net.new(jax.random.key(0)), file)
            found = evaluate(SMALL, file, "random", 10, 5, 2)
            self.assertEqual(found, evaluate(SMALL, file, "random", 10, 5, 1))
        self.assertEqual((found.n_matches, found.share), (20, found.n_wins / 20))
        self.assertTrue(0 <= found.low <= found.share <= found.high <= 1)
        self.assertLess(found.low, found.high)


class Command(unittest.TestCase):
    def test_every_fault_of_the_arguments_is_reported(self) -> None:
        _, faults = parse(["chess", "--rate", "7", "--minutes", "0", "--pairs", "0", "--n-past-envs", "300"])
        for expected in ("game is 'chess'", "rate is 7", "--minutes", "--pairs", "n_past_envs"):
            self.assertTrue(any(expected in fault for fault in faults), (expected, faults))
        _, faults = parse(
            ["catan", "--against", "nobody", "--clip", "9", "--resume", "--out", "no-such-folder"]
        )
        self.assertEqual(len(faults), 3, faults)
        self.assertEqual(len(parse(["catan", "--ray", "here"])[1]), 1)
        self.assertEqual(parse(["catan", "--ray", "10.0.0.1:6379"])[1], [])

    def test_a_missing_package_is_named_with_the_command_to_install_it(self) -> None:
        out = io.StringIO()
        with mock.patch.dict(sys.modules, {"jax": None}), contextlib.redirect_stderr(out):
            self.assertEqual(front.main(), 2)
        self.assertEqual(out.getvalue(), "training needs jax: pip install referee[train]\n")

    def test_a_run_leaves_network_checkpoint_and_logs_and_can_be_drawn(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "setup.json").write_text(SETUP)
            arguments = ["catan", "--out", name, "--setup", str(folder / "setup.json")]
            for field in HELP:
                arguments += ["--" + field.replace("_", "-"), str(getattr(SMALL, field))]
            arguments += ["--every", "1", "--pairs", "4"]
            self.assertEqual(quiet([*arguments, "--iterations", "1"]), 0)
            self.assertEqual(quiet([*arguments, "--iterations", "3", "--resume"]), 0)
            lines = (folder / "progress.jsonl").read_text().splitlines()
            told = [json.loads(line) for line in lines]
            self.assertEqual([line["iteration"] for line in told], [1, 2, 3])
            self.assertEqual(tags(folder / "tensorboard")["share/random"], 3)
            picture = curve.draw(told)
        self.assertTrue(picture.startswith("<svg") and "against random" in picture)


def quiet(arguments: list[str]) -> int:
    nowhere = io.StringIO()
    with contextlib.redirect_stderr(nowhere), contextlib.redirect_stdout(nowhere):
        return run(arguments)


def tags(folder: Path) -> dict[str, int]:
    """The number of times that each tag occurs in the event files of a folder."""
    found: dict[str, int] = {}
    for path in folder.iterdir():
        data, at = path.read_bytes(), 0
        while at < len(data):
            # A record is its length, a checksum of the length, the bytes and their checksum.
            length = int.from_bytes(data[at : at + 8], "little")
            event = Event.FromString(data[at + 12 : at + 12 + length])
            for value in event.summary.value:
                found[value.tag] = found.get(value.tag, 0) + 1
            at += length + 16
    return found


if __name__ == "__main__":
    unittest.main()
