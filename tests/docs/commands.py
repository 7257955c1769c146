"""What can be known of a command line without running it: that the command is there, and every option that it names."""

import itertools
import os
import re
import subprocess

PROGRAMS = ("attest", "build/bin/attest")
OPTION = re.compile(r"^\[?(--[a-z][-a-z0-9]*|-[a-zA-Z])\b")
BELOW = re.compile(r"^Subcommands:\n((?: .*\n)+)", re.M)
INLINE = re.compile(r"`(" + "|".join(PROGRAMS) + r"|\./scripts/[a-z_-]+|scripts/[a-z_-]+)( [^`]*)?`")
FENCE = re.compile(r"^```([a-z]*)\n(.*?)^```$", re.M | re.S)


class Helps:
    """The help of commands, each asked for once."""

    def __init__(self, attest, root):
        self.attest, self.root, self.known = attest, root, {}

    def of(self, words):
        """The help of a command or script; empty: there is none."""
        if words not in self.known:
            program = [self.attest, *words[1:]] if words[0] == "attest" else [os.path.join(self.root, words[0])]
            try:
                done = subprocess.run([*program, "--help"], capture_output=True, text=True)
            except OSError:
                return ""
            self.known[words] = done.stdout if done.returncode == 0 else ""
        return self.known[words]

    def listed(self, command):
        """The experiments or claims that `attest reproduce` or `attest verify` knows."""
        if command == "reproduce":
            return re.findall(r"^  ([a-z0-9_]+)", self.of(("attest", command)).partition("\nExperiments:\n")[2], re.M)
        if command not in self.known:
            done = subprocess.run([self.attest, command, "--list"], capture_output=True, text=True, check=True)
            self.known[command] = re.findall(r"^ *([a-z0-9_]+/[a-z0-9_]+)", done.stdout, re.M)
        return self.known[command]


def below(text):
    found = BELOW.search(text)
    return re.findall(r"^  ([a-z][-a-z0-9]*)", found.group(1), re.M) if found else []


def split(line):
    """The commands of a line, each a list of words, what quotes hold left out."""
    line = re.sub(r"'[^']*'|\"[^\"]*\"", "Q", line.split(" #")[0])
    return [command.split() for command in re.split(r"\||&&|;|\$\(", line)]


def problem_of(words, helps):
    """What is wrong with one command, given as words; None: nothing, or no command of ours."""
    words = [word for word in words if not re.match(r"^[A-Z_]+=", word)]
    if not words:
        return None
    if words[0] in PROGRAMS:
        command, rest = ("attest",), words[1:]
        while rest and rest[0] in below(helps.of(command)):
            command, rest = command + (rest[0],), rest[1:]
        # A word in capitals stands for a name of the reader's own, a dash or an ellipsis for more.
        if below(helps.of(command)) and rest and re.match(r"^(?!my[-_])[a-z]", rest[0]):
            return f"'{' '.join(command)}' has no '{rest[0]}'"
    elif re.match(r"^(\./)?scripts/", words[0]):
        command, rest = (words[0].removeprefix("./"),), words[1:]
        if not os.path.exists(os.path.join(helps.root, command[0])):
            return f"there is no '{command[0]}'"
    else:
        return None
    for word in rest:
        option = OPTION.match(word)
        if option and not re.search(rf"(?<![-\w]){re.escape(option.group(1))}(?![-\w])", helps.of(command)):
            return f"'{' '.join(command)} --help' does not know {option.group(1)}"
    return None


def unlisted(words, helps):
    """What `attest reproduce` or `attest verify` is asked for and does not list; words in capitals stand for names of the reader's own."""
    if words[0] not in PROGRAMS or len(words) < 3 or words[1] not in ("reproduce", "verify"):
        return None
    listed = helps.listed(words[1])
    for word in itertools.takewhile(lambda word: re.match(r"^(?!my[-_])[a-z0-9_/]+$", word), words[2:]):
        if word not in ("all", "claims") and not any(name.startswith(word) for name in listed):
            return f"'attest {words[1]}' knows no '{word}'"
    return None


def problems(line, helps):
    """What is wrong with the commands of a line."""
    return [found for words in split(line) for found in (problem_of(words, helps), words and unlisted(words, helps)) if found]


def indented(page):
    """Commands that a page shows outside of blocks, where no test would run them."""
    return [line.strip() for line in re.findall(r"^ {4}(?:attest [a-z]+(?!:)|build/bin/|\.?/?scripts/).*$", FENCE.sub("", page), re.M)
            if not re.match(r"attest [a-z]+:", line.strip())]


def mentioned(page):
    """Commands that a page names without a test running them: in its sentences and its blocks of console."""
    for language, text in FENCE.findall(page):
        if language == "console":
            yield from text.replace("\\\n", " ").splitlines()
    yield from (" ".join(found.group(0).strip("`").split()) for found in INLINE.finditer(FENCE.sub("", page)))
