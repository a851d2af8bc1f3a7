"""Beside each line of the source, who wrote it and when: one line of words where another hand begins, and a bar."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from mnemoscope.ui.memory.blame.line_owners import LineOwners
from mnemoscope.ui.memory.versions.version_words import brief_words
from mnemoscope.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor

_BAR: Final = 3
_LEFT: Final = 8
_NARROW: Final = 352
"""Pixels of the usual text size: the pane's width in a window of 1024."""
_ROOMY: Final = 560
"""Width from which a name and a date have room beside the text."""
_BARS: Final = {
    "You": "accent",
    "Outside": "warning",
    "Consolidation": "pointer",
    "Dream": "pointer",
}


class BlameGutter(QWidget):
    """Paints the lines in sight. `pointed` carries the line the mouse rests over, -1 for none; `chosen` one clicked."""

    pointed = Signal(int)
    chosen = Signal(int)

    def __init__(self, editor: MemoryEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._now = datetime.now()
        self.owners = LineOwners()
        self.unsaved = False
        """Whether lines that are in no version are not in the file either."""
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_owners(self, owners: LineOwners, *, unsaved: bool) -> None:
        """Show who wrote which line."""
        self.owners, self.unsaved, self._now = owners, unsaved, datetime.now()
        self.update()

    def wanted_width(self) -> int:
        """Pixels that a name and a date need; one of them alone in an editor that has not the room."""
        widest = self.tr("30 Nov") if self._is_narrow() else self.tr("messages 100–139")
        if self._editor.width() >= Theme.current().scaled(_ROOMY):
            widest = self.tr("messages 100–139 · 30 Nov")
        return _LEFT + QFontMetrics(self._font()).horizontalAdvance(widest)

    def follow(self, area: QRect, dy: int) -> None:
        """The editor's viewport was scrolled by `dy` or wants `area` painted again."""
        if dy:
            # Whose words stand on top changes with what is on top.
            self.update()
        else:
            self.update(0, area.y(), self.width(), area.height())

    def sizeHint(self) -> QSize:
        return QSize(self.wanted_width(), 0)

    def words(self, line: int) -> str:
        """What stands beside a line."""
        commit = self.owners.owner(line)
        if commit is None:
            return self.tr("not saved") if self.unsaved else "…"
        words = brief_words(commit, self._now)
        source, _, day = words.rpartition(" · ")
        if self._is_narrow():
            return day
        fits = QFontMetrics(self._font()).horizontalAdvance(words) <= self.wanted_width() - _LEFT
        return words if fits else source

    def line_at(self, y: float) -> int:
        """The line at a height, -1 for none."""
        for block, place in self._editor.visible_blocks():
            if place.top() <= y < place.bottom():
                return block.blockNumber()
        return -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self.line_at(event.position().y()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(self.line_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(-1)
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Theme.current()
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.color("surface"))
            painter.setFont(self._font())
            first, height = True, self._editor.fontMetrics().lineSpacing()
            for block, place in self._editor.visible_blocks():
                line = block.blockNumber()
                commit = self.owners.owner(line)
                role = _BARS.get(commit.author, "text_faint") if commit else "warning"
                bar = QRectF(0, place.top(), _BAR, place.height())
                if commit is not None or self.unsaved:
                    painter.fillRect(bar, theme.color(role))
                if first or self.owners.begins_run(line):
                    painter.setPen(theme.color(role if role in {"pointer", "warning"} else "text_muted"))
                    room = QRectF(_LEFT, place.top(), self.width() - _LEFT, height)
                    words = painter.fontMetrics().elidedText(
                        self.words(line), Qt.TextElideMode.ElideRight, int(room.width())
                    )
                    painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
                first = False

    def _is_narrow(self) -> bool:
        """Whether words of whose it is would leave the text itself too little room."""
        return 0 < self._editor.width() < Theme.current().scaled(_NARROW)

    def _font(self) -> QFont:
        return Theme.current().font("caption")
