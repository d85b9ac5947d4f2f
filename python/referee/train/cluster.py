"""Workers as actors in a Ray cluster."""

from __future__ import annotations

import socket

import jax
import numpy as np
import ray

from referee.train.net import Params
from referee.train.settings import Settings
from referee.train.worker import Episodes, Job, Worker

# The time limit for connecting to a cluster, in seconds.
KNOCK_S = 10


class Actors:
    """One actor for each worker, with one processor each. They return complete episodes."""

    def __init__(self, settings: Settings, address: str) -> None:
        # Environments live in the actors, so a resumed run begins new matches.
        self.workers: list[Worker] = []
        # A Ray session that existed before must outlive the run.
        self._is_ours = not ray.is_initialized()
        self._actors: list[ray.actor.ActorHandle] = []
        self._connect(settings, address)
        actor = ray.remote(num_cpus=1)(Actor)
        self._actors = [actor.remote(settings, number, whole=True) for number in range(settings.n_workers)]

    def play(self, jobs: list[Job]) -> list[Episodes]:
        """Plays one job on each actor. Identical networks are sent only once."""
        there: dict[int, ray.ObjectRef] = {}

        def sent(params: Params) -> ray.ObjectRef:
            if id(params) not in there:
                there[id(params)] = ray.put(jax.tree.map(np.asarray, params))
            return there[id(params)]

        parts = zip(self._actors, jobs, strict=True)
        work = [actor.work.remote(job.seed, sent(job.params), sent(job.past)) for actor, job in parts]
        episodes: list[Episodes] = ray.get(work)
        return episodes

    def close(self) -> None:
        """Stops the actors, and Ray if the run has started it."""
        for actor in self._actors:
            ray.kill(actor)
        if self._is_ours:
            ray.shutdown()

    def _connect(self, settings: Settings, address: str) -> None:
        """Raises ``ValueError`` if the cluster is unreachable or has too few processors, for which
        actors would wait forever."""
        if self._is_ours:
            try:
                _knock(address)
                ray.init(address=address, log_to_driver=False)
            except (OSError, RuntimeError, ValueError) as fault:
                raise ValueError(f"--ray {address}: {fault}") from fault
        n_processors = int(ray.cluster_resources().get("CPU", 0))
        if n_processors < settings.n_workers:
            self.close()
            raise ValueError(
                f"--ray {address}: the cluster has {n_processors} processors, but each of "
                f"{settings.n_workers} workers needs one: lower --n-workers"
            )


def _knock(address: str) -> None:
    """Raises ``OSError`` if nothing listens at the address: Ray itself would retry for minutes."""
    if address in ("local", "auto"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    socket.create_connection((host, int(port)), KNOCK_S).close()


class Actor(Worker):
    """A worker that receives networks by reference."""

    def work(self, seed: int, params: Params, past: Params) -> Episodes:
        """Plays a job."""
        return self.play(Job(seed, params, past))
