"""Messages made to be slow to scan: what each rule waits for, over and over, and what brackets and quotes open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemoscope.domain.capture.rules import Rule, RuleSet

_PIECES: Final = (
    "'", '"', "“", "«", "「", "`", "``", "` ", "```", "~~~", "```\n", "> ", "\n>", "\n\n", "\n", "a", "a ",
    "я ", "我", "1", "1 ", "1,", "1.", "1-", "1:", "+1 ", "+1(", "$1,", "a@", "@a.", "a@a.", "http://",
    "https://a ", "?", "? ", ". ", "! ", ", ", ": ", " - ", "((", "{", "_", "*", "**", "\\", "translate ",
    "translate. ", "translate: ", "please translate ", "переведи. ", "翻译。", "翻译", "if ", "she said ",
    "a: b\n", "from: a\n", "x(", "x.", "\u200b", "a\u0301", "\u2028", "i'm a, ", "no, ", "it's not ",
    "it's not a, ", "actually, ", "不是", "不是一,", "не а, ", "emas, ", "not, ", "and ", "i like a, b and ",
    "remember ", "remember that ", "i like ", "i don't ", "my ", "my name is ", "My name is A. ", "I'm Ann, ",
    "sk-", "password ", "password: ", "-----BEGIN ", "\xa0", "\ud800", "𝒂", "ﬁ", "İ",
)  # fmt: skip


def slow_messages(rules: RuleSet, length: int) -> Iterator[tuple[str, str]]:
    """Names and messages of about this many characters."""
    for piece in _PIECES:
        yield repr(piece), _filled(piece, length)
    for rule in rules.rules:
        for name, piece in _pieces_of(rule):
            yield f"{rule.id}: {name}", _filled(piece, length)


def _filled(piece: str, length: int) -> str:
    return piece * (length // len(piece) + 1)


def _pieces_of(rule: Rule) -> Iterator[tuple[str, str]]:
    for cue in rule.cues[:3]:
        yield f"cue {cue!r}", f"{cue} "
    for example in rule.examples[:1]:
        yield "example", example + " "
        yield "example on one line", example.rstrip(".。") + ", "
        yield "words before a value", example[: max(4, len(example) // 2)] + " "
        yield "without blanks", example.replace(" ", "")
