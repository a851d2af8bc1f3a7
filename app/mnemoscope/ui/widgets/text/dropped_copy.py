"""Copies what is dropped from another program: it stays where it was, whatever that program proposed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent


def copy_from_elsewhere(event: QDropEvent) -> None:
    """Answers a drag that was taken: a program that is told of a move takes its text out, or its file away."""
    is_offered = bool(event.possibleActions() & Qt.DropAction.CopyAction)
    if event.source() is None and event.isAccepted() and is_offered:
        event.setDropAction(Qt.DropAction.CopyAction)
