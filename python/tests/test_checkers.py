# Promise: Every environment passes its framework's own checker.
"""The official checkers of the frameworks, on every game."""

import unittest
import warnings
from functools import partial

import gymnasium as gym
import pyspiel
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import referee
import referee.spiel
from referee import zoo

GAMES = referee.games()


class Checkers(unittest.TestCase):
    def setUp(self):
        # PettingZoo warns about masks inside observations.
        warnings.simplefilter("ignore")

    def test_gymnasiums_checker_passes(self):
        for game in GAMES:
            for illegal in ("forfeit", "replace"):
                with self.subTest(game=game, illegal=illegal):
                    env = gym.make(f"referee/{game}-v0", illegal=illegal)
                    check_env(env.unwrapped)
            with self.subTest(game=game, dtype="uint8"):
                check_env(gym.make(f"referee/{game}-v0", dtype="uint8").unwrapped)

    def test_gymnasiums_checker_passes_for_both_sights_and_frames(self):
        for sight in ("honest", "full"):
            for frame in ("given", "ego"):
                env = gym.make("referee/catan-v0", sight=sight, frame=frame, seat=1)
                check_env(env.unwrapped)

    def test_pettingzoos_checkers_pass_for_aec_environments(self):
        for game in GAMES:
            with self.subTest(game=game):
                api_test(zoo.env(game), num_cycles=300)
                seed_test(partial(zoo.env, game), num_cycles=100)

    def test_pettingzoos_checkers_pass_for_parallel_environments(self):
        for game in GAMES:
            with self.subTest(game=game):
                parallel_api_test(zoo.parallel_env(game), num_cycles=300)
                parallel_seed_test(partial(zoo.parallel_env, game), num_cycles=100)

    def test_openspiels_random_simulation_passes(self):
        # Matches of Stellar Fleet take too long for this test; the next one plays it.
        short = {"catan": '{"max_turns": 4}'}
        for game in GAMES:
            if game == "stellar":
                continue
            with self.subTest(game=game):
                setup = short.get(game, "")
                loaded = pyspiel.load_game(f"referee_{game}", {"setup": setup, "deals": 8})
                pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)

    def test_openspiels_stellar_fleet_is_played_to_its_end(self):
        state = pyspiel.load_game("referee_stellar").new_initial_state()
        for _ in range(400):
            if state.is_terminal():
                break
            if state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
            else:
                state.apply_action(state.legal_actions()[-1])
        self.assertGreater(state.move_number(), 10)


if __name__ == "__main__":
    unittest.main()
