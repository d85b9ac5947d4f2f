# Promise: A training run repeats, continues where it stopped, and learns; Rust plays its network alike.
"""Workers behave the same in a Ray actor as in this process."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import jax
import numpy as np
import ray

from referee.train.cluster import Actors
from referee.train.command import run
from referee.train.settings import Settings
from referee.train.trainer import Trainer
from referee.train.worker import Job, Worker, net_of

# Few points and no trade offers keep matches short.
SETUP = {"player_trades": "off", "vp_to_win": 4}
SETTINGS = Settings(
    setup=json.dumps(SETUP, sort_keys=True),
    n_envs=16,
    n_past_envs=4,
    n_steps=32,
    width=16,
    batch_size=256,
)


class Cluster(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(ray.shutdown)

    def test_two_actors_return_the_same_complete_episodes_as_local_workers(self) -> None:
        net = net_of(SETTINGS)
        params, past = (net.new(jax.random.key(seed)) for seed in (1, 2))
        crew = Actors(SETTINGS, "local")
        workers = [Worker(SETTINGS, number, whole=True) for number in range(2)]
        for round_idx in range(2):
            jobs = [Job(10 * round_idx + number, params, past) for number in range(2)]
            theirs = crew.play(jobs)
            for worker, job, found in zip(workers, jobs, theirs, strict=True):
                own = worker.play(job)
                self.assertEqual(own[1:], found[1:])
                self.assertGreater(found.n_matches, 0)
                for mine, other in zip(own.rows, found.rows, strict=True):
                    np.testing.assert_array_equal(mine, other)
        crew.close()

    def test_a_trainer_learns_from_actors_and_repeats(self) -> None:
        numbers = []
        for _ in range(2):
            crew = Actors(SETTINGS, "local")
            trainer = Trainer(SETTINGS, crew)
            trainer.iterate()
            trainer.iterate()
            numbers.append([np.asarray(leaf) for leaf in jax.tree.leaves(trainer.params)])
            crew.close()
        for one, other in zip(*numbers, strict=True):
            np.testing.assert_array_equal(one, other)

    def test_the_command_trains_on_ray(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "setup.json").write_text(json.dumps(SETUP))
            arguments = ["catan", "--ray", "local", "--out", name, "--iterations", "2"]
            arguments += ["--setup", str(folder / "setup.json"), "--pairs", "4", "--every", "1"]
            for field in ("n_envs", "n_past_envs", "n_steps", "width", "batch_size"):
                arguments += ["--" + field.replace("_", "-"), str(getattr(SETTINGS, field))]
            self.assertEqual(told(run, arguments)[0], 0)
            self.assertTrue((folder / "catan.net").exists())
            self.assertEqual(told(run, [*arguments, "--resume", "--iterations", "3"])[0], 0)
            lines = (folder / "progress.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["iteration"] for line in lines], [1, 2, 3])

    def test_a_cluster_that_is_too_small_or_unreachable_is_reported(self) -> None:
        many = ["catan", "--ray", "local", "--n-workers", "999", "--out", tempfile.mkdtemp()]
        status, text = told(run, many)
        self.assertEqual(status, 1)
        self.assertRegex(text, "--ray local: the cluster has .* processors.* 999 workers")
        nobody = ["catan", "--ray", "127.0.0.1:1", "--out", tempfile.mkdtemp()]
        status, text = told(run, nobody)
        self.assertEqual(status, 1)
        self.assertIn("--ray 127.0.0.1:1", text)


def told(run_with, arguments: list[str]) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stderr(out), contextlib.redirect_stdout(out):
        return run_with(arguments), out.getvalue()


if __name__ == "__main__":
    unittest.main()
