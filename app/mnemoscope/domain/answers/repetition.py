"""A text that goes round in circles is recognised, while it is written and when it is whole, and one that only says
again what its writer was shown.

Small models get caught in a line, a sentence or a run of blanks until their limit; others answer with the instructions
or with the conversation itself.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mnemoscope.domain.memory.facts import fact_text, heading_title, normalised_fact
from mnemoscope.domain.text.characters import SPACELESS, SPACELESS_LETTER

LOOPED: Final = "loop"
"""The finish reason of an answer that was stopped because it went round in circles."""
_TAIL: Final = 3_000
"""Characters at the end of a text that are looked at while it is written."""
_STEP: Final = 96
"""Characters that have to come before it is looked at again."""
_SHOWN: Final = 80
"""Characters of a line that are told of."""
_LEAST_ROUND: Final = 160
_ROUNDS: Final = 4
_LEAST_COUNTED: Final = 400
_COUNTED_ROUNDS: Final = 8
"""The same but for its figures: a diary may say such a line several times."""
_OFTEN: Final = 3
"""A line that is new and stands so often was not meant so."""
_ALIKE: Final = 12
"""Lines that differ in their figures alone."""
_RUN: Final = re.compile(r"\b(\w+)(?:\W+\1\b){5,}", re.IGNORECASE)
_RUN_AT_END: Final = re.compile(r"\b(\w+)(?:\W+\1\b){15,}\W*\w*\Z", re.IGNORECASE)
"""Of figures every character is a token, so a run of one word is told long before it fills a round."""
_RUN_TAIL: Final = 400
_SENTENCE_END: Final = re.compile(r"[.!?;\n。！？；]+")
_DIGIT: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"\w+")
_DATED_TURN: Final = re.compile(r"\[[^\]\n]{0,40}\][ \t]*(?:USER|ASSISTANT|TOOL)(?:[ \t]*\[tools:[^\]\n]*\])?:")
_PERSON_TURN: Final = re.compile(
    r"(?:^|[.!?\]\n][ \t]*|\A)\W{0,3}(?:user|human)\**[ \t]*:", re.IGNORECASE | re.MULTILINE
)
_MODEL_TURN: Final = re.compile(
    r"(?:^|[.!?\]\n][ \t]*|\A)\W{0,3}(?:assistant|ai)\**[ \t]*:", re.IGNORECASE | re.MULTILINE
)
_SHORT_ENTRY: Final = 40
"""Words up to which an entry is copied only where each of its sentences is one of the conversation's."""
_LEAST_COPIED: Final = 4
"""Words, or twice as many characters of a script without spaces, from which on a sentence is told by its words."""
_COPIED: Final = 0.8
_ECHOED: Final = 0.5


class LoopWatch:
    """Watches a text while it is written, piece by piece."""

    def __init__(self, known: str = "") -> None:
        """`known`: a text in which the writer may repeat itself, since it stood so before."""
        self._known = (known, json.dumps(known, ensure_ascii=False)[1:-1])
        self._tail = ""
        self._fresh = 0

    def add(self, piece: str) -> bool:
        """Takes the next piece. Returns whether the text goes round in circles by now."""
        self._tail = (self._tail + piece)[-_TAIL:]
        self._fresh += len(piece)
        if self._fresh < _STEP:
            return False
        self._fresh = 0
        return bool(loop_at_end(self._tail, self._known))


def loop_at_end(text: str, known: Sequence[str] = ()) -> str:
    """Returns what is said again and again at the end of a text, or "". What is repeated in one of the `known` texts
    as well is no loop."""
    tail = text[-_TAIL:]
    unit = _round(tail, _LEAST_ROUND, _ROUNDS)
    if unit and not _is_in(unit, known):
        return unit
    run = _RUN_AT_END.search(tail[-_RUN_TAIL:])
    if run and not any(run.group() in each for each in known):
        return run.group(1)
    blind = _DIGIT.sub("0", tail)
    unit = _round(blind, _LEAST_COUNTED, _COUNTED_ROUNDS)
    # A run of figures alone is seen above, where it is one.
    if unit and re.search(r"[^\W\d_]", unit) and not _is_in(unit, [_DIGIT.sub("0", each) for each in known]):
        return unit
    return ""


def _round(text: str, least: int, rounds: int) -> str:
    """Returns the shortest text with which `text` ends so many times in a row, over at least so many characters."""
    turned = text[::-1]
    border = [0] * len(turned)
    matched = 0
    for place in range(1, len(turned)):
        while matched and turned[place] != turned[matched]:
            matched = border[matched - 1]
        matched += turned[place] == turned[matched]
        border[place] = matched
        length = place + 1
        period = length - matched
        if length >= least and length >= rounds * period:
            return turned[:period][::-1]
    return ""


def _is_in(unit: str, known: Sequence[str]) -> bool:
    # Once less: where a round begins is not where a line does.
    return any(unit * (_ROUNDS - 1) in each for each in known)


def goes_round(text: str) -> bool:
    """Returns whether a short text, such as an entry or one line, says the same again and again."""
    if _RUN.search(text) or loop_at_end(text.rstrip()):
        return True
    said = [" ".join(_WORD.findall(each.casefold())) for each in _SENTENCE_END.split(text)]
    said = [each for each in said if each]
    counted = Counter(each for each in said if len(each) >= 8)
    if counted and counted.most_common(1)[0][1] >= _OFTEN:
        return True
    clauses = [" ".join(_WORD.findall(each.casefold())) for each in re.split(r"[,.!?;\n]+| and ", text)]
    counted = Counter(each for each in clauses if each.count(" ") >= 2)
    return bool(counted) and counted.most_common(1)[0][1] > _OFTEN


