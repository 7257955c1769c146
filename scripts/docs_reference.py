"""Writes the pages of reference for scripts/docs: the public headers of C++, a folder a page, and the names of the Python package.

    docs_reference.py ROOT OUT

What stands on them is read from the sources: the `///` comment above a declaration and the declaration, without the bodies of functions; for Python
the names in `attest.__all__`, whose docstrings Sphinx reads itself.
"""

import ast
import pathlib
import re
import sys

INSTALLED = ("core", "tasks", "programs")  # what cmake/install.cmake installs
TYPE = re.compile(r"^(?:template <.*?>\s*)?(?:class|struct|enum class|enum|concept|namespace|using)\s+(\w+)", re.S)


def declarations(text):
    """Pairs (comment, declaration) of a header, in its order."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if not re.match(r"^///(?!<)", lines[at]):
            at += 1
            continue
        begin = at
        while at < len(lines) and lines[at].startswith("///"):
            at += 1
        declaration, at = declared(lines, at)
        if declaration:
            yield " ".join(line[3:].strip() for line in lines[begin:at] if line.startswith("///")), declaration


def declared(lines, at):
    """The declaration that begins in line `at`, and the line behind it: up to its semicolon, or the body of a function."""
    taken, depth, braces = [], 0, 0
    is_type = None
    while at < len(lines) and lines[at].strip():
        line = lines[at]
        taken.append(line)
        at += 1
        if is_type is None and not line.startswith("template"):
            is_type = bool(re.match(r"(?:class|struct|enum|concept|namespace|using)\b", line))
        for place, letter in enumerate(line.split("//")[0]):
            depth += (letter in "([") - (letter in ")]")
            braces += (letter == "{") - (letter == "}")
            if depth == 0 and letter == "{" and braces == 1 and not is_type and "(" in "".join(taken):
                taken[-1] = line[:place].rstrip() + ";"
                return "\n".join(taken), behind(lines, at - 1)
            if depth == 0 and braces == 0 and letter == ";":
                return "\n".join(taken), at
        if is_type and taken[0].startswith("namespace"):
            return taken[0].rstrip(" {") + ";", at
        while at < len(lines) and braces > 0 and not lines[at].strip():
            taken.append(lines[at])
            at += 1
    return "\n".join(taken), at


def behind(lines, at):
    """The line behind the function body that opens in line `at`: one that begins with a closing brace, or the line itself."""
    if lines[at].rstrip().endswith("}"):
        return at + 1
    while at < len(lines) and not lines[at].startswith("}"):
        at += 1
    return at + 1


def name_of(declaration):
    kind = TYPE.match(declaration)
    if kind:
        return kind.group(1)
    before = re.split(r"[({=;]", re.sub(r"template <[^>]*>|\[\[nodiscard\]\]|alignas\([^)]*\)", "", declaration))[0]
    words = re.findall(r"operator\S*|\w+", before)
    return words[-1] if words else declaration.split("\n")[0]


def plain(text):
    """Text that Markdown shows as it stands."""
    return re.sub(r"([\\`*_{}\[\]<>#|$&~^])", r"\\\1", re.sub(r"^(\d+)\.", r"\1\\.", text))


def cpp_page(folder, headers):
    said = [f"# {folder}\n\n`#include \"{folder}/…\"`, in the namespace `attest`; what is below is read from the headers."]
    for header in headers:
        found = list(declarations(header.read_text(encoding="utf-8")))
        if found:
            said.append(f"## {header.name}")
        said += [f"### {name_of(declaration)}\n\n{plain(comment)}\n\n```cpp\n{declaration}\n```" for comment, declaration in found]
    return "\n\n".join(said) + "\n" if len(said) > 1 else ""


def python_page(package):
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    (names,) = [ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"]
    directives = "\n\n".join(f".. autoclass:: attest.{name}\n   :members:" if name[0].isupper() else f".. autofunction:: attest.{name}" for name in names)
    return (f"# attest (Python)\n\nEvery public name; [Attest from Python](../docs/python.md) is the guide.\n\n```{{eval-rst}}\n{directives}\n```\n\n"
            "## attest.torch\n\n```{eval-rst}\n.. automodule:: attest.torch\n   :members:\n```\n")


def main(root, out):
    root, out = pathlib.Path(root), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "python.md").write_text(python_page(root / "python/attest"), encoding="utf-8")
    folders = sorted({header.parent for top in INSTALLED for header in (root / top).rglob("*.hpp")})
    written = []
    for folder in folders:
        name = str(folder.relative_to(root))
        page = cpp_page(name, sorted(folder.glob("*.hpp")))
        if page:
            written.append(name.replace("/", "-"))
            (out / f"{written[-1]}.md").write_text(page, encoding="utf-8")
    entries = "\n".join(written)
    (out / "cpp.md").write_text("# Headers (C++)\n\nThe libraries that `cmake --install` puts where `find_package(attest)` finds them, a folder a page; "
                                f"[core](../core/README.md) says what each is for.\n\n```{{toctree}}\n:maxdepth: 1\n\n{entries}\n```\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
