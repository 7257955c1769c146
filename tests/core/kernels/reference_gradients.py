"""Passes forward and back of kernels of linear attention for one head, token by token, written from the formulas of docs/kernel-bounds.md in NumPy:
every operation in the type of its arrays, factors of matrix products through `cast`. They share no code with what they are checked by."""
import numpy as np

KINDS = ("linear", "simple-gla", "gla", "hgrn2", "delta", "gated-delta", "kda", "comba", "gdn2", "dplr")


# What both_passes knows to get wrong on the way back.
FAULTS = (
    "dfinal_state_ignored dinitial_state_zero dinitial_state_before_first_gate scale_missing_in_dq scale_missing_in_state_gradient "
    "state_gradient_lost_at_chunks last_chunk_ignored dq_before_own_token dbeta_without_correction dv_without_beta dk_write_missing dk_read_missing "
    "dk_read_sign correction_not_differentiated gate_missing_in_state_gradient dg_of_factor dg_base_two dg_late dg_early "
    "dg_not_cumulated_across_chunks dg_state_term_lost dg_state_term_lost_in_last_chunk"
).split()


def draw(rng, kind, T, K, V, rounding=lambda x: x):
    """Arrays of one head, and the gradients that come back to it, in float32."""
    n = lambda *shape: rng.standard_normal(shape)
    sigmoid = lambda x: 1 / (1 + np.exp(-x))
    unit = lambda x: x / np.sqrt((x * x).sum(-1, keepdims=True))
    x = {"q": n(T, K), "k": n(T, K), "v": n(T, V)}
    if kind in ("delta", "gated-delta", "kda", "comba", "gdn2"):
        x["k"], x["q"] = unit(x["k"]), unit(x["q"])
    if kind in ("delta", "gated-delta", "kda", "comba"):
        x["beta"] = sigmoid(n(T))
    if kind == "comba":
        x["p"] = 0.8 * x["k"] + 0.05 * n(T, K)
    if kind == "gdn2":
        x["b"], x["w"] = sigmoid(n(T, K)), sigmoid(n(T, V))
    if kind == "dplr":
        direction = unit(n(T, K))
        x["a"], x["b"] = -direction, direction * sigmoid(n(T, K))
    if kind in ("simple-gla", "gated-delta", "comba"):
        x["g"] = -np.log1p(np.exp(-n(T))) / 8
    if kind in ("gla", "kda", "gdn2", "dplr", "hgrn2"):
        x["g"] = -np.log1p(np.exp(-n(T, K))) / 16
    if kind == "hgrn2":
        del x["k"]
    x["do"] = n(T, V)
    x = {name: a.astype(np.float32) if name == "g" else rounding(a.astype(np.float32)) for name, a in x.items()}
    x["initial_state"], x["dfinal_state"] = n(K, V).astype(np.float32), n(K, V).astype(np.float32)
    x["scale"] = np.float32(K**-0.5)
    return x


