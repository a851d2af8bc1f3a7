"""Labels and boxes that show text as it is: none of it is read as markup."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from mnemoscope.ui.widgets.theme import set_role

_MARGIN = 8
_LONG_WORD: Final = re.compile(r"\S{33,}")
_PIECE: Final = re.compile(r"\S{16}(?=\S)")


def breakable(text: str) -> str:
    """Returns a text in which a line can end within a long word, such as a path or a hash: as a whole it would make a
    label as wide as it is."""
    return _LONG_WORD.sub(lambda word: _PIECE.sub(lambda piece: piece[0] + "\u200b", word[0]), text)


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
