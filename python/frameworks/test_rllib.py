"""RLlib's PPO with RLlib's masking module, for one learner and for self-play."""

import os
import unittest

os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import (
    ActionMaskingTorchRLModule,
)
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from referee.rllib import MaskedEnv, SelfPlayEnv

MODULE = {"head_fcnet_hiddens": [64], "fcnet_hiddens": [64]}


def config(env, env_config):
    return (
        PPOConfig()
        # RLlib's own check draws actions without regard to the mask, and here an illegal one is an
        # error. The check has a separate test below.
        .environment(env, env_config=env_config, disable_env_checking=True)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .training(train_batch_size_per_learner=400, minibatch_size=200, num_epochs=1)
        .debugging(seed=1)
    )


class RlLib(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ray.init(num_cpus=2, include_dashboard=False, configure_logging=False)

    @classmethod
    def tearDownClass(cls):
        ray.shutdown()

    def test_every_agent_that_must_decide_gets_an_observation(self):
        env = SelfPlayEnv({"game": "orcain", "illegal": "refuse"})
        seen, _ = env.reset(seed=4)
        for _ in range(1000):
            self.assertTrue(seen)
            for agent, observation in seen.items():
                self.assertTrue(env.observation_spaces[agent].contains(observation))
            actions = {
                agent: int(np.flatnonzero(observation["action_mask"])[0])
                for agent, observation in seen.items()
            }
            seen, rewards, ended, cut, _ = env.step(actions)
            if ended["__all__"] or cut["__all__"]:
                self.assertEqual(set(rewards), set(env.possible_agents))
                return
        self.fail("the match did not end")

    def test_the_official_check_passes_although_it_ignores_masks(self):
        for seed in range(20):
            np.random.seed(seed)
            check_multiagent_environments(SelfPlayEnv({"game": "orcain"}))

    def test_one_learner(self):
        # An illegal action would raise an error.
        spec = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=MODULE)
        game = {"game": "catan", "illegal": "refuse"}
        algorithm = config(MaskedEnv, game).rl_module(rl_module_spec=spec).build_algo()
        result = algorithm.train()
        self.assertGreater(result["num_env_steps_sampled_lifetime"], 0)
        algorithm.stop()

    def test_self_play_with_one_policy(self):
        spec = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=MODULE)
        spec = MultiRLModuleSpec(rl_module_specs={"all": spec})
        game = {"game": "orcain", "illegal": "refuse"}
        algorithm = (
            config(SelfPlayEnv, game)
            .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, *_, **__: "all")
            .rl_module(rl_module_spec=spec)
            .build_algo()
        )
        weights = algorithm.get_module("all").state_dict()
        before = {name: tensor.clone() for name, tensor in weights.items()}
        result = algorithm.train()
        self.assertGreater(result["env_runners"]["num_episodes"], 0)
        learned = algorithm.learner_group.get_weights()["all"]
        moved = [
            name for name, tensor in before.items() if (np.asarray(learned[name]) != tensor.numpy()).any()
        ]
        self.assertTrue(moved)
        algorithm.stop()


if __name__ == "__main__":
    unittest.main()
