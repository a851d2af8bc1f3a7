"""The transcript's words in the window's language."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.conversation.origin import FILE


def tr(text: str) -> str:
    """Returns a text in the window's language."""
    return QCoreApplication.translate("Transcript", text)


def caption_text(speaker: str, when: datetime | None) -> str:
    """Returns the words above a message: who speaks, and when, where that is known."""
    return f"{speaker} · {when:%H:%M}" if when else speaker


def origin_name(origin: str) -> str:
    """Returns what words are that nobody in the conversation wrote: `pasted` or `file`."""
    return tr("file") if origin == FILE else tr("pasted")
