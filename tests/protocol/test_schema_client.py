# Promise: The published schemas describe every message.
"""The example client plays a complete match of every game using the published schemas."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT = ROOT / "docs" / "examples" / "schema_client.py"
REFEREE = os.environ["REFEREE_BIN"]
SIDES = ("protocol-client", "protocol-server")
# For each game, a bot that ends a match soon.
BOTS = {"catan": "heuristic", "orcain": "random", "stellar": "aggressive"}


class SchemaClient(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.server = subprocess.Popen(
            [
                REFEREE,
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--data",
                f"{cls.folder.name}/data",
                "--bot-beat-ms",
                "1",
                "--bot-pause-ms",
                "1",
                "--timing",
                "orcain.step-ms=1",
                "--messages-per-second",
                "100000",
                "--log",
                "error",
                # The disk of the test machine may stall.
                "--storage-patience-ms",
                "30000",
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        cls.addClassCleanup(cls.stop)
        line = next(line for line in cls.server.stdout if "listening on " in line)
        cls.url = line.split("listening on ")[1].strip()
        cls.schemas = pathlib.Path(cls.folder.name) / "all"
        write_schemas(cls.schemas)

    @classmethod
    def stop(cls):
        cls.server.kill()
        cls.server.wait()
        cls.server.stdout.close()

    def play(self, game, schemas):
        return subprocess.run(
            [
                sys.executable,
                CLIENT,
                "--server",
                self.url,
                "--game",
                game,
                "--bot",
                BOTS[game],
                "--schemas",
                schemas,
                "--seed",
                "1",
                "--messages-per-second",
                "100000",
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )

    def check(self, game):
        played = self.play(game, self.schemas)
        self.assertEqual((played.returncode, played.stderr), (0, ""), played.stdout)
        self.assertIn("all as the schemas describe them", played.stdout)

    def test_a_match_of_catan_is_played_to_its_end(self):
        self.check("catan")

    def test_a_match_of_orcain_is_played_to_its_end(self):
        self.check("orcain")

    def test_a_match_of_stellar_fleet_is_played_to_its_end(self):
        self.check("stellar")

    def test_the_schemas_of_one_game_suffice_for_it(self):
        schemas = pathlib.Path(self.folder.name) / "orcain"
        write_schemas(schemas, "--game", "orcain")
        played = self.play("orcain", schemas)
        self.assertEqual((played.returncode, played.stderr), (0, ""), played.stdout)

    def test_a_message_that_the_schema_does_not_describe_stops_the_client(self):
        schemas = pathlib.Path(self.folder.name) / "spoilt"
        write_schemas(schemas)
        file = schemas / "protocol-server.json"
        schema = json.loads(file.read_text())
        schema["$defs"]["OrcainView"]["properties"]["round"] = {"type": "string"}
        file.write_text(json.dumps(schema))
        played = self.play("orcain", schemas)
        self.assertEqual(played.returncode, 1, played.stdout)
        self.assertIn("no schema describes the message received", played.stderr)
        self.assertIn("/message/view/round", played.stderr)


def write_schemas(folder, *options):
    folder.mkdir()
    for side in SIDES:
        printed = subprocess.run(
            [REFEREE, "schema", side, *options], check=True, capture_output=True, text=True
        )
        (folder / f"{side}.json").write_text(printed.stdout)


if __name__ == "__main__":
    unittest.main()
