"""Makes the dice that CPython and NumPy draw for a match of Catan.

    python testdata/catan/make.py [PATH]     writes them (default: dice.json beside this file)
    python testdata/catan/make.py --check    compares them with the committed file

A match draws 64 bits for the deck, then each throw is two calls of randint(1, 6). "late" is a
generator that has drawn other things before: its state stands in the file as a snapshot's
rng_state holds it, and the throws are those that it draws next: by randint(1, 6) of random.Random,
by randint(1, 7) of NumPy's RandomState and by integers(1, 7) of its default_rng.
"""

import json
import pathlib
import random
import sys

import numpy

SEEDS = [0, 1, 2, 7, 42, 2**32 + 1, 2**64 + 5]
N_THROWS = 60


def throws(rng):
    return [[rng.randint(1, 6), rng.randint(1, 6)] for _ in range(N_THROWS)]


def match(seed):
    rng = random.Random(seed)
    deal = rng.getrandbits(64)
    return {"seed": str(seed), "deal": str(deal), "throws": throws(rng)}


def late(seed):
    rng = random.Random(seed)
    for _ in range(1000 + seed):
        rng.random()
    version, words, gauss_next = rng.getstate()
    return {
        "rng_state": {"type": "py_random", "state": [version, list(words), gauss_next]},
        "throws": throws(rng),
    }


def late_numpy(seed):
    rng = numpy.random.RandomState(seed)
    rng.random_sample(1000 + seed)
    name, words, position, has_gauss, _ = rng.get_state()
    state = [name, [int(word) for word in words], int(position), int(has_gauss), 0]
    dice = [[int(rng.randint(1, 7)), int(rng.randint(1, 7))] for _ in range(N_THROWS)]
    return {"rng_state": {"type": "numpy", "state": state}, "throws": dice}


def late_pcg64(seed):
    rng = numpy.random.default_rng(seed)
    rng.random(1000 + seed)
    rng.integers(1, 7)
    state = rng.bit_generator.state
    document = {
        "state": str(state["state"]["state"]),
        "inc": str(state["state"]["inc"]),
        "has_uint32": int(state["has_uint32"]),
        "uinteger": int(state["uinteger"]),
    }
    dice = [[int(rng.integers(1, 7)), int(rng.integers(1, 7))] for _ in range(N_THROWS)]
    return {"rng_state": {"type": "pcg64", "state": document}, "throws": dice}


def main():
    here = pathlib.Path(__file__).with_name("dice.json")
    document = {
        "late": [make(seed) for make in (late, late_numpy, late_pcg64) for seed in (3, 4)],
        "matches": [match(seed) for seed in SEEDS],
    }
    text = json.dumps(document, sort_keys=True) + "\n"
    if sys.argv[1:] == ["--check"]:
        if here.read_text() != text:
            sys.exit(f"{here} is not what this Python makes")
        return
    path = pathlib.Path(sys.argv[1]) if sys.argv[1:] else here
    path.write_text(text)


if __name__ == "__main__":
    main()
