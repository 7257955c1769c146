"""What scripts/docs tells Sphinx: pages of Markdown, notebooks, and both references, which need no network to be read or searched."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "python"))

project = "Attest"
author = "The Attest authors"
version = release = "@version@"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
include_patterns = ["index.md", "*.md", "docs/*.md", "docs/claims/*.md", "docs/notebooks/*.md", "docs/kernels-ci/README.md", "docs/your-paper/*.md", "reference/*.md", "core/README.md", "proofs_check/**/*.md", "results/README.md",
                    "results/*/tables/*.md"]
# As the forges name headings, which is what the pages' links are written for.
myst_heading_anchors = 4
# Blocks of commands hold arguments like DATA.npz that no lexer knows.
suppress_warnings = ["misc.highlighting_failure"]
smartquotes = False

# The compiled module and what is optional are not needed to say what the Python package offers.
autodoc_mock_imports = ["attest._core", "torch", "sklearn", "tqdm"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "alabaster"
html_theme_options = {"description": "learn, certify and audit linear attention", "page_width": "76rem", "sidebar_width": "16rem", "show_powered_by": "false",
                      "font_family": "system-ui, DejaVu Sans, sans-serif", "code_font_family": "ui-monospace, DejaVu Sans Mono, monospace"}
html_static_path = ["site.css", "dark-code.css"]
html_css_files = ["site.css", "dark-code.css"]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # it would be fetched, which browsers refuse to pages that are files


def setup(app):
    """Keeps napoleon from reading "None: undecided" of a property as its type, and lines "psi, rank : int" as one name of the type psi."""
    said = {}

    def before(app, what, name, obj, options, lines):
        said[name] = list(lines)
        lines[:] = [re.sub(r", (?=\w)", ",\u200b", line) if re.match(r"(?:\w+, )+\w+(?: :|$)", line) else line for line in lines]

    def after(app, what, name, obj, options, lines):
        if what == "property":
            lines[:] = said[name]

    app.connect("autodoc-process-docstring", before, priority=400)
    app.connect("autodoc-process-docstring", after, priority=600)
