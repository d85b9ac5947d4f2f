"""Workers as actors of a Ray cluster."""

from __future__ import annotations

import jax
import numpy as np
import ray

from referee.train.net import Params
from referee.train.settings import Settings
from referee.train.worker import Episodes, Job, Worker


class Actors:
    """One actor for each worker, with a processor of its own. They give whole episodes."""

    def __init__(self, settings: Settings, address: str) -> None:
        # Environments live in the actors: a run that goes on begins new matches.
        self.workers: list[Worker] = []
        # A session that was there before goes on after the run.
        self._is_ours = not ray.is_initialized()
        self._actors: list[ray.actor.ActorHandle] = []
        self._connect(settings, address)
        actor = ray.remote(num_cpus=1)(Actor)
        self._actors = [
            actor.remote(settings, number, whole=True) for number in range(settings.n_workers)
        ]

    def play(self, jobs: list[Job]) -> list[Episodes]:
        """Plays one job by each actor. Networks that are the same travel once."""
        there: dict[int, ray.ObjectRef] = {}

        def sent(params: Params) -> ray.ObjectRef:
            if id(params) not in there:
                there[id(params)] = ray.put(jax.tree.map(np.asarray, params))
            return there[id(params)]

        parts = zip(self._actors, jobs, strict=True)
        return ray.get(
            [actor.work.remote(job.seed, sent(job.params), sent(job.past)) for actor, job in parts]
        )

    def close(self) -> None:
        """Ends the actors, and Ray where the run has started it."""
        for actor in self._actors:
            ray.kill(actor)
        if self._is_ours:
            ray.shutdown()

    def _connect(self, settings: Settings, address: str) -> None:
        """Raises ``ValueError`` where there is no such cluster or it has too few processors,
        for which actors would wait for ever."""
        if self._is_ours:
            try:
                ray.init(address=address, log_to_driver=False)
            except (ConnectionError, RuntimeError, ValueError) as fault:
                raise ValueError(f"--ray {address}: {fault}") from fault
        n_processors = int(ray.cluster_resources().get("CPU", 0))
        if n_processors < settings.n_workers:
            self.close()
            raise ValueError(
                f"--ray {address}: the cluster has {n_processors} processors, one is needed "
                f"for each of {settings.n_workers} workers: lower --n-workers"
            )


class Actor(Worker):
    """A worker whose networks come by reference."""

    def work(self, seed: int, params: Params, past: Params) -> Episodes:
        """Plays a job."""
        return self.play(Job(seed, params, past))
