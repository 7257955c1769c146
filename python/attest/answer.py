"""What the results of every command share."""

from __future__ import annotations

import html
import json
from typing import Any

_LONGEST_HTML = 1900


class Answer:
    """A result that prints as the command line prints it. Who derives from it holds that text, and the JSON of ``--json``."""

    _text: str
    _json: str

    def to_dict(self) -> dict[str, Any]:
        """The object that the command prints with ``--json``."""
        return dict(json.loads(self._json))

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self)[:_LONGEST_HTML])}</pre>"


def lines_of(said: dict[str, Any]) -> dict[str, Any]:
    """What an Answer holds of a command's object, its plain values as lines of text."""
    plain = {key: value for key, value in said.items() if not isinstance(value, (dict, list))}
    width = max(map(len, plain), default=0)
    text = "\n".join(f"{key.replace('_', ' '):{width}}  {'none' if value is None else value}" for key, value in plain.items())
    return {"_text": text, "_json": json.dumps(said)}
