"""Makes one line of the words that a person reads in Markdown, for a list, where its marks would only be in the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mnemoscope.domain.text.characters import SPACELESS
from mnemoscope.domain.text.fences import ends_in_code, parts_of
from mnemoscope.domain.text.math_marks import DISPLAYED, WITHIN, is_formula, tex_of

_LEAD: Final = re.compile(r"^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)?")
_RULE: Final = re.compile(r"^\s*(?:([-*_=])(?:\s*\1){2,}|\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?)\s*$")
_CODE: Final = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_ESCAPED: Final = re.compile(r"\\([\\`*_{}\[\]()#+.!>~|-])")
_LINKS: Final = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\([^()\s]*\))?(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])")
_ADDRESS: Final = re.compile(r"<((?:https?://|mailto:)[^\s<>]+)>")
_SPACED: Final = rf"[^\W{SPACELESS}]"
"""A letter or digit of a script that puts spaces between words: next to one, `*` is more often a sign than emphasis."""
_PAIRS: Final = (
    re.compile(r"\*\*(?=[^\s*]|\*[^\s*])(.+?)(?<=\S)\*\*"),
    re.compile(r"(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w|\.\w)"),
    re.compile(r"~~(?=\S)(.+?)(?<=\S)~~"),
    re.compile(rf"(?<!\*)(?<!{_SPACED})\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?!\*)(?!{_SPACED})"),
    re.compile(r"(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)"),
)
_OPEN: Final = (
    re.compile(r"(?<!`)(`+)(?=[^`\s])[^`]*$"),
    re.compile(r"(?<![\w*_~])(\*{1,3}|_{1,3}|~~)(?=[\w\"'“‘(])(?:[^*_~]|(?<=\w)_(?=\w))*$"),
)
_BARE: Final = re.compile(r"(?:(?<=\s)|^)(?:\*{1,3}|_{1,3}|~~?|`+)$")
_CUT_LINK: Final = re.compile(r"!?\[([^\[\]]*)\]\([^)]*$")
_FORMULA: Final = re.compile(f"{DISPLAYED}|{WITHIN}")
_FORMULA_EDGES: Final = frozenset({"$$", "\\[", "\\]"})
"""Lines that only begin or end a formula."""
_HIDDEN: Final = 0xE000
"""Characters that mean themselves are put into Unicode's private use area while marks are looked for."""
_SHOWN: Final = {_HIDDEN + code: code for code in range(128)}
_MARK: Final = re.compile(f"[\\\\`*_~\\[<${chr(_HIDDEN)}-{chr(_HIDDEN + 127)}]")
"""A character that may be a mark of Markdown, or that stands for a hidden one: a line without any is plain as it
stands."""


def one_line_text(markdown: str) -> str:
    """Returns the text as one line, without the marks of headings, lists, quotes, fences, tables, emphasis, code,
    formulas and links."""
    return " ".join(" ".join(_plain_lines(markdown)).split())


def with_closed_marks(markdown: str) -> str:
    """Returns Markdown that was broken off with the emphasis or code closed that its last line leaves open."""
    before, end, line = markdown.rstrip().rpartition("\n")
    if ends_in_code(markdown.split("\n")):
        return markdown
    line = _BARE.sub("", _CUT_LINK.sub(r"\1", line)).rstrip()
    if line.count("**") % 2 and line.endswith("*") and not line.endswith("**"):
        line = line[:-1]
    rest = _without_pairs(_CODE.sub("", line))
    left = next((found[1] for open_mark in _OPEN if (found := open_mark.search(rest))), "")
    return f"{before}{end}{line}{left}"


def _plain_lines(markdown: str) -> Iterator[str]:
    for line, part in parts_of(markdown.splitlines()):
        if part == "code":
            yield line
        elif part == "text" and not _RULE.match(line) and line.strip() not in _FORMULA_EDGES:
            yield _inline(_cells(_LEAD.sub("", line, count=1)))


def _cells(line: str) -> str:
    """Returns a table's row as the words in it."""
    return line.strip().strip("|").replace("|", " ") if line.lstrip().startswith("|") else line


def _inline(line: str) -> str:
    if not _MARK.search(line):
        return line
    hidden = _CODE.sub(lambda span: _hide(span[2].strip()), line)
    hidden = _FORMULA.sub(_hidden_formula, hidden)
    hidden = _ESCAPED.sub(lambda mark: _hide(mark[1]), hidden)
    return _without_pairs(_ADDRESS.sub(r"\1", _LINKS.sub(r"\1", hidden))).translate(_SHOWN)


def _hidden_formula(found: re.Match[str]) -> str:
    """Returns a formula as its source without the marks around it, so that nothing in it is taken for a mark."""
    return _hide(" ".join(tex_of(found[0]).split())) if is_formula(found[0]) else found[0]


def _hide(words: str) -> str:
    return "".join(chr(ord(one) + _HIDDEN) if ord(one) < 128 and not one.isalnum() else one for one in words)


def _without_pairs(line: str) -> str:
    for pair in _PAIRS:
        line = pair.sub(r"\1", line)
    return line