def fold_repeated_lines(update: str, before: str) -> tuple[str, list[str]]:
    """Returns a memory text in which each new line stands once under its heading, and the lines that stood there at
    least three times."""
    stood = Counter(map(normalised_fact, before.split("\n")))
    seen: Counter[str] = Counter()
    everywhere: Counter[str] = Counter()
    kept = []
    for line in update.split("\n"):
        fact = normalised_fact(line)
        if heading_title(line) is not None:
            seen = Counter()
        elif fact and re.search(r"\w", fact):
            seen[fact] += 1
            everywhere[fact] += 1
            if seen[fact] > 1 and everywhere[fact] > max(1, stood[fact]):
                continue
        kept.append(line)
    often = [fact for fact, count in everywhere.items() if count >= _OFTEN and count > stood[fact]]
    return "\n".join(kept), often


def _counted_lines(update: str, before: str) -> str:
    """Returns a line of which many new ones are the same but for their figures, or ""."""
    stood = {normalised_fact(line) for line in before.split("\n")}
    fresh = [fact_text(line) for line in update.split("\n") if normalised_fact(line) not in stood]
    alike = Counter(_DIGIT.sub("0", re.sub(r"\d+", "0", line.casefold())) for line in fresh if _DIGIT.search(line))
    line, count = alike.most_common(1)[0] if alike else ("", 0)
    return next(each for each in fresh if re.sub(r"\d+", "0", each.casefold()) == line) if count >= _ALIKE else ""


def circle_reasons(update: str, before: str, often: Sequence[str]) -> Iterator[str]:
    """Yields a sentence for each sign that the writer of a memory text was caught in a circle. What stood `before` is
    none; `often` is what `fold_repeated_lines` returned."""
    yield from (f"It said “{line[:_SHOWN]}” again and again; it is shown once." for line in often)
    stood = set(before.split("\n"))
    for line in update.split("\n"):
        if line not in stood and goes_round(line):
            yield f"A line says the same again and again: “{line.strip()[:_SHOWN]}”."
    if line := _counted_lines(update, before):
        yield f"Many lines differ in their figures alone: “{line[:_SHOWN]}”."


def is_transcript(text: str) -> bool:
    """Returns whether a text stands as a conversation does: who speaks, then a colon, now one and now the other."""
    dated = len(_DATED_TURN.findall(text))
    return dated > 1 or bool(_PERSON_TURN.search(text) and _MODEL_TURN.search(text))


def copies(text: str, conversation: str) -> bool:
    """Returns whether a text is the conversation's words rather than about it: at length and in its order, or, where it
    is short, whole sentences of it and nothing else."""
    words = _words(text)
    if len(words) > _SHORT_ENTRY and _share(text, conversation, 8) >= _COPIED:
        return True
    sentences = [_once(each) for each in _sentences(text)]
    least = 2 * _LEAST_COPIED if SPACELESS_LETTER.search(text) else _LEAST_COPIED
    if not sentences or len(words) < least:
        return False
    said = set(_sentences(conversation))
    return all(each in said for each in sentences)


def _sentences(text: str) -> list[str]:
    """Returns the sentences of a text or conversation as they are compared: their letters and figures alone."""
    plain = _TURN_HEAD.sub("\n", text)
    found = ("".join(_WORD.findall(each.casefold())) for each in _COPIED_SENTENCE_END.split(plain))
    return [each for each in found if each]


def _once(sentence: str) -> str:
    """Returns a sentence that is said several times in a row once."""
    for count in range(len(sentence), 1, -1):
        if len(sentence) % count == 0 and sentence[: len(sentence) // count] * count == sentence:
            return sentence[: len(sentence) // count]
    return sentence


_TURN_HEAD: Final = re.compile(
    r"(?:\[[^\]\n]{0,40}\][ \t]*)?\b(?:user|assistant|human|ai)\**[ \t]*(?:\[tools:[^\]\n]*\])?:\**", re.IGNORECASE
)
_COPIED_SENTENCE_END: Final = re.compile(r"[.!?;\n\x1e。！？；]+")


def echoes(text: str, shown: str) -> bool:
    """Returns whether half of a text are the words of what its writer was told to do."""
    return _share(text, shown, 5) >= _ECHOED


def speaks_of_the_task(text: str, conversation: str) -> bool:
    """Returns whether a text speaks of the consolidation itself, though the conversation did not."""
    return any(found[0].casefold() not in conversation.casefold() for found in _TASK.finditer(text))


_TASK: Final = re.compile(
    r"\b(?:save_memory|save_summary|history_entry|memory_update|consolidation agent|memory consolidation"
    r"|history entry must|updated memory (?:here|below)|the full updated (?:long-term )?memory)\b",
    re.IGNORECASE,
)


def _share(text: str, shown: str, length: int) -> float:
    """Returns how much of the text's runs of so many words stand in the other."""
    words, others = _words(text), _words(shown)
    runs = [tuple(words[place : place + length]) for place in range(len(words) - length + 1)]
    there = {tuple(others[place : place + length]) for place in range(len(others) - length + 1)}
    return sum(run in there for run in runs) / len(runs) if runs else 0.0


def _words(text: str) -> list[str]:
    """Returns the words of a text; of scripts without spaces, each character is one."""
    return _UNIT.findall(text.casefold())


_UNIT: Final = re.compile(f"[{SPACELESS}]|[^\\W{SPACELESS}]+")
