"""Examples that come as states and query features, without tokens."""

from __future__ import annotations

from typing import Any

import numpy as np

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

    @classmethod
    def of_delta(cls, tokens: Any, keys: Any, beta: Any, gates: Any = None) -> Moments:
        """What a delta rule with recorded keys, strengths and gates sees of its tokens: y = V A Q z for A <- A diag(g) (I - b k k') + b z k'.

        With values V z and queries Q z that is linear in V x Q, which certify and learn then speak of. The states are rounded to doubles; proofs are about these
        doubles. Of one head ``Dataset.of(X, y, layer="delta", keys=, beta=)`` keeps what was recorded, and proofs are about that.

        Parameters
        ----------
        tokens : array (N, n, d)
            The last one of a sequence, z, asks.
        keys : array (N, n, K) or (N, n, H, K)
            As they enter the recurrence, norms and convolutions applied; of H heads, their states one after the other.
        beta : array (N, n) or (N, n, H)
        gates : array of beta's shape or of the keys', optional
            Factors of the state, one a token and head or one for each of its keys' entries; the logarithms that kernels take are to be exponentiated.

        Examples
        --------
        >>> import numpy as np, attest
        >>> rng = np.random.default_rng(0)
        >>> attest.Moments.of_delta(rng.normal(size=(9, 4, 2)), rng.normal(size=(9, 4, 3)), np.ones((9, 4))).s.shape
        (9, 6)
        """
        z, k, b = as_doubles(tokens, "tokens"), as_doubles(keys, "keys"), as_doubles(beta, "beta")
        if z.ndim != 3 or k.ndim not in (3, 4) or not z.shape[1] or k.shape[:2] != z.shape[:2] or b.shape != k.shape[:-1]:
            expected = "(N, n, d), (N, n, K) and (N, n), or (N, n, d), (N, n, H, K) and (N, n, H)"
            raise InvalidInput(f"Moments.of_delta: got tokens {z.shape}, keys {k.shape} and beta {b.shape}, expected {expected}")
        g = np.ones(b.shape) if gates is None else as_doubles(gates, "gates")
        if g.shape not in (b.shape, k.shape):
            raise InvalidInput(f"Moments.of_delta: got gates {g.shape}, expected {b.shape}, one for each of the keys, or {k.shape}, one for each of their entries")
        g = np.broadcast_to(g[..., None] if g.ndim < k.ndim else g, k.shape)
        k, b, g = (k[:, :, None], b[:, :, None], g[:, :, None]) if k.ndim == 3 else (k, b, g)
        A = np.zeros((len(z), k.shape[2], z.shape[2], k.shape[3]))
        for t in range(z.shape[1]):
            A = A * g[:, t, :, None]
            held = (A * k[:, t, :, None]).sum(-1)
            A = A + (b[:, t, :, None] * (z[:, t, None] - held))[..., None] * k[:, t, :, None]
        return cls(A.reshape(len(z), -1), z[:, -1])

    @property
    def shape(self) -> tuple[int]:
        """(N,)."""
        return (len(self),)

    def __len__(self) -> int:
        return len(self.s)

    def __getitem__(self, at: Any) -> Moments:
        """The examples at a slice, a mask or an array of integers."""
        return Moments(self.s[at], self.u[at])
