"""Says in the window's words why something was not remembered, or who knew it: under a message, in the list, in the
trial of rules."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.capture.record import DUPLICATE, NOT_OWN_WORDS, NOTHING_BEFORE, CaptureRecord
from mnemoscope.ui.support.author_words import author_words


def tr(text: str) -> str:
    """Translates in the context of reasons."""
    return QCoreApplication.translate("CaptureReasons", text)


def known_words(record: CaptureRecord) -> str:
    """Returns that a line of memory says it without this capture, which one, and whose that is."""
    who = author_words(record.known_by)
    if not who:
        return tr("Known already, line {line}").format(line=record.known_line)
    return tr("Known already, line {line}, by {who}").format(line=record.known_line, who=who)


def reason_words(reason: str) -> str:
    """Returns why it was not kept."""
    if reason.startswith(DUPLICATE):
        return tr("it is there already")
    return {
        "secret": tr("a key or password stands in it"),
        "paused": tr("capture was paused"),
        "tombstone": tr("you deleted it before"),
        "forgotten": tr("you chose to forget this"),
        "no memory file": tr("MEMORY.md is missing"),
        "question": tr("a question"),
        "quoted": tr("a quotation"),
        "pasted": tr("pasted text"),
        "file": tr("from a file"),
        "code": tr("code"),
        "template": tr("text to be worked on"),
        "hypothetical": tr("only supposed"),
        "reported speech": tr("what somebody else said"),
        "negated": tr("denied"),
        "third person": tr("about somebody else"),
        "too vague": tr("too vague"),
        NOTHING_BEFORE: tr("nothing stands before it"),
        NOT_OWN_WORDS: tr("not your own words"),
    }.get(reason, reason)
