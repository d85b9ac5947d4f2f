"""Who plays the jobs of an iteration: threads here, or actors of a Ray cluster."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Protocol

from referee.train.settings import Settings
from referee.train.worker import Episodes, Job, Worker


class Crew(Protocol):
    """Plays jobs, each by the worker of that number, and gives what came of them in their
    order."""

    # Those that a checkpoint keeps; empty where they are elsewhere.
    workers: list[Worker]

    def play(self, jobs: list[Job]) -> list[Episodes]:
        """Plays one job by each worker."""

    def close(self) -> None:
        """Ends the workers."""


def crew_of(settings: Settings, ray_address: str | None) -> Crew:
    """Threads, or actors where there is an address.

    Raises ``ValueError`` where Ray is not installed.
    """
    if ray_address is None:
        return Threads(settings)
    if find_spec("ray") is None:
        raise ValueError("--ray needs ray: pip install referee[ray]")
    from referee.train.cluster import Actors

    return Actors(settings, ray_address)


class Threads:
    """Workers in threads of this process."""

    def __init__(self, settings: Settings) -> None:
        self.workers = [Worker(settings, number) for number in range(settings.n_workers)]
        self._pool = ThreadPoolExecutor(settings.n_workers)

    def play(self, jobs: list[Job]) -> list[Episodes]:
        """Plays one job by each worker."""
        return list(self._pool.map(Worker.play, self.workers, jobs))

    def close(self) -> None:
        """Ends the threads."""
        self._pool.shutdown()
