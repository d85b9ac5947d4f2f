"""Datasets: written natively, read with NumPy, and copied into Minari."""

import os
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

import referee
from referee import datasets

GOLDEN = Path(__file__).parents[2] / "testdata/datasets/catan.json"


def contents(folder):
    return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


class Datasets(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)

    def test_the_number_of_threads_does_not_matter(self):
        made = [
            referee.dataset("orcain", self.folder / str(n), games=100, seed=3, shard_rows=200, n_threads=n)
            for n in (1, 2)
        ]
        self.assertGreater(len(made[0].about["shards"]), 2)
        self.assertEqual(contents(made[0].folder), contents(made[1].folder))

    def test_rows_match_the_rules(self):
        """Reproduces every row of Orcain by playing its actions from the beginning."""
        made = referee.dataset("orcain", self.folder / "it", games=20, seed=5, dtype="float32")
        (shard,) = made.shards()
        for episode in range(20):
            position = referee.Position("orcain")
            rows = np.flatnonzero(shard["episode"] == episode)
            self.assertEqual(list(shard["step"][rows]), list(range(len(rows))))
            for row in rows:
                while not position.missing:
                    position.deadline()
                seat, action = int(shard["player"][row]), int(shard["action"][row])
                shown = np.array(position.observation(seat), np.float32)
                np.testing.assert_array_equal(shard["observation"][row], shown)
                self.assertEqual(list(np.flatnonzero(shard["mask"][row])), position.legal(seat))
                position.play(seat, action)
            while position.outcome is None:
                position.deadline()
            for end in np.flatnonzero(shard["last_episode"] == episode):
                seat = int(shard["last_player"][end])
                shown = np.array(position.observation(seat), np.float32)
                np.testing.assert_array_equal(shard["last_observation"][end], shown)

    def test_tensors_are_found_by_name(self):
        made = referee.dataset("catan", self.folder / "it", seats="heuristic", games=1)
        (shard,) = made.shards()
        tensors = made.tensors(shard["observation"])
        self.assertEqual(tensors["board"].shape, (len(made), 19, 6))
        self.assertTrue(np.shares_memory(tensors["board"], shard["observation"]))
        chosen = shard["mask"][np.arange(len(made)), shard["action"]]
        self.assertTrue((chosen == 1).all())

    # Promise: A dataset is the same with any number of threads, and equals its records.
    def test_the_bytes_are_those_of_the_program(self):
        """The program writes the same ``dataset.json``, with the hash of every shard."""
        made = referee.dataset(
            "catan",
            self.folder / "it",
            seats=["heuristic", "random"],
            games=3,
            seed=1,
            shard_rows=200,
        )
        written = (made.folder / "dataset.json").read_bytes()
        self.assertEqual(written, GOLDEN.read_bytes())

    def test_the_end_is_on_the_last_row_of_each_seat(self):
        made = referee.dataset("catan", self.folder / "it", seats=["heuristic", "random"], games=4)
        (shard,) = made.shards()
        seen = 0
        for episode in made.episodes():
            rows = (shard["episode"] == episode.episode) & (shard["player"] == episode.player)
            np.testing.assert_array_equal(episode.actions, shard["action"][rows])
            self.assertEqual(len(episode.observations), len(episode.actions) + 1)
            self.assertEqual(episode.rewards.sum(), episode.returns[0])
            self.assertTrue((episode.returns == episode.returns[0]).all())
            over = episode.terminated | episode.truncated
            self.assertEqual(list(np.flatnonzero(over)), [len(over) - 1])
            self.assertEqual(episode.returns[0], 1 if episode.player == 0 else -1)
            seen += len(episode.actions)
        self.assertEqual(seen, len(made))

    def test_a_record_gives_a_row_for_every_decision(self):
        match, n_asked = referee.Match("orcain", seed=11), 0
        while not match.over:
            for seat in match.missing:
                match.play(seat, match.ask(seat, "random", seed=n_asked))
                n_asked += 1
            if not match.over:
                match.deadline()
        file = self.folder / "match.jsonl"
        file.write_bytes(match.record())
        made = referee.dataset("orcain", self.folder / "it", records=file)
        self.assertEqual(made.about["source"]["records"], 1)
        self.assertEqual(len(list(made.episodes())), 2)
        self.assertEqual(len(made), n_asked)

    def test_a_bad_record_is_reported_by_line_and_leaves_nothing(self):
        match = referee.Match("orcain", seed=1)
        (self.folder / "match.jsonl").write_bytes(match.record())
        with self.assertRaisesRegex(ValueError, "match.jsonl: line 1: .*not over"):
            referee.dataset("orcain", self.folder / "it", records=[self.folder / "match.jsonl"])
        self.assertFalse((self.folder / "it").exists())
        with self.assertRaisesRegex(ValueError, "games or records"):
            referee.dataset("orcain", self.folder / "it")
        with self.assertRaisesRegex(ValueError, "dtype must be one of"):
            referee.dataset("orcain", self.folder / "it", games=1, dtype="int3")
        with self.assertRaisesRegex(OSError, "match.jsonl"):
            referee.dataset("orcain", self.folder, games=1)

    # Promise: No reader takes half a dataset for a whole one.
    def test_damage_is_detected(self):
        made = referee.dataset("orcain", self.folder / "it", games=10)
        file = made.folder / "shard-00000.npz"
        damaged = bytearray(file.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        file.write_bytes(damaged)
        with self.assertRaisesRegex(ValueError, "expected sha256:"):
            list(datasets.load(made.folder).shards())
        file.write_bytes(damaged[:-1])
        with self.assertRaisesRegex(ValueError, "expected .* bytes"):
            datasets.load(made.folder)
        (made.folder / "dataset.json").unlink()
        with self.assertRaisesRegex(ValueError, "not a complete dataset"):
            datasets.load(made.folder)


class Minari(unittest.TestCase):
    def test_minari_returns_the_episodes_of_every_seat(self):
        import minari

        with tempfile.TemporaryDirectory() as held:
            os.environ["MINARI_DATASETS_PATH"] = str(Path(held) / "minari")
            made = referee.dataset(
                "orcain", Path(held) / "it", games=30, seed=2, shard_rows=100, dtype="float32"
            )
            self.assertGreater(len(made.about["shards"]), 1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                copied = datasets.to_minari(made.folder, "referee/orcain-v0", author="a test")
            expected = list(made.episodes())
            self.assertEqual(copied.total_episodes, len(expected))
            self.assertEqual(copied.total_steps, len(made))
            for ours, theirs in zip(expected, minari.load_dataset("referee/orcain-v0"), strict=True):
                np.testing.assert_array_equal(theirs.observations["observation"], ours.observations)
                masks = theirs.observations["action_mask"]
                np.testing.assert_array_equal(masks[:-1], ours.masks)
                self.assertFalse(masks[-1].any())
                np.testing.assert_array_equal(theirs.actions, ours.actions)
                np.testing.assert_array_equal(theirs.rewards, ours.rewards)
                np.testing.assert_array_equal(theirs.terminations, ours.terminated)
                self.assertTrue((theirs.infos["player"] == ours.player).all())


if __name__ == "__main__":
    unittest.main()
