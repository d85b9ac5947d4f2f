# Promise: Catan's rules agree with an independent engine's at every decision.
"""Plays matches of Catan with Referee and catanatron in lockstep.

REFEREE_LOCKSTEP_GAMES is the number of matches (default 60), REFEREE_LOCKSTEP_SEED the seed of the
first, and REFEREE_BIN the path of the program.
"""

import collections
import os
import unittest

from catanatron.models.enums import Action, ActionType

from catan_lockstep import DEPARTURES, Difference, Lockstep, Referee

N_GAMES = int(os.environ.get("REFEREE_LOCKSTEP_GAMES", "60"))
FIRST_SEED = int(os.environ.get("REFEREE_LOCKSTEP_SEED", "0"))
EAGER = {
    "city": 200,
    "settle": 200,
    "road": 20,
    "buy": 20,
    "knight": 5,
    "roads": 20,
    "plenty": 5,
    "monopoly": 5,
    "roll": 20,
    "end": 3,
}
SETUPS = [
    ({"vp_to_win": 15, "discard_threshold": 9, "board": "reference"}, EAGER),
    ({"vp_to_win": 15, "discard_threshold": 9, "board": "random"}, {}),
    ({"vp_to_win": 10, "discard_threshold": 7, "board": "random"}, EAGER),
    ({"vp_to_win": 15, "discard_threshold": 9, "board": "random"}, EAGER),
    ({"vp_to_win": 18, "discard_threshold": 9, "board": "reference"}, EAGER),
]


def play(referee, seed):
    setup, weights = SETUPS[seed % len(SETUPS)]
    match = Lockstep(referee, seed, {**setup, "player_trades": "off"}, weights)
    try:
        winner = match.play()
    except Difference as difference:
        raise AssertionError(
            f"seed {seed}, decision {match.n_decisions}, "
            f"turn {match.snapshot['turn']['number']}: {difference}"
        ) from None
    return winner, match


class InLockstep(unittest.TestCase):
    def test_both_engines_play_the_same_matches(self):
        referee = Referee(os.environ["REFEREE_BIN"])
        self.addCleanup(referee.close)
        seen, winners, n_decisions = collections.Counter(), collections.Counter(), 0
        for seed in range(FIRST_SEED, FIRST_SEED + N_GAMES):
            winner, match = play(referee, seed)
            winners[winner] += 1
            seen.update(match.seen)
            n_decisions += match.n_decisions
        told = ", ".join(f"{name} {seen[name]}" for name in sorted(DEPARTURES))
        print(
            f"\n{N_GAMES} matches, {n_decisions} decisions, won by {dict(winners)}; departures: {told}",
            flush=True,
        )
        self.assertTrue(winners[0] and winners[1])

    def test_an_unlisted_difference_fails(self):
        referee = Referee(os.environ["REFEREE_BIN"])
        self.addCleanup(referee.close)
        spoilers = {
            "hand": lambda cat: cat.player_state.__setitem__("P0_ORE_IN_HAND", 9),
            "bank": lambda cat: cat.resource_freqdeck.__setitem__(0, 3),
            "points": lambda cat: cat.player_state.__setitem__("P1_VICTORY_POINTS", 7),
            "longest road": lambda cat: cat.player_state.__setitem__("P0_HAS_ROAD", True),
            "legal here": lambda cat: setattr(
                cat,
                "playable_actions",
                [it for it in cat.playable_actions if it.action_type != ActionType.END_TURN],
            ),
            "legal there": lambda cat: cat.playable_actions.append(
                Action(cat.current_color(), ActionType.ROLL, None)
            ),
        }
        for what, spoil in spoilers.items():
            setup, weights = SETUPS[0]
            match = Lockstep(referee, 5, {**setup, "player_trades": "off"}, weights)
            for _ in range(30):
                match.compare()
                match.step()
            while "end" not in [match.text(it) for it in match.cat.playable_actions]:
                match.compare()
                match.step()
            match.compare()
            spoil(match.cat)
            with self.assertRaisesRegex(Difference, what):
                match.compare()


if __name__ == "__main__":
    unittest.main()
