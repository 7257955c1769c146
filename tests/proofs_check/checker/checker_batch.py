"""Many proofs through one run of a checker: all three programs have --batch. A case that ends the program, or takes more
processor seconds than its share, is named, and the run goes on behind it. Standard library only."""
import functools
import os
import pathlib
import resource
import select
import subprocess
import sys
import tempfile

NOT_SUPPORTED = "3"
SECONDS, BYTES = 10, 10**9


def checkers(root, bin_folder):
    """Name -> command of the checkers that are there."""
    programs = {name: [str(pathlib.Path(bin_folder) / name)] for name in ("attest-check", "attest-verified")}
    found = {name: command for name, command in programs.items() if os.path.exists(command[0])}
    return {**found, "check_certificate.py": [sys.executable, "-B", str(pathlib.Path(root) / "scripts" / "check_certificate.py")]}


def verdict(line):
    """Exit code, and the claim verified or the line rejected: the reason is each checker's own."""
    code, answer = line.split(" ", 1)
    return {"0": line, "1": "1 " + answer.split(":")[1].strip() if ":" in answer else line}.get(code, code)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


@functools.lru_cache
def takes_terabytes(program):
    """Of address space: AddressSanitizer's shadow does."""
    return b"__asan_init" in pathlib.Path(program).read_bytes()


def lines_of(command, cases):
    """What one run answers, line by line, with seconds; an end before the last case is '-' and how it ended."""
    with tempfile.NamedTemporaryFile("w", suffix=".list", errors="surrogateescape") as batch:
        batch.write("".join("\t".join(map(str, files)) + "\n" for files in cases))
        batch.flush()
        run = subprocess.Popen(command + ["--batch", batch.name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               preexec_fn=None if takes_terabytes(command[0]) else limit_memory)
        try:
            yield from timed_lines(run)
        finally:
            run.kill()
            run.wait()
            run.stdout.close()


def processor_seconds(run):
    """Of the program, whatever else the machine does."""
    with open("/proc/%d/stat" % run.pid) as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def timed_lines(run):
    left, since = b"", 0.0
    while True:
        if b"\n" in left:
            line, left = left.split(b"\n", 1)
            now = processor_seconds(run)
            yield line.decode("latin-1"), now - since
            since = now
            continue
        ready, _, _ = select.select([run.stdout], [], [], 0.1)
        taken = processor_seconds(run) - since
        if not ready and taken <= SECONDS:
            continue
        more = os.read(run.stdout.fileno(), 1 << 16) if ready else b""
        if not more:
            yield "- " + ("ended with %d" % run.wait() if ready else "above %d seconds" % SECONDS), taken
            return
        left += more


def verdicts(command, cases):
    """(verdict, seconds) of each case, a list of two or three files."""
    found = []
    while len(found) < len(cases):
        for line, seconds in lines_of(command, cases[len(found):]):
            found.append((line if line.startswith("-") else verdict(line), seconds))
            if len(found) == len(cases):
                break
    return found
