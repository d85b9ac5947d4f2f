# Promise: The generators are those of CPython and NumPy, bit for bit.
"""Makes the vectors of the generators from the real CPython and NumPy.

    python testdata/rng/make.py [PATH]     writes them (default: vectors.json beside this file)
    python testdata/rng/make.py --check    compares them with the committed file

A run is a generator and steps: [operation, arguments…, result]. Integers that may be large and
floats are text (decimal, float.hex()). "hash" is the sha256 of json.dumps(generator document,
sort_keys=True), "state" the document itself.
"""

import hashlib
import json
import pathlib
import random
import sys

import numpy as np

BELOW = [
    1, 2, 3, 6, 7, 10, 19, 25, 54, 100, 255, 256, 257, 1000, 2**16 + 1, 2**31 - 1, 2**31,
    2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 3 * 2**40 + 17, 2**62 + 1, 2**63 - 1, 2**63,
]  # fmt: skip
SEEDS = [
    0, 1, 2, 7, 42, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**53, 2**63 - 1, 2**64 - 1,
    2**64, 2**64 + 5, 2**96 + 3, 2**128 - 1, 2**128 + 1, 2**160 + 9, 10**50, 10**300, 3**700,
]  # fmt: skip
RANGES = [(0, 6), (-5, 5), (1, 7), (-(2**63), 2**63 - 1), (-(2**40), 2**33), (7, 8), (0, 2**32)]


class Py:
    kind = "py_random"
    operations = ("below", "bits64", "shuffle", "choice", "random", "getrandbits", "randrange")

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def below(self, n):
        return self.rng._randbelow(n)

    def bits64(self):
        return self.rng.getrandbits(64)

    def shuffle(self, n):
        items = list(range(n))
        self.rng.shuffle(items)
        return items

    def choice(self, n):
        return self.rng.choice(range(n))

    def random(self):
        return self.rng.random()

    def getrandbits(self, k):
        return self.rng.getrandbits(k)

    def randrange(self, start, stop, step):
        return self.rng.randrange(start, stop, step)

    def gauss(self):
        self.rng.gauss(0, 1)

    def document(self):
        version, words, gauss_next = self.rng.getstate()
        gauss_next = None if gauss_next is None else gauss_next.hex()
        return {"type": self.kind, "state": [version, list(words), gauss_next]}


class Numpy:
    kind = "numpy"
    operations = ("below", "bits64", "shuffle", "choice", "random", "between")

    def __init__(self, seed):
        words = [seed >> shift & 0xFFFFFFFF for shift in range(0, seed.bit_length(), 32)]
        self.rng = np.random.RandomState(seed if seed < 2**32 else words)

    def below(self, n):
        return int(self.rng.randint(0, n))

    def bits64(self):
        return int(self.rng.randint(0, 2**64, dtype=np.uint64))

    def shuffle(self, n):
        items = list(range(n))
        self.rng.shuffle(items)
        return items

    def choice(self, n):
        return int(self.rng.choice(n))

    def random(self):
        return float(self.rng.random_sample())

    def between(self, low, high):
        return int(self.rng.randint(low, high))

    def gauss(self):
        self.rng.standard_normal()

    def document(self):
        name, words, position, has_gauss, cached = self.rng.get_state()
        words = [int(word) for word in words]
        cached = float(cached).hex() if has_gauss else 0
        return {"type": self.kind, "state": [name, words, int(position), int(has_gauss), cached]}


class Pcg:
    kind = "pcg64"
    operations = ("below", "bits64", "shuffle", "choice", "random", "between")

    def __init__(self, seed, spawn_key=()):
        self.rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=spawn_key))

    def below(self, n):
        return int(self.rng.integers(0, n))

    def bits64(self):
        return int(self.rng.bit_generator.random_raw())

    def shuffle(self, n):
        items = list(range(n))
        self.rng.shuffle(items)
        return items

    def choice(self, n):
        return int(self.rng.choice(n))

    def random(self):
        return float(self.rng.random())

    def between(self, low, high):
        return int(self.rng.integers(low, high))

    def document(self):
        state = self.rng.bit_generator.state
        return {
            "type": self.kind,
            "state": {
                "state": str(state["state"]["state"]),
                "inc": str(state["state"]["inc"]),
                "has_uint32": int(state["has_uint32"]),
                "uinteger": int(state["uinteger"]),
            },
        }