def both_passes(x, kind, fault="", chunk=64, cast=lambda a: a):
    """o, final_state and every gradient; `fault` is made on the way back."""
    c, scale = cast, x["scale"]
    q, v, do, T = x["q"], x["v"], x["do"], len(x["q"])
    K = q.shape[1]
    g = x["g"].reshape(T, -1) if "g" in x else np.zeros((T, 1), np.float32)
    d = np.exp(g)
    k = 1 - d if kind == "hgrn2" else x["k"]
    corrected = kind in ("delta", "gated-delta", "kda", "comba", "gdn2")
    a = x["p"] if kind == "comba" else x["b"] * k if kind == "gdn2" else x.get("a", k)
    w = x["w"] * v if kind == "gdn2" else v
    beta = x.get("beta", np.ones(T, np.float32))
    S, o = x["initial_state"], np.empty_like(v)
    before, decayed, after, e = [], [], [], np.empty_like(v)
    for t in range(T):
        before.append(S)
        S = d[t][:, None] * S
        decayed.append(S)
        if kind == "dplr":
            e[t] = c(a[t]) @ c(before[-1])
            S = S + np.outer(c(x["b"][t]), c(e[t]))
        r = w[t]
        if corrected:
            e[t] = w[t] - c(a[t]) @ c(before[-1] if kind == "comba" else S)
            r = beta[t] * e[t]
        S = S + np.outer(c(k[t]), c(r))
        after.append(S)
        o[t] = scale * (c(q[t]) @ c(S))
    G = x["dfinal_state"] * np.float32(fault != "dfinal_state_ignored")
    out = {n: np.zeros((T, K), np.float32) for n in ("dq", "dk", "da", "db", "dg")}
    dw, dbeta = np.zeros_like(v), np.zeros(T, np.float32)
    for t in reversed(range(T)):
        if fault == "state_gradient_lost_at_chunks" and (t + 1) % chunk == 0 and t + 1 < T:
            G = 0 * G
        out["dq"][t] = (1 if fault == "scale_missing_in_dq" else scale) * (c(decayed[t] if fault == "dq_before_own_token" else after[t]) @ c(do[t]))
        if not (fault == "last_chunk_ignored" and t >= T // chunk * chunk):
            G = G + np.outer(c(q[t]), c((np.float32(1) if fault == "scale_missing_in_state_gradient" else scale) * do[t]))
        u = c(k[t]) @ c(G)
        if corrected:
            dbeta[t] = (w[t] if fault == "dbeta_without_correction" else e[t]) @ u
            dw[t] = u if fault == "dv_without_beta" else beta[t] * u
            out["dk"][t] = (c(G) @ c(beta[t] * e[t])) * np.float32(fault != "dk_write_missing")
            read = before[t] if kind == "comba" else decayed[t]
            out["da"][t] = -(c(read) @ c(beta[t] * u)) * np.float32({"dk_read_missing": 0, "dk_read_sign": -1}.get(fault, 1))
            if kind != "comba" and fault != "correction_not_differentiated":
                G = G - np.outer(c(a[t]), c(beta[t] * u))
        else:
            out["dk"][t], dw[t] = c(G) @ c(w[t]), u
        if kind == "dplr":
            y = c(x["b"][t]) @ c(G)
            out["db"][t], out["da"][t] = c(G) @ c(e[t]), c(before[t]) @ c(y)
        out["dg"][t] = (G * decayed[t]).sum(1) / (d[t] if fault == "dg_of_factor" else np.float32(1))
        if fault != "gate_missing_in_state_gradient" and not (fault == "dinitial_state_before_first_gate" and t == 0):
            G = d[t][:, None] * G
        if kind == "dplr":
            G = G + np.outer(c(a[t]), c(y))
        if kind == "comba" and fault != "correction_not_differentiated":
            G = G - np.outer(c(a[t]), c(beta[t] * u))
    gradients = chain(x, kind, out, dw, dbeta, k, d)
    if "g" in x:
        gradients["dg"] = spoiled(gradients["dg"], fault, chunk, (S * x["dfinal_state"]).sum(1))
    gradients["dinitial_state"] = 0 * G if fault == "dinitial_state_zero" else G
    return dict(o=o, final_state=S, **gradients)


def chain(x, kind, out, dw, dbeta, k, d):
    """Back to the arrays that the kernel was given."""
    dk, da = out["dk"], out["da"]
    found = {"dq": out["dq"], "dv": dw}
    if kind in ("delta", "gated-delta", "kda"):
        dk = dk + da
    if kind == "comba":
        found["dp"] = da
    if kind == "gdn2":
        dk, found["db"] = dk + x["b"] * da, k * da
        found["dw"], found["dv"] = dw * x["v"], dw * x["w"]
    if kind == "dplr":
        found["da"], found["db"] = da, out["db"]
    if "beta" in x:
        found["dbeta"] = dbeta
    if "g" in x:
        found["dg"] = out["dg"] if x["g"].ndim == 2 else out["dg"].sum(1)
    if kind == "hgrn2":
        found["dg"] = found["dg"] - d * dk
    else:
        found["dk"] = dk
    return found


def spoiled(dg, fault, chunk, state_term):
    """The faults that are made in sums over tokens."""
    T, wrong = len(dg), dg.copy()
    state_term = state_term if dg.ndim == 2 else state_term.sum()
    if fault == "dg_base_two":
        wrong = dg * np.float32(np.log(2))
    elif fault == "dg_late":
        wrong[1:], wrong[0] = dg[:-1], 0
    elif fault == "dg_early":
        wrong[:-1], wrong[-1] = dg[1:], 0
    elif fault == "dg_not_cumulated_across_chunks":
        for first in range(0, T - chunk, chunk):
            wrong[first : first + chunk] -= dg[first + chunk]
    elif fault == "dg_state_term_lost":
        wrong -= state_term
    elif fault == "dg_state_term_lost_in_last_chunk":
        wrong[T // chunk * chunk :] -= state_term
    return wrong
