"""A question to the person that never stops the loop: a sheet shown with `open()` and awaited as a future."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme, set_role

_WIDTH: Final = 480


async def ask(
    parent: QWidget,
    title: str,
    sentence: str,
    choices: Sequence[tuple[str, str]],
    *,
    default: str = "",
    why: str = "",
    below: QWidget | None = None,
    closed: Mapping[str, str] | None = None,
) -> str:
    """Asks and returns the id of the choice, or "" for Esc.

    `choices` are `(id, label)`; a way out has the id "". Enter chooses `default`, the first unless named. `why` is what
    only the curious want to know, shown when the pointer rests on the sentence. `below` stands under the sentence, and
    goes with the sheet. `closed`: choices that cannot be made now, each with the reason, which is said as well.
    """
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    closed = closed or {}
    default = default or next(name for name, _label in choices if name not in closed)
    sheet = Question(parent, title, sentence, choices, default, below, closed)
    sheet.words.setToolTip(plain_tooltip(core_words(why)))

    def answered(_code: int) -> None:
        if not answer.done():
            answer.set_result(sheet.chosen)

    sheet.finished.connect(answered)
    sheet.open()
    try:
        return await answer
    finally:
        sheet.deleteLater()


class Question(Dialog):
    """Shows title, sentence, a button for each choice, what Enter does last; `chosen` is the id that was pressed."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        sentence: str,
        choices: Sequence[tuple[str, str]],
        default: str,
        below: QWidget | None = None,
        closed: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.chosen, self._closed = "", closed or {}
        heading = QLabel(title, self)
        self.words = QLabel(core_words(sentence), self)
        reasons = [QLabel(reason, self) for reason in self._closed.values()]
        for label in (heading, self.words, *reasons):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        set_role(heading, role="lead")
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        # A way out first, what Enter does last.
        ordered = [*choices[::-1]]
        ordered.sort(key=lambda choice: choice[0] == default)
        for name, label_text in ordered:
            buttons.addWidget(self._button(name, label_text, first=name == default))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addWidget(heading)
        column.addWidget(self.words)
        if below is not None:
            column.addWidget(below)
        for label in reasons:
            set_role(label, role="muted")
            column.addWidget(label)
        column.addSpacing(8)
        column.addLayout(buttons)
        self._fit(column)

    def _fit(self, column: QVBoxLayout) -> None:
        """Makes it as high as its words need at its width: Qt would cut the width on a small screen, and then text."""
        width = max(Theme.current().scaled(_WIDTH), column.minimumSize().width())
        self.setMinimumSize(width, column.heightForWidth(width))
        self.resize(self.minimumSize())

    def _button(self, name: str, text: str, *, first: bool) -> QPushButton:
        button = QPushButton(text, self)
        button.setDefault(first)
        button.setDisabled(name in self._closed)
        button.setToolTip(plain_tooltip(self._closed.get(name, "")))
        button.setAccessibleDescription(self._closed.get(name, ""))
        if first:
            set_role(button, kind="primary")
            # Enter presses the button that has the keyboard, which else is the one made first.
            button.setFocus()
        button.clicked.connect(lambda: self._choose(name))
        return button

    def _choose(self, name: str) -> None:
        self.chosen = name
        self.accept()