def sha256(document):
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def arguments(operation, plan):
    if operation == "below":
        return [plan.choice(BELOW)]
    if operation in ("shuffle", "choice"):
        return [plan.choice([1, 2, 3, 5, 19, 25])]
    if operation == "between":
        return list(plan.choice(RANGES))
    if operation == "randrange":
        low, high = plan.choice(RANGES)
        return plan.choice([[low, high, 1], [low, high, 3], [high, low, -2], [0, 100, 7]])
    if operation == "getrandbits":
        return [plan.choice([0, 1, 5, 31, 32, 33, 63, 64, 65, 96, 127, 128, 1000, 4096])]
    return []


def text(value):
    if isinstance(value, float):
        return value.hex()
    return value if isinstance(value, list) else str(value)


def drawn(generator, operation, values):
    result = getattr(generator, operation)(*values)
    return [operation, *[str(value) for value in values], text(result)]


def steps(generator, plan, n_steps):
    made = [drawn(generator, "below", [n]) for n in (BELOW if n_steps > 30 else [])]
    for _ in range(n_steps):
        operation = plan.choice(generator.operations)
        made.append(drawn(generator, operation, arguments(operation, plan)))
        if plan.random() < 0.15:
            made.append(["hash", sha256(generator.document())])
    made.append(["hash", sha256(generator.document())])
    return made


def seeded(cls, seed, plan, n_steps, **more):
    generator = cls(seed, **more)
    return {"type": cls.kind, "seed": str(seed), **more, "steps": steps(generator, plan, n_steps)}


def restored(cls, seed, plan, n_draws, n_gauss):
    """A run from a state in the middle, where half a pair of normal draws may be kept."""
    generator = cls(seed)
    for _ in range(n_draws):
        generator.below(1000)
    for _ in range(n_gauss):
        generator.gauss()
    return {"state": generator.document(), "steps": steps(generator, plan, 20)}


def make():
    plan = random.Random("vectors of the generators")
    runs = []
    for idx, seed in enumerate(SEEDS):
        n_steps = 60 if idx % 3 == 0 else 25
        runs += [seeded(cls, seed, plan, n_steps) for cls in (Py, Numpy, Pcg)]
        runs.append(seeded(Pcg, seed, plan, 8, spawn_key=[idx]))
    for key in ([0], [0, 0], [1, 2, 3], [2**32 - 1], [5, 0, 7, 2**31, 9, 10]):
        seeds = (0, 7, 2**96 + 3, 2**128 + 1, 10**50)
        runs += [seeded(Pcg, seed, plan, 6, spawn_key=key) for seed in seeds]
    # Long runs pass several twists of the Mersenne Twister.
    runs += [seeded(cls, 123456789, plan, 400) for cls in (Py, Numpy, Pcg)]
    runs.append(restored(Py, 7, plan, 700, 0))
    runs.append(restored(Py, 8, plan, 623, 1))
    runs.append(restored(Numpy, 7, plan, 700, 0))
    runs.append(restored(Numpy, 8, plan, 100, 3))
    runs.append(restored(Pcg, 7, plan, 3, 0))
    floats = [
        0.0, -0.0, 1.0, -1.5, 0.1, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
        1e-310, -3.141592653589793,
    ]  # fmt: skip
    return {"runs": runs, "floats": [[value.hex(), repr(value)] for value in floats]}


def written(made):
    lines = [json.dumps(run, sort_keys=True, separators=(",", ":")) for run in made["runs"]]
    floats, runs = json.dumps(made["floats"]), ",\n".join(lines)
    return f'{{"floats":{floats},"runs":[\n{runs}\n]}}\n'


def main(arguments):
    committed = pathlib.Path(__file__).with_name("vectors.json")
    if arguments == ["--check"]:
        if not committed.exists() or committed.read_text() != written(make()):
            sys.exit(f"{committed} is not what {__file__} makes: run it and look at the difference")
        return
    path = pathlib.Path(arguments[0]) if arguments else committed
    path.write_text(written(make()))


if __name__ == "__main__":
    main(sys.argv[1:])
