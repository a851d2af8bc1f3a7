"""Front matter stands at the top of a Markdown file, between two lines of `---`; it is no part of the text.

A file may begin with a byte order mark, and its lines may end in CRLF, as editors on Windows write them.
"""

from __future__ import annotations

import re
from typing import Final

_FRONT_MATTER: Final = re.compile(
    r"\ufeff?---[ \t]*\r?\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.DOTALL | re.MULTILINE
)


def split_front_matter(text: str) -> tuple[str, str]:
    """Returns the YAML between the two lines, its lines ended by LF, and the text behind, to the letter; "" and all
    of the text where there is no front matter."""
    found = _FRONT_MATTER.match(text)
    return ("", text) if found is None else (found["yaml"].replace("\r\n", "\n"), text[found.end() :])


def without_front_matter(text: str) -> str:
    """Returns the text behind the front matter, all of it where there is none."""
    return split_front_matter(text)[1]
