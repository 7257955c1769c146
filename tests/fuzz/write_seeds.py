#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets, those of NAME into OUT/NAME.

    write_seeds.py OUT

Of npz_fuzz and npz_members_fuzz from the files of tests/golden/npz (those files, damaged copies, and their members in the form that
npz_members_fuzz.cpp describes), of safetensors_fuzz two small files, of kernel_dump_fuzz one dump a recurrence, of certificate_fuzz the
checker's examples, of programs_fuzz the examples of program_examples.cpp and other notations. Standard library only.
"""
import io
import json
import math
import pathlib
import struct
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEYS = ["Z", "tokens", "offsets", "y", "y_prefix", "query", "truth_V", "truth_Q", "truth_P", "meta", "P", "V", "Q", "other"]
DUMP_ARRAYS = ["q", "k", "v", "o", "g", "gates", "decay", "beta", "initial_state", "final_state", "scale", "other", "do",
               "dfinal_state", "dq", "dk"]


def packed(members, compression=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return buffer.getvalue()


def npy(content=struct.pack("<d", 1.0), shape=(1, 1, 1), descr="<f8"):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape})[:-1] + ", }"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.ljust(117).encode() + b"\n" + content


def npz_seeds():
    golden = ROOT / "tests" / "golden" / "npz"
    for name in ("plain", "compressed", "ragged", "prefix", "truth", "model", "zip64", "streamed", "version2"):
        yield f"{name}.npz", (golden / f"{name}.npz").read_bytes()
    whole = (golden / "plain.npz").read_bytes()
    yield "cut_short.npz", whole[:-100]
    yield "wrong_crc.npz", whole[:300] + bytes([whole[300] ^ 1]) + whole[301:]
    yield "bomb.npz", packed([("Z.npy", npy(bytes(1000000), (1, 1, 125000)))], zipfile.ZIP_DEFLATED)
    yield "overflow.npz", packed([("Z.npy", npy(shape=(2**32, 2**32, 1)))])
    yield "negative.npz", packed([("Z.npy", npy(shape=(-1, 1, 1)))])
    yield "complex.npz", packed([("Z.npy", npy(struct.pack("<2d", 1.0, 0.0), descr="<c16"))])
    yield "structured.npz", packed([("Z.npy", npy(descr=[("a", "<f8")]))])
    yield "no_array.npz", packed([("Z.npy", b"no array"), ("readme.txt", b"text")])
    yield "not_a_zip.npz", npy()


def npz_members_seeds():
    for name in ("plain", "ragged", "prefix", "truth", "model", "version2"):
        members = b""
        with zipfile.ZipFile(ROOT / "tests" / "golden" / "npz" / f"{name}.npz") as archive:
            for info in archive.infolist():
                key = info.filename[: -len(".npy")]
                member = archive.read(info)
                members += struct.pack("<BH", KEYS.index(key) if key in KEYS else 13, len(member)) + member
        yield f"{name}.members", members


def certificate_seeds():
    for proof in sorted((ROOT / "proofs_check" / "checker" / "examples" / "valid").glob("*.cert")):
        lines = proof.read_text().splitlines(keepends=True)
        start = next(i for i, line in enumerate(lines) if line.startswith("claim "))
        yield proof.stem, "".join(lines[start:-1]).encode()
    # Of the fuzzer's own data: two of its five queries, so that all but the sum is right.
    yield "grouped", b"""claim grouped 5
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
"""


def programs_seeds():
    """The byte that chooses the form, then the text."""
    forms = {
        "notation": (0, "1RB1LB_1LA1RZ"),
        "notation_stuck": (0, "1RB---_0LB2LA"),
        "table": (1, "blank 0\nhalt Z\nstart A\nA 0 1 R B\nA 1 1 L B\nB 0 1 L A\nB 1 1 R Z  # ends\n"),
        "automaton": (3, "start even\naccept even\neven 0 even\neven 1 odd\nodd 0 odd\nodd 1 even\n"),
        "paths": (4, "start a\na x a\na x b\nb y a\n"),
        "prompt": (5, "one P[0] letter[1]\nP[2] -letter[0]\n"),
    }
    examples = (ROOT / "programs" / "language" / "program_examples.cpp").read_text().split('R"(')[1:]
    forms.update({f"program{i}": (2, text.split(')"')[0]) for i, text in enumerate(examples)})
    for name, (form, text) in forms.items():
        yield name, bytes([form]) + text.encode()


def safetensors_seeds():
    for name, entries, data in (
        ("two", {"a": ("F64", [2], 16), "b": ("BF16", [1, 3], 6)}, bytes(range(22))),
        ("integers", {"__metadata__": {"format": "pt"}, "n": ("I64", [], 8)}, bytes(8)),
    ):
        header, at = {}, 0
        for tensor, entry in entries.items():
            if isinstance(entry, dict):
                header[tensor] = entry
                continue
            kind, shape, size = entry
            header[tensor] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + size]}
            at += size
        text = json.dumps(header).encode()
        yield f"{name}.safetensors", struct.pack("<Q", len(text)) + text + data


def kernel_dump_seeds():
    kinds = {
        "linear": {"initial_state": [2, 2], "final_state": [2, 2], "scale": [1]},
        "normalised": {},
        "retention": {"decay": [2]},
        "simple_gla": {"g": [3, 2]},
        "gla": {"gates": [3, 2, 2]},
        "delta": {"beta": [3, 2]},
        "gated_delta": {"g": [3, 2], "beta": [3, 2]},
        "kda": {"g": [3, 2, 2], "beta": [3, 2], "do": [3, 2, 2], "dk": [3, 2, 2], "dfinal_state": [2, 2]},
    }
    for number, (kind, more) in enumerate(kinds.items()):
        dump = bytes([number, 0])
        for array, shape in ({name: [3, 2, 2] for name in "qkvo"} | more).items():
            shape = [2, *shape] if array.endswith("state") else shape
            values = [(-8 - i) % 256 if array == "g" else 1 + i for i in range(math.prod(shape))]
            dump += bytes([DUMP_ARRAYS.index(array), len(shape), *shape, *values])
        yield kind, dump


SEEDS = {"npz_fuzz": npz_seeds, "npz_members_fuzz": npz_members_seeds, "certificate_fuzz": certificate_seeds, "programs_fuzz": programs_seeds,
         "safetensors_fuzz": safetensors_seeds, "kernel_dump_fuzz": kernel_dump_seeds}


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: write_seeds.py OUT; see --help", file=sys.stderr)
        return 2
    for target, seeds in SEEDS.items():
        folder = pathlib.Path(arguments[0]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in seeds():
            (folder / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
