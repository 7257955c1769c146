"""planted_faults_test.py ROOT: in a copy of the theory and its compiled files, scripts/theory finds each fault planted: a theorem that
assumptions.v leaves out, an admitted proof, an axiom by this or another name, a changed checker. Exit 77 without Coq or before
scripts/theory has compiled ROOT/build/theory. Standard library only."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
SKIPPED = 77
CLOSED = ": Closed under the global context\n"


def change(name, old, new):
    def plant(theory):
        path = theory / name
        text = path.read_text()
        assert old in text, "%s no longer holds %r" % (name, old)
        path.write_text(text.replace(old, new, 1))
    return plant


def append(name, text):
    def plant(theory):
        with open(theory / name, "a", encoding="utf-8") as file:
            file.write(text)
    return plant


def both(*plants):
    def plant(theory):
        for each in plants:
            each(theory)
    return plant


# What is planted, and what the script says of it.
FAULTS = {
    "a theorem left out of assumptions.v": (
        both(change("assumptions.v", "Print Assumptions identifiable.\n", ""), change("assumptions.expected", "identifiable" + CLOSED, "")),
        "assumptions.v does not name: identifiable"),
    "an answer left out of assumptions.expected": (change("assumptions.expected", "identifiable" + CLOSED, ""), "assumptions.expected differs"),
    "an admitted proof": (append("exchangeability.v", "Theorem all_numbers_agree (a b : nat) : a = b.\nProof. Admitted.\n"), "not allowed in the sources"),
    "a proof given up": (append("exchangeability.v", "Lemma all_numbers_agree (a b : nat) : a = b.\nProof. admit. Abort.\n"), "not allowed in the sources"),
    "an axiom": (append("decay.v", "Axiom oracle : False.\n"), "not allowed in the sources"),
    "an axiom by another name, used by a theorem": (
        both(append("accepted.v", "Hypothesis oracle : False.\nTheorem two_is_one : (2 = 1)%N.\nProof. by case: oracle. Qed.\n"),
             append("assumptions.v", "Print Assumptions two_is_one.\n"), append("assumptions.expected", "two_is_one" + CLOSED)),
        "assumptions.expected differs"),
    "an axiom by another name, of no theorem": (append("accepted.v", "Hypothesis oracle : False.\n"), "coqchk finds what is assumed"),
    "a checker changed after its extraction": (change("../verified/checker.ml", "false", "true"), "checker.ml differs"),
    "a program that accepts more": (change("checks.v", "(0 < m) && check_bound table m m.-1 b", "check_bound table m m b"), "does not compile"),
    "a group of several queries": (change("checks.v", "all (fun e => same_row (zasked e) u) examples,", "true,"), "does not compile"),
    "a layer whose decay is another": (
        change("layers.v", "decay_ratios a b (Z.mul x.1 a, Z.mul x.2 b)", "decay_ratios a b (Z.mul x.1 b, Z.mul x.2 b)"), "does not compile"),
    "a field of a stack that is none": (
        change("stacks.v", "(if cube then plus o (th n) (th n) else th n) (th n)", "(th n) (th n)"), "stack_sublayers.v does not compile"),
    "heads of a stack mixed in spite of their decays": (
        change("stacks.v", "Nat.eqb h k || ~~ decays l", "true"), "stack_jacobian.v does not compile"),
    "a dimension whose bound from above is not shown": (
        change("stacks.v", "[&& check_derivative D, check_fields &", "[&& check_derivative D, true &"), "stack_soundness.v does not compile"),
    "a file that is not listed": (append("more.v", "Theorem more : True.\nProof. by []. Qed.\n"), "_CoqProject does not list"),
}


def copy_to(folder):
    shutil.copytree(ROOT / "proofs_check" / "theory", folder / "proofs_check" / "theory")
    shutil.copytree(ROOT / "proofs_check" / "verified", folder / "proofs_check" / "verified")
    shutil.copytree(ROOT / "build" / "theory", folder / "build" / "theory")
    (folder / "scripts").mkdir()
    shutil.copy2(ROOT / "scripts" / "theory", folder / "scripts" / "theory")
    return folder / "proofs_check" / "theory"


def main():
    if shutil.which("coqc") is None or not (ROOT / "build" / "theory" / "accepted.vo").exists():
        print("planted_faults_test: SKIPPED: Coq is not installed, or scripts/theory has not run; scripts/setup --with theory")
        return SKIPPED
    wrong = 0
    for fault, (plant, message) in FAULTS.items():
        with tempfile.TemporaryDirectory() as folder:
            plant(copy_to(pathlib.Path(folder)))
            run = subprocess.run([folder + "/scripts/theory"], capture_output=True, text=True)
            if run.returncode != 1 or message not in run.stderr:
                wrong += 1
                print("planted_faults_test: %s: exit %d, %s" % (fault, run.returncode, (run.stdout + run.stderr)[-400:]), file=sys.stderr)
    print("planted_faults_test: %d of %d faults found" % (len(FAULTS) - wrong, len(FAULTS)))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
