"""Measures catanatron per core-second: random play for two, 15 points, discards above nine cards.

Prints one JSON object. `cargo xtask bench catan` runs it along with our own benchmark.
"""

import json
import sys
import time

from catanatron.game import Game
from catanatron.models.player import Color, RandomPlayer


def main():
    n_games = int(sys.argv[1]) if sys.argv[1:] else 60
    n_decisions, began = 0, time.process_time()
    for seed in range(1, n_games + 1):
        players = [RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)]
        game = Game(players, seed=seed, discard_limit=9, vps_to_win=15)
        game.play()
        n_decisions += len(game.state.actions)
    seconds = time.process_time() - began
    print(
        json.dumps(
            {"games_per_core_second": n_games / seconds, "decisions_per_core_second": n_decisions / seconds}
        )
    )


if __name__ == "__main__":
    main()
