"""Every number of the pages that was measured is what the rows give that git keeps (see tests/support/kept_rows.py).

    numbers_test.py ROOT

A block is what stands between two empty lines. A comment after it says where its numbers come from:

    <!-- numbers
    wide = load("results/wide_kron.json")
    1165 s :: fixed(wide["seconds"], 0) + " s"
    twice as fast :: 1.9 < one / two < 2.1
    table :: [[row["d"], row["seconds"]] for row in table("results/full/tables/scaling.md")]
    -->

`NAME = EXPRESSION` keeps a value for the lines below, on the whole page. `TEXT :: EXPRESSION`: TEXT stands in the block, and is what the expression gives,
or the expression is a comparison that holds. `table :: EXPRESSION`: the block is a table, and its cells are the expression's; `part(FILE)` says that every
line of it is one of FILE's, a Markdown table below results/, in the columns of the same names. Expressions are Python with the functions below.

Every number that a fact is about, a table's too, is changed by a digit and must then be wrong.

What a row cannot show says so: `<!-- no row: WHY -->`. A block with a time, a size of memory or a comparison of speed and neither comment fails, a table
with decimal numbers too, and so does a comment that says nothing about a number. Exit: 0 all pages say what the rows give, 1 not.
"""

import decimal
import json
import math
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from kept_rows import kept_rows  # noqa: E402

MEASURED = re.compile(r"\d[\d.,]*[  ]?(?:s|ms|µs|seconds|minutes|hours|KB|MB|GB|MiB|GiB|megabytes|(?:processor|CPU) seconds|s of processor time)\b(?!-)"
                      r"|\btimes as (?:fast|slow|long|much)|\b(?:faster|slower) than\b|\btwice as (?:fast|slow)|\bof the time\b|seconds \|")
DECIMALS = re.compile(r"\|[ *]*(?:\d+\.\d+|\d[\d.]*·10)")  # of a table that shows results
COMMENT = re.compile(r"<!-- (numbers|no row:)\s?(.*?)-->", re.S)
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
GENERATED = ("cli.md", "errata.md", "json.md", "commands.md")


class Wrong(Exception):
    """A page says another number than the rows."""


# What expressions may use.


def fixed(value, digits):
    """Halves are rounded up, as people do."""
    return str(decimal.Decimal(repr(float(value))).quantize(decimal.Decimal(1).scaleb(-digits), decimal.ROUND_HALF_UP))


def near(text, digits):
    """A number of a table that was rounded already: where it ends in a half, what it was rounded from may be on either side."""
    exact = decimal.Decimal(text)
    unit = decimal.Decimal(1).scaleb(-digits)
    return "|".join(sorted({str(exact.quantize(unit, way)) for way in (decimal.ROUND_HALF_UP, decimal.ROUND_HALF_DOWN)}))


def significant(value, digits):
    """As people write it: 0.0705, 12.4, 139."""
    if value == 0:
        return "0"
    places = max(digits - 1 - math.floor(math.log10(abs(value))), 0)
    return fixed(value, places)


def power(value, digits=2):
    """1.0·10⁻³⁰, with so many digits."""
    exponent = math.floor(math.log10(abs(value)))
    mantissa = fixed(float(decimal.Decimal(repr(float(value))).scaleb(-exponent)), digits - 1)
    if float(mantissa) == 10:
        mantissa, exponent = fixed(1, digits - 1), exponent + 1
    return f"{mantissa}·10{str(exponent).translate(SUPERSCRIPTS)}"


def grouped(number):
    """133 120."""
    return f"{number:,}".replace(",", " ")


class Rows:
    """Reads kept files below a root, each once."""

    def __init__(self, root):
        self.root, self.read = root, {}

    def load(self, path):
        if path not in self.read:
            self.read[path] = json.loads((self.root / path).read_text(encoding="utf-8"))
        return self.read[path]

    def rows(self, path, **wanted):
        """Rows of a .jsonl file with these values among id, learner and parameters."""
        if path not in self.read:
            lines = (self.root / path).read_text(encoding="utf-8").splitlines()
            self.read[path] = [row for row in map(json.loads, lines) if row["kind"] == "row"]
        found = [row for row in self.read[path]
                 if all({**row.get("learner_parameters", {}), **row["parameters"], **row}.get(key) == value for key, value in wanted.items())]
        if not found:
            raise Wrong(f"{path} has no row with {wanted}")
        return found

    def metric(self, path, name, **wanted):
        """The metric of all those rows, in their order."""
        return [row["metrics"][name]["value"] for row in self.rows(path, **wanted) if name in row["metrics"]]

    def table(self, path, **wanted):
        """Lines of a Markdown table, each by the names of its columns, with these cells."""
        lines = [cells(line) for line in (self.root / path).read_text(encoding="utf-8").splitlines() if line.startswith("|")]
        names = [name if lines[0].index(name) == at else f"{name} of {lines[0][at - 1]}" for at, name in enumerate(lines[0])]  # "± s.e." stands in several columns
        found = [dict(zip(names, line)) for line in lines[2:]]
        found = [line for line in found if all(line[key.replace("_", " ")] == str(value) for key, value in wanted.items())]
        if not found:
            raise Wrong(f"{path} has no line with {wanted}")
        return found


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def plain(cell):
    return cell.replace("*", "").replace("`", "").replace(" ", " ").strip()


