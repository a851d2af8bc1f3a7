"""Puts what is noted of a capture into the window's words."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.capture.capture_text import capture_text
from mnemoscope.domain.capture.record import KEPT, UNDONE, CaptureRecord
from mnemoscope.domain.capture.rules import DECOY, STATEMENT
from mnemoscope.domain.conversation.message import message_number
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.memory.versions.origin_words import TitleOf, when_words
from mnemoscope.ui.support.capture_reasons import known_words, reason_words

_LONGEST: Final = 160
_TITLE: Final = 28
"""Characters: beside a message's number a title only has to remind."""


def tr(text: str) -> str:
    """Translates a text in the context of captures."""
    return QCoreApplication.translate("Captures", text)


def title_words(record: CaptureRecord) -> str:
    """Returns the words that were said, on one line, without the wish to remember them."""
    words = " ".join(tidied(capture_text(record)).split()) or "…"
    return shortened(words, _LONGEST)


def record_words(record: CaptureRecord, title_of: TitleOf, *, is_gone: bool = False) -> str:
    """Returns `Remembered · preference · “Tea”, message 3 · 10:42`: what became of it, and where it was said.

    `is_gone`: its line is not in memory any more.
    """
    parts = (
        _became(record, is_gone=is_gone),
        _category_words(record.category),
        _where(record, title_of),
        when_words(record.when),
    )
    return " · ".join(part for part in parts if part)


def category_name(category: str) -> str:
    """Returns the kind of fact a rule looks for, as a name that stands alone; an unknown id stays as it is."""
    return {
        "correction": tr("Correction"),
        "proper_noun": tr("Name"),
        "preference": tr("Preference"),
        "decision": tr("Decision"),
        "specific_value": tr("Specific value"),
        "remember": tr("To remember"),
        STATEMENT: tr("Subject only"),
        DECOY: tr("Refused"),
    }.get(category, category)


def _category_words(category: str) -> str:
    """Returns what kind of fact it is."""
    return {
        "correction": tr("correction"),
        "proper_noun": tr("about you"),
        "preference": tr("preference"),
        "decision": tr("decision"),
        "specific_value": tr("date, address or number"),
        "remember": tr("to remember"),
    }.get(category, "")


def _where(record: CaptureRecord, title_of: TitleOf) -> str:
    """Returns the message it was said in; its conversation, unless that is called by the very words."""
    if not record.session_key:
        return ""
    number = message_number(record.index)
    title = " ".join(title_of(record.session_key, record.when).split())
    begins, said = title.rstrip("….").casefold(), title_words(record).rstrip("….").casefold()
    if not begins or begins.startswith(said) or said.startswith(begins):
        return tr("message {number}").format(number=number)
    return tr("“{title}”, message {number}").format(title=shortened(title, _TITLE), number=number)


def _became(record: CaptureRecord, *, is_gone: bool) -> str:
    if record.is_known:
        return known_words(record)
    if record.outcome == UNDONE:
        return tr("Taken back")
    if record.outcome != KEPT:
        return tr("Not remembered: {reason}").format(reason=reason_words(record.reason))
    if not record.memory_line:
        return tr("Remembered for this conversation")
    if is_gone:
        return tr("Remembered; not in memory in these words any more")
    return tr("Remembered, in place of an older line") if record.replaced else tr("Remembered")
