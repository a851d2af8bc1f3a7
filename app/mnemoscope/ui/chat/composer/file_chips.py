"""The text files that go with a message, above the text that is being written: each is a chip with a way to read it and
one to take it away."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from mnemoscope.domain.conversation.text_file import MOST_FILES, TextFile
from mnemoscope.ui.chat.composer.chip_grid import ChipGrid
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_WIDTH: Final = 216
"""Pixels that a chip has at least, where there is as much room."""
_ICON: Final = 16
_SHOWN_LINES: Final = 12
"""Lines of a file that its chip shows on hover."""
_SHOWN_WIDTH: Final = 100
"""Characters of each of them."""


class FileChips(ChipGrid[TextFile]):
    """The text files of the message in the composer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(MOST_FILES, _WIDTH, parent, least=_WIDTH // 2, fills_row=True)
        self.setAccessibleName(self.tr("Text files that go with the message"))
        theme_notifier().changed.connect(self.refill)

    def _chip(self, _number: int, file: TextFile) -> QFrame:
        chip = QFrame(self)
        set_role(chip, role="waiting")
        size = self.tr("%n lines", "", file.lines)
        chip.setAccessibleName(f"{file.name}, {size}")
        beginning = [line[:_SHOWN_WIDTH] for line in file.text.split("\n")[:_SHOWN_LINES]]
        chip.setToolTip(plain_tooltip("\n".join((file.name, self._meaning(), "", *beginning))))
        mark = QLabel(chip)
        icon = Theme.current().icon("scroll-text", "text_muted")
        mark.setPixmap(icon.pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))
        name = ElidedLabel(chip)
        name.setTextFormat(Qt.TextFormat.PlainText)
        name.setText(file.name)
        lines = QLabel(size, chip)
        set_role(lines, role="caption")
        look = square_tool(chip, self.tr("Read {name}").format(name=file.name), 24, 14, "eye")
        look.clicked.connect(partial(self._read, file))
        away = square_tool(chip, self.tr("Take {name} away").format(name=file.name), 24, 14, "x")
        away.clicked.connect(partial(self.remove, file))
        row = QHBoxLayout(chip)
        row.setContentsMargins(8, 4, 2, 4)
        row.setSpacing(8)
        row.addWidget(mark)
        row.addWidget(name, 1)
        row.addWidget(lines)
        row.addWidget(look)
        row.addWidget(away)
        return chip

    def _read(self, file: TextFile) -> None:
        TextDialog(file.name, file.text, self.window()).open()

    def _meaning(self) -> str:
        return self.tr("Sent as quoted text, not taken for your own words")


class TextDialog(Dialog):
    """Shows one text to be read, scrolled and copied from, with the cursor at its beginning; Esc closes it. `name` is
    its title."""

    def __init__(self, name: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        # Read-only, it would have no cursor to walk with.
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.text.setTabChangesFocus(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(name)
        self.text.setPlainText(text)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(self.text)
        self.resize(680, 560)
