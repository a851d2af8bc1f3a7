"""Makes untrusted text safe before any renderer sees it. No Qt.

The limits are those of a text layout: unbroken text costs it quadratic time, and a message of megabytes freezes it.
"""

from __future__ import annotations

import json
import re
from typing import Final

from mnemoscope.domain.text.characters import BIDI_CONTROL

MESSAGE_LIMIT: Final = 200_000
"""Characters of one message that are rendered; the rest is offered as plain text."""
RUN_LIMIT: Final = 2_000
"""Characters without white space after which an invisible break is put in."""
TAB_WIDTH: Final = 4
"""Columns of a tab where Markdown counts the blanks in front of a line."""
NO_DESCRIPTION: Final = "no description"
"""The stand-in for the description of a picture that has none."""
MARKDOWN_SIGN: Final = re.compile(r"[\[*_`<~&\\$]|://|  \n")
"""Found in every text in which anything could be marked: one without it need not be parsed."""

_BREAK: Final = "\u200b"
_RUN: Final = re.compile(rf"\S{{{RUN_LIMIT}}}(?=\S)")
_LINE_ENDS: Final = re.compile("\r\n?|[\u0085\u2028\u2029]")
# Embeddings, overrides and isolates reorder what a person reads; the plain marks of Hebrew and Arabic stay.
_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufdd0\ufdd1\ufffc]")


def printable(text: str) -> str:
    """Returns `text` with line ends as "\\n" and controls as U+FFFD; for a person's own words, otherwise left alone."""
    return _UNPRINTABLE.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def tidied(text: str) -> str:
    """Returns `text` made printable, without reordering marks and with overlong runs broken; only to be shown, never
    kept."""
    return _RUN.sub(lambda run: run.group() + _BREAK, BIDI_CONTROL.sub("", printable(text)))


def source_lines(text: str) -> list[str]:
    """Returns the lines of `text` as it was written, without their ends, counted as those of the same text tidied."""
    return _LINE_ENDS.sub("\n", text).split("\n")


def line_ends(text: str) -> list[str]:
    """Returns how each line of `source_lines(text)` ends: as it was written, "" for the last."""
    return [found[0] for found in re.finditer(f"\n|{_LINE_ENDS.pattern}", text)] + [""]


def spelling_of(shown: str, source: str) -> list[str]:
    """Returns what each character of a tidied line of code stands for in the line it was made of, whose beginning may
    be left out of what is shown. Where the two do not agree each stands for itself."""
    for tab in (1, TAB_WIDTH):
        units, spelt = _units(source, tab), list(shown)
        for place in range(len(shown) - 1, -1, -1):
            if units and units[-1][0] == shown[place]:
                spelt[place] = units.pop()[1]
            elif shown[place] == _BREAK:
                spelt[place] = ""
            else:
                break
        else:
            return spelt
    return list(shown)


def _units(source: str, tab: int) -> list[tuple[str, str]]:
    """Returns each character that is shown of a line with what it was made of; a tab reaches to the next multiple."""
    units: list[tuple[str, str]] = []
    hidden = ""
    for char in source:
        if BIDI_CONTROL.match(char):
            hidden += char
            continue
        if char == "\t" and tab > 1:
            units.append((" ", hidden + char))
            units += [(" ", "")] * (-len(units) % tab)
        else:
            units.append((printable(char), hidden + char))
        hidden = ""
    if units:
        units[-1] = (units[-1][0], units[-1][1] + hidden)
    return units


def rendered_part(text: str) -> tuple[str, int]:
    """Returns the part of `text` that is rendered and the number of characters left out."""
    if len(text) <= MESSAGE_LIMIT:
        return text, 0
    cut = text.rfind("\n", MESSAGE_LIMIT - 2_000, MESSAGE_LIMIT)
    cut = cut if cut > 0 else MESSAGE_LIMIT
    return text[:cut], len(text) - cut


def laid_out_json(text: str) -> str:
    """Returns JSON with a line for each value; anything else as it is."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text
