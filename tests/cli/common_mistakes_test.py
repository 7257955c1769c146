#!/usr/bin/env python3
"""The five mistakes that newcomers make most, with every newer command: each ends with its exit code and one line that says what, where, how to fix.

    common_mistakes_test.py ATTEST

The mistakes: a file that is not there, a file of another kind, a layer or kind that nobody knows, a number out of range, a place that cannot be written.
"""

import os
import subprocess
import sys
import tempfile

USAGE, BAD_INPUT, ENVIRONMENT = 2, 4, 5
NEAREST = "nearest: decay"
NOWHERE = "data.npz/x: cannot write: Not a directory; choose another path or make room there"
NOT_THERE = ": No such file or directory; check the name and permissions"
NO_ARCHIVE = "text.npz: is no zip archive or is cut short, expected an .npz file; write it with numpy.savez"

# Command, exit code, what its line says. data.npz and model.npz are what they are called, text.npz holds a text, rows.jsonl no rows, data.npz/x no place.
MISTAKES = [
    ("sweep absent.toml", BAD_INPUT, "absent.toml: cannot be read" + NOT_THERE),
    ("sweep data.npz", BAD_INPUT, "data.npz: holds a NUL, expected a text file"),
    ("sweep layer.toml", USAGE, NEAREST),
    ("sweep grid.toml --seed x", USAGE, "--seed: got 'x', expected an integer"),
    ("sweep grid.toml --out data.npz", ENVIRONMENT, "data.npz: cannot make this directory: Not a directory"),
    ("audit absent.npz data.npz", BAD_INPUT, "absent.npz: cannot read" + NOT_THERE),
    ("audit data.npz model.npz", BAD_INPUT, "data.npz: holds neither P nor V and Q"),
    ("audit model.npz data.npz --confidence 2", USAGE, "--confidence: got '2', expected a number from"),
    ("audit model.npz data.npz -o data.npz/x", ENVIRONMENT, NOWHERE),
    ("distil absent.npz data.npz", BAD_INPUT, "absent.npz: cannot be read" + NOT_THERE),
    ("distil text.npz data.npz", BAD_INPUT, NO_ARCHIVE),
    ("distil data.npz --layer decoy=1", USAGE, NEAREST),
    ("distil data.npz --share 2", USAGE, "--share: got '2', expected a number from 0.001 to 0.999"),
    ("distil data.npz --starts 0 -o data.npz/x", ENVIRONMENT, NOWHERE),
    ("demo --seed x", USAGE, "--seed: got 'x', expected an integer"),
    ("demo data.npz", USAGE, "not expected: data.npz"),
    ("plan absent.npz", BAD_INPUT, "absent.npz: cannot read" + NOT_THERE),
    ("plan model.npz", BAD_INPUT, "model.npz: holds the keys 'P', 'V', 'Q', 'meta', expected Z (N,d,n) or tokens (N,n,d)"),
    ("plan data.npz --layer decoy=1", USAGE, NEAREST),
    ("plan data.npz --target coverage=2", USAGE, "target: got 'coverage=2', expected rank, coverage=C with 0 < C < 1"),
    ("probe --read absent.npz -o q.npz", BAD_INPUT, "absent.npz: cannot read" + NOT_THERE),
    ("probe --read text.npz -o q.npz", BAD_INPUT, NO_ARCHIVE),
    ("probe --d 3 --layer decoy=1 -o q.npz", USAGE, NEAREST),
    ("probe --d 0 -o q.npz", USAGE, "--d: got '0', expected an integer from 1 to 64"),
    ("probe --d 2 -o data.npz/x", ENVIRONMENT, NOWHERE),
    ("express paritee", USAGE, "nearest: parity"),
    ("express parity --layer decoy=1", USAGE, NEAREST),
    ("express parity --length 99", BAD_INPUT, "length: got '99', expected an integer from 1 to 14"),
    ("express parity -o data.npz/x", ENVIRONMENT, NOWHERE),
    ("kernel check absent.npz --kind gla", BAD_INPUT, "absent.npz: cannot be read" + NOT_THERE),
    ("kernel check text.npz --kind gla", BAD_INPUT, NO_ARCHIVE),
    ("kernel check data.npz --kind gla", BAD_INPUT, "data.npz: Z: is no array of a dump; expected q, k, v, o"),
    ("kernel check data.npz --kind glaa", USAGE, "see attest kernel check --help"),
    ("kernel check data.npz --kind gla --chunk 0", USAGE, "--chunk: got '0', expected an integer from 1"),
    ("import absent.npz --as linear -o m.npz", BAD_INPUT, "absent.npz: cannot be read" + NOT_THERE),
    ("import text.npz --as linear -o m.npz", BAD_INPUT, NO_ARCHIVE),
    ("import weights.pt --as linear -o m.npz", BAD_INPUT, "write the weights with safetensors.torch.save_file or numpy.savez"),
    ("import data.npz --as liner -o m.npz", USAGE, "see attest import --help"),
    ("import data.npz --as gated-delta -o m.npz", USAGE, "--layer delta, \"delta gates\" or \"delta gates=vector\", docs/families.md 3.12"),
    ("certify data.npz --layer gated-delta", USAGE, "--layer delta, \"delta gates\" or \"delta gates=vector\", docs/families.md 3.12"),
    ("certify data.npz --layer delta", BAD_INPUT, "data.npz: keys is not there, expected it beside the sequences for the layer delta"),
    ("import data.npz --as linear --num-heads 0 -o m.npz", USAGE, "--num-heads: got '0', expected an integer from 1"),
    ("compare folder absent", BAD_INPUT, "absent: there is no such file or folder"),
    ("compare rows.jsonl rows.jsonl", BAD_INPUT, "rows.jsonl:1: header: not valid JSON (exception 101); is this a result file (.jsonl)?"),
    ("compare folder folder --threshold -1", USAGE, "--threshold: got '-1', expected a finite number from 0"),
]
GRID = 'name = "g"\nsummary = "s"\nseeds = 1\n[data]\ntask = "random-linear-attention"\nsequences = [20]\nheld_out = 20\nd = [2]\n[learn]\nsolver = "auto"\n'


def run(attest, line):
    return subprocess.run([attest, *line.split()], capture_output=True, text=True)


def what_is_wrong(line, code, said, done):
    command = line.split()[0]
    faults = [] if done.returncode == code else [f"exit {done.returncode}, expected {code}"]
    faults += [] if done.stderr.count("\n") == 1 and done.stderr.startswith(f"attest {command}: ") else ["not one line of this command"]
    faults += [] if said in done.stderr else [f"does not say '{said}'"]
    return [f"attest {line}: {'; '.join(faults)}: {done.stderr.strip()[-400:]}"] if faults else []


def main(attest):
    attest = os.path.abspath(attest)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run(attest, "generate random-linear-attention --d 2 --n 3 -N 20 -o data.npz").check_returncode()
        run(attest, "learn data.npz -o model.npz").check_returncode()
        os.mkdir("folder")
        for name, text in (("text.npz", "hello\n"), ("weights.pt", "PK"), ("rows.jsonl", "name,value\n"), ("grid.toml", GRID),
                           ("layer.toml", GRID.replace("[learn]", '[learn]\nlayer = "decoy=1"'))):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        found = [fault for line, code, said in MISTAKES for fault in what_is_wrong(line, code, said, run(attest, line))]
        # What is right is no mistake.
        if not what_is_wrong("demo", USAGE, "x", run(attest, "layers")):
            found.append("a command that succeeds passes for a mistake")
    print("\n".join(found) or f"{len(MISTAKES)} mistakes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
