"""The built-in model reads in its prompt what capture kept of the message it answers, in whatever language that is.

Capture keeps words of the message as they are, so a captured line is the message's if its words stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.capture.captured_line import CapturedLine, read_line
from mnemoscope.domain.text.characters import HAN, SPACELESS_LETTER
from mnemoscope.llm.offline.consolidation import captured_keys, is_captured
from mnemoscope.llm.offline.keywords import keywords, sentences
from mnemoscope.llm.offline.reported_speech import sentence_kind
from mnemoscope.llm.offline.request_reader import memory_section, state_in
from mnemoscope.llm.offline.stated_facts import facts_in

_WORD: Final = re.compile(rf"[{HAN}]|[^\W_{HAN}]+|[+#]")
_FEWEST: Final = 3
"""Words of a line that nobody captured from which on it can be told in a message."""
_CUT: Final = 120
"""Characters of words after which a line may have been cut, within a word too."""
_WISHED: Final = frozenset(
    [
        *(
            "remember",
            "forget",
            "keep",
            "note",
            "mind",
            "bear",
            "save",
            "store",
            "add",
            "put",
            "commit",
            "write",
            "down",
        ),
        *("jot", "memory", "memorise", "memorize", "make", "take", "reference", "important"),
    ]
)
"""Keywords of a wish that says nothing else."""


@dataclass(frozen=True, slots=True)
class CapturedWords:
    """Tells what capture kept of a message: what stands `in_memory` and what only `in_state`, each as it is repeated;
    `lines` are the same as they were kept, `facts` the keys of what they say."""

    in_memory: tuple[str, ...] = ()
    in_state: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    facts: frozenset[str] = frozenset()

    def says(self, fact: str) -> bool:
        """Returns whether a fact was kept, with the wish to keep it or without."""
        words = set(_words(fact)) - _WISHED
        return is_captured(fact, self.facts) or any(words <= set(_words(line)) for line in self.lines)

    def has_heard(self, sentence: str) -> bool:
        """Returns whether there is nothing to look up for a sentence: it was kept, or is no more than the wish to."""
        if set(keywords(sentence)) <= _WISHED:
            return True
        words = _words(sentence)
        return any(_holds(words, _words(line)) or _holds(_words(line), words) for line in self.lines)


def captured_of(asked: str, messages: Sequence[Mapping[str, Any]]) -> CapturedWords:
    """Returns what capture kept of the words that were `asked`, by the memory and the state of the conversation in the
    prompt."""
    stated = [
        _words(each)
        for each in sentences(asked)
        if not each.endswith(("?", "？")) and sentence_kind(each) != "question"
    ]
    stated_words = [word for words in stated for word in words]
    said, plain = _words(asked), {fact.text.casefold() for fact in facts_in(asked)}
    memory = memory_section(messages).split("\n")
    in_memory = [
        each
        for each in _known(memory)
        if _is_of(each, stated_words, said) and (each.category or each.text.casefold() not in plain)
    ]
    state = state_in(messages).split("\n")
    in_state = [each for each in _known(state) if each.category and _is_of(each, stated_words, said)]
    lines = tuple(dict.fromkeys(each.text for each in (*in_memory, *in_state)))
    there = dict.fromkeys(map(_repeated, in_memory))
    return CapturedWords(
        tuple(there),
        tuple(each for each in dict.fromkeys(map(_repeated, in_state)) if each not in there),
        lines,
        frozenset(captured_keys([f"- **remember**: {line}" for line in lines])) | frozenset(captured_keys(memory)),
    )


def _known(rows: Sequence[str]) -> Iterator[CapturedLine]:
    """Yields the lines that stand, of nobody who is named."""
    for row in rows:
        line = read_line(row)
        if line is not None and not line.until and not line.user:
            yield line


def _is_of(line: CapturedLine, stated_words: Sequence[str], said: Sequence[str]) -> bool:
    """Returns whether the words of a line are among those `told`, or `said` with questions. A question tells nothing,
    but for one that asks to remember."""
    words = _words(line.text.rstrip("…"))
    if not line.category and len(words) < _FEWEST:
        return False
    return _holds(said if line.category == "remember" else stated_words, words)


def _repeated(line: CapturedLine) -> str:
    """Returns the words of a line as a fact of ours has them, else as they are: no English words stand before a Chinese
    name."""
    facts = [fact.text for fact in facts_in(line.text)]
    is_mixed = len(facts) == 1 and facts[0] not in line.text and SPACELESS_LETTER.search(line.text)
    return facts[0] if len(facts) == 1 and not is_mixed else line.text


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    """Returns whether the words of `part` stand among these, one behind the other."""
    if not part:
        return False
    joined = " ".join(part)
    end = "" if len(joined) > _CUT else " "
    return f" {joined}{end}" in f" {' '.join(words)} "


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
