# Promise: An environment is the same with any number of threads, in any batch and class.
"""The same seed and actions give the same hashes everywhere, and written documents read back."""

import copy
import json
import pickle
import random
import tempfile
import unittest
from typing import ClassVar

import gymnasium as gym
import numpy as np

import referee
import referee.spiel
from referee import _native, zoo
from referee.buffers import Buffers, native_batch


def play_match(game, seed, n_decisions):
    """Plays a match. Also returns its choices: at each moment, the seats and their actions."""
    match = referee.Match(game, seed=seed)
    chooser = random.Random(seed)
    choices = []
    while not match.over and len(choices) < n_decisions:
        asked = match.missing
        if not asked:
            match.deadline()
            continue
        given = {seat: chooser.choice(match.legal(seat)) for seat in asked}
        for seat, action in given.items():
            match.play(seat, action)
        choices.append(given)
    while not match.over and not match.missing:
        match.deadline()
    return match, choices


class SameEverywhere(unittest.TestCase):
    def check(self, game, seed, n_decisions):
        match, choices = play_match(game, seed, n_decisions)
        expected = match.state_hash()

        turns = zoo.env(game)
        turns.reset(seed=seed)
        together = zoo.parallel_env(game)
        together.reset(seed=seed)
        vector = gym.make_vec(f"referee/{game}-v0", num_envs=3, seat=None)
        vector.reset(seed=seed - 2)
        # Orders in Stellar Fleet are composed of small steps: with one row per environment, a seat
        # makes all of its own before the next seat begins.
        asks_in_turn = game != "stellar"
        for given in choices:
            for action in given.values():
                turns.step(action)
                actions = vector.unwrapped.sample()
                actions[2] = action
                if asks_in_turn:
                    vector.step(actions)
            together.step({f"seat_{seat}": action for seat, action in given.items()})
        self.assertEqual(turns.state_hash(), expected)
        self.assertEqual(together.state_hash(), expected)
        if asks_in_turn:
            self.assertEqual(vector.unwrapped.state_hash(2), expected)
        self.assertEqual(referee.state_hash(json.loads(match.snapshot())), expected)
        with_log = json.loads(match.snapshot(log=True))
        self.assertEqual(referee.state_hash(with_log), expected)
        lines = [json.loads(line) for line in match.record().splitlines()]
        actions = [line for line in lines if "action_id" in line]
        keys = ("action_id", "payload", "player_id", "type")
        self.assertEqual(with_log["log"], [{key: line[key] for key in keys} for line in actions])
        return match

    def test_hashes_are_the_same_in_every_class(self):
        self.check("orcain", 5, 40)
        for seed in (7, 8):
            self.check("catan", seed, 300)
        self.check("stellar", 9, 60)

    def test_an_environment_is_a_row_of_a_vector_with_its_seed(self):
        for game in referee.games():
            single = gym.make(f"referee/{game}-v0").unwrapped
            vector = gym.make_vec(f"referee/{game}-v0", num_envs=4, n_threads=2).unwrapped
            single.reset(seed=13)
            vector.reset(seed=10)
            for _ in range(30):
                actions = vector.sample()
                self.assertEqual(single.sample(), actions[3])
                seen, _, ended, cut, _ = single.step(int(actions[3]))
                many = vector.step(actions)
                np.testing.assert_array_equal(seen, many[0][3])
                if ended or cut:
                    break
            self.assertEqual(single.state_hash(), vector.state_hash(3))

    def test_a_position_without_chance_equals_that_of_the_match(self):
        match, choices = play_match("orcain", 3, 4)
        position = referee.Position("orcain")
        for given in choices:
            for seat, action in given.items():
                position.play(seat, action)
            while position.turn == "clock" or (position.turn == "sealed" and not position.missing):
                position.deadline()
        snapshot = json.loads(match.snapshot())
        for key in ("game_id", "rng_state", "schema_version"):
            del snapshot[key]
        self.assertEqual(json.loads(position.snapshot()), snapshot)
        self.assertEqual(pickle.loads(pickle.dumps(position)).snapshot(), position.snapshot())


