#!/usr/bin/env python3
"""Opens the explorer in Chromium without a screen and holds its numbers against the program ATTEST.

    play_test.py ATTEST PAGE PARTS [SCREENSHOTS]

PAGE is the explorer as one file, PARTS the page docs/play/index.html, which loads its scripts and must answer alike. 200 random data sets: features by hand, rank and verdict of `attest certify`, null vectors over the integers, enclosures of
lambda_min that meet. Figure 2's ranks, decays that `attest learn --read-kernel` finds too, and learned Turing machines whose
certified tokens are those of `attest turing run`. Then the page as readers use it: pointer, keyboard, a phone's width, dark, print,
console, network, names and contrast; with AXE_CORE naming axe.min.js (npm's axe-core), its findings too. Exit: 0 all holds, 1 not,
77 NumPy is not there.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "report"))

try:
    import numpy as np
except ImportError:
    sys.exit(77)

from browser_page import DESKTOP, Page, open_browser, unwanted_messages, unwanted_requests
from play_use import check_use

CASES = 200
failures = []


def expect(holds, what):
    """Notes a failure and goes on: one run shows everything that is wrong."""
    if not holds:
        failures.append(what)
        print(f"play_test: {what}", file=sys.stderr)


def attest(program, *words):
    done = subprocess.run([program, *words, "--json"], capture_output=True, text=True)
    if not done.stdout:
        raise RuntimeError(f"{words}: {done.stderr}")
    return json.loads(done.stdout)


def write(path, examples, scale=1):
    """The examples, lists of tokens, times `scale`: an integer for each of them or one for all."""
    tokens = [[int(Fraction(value) * factor) for value in token]
              for example, factor in zip(examples, scale if isinstance(scale, list) else [scale] * len(examples))
              for token in example]
    np.savez(path, tokens=np.array(tokens), offsets=np.cumsum([0] + [len(example) for example in examples]), y=np.zeros(len(examples)))


def random_case(draw):
    """Data of every kind of deficiency: few examples, one token, a flat subspace, repeated queries; and enough of them."""
    d = draw.choice((2, 3))
    psi = d * d * (d + 1) // 2
    kind = draw.choice(("few", "single", "flat", "asked", "enough", "enough"))
    count = draw.randint(1, psi - 1) if kind == "few" else psi + draw.randint(0, 3)
    length = 1 if kind == "single" else draw.randint(1, 4)
    examples = []
    for _ in range(count):
        tokens = [[draw.randint(-4, 4) for _ in range(d)] for _ in range(length)]
        if kind == "flat":
            tokens = [token[:-1] + [token[0]] for token in tokens]
        if kind == "asked":
            tokens[-1] = [1] * d
        examples.append(tokens)
    return d, draw.choice(("1", "1", "1/2", "3/4")), examples


def features(tokens, gamma):
    """S_jk z_l straight from the definition, pairs first."""
    d, n = len(tokens[0]), len(tokens)
    state = {(j, k): sum(gamma ** (n - 1 - t) * token[j] * token[k] for t, token in enumerate(tokens)) for j in range(d) for k in range(j, d)}
    order = [(j, k) for j in range(d) for k in range(j + 1, d)] + [(j, j) for j in range(d)]
    return [state[pair] * tokens[-1][l] for pair in order for l in range(d)]


def check_case(page, program, folder, case):
    d, gamma, examples = case
    name = json.dumps(case)
    found = page.run("return attestPlay.solve(...arguments)", d, gamma, examples)
    rows = [features([[Fraction(value) for value in token] for token in tokens], Fraction(gamma)) for tokens in examples]
    expect([[Fraction(value) for value in row] for row in found["features"]] == rows, f"other features: {name}")
    path = f"{folder}/case.npz"
    write(path, examples)
    layer = ["--layer", "linear" if gamma == "1" else f"decay={gamma}"]
    said = attest(program, "certify", path, "--level", "exact", *layer)
    expect((found["psi"], found["rank"]) == (said["psi"], said["rank"]), f"rank {found['rank']}, attest {said['rank']}: {name}")
    null = [[int(value) for value in vector] for vector in found["nullVectors"]]
    expect(len(null) == said["nullity"], f"{len(null)} null vectors, attest {said['nullity']}: {name}")
    expect(all(sum(a * b for a, b in zip(vector, row)) == 0 for vector in null for row in rows), f"no null vector: {name}")
    low, high = (Fraction(value) for value in found["lambda"])
    bounds = attest(program, "certify", path, "--level", "rigorous", *layer)["lambda_min"]
    attest_high = Fraction(bounds["hi"]) if bounds["hi"] is not None else high
    expect(low <= attest_high and Fraction(bounds["lo"] or 0) <= high, f"lambda_min in [{float(low)}, {float(high)}], attest {bounds}: {name}")
    expect(high <= low * (1 + Fraction(1, 100000)), f"a wide enclosure: {name}")
    if null:
        witness = features([[Fraction(value) for value in token] for token in found["witness"]], Fraction(gamma))
        expect(any(sum(a * b for a, b in zip(vector, witness)) != 0 for vector in null), f"the witness is no witness: {name}")


def check_mixture(page, program, folder):
    found = page.run("return attestPlay.mixture(5)")
    examples = found["sequences"]
    # One factor a sequence scales its features and leaves the rank.
    scales = [int(np.lcm.reduce([Fraction(value).denominator for token in example for value in token])) for example in examples]
    for gaussian, rank in enumerate(found["ranks"]):
        if gaussian in (0, 1, 3, 4, 8):
            write(f"{folder}/mixture.npz", examples[: 60 + gaussian], scales[: 60 + gaussian])
            said = attest(program, "certify", f"{folder}/mixture.npz", "--level", "exact")["rank"]
            expect(rank == said == min(40, 36 + gaussian), f"{gaussian} Gaussian sequences: rank {rank}, attest {said}")


def check_decay(page, program, folder):
    for heads in ([["3/4", "2"], ["1/2", "-1"]], [["1", "1"], ["1/4", "3"]], [["2/3", "5"], ["2/3", "1"]]):
        draw, n = random.Random(4), 12
        Z = np.array([[[draw.randint(-2, 2) for _ in range(n)]] for _ in range(60)], dtype=float)
        kernel = [float(sum(Fraction(c) * Fraction(g) ** (n - 1 - t) for g, c in heads)) for t in range(n)]
        np.savez(f"{folder}/decay.npz", Z=Z, y=(Z[:, 0] ** 2 @ np.array(kernel)) * Z[:, 0, -1])
        said = attest(program, "learn", f"{folder}/decay.npz", "--layer", f"lags={n}", "--read-kernel")
        read = page.run("return attestPlay.decay(arguments[0])", heads)
        expect(f"decay={','.join(read)}" in json.dumps(said), f"decays {read}, attest {said.get('kernel', said)}")


def rules_text(draw):
    return "_".join("".join(draw.choice("01") + draw.choice("LR") + draw.choice("ABZ") for _ in range(2)) for _ in range(2))


def check_machines(page, program):
    draw, certified, printed = random.Random(8), 0, 0
    cases = [("1RB1LB_1LA1RZ", "0000", 2)] + [(rules_text(draw), "".join(draw.choice("01") for _ in range(4)), draw.randrange(4)) for _ in range(30)]
    for text, tape, head in cases:
        run = page.driver.execute_async_script("const done = arguments[3]; attestPlay.machine(...[...arguments].slice(0, 3)).then(done)", text, tape, head)
        frames = run["frames"]
        said = attest(program, "turing", "run", text, "--tape", tape, "--cells", "4", "--head", str(head), "--steps", "20", "--engine", "attention", "--trace")
        for i, frame in enumerate(frames):
            if not frame["certified"]:
                break  # what follows is the layer's own
            expect(frame["text"] == said["trace"][i], f"{text} {tape} {head}: token {i} {frame['text']}, attest {said['trace'][i]}")
        certified += sum(frame["certified"] for frame in frames)
        printed += len(frames)
    expect(certified > printed // 2, f"only {certified} of {printed} tokens are certified")
    print(f"play_test: {certified} of {printed} tokens of {len(cases)} machines are certified")


def open_page(page, path):
    page.driver.get(pathlib.Path(path).resolve().as_uri())
    page.wait(lambda: page.all("#trace-tokens li"))


def check_parts(page, path):
    draw = random.Random(2)
    cases = [random_case(draw) for _ in range(10)]
    joined = [page.run("return attestPlay.solve(...arguments)", *case) for case in cases]
    open_page(page, path)
    expect([page.run("return attestPlay.solve(...arguments)", *case) for case in cases] == joined, "the page of parts answers otherwise")
    expect(not unwanted_messages(page) and not unwanted_requests(page), "the page of parts complains, or asks others")


def main():
    if len(sys.argv) not in (4, 5):
        print("usage: play_test.py ATTEST PAGE PARTS [SCREENSHOTS]", file=sys.stderr)
        return 2
    driver = open_browser()
    try:
        driver.execute_cdp_cmd("Network.enable", {})
        page = Page(driver, pathlib.Path(sys.argv[4]) if len(sys.argv) == 5 else None)
        page.shape(DESKTOP)
        open_page(page, sys.argv[2])
        check_use(page, expect, os.environ.get("AXE_CORE"))
        with tempfile.TemporaryDirectory() as folder:
            draw = random.Random(1)
            for _ in range(CASES):
                check_case(page, sys.argv[1], folder, random_case(draw))
            check_mixture(page, sys.argv[1], folder)
            check_decay(page, sys.argv[1], folder)
        check_machines(page, sys.argv[1])
        check_parts(page, sys.argv[3])
    finally:
        driver.quit()
    print(f"play_test: {CASES} cases, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
