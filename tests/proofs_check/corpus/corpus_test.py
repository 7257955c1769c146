"""corpus_test.py: the corpus of proofs is what its index and its page say, packs to the same bytes twice, is what its seeds make, and a
corpus with any one thing changed is refused by name. Standard library only."""
import collections
import io
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import corpus  # noqa: E402
from make_corpus import made  # noqa: E402

ARCHIVE, TEXT = (corpus.CORPUS / "corpus.tar.xz").read_bytes(), (corpus.CORPUS / "index.txt").read_text(encoding="utf-8")
FILES, INDEX = corpus.read_archive(ARCHIVE), corpus.read_index(TEXT)
VERDICTS = corpus.agreed(FILES, INDEX)
VALID, WRONG, DATA = "risk/valid/few.cert", "grouped/wrong/few__composite.cert", "layers/data/decay.npz"


def without(names, name):
    return {other: value for other, value in names.items() if other != name}


def archive_of(*members):
    """An archive of empty members."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:xz") as archive:
        for member in members:
            archive.addfile(member)
    return stream.getvalue()


class Page(unittest.TestCase):
    page = (corpus.CORPUS / "README.md").read_text(encoding="utf-8")

    def test_counts_the_files_of_each_part(self):
        counts = collections.Counter("/".join(name.split("/")[:-1]) for name in FILES)

        said = {part + folder: int(count) for part, *columns in re.findall(r"^\| `?([a-z/]*)`? *\| (\d+) \| (\d+) \| (\d+) \|", self.page, re.M)
                for folder, count in zip(("valid", "wrong", "data"), columns)}

        self.assertEqual(said, counts)

    def test_names_every_change_that_a_wrong_proof_has(self):
        changes = {name[:-len(".cert")].split("__")[-1] for name in FILES if "wrong/" in name}

        said = {change for row in re.findall(r"^\| (`[^|]*`) \|", self.page, re.M) for change in re.findall(r"`([a-z_]+)…?`", row)}

        self.assertEqual({re.sub(r"spelling_\d\d", "spelling_", change) for change in changes}, said)


class Archive(unittest.TestCase):
    def test_is_packed_to_the_same_bytes_twice(self):
        archive, index = corpus.packed(FILES, VERDICTS)
        again, _ = corpus.packed(dict(reversed(FILES.items())), VERDICTS)

        self.assertEqual(corpus.digest(archive), corpus.digest(again))
        self.assertTrue(index == TEXT)
        # Another liblzma may compress otherwise.
        self.assertEqual(corpus.digest(lzma.decompress(archive)), corpus.digest(lzma.decompress(ARCHIVE)))

    def test_is_what_the_seeds_make(self):
        files, verdicts = made()

        self.assertEqual(verdicts, VERDICTS)
        # Evidence of a bound and compressed data depend on the version of Python and zlib; all else does not.
        same = [name for name in FILES if "lambda_min__" not in name and not name.endswith(("lambda_min.cert", ".npz"))]
        self.assertGreater(len(same), 1700)
        self.assertEqual([name for name in same if files[name] != FILES[name]], [])


class Changed(unittest.TestCase):
    """Archive or index with one change, which is the one thing said."""

    def refused(self, said, call, *arguments):
        with self.assertRaises(corpus.Mismatch) as caught:
            call(*arguments)
        self.assertEqual(len(caught.exception.args), 1, caught.exception.args)
        self.assertIn(said, caught.exception.args[0])

    def test_a_case_missing_in_the_archive(self):
        self.refused(WRONG + ": not there", corpus.agreed, without(FILES, WRONG), INDEX)

    def test_a_case_missing_in_the_index(self):
        self.refused(WRONG + ": no verdict on it", corpus.agreed, FILES, without(INDEX, WRONG))

    def test_another_byte(self):
        for name in (VALID, WRONG, DATA):
            self.refused(name + ": not the digest", corpus.agreed, {**FILES, name: FILES[name][:-2] + b"00"}, INDEX)

    def test_another_digest(self):
        self.refused(DATA + ": not the digest", corpus.agreed, FILES, {**INDEX, DATA: ("0" * 64, "data")})

    def test_a_hostile_case_that_is_called_valid(self):
        index = {**INDEX, WRONG: (INDEX[WRONG][0], "VERIFIED full-rank")}

        self.refused(WRONG + ": got verdict 'VERIFIED full-rank'", corpus.agreed, FILES, index)

    def test_another_order(self):
        self.refused("not in their order", corpus.agreed, dict(reversed(FILES.items())), INDEX)
        self.refused("not in their order", corpus.agreed, FILES, dict(reversed(INDEX.items())))

    def test_a_name_outside(self):
        name = "../valid/escaped.cert"

        self.refused(name + ": not a name of the corpus", corpus.agreed, {**FILES, name: FILES[VALID]}, {**INDEX, name: INDEX[VALID]})

    def test_data_that_no_proof_asks_for_and_data_that_are_not_there(self):
        name = "data/alone.npz"

        self.refused(name + ": no proof asks for it", corpus.packed, {**FILES, name: b""}, {**VERDICTS, name: "data"})
        self.refused(DATA + ": a proof asks for it, not there", corpus.packed, without(FILES, DATA), without(VERDICTS, DATA))

    def test_a_line_of_the_index_that_is_none_or_comes_twice(self):
        line = "%s  %s %s\n" % (INDEX[VALID][0], VALID, INDEX[VALID][1])

        self.assertEqual(corpus.read_index(line), {VALID: INDEX[VALID]})
        self.refused("index.txt:2: a name twice", corpus.read_index, line + line)
        for wrong in (line.replace("VERIFIED", "verified"), line[1:], line.replace("  ", " "), "\n"):
            self.refused("index.txt:2: not 'DIGEST  NAME VERDICT'", corpus.read_index, line.replace(VALID, "valid/a.cert") + wrong)

    def test_an_archive_that_holds_a_name_twice_or_a_link_or_ends_early(self):
        self.assertEqual(corpus.read_archive(archive_of(tarfile.TarInfo(VALID))), {VALID: b""})
        link = tarfile.TarInfo(WRONG)
        link.type = tarfile.SYMTYPE
        link.linkname = VALID

        self.refused(VALID + ": twice in the archive", corpus.read_archive, archive_of(tarfile.TarInfo(VALID), tarfile.TarInfo(VALID)))
        self.refused(WRONG + ": not a file", corpus.read_archive, archive_of(tarfile.TarInfo(VALID), link))
        for content in (b"", ARCHIVE[:-1000], ARCHIVE[:1000]):
            self.refused("corpus.tar.xz: ", corpus.read_archive, content)


class Command(unittest.TestCase):
    """Of a copy of the tree, which it may write to."""

    def setUp(self):
        made_here = tempfile.TemporaryDirectory()
        self.addCleanup(made_here.cleanup)
        self.root = pathlib.Path(made_here.name)
        shutil.copytree(corpus.CORPUS, self.root / "proofs_check" / "corpus")
        self.program = self.root / "tests" / "proofs_check" / "corpus" / "corpus.py"
        self.program.parent.mkdir(parents=True)
        shutil.copy(HERE / "corpus.py", self.program)

    def run_it(self, *arguments, program=None):
        run = subprocess.run([sys.executable, "-B", program or self.program, *map(str, arguments)], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def test_a_case_is_added_as_the_page_says(self):
        folder = self.root / "unpacked"
        self.assertEqual(self.run_it("unpack", folder), (0, ""))
        shutil.copy(folder / WRONG, folder / "grouped/wrong/few__again.cert")
        with (folder / "expected.txt").open("a", encoding="utf-8") as expected:
            expected.write("grouped/wrong/few__again.cert REJECTED line 6\n")

        self.assertEqual(self.run_it("pack", folder), (0, ""))

        self.assertEqual(self.run_it("check"), (0, "corpus: %d files, as the index says\n" % (len(FILES) + 1)))
        added = set((self.root / "proofs_check/corpus/index.txt").read_text(encoding="utf-8").splitlines()) - set(TEXT.splitlines())
        self.assertEqual(added, {"%s  grouped/wrong/few__again.cert REJECTED line 6" % INDEX[WRONG][0]})

    def test_a_folder_without_a_verdict_is_not_packed(self):
        folder = self.root / "unpacked"
        self.run_it("unpack", folder)
        shutil.copy(folder / WRONG, folder / "grouped/wrong/few__again.cert")

        self.assertEqual(self.run_it("pack", folder), (1, "corpus: grouped/wrong/few__again.cert: no verdict on it\n"))

        self.assertTrue((self.root / "proofs_check/corpus/corpus.tar.xz").read_bytes() == ARCHIVE)

    def test_a_folder_that_holds_something_is_not_unpacked_into(self):
        code, said = self.run_it("unpack", self.root)

        self.assertEqual((code, said), (1, "corpus: %s: not empty\n" % self.root))

    def test_help_and_usage(self):
        for program in (self.program, HERE / "make_corpus.py"):
            code, said = self.run_it("--help", program=program)
            self.assertEqual(code, 0)
            self.assertIn("FOLDER", said)
            for wrong in ((), ("--pack",), ("unpack", "a", "b")):
                code, said = self.run_it(*wrong, program=program)
                self.assertEqual(code, 2)
                self.assertIn("usage: ", said)


if __name__ == "__main__":
    unittest.main()
