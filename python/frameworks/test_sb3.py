"""sb3-contrib learns with the native ``VecEnv`` and only takes actions that the mask allows."""

import unittest

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

import referee
from referee.sb3 import RefereeVecEnv


class Sb3(unittest.TestCase):
    def test_masks_are_found_and_legal(self):
        env = RefereeVecEnv("catan", 8)
        env.seed(3)
        env.reset()
        self.assertTrue(is_masking_supported(env))
        masks = get_action_masks(env)
        self.assertEqual(masks.shape, (8, env.action_space.n))
        match = referee.Match("catan", seed=3)
        self.assertEqual(list(np.flatnonzero(masks[0])), match.legal(0))

    def test_the_end_of_a_match_is_reported(self):
        env = RefereeVecEnv("orcain", 4)
        env.seed(1)
        env.reset()
        ended = 0
        for _ in range(200):
            masks = env.action_masks()
            actions = np.array([np.flatnonzero(mask)[0] for mask in masks])
            _, rewards, dones, infos = env.step(actions)
            for reward, done, info in zip(rewards, dones, infos, strict=True):
                self.assertEqual("terminal_observation" in info, bool(done))
                self.assertTrue(done or reward == 0)
                ended += int(done)
        self.assertGreater(ended, 4)

    def test_maskable_ppo_learns_and_plays_legally(self):
        # An illegal action would raise an error.
        env = VecMonitor(RefereeVecEnv("orcain", 16, illegal="refuse"))
        env.seed(1)
        model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=256, seed=1, device="cpu")
        before = [parameter.detach().clone() for parameter in model.policy.parameters()]
        model.learn(4 * 64 * 16)
        pairs = zip(before, model.policy.parameters(), strict=True)
        moved = [bool((old != new).any()) for old, new in pairs]
        self.assertTrue(all(moved))
        self.assertGreater(len(model.ep_info_buffer), 0)
        seen = env.reset()
        for _ in range(100):
            actions, _ = model.predict(seen, action_masks=get_action_masks(env))
            seen, _, _, _ = env.step(actions)

    def test_a_single_environment_also_has_masks(self):
        from referee.single import RefereeEnv

        model = MaskablePPO(
            "MlpPolicy",
            RefereeEnv("catan", illegal="refuse"),
            n_steps=32,
            batch_size=32,
            seed=1,
            device="cpu",
        )
        model.learn(64)


if __name__ == "__main__":
    unittest.main()
