#!/usr/bin/env python3
"""The corpus of proofs: one archive, proofs_check/corpus/corpus.tar.xz, and its index, a line for each file.

    corpus.py unpack FOLDER    writes the files into FOLDER, and expected.txt: a line for each proof, its name and verdict
    corpus.py pack FOLDER      writes archive and index from such a folder
    corpus.py check            holds the archive against the index

Exit: 0 done, 1 archive, index or folder do not fit together, 2 usage. Standard library only."""
import collections
import contextlib
import hashlib
import io
import lzma
import pathlib
import re
import sys
import tarfile
import tempfile

CORPUS = pathlib.Path(__file__).resolve().parents[3] / "proofs_check" / "corpus"
# In the order of the index; "" is the paper's layer.
PARTS = ("", "layers/", "risk/", "grouped/")
NAME = re.compile(r"(%s)(?:(data)/\w+\.npz|(valid|wrong)/\w+\.cert)" % "|".join(PARTS))
VERDICTS = {"data": ("data",), "valid": ("VERIFIED",), "wrong": ("REJECTED", "exit")}
LINE = re.compile(r"([0-9a-f]{64})  (\S+) (data|VERIFIED \S.*|REJECTED line [1-9][0-9]*|exit 4)")


class Mismatch(Exception):
    """Archive, index or folder do not fit together; each argument says of one file why."""


def folder_of(name):
    """(part of the corpus, folder in it) of a file."""
    part, data, proofs = NAME.fullmatch(name).groups()
    return part, data or proofs


def place(name):
    """Where a file stands in the archive and the index."""
    return PARTS.index(folder_of(name)[0]), name


def digest(content):
    return hashlib.sha256(content).hexdigest()


def data_of(name, proof):
    """Names of the data files that a proof asks for on its second line."""
    line = next((line for line in proof.decode("latin-1").split("\n") if line.startswith("# files: ")), "")
    return ["%sdata/%s" % (folder_of(name)[0], file) for file in line[len("# files: "):].split(" ")]


def differences(files, verdicts):
    """What is wrong with a corpus: `files` name -> content, `verdicts` name -> what a checker must answer, or "data"."""
    found = ["%s: not a name of the corpus" % name for name in sorted({*files, *verdicts}) if not NAME.fullmatch(name)]
    found += ["%s: no verdict on it" % name for name in sorted(files.keys() - verdicts.keys())]
    found += ["%s: not there" % name for name in sorted(verdicts.keys() - files.keys())]
    if found:
        return found
    found = ["%s: got verdict '%s'" % (name, verdicts[name]) for name in files if verdicts[name].split(" ")[0] not in VERDICTS[folder_of(name)[1]]]
    asked = {data for name in files if verdicts[name] != "data" for data in data_of(name, files[name])}
    found += ["%s: a proof asks for it, not there" % name for name in sorted(asked - files.keys())]
    return found + ["%s: no proof asks for it" % name for name in sorted(files.keys() - asked) if verdicts[name] == "data"]


def read_index(text):
    """Name -> (digest, verdict)."""
    index, wrong = {}, []
    for number, line in enumerate(text.splitlines(), 1):
        match = LINE.fullmatch(line)
        if not match or match[2] in index:
            wrong.append("index.txt:%d: %s" % (number, "a name twice" if match else "not 'DIGEST  NAME VERDICT'"))
        else:
            index[match[2]] = (match[1], match[3])
    if wrong:
        raise Mismatch(*wrong)
    return index


def read_archive(content):
    """Name -> content."""
    files, wrong = {}, []
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:xz") as archive:
            for member in archive:
                if not member.isfile() or member.name in files:
                    wrong.append("%s: %s" % (member.name, "twice in the archive" if member.isfile() else "not a file"))
                else:
                    files[member.name] = archive.extractfile(member).read()
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        wrong.append("corpus.tar.xz: %s" % error)
    if wrong:
        raise Mismatch(*wrong)
    return files


def agreed(files, index):
    """Name -> verdict, where archive and index name the same files, in the same order, with the same digests."""
    verdicts = {name: verdict for name, (_, verdict) in index.items()}
    wrong = differences(files, verdicts)
    wrong += ["%s: not the digest of the index" % name for name in files if name in index and digest(files[name]) != index[name][0]]
    if not wrong and not list(files) == list(index) == sorted(files, key=place):
        wrong = ["archive and index: not in their order"]
    if wrong:
        raise Mismatch(*wrong)
    return verdicts


def read():
    """(name -> content, name -> verdict) of the corpus."""
    files = read_archive((CORPUS / "corpus.tar.xz").read_bytes())
    return files, agreed(files, read_index((CORPUS / "index.txt").read_text(encoding="utf-8")))


def packed(files, verdicts):
    """(archive, index), the same bytes for the same corpus."""
    wrong = differences(files, verdicts)
    if wrong:
        raise Mismatch(*wrong)
    stream, index = io.BytesIO(), []
    with tarfile.open(fileobj=stream, mode="w:xz", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files, key=place):
            member = tarfile.TarInfo(name)  # no date, no owner
            member.size = len(files[name])
            archive.addfile(member, io.BytesIO(files[name]))
            index.append("%s  %s %s\n" % (digest(files[name]), name, verdicts[name]))
    return stream.getvalue(), "".join(index)


def write_folder(folder, files, verdicts):
    """The unpacked form, into a folder that is not there yet or is empty."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise Mismatch("%s: not empty" % folder)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    proofs = ["%s %s\n" % (name, verdicts[name]) for name in sorted(files, key=place) if verdicts[name] != "data"]
    (folder / "expected.txt").write_text("".join(proofs), encoding="utf-8")


def read_folder(folder):
    """The corpus that a folder holds, as packed() takes it."""
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "expected.txt"}
    lines = (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
    verdicts = {name: verdict for name, _, verdict in (line.partition(" ") for line in lines)}
    if len(verdicts) < len(lines):
        raise Mismatch("expected.txt: a name twice")
    return files, {**{name: "data" for name in files if name.endswith(".npz")}, **verdicts}


@contextlib.contextmanager
def unpacked():
    """A folder with the corpus, for as long as it is used."""
    with tempfile.TemporaryDirectory() as folder:
        write_folder(pathlib.Path(folder), *read())
        yield pathlib.Path(folder)


def main(arguments):
    try:
        if arguments in (["-h"], ["--help"]):
            print(__doc__)
        elif arguments == ["check"]:
            print("corpus: %d files, as the index says" % len(read()[0]))
        elif len(arguments) == 2 and arguments[0] == "unpack":
            write_folder(pathlib.Path(arguments[1]), *read())
        elif len(arguments) == 2 and arguments[0] == "pack":
            archive, index = packed(*read_folder(pathlib.Path(arguments[1])))
            (CORPUS / "corpus.tar.xz").write_bytes(archive)
            (CORPUS / "index.txt").write_text(index, encoding="utf-8")
        else:
            print("usage: corpus.py unpack FOLDER | pack FOLDER | check; see --help", file=sys.stderr)
            return 2
    except (Mismatch, OSError) as error:
        for line in error.args if isinstance(error, Mismatch) else [error]:
            print("corpus:", line, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
