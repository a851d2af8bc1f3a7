"""Uzbek is written in two alphabets: here are their letters, and a text in one is put into the other by the rule."""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.text.characters import APOSTROPHE_OR_BACKTICK

_LETTERS: Final = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "ё": "yo", "ж": "j", "з": "z", "и": "i", "й": "y", "к": "k",
    "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "x",
    "ц": "ts", "ч": "ch", "ш": "sh", "ъ": "'", "э": "e", "ю": "yu", "я": "ya", "ў": "o'", "қ": "q", "ғ": "g'",
    "ҳ": "h",
}  # fmt: skip
IN_LATIN: Final = _LETTERS | {"е": "e", "ь": "", "щ": "sh", "ы": "i"}
"""Cyrillic letters as Uzbek Latin has them, those that stand in Russian words alone too; `е` as within a word."""
_TO_LATIN: Final = str.maketrans(_LETTERS | {"е": "e", "ь": ""})
_TO_CYRILLIC: Final = {latin: cyrillic for cyrillic, latin in _LETTERS.items()} | {"e": "е", "ye": "е", "yo'": "йў"}
_UNIT: Final = re.compile("yo'|[sc]h|[og]'|y[aeou]|ts|[a-z]|(?<=[a-z])'(?=[a-z])")
_CYRILLIC_YE: Final = re.compile(r"(?<![^\W\d_])е|(?<=[аеёиоуўэюяъь])е")
"""The letter that is two in the other alphabet, at the beginning of a word and behind a vowel."""
_LATIN_E: Final = re.compile(r"(?<![^\W\d_])e|(?<=[aeiou])e")
_LATIN: Final = re.compile("[a-z]")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")


def in_other_alphabet(text: str) -> str | None:
    """Returns a text in the other alphabet of Uzbek, in small letters; None where it has letters of both or of
    neither, or a letter that Uzbek has not."""
    text = APOSTROPHE_OR_BACKTICK.sub("'", text.lower())
    is_latin, is_cyrillic = _LATIN.search(text) is not None, _CYRILLIC.search(text) is not None
    if is_latin is is_cyrillic:
        return None
    if is_cyrillic:
        other = _CYRILLIC_YE.sub("ye", text).translate(_TO_LATIN)
        return None if _CYRILLIC.search(other) else other
    other = _UNIT.sub(lambda unit: _TO_CYRILLIC.get(unit[0], unit[0]), _LATIN_E.sub("э", text))
    return None if _LATIN.search(other) else other
