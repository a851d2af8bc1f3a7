"""Says in plain words how a model was asked for an object, and what was done to its answer before it was taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from mnemoscope.domain.answers.answer_cleanup import AnswerCleanup
from mnemoscope.domain.llm import OutputMode

_FIRST: Final = {
    OutputMode.TOOL.value: QT_TRANSLATE_NOOP("AnswerWords", "Asked by tool call"),
    OutputMode.SCHEMA.value: QT_TRANSLATE_NOOP("AnswerWords", "Asked by JSON schema"),
    OutputMode.TEXT.value: QT_TRANSLATE_NOOP("AnswerWords", "Asked in plain text"),
}
_THEN: Final = {
    OutputMode.TOOL.value: QT_TRANSLATE_NOOP("AnswerWords", "then by tool call"),
    OutputMode.SCHEMA.value: QT_TRANSLATE_NOOP("AnswerWords", "then by JSON schema"),
    OutputMode.TEXT.value: QT_TRANSLATE_NOOP("AnswerWords", "then in plain text"),
}
_CLEANED: Final = {
    AnswerCleanup.LINE_ENDS.value: QT_TRANSLATE_NOOP("AnswerWords", "line ends made plain"),
    AnswerCleanup.CONTROL.value: QT_TRANSLATE_NOOP("AnswerWords", "control characters removed"),
    AnswerCleanup.HALVES.value: QT_TRANSLATE_NOOP("AnswerWords", "halves of characters removed"),
    AnswerCleanup.UNSEEN.value: QT_TRANSLATE_NOOP("AnswerWords", "invisible characters removed"),
    AnswerCleanup.AS_TEXT.value: QT_TRANSLATE_NOOP("AnswerWords", "the call came as text"),
    AnswerCleanup.MENDED.value: QT_TRANSLATE_NOOP("AnswerWords", "mended JSON"),
    AnswerCleanup.THINKING.value: QT_TRANSLATE_NOOP("AnswerWords", "thinking removed"),
}


def answer_words(asked: Sequence[str], cleaned: Sequence[str]) -> str:
    """Returns `Asked by tool call, then by JSON schema; control characters removed`, or "" where nothing is known.

    What this version does not know, since a later one wrote it, is left out.
    """
    modes = [mode for mode in asked if mode in _FIRST]
    words = [_tr(str(_FIRST[mode])) if place == 0 else _tr(str(_THEN[mode])) for place, mode in enumerate(modes)]
    done = [_tr(str(_CLEANED[kind])) for kind in cleaned if kind in _CLEANED]
    between = _tr("{0}, {1}")
    first = words[0] if words else ""
    for each in words[1:]:
        first = between.format(first, each)
    for each in done:
        first = _tr("{0}; {1}").format(first, each) if first else each
    return first


def is_notable(asked: Sequence[str], cleaned: Sequence[str]) -> bool:
    """Returns whether a model was asked in more than one way, or its answer had to be cleaned."""
    return len(asked) > 1 or bool(cleaned)


def _tr(text: str) -> str:
    return QCoreApplication.translate("AnswerWords", text)
