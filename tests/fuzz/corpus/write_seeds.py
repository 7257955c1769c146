"""Writes the seeds: of npz_fuzz and npz_members_fuzz from the files of tests/golden/npz (those files, damaged copies, and their members
in the form that npz_members_fuzz.cpp describes), of safetensors_fuzz two small files, of kernel_dump_fuzz one dump a recurrence, of certificate_fuzz from the checker's examples, of programs_fuzz from examples/. Run
again only to add a seed."""
import io
import json
import pathlib
import struct
import zipfile

import numpy as np

here = pathlib.Path(__file__).parent
golden = here.parent.parent / "golden" / "npz"
keys = ["Z", "tokens", "offsets", "y", "y_prefix", "query", "truth_V", "truth_Q", "truth_P", "meta", "P", "V", "Q", "other"]


def packed(members, compression=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return buffer.getvalue()


def npy(array, **changes):
    buffer = io.BytesIO()
    header = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape, **changes}
    np.lib.format.write_array_header_1_0(buffer, header)
    return buffer.getvalue() + array.tobytes()


def seed(name, content):
    (here / "npz_fuzz" / name).write_bytes(content)


for name in ["plain", "compressed", "ragged", "prefix", "truth", "model", "zip64", "streamed", "version2"]:
    content = (golden / f"{name}.npz").read_bytes()
    seed(f"{name}.npz", content)
    if name in ["compressed", "zip64", "streamed"]:  # their members are those of plain.npz
        continue
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = b""
        for info in archive.infolist():
            key = info.filename[: -len(".npy")]
            member = archive.read(info)
            members += struct.pack("<BH", keys.index(key) if key in keys else 13, len(member)) + member
    (here / "npz_members_fuzz" / f"{name}.members").write_bytes(members)

whole = (golden / "plain.npz").read_bytes()
small = np.ones((1, 1, 1))
seed("cut_short.npz", whole[:-100])
seed("wrong_crc.npz", whole[:300] + bytes([whole[300] ^ 1]) + whole[301:])
seed("bomb.npz", packed([("Z.npy", npy(np.zeros(0), shape=(1, 1, 125000)) + bytes(1000000))], zipfile.ZIP_DEFLATED))
seed("overflow.npz", packed([("Z.npy", npy(small, shape=(2**32, 2**32, 1)))]))
seed("negative.npz", packed([("Z.npy", npy(small, shape=(-1, 1, 1)))]))
seed("complex.npz", packed([("Z.npy", npy(small.astype(complex)))]))
seed("structured.npz", packed([("Z.npy", npy(small, descr=[("a", "<f8")]))]))
seed("no_array.npz", packed([("Z.npy", b"no array"), ("readme.txt", b"text")]))
seed("not_a_zip.npz", npy(small))

proofs = here.parent.parent.parent / "proofs_check" / "checker" / "examples" / "valid"
for proof in sorted(proofs.glob("*.cert")):
    lines = proof.read_text().splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if line.startswith("claim "))
    (here / "certificate_fuzz" / proof.stem).write_text("".join(lines[start:-1]))

# Of the fuzzer's own data: two of its five queries, so that all but the sum is right.
(here / "certificate_fuzz" / "grouped").write_text("""claim grouped 5
groups 2
group 0
rank 1
prime 67108859
rows 0
columns 0
few-examples
group 1
rank 1
prime 2305843009213693951
rows 1
columns 0
null 0:-5 1:6
null 0:-8 2:6
prime 67108859
columns 0 1
""")

forms = {
    "notation": (0, "1RB1LB_1LA1RZ"),
    "notation_stuck": (0, "1RB---_0LB2LA"),
    "table": (1, "blank 0\nhalt Z\nstart A\nA 0 1 R B\nA 1 1 L B\nB 0 1 L A\nB 1 1 R Z  # ends\n"),
    "automaton": (3, "start even\naccept even\neven 0 even\neven 1 odd\nodd 0 odd\nodd 1 even\n"),
    "paths": (4, "start a\na x a\na x b\nb y a\n"),
}
texts = here.parent.parent.parent / "programs" / "language" / "program_examples.cpp"
for i, text in enumerate(texts.read_text().split('R"(')[1:]):
    forms[f"program{i}"] = (2, text.split(')"')[0])
for name, (form, text) in forms.items():
    (here / "programs_fuzz" / name).write_bytes(bytes([form]) + text.encode())

for name, entries, data in [
    ("two", {"a": ("F64", [2], 16), "b": ("BF16", [1, 3], 6)}, bytes(range(22))),
    ("integers", {"__metadata__": {"format": "pt"}, "n": ("I64", [], 8)}, bytes(8)),
]:
    header, at = {}, 0
    for tensor, entry in entries.items():
        if isinstance(entry, dict):
            header[tensor] = entry
            continue
        kind, shape, size = entry
        header[tensor] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    (here / "safetensors_fuzz" / f"{name}.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)

names = ["q", "k", "v", "o", "g", "gates", "decay", "beta", "initial_state", "final_state", "scale"]
(here / "kernel_dump_fuzz").mkdir(exist_ok=True)
for number, (kind, more) in enumerate(
    {
        "linear": {"initial_state": [2, 2], "final_state": [2, 2], "scale": [1]},
        "normalised": {},
        "retention": {"decay": [2]},
        "simple_gla": {"g": [3, 2]},
        "gla": {"gates": [3, 2, 2]},
        "delta": {"beta": [3, 2]},
        "gated_delta": {"g": [3, 2], "beta": [3, 2]},
    }.items()
):
    dump = bytes([number, 0])
    for array, shape in ({name: [3, 2, 2] for name in "qkvo"} | more).items():
        shape = [2, *shape] if array.endswith("state") else shape
        size = int(np.prod(shape))
        values = [(-8 - i) % 256 if array == "g" else 1 + i for i in range(size)]
        dump += bytes([names.index(array), len(shape), *shape, *values])
    (here / "kernel_dump_fuzz" / kind).write_bytes(dump)
