"""The digest of docs/formats.md, in NumPy, is the one that Attest prints, for every layer's arrays, lengths and kinds of labels.

    digest_test.py PAGE ATTEST

Exit: 0 equal and a changed number changes it, 1 not, 77 there is no NumPy.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)

CASES = [
    ("linear", []),
    ("decay=1,1/2 affine", []),
    ("cross", ["x"]),
    ("mapped", ["phi"]),
    ("gates", ["gates"]),
    ("gates cross", ["x", "gates"]),
    ("mapped gates=vector", ["phi", "gates"]),
    ("delta", ["keys", "beta"]),
    ("delta gates cross", ["x", "gates", "keys", "beta"]),
]
SHAPES = [["--n", "5"], ["--n", "2..6"], ["--n", "5", "--labels", "per_prefix"], ["--n", "2..6", "--labels", "per_prefix"]]


def page_digest(path):
    with open(path, encoding="utf-8") as file:
        snippet = re.search(r"<!-- snippet: digest -->\n```python\n(.*?)```", file.read(), re.S)[1]
    names = {}
    exec(snippet, names)
    return names["digest"]


def generated_digest(attest, layer, shape):
    command = [attest, "generate", "random-layer", "--layer", layer, *shape, "-N", "7", "-o", "data.npz", "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["sha256"]


def changes_with(key, digest, keys):
    """Whether the digest depends on the last number under a key."""
    arrays = dict(np.load("data.npz"))
    arrays[key].ravel()[-1] += 1
    before = digest("data.npz", keys)
    np.savez("changed.npz", **arrays)
    return digest("changed.npz", keys) != before


def main(page, attest):
    digest, attest = page_digest(page), os.path.abspath(attest)
    cases = [(layer, keys, shape) for layer, keys in CASES for shape in SHAPES] + [("moments", ["s", "u"], ["--n", "1"])]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for layer, keys, shape in cases:
            printed = generated_digest(attest, layer, shape)
            if digest("data.npz", keys) != printed:
                print(f"{layer} {' '.join(shape)}: the page's digest is {digest('data.npz', keys)}, Attest's {printed}")
                return 1
            for key in keys:
                if not changes_with(key, digest, keys):
                    print(f"{layer} {' '.join(shape)}: the digest does not depend on {key}")
                    return 1
    print(f"{len(cases)} data sets")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
