# Promise: Every place that takes a setup takes a scenario as its author writes it.
"""Every class and function takes a scenario by name, by path, or as the document itself."""

import json
import tempfile
import unittest
from pathlib import Path

import gymnasium as gym
import pyspiel

import referee
import referee.spiel
from referee import zoo

SMALL = {
    "schemaVersion": 1,
    "id": "two_suns",
    "meta": {"title": "Two suns", "description": "", "difficulty": 1},
    "generation": {"systemCount": 12, "radius": 40.5, "topology": "ring"},
    "setup": {
        "factions": [
            {"id": "blue", "name": "Blue", "colorHex": "#0000ff", "isPlayable": True},
            {"id": "red", "name": "Red", "colorHex": "#ff0000", "isPlayable": True},
        ],
        "startingDistribution": "scattered",
        "initialFleets": [
            {"ownerFactionId": id, "spawnLocation": "home_system", "ships": ["cruiser"]}
            for id in ("blue", "red")
        ],
    },
    "objectives": {
        "victory": [{"type": "domination", "percentage": 0.6}],
        "constraints": {"maxTurns": 5},
    },
    "rules": {
        "fogOfWar": True,
        "useAdvancedCombat": True,
        "aiEnabled": True,
        "totalWar": True,
    },
}


class Scenarios(unittest.TestCase):
    def forms(self):
        """One scenario in every accepted form."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "two_suns.json"
        path.write_text(json.dumps(SMALL))
        yield SMALL
        yield {"scenario": SMALL, "seed": 3}
        yield json.dumps(SMALL)
        yield path
        yield str(path)

    def test_a_scenario_is_accepted_in_every_form(self):
        expected = referee.space("stellar", SMALL)["n_actions"]
        self.assertNotEqual(expected, referee.space("stellar")["n_actions"])
        for setup in self.forms():
            with self.subTest(type(setup).__name__):
                self.assertEqual(referee.space("stellar", setup)["n_actions"], expected)
                self.assertEqual(referee.setup_faults("stellar", setup), [])
                self.assertEqual(referee.Position("stellar", setup).n_actions, expected)
                self.assertEqual(referee.Batch("stellar", setup).sizes[1], expected)
                match = referee.Match("stellar", setup=setup, seed=1)
                self.assertEqual(len(match.missing), 2)

    def test_every_environment_accepts_a_scenario(self):
        expected = referee.space("stellar", SMALL)["n_actions"]
        env = gym.make("referee/stellar-v0", setup=SMALL)
        self.assertEqual(env.action_space.n, expected)
        vector = gym.make_vec("referee/stellar-v0", num_envs=2, setup=SMALL)
        self.assertEqual(vector.unwrapped.single_action_space.n, expected)
        for made in (zoo.env("stellar", setup=SMALL), zoo.parallel_env("stellar", setup=SMALL)):
            self.assertEqual(made.action_space("seat_0").n, expected)
        game = pyspiel.load_game("referee_stellar", {"setup": json.dumps(SMALL)})
        self.assertEqual(game.num_distinct_actions(), expected)

    def test_a_shipped_scenario_is_accepted_by_name(self):
        self.assertIn("first_orders", referee.scenarios("stellar"))
        named = referee.space("stellar", "first_orders")
        self.assertNotEqual(named["n_actions"], referee.space("stellar")["n_actions"])
        report = referee.simulate("stellar", ["balanced", "random"], 2, setup="first_orders")
        self.assertEqual((report["games"], report["setups"]), (2, 1), "it fixes its galaxy")
        report = referee.simulate("stellar", ["balanced", "random"], 2, setup=SMALL)
        self.assertEqual(report["setups"], 2)
        self.assertEqual(referee.arena("stellar", ["random", "balanced"], 1, setup=SMALL)["games"], 2)
        with tempfile.TemporaryDirectory() as folder:
            made = referee.dataset("stellar", Path(folder) / "data", games=1, setup="first_orders")
            self.assertGreater(made.about["n_rows"], 0)

    def test_invalid_scenarios_are_refused_with_their_faults(self):
        bad = json.loads(json.dumps(SMALL))
        bad["generation"]["topology"] = "flat"
        bad["rules"].pop("fogOfWar")
        with self.assertRaisesRegex(ValueError, "(?s)/generation/topology.*/rules/fogOfWar"):
            referee.Match("stellar", setup=bad)
        expected = 'no shipped scenario has the name "nothing"; the names are skirmish'
        with self.assertRaisesRegex(ValueError, expected):
            referee.space("stellar", "nothing")
        with self.assertRaisesRegex(ValueError, "catan has no scenarios"):
            referee.space("catan", "skirmish")
        with self.assertRaisesRegex(ValueError, "nowhere.json"):
            referee.space("stellar", "nowhere.json")
        self.assertEqual(referee.scenarios("catan"), [])


if __name__ == "__main__":
    unittest.main()
