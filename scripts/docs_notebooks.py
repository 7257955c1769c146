"""Makes a page of Markdown of each notebook, for scripts/docs: its text as it is, its code in blocks.

    docs_notebooks.py FOLDER

The notebooks are kept without outputs (python/tests/test_notebooks.py runs them), so a page shows none, and says so.
"""

import json
import pathlib
import sys


def block(source):
    fence = "```"
    return f"{fence}python\n{source.rstrip()}\n{fence}"


def page_of(path):
    """The notebook's first cell is its title; below it stands where the notebook is."""
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    (kind, title), rest = cells[0], cells[1:]
    if kind != "markdown" or not title.startswith("# "):
        sys.exit(f"docs_notebooks: {path}: the first cell is {kind}, expected Markdown with a title")
    said = f"*The notebook `docs/notebooks/{path.name}`, without what its cells print and draw: `jupyter notebook` runs it.*"
    return "\n\n".join([title.rstrip(), said, *(source.rstrip() if kind == "markdown" else block(source) for kind, source in rest)]) + "\n"


def main(folder):
    for path in sorted(pathlib.Path(folder).glob("*.ipynb")):
        path.with_suffix(".md").write_text(page_of(path), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
