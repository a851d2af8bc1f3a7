"""Labels and boxes that show text as it is: none of it is read as markup."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from mnemoscope.ui.widgets.theme import set_role

_MARGIN = 8


def plain_label(parent: QWidget, role: str = "", words: str = "") -> QLabel:
    """Returns a label whose lines are broken where there is no room."""
    label = QLabel(words, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    set_role(label, role=role)
    return label


def plain_box(parent: QWidget, name: str) -> QPlainTextEdit:
    """Returns a card of text that is read, scrolled and copied; `name` is what a screen reader calls it."""
    box = QPlainTextEdit(parent)
    box.setReadOnly(True)
    box.setTabChangesFocus(True)
    box.setAccessibleName(name)
    box.document().setDocumentMargin(_MARGIN)
    set_role(box, role="card")
    return box
