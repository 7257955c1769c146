"""limits_test.py ROOT BIN: at the limits of FORMAT.md, section 2, on archives that readers of zip files take differently, and on files
that cannot be read, attest-check, the Python checker and attest-verified answer alike, and as expected. Without attest-verified: exit
77. Standard library only."""
import os
import pathlib
import struct
import sys
import tempfile
import zipfile
import zlib

ROOT, BIN = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
EXAMPLES = ROOT / "proofs_check" / "checker" / "examples"
sys.path[:0] = [str(ROOT / "tests" / "proofs_check" / "checker")]
from broken_examples import signed  # noqa: E402
from checker_batch import checkers, verdicts  # noqa: E402
from exact_data import Data, flat, npy, npz  # noqa: E402

SKIPPED = 77
FULL = "0 VERIFIED full-rank"


def with_upper_end(digits):
    """A bound of the least eigenvalue with these digits in its upper end."""
    lines = (EXAMPLES / "valid" / "lambda_min_negative.cert").read_text().split("\n")[:-2]
    return signed("\n".join(line.replace("1*2^0", digits + "*2^0") if line.startswith("claim") else line for line in lines) + "\n").encode()


def proof_of(data, claim="full-rank", evidence=("prime 2305843009213693951", "rows 0", "columns 0"), layer=()):
    return signed("\n".join(["attest-proof 1", "data " + data.problem(), *layer, "claim " + claim, *evidence]) + "\n").encode()


def numbers(folder):
    """(files, verdict) of proofs with long integers."""
    data = EXAMPLES / "data" / "d6.npz"
    for name, digits, expected in (("57", "9" * 57, None), ("100000", "9" * 100000, None), ("100001", "9" * 100001, "1 line 4"),
                                   ("minus", "-" + "9" * 100001, "1 line 4"), ("60_million", "9" * 60000000, "1 line 4")):
        proof = folder / (name + ".cert")
        proof.write_bytes(with_upper_end(digits))
        yield [proof, data], expected or "0 VERIFIED lambda-min -1*2^-3 " + digits + "*2^0"


