"""What is said when another program took messages away from the conversation on show."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.events import MessagesLost


def loss_words(event: MessagesLost) -> tuple[str, str]:
    """The level of the bar, and what happened and what is safe."""
    if event.kind == "begun":
        return "info", _tr("Another program began this conversation anew.")
    safe = _tr("The history log and the memory were not touched.")
    if event.kind == "removed":
        words = _tr("Another program removed the file of this conversation, which held {known} messages.")
        safe += " " + _tr("Your next message begins a new file.")
    elif event.kind == "shortened":
        words = _tr("Another program shortened the file of this conversation: {left} of {known} messages are left.")
    else:
        words = _tr("Another program replaced the messages of this conversation. What its file holds now is shown.")
    return "warning", words.format(known=f"{event.known:,}", left=f"{event.left:,}") + " " + safe


def _tr(text: str) -> str:
    return QCoreApplication.translate("ConversationController", text)
