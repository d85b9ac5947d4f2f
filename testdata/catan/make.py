"""Makes the dice that CPython draws for a match of Catan.

    python testdata/catan/make.py [PATH]     writes them (default: dice.json beside this file)
    python testdata/catan/make.py --check    compares them with the committed file

A match draws 64 bits for the deck, then each throw is two calls of randint(1, 6). "late" is a
generator that has drawn other things before: its state stands in the file, and the throws are
those that it draws next.
"""

import json
import pathlib
import random
import sys

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
    return {"state": [version, list(words), gauss_next], "throws": throws(rng)}


def main():
    here = pathlib.Path(__file__).with_name("dice.json")
    document = {"late": [late(seed) for seed in (3, 4)], "matches": [match(seed) for seed in SEEDS]}
    text = json.dumps(document, sort_keys=True) + "\n"
    if sys.argv[1:] == ["--check"]:
        if here.read_text() != text:
            sys.exit(f"{here} is not what this Python makes")
        return
    path = pathlib.Path(sys.argv[1]) if sys.argv[1:] else here
    path.write_text(text)


if __name__ == "__main__":
    main()
