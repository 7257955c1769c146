"""A gated kernel in chunks of 16 tokens, forward and back, in NumPy; and the same with a mistake that no test of its outputs can see."""

import numpy as np

CHUNK = 16


def sequences(q, cu_seqlens):
    """Where each sequence lies: (batch, tokens, number)."""
    if cu_seqlens is None:
        return [(b, slice(None), b) for b in range(len(q))]
    return [(0, slice(first, last), i) for i, (first, last) in enumerate(zip(cu_seqlens[:-1], cu_seqlens[1:]))]


def simple_gla(*, q, k, v, g=None, scale=None, initial_state=None, cu_seqlens=None, do=None, dfinal_state=None, dg_across_chunks=True):
    """S_t = exp(g_t) S_{t-1} + k_t v_tᵀ, o_t = scale S_tᵀ q_t: o and final_state, and with `do` the gradient of every input."""
    g = np.zeros(v.shape[:3], np.float32) if g is None else g
    scale = np.float32(q.shape[-1] ** -0.5 if scale is None else scale)
    parts = sequences(q, cu_seqlens)
    heads = v.shape[2]
    shared = heads // q.shape[2]  # heads of the values that read one head of the keys
    states = (len(parts), heads, q.shape[-1], v.shape[-1])
    found = {"o": np.empty_like(v), "final_state": np.empty(states, v.dtype)}
    if do is not None:
        found.update({name: np.zeros_like(x) for name, x in (("dq", q), ("dk", k), ("dv", v), ("dg", g))}, dinitial_state=np.empty(states, v.dtype))
    for b, tokens, i in parts:
        for h in range(heads):
            one = [x[b, tokens, h // shared] for x in (q, k)] + [x[b, tokens, h] for x in (v, g)]
            start = np.zeros(states[2:], v.dtype) if initial_state is None else initial_state[i, h]
            o, S, before = forward(*one, scale, start)
            found["o"][b, tokens, h], found["final_state"][i, h] = o, S
            if do is None:
                continue
            G = np.zeros_like(S) if dfinal_state is None else dfinal_state[i, h]
            dq, dk, dv, dg, found["dinitial_state"][i, h] = back(*one, scale, before, do[b, tokens, h], G, dg_across_chunks)
            found["dq"][b, tokens, h // shared] += dq
            found["dk"][b, tokens, h // shared] += dk
            found["dv"][b, tokens, h], found["dg"][b, tokens, h] = dv, dg
    if initial_state is None:
        found.pop("dinitial_state", None)
    return found


def decays(g):
    """exp(g_{s+1} + … + g_t) for s ≤ t, and the cumulated logarithms."""
    b = np.cumsum(g, dtype=g.dtype)
    return np.tril(np.exp(np.minimum(b[:, None] - b[None], 0))), b


def forward(q, k, v, g, scale, S):
    """Of one head: outputs, final state, and the state before each chunk."""
    o, before = np.empty_like(v), []
    for first in range(0, len(q), CHUNK):
        Q, K, V = (x[first : first + CHUNK] for x in (q, k, v))
        D, b = decays(g[first : first + CHUNK])
        before.append(S)
        o[first : first + CHUNK] = ((Q @ K.T * D) @ V + (Q * np.exp(b)[:, None]) @ S) * scale
        S = np.exp(b[-1]) * S + (K * np.exp(b[-1] - b)[:, None]).T @ V
    return o, S, before


def back(q, k, v, g, scale, before, do, G, dg_across_chunks):
    """Of one head: gradients of q, k, v, g and of the state that it began with, from the last chunk to the first."""
    dq, dk, dv, dg = (np.empty_like(x) for x in (q, k, v, g))
    for chunk in reversed(range(len(before))):
        rows = slice(chunk * CHUNK, (chunk + 1) * CHUNK)
        Q, K, V, dO, S = q[rows], k[rows], v[rows], scale * do[rows], before[chunk]
        D, b = decays(g[rows])
        into, out = np.exp(b)[:, None], np.exp(b[-1] - b)[:, None]
        dA = dO @ V.T * D
        dq[rows] = dA @ K + into * (dO @ S.T)
        dk[rows] = dA.T @ Q + out * (V @ G.T)
        dv[rows] = (Q @ K.T * D).T @ dO + out * (K @ G)
        # What follows from q·dq − k·dk, summed from the last token of the sequence to this one.
        end = np.exp(b[-1]) * S + (K * out).T @ V
        behind = (G * end).sum() if dg_across_chunks or chunk == len(before) - 1 else np.float32(0)
        share = (Q * dq[rows] - K * dk[rows]).sum(1)
        dg[rows] = np.cumsum(share[::-1], dtype=g.dtype)[::-1] + behind
        G = np.exp(b[-1]) * G + (Q * into).T @ dO
    return dq, dk, dv, dg, G


def simple_gla_wrong(**arguments):
    """Right outputs, right dq, dk and dv; dg lacks what runs through the chunks behind."""
    return simple_gla(**arguments, dg_across_chunks=False)
