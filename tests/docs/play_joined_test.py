#!/usr/bin/env python3
"""The explorer as one file is its page with every part in its place, and a part that cannot be joined is refused.

    play_joined_test.py ROOT JOINED CMAKE

JOINED is what the build made of ROOT/docs/play. Exit: 0 all holds, 1 not. Standard library only.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PART = re.compile(r'<script src="([^"]*)"></script>|<link rel="stylesheet" href="([^"]*)">')


def parts_of(page):
    return ["".join(names) for names in PART.findall(page)]


def join(folder):
    """(exit code, what CMake says, the page or None)."""
    joined = folder / "joined.html"
    run = subprocess.run([CMAKE, f"-DPAGE={folder}/index.html", f"-DOUTPUT={joined}", "-P", str(ROOT / "cmake/join_page.cmake")],
                         capture_output=True, text=True, check=False)
    return run.returncode, run.stderr, joined.read_text(encoding="utf-8") if joined.exists() else None


class Explorer(unittest.TestCase):
    def test_names_every_file_of_its_folder_once(self):
        page = (ROOT / "docs/play/index.html").read_text(encoding="utf-8")

        self.assertEqual(sorted(["index.html", *parts_of(page)]), sorted(path.name for path in (ROOT / "docs/play").iterdir() if path.is_file()))

    def test_is_joined_in_the_order_of_its_page_and_asks_for_no_file(self):
        page = (ROOT / "docs/play/index.html").read_text(encoding="utf-8")
        joined, at = JOINED.read_text(encoding="utf-8"), 0

        self.assertIsNone(re.search(r'<script [^>]*src|<link [^>]*href="(?!data:)', joined))
        for name in parts_of(page):
            text = (ROOT / "docs/play" / name).read_text(encoding="utf-8")
            begin, end = ("<style>\n", "</style>") if name.endswith(".css") else ("<script>\n", "</script>")
            at = joined.find(begin + text + end, at)
            self.assertGreater(at, 0, f"{name} is not in its place")
        self.assertEqual(re.sub(r"<(script|style)>\n.*?</\1>", "", joined, flags=re.S), PART.sub("", page))

    def test_keeps_what_cmake_might_read_otherwise(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            script = "'use strict';\nconst a = [1, 2]; // ${folder} \\1 @b@ ;;\nconst c = `${a[0]}\\n`;\n"
            (folder / "index.html").write_text('<p>;[x]</p>\n<script src="a.js"></script>\n', encoding="utf-8")
            (folder / "a.js").write_text(script, encoding="utf-8")

            self.assertEqual(join(folder), (0, "", f"<p>;[x]</p>\n<script>\n{script}</script>\n"))

    def test_refuses_a_part_that_ends_its_own_place_or_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "index.html").write_text('<script src="a.js"></script>\n', encoding="utf-8")
            self.assertNotEqual(join(folder)[0], 0)

            (folder / "a.js").write_text("const end = '</script>';\n", encoding="utf-8")
            code, said, page = join(folder)

            self.assertNotEqual(code, 0)
            self.assertIn("a.js: holds </script", said)
            self.assertIsNone(page)


if __name__ == "__main__":
    ROOT, JOINED, CMAKE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    unittest.main(argv=sys.argv[:1])
