"""What is noted of a capture, in the window's words."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.capture_record import DUPLICATE, KEPT, UNDONE, CaptureRecord
from mnemoscope.ui.chat.markdown_guard import tidied
from mnemoscope.ui.memory.origin_words import TitleOf, when_words

_LONGEST: Final = 160
_TITLE: Final = 28
"""Characters: beside a message's number a title only has to remind."""


def tr(text: str) -> str:
    """Translate in the context of captures."""
    return QCoreApplication.translate("Captures", text)


def title_words(record: CaptureRecord) -> str:
    """The words that were said, on one line."""
    words = " ".join(tidied(record.text).split()) or "…"
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"


def record_words(record: CaptureRecord, title_of: TitleOf) -> str:
    """`Kept in memory · preference · “Tea”, message 3 · 10:42`: what became of it, and where it was said."""
    where = ""
    if record.session_key:
        told = tr("“{title}”, message {number}")
        title = " ".join(title_of(record.session_key, record.when).split())
        short = title if len(title) <= _TITLE else title[: _TITLE - 1].rstrip() + "…"
        where = told.format(title=short, number=record.index + 1)
    parts = (_became(record), category_words(record.category), where, when_words(record.when))
    return " · ".join(part for part in parts if part)


def category_words(category: str) -> str:
    """What kind of fact it is."""
    return {
        "correction": tr("correction"),
        "proper_noun": tr("about you"),
        "preference": tr("preference"),
        "decision": tr("decision"),
        "specific_value": tr("date, address or number"),
        "remember": tr("to remember"),
    }.get(category, "")


def reason_words(reason: str) -> str:
    """Why it was not kept."""
    if reason.startswith(DUPLICATE):
        return tr("it is there already")
    return {
        "secret": tr("a key or password stands in it"),
        "paused": tr("capture was paused"),
        "tombstone": tr("you deleted it before"),
        "no memory file": tr("MEMORY.md is missing"),
        "question": tr("a question"),
        "quoted": tr("a quotation"),
        "pasted": tr("pasted text"),
        "code": tr("code"),
        "template": tr("text to be worked on"),
        "hypothetical": tr("only supposed"),
        "reported speech": tr("what somebody else said"),
        "negated": tr("denied"),
        "third person": tr("about somebody else"),
        "too vague": tr("too vague"),
    }.get(reason, reason)


def _became(record: CaptureRecord) -> str:
    if record.outcome == UNDONE:
        return tr("Taken back")
    if record.outcome != KEPT:
        return tr("Not kept: {reason}").format(reason=reason_words(record.reason))
    if not record.memory_line:
        return tr("Kept for this conversation")
    return tr("Kept, in place of an older line") if record.replaced else tr("Kept in memory")
