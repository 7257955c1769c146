"""Writes the .npz files and digests.txt beside it with NumPy; run again only to add a file.

Every data set holds Z[i, j, t] = (i + 1) * 100 + (j + 1) * 10 + t - 50 and y[i, a] = i - a / 2.
"""
import hashlib
import pathlib
import zipfile

import numpy as np

here = pathlib.Path(__file__).parent
N, d, n, o = 3, 2, 4, 2
i, j, t = np.meshgrid(np.arange(N), np.arange(d), np.arange(n), indexing="ij")
Z = ((i + 1) * 100 + (j + 1) * 10 + t - 50).astype(np.float64)
y = np.arange(N)[:, None] - np.arange(o)[None, :] / 2
tokens = np.ascontiguousarray(Z.transpose(0, 2, 1))
prefix = np.arange(N * n * o, dtype=np.float64).reshape(N, n, o) / 4
offsets = np.array([0, 1, 4, 6])
ragged = np.concatenate([tokens[0, :1], tokens[1, :3], tokens[2, :2]])
V = np.arange(2 * o * d, dtype=np.float64).reshape(2, o, d)
Q = -np.arange(2 * d * d, dtype=np.float64).reshape(2, d, d)
P = np.arange(o * 6, dtype=np.float64).reshape(o, 6)
meta = np.frombuffer(b'{"task": "golden \xc3\xa9"}', np.uint8)

np.savez(here / "plain.npz", Z=Z, y=y)
np.savez_compressed(here / "compressed.npz", Z=Z, y=y)
np.savez(here / "fortran.npz", Z=np.asfortranarray(Z), y=np.asfortranarray(y))
np.savez(here / "big_endian.npz", Z=Z.astype(">f8"), y=y.astype(">f8"))
np.savez(here / "float32.npz", Z=Z.astype(np.float32), y=y.astype(">f4"))
np.savez(here / "int16.npz", Z=Z.astype(np.int16), y=y)
np.savez(here / "uint64.npz", Z=np.asfortranarray(Z.astype(">u8")), y=y)
np.savez(here / "tokens.npz", tokens=tokens, y=y)
np.savez(here / "transposed_view.npz", tokens=Z.transpose(0, 2, 1), y=y)
np.savez_compressed(here / "ragged.npz", tokens=ragged, offsets=offsets, y=y, query=np.array([0, 1, 0]))
np.savez(here / "one_output.npz", Z=Z, y=y[:, 0])
np.savez(here / "prefix.npz", Z=Z, y_prefix=prefix)
np.savez(here / "ragged_prefix.npz", tokens=ragged, offsets=offsets.astype(np.int32), y_prefix=prefix.reshape(-1, o)[:6])
np.savez(here / "truth.npz", Z=Z, y=y, truth_V=V, truth_Q=Q, truth_P=P, meta=meta, ids=np.arange(N))
np.savez(here / "model.npz", V=V, Q=Q, P=P, meta=meta)

# A version 2.0 header, and a streamed zip: its local headers hold no sizes, data descriptors follow instead.
with open(here / "version2.npz", "wb") as raw, zipfile.ZipFile(raw, "w") as archive:
    for key, array in {"Z": Z, "y": y}.items():
        with archive.open(key + ".npy", "w") as member:
            np.lib.format.write_array(member, array, version=(2, 0))


class Stream:
    """A file that cannot seek."""

    def __init__(self, file):
        self.file = file

    def write(self, data):
        return self.file.write(data)

    def flush(self):
        self.file.flush()


with open(here / "streamed.npz", "wb") as raw, zipfile.ZipFile(Stream(raw), "w", zipfile.ZIP_DEFLATED) as archive:
    for key, array in {"Z": Z, "y": y}.items():
        with archive.open(key + ".npy", "w") as member:
            np.lib.format.write_array(member, array)

# zip64 records although nothing is large.
zipfile.ZIP64_LIMIT = zipfile.ZIP_FILECOUNT_LIMIT = 1
np.savez(here / "zip64.npz", Z=Z, y=y)


# The SHA-256 of the canonical form (docs/formats.md), worked out here from what NumPy reads back.
def canonical_digest(file):
    if "Z" in file:
        sequences = [z.T for z in file["Z"]]
    elif "offsets" in file:
        sequences = np.split(file["tokens"], file["offsets"][1:-1])
    else:
        sequences = list(file["tokens"])
    starts = np.cumsum([0] + [len(s) for s in sequences])
    labels, kind = np.zeros((0, 0)), 0
    if "y" in file:
        labels, kind = file["y"].reshape(len(sequences), -1), 1
    if "y_prefix" in file:
        labels, kind = file["y_prefix"].reshape(starts[-1], -1), 2
    query = file["query"] if "query" in file else []
    sizes = [sequences[0].shape[1], labels.shape[1], kind, len(sequences), starts[-1]]
    numbers = np.concatenate([labels.ravel(), np.concatenate(sequences).ravel()])
    sha = hashlib.sha256(b"attest-dataset-1\n")
    sha.update(np.array([*sizes, *starts, int("query" in file), *query], "<i8").tobytes())
    sha.update((numbers.astype("<f8") + 0.0).tobytes())
    return sha.hexdigest()


with open(here / "digests.txt", "w") as table:
    for path in sorted(here.glob("*.npz")):
        if path.name != "model.npz":
            table.write(f"{canonical_digest(np.load(path))}  {path.name}\n")
