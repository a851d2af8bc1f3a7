"""Front matter stands at the top of a Markdown file, between two lines of `---`; it is no part of the text."""

from __future__ import annotations

import re
from typing import Final

FRONT_MATTER: Final = re.compile(r"---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
"""Matches at the beginning of a file; `yaml` is what stands between the lines."""


def without_front_matter(text: str) -> str:
    """Returns the text behind the front matter, all of it where there is none."""
    found = FRONT_MATTER.match(text)
    return text if found is None else text[found.end() :]
