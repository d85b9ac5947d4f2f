"""Measures decisions per core-second through Python, compared with other packages, in one run.

Every figure is for random legal play with an observation and a mask at every decision, and counts
the processor time of all threads of this process. A joint decision of a simultaneous game counts
once.
"""

import os
import platform
import random
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from referee.buffers import Buffers, native_batch

N_ENVS = 1024
SECONDS = 3.0
ROUNDS = 3
# Steps of one variant before the other takes its turn.
N_IN_TURN = 5
warnings.simplefilter("ignore")


def rate(step, n_each, seconds=SECONDS):
    """Decisions per second of processor time, after a warm-up."""
    step()
    n_done, begin = 0, time.process_time()
    while time.process_time() - begin < seconds:
        step()
        n_done += n_each
    return n_done / (time.process_time() - begin)


def ours(game, rows, dtype):
    batch = native_batch(game, None, n_envs=N_ENVS, rows=rows, autoreset="same_step")
    arrays = Buffers(batch, dtype).native()
    batch.reset(seed=1)
    actions = np.zeros(batch.counts[1], np.int32)
    batch.observe(arrays)
    batch.run_random(200, arrays)

    def through_python():
        for _ in range(N_IN_TURN):
            batch.sample(actions)
            batch.step(actions, arrays)

    def inside():
        batch.run_random(N_IN_TURN, arrays)

    rates = [in_turn((through_python, inside), N_IN_TURN * N_ENVS) for _ in range(ROUNDS)]
    cost = statistics.median(rust / python - 1 for python, rust in rates)
    return max(python for python, _ in rates), cost


def in_turn(ways, n_each):
    """Decisions per second of processor time of each variant. They take turns, because some parts
    of a match cost more than others."""
    spent, n_done = [0.0] * len(ways), 0
    while sum(spent) < SECONDS:
        for idx, way in enumerate(ways):
            begin = time.process_time()
            way()
            spent[idx] += time.process_time() - begin
        n_done += n_each
    return [n_done / each for each in spent]


def vectorized():
    """The batch of Catan through ``gymnasium.make_vec``, which copies observations and masks."""
    import gymnasium

    envs = gymnasium.make_vec("referee/catan-v0", num_envs=N_ENVS, seat=None, dtype="uint8")
    envs.reset(seed=1)

    def play():
        for _ in range(N_IN_TURN):
            envs.step(envs.sample())

    return rate(play, N_IN_TURN * N_ENVS)


def single():
    """One environment of Catan with one learner, through ``gymnasium.make``."""
    import gymnasium

    env = gymnasium.make("referee/catan-v0")
    mask = [env.reset(seed=1)[1]["action_mask"]]

    def play():
        for _ in range(200):
            *_, ended, cut, info = env.step(env.action_space.sample(mask[0]))
            mask[0] = (env.reset()[1] if ended or cut else info)["action_mask"]

    return rate(play, 200)


def petting_zoo(env):
    env.reset(seed=1)

    def play():
        for _ in range(50):
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.reset()
                continue
            env.step(env.action_space(env.agent_selection).sample(seen["action_mask"]))

    return rate(play, 50)


def own_zoo():
    from referee import zoo

    return petting_zoo(zoo.env("catan"))


def open_spiel(name):
    import pyspiel

    game = pyspiel.load_game(name)
    chooser = random.Random(1)
    state = [game.new_initial_state()]

    def play():
        for _ in range(200):
            now = state[0]
            while now.is_chance_node():
                outcomes, weights = zip(*now.chance_outcomes(), strict=True)
                now.apply_action(chooser.choices(outcomes, weights)[0])
            if now.is_terminal():
                state[0] = game.new_initial_state()
                continue
            if now.is_simultaneous_node():
                seats = range(game.num_players())
                for seat in seats:
                    now.observation_tensor(seat)
                    now.legal_actions_mask(seat)
                now.apply_actions([chooser.choice(now.legal_actions(seat)) for seat in seats])
            else:
                now.observation_tensor()
                now.legal_actions_mask()
                now.apply_action(chooser.choice(now.legal_actions()))

    return rate(play, 200)


def connect_four():
    from pettingzoo.classic import connect_four_v3

    return petting_zoo(connect_four_v3.env())


def catanatron():
    python = os.environ["REFEREE_CATANATRON_PYTHON"]
    script = Path(__file__).with_name("peer_catanatron.py")
    answer = subprocess.run([python, script], check=True, capture_output=True, text=True)
    return float(answer.stdout.split()[-1])


def short(number):
    if number >= 1e6:
        return f"{number / 1e6:.2f} million"
    return f"{number / 1e3:.1f} thousand"


def main():
    print(
        f"{time.strftime('%Y-%m-%d')}, {processor()}, Python {platform.python_version()}, "
        f"batch {N_ENVS}, one thread.\n"
    )
    print("| Environment, random legal play with observation and mask | decisions per core-second |")
    print("| --- | ---: |")
    overheads = []
    for game, rows in (("catan", "turn"), ("orcain", "joint"), ("stellar", "joint")):
        for dtype in ("uint8", "float32"):
            rate_of_python, cost = ours(game, rows, dtype)
            kind = "joint decisions, " if rows == "joint" else ""
            print(f"| Referee {game}, {kind}{dtype}, through Python | {short(rate_of_python)} |")
            overheads.append(f"{game} {dtype} {100 * cost:.1f} %")
    others = [
        ("Referee catan, uint8, through gymnasium.make_vec", vectorized),
        ("Referee catan, one environment, through gymnasium.make (one learner's decisions)", single),
        ("Referee catan, one environment, PettingZoo", own_zoo),
        ("catanatron's gym (one learner's decisions)", catanatron),
        ("OpenSpiel backgammon (Python)", lambda: open_spiel("backgammon")),
        ("OpenSpiel goofspiel (Python), joint decisions", lambda: open_spiel("goofspiel(imp_info=True)")),
        ("PettingZoo connect four", connect_four),
    ]
    for name, measure in others:
        try:
            print(f"| {name} | {short(measure())} |")
        except Exception as error:  # report a package that does not run here
            print(f"| {name} | did not run: {type(error).__name__}: {error} |")
    print("\nOverhead of the Python layer over the same loop in Rust: " + "; ".join(overheads) + ".")


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            names = [line.split(":")[1].strip() for line in info if line.startswith("model name")]
        return names[0]
    except (OSError, IndexError):
        return platform.machine()


if __name__ == "__main__":
    sys.exit(main())
