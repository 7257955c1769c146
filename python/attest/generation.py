"""Data of tasks, with their ground truth."""

from __future__ import annotations

from typing import Any

from . import _core
from ._arrays import seed_of, threads_of
from .data import Dataset


def tasks() -> list[str]:
    """The names that `generate` takes.

    Examples
    --------
    >>> import attest
    >>> "random-linear-attention" in attest.tasks()
    True
    """
    return _core.task_names()


def generate(task: str, num_sequences: int = 1000, *, random_state: Any = None, n_jobs: int | None = None, **settings: Any) -> Dataset:
    """Draws data of a task with its ground truth, the same as ``attest generate`` with that seed.

    Parameters
    ----------
    task : str
        One of `tasks()`.
    num_sequences : int
    random_state : int, numpy Generator or None
        None is 0.
    n_jobs : int or None
    **settings
        The task's parameters.

    Examples
    --------
    >>> import attest
    >>> data = attest.generate("random-linear-attention", 50, d=2, n=6, heads=1)
    >>> data.X.shape, data.y.shape
    ((50, 2, 6), (50, 2))
    """
    words = {name: str(value) for name, value in settings.items()}
    return Dataset(_core.generate(task, words, seed_of(random_state), num_sequences, threads_of(n_jobs)))