def blocks(page):
    """The page's blocks outside of code, each with the comments that follow it."""
    page = re.sub(r"^```.*?^```$", "```", page, flags=re.M | re.S)
    found = []
    for part in re.split(r"\n\s*\n", COMMENT.sub(lambda m: "\n\n" + m.group(0).replace("\n\n", "\n") + "\n\n", page)):
        comment = COMMENT.match(part.strip())
        if comment and found:
            found[-1][1].append(comment.groups())
        elif part.strip() and part.strip() != "```":
            found.append((part.strip(), []))
    return found


def check_table(block, wanted, rows):
    lines = [cells(line) for line in block.splitlines() if line.startswith("|")]
    head, body = lines[0], [[plain(cell) for cell in line] for line in lines[2:]]
    if callable(wanted):
        wanted(head, body, rows)
        return len(body)
    wanted = [[plain(str(cell)) for cell in line] for line in wanted]
    for shown, line in zip(body, wanted):
        if len(shown) < len(line) or any(cell not in number.split("|") for cell, number in zip(shown, line)):
            raise Wrong(f"the table says {shown}, the rows give {line}")
    if len(wanted) != len(body):
        raise Wrong(f"the table has {len(body)} lines, the rows give {len(wanted)}")
    return len(body)


def part(path):
    """A check: every line is one of the file's, in the columns of the same names."""

    def check(head, body, rows):
        lines = rows.table(path)
        unknown = [name for name in head if name not in lines[0]]
        if unknown:
            raise Wrong(f"{path} has no column {unknown[0]!r}")
        for line in body:
            if line not in [[plain(known[name]) for name in head] for known in lines]:
                raise Wrong(f"{path} has no line {line}")

    return check


def lines(wanted):
    """A check of every cell; a cell without a standard error is the number before the ±, and empty cells are not looked at."""

    def check(head, body, rows):
        if len(body) != len(wanted):
            raise Wrong(f"the table has {len(body)} lines, the rows give {len(wanted)}")
        for shown, line in zip(body, wanted):
            for cell, number in zip(shown, map(str, line)):
                if number and cell not in (number if "±" in cell else number.split(" ±")[0]).split("|"):
                    raise Wrong(f"the table says {cell!r} in {shown}, the rows give {number!r}")

    return check


def check_line(line, block, names, rows):
    """The number of facts that the line states."""
    text, separator, expression = line.partition(" :: ")
    if not separator:
        name, separator, expression = line.partition(" = ")
        if not separator or not name.isidentifier():
            raise Wrong(f"neither NAME = EXPRESSION nor TEXT :: EXPRESSION: {line}")
        names[name] = eval(expression, names)
        return 0
    value = eval(expression, names)
    if text == "table":
        return check_table(block, value, rows)
    if " ".join(text.split()) not in " ".join(block.split()):
        raise Wrong(f"the block does not say {text!r}")
    if isinstance(value, str) and value != text and value not in text.split(" … "):
        raise Wrong(f"the page says {text!r}, the rows give {value!r}")
    if not isinstance(value, str) and value is not True:
        raise Wrong(f"{text!r} does not hold: {expression} is {value}")
    return 1


def vocabulary(rows):
    """What expressions may use, to which a page adds names of its own."""
    return {"load": rows.load, "rows": rows.rows, "metric": rows.metric, "table": rows.table, "part": part, "lines": lines, "near": near, "fixed": fixed,
            "significant": significant, "power": power, "grouped": grouped, "median": statistics.median, "math": math}