def deflated(name, contents, behind=b""):
    """An archive with one member, and bytes behind the end of its stream."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(contents) + packer.flush() + behind
    middle = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, zlib.crc32(contents), len(packed), len(contents), len(name), 0)
    local = b"PK\3\4" + middle + name + packed
    record = b"PK\1\2" + struct.pack("<H", 20) + middle + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    return local + record + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(record), len(local), 0)


def commented(archive, comment):
    """An archive of one member with a comment in its record."""
    end = len(archive) - 22
    size, = struct.unpack_from("<I", archive, end + 12)
    record = end - size
    directory = archive[record:record + 32] + struct.pack("<H", len(comment)) + archive[record + 34:end] + comment
    return archive[:record] + directory + archive[end:end + 12] + struct.pack("<I", len(directory)) + archive[end + 16:]


def archives():
    """(name, bytes, verdict) of data sets of one example with one token."""
    array = npy((1, 1, 1), [2.0])
    plain = npz({"tokens": array}, zipfile.ZIP_STORED)
    at = plain.index(b"PK\1\2")
    unnamed = npz({"tokens": array, "others": array})
    yield "stored", plain, FULL
    yield "deflated", deflated(b"tokens.npy", array), FULL
    yield "ignored", npz({"tokens": array, "x": npy((3, 3), [0.0] * 9), "more": b"not an array"}), FULL
    yield "behind_stream", deflated(b"tokens.npy", array, b"\0"), "4"
    yield "before", b"\0" + plain, "4"
    yield "behind", plain + b"\0", "4"
    yield "comment", plain[:-2] + b"\1\0c", "4"
    yield "record_comment", commented(plain, b"c" * 20), FULL
    yield "hidden_locator", commented(plain, b"PK\6\7" + bytes(16)), "4"
    yield "encrypted", plain[:6] + b"\1" + plain[7:at + 8] + b"\1" + plain[at + 9:], "4"
    yield "contradiction", plain[:18] + b"\0" + plain[19:], "4"
    yield "checksum", plain[:14] + b"\0\0\0\0" + plain[18:at + 16] + b"\0\0\0\0" + plain[at + 20:], "4"
    yield "two_of_one_name", unnamed.replace(b"others.npy", b"tokens.npy"), "4"
    yield "without_npy", deflated(b"tokens", array), "4"
    yield "zero_in_name", deflated(b"tokens.npy\0", array), "4"
    yield "header", npz({"tokens": array.replace(b"False", b"false")}), "4"
    yield "header_spaces", npz({"tokens": array.replace(b"(1, 1, 1)", b"(1, 1,1) ")}), "4"
    yield "too_many_numbers", npz({"tokens": array.replace(b"(1, 1, 1), }         ", b"(999999999, 9, 9), } ")}), "4"
    yield "empty_sequence", npz({"tokens": npy((1, 1), [2.0]), "offsets": npy((3,), [0, 0, 1], "<i8")}), "4"
    yield "large_integer", npz({"tokens": npy((1, 1, 1), [2**53 + 1], "<i8")}), "4"
    yield "infinity", npz({"tokens": npy((1, 1, 1), [float("inf")])}), "4"


def data_sets(folder):
    proof = folder / "one.cert"
    proof.write_bytes(proof_of(Data([[[2.0]]])))
    for name, content, expected in archives():
        path = folder / (name + ".npz")
        path.write_bytes(content)
        yield [proof, path], expected
    for d, expected in ((400, "0 VERIFIED deficient"), (401, "4")):
        wide = Data([[[1.0] * d]])
        files = [folder / ("wide%d.%s" % (d, suffix)) for suffix in ("cert", "npz")]
        files[0].write_bytes(proof_of(wide, "deficient", ["few-examples"]))
        files[1].write_bytes(npz({"tokens": npy((1, 1, d), flat(wide.sequences))}))
        yield files, expected


def layers(folder):
    """At the limits of the text of a layer, of features and of weights; the line of the layer is the third."""
    refused, full, deficient = "1 line 3", FULL, "0 VERIFIED deficient"
    rate = "decay=1/1" + "0" * 998 + "1"
    longest = "table=" + ":".join(["1" + "0" * 999] * 1047 + ["1" * 523])  # 2^20 characters
    for i, (text, d, tokens, expected) in enumerate([
            (rate, 1, 1, full), (rate + "1", 1, 1, refused), (rate, 1, 317, refused), ("lags=999", 1, 1, deficient), ("lags=1000", 1, 1, refused),
            ("window=1 lags=999", 1, 1, refused), ("window=1000000", 1, 2, full), ("window=1000001", 1, 2, refused),
            (longest, 1, 1, full), (longest + "1", 1, 1, refused), ("degree=12", 2, 1, deficient),
            ("degree=12", 20, 1, refused), ("degree=13", 1, 1, refused), ("degree=12", 400, 1, refused)]):
        data = Data([[[2.0] * d] * tokens])
        files = [folder / ("layer%d.%s" % (i, suffix)) for suffix in ("cert", "npz")]
        files[0].write_bytes(proof_of(data, *(["deficient", ["few-examples"]] if expected == deficient else []), layer=["layer " + text]))
        files[1].write_bytes(npz({"tokens": npy((1, tokens, d), flat(data.sequences))}))
        yield files, expected


def unreadable(folder):
    proof, data = EXAMPLES / "valid" / "full_rank_d6.cert", EXAMPLES / "data" / "d6.npz"
    empty, pipe, large_proof, large_data = (folder / name for name in ("empty", "pipe", "large.cert", "large.npz"))
    empty.write_bytes(b"")
    os.mkfifo(pipe)
    for path, size in ((large_proof, 2**26 + 1), (large_data, 2**31 + 1)):
        with open(path, "wb") as file:
            file.truncate(size)
    for files in ([folder / "nowhere", data], [proof, folder / "nowhere"], [proof, folder], [folder, data], [proof, pipe], [pipe, data],
                  [large_proof, data], [proof, large_data], [proof, empty], [proof, data, empty], [proof, proof]):
        yield files, "4"
    yield [empty, data], "1 line 1"
    stack = folder / "stack.cert"
    stack.write_bytes(signed("attest-proof 1\n# of a stack\nstack dimension 1\n").encode())
    yield [stack], "1 line 3"
    yield [stack, data], "2"
    yield [proof], "2"
    yield [proof, data, data, data], "2"


def main():
    programs = checkers(ROOT, BIN)
    if len(programs) < 3:
        print("limits_test: SKIPPED: attest-check or attest-verified is not built in %s; scripts/theory --checker builds the second" % BIN)
        return SKIPPED
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cases = [*numbers(folder), *data_sets(folder), *layers(folder), *unreadable(folder)]
        found = {program: verdicts(command, [files for files, _ in cases]) for program, command in programs.items()}
        for i, (files, expected) in enumerate(cases):
            for program, answers in found.items():
                answer = answers[i][0]
                too_many_features = answer == "3" and expected == "0 VERIFIED deficient"
                if answer != expected and not too_many_features:
                    wrong += 1
                    print("limits_test: %s: %s says %s, expected %s" % ([f.name for f in files], program, answer[:60], expected[:60]), file=sys.stderr)
    print("limits_test: %d cases by %s" % (len(cases), ", ".join(programs)))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
