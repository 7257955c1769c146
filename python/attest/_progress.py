"""Who is told how far a long call is: a bar of tqdm, or a callable."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Optional, Union

from .errors import InvalidInput


class Progress(NamedTuple):
    """How far one stage of a call is: `done` of `total`, which is None where nobody knows."""

    stage: str
    done: int
    total: int | None


Wanted = Union[bool, Callable[[Progress], Any], None]
Told = Optional[Callable[[str, int, int], None]]


@contextlib.contextmanager
def told(progress: Wanted, call: str) -> Iterator[Told]:
    """What `_core` tells: nobody for None and False; a bar for True, silent where tqdm is not installed; else the callable.

    It is called by the thread that made the call, about every 50 ms. What it raises stops the work and comes out of the call.
    """
    if progress is None or progress is False:
        yield None
    elif progress is True:
        with _bar(call) as bar:
            yield bar
    elif callable(progress):
        tell = progress
        yield lambda stage, done, total: (tell(Progress(stage, done, total or None)), None)[1]
    else:
        raise InvalidInput(f"progress: got {progress!r}, expected True, None or a callable that takes a Progress")


@contextlib.contextmanager
def _bar(call: str) -> Iterator[Told]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # without ipywidgets tqdm falls back to text and says so
            from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(desc=call, leave=False) as bar:

        def tell(stage: str, done: int, total: int) -> None:
            bar.total = total or None
            bar.n = done
            bar.set_description(f"{call}: {stage}", refresh=False)
            bar.refresh()

        yield tell


__all__ = ["Progress", "Told", "Wanted", "told"]
