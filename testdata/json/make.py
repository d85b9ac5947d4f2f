"""Makes documents and what json.dumps(document, sort_keys=True) returns for them.

    python testdata/json/make.py [PATH]     writes them (default: vectors.json beside this file)
    python testdata/json/make.py --check    compares them with the committed file

A vector has "plain", a spelling with raw characters and keys in any order; "canonical", the text
that json.dumps returns; and "sha256", the hash of that text.
"""

import hashlib
import json
import pathlib
import random
import sys

PIECES = [
    "", "a", "b", "Z", "0", "9", "10", " ", "~", "!", '"', "\\", "/", "\x00", "\x01", "\x1f",
    "\x7f", "\x80", "\n", "\r", "\t", "\f", "\b", "é", "ß", "\u07ff", "\u0800", "\u2028",
    "\ud7ff", "\ue000", "\ufeff", "\uffff", "\U00010000", "😀", "\U0010ffff", "key", "a b",
]  # fmt: skip
INTEGERS = [
    0, 1, -1, 9, 10, 99, 100, 2**31, -2**31, 2**32, 2**53, 2**53 + 1, 2**63 - 1, -2**63,
    2**63, 2**64 - 1,
]  # fmt: skip


def words(plan):
    return "".join(plan.choice(PIECES) for _ in range(plan.randrange(4)))


def document(plan, depth):
    kind = plan.randrange(8 if depth > 0 else 5)
    if kind == 0:
        return plan.choice([None, True, False])
    if kind <= 2:
        return plan.choice(INTEGERS) if kind == 1 else plan.randrange(-(10**6), 10**6)
    if kind <= 4:
        return words(plan)
    if kind == 5:
        return [document(plan, depth - 1) for _ in range(plan.randrange(5))]
    return {words(plan): document(plan, depth - 1) for _ in range(plan.randrange(7))}


def nested(depth):
    value = "deep"
    for level in range(depth):
        value = [value] if level % 2 else {"": value}
    return value


def vector(value):
    canonical = json.dumps(value, sort_keys=True)
    return {
        "plain": json.dumps(value, ensure_ascii=False, indent=1),
        "canonical": canonical,
        "sha256": hashlib.sha256(canonical.encode()).hexdigest(),
    }


def make():
    plan = random.Random("canonical documents")
    values = [
        {},
        [],
        "",
        0,
        None,
        nested(63),
        nested(64),
        PIECES,
        INTEGERS,
        {piece: idx for idx, piece in enumerate(PIECES)},
        {"\uffff": 1, "\U00010000": 2, "\ue000": 3, "\ud7ff": 4},
        {"": {"": {"": 0}}},
        {"a": 1, "a ": 2, "a!": 3, 'a"': 4, "aa": 5, "A": 6},
        {f"field {idx * 37 % 200}": {"z": idx, "a": [idx]} for idx in range(200)},
    ]
    values += [document(plan, 5) for _ in range(250)]
    return [vector(value) for value in values]


def written(vectors):
    lines = [json.dumps(one, sort_keys=True) for one in vectors]
    return "[\n" + ",\n".join(lines) + "\n]\n"


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
