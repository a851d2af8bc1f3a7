"""The built-in model knows this much of language: sentences, keywords and their stems."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from mnemoscope.domain.secrets.detection import find_secrets
from mnemoscope.domain.text.characters import SPACELESS, SPACELESS_LETTER
from mnemoscope.domain.text.excerpt import shortened_at_word

BULLET: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)]) +")
"""The mark of an item before the words of a line."""
_SENTENCE: Final = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=\S)|(?<=[。！？])|\n+")
_WORD: Final = re.compile(r"[^\W_]+(?:['’.+#-][^\W_]+)*[+#]*")
_ROW: Final = re.compile(r"\s*\|.*\|\s*\Z")
_TABLE_RULE: Final = re.compile(r"\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?\s*\Z")
_WORD_LIMIT: Final = 40
_HUGE: Final = re.compile(rf"[^\s{SPACELESS}]{{81,}}")
_SECRET_WORD: Final = re.compile(
    r"\b(?:pass(?:word|phrase|code)|api[ _-]?key|secret key|private key|pin code)\b", re.IGNORECASE
)

_COMMON: Final = """a about after again all also am an and any anything are as at be because been before being but by
can could did do does doing done down for from further get give go had has have he her here hers him his how i if in
into is it its just know let like look me might mine more most my no nor not now of off on once only or other our ours
out over own please quote said same say search see shall she should show so some such tell than thank thanks that the
their them then there these they thing things this those through to too under until up us very was we well were
what whats when where which while who whom whose why will with would you your yours find remember remembered
recall mention mentioned decide decided memory something everything anyone ever hello hi hey i'm i've it's what's who's
where's when's don't didn't doesn't isn't wasn't we're we've you're can't"""
_STOP_WORDS: Final = frozenset(_COMMON.split())
_ENDINGS: Final = (("ies", "y"), ("sses", "ss"), ("lves", "lf"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))


def sentences(text: str) -> list[str]:
    """Returns the text's sentences and lines, in order, with inner white space made single."""
    parts = (" ".join(part.split()) for part in _SENTENCE.split(text))
    return [part for part in parts if part]


def stem(word: str) -> str:
    """Returns a word without accents and its commonest English endings, so that `decisions` finds `decision`."""
    word = "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
    for ending, put in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + put
            break
    # `serviced` and `service`, `planning` and `plan`.
    if len(word) > 4 and word.endswith("e"):
        return word[:-1]
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsaeiou" else word


def keywords(text: str) -> list[str]:
    """Returns the words that carry meaning, in lower case, in order, each once; of a script without spaces pairs of
    characters."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(text.replace("’", "'")):
        for word in _pairs(match.group().lower()):
            if word not in _STOP_WORDS and (len(word) > 1 or word.isdigit() or SPACELESS_LETTER.match(word)):
                found[word] = None
    return list(found)


def _pairs(word: str) -> list[str]:
    if not SPACELESS_LETTER.search(word):
        return [word.removesuffix("'s")]
    return [word[index : index + 2] for index in range(max(1, len(word) - 1))]


def keyword_stems(text: str) -> frozenset[str]:
    """Returns the stems of the keywords of `text`."""
    return frozenset(map(stem, keywords(text)))


def overlap(wanted: frozenset[str], text: str) -> int:
    """Returns how many of the wanted stems occur in `text`."""
    return len(wanted & keyword_stems(text))


def holds_secret(text: str) -> bool:
    """Returns whether the text looks as if it held a key or a password, which is never kept."""
    return bool(_SECRET_WORD.search(text) or find_secrets(text))


def plain_rows(text: str) -> str:
    """Returns the text with the rows of Markdown tables as plain words: cells joined by commas, no rules."""
    lines = text.split("\n")
    return "\n".join(_cells(line) if _ROW.match(line) else line for line in lines if not _TABLE_RULE.match(line))


def _cells(row: str) -> str:
    cells = (cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip().strip("|")))
    return ", ".join(cell for cell in cells if cell)


def brief(text: str) -> str:
    """Returns the text with words of absurd length shortened: an echo need not repeat them in full."""
    return _HUGE.sub(lambda word: f"{word.group()[:_WORD_LIMIT]}…", text)


def clip(text: str, limit: int) -> str:
    """Returns one line of at most `limit` characters, cut at a word."""
    return shortened_at_word(" ".join(text.split()), limit)