class Documents(unittest.TestCase):
    def test_records_are_verified_and_changes_are_detected(self):
        for game in ("orcain", "catan"):
            match, _ = play_match(game, 2, 5000)
            self.assertTrue(match.over)
            record = match.record()
            report = referee.verify(record)
            self.assertEqual(report["state_hash"], match.state_hash())
            with self.assertRaisesRegex(ValueError, "line 3"):
                lines = record.split(b"\n")
                lines[2] = (
                    lines[2]
                    .replace(b'"player_id": 0', b'"player_id": 1')
                    .replace(b'"turn_number": ', b'"turn_number": 1')
                )
                referee.verify(b"\n".join(lines))

    def test_agents_play_and_simulations_repeat(self):
        match = referee.Match("orcain", seed=4)
        while not match.over:
            for seat in match.missing:
                match.play(seat, match.ask(seat, "equilibrium", seed=1))
            if not match.over and not match.missing:
                match.deadline()
        first = referee.simulate("orcain", ["random", "random"], 200, seed=3)
        self.assertEqual(first, referee.simulate("orcain", ["random", "random"], 200, seed=3, n_threads=2))

    def test_the_arena_rates_the_equilibrium_above_chance(self):
        report = referee.arena("orcain", ["random", "equilibrium"], 60, seed=2)
        self.assertEqual(report["games"], 120)
        self.assertEqual(report["agents"][0]["agent"], "equilibrium")

    def test_setups_and_scenarios_are_refused_with_all_faults(self):
        self.assertEqual(referee.setup_faults("catan", {"vp_to_win": 12}), [])
        faults = referee.setup_faults("catan", {"vp_to_win": 99, "dice": "loaded"})
        self.assertEqual({fault.pointer for fault in faults}, {"/vp_to_win", "/dice"})
        self.assertTrue(referee.validate_scenario({"schemaVersion": 1}))
        with self.assertRaisesRegex(ValueError, "no game"):
            referee.space("chess")

    def test_every_catan_snapshot_is_reconstructed_from_its_tensors(self):
        env = gym.make("referee/catan-v0", opponents="random").unwrapped
        env.reset(seed=21)
        for step in range(150):
            sight = ("honest", "full")[step % 2]
            frame = ("given", "ego")[step // 2 % 2]
            text = env._batch.snapshot()
            seen, aux = _native.catan_encode(text, step % 3 % 2, sight, frame)
            back = json.loads(_native.catan_decode(seen, aux, sight, frame))
            whole = json.loads(text)
            for key in ("game_id", "rng_state", "schema_version"):
                del whole[key]
            self.assertEqual(back, whole)
            _, _, ended, cut, _ = env.step(env.sample())
            if ended or cut:
                env.reset()

    def test_a_space_names_every_tensor_and_action(self):
        space = referee.space("catan")
        shapes = {tensor["name"]: tensor["shape"] for tensor in space["tensors"]}
        self.assertEqual(shapes["board"], [19, 6])
        self.assertEqual(shapes["metadata"], [10])
        self.assertEqual(len(space["actions"]), space["n_actions"])


class Copies(unittest.TestCase):
    def test_pickled_and_copied_environments_continue_identically(self):
        for game in referee.games():
            env = gym.make(f"referee/{game}-v0").unwrapped
            env.reset(seed=6)
            for _ in range(5):
                env.step(env.sample())
            others = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
            if game == "stellar":
                continue
            for _ in range(10):
                action = env.sample()
                expected = env.step(action)
                for other in others:
                    self.assertEqual(other.sample(), action)
                    np.testing.assert_array_equal(other.step(action)[0], expected[0])
                    self.assertEqual(other.state_hash(), env.state_hash())

    def test_single_environments_return_copies(self):
        env = gym.make("referee/orcain-v0").unwrapped
        first, info = env.reset(seed=1)
        mask = info["action_mask"]
        kept = first.copy(), mask.copy()
        env.step(env.sample())
        np.testing.assert_array_equal(first, kept[0])
        np.testing.assert_array_equal(mask, kept[1])

    def test_the_vector_shares_memory_only_when_asked(self):
        for shares in (False, True):
            vector = gym.make_vec("referee/orcain-v0", num_envs=2, copy=not shares).unwrapped
            first, _ = vector.reset(seed=1)
            second = vector.step(vector.sample())[0]
            self.assertEqual(np.shares_memory(first, second), shares)


class Vectors(unittest.TestCase):
    def test_the_three_autoreset_modes(self):
        modes = {"next_step": 0, "same_step": 0, "disabled": 0}
        for mode in modes:
            vector = gym.make_vec("referee/orcain-v0", num_envs=8, autoreset_mode=mode).unwrapped
            vector.reset(seed=1)
            was_over = np.zeros(8, bool)
            for _ in range(60):
                _, _, ended, cut, info = vector.step(vector.sample())
                over = ended | cut
                modes[mode] += over.sum()
                asked = info["action_mask"].any(axis=1)
                if mode == "next_step":
                    self.assertFalse((was_over & over).any())
                    np.testing.assert_array_equal(asked, ~over)
                elif mode == "same_step":
                    self.assertTrue(asked.all())
                    if over.any():
                        self.assertEqual(list(info["_final_obs"]), list(over))
                else:
                    vector.reset(options={"reset_mask": over})
                was_over = over
        self.assertTrue(all(count > 50 for count in modes.values()), modes)

    def test_arrays_of_the_wrong_size_are_refused(self):
        batch = native_batch("catan", None, n_envs=2)
        arrays = Buffers(native_batch("catan", None, n_envs=3), "uint8").native()
        with self.assertRaisesRegex(ValueError, "mask has"):
            batch.observe(arrays)

    def test_illegal_actions_are_refused_with_their_places(self):
        env = gym.make("referee/catan-v0", illegal="refuse").unwrapped
        env.reset(seed=1)
        with self.assertRaisesRegex(ValueError, "environment 0, seat 0: action 0"):
            env.step(0)


class ForcedDice(unittest.TestCase):
    SETUP: ClassVar = {"test": True}

    def forced(self, faces):
        """The id of the roll with these faces."""
        wanted = ("ROLL_DICE", {"forced_value": faces})
        actions = referee.space("catan", self.SETUP)["actions"]
        (found,) = [it["id"] for it in actions if (it["type"], it["payload"]) == wanted]
        return found

    def test_a_match_accepts_them_and_records_them(self):
        match = referee.Match("catan", json.dumps(self.SETUP), seed=4)
        roll = self.forced([6, 5])
        for _ in range(200):
            (seat,) = match.missing
            legal = match.legal(seat)
            if roll in legal:
                match.play(seat, roll)
                break
            match.play(seat, legal[0])
        dice = json.loads(match.snapshot())["turn"]["dice"]
        self.assertEqual(dice["last_roll"], [6, 5])
        line = json.loads(match.record().splitlines()[-1])
        self.assertEqual(line["payload"], {"forced_value": [6, 5]})
        self.assertEqual(line["result"]["chance"], [[6, 5]])
        self.assertEqual(referee.verify(match.record())["test"], {"n_forced": 1})
        forged = match.record().replace(b'"forced_value": [6, 5]', b'"forced_value": [5, 6]')
        with self.assertRaises(ValueError):
            referee.verify(forged)

    def test_an_environment_steps_with_them(self):
        env = gym.make("referee/catan-v0", setup=self.SETUP, illegal="refuse").unwrapped
        env.reset(seed=3)
        roll = self.forced([1, 2])
        while not env.action_masks()[roll]:
            env.step(int(np.flatnonzero(env.action_masks())[0]))
        env.step(roll)
        self.assertEqual(env.snapshot()["turn"]["dice"]["last_roll"], [1, 2])

    def test_ordinary_matches_refuse_them(self):
        match = referee.Match("catan", seed=4)
        faces = range(1, 7)
        forced = {self.forced([one, two]) for one in faces for two in faces}
        for _ in range(60):
            (seat,) = match.missing
            legal = match.legal(seat)
            self.assertFalse(forced & set(legal))
            with self.assertRaisesRegex(ValueError, "needs_test_setup"):
                match.play(seat, min(forced))
            match.play(seat, legal[0])
        self.assertIsNone(referee.verify(match.record())["test"])

    def test_datasets_and_the_arena_refuse_them(self):
        with self.assertRaisesRegex(ValueError, "test match"):
            referee.arena("catan", ["random", "heuristic"], 1, setup=self.SETUP)
        with (
            tempfile.TemporaryDirectory() as folder,
            self.assertRaisesRegex(ValueError, "test match"),
        ):
            referee.dataset("catan", f"{folder}/it", games=1, setup=self.SETUP)


class Pictures(unittest.TestCase):
    def test_matches_are_drawn(self):
        for game in referee.games():
            env = gym.make(f"referee/{game}-v0", render_mode="rgb_array").unwrapped
            env.reset(seed=2)
            for _ in range(6):
                env.step(env.sample())
            pixels = env.render()
            self.assertEqual((pixels.dtype, pixels.ndim), (np.uint8, 3))
            self.assertGreater(len(np.unique(pixels.reshape(-1, 3), axis=0)), 2, game)
            self.assertTrue(env.svg().startswith("<svg"))
            text = gym.make(f"referee/{game}-v0", render_mode="ansi")
            text.reset(seed=2)
            self.assertGreater(len(text.render()), 20)


if __name__ == "__main__":
    unittest.main()
