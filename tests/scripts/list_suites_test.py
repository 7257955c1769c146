"""list_suites_test.py ROOT CMAKE CTEST: cmake/list_suites.cmake makes of a GoogleTest program's suites what ctest calls passed, failed and skipped.
A suite is skipped where all its cases are, and fails where some are skipped and others pass. Exit: 0 so it is, 1 not."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT, CMAKE, CTEST = sys.argv[1:]

LISTED = """Running main() from gtest_main.cc
Passing.
  Case
Sizes/Failing.  # TypeParam = int
  Case/0  # GetParam() = 1. or 2.
Skipped.
  Case
SkippedInPart.
  Case
SkippedAndFailing.
  Case
"""
ENDS = {  # how GoogleTest ends, its exit code, and what ctest says
    "Passing": (r"[  PASSED  ] 2 tests.\n", 0, "Passed"),
    "Sizes/Failing": (r"[  PASSED  ] 1 test.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Sizes/Failing.Case/0\n\n 1 FAILED TEST\n", 1, "Failed"),
    "Skipped": (r"[  PASSED  ] 0 tests.\n[  SKIPPED ] 2 tests, listed below:\n[  SKIPPED ] Skipped.A\n[  SKIPPED ] Skipped.B\n", 0, "Skipped"),
    "SkippedInPart": (r"[  PASSED  ] 10 tests.\n[  SKIPPED ] 1 test, listed below:\n[  SKIPPED ] SkippedInPart.A\n", 0, "Failed"),
    "SkippedAndFailing": (
        r"[  PASSED  ] 0 tests.\n[  SKIPPED ] 1 test, listed below:\n[  SKIPPED ] S.A\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] S.B\n\n 1 FAILED TEST\n",
        1,
        "Failed",
    ),
}


def outcomes(folder):
    program = folder / "program"
    lines = ["#!/bin/sh", "case $1 in", "--gtest_list_tests) cat <<'END'", LISTED + "END", ";;"]
    lines += ["'--gtest_filter=%s.*') printf '%s'; exit %d ;;" % (suite, text, code) for suite, (text, code, _) in ENDS.items()]
    program.write_text("\n".join([*lines, "*) exit 9 ;;", "esac", ""]))
    program.chmod(0o755)
    words = {"PROGRAM": program, "NAME": "core", "LABEL": "fast", "TIMEOUT": 100, "OUTPUT": folder / "CTestTestfile.cmake"}
    definitions = [word for name, value in words.items() for word in ("-D", "%s=%s" % (name, value))]
    subprocess.run([CMAKE, *definitions, "-P", ROOT + "/cmake/list_suites.cmake"], check=True)
    done = subprocess.run([CTEST, "-L", "fast"], cwd=folder, capture_output=True, text=True)
    return dict(re.findall(r"Test +#\d+: core\.(\S+) [.]+[* ]*(Passed|Failed|Skipped)", done.stdout)), done.returncode


def main():
    with tempfile.TemporaryDirectory() as folder:
        found, code = outcomes(pathlib.Path(folder))
    expected = {suite: outcome for suite, (_, _, outcome) in ENDS.items()}
    if found != expected or code == 0:
        print("list_suites_test: ctest, exit %d, says %s, expected %s" % (code, found, expected), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
