"""Training by self-play: ``python -m referee.train catan``. Needs ``jax`` and ``optax``."""
