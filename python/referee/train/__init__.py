"""Training by self-play: ``python -m referee.train catan``.

Needs ``pip install referee[train]``. :class:`~referee.train.trainer.Trainer` learns,
:class:`~referee.train.worker.Worker` plays, and :mod:`referee.train.crew` connects them.
"""
