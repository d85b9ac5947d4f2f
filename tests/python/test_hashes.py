# Promise: Hashes can be computed by others, in any language.
"""Recomputes every hash of a record with nothing but Python's standard library.

Needs the path of the program in REFEREE_BIN. The tests check what the documentation specifies: the
canonical bytes of a document are json.dumps(document, sort_keys=True), a state hash is the SHA-256
of the snapshot's canonical bytes, and each line's chain is the SHA-256 of the previous chain and of
the line without its chain.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest


def referee(*args):
    program = os.environ["REFEREE_BIN"]
    return subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout


def canonical(document):
    return json.dumps(document, sort_keys=True).encode()


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def chained(documents):
    """The lines of a record with matching chains, as a competent forger would write them."""
    chain, lines = bytes(32), []
    for document in documents:
        body = {key: value for key, value in document.items() if key != "chain"}
        chain = hashlib.sha256(chain + canonical(body)).digest()
        lines.append(canonical({**body, "chain": "sha256:" + chain.hex()}) + b"\n")
    return b"".join(lines)


class Records(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        referee(
            "simulate",
            "orcain",
            "--games",
            "25",
            "--seed",
            "11",
            "--seats",
            "equilibrium,random",
            "--out",
            cls.directory.name,
        )
        cls.records = sorted(pathlib.Path(cls.directory.name).glob("*.jsonl"))

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def lines(self, record):
        return [json.loads(line) for line in record.read_text().splitlines()]

    def test_records_were_written(self):
        self.assertEqual(len(self.records), 25)

    def test_every_state_hash_is_the_hash_of_its_snapshot(self):
        n_hashes = 0
        for record in self.records:
            header, *actions, _closing = self.lines(record)
            states = [
                json.loads(line) for line in referee("replay", str(record), "--step", "--json").splitlines()
            ]
            expected = [header["state_hash"]] + [it["result"]["state_hash"] for it in actions]
            self.assertEqual(len(states), len(expected))
            for state, state_hash in zip(states, expected, strict=True):
                snapshot = {key: value for key, value in state["snapshot"].items() if key != "log"}
                self.assertEqual(sha256(canonical(snapshot)), state_hash)
                n_hashes += 1
        self.assertGreater(n_hashes, 300)

    def test_every_line_is_canonical_and_chained_to_the_one_before(self):
        for record in self.records:
            chain = bytes(32)
            for line in record.read_bytes().splitlines():
                document = json.loads(line)
                self.assertEqual(canonical(document), line)
                found = document.pop("chain")
                chain = hashlib.sha256(chain + canonical(document)).digest()
                self.assertEqual(found, "sha256:" + chain.hex())

    def test_action_ids_increase_by_one(self):
        for record in self.records:
            _header, *actions, closing = self.lines(record)
            self.assertEqual([it["action_id"] for it in actions], list(range(1, len(actions) + 1)))
            self.assertEqual(closing["closing"]["n_actions"], len(actions))

    def refused(self, documents):
        """The verdict of `referee verify` on a forged record."""
        with tempfile.TemporaryDirectory() as directory:
            record = pathlib.Path(directory, "forged.jsonl")
            record.write_bytes(chained(documents))
            program = os.environ["REFEREE_BIN"]
            done = subprocess.run([program, "verify", "--json", str(record)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1, done.stdout)
            return json.loads(done.stdout)[0]["fault"]

    def test_a_record_with_recomputed_chains_is_still_valid(self):
        lines = self.lines(self.records[0])
        self.assertEqual(chained(lines), self.records[0].read_bytes())

    def test_a_forged_hash_is_reported_at_its_line_with_both_hashes(self):
        lines = self.lines(self.records[0])
        forged = "sha256:" + "0" * 64
        true, lines[5]["result"]["state_hash"] = lines[5]["result"]["state_hash"], forged
        fault = self.refused(lines)
        self.assertEqual((fault["line"], fault["code"]), (6, "wrong_state_hash"))
        self.assertIn(forged, fault["message"])
        self.assertIn(true, fault["message"])

    def test_a_forged_outcome_is_reported_at_the_closing_line(self):
        lines = self.lines(self.records[0])
        lines[-1]["closing"]["outcome"]["winners"] = [0, 1]
        fault = self.refused(lines)
        self.assertEqual((fault["line"], fault["code"]), (len(lines), "wrong_outcome"))

    def test_a_wrong_seed_reveal_is_reported_at_the_closing_line(self):
        with tempfile.TemporaryDirectory() as directory:
            record = pathlib.Path(directory, "match.jsonl")
            program = os.environ["REFEREE_BIN"]
            subprocess.run(
                [program, "play", "orcain", "--out", str(record)],
                check=True,
                capture_output=True,
                text=True,
                input="resign\n",
            )
            lines = self.lines(record)
        lines[-1]["closing"]["opening"]["seed"] = "11" * 32
        fault = self.refused(lines)
        self.assertEqual((fault["line"], fault["code"]), (len(lines), "wrong_opening"))

    def test_a_revealed_seed_matches_its_commitment(self):
        with tempfile.TemporaryDirectory() as directory:
            record = pathlib.Path(directory, "match.jsonl")
            program = os.environ["REFEREE_BIN"]
            subprocess.run(
                [program, "play", "orcain", "--out", str(record)],
                check=True,
                capture_output=True,
                text=True,
                input="resign\n",
            )
            header, *_, closing = self.lines(record)
            opening = closing["closing"]["opening"]
            self.assertEqual(header["rng_state"]["type"], "commitment")
            opened = sha256(bytes.fromhex(opening["salt"] + opening["seed"]))
            self.assertEqual(opened, header["rng_state"]["state"])


class JointSeeds(unittest.TestCase):
    RECORD = pathlib.Path(__file__).parents[2] / "testdata" / "catan" / "joint.jsonl"

    def setUp(self):
        lines = [json.loads(line) for line in self.RECORD.read_text().splitlines()]
        self.header, self.opening = lines[0], lines[-1]["closing"]["opening"]

    def test_each_part_reveals_a_commitment_of_the_header(self):
        opened = [
            {"commitment": commitment(part), "contribution": part["contribution"], "seat": part["seat"]}
            for part in self.opening["parts"]
        ]
        self.assertEqual(opened, self.header["contributions"])

    def test_the_parts_give_the_committed_seed(self):
        parts = sorted(self.opening["parts"], key=commitment)
        joined = "".join(part["secret"] + part["contribution"] for part in parts)
        seed = hashlib.sha256(b"referee joint seed 1" + bytes.fromhex(joined)).hexdigest()
        self.assertEqual(seed, self.opening["seed"])
        promised = sha256(bytes.fromhex(self.opening["salt"] + seed))
        self.assertEqual(promised, self.header["rng_state"]["state"])

    def test_the_program_detects_a_changed_contribution(self):
        lines = [json.loads(line) for line in self.RECORD.read_text().splitlines()]
        lines[-1]["closing"]["opening"]["parts"][0]["contribution"] = "00" * 32
        lines[0]["contributions"][0]["contribution"] = "00" * 32
        with tempfile.TemporaryDirectory() as directory:
            forged = pathlib.Path(directory) / "forged.jsonl"
            forged.write_bytes(chained(lines))
            said = subprocess.run(
                [os.environ["REFEREE_BIN"], "verify", str(forged)],
                capture_output=True,
                text=True,
                check=False,
            )
        self.assertNotEqual(said.returncode, 0)
        self.assertIn("hashed together, give another seed", said.stdout + said.stderr)


def commitment(part):
    return sha256(bytes.fromhex(part["salt"] + part["secret"]))


if __name__ == "__main__":
    unittest.main()
