"""Crews play the jobs of an iteration: threads in this process, or actors in a Ray cluster."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Protocol

from referee.train.settings import Settings
from referee.train.worker import Episodes, Job, Worker


class Crew(Protocol):
    """Plays jobs, each on the worker with that number, and returns the results in order."""

    # The workers that a checkpoint saves; empty if they run elsewhere.
    workers: list[Worker]

    def play(self, jobs: list[Job]) -> list[Episodes]:
        """Plays one job on each worker."""

    def close(self) -> None:
        """Stops the workers."""


def crew_of(settings: Settings, ray_address: str | None) -> Crew:
    """Threads, or Ray actors if there is an address.

    Raises ``ValueError`` if Ray is needed but not installed.
    """
    if ray_address is None:
        return Threads(settings)
    if find_spec("ray") is None:
        raise ValueError("--ray needs ray: pip install referee[ray]")
    from referee.train.cluster import Actors

    return Actors(settings, ray_address)


def address_faults(address: str) -> list[str]:
    """The faults of a Ray address."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if address in ("local", "auto") or (host and port.isdecimal() and int(port) < 1 << 16):
        return []
    return [f"--ray {address}: expected local, auto, HOST:PORT or ray://HOST:PORT"]


class Threads:
    """Workers in threads of this process."""

    def __init__(self, settings: Settings) -> None:
        self.workers = [Worker(settings, number) for number in range(settings.n_workers)]
        self._pool = ThreadPoolExecutor(settings.n_workers)

    def play(self, jobs: list[Job]) -> list[Episodes]:
        """Plays one job on each worker."""
        return list(self._pool.map(Worker.play, self.workers, jobs))

    def close(self) -> None:
        """Stops the threads."""
        self._pool.shutdown()