def check_page(text, rows):
    """What is wrong with a page, and how many facts were checked."""
    wrong, count = [], 0
    names = vocabulary(rows)
    for block, comments in blocks(text):
        facts = 0
        for kind, body in comments:
            if kind == "no row:":
                facts += 1 if body.strip() else 0
                continue
            for line in filter(str.strip, body.splitlines()):
                try:
                    facts += check_line(line.strip(), block, names, rows)
                except Wrong as error:
                    wrong.append(str(error))
                except Exception as error:  # an expression of the page
                    wrong.append(f"{line.strip()}: {type(error).__name__}: {error}")
        found = MEASURED.search(block) or (DECIMALS.search(block) if block.startswith("|") else None)
        if found and not comments:
            wrong.append(f"no comment says which row has {found.group(0)!r}: {' '.join(block.split())[:100]}")
        if comments and not facts and not wrong:
            wrong.append(f"a comment says nothing about a number: {' '.join(block.split())[:100]}")
        count += facts
    return wrong, count


def notices_faults(rows):
    """A number, a comparison and a table that are off, and a number without a comment, are noticed: otherwise this test says nothing."""
    right = ('It took 1165 s.\n<!-- numbers\n1165 s :: fixed(load("results/wide_kron.json")["seconds"], 0) + " s"\n-->\n',
             "It is twice as fast.\n<!-- numbers\ntwice as fast :: 1.9 < 2 < 2.1\n-->\n", "At most 5 s.\n<!-- no row: a limit -->\n", "Five seconds, in words.\n",
             "| a |\n|---|\n| **1 s** |\n\n<!-- numbers\ntable :: [['1 s']]\n-->\n")
    faults = (right[0].replace("1165 s.", "1166 s.").replace("1165 s ::", "1166 s ::"), right[0].replace("1165 s.", "1166 s."), right[1].replace("< 2 <", "< 3 <"),
              "It took 3 s.\n", "It is twice as fast.\n", right[4].replace("**1 s**", "2 s"), right[4].replace("['1 s']", "['1 s'], ['2 s']"),
              "It took 3 s.\n<!-- numbers\n-->\n", right[0].replace("seconds", "second"))
    return not any(check_page(page, rows)[0] for page in right) and all(check_page(page, rows)[0] for page in faults)


def stated(block, facts):
    """Where the numbers stand that the facts of a block are about: in their texts, and in all lines of a table below its head."""
    spans = []
    for text in (fact.partition(" :: ")[0] for fact in facts):
        if text == "table":
            body = [line for line in re.finditer(r"^\|.*$", block, re.M)][2:]
            spans += [line.span() for line in body]
        else:
            spans += [found.span() for found in re.finditer(r"\s+".join(map(re.escape, text.split())), block)]
    numbers = [number.start() for number in re.finditer(r"\d[\d.,]*", block)]
    return [at for at in numbers if any(first <= at < last for first, last in spans)]


def unnoticed_digits(text, rows):
    """The numbers that rows decide and whose first digit could be another without a word of this test, and how many were tried."""
    names, unnoticed, tried = vocabulary(rows), [], 0
    for block, comments in blocks(text):
        facts = [line.strip() for kind, body in comments if kind == "numbers" for line in body.splitlines() if line.strip()]
        for line in facts:
            check_line(line, block, names, rows)
        facts = [line for line in facts if " :: " in line]
        for at in stated(block, facts):
            changed = block[:at] + str((int(block[at]) + 1) % 10) + block[at + 1:]
            tried += 1
            if not any(is_wrong(fact, changed, names, rows) for fact in facts):
                unnoticed.append(f"nothing says where the number comes from at the beginning of: {block[at:at + 40].splitlines()[0]}")
    return unnoticed, tried


def is_wrong(line, block, names, rows):
    try:
        check_line(line, block, names, rows)
    except Wrong:
        return True
    return False


def main(root):
    with kept_rows(root) as kept:
        return check(pathlib.Path(root), Rows(kept))


def check(root, rows):
    found = [] if notices_faults(rows) else ["faults planted in this test go unnoticed"]
    count, digits, pages = 0, 0, [root / "README.md", root / "CONTRIBUTING.md", *sorted(page for page in (root / "docs").glob("*.md") if page.name not in GENERATED)]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        wrong, facts = check_page(text, rows)
        unnoticed, tried = ([], 0) if wrong else unnoticed_digits(text, rows)
        found += [f"{page.relative_to(root)}: {error}" for error in wrong + unnoticed]
        count += facts
        digits += tried
    print("\n".join(found) or f"{len(pages)} pages, {count} facts, {digits} numbers with another digit noticed")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
