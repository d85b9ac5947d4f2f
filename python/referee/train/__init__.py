"""Training by self-play: ``python -m referee.train catan``.

Needs ``pip install referee[train]``. :class:`~referee.train.trainer.Trainer` learns,
:class:`~referee.train.worker.Worker` plays, :mod:`referee.train.crew` brings them together.
"""
