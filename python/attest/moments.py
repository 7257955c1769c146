"""Examples that come as states and query features, without tokens."""

from __future__ import annotations

from typing import Any

from ._arrays import as_doubles
from .errors import InvalidInput


class Moments:
    """Examples that come as states and query features, for the layer ``moments``: y = P'(s x u).

    Parameters
    ----------
    s : array (N, q)
    u : array (N, m)

    Examples
    --------
    >>> import numpy as np, attest
    >>> rng = np.random.default_rng(0)
    >>> attest.certify(attest.Moments(rng.normal(size=(9, 2)), rng.normal(size=(9, 3)))).verdict
    'determined'
    """

    def __init__(self, s: Any, u: Any):
        self.s, self.u = as_doubles(s, "s"), as_doubles(u, "u")
        if self.s.ndim != 2 or self.u.ndim != 2 or len(self.s) != len(self.u) or not len(self.s):
            raise InvalidInput(f"Moments: got s {self.s.shape} and u {self.u.shape}, expected (N, q) and (N, m), N at least 1")

    @property
    def shape(self) -> tuple[int]:
        """(N,)."""
        return (len(self),)

    def __len__(self) -> int:
        return len(self.s)

    def __getitem__(self, at: Any) -> Moments:
        """The examples at a slice, a mask or an array of integers."""
        return Moments(self.s[at], self.u[at])
