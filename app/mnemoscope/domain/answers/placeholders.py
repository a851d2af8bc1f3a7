"""Recognises what stands in the place of words: “rest unchanged”, “summary here”, the names of what was asked for."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_SHOWN: Final = 80

_PARTS = (
    r"(?:memory|memories|facts?|contents?|sections?|entries|notes?|information|items?|lines?|document|file|text"
    r"|details?|data)"
)
_SAME = (
    r"(?:unchanged|un-?modified|not (?:changed|modified|repeated|shown)|no changes?|unaltered|intact|omitted|elided"
    r"|truncated|(?:the )?same|as (?:before|above|is)|(?:is |are )?(?:kept|preserved|retained)|remains?|stays?"
    r"|continues?)"
)
_REST = r"(?:rest|remainder|remaining|everything else|others?|existing|previous|prior|earlier)"
_ITEM = r"^(?:[-*+]\s*)?"
_OPENS = r"(?:[\[(<{…]|\.\.|//|<!--)"
_LEAD = r"^(?:[-*+>#/]+\s*|<!--\s*|//\s*)*[\[(<{*_…\s]*(?:\.{2,}|…)?[\[(<{*_…\s]*"
_OF_WHAT = rf"(?:\s+of)?(?:\s+(?:the|this|your|existing|previous|current|long-?term|other|{_PARTS}))*"

_PLACEHOLDER_PATTERNS: Final = (
    # "… rest of memory unchanged …", "(everything else stays the same)", "all other sections remain"
    _LEAD + rf"(?:the |all |all the |and )*{_REST}\b{_OF_WHAT}\W+{_SAME}\b.{{0,40}}$",
    # "(unchanged)", "[same as before]", "<!-- omitted for brevity -->", "... no changes ..."
    _ITEM + _OPENS + rf"[\s.…\-!]*(?:{_PARTS}\s+)?{_SAME}\b.{{0,60}}$",
    # "... rest of memory ...", "(existing facts here)", "[previous content]"
    _ITEM + _OPENS + rf"[\s.…\-!]*(?:the |all )?{_REST}\b[\w\s,'’-]{{0,50}}[\s.…\-]*(?:[\])>}}…]|\.\.|-->).{{0,3}}$",
    # a line of nothing but dots
    _ITEM + r"[\[(<{]?\s*(?:\.{3,}|…+)\s*[\])>}]?$",
    r"^.{0,4}(?:其余|其他|剩余|剩下|原有|以上|以下).{0,12}(?:不变|保持|省略|同上|相同).{0,6}$",
    r"^.{0,4}(?:остальн|прочее).{0,30}(?:без изменений|не измен).{0,6}$",
)
_PLACEHOLDERS: Final = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _PLACEHOLDER_PATTERNS)


def is_placeholder(text: str, asked: Collection[str] = ()) -> bool:
    """Returns whether a text stands for the words that should be there: the schema's own names or types, “summary
    here”, “TODO”. `asked`: further texts that do, as `plain_words` gives them."""
    plain = plain_words(PATTERN_STAMP.sub("", text))
    if not plain or plain in _PLACEHOLDER_WORDS or plain in asked:
        return True
    return len(plain) <= _LONGEST_PLACEHOLDER and _STANDS_FOR.search(plain) is not None


PATTERN_STAMP: Final = re.compile(r"\[?\bY{2,4}[-/]M{1,2}[-/]D{1,2}(?:[ T]H{1,2}:M{1,2})?\b\]?", re.IGNORECASE)
"""The form of a date, where a date was asked for."""
_LONGEST_PLACEHOLDER: Final = 70
_PLACEHOLDER_WORDS: Final = frozenset(
    """
    string\nstr\ntext\ntodo\ntbd\nn a\nnone\nnull\nnil\nundefined\nplaceholder\nexample\nlorem ipsum\nhistory entry
    memory update\nmemory\nentry\nsummary\nyour summary\nparagraph\na paragraph\nhistory\nvalue\nobject\ntrue\nfalse
    fill in\nto be filled\nto be done\nsummary of the conversation\nthe summary\na summary\ncontent\nstring value
    the new memory\n摘要\n总结\n记忆\nсводка\nпамять\nxulosa\nxotira\nnew memory
    """.strip()
    .replace("    ", "")
    .split("\n")
)
_STANDS_FOR: Final = re.compile(
    r"^(?:insert|add|put|write|enter|fill in|your|the)?\s*(?:a |the |your |new |updated |full )*"
    r"(?:summary|entry|memory|text|content|paragraph|facts?|update|details?)\b.{0,30}\b(?:here|goes here|below)$"
    r"|^(?:insert|put|write|enter|fill in)\b.{0,60}\bhere$"
    r"|^(?:在此|请在此|此处).{0,6}(?:填写|输入|插入).{0,20}$|^(?:здесь|тут|вставьте).{0,30}(?:сводк|памят|текст|запис)\w*.{0,10}$"
)


def plain_words(text: str) -> str:
    """Returns the words of a text alone, in small letters and with one blank between them."""
    return " ".join(re.sub(r"[\W_]+", " ", text).split()).casefold()


def find_placeholder_line(update: str, before: str) -> str:
    """Returns the line of `update` that stands for what was left out, or "". A line that was in `before` is none."""
    known = {line.strip() for line in before.split("\n")}
    for line in update.split("\n"):
        stripped = line.strip()
        if stripped and stripped not in known and any(pattern.match(stripped) for pattern in _PLACEHOLDERS):
            return stripped[:_SHOWN]
    return ""
