"""many_faults_test.py fp32|bf16 [SHARE]: some eighty planted faults, or one in SHARE of them, in float32 or with factors and rows in bfloat16, through `attest.kernel_check`. Each is wrong
or suspicious, and four in five have their name among what is said. A right kernel beside each is neither. docs/kernels.md says how many there are, and how many are
named: that is held against all of them. Exit: 0 so it is, 1 not, 2 usage, 77 without NumPy."""
import os
import re
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(77)

from attest.kernels import check_options, checked, exact_doubles

import reference_gradients as gradients
OF_THE_PASS_BACK = gradients.FAULTS
from reference_kernels import to_bf16

T, K, V, CHUNK = 150, 16, 16, 64
softplus = lambda x: np.log1p(np.exp(x))
sigmoid = lambda x: 1 / (1 + np.exp(-x))


def draw(seed, kind, rounding, H=1, HV=None, starts=(0, T), flags=(), V=V):
    """A call: arrays (T,H,·) and states (N,H,K,V), and what is read of them."""
    rng, HV = np.random.default_rng(seed), HV or H
    n = lambda *shape: rng.standard_normal(shape)
    unit = lambda x: x / np.sqrt((x * x).sum(-1, keepdims=True))
    x = {"q": n(T, H, K), "k": n(T, H, K), "v": n(T, HV, V), "do": n(T, HV, V)}
    if kind in ("delta", "gated-delta", "kda", "comba") and "l2norm" not in flags:
        x["q"], x["k"] = unit(x["q"]), unit(x["k"])
    if kind in ("delta", "gated-delta", "kda", "comba"):
        x["beta"] = n(T, HV) if "sigmoid" in flags else sigmoid(n(T, HV))
    if kind == "comba":
        x["p"] = 0.8 * x["k"] + 0.1 * n(T, H, K)
    if kind in ("simple-gla", "gated-delta", "comba"):
        x["g"] = n(T, HV) if "gate" in flags else -softplus(-n(T, HV)) / 8
    if kind in ("gla", "kda"):
        x["g"] = -softplus(-n(T, HV, K)) / 16
    if "gate" in flags:
        x["A_log"], x["dt_bias"] = np.log(rng.uniform(0.1, 0.5, HV)), n(HV)
    states = (len(starts) - 1, HV, K, V)
    x = {name: a.astype(np.float32) if name in ("g", "A_log", "dt_bias") else rounding(a.astype(np.float32)) for name, a in x.items()}
    x["initial_state"], x["dfinal_state"] = n(*states).astype(np.float32), n(*states).astype(np.float32)
    return {"kind": kind, "x": x, "starts": starts, "flags": flags, "scale": np.float32(K**-0.5), "cast": rounding}


