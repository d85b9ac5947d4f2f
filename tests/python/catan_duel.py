"""Plays an agent of Referee against one of catanatron's players, in catanatron's own game.

    python catan_duel.py --agent search --opponent catanatron.players.search:VictoryPointPlayer

Matches come in pairs with the same board, deck and dice and with swapped seats. catanatron's Game
runs every match, and its player decides on it. Referee follows in lockstep (catan_lockstep.py), so
that the agent sees what its seat may see of the same position, and catanatron's known departures
from the official rules are corrected for both. --opponent names any player class of catanatron, as
module:Class. REFEREE_BIN is the path of the program.
"""

import argparse
import importlib
import math
import os
import time

from catan_lockstep import PLACES, Lockstep, Referee

SETUP = {"vp_to_win": 15, "discard_threshold": 9, "player_trades": "off"}


class Duel(Lockstep):
    """A match between an agent of Referee and a player of catanatron."""

    def __init__(self, referee, seed, setup, agent, seat, opponent):
        super().__init__(referee, seed, setup, {})
        self.agent, self.seat, self.seed = agent, seat, seed
        self.opponent = opponent(self.cat.colors[1 - seat])

    def step(self):
        self.n_decisions += 1
        seat, before = self.cat.current_player_index, self.snapshot
        text = self.advice() if seat == self.seat else self.decision()
        verb = text.split(":")[0]
        if verb == "discard":
            self.discard(seat)
        elif verb == "roll":
            self.roll(seat)
        elif verb == "robber":
            self.robber(seat, text, int(text.split(":")[1]))
        else:
            known = {self.text(it): it for it in self.cat.playable_actions}
            self.ours = self.referee.play(seat, text)
            self.game.execute(known[text])
        if verb in PLACES:
            self.check_roads(before, seat, verb, text)

    def advice(self):
        """Our agent's action, limited to the actions that catanatron offers."""
        told = self.referee.ask(
            do="advise", player_id=self.seat, agent=self.agent, seed=str(self.seed * 10007 + self.n_decisions)
        )
        text = self.referee.texts[told["advice"]]
        if text.startswith("discard:") or text in self.common:
            return text
        return "roll" if "roll" in self.common else "end"

    def decision(self):
        """The action of catanatron's player, limited to what the official rules allow."""
        if self.common == ["discard"]:
            return "discard"
        legal = [it for it in self.cat.playable_actions if self.text(it) in self.common]
        if len(legal) == 1:
            return self.text(legal[0])
        return self.text(self.opponent.decide(self.game, legal))

    def card_to_discard(self, seat):
        """The card to discard: our agent chooses; catanatron discards at random."""
        if seat != self.seat:
            return super().card_to_discard(seat)
        told = self.referee.ask(
            do="advise", player_id=seat, agent=self.agent, seed=str(self.seed * 10007 + self.n_decisions)
        )
        return self.referee.texts[told["advice"]].split(":")[1]


def wilson(n_hits, n):
    z, rate = 1.959963984540054, n_hits / n
    scale = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return centre - half, centre + half


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agent", default="search")
    parser.add_argument("--opponent", default="catanatron.players.search:VictoryPointPlayer")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--board", default="random", choices=["random", "reference"])
    args = parser.parse_args()
    module, name = args.opponent.split(":")
    opponent = getattr(importlib.import_module(module), name)
    referee = Referee(os.environ.get("REFEREE_BIN", "referee"))
    wins, losses, cut_off, began = [0, 0], [0, 0], 0, time.monotonic()
    for pair in range(args.pairs):
        for seat in (0, 1):
            match = Duel(
                referee, args.seed + pair, {**SETUP, "board": args.board}, args.agent, seat, opponent
            )
            winner = match.play()
            if winner is None:
                cut_off += 1
            elif winner == seat:
                wins[seat] += 1
            else:
                losses[seat] += 1
        n = 2 * (pair + 1)
        low, high = wilson(sum(wins), n)
        print(
            f"{n} matches: {args.agent} won {sum(wins)} ({wins[0]} in the first seat), lost "
            f"{sum(losses)}, truncated {cut_off}: {sum(wins) / n:.1%} (95 %: {low:.1%} to "
            f"{high:.1%}); {time.monotonic() - began:.0f} s",
            flush=True,
        )
    referee.close()


if __name__ == "__main__":
    main()
