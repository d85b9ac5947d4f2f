"""Registers the environments with Gymnasium."""

from __future__ import annotations

import gymnasium

from referee import _native


def register_all() -> None:
    """Registers ``referee/GAME-v0`` for every game, unless it is registered already."""
    for game in _native.games():
        name = f"referee/{game}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="referee.single:RefereeEnv",
                vector_entry_point="referee.vector:RefereeVectorEnv",
                kwargs={"game": game},
                # The rules end every match, so Gymnasium needs no limit.
                max_episode_steps=None,
                disable_env_checker=False,
                order_enforce=True,
            )