def kernel(call, fault="", without=(), share="sum", leak=False, kept=False, cut=None, first_sequence=False, scale=None, chain=(), **changed):
    """Every result of a call by the formulas of docs/kernel-bounds.md, head by head; `fault` and the rest is what is wrong."""
    kind, starts, flags = call["kind"], call["starts"], call["flags"]
    x = {**call["x"], **changed}
    x = {name: a for name, a in x.items() if name not in without}
    H, HV = x["q"].shape[1], x["v"].shape[1]
    out = {"o": np.zeros_like(x["v"]), "final_state": np.zeros_like(call["x"]["initial_state"])}
    out.update({"d" + name: np.zeros_like(x[name]) for name in ("q", "k", "v", "g", "beta", "p", "A_log", "dt_bias") if name in x})
    out["dinitial_state"] = np.zeros_like(out["final_state"])
    G = None
    order = range(len(starts) - 1) if kept else reversed(range(len(starts) - 1))
    for s in order:
        rows = slice(starts[s], starts[s + 1])
        behind, G = G, np.zeros_like(out["final_state"][0])
        for h in range(HV):
            part, back = one_head(call, x, s, rows, h, h * H // HV, without)
            part["scale"] = call["scale"] if scale is None else np.float32(scale)
            if leak and behind is not None:
                part["dfinal_state"] = part["dfinal_state"] + behind[h]
            if kept and s > 0:
                part["initial_state"] = out["final_state"][s - 1, h]
            found = whole_or_cut(part, kind, fault, call["cast"], cut)
            G[h] = found["dinitial_state"]
            out["o"][rows, h], out["final_state"][s, h], out["dinitial_state"][s, h] = found["o"], found["final_state"], found["dinitial_state"]
            for name, d in back(found, chain).items():
                if name in ("dq", "dk", "dp"):
                    one_of = share == "first" and h % (HV // H)
                    out[name][rows, h * H // HV] += 0 * d if one_of else d / np.float32(HV // H if share == "mean" else 1)
                elif name in ("dA_log", "ddt_bias"):
                    out.setdefault(name, np.zeros(HV, np.float32))[h] += d * np.float32(not (first_sequence and s > 0))
                else:
                    out[name][rows, h] = d
    return out


def whole_or_cut(part, kind, fault, cast, cut):
    """The sequence of a head, or its pieces from these tokens on with the state lost between them."""
    if not cut:
        return gradients.both_passes(part, kind, fault=fault, cast=cast)
    ends, found, n = [*cut, len(part["q"])], [], len(part["q"])
    for first, last in zip([0, *cut], ends):
        piece = {name: a[first:last] if getattr(a, "ndim", 0) and len(a) == n and name not in ("initial_state", "dfinal_state") else a for name, a in part.items()}
        piece["initial_state"] = part["initial_state"] * np.float32(first == 0)
        piece["dfinal_state"] = part["dfinal_state"] * np.float32(last == n)
        found.append(gradients.both_passes(piece, kind, cast=cast))
    joined = {name: np.concatenate([one[name] for one in found]) for name in found[0] if name not in ("final_state", "dinitial_state")}
    return {**joined, "final_state": found[-1]["final_state"], "dinitial_state": found[0]["dinitial_state"]}


def one_head(call, x, s, rows, h, shared, without):
    """What the recurrence reads of a head, and the way back to what the kernel was given."""
    flags = [flag for flag in call["flags"] if flag not in without]
    part = {name: x[name][rows, h if name in ("v", "g", "beta", "do") else shared] for name in ("q", "k", "v", "g", "beta", "p", "do") if name in x}
    given = dict(part)
    for name in ("initial_state", "dfinal_state"):
        part[name] = x[name][s, h] if name in x else np.zeros_like(call["x"][name][s, h])
    size = {}
    if "l2norm" in flags:
        for name in ("q", "k"):
            size[name] = np.sqrt((part[name] ** 2).sum(-1, keepdims=True) + np.float32(1e-6))
            part[name] = part[name] / size[name]
    if "sigmoid" in flags:
        part["beta"] = sigmoid(part["beta"])
    if "neg" in flags:
        part["beta"] = 2 * part["beta"]
    if "gate" in flags:
        A = np.exp(x["A_log"][h]) if "A_log" in x else np.float32(1)
        raw = given["g"] + (x["dt_bias"][h] if "dt_bias" in x else np.float32(0))
        part["g"] = -A * softplus(raw)

    def back(found, chain):
        d = {name: a for name, a in found.items() if name in ("dq", "dk", "dv", "dg", "dbeta", "dp")}
        for name in size:
            if "l2norm" not in chain:
                along = (part[name] * d["d" + name]).sum(-1, keepdims=True)
                d["d" + name] = (d["d" + name] - part[name] * along) / size[name]
        if "neg" in flags and "neg" not in chain:
            d["dbeta"] = 2 * d["dbeta"]
        if "sigmoid" in flags and "sigmoid" not in chain:
            d["dbeta"] = d["dbeta"] * (sigmoid(given["beta"]) * (1 - sigmoid(given["beta"])))
        if "gate" in flags:
            d["dA_log"] = (d["dg"] * part["g"]).sum()
            z = -A * sigmoid(raw) * d["dg"]
            d["ddt_bias"] = z.sum()
            d["dg"] = d["dg"] if "gate" in chain else z
        return d

    return part, back


def found_of(call, results, rounded, spreads=None):
    """What kernel_check says of a call's results; `spreads` is what replicas said of the same inputs, which then do not run again."""
    flags = {"l2norm": "use_qk_l2norm_in_kernel", "sigmoid": "use_beta_sigmoid_in_kernel", "neg": "allow_neg_eigval", "gate": "use_gate_in_kernel"}
    packed = len(call["starts"]) > 2
    states = ("initial_state", "dfinal_state", "final_state", "dinitial_state")
    arrays = {**call["x"], **results}
    arrays = {name: a[0] if name in states and not packed else a for name, a in arrays.items()}
    if packed:
        arrays = {name: a if name in states or name.endswith(("A_log", "dt_bias")) else a[None] for name, a in arrays.items()}
        arrays["cu_seqlens"] = np.array(call["starts"])
    arrays.update({flags[flag]: 1 for flag in call["flags"]}, scale=call.get("said_scale", call["scale"]))
    options = check_options(**({"operands": "bf16", "output_type": "bf16"} if rounded else {}))
    return checked(call["kind"], {name: exact_doubles(a, name) for name, a in arrays.items()}, options, spreads, os.cpu_count() or 1)


def stored(results, rounding):
    """Rows as the kernel stores them."""
    wide = ("final_state", "dinitial_state", "dg", "dA_log", "ddt_bias")
    return {name: a if name in wide else rounding(a) for name, a in results.items()}


def transposed(results, name):
    return {**results, name: np.ascontiguousarray(results[name].swapaxes(-1, -2))}


def states_exchanged(call):
    """What a kernel returns that has its states (N,H,V,K)."""
    exchanged = {name: np.ascontiguousarray(call["x"][name].swapaxes(-1, -2)) for name in ("initial_state", "dfinal_state")}
    return transposed(transposed(kernel(call, **exchanged), "final_state"), "dinitial_state")


def heads_first(array):
    return np.ascontiguousarray(array.swapaxes(0, 1)).reshape(array.shape)


def read_heads_first(call):
    read = {name: np.ascontiguousarray(a.reshape(a.shape[1], a.shape[0], *a.shape[2:]).swapaxes(0, 1)) for name, a in call["x"].items() if len(a) == T}
    found = kernel(call, **read)
    return {**kernel(call), "o": heads_first(found["o"]), "final_state": found["final_state"]}


def interleaved(call):
    q, k = (np.concatenate([call["x"][name]] * 2, axis=1) for name in ("q", "k"))
    wrong = kernel({**call, "x": {**call["x"], "q": q, "k": k}})
    return {**kernel(call), "o": wrong["o"], "final_state": wrong["final_state"]}


def forward_alone(call, **fault):
    """A kernel whose pass back is right."""
    wrong = kernel(call, **fault)
    return {**kernel(call), "o": wrong["o"], "final_state": wrong["final_state"]}


def gates(change):
    return lambda call: kernel(call, g=change(call["x"]["g"]).astype(np.float32))


def moved(g, by):
    new = np.zeros_like(g)
    new[max(0, by) : T + min(0, by)] = g[max(0, -by) : T - max(0, by)]
    return new


def wy_cut(call):
    """dk and dbeta without what each chunk reads of the state before it: their gradient with that reading held fixed."""
    right, x = kernel(call), call["x"]
    k, beta, S = (a.astype(np.float64) for a in (x["k"][:, 0], x["beta"][:, 0], x["initial_state"][0, 0]))
    do, v, q = (x[name][:, 0].astype(np.float64) for name in ("do", "v", "q"))
    scale, starts, chunks = float(call["scale"]), list(range(0, T, CHUNK)), []
    for first in starts:
        rows = slice(first, first + CHUNK)
        A = np.tril((beta[rows, None] * k[rows]) @ k[rows].T, -1)
        inverse = np.linalg.inv(np.eye(len(A)) + A)
        r = inverse @ (beta[rows, None] * (v[rows] - k[rows] @ S))
        chunks.append((rows, inverse, S, r))
        S = S + k[rows].T @ r
    G = x["dfinal_state"][0, 0].astype(np.float64)
    dk, dbeta = right["dk"].copy(), right["dbeta"].copy()
    for rows, inverse, S, r in reversed(chunks):
        scores = np.tril(q[rows] @ k[rows].T)
        dr = scale * scores.T @ do[rows] + k[rows] @ G
        y = -dr @ S.T  # the gradient of W = (I + A)⁻¹ (β k)
        W = inverse @ (beta[rows, None] * k[rows])
        of_bk = inverse.T @ y
        dA = -np.tril(inverse.T @ y @ W.T, -1)
        dk[rows, 0] -= (beta[rows, None] * of_bk + beta[rows, None] * (dA @ k[rows]) + dA.T @ (beta[rows, None] * k[rows])).astype(np.float32)
        dbeta[rows, 0] -= ((of_bk * k[rows]).sum(1) + (dA * (k[rows] @ k[rows].T)).sum(1)).astype(np.float32)
        G = G + scale * q[rows].T @ do[rows] - W.T @ dr
    return {**right, "dk": dk, "dbeta": dbeta}


def with_nan(call):
    found = kernel(call)
    found["o"][70] = np.nan
    return found


def first_values(call):
    part = {**call, "x": {**call["x"], "do": call["x"]["do"] * (np.arange(call["x"]["v"].shape[-1]) < 64).astype(np.float32)}}
    return {**kernel(call), "dq": kernel(part)["dq"]}


def one_scale(call):
    """A call that was told a scale of 1."""
    call["said_scale"] = np.float32(1)
    return kernel(call)


PACKED = {"starts": (0, 40, 41, T)}
GATED, DELTA, KDA = "simple-gla", "gated-delta", "kda"

# What is named, the kind, how the call is drawn, and a kernel's results.
FAULTS = [
    *((fault, KDA, {}, lambda call, fault=fault: kernel(call, fault=fault)) for fault in OF_THE_PASS_BACK),
    ("scale_missing", DELTA, {}, lambda call: kernel(call, scale=1)),
    ("scale_missing", KDA, {"V": 8}, lambda call: kernel(call, scale=1)),
    ("scale_missing", "comba", {}, lambda call: forward_alone(call, scale=1)),
    ("scale_twice", KDA, {}, lambda call: kernel(call, scale=1 / K)),
    ("scale_ignored", "delta", {}, one_scale),
    ("initial_state_ignored", KDA, {}, lambda call: kernel(call, without=("initial_state",))),
    ("initial_state_ignored", "comba", {}, lambda call: forward_alone(call, without=("initial_state",))),
    ("initial_state_transposed", DELTA, {}, lambda call: forward_alone(call, initial_state=call["x"]["initial_state"].swapaxes(2, 3))),
    ("final_state_transposed", KDA, {}, lambda call: transposed(kernel(call), "final_state")),
    ("states_transposed", KDA, {}, states_exchanged),
    ("final_state_transposed", "comba", {}, lambda call: transposed(kernel(call), "final_state")),
    ("dinitial_state_transposed", KDA, {}, lambda call: transposed(kernel(call), "dinitial_state")),
    ("dfinal_state_transposed", DELTA, {}, lambda call: kernel(call, dfinal_state=call["x"]["dfinal_state"].swapaxes(2, 3))),
    ("beta_ignored", "delta", {}, lambda call: forward_alone(call, beta=np.ones_like(call["x"]["beta"]))),
    ("beta_ignored", "comba", {}, lambda call: kernel(call, beta=np.ones_like(call["x"]["beta"]))),
    ("p_ignored", "comba", {}, lambda call: forward_alone(call, p=call["x"]["k"])),
    ("gates_ignored", "gla", {}, gates(lambda g: 0 * g)),
    ("gates_ignored", "comba", {}, gates(lambda g: 0 * g)),
    ("gates_twice", KDA, {}, gates(lambda g: 2 * g)),
    ("gates_base_two", "comba", {}, gates(lambda g: np.log(2) * g)),
    ("gates_base_e", DELTA, {}, gates(lambda g: g / np.log(2))),
    ("decay_late", "comba", {}, gates(lambda g: moved(g, 1))),
    ("decay_late", KDA, {}, gates(lambda g: moved(g, 1))),
    ("decay_early", "gla", {}, gates(lambda g: moved(g, -1))),
    ("gates_taken_for_sums", KDA, {}, gates(lambda g: np.diff(g, axis=0, prepend=0 * g[:1]))),
    ("gates_taken_for_sums", GATED, {}, gates(lambda g: np.where(np.arange(T)[:, None] % CHUNK == 0, g, np.diff(g, axis=0, prepend=0 * g[:1])))),
    ("gates_cumulated_twice", DELTA, {}, gates(lambda g: np.cumsum(g, 0))),
    ("gates_cumulated_twice", "gla", {}, gates(lambda g: np.concatenate([np.cumsum(g[i : i + CHUNK], 0) for i in range(0, T, CHUNK)]))),
    ("chunk_boundary_state_dropped", "comba", {}, lambda call: kernel(call, cut=(64, 128))),
    ("chunk_boundary_state_dropped", KDA, {}, lambda call: forward_alone(call, cut=(64, 128))),
    ("state_reset_inside_sequence", KDA, {"starts": (0, 70, T)}, lambda call: forward_alone_in_second(call, (58,))),
    ("state_kept_between_sequences", DELTA, PACKED, lambda call: forward_alone(call, kept=True)),
    ("state_kept_between_sequences", "comba", PACKED, lambda call: forward_alone(call, kept=True)),
    ("outputs_head_first", "comba", {"H": 3}, lambda call: {**kernel(call), "o": heads_first(kernel(call)["o"])}),
    ("arrays_head_first", KDA, {"H": 3}, read_heads_first),
    ("heads_of_groups_interleaved", KDA, {"H": 2, "HV": 4}, interleaved),
    ("unit_rows_ignored", DELTA, {"flags": ("l2norm",), "small": True}, lambda call: kernel(call, without=("l2norm",))),
    ("beta_sigmoid_ignored", "delta", {"flags": ("sigmoid",)}, lambda call: forward_alone(call, without=("sigmoid",))),
    ("beta_not_doubled", KDA, {"flags": ("sigmoid", "neg")}, lambda call: forward_alone(call, without=("neg",))),
    ("dt_bias_ignored", DELTA, {"flags": ("gate",)}, lambda call: forward_alone_of(call, without=("dt_bias",))),
    ("A_log_ignored", DELTA, {"flags": ("gate",)}, lambda call: forward_alone_of(call, without=("A_log",))),
    ("not_finite", KDA, {}, with_nan),
    ("wy_read_not_differentiated", "delta", {}, wy_cut),
    ("gradient_of_first_head", KDA, {"H": 1, "HV": 2}, lambda call: kernel(call, share="first")),
    ("gradient_of_first_head", "gla", {"H": 1, "HV": 3}, lambda call: kernel(call, share="first")),
    ("gradient_is_mean", DELTA, {"H": 2, "HV": 4}, lambda call: kernel(call, share="mean")),
    ("gradient_leaks_over_sequence_start", KDA, PACKED, lambda call: kernel(call, leak=True)),
    ("gradient_leaks_over_sequence_start", "linear", PACKED, lambda call: kernel(call, leak=True)),
    ("dinitial_state_of_another_sequence", KDA, PACKED, lambda call: {**kernel(call), "dinitial_state": np.roll(kernel(call)["dinitial_state"], -1, axis=0)}),
    ("unit_rows_not_differentiated", KDA, {"flags": ("l2norm",)}, lambda call: kernel(call, chain=("l2norm",))),
    ("beta_sigmoid_not_differentiated", DELTA, {"flags": ("sigmoid",)}, lambda call: kernel(call, chain=("sigmoid",))),
    ("beta_doubled_not_differentiated", KDA, {"flags": ("sigmoid", "neg")}, lambda call: kernel(call, chain=("neg",))),
    ("gate_not_differentiated", DELTA, {"flags": ("gate",)}, lambda call: kernel(call, chain=("gate",))),
    ("parameter_gradient_of_first_sequence", DELTA, {"flags": ("gate",), "starts": (0, 60, T)}, lambda call: kernel(call, first_sequence=True)),
    ("dq_of_first_values", KDA, {"V": 80}, first_values),
    ("dq_of_first_values", "linear", {"V": 80}, first_values),
]


def forward_alone_of(call, without):
    """A kernel that leaves an argument out on its way forward alone."""
    right = kernel(call)
    wrong = kernel({**call, "x": {name: a for name, a in call["x"].items() if name not in without}})
    return {**right, "o": wrong["o"], "final_state": wrong["final_state"]}


def forward_alone_in_second(call, cut):
    """The state is lost inside the second of two sequences."""
    right, x, (_, middle, end) = kernel(call), call["x"], call["starts"]
    part, _ = one_head(call, x, 1, slice(middle, end), 0, 0, ())
    part["scale"] = call["scale"]
    wrong = whole_or_cut(part, call["kind"], "", call["cast"], cut)
    o, S = right["o"].copy(), right["final_state"].copy()
    o[middle:, 0], S[1, 0] = wrong["o"], wrong["final_state"]
    return {**right, "o": o, "final_state": S}


def drawn(seed, kind, how, rounding):
    how = dict(how)
    small = how.pop("small", False)
    call = draw(seed, kind, rounding, **how)
    if small:  # rows whose length is not one, and that blow nothing up where they stay so
        for name in ("q", "k"):
            call["x"][name] = rounding(call["x"][name] * np.float32(0.2))
    return call


def said_in_the_page(arithmetic, named):
    """Whether docs/kernels.md says how many faults and names there are, and of no more that they are named; None: not all were run."""
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "docs", "kernels.md")
    with open(page, encoding="utf-8") as file:
        found = re.search(r"Of (\d+) planted faults of (\d+) names .*? all were noticed, .*?; (\d+) and (\d+) were named", " ".join(file.read().split()))
    faults, names, in_fp32, in_bf16 = tuple(map(int, found.groups())) if found else (0, 0, 0, 0)
    said = (faults, names, in_fp32 if arithmetic == "fp32" else in_bf16)
    true = (len(FAULTS), len({fault[0] for fault in FAULTS}), named)
    good = said[:2] == true[:2] and (named is None or said[2] <= named)
    if not good:
        print("many_faults_test: docs/kernels.md says %s, it is %s" % (said, true), file=sys.stderr)
    return good


def main():
    arithmetic = sys.argv[1] if len(sys.argv) > 1 else ""
    share = sys.argv[2] if len(sys.argv) > 2 else "1"
    if arithmetic not in ("fp32", "bf16") or not share.isdigit() or share == "0":
        print(__doc__, file=sys.stderr)
        return 2
    rounded = arithmetic == "bf16"
    rounding = to_bf16 if rounded else lambda a: a
    failed = noticed = named = 0
    chosen = list(enumerate(FAULTS))[::int(share)]
    for number, (name, kind, how, faulty) in chosen:
        call = drawn(number, kind, how, rounding)
        right = found_of(call, stored(kernel(call), rounding), rounded)
        if right.verdict not in ("right", "undecided"):
            failed += 1
            print("many_faults_test: right %s %s beside %s: %s" % (kind, how, name, right), file=sys.stderr)
        call = drawn(number, kind, how, rounding)
        results = stored(faulty(call), rounding)
        found = found_of(call, results, rounded, None if "said_scale" in call else right._spreads)
        names = [like["name"] for like in found.looks_like]
        noticed += found.verdict in ("wrong", "suspicious")
        named += name in names
        if name not in names:
            print("many_faults_test: %s in %s, %s: %s, looks like %s" % (name, kind, arithmetic, found.verdict, names), file=sys.stderr)
    of = len(chosen)
    print("many_faults_test: %d faults of %d names in %s: %d noticed, %d named" % (of, len({fault[0] for _, fault in chosen}), arithmetic, noticed, named))
    good = noticed == of and 5 * named >= 4 * of
    return failed > 0 or not good or not said_in_the_page(arithmetic, named if of == len(FAULTS) else None)


if __name__ == "__main__":
    sys.exit(main())
