"""What the results of every command share."""

from __future__ import annotations

import copy
import html
from typing import Any

_LONGEST_HTML = 1900


class Answer:
    """A result that prints as the command line prints it: it holds that text, and the object of ``--json``."""

    _text: str
    _said: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The object that the command prints with ``--json``."""
        return copy.deepcopy(self._said)

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self)[:_LONGEST_HTML])}</pre>"
