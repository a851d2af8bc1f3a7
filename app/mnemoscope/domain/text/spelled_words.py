"""Finds the words of a line of Markdown that are prose, so that they can be misspelled; code and addresses are none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mnemoscope.domain.text.characters import SPACELESS

_NO_PROSE: Final = re.compile(
    r"(`+)(?!`).+?(?<!`)\1(?!`)"  # code
    r"|<!--.*?(?:-->|$)|</?[A-Za-z][^>\n]*>|<[A-Za-z][\w+.-]*:[^>\s]*>"  # comments, HTML, addresses in brackets
    r"|(?<=\])\([^)\n]*\)|(?<=\])\[[^\]\n]*\]|^\s*\[[^\]\n]+\]:.*"  # where a link leads
    r"|\[[A-Za-z_]{1,24}:[^\]\n]*\]|\[\d{4}-\d\d-\d\d[^\]\n]*\]"  # [user:7], [2026-11-23 10:00]
    r"|\$\$.+?\$\$|\$(?![\s\d])[^$\n]+?(?<!\s)\$(?!\d)|\\\(.+?\\\)"  # formulas
    r"|(?:https?|ftp|file|mailto):\S+|www\.\S+|[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|[@#]\w[\w/-]*"
    r"|~?[\w.-]*(?:/[\w.-]+)+/?|~?/[\w.-]+|\w+(?:\\[\w.-]+)+"  # paths
    r"|\w+(?:\.\w+)+|(?<!\w)--?\w[\w-]*=?|\w+\(\)"  # notes.md, --quick, load()
    r"|&#?\w+;"
)
_APOSTROPHE: Final = "'’"
_LETTER: Final = f"(?:(?![{SPACELESS}])[^\\W\\d_][\u0300-\u036f]*)"
_WORD: Final = re.compile(f"(?<![\\w]){_LETTER}+(?:[{_APOSTROPHE}]{_LETTER}+)*(?![\\w])")
_INNER_CAPITAL: Final = re.compile(r"[a-zа-яё][A-ZА-ЯЁ]")
_LOOKED_AT: Final = 4_000
"""Characters of one line that are looked at."""
_LONGEST: Final = 60


def spelled_words(line: str) -> Iterator[tuple[int, int, str]]:
    """Yields the words of a line that lies in no block of code: (start, stop, word), with a plain apostrophe.

    Words of one letter, in capitals alone, with a capital or a digit within, and in scripts that put no spaces between
    words are left out.
    """
    line = line[:_LOOKED_AT]
    prose = _NO_PROSE.sub(lambda found: " " * len(found[0]), line)
    for found in _WORD.finditer(prose):
        word = found[0]
        if 1 < len(word) <= _LONGEST and not word.isupper() and not _INNER_CAPITAL.search(word):
            yield found.start(), found.end(), word.replace("’", "'")
