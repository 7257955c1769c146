"""right_kernels_test.py ATTEST COUNT: COUNT dumps of right kernels (every recurrence; token by token, in chunks, with factors rounded to bfloat16;
float32 and bfloat16 outputs; NumPy, and torch where it is installed), none of which `attest kernel check` may call wrong, one in a thousand
suspicious, and one in twenty undecided. Exit: 0 so it is, 1 not, 77 without NumPy."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    sys.exit(77)

import reference_kernels as reference

def has_torch():
    return importlib.util.find_spec("torch") is not None


def in_torch(dump, kind):
    """The token-by-token recurrence with torch's matrix products, whose order of summation is not ours; None without torch."""
    if not has_torch():
        return None
    import torch

    x = {name: torch.from_numpy(np.ascontiguousarray(a)) for name, a in dump.items()}
    factors = torch.exp(torch.from_numpy(np.ascontiguousarray(reference.log_gates(dump, kind))))
    S, rows = torch.from_numpy(np.ascontiguousarray(reference.start(dump))), []
    sums = torch.cumsum(x["k"], 1)
    for t in range(x["q"].shape[1]):
        S = factors[:, t].unsqueeze(-1) * S
        u = x["v"][:, t]
        if "beta" in x:
            u = x["beta"][:, t].unsqueeze(-1) * (u - torch.einsum("bhk,bhkv->bhv", x["k"][:, t], S))
        S = S + torch.einsum("bhk,bhv->bhkv", x["k"][:, t], u)
        o = torch.einsum("bhk,bhkv->bhv", x["q"][:, t], S) * x["q"].shape[-1] ** -0.5
        if kind == "normalised":
            o = o / ((x["q"][:, t] * sums[:, t]).sum(-1, keepdim=True) * x["q"].shape[-1] ** -0.5)
        rows.append(o)
    return torch.stack(rows, 1).numpy(), S.numpy()


def one(rng, kind, number):
    """A dump and the options to check it with."""
    B, H = int(rng.integers(1, 3)), int(rng.integers(1, 4))
    T, K, V = int(rng.integers(1, 90)), int(rng.integers(1, 33)), int(rng.integers(1, 33))
    dump = reference.draw(rng, kind, B, T, H, K, V, initial=number % 3 > 0)
    options, way = [], number % 5
    chunk = int(rng.choice([8, 16, 64]))
    if way == 0:
        o, S = reference.recurrent(dump, kind)
        options = ["--chunk", "1"]
    elif way == 1:
        o, S = reference.chunked(dump, kind, chunk)
    elif way == 2:
        o, S = in_torch(dump, kind) or reference.recurrent(dump, kind)
    elif way == 3:
        o, S = reference.chunked(dump, kind, chunk, cast=reference.to_bf16)
        options = ["--operands", "bf16"]
    else:
        dump = {name: reference.to_bf16(a) for name, a in dump.items()}
        o, S = reference.chunked(dump, kind, chunk)
        o = reference.to_bf16(o)
        options = ["--output-type", "bf16"]
    dump["o"] = o
    if kind != "normalised" and number % 2:
        dump["final_state"] = S
    return dump, options


def checked(attest, folder, dump, kind, options):
    """The exit code of `attest kernel check` on a dump, what it found, and what it complained of."""
    path = pathlib.Path(folder) / "dump.npz"
    np.savez(path, **dump)
    done = subprocess.run([attest, "kernel", "check", path, "--kind", kind, "--json", *options], capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr


def check_all(attest, count):
    """How many of `count` dumps are called wrong, and how near the others came to it."""
    rng = np.random.default_rng(20241014)
    found = {"dumps": count, "called_wrong": 0, "suspicious": 0, "undecided": 0, "by_torch": 0, "largest_ratio": 0.0}
    for number in range(count):
        kind = reference.KINDS[number // 5 % len(reference.KINDS)]
        dump, options = one(rng, kind, number)
        with tempfile.TemporaryDirectory() as folder:
            code, answer, complaint = checked(attest, folder, dump, kind, options)
        found["by_torch"] += number % 5 == 2 and has_torch()
        if code not in (0, 3) or answer["verdict"] == "suspicious":
            found["called_wrong" if code != 3 else "suspicious"] += 1
            print("right_kernels_test: number %d, %s %s: %s%s" % (number, kind, options, answer, complaint), file=sys.stderr)
            continue
        found["undecided"] += code == 3
        found["largest_ratio"] = max(found["largest_ratio"], answer["largest_ratio"])
    return found


def main():
    found = check_all(sys.argv[1], int(sys.argv[2]))
    print("right_kernels_test: %s" % json.dumps(found))
    return found["called_wrong"] > 0 or found["suspicious"] > found["dumps"] // 1000 or found["undecided"] > found["dumps"] // 20


if __name__ == "__main__":
    sys.exit(main())
