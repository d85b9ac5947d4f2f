"""Measures catanatron's gym in a separate environment, as it needs an older Gymnasium than ours.

Prints the learner's decisions per second of processor time. The opponent's are not counted.
"""

import random
import time
import warnings

import catanatron_gym  # noqa: F401  registers its environment
import gymnasium

warnings.simplefilter("ignore")


def main():
    env = gymnasium.make("catanatron_gym:catanatron-v1")
    chooser = random.Random(1)
    env.reset(seed=1)
    n_done, begin = 0, time.process_time()
    while time.process_time() - begin < 3.0:
        actions = env.unwrapped.get_valid_actions()
        _, _, ended, cut, _ = env.step(chooser.choice(actions))
        n_done += 1
        if ended or cut:
            env.reset()
    print(n_done / (time.process_time() - begin))


if __name__ == "__main__":
    main()
