"""The text files that go with a message, above the text that is being written: each is a chip with a way to read it and
one to take it away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QWidget

from mnemoscope.domain.conversation.text_file import MOST_FILES, TextFile
from mnemoscope.ui.widgets.dialogs.text_dialog import TextDialog
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_WIDTH: Final = 216
"""Pixels that a chip has at least, where there is as much room."""
_GAP: Final = 8
_ICON: Final = 16
_SHOWN_LINES: Final = 12
"""Lines of a file that its chip shows on hover."""
_SHOWN_WIDTH: Final = 100
"""Characters of each of them."""


class FileChips(QWidget):
    """Hidden while no text file goes with the message."""

    changed = Signal()
    """A file was added or taken away, or has another text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.files: tuple[TextFile, ...] = ()
        self._chips: list[QFrame] = []
        self._columns = 1
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        self.setAccessibleName(self.tr("Text files that go with the message"))
        theme_notifier().changed.connect(self._refill)
        self.hide()

    def show_files(self, files: Sequence[TextFile]) -> None:
        """Shows these in place of those before."""
        if tuple(files) == self.files:
            return
        self.files = tuple(files[:MOST_FILES])
        self._refill()
        self.changed.emit()

    def add(self, file: TextFile) -> bool:
        """Adds a file, unless it is there as it is; returns whether there was room for it."""
        if file in self.files:
            return True
        if len(self.files) >= MOST_FILES:
            return False
        self.show_files((*self.files, file))
        return True

    def remove(self, file: TextFile) -> None:
        """Takes a file away from the message."""
        self.show_files(tuple(each for each in self.files if each != file))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = max(1, (event.size().width() + _GAP) // (_WIDTH + _GAP))
        if columns != self._columns:
            self._columns = columns
            self._place()

    def minimumSizeHint(self) -> QSize:
        """Returns a size as wide as a short chip: what does not fit beside it goes below."""
        return QSize(_WIDTH // 2, super().minimumSizeHint().height())

    def _refill(self) -> None:
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        self._chips = [self._chip(file) for file in self.files]
        self._place()
        self.setVisible(bool(self.files))

    def _place(self) -> None:
        """Puts the chips side by side. They stay the same, so that whoever is at one by key stays there."""
        while self._grid.takeAt(0) is not None:
            pass
        for at, chip in enumerate(self._chips):
            self._grid.addWidget(chip, at // self._columns, at % self._columns)
        for column in range(MOST_FILES):
            self._grid.setColumnStretch(column, int(column < self._columns))

    def _chip(self, file: TextFile) -> QFrame:
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
