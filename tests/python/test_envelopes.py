# Promise: A snapshot is the same in every format, and a damaged file is refused.
"""Snapshots packed as JSON, MessagePack and NPZ can be read by other libraries, with the same
document and hash.

Needs the path of the program in REFEREE_BIN, and the packages msgpack and numpy.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import msgpack
import numpy


def referee(*args):
    program = os.environ["REFEREE_BIN"]
    return subprocess.run([program, *args], capture_output=True, text=True)


def canonical(document):
    return json.dumps(document, sort_keys=True).encode()


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Envelopes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.directory.name)
        records = cls.folder / "records"
        for game, seats in (("catan", "random"), ("orcain", "random")):
            done = referee(
                "simulate", game, "--games", "2", "--seed", "3", "--seats", seats, "--out", str(records)
            )
            assert done.returncode == 0, done.stderr
        cls.states = []
        for record in sorted(records.glob("*.jsonl")):
            game = record.name.split("-")[0]
            shown = referee("replay", str(record), "--to", "9", "--json")
            state = cls.folder / f"{record.stem}.json"
            state.write_text(shown.stdout)
            cls.states.append((game, state, json.loads(shown.stdout)))

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def packed(self, state, game, kind):
        out = self.folder / f"{state.stem}.{kind}"
        done = referee("snapshot", str(state), "--game", game, "--out", str(out), "--format", kind, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return out, json.loads(done.stdout)["state_hash"]

    def test_every_format_contains_the_same_document_and_hash(self):
        self.assertEqual(len(self.states), 4)
        for game, state, shown in self.states:
            expected = shown["state_hash"]
            self.assertEqual(sha256(canonical(shown["snapshot"])), expected)
            for kind in ("json", "msgpack", "npz"):
                out, told = self.packed(state, game, kind)
                envelope = READERS[kind](out)
                self.assertEqual(told, expected)
                self.assertEqual(envelope["state_hash"], expected)
                self.assertEqual(envelope["snapshot"], shown["snapshot"])
                self.assertEqual(envelope["game"], game)
                self.assertEqual(envelope["format"], kind)
                self.assertEqual(envelope["compressed"], kind != "json")
                again = referee("snapshot", str(out), "--json")
                self.assertEqual(json.loads(again.stdout)["state_hash"], expected)

    def test_files_written_by_numpy_and_msgpack_are_read(self):
        for game, _state, shown in self.states:
            fields = {"game": game, "state_hash": shown["state_hash"], "compressed": True}
            document = shown["snapshot"]
            packed = self.folder / "theirs.msgpack"
            packed.write_bytes(msgpack.packb({**fields, "format": "msgpack", "snapshot": document}))
            data = numpy.frombuffer(canonical(document), dtype=numpy.uint8)
            arrays = {key: numpy.array(value) for key, value in fields.items()}
            for save in (numpy.savez, numpy.savez_compressed):
                save(self.folder / "theirs.npz", snapshot=data, format=numpy.array("npz"), **arrays)
                done = referee("snapshot", str(self.folder / "theirs.npz"), "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["state_hash"], shown["state_hash"])
            done = referee("snapshot", str(packed), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["state_hash"], shown["state_hash"])

    def test_a_document_that_breaks_the_rules_is_refused_with_all_faults(self):
        game, _, shown = next(it for it in self.states if it[0] == "catan")
        document = json.loads(json.dumps(shown["snapshot"]))
        document["bank"]["resources"]["ORE"] -= 1
        document["players"][0]["victory_points"] += 1
        packed = self.folder / "broken.msgpack"
        packed.write_bytes(
            msgpack.packb(
                {
                    "compressed": True,
                    "format": "msgpack",
                    "game": game,
                    "snapshot": document,
                    "state_hash": sha256(canonical(document)),
                }
            )
        )
        done = referee("snapshot", str(packed))
        self.assertEqual(done.returncode, 1)
        self.assertIn("/bank/resources/ORE", done.stderr)
        self.assertIn("/players/0/victory_points", done.stderr)


def read_npz(path):
    with numpy.load(path, allow_pickle=False) as arrays:
        values = {key: arrays[key].item() for key in arrays if key != "snapshot"}
        data = arrays["snapshot"].tobytes()
    assert sha256(data) == values["state_hash"]
    return {**values, "snapshot": json.loads(data)}


READERS = {
    "json": lambda path: json.loads(path.read_text()),
    "msgpack": lambda path: msgpack.unpackb(path.read_bytes()),
    "npz": read_npz,
}

if __name__ == "__main__":
    unittest.main()
