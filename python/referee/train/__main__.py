"""``python -m referee.train catan``: train, evaluate, export."""

from __future__ import annotations

import sys
from importlib.util import find_spec

NEEDED = ("jax", "optax", "tensorboardX")


def main() -> int:
    """Runs the command line. Returns 2 if a required package is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        sys.stderr.write(f"training needs {', '.join(missing)}: pip install referee[train]\n")
        return 2
    from referee.train.command import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
