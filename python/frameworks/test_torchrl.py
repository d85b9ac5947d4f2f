"""TorchRL's check of the specs, and a step of PPO over masked actions."""

import unittest

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, TransformedEnv
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import referee
from referee.torchrl import RefereeEnv


class TorchRl(unittest.TestCase):
    def test_the_specs_match_the_data(self):
        for game in referee.games():
            for dtype in ("uint8", "float32"):
                with self.subTest(game=game, dtype=dtype):
                    check_env_specs(RefereeEnv(game, 3, dtype=dtype))

    def test_the_same_seed_gives_the_same_match_as_in_other_classes(self):
        env = RefereeEnv("catan", 2)
        env.set_seed(5)
        seen = env.reset()
        match = referee.Match("catan", seed=6)
        legal = seen["action_mask"][1].nonzero().flatten().tolist()
        self.assertEqual(legal, match.legal(0))
        self.assertEqual(env._batch.state_hash(0)[:7], "sha256:")

    def test_the_action_mask_transform_draws_legal_actions(self):
        torch.manual_seed(0)
        env = TransformedEnv(RefereeEnv("catan", 4, illegal="refuse"), ActionMask())
        rollout = env.rollout(200, break_when_any_done=False)
        chosen = rollout["action_mask"].gather(-1, rollout["action"].unsqueeze(-1))
        self.assertTrue(chosen.all())

    def test_a_step_of_ppo_over_masked_actions(self):
        torch.manual_seed(0)
        env = RefereeEnv("orcain", 16, illegal="refuse")
        n_values = env.observation_spec["observation"].shape[-1]
        n_actions = env.action_spec.n
        net = nn.Sequential(nn.Linear(n_values, 64), nn.Tanh(), nn.Linear(64, n_actions))
        actor = ProbabilisticActor(
            TensorDictModule(net, in_keys=["observation"], out_keys=["logits"]),
            in_keys={"logits": "logits", "mask": "action_mask"},
            out_keys=["action"],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
        )
        critic = ValueOperator(
            nn.Sequential(nn.Linear(n_values, 64), nn.Tanh(), nn.Linear(64, 1)),
            in_keys=["observation"],
        )
        loss_of = ClipPPOLoss(actor, critic)
        advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
        collector = Collector(env, actor, frames_per_batch=1024, total_frames=2048)
        optimiser = torch.optim.Adam(loss_of.parameters(), 1e-3)
        before = [parameter.detach().clone() for parameter in net.parameters()]
        ended = 0
        for batch in collector:
            ended += int(batch["next", "done"].sum())
            advantage(batch)
            losses = loss_of(batch.reshape(-1))
            total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
            self.assertTrue(bool(torch.isfinite(total)))
            optimiser.zero_grad()
            total.backward()
            optimiser.step()
        collector.shutdown()
        self.assertGreater(ended, 16)
        pairs = zip(before, net.parameters(), strict=True)
        moved = [bool((old != new).any()) for old, new in pairs]
        self.assertTrue(all(moved))


if __name__ == "__main__":
    unittest.main()
