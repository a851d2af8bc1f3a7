"""Line numbers beside the source, quiet but for the caret's line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from mnemoscope.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor

_LEFT: Final = 8
_RIGHT: Final = 6


class LineGutter(QWidget):
    """Paints the numbers of the lines in sight of its editor."""

    def __init__(self, editor: MemoryEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def wanted_width(self) -> int:
        """Pixels that the longest number needs, at least two digits so that a tenth line shifts nothing."""
        digits = max(2, len(str(self._editor.blockCount())))
        return _LEFT + QFontMetrics(self._font()).horizontalAdvance("0" * digits) + _RIGHT

    def follow(self, area: QRect, dy: int) -> None:
        """The editor's viewport was scrolled by `dy` or wants `area` painted again."""
        if dy:
            self.scroll(0, dy)
        else:
            self.update(0, area.y(), self.width(), area.height())

    def sizeHint(self) -> QSize:
        return QSize(self.wanted_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Theme.current()
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.color("surface"))
            painter.setFont(self._font())
            caret = self._editor.caret_line()
            height = self._editor.fontMetrics().lineSpacing()
            for block, place in self._editor.visible_blocks():
                number = block.blockNumber()
                painter.setPen(theme.color("text" if number == caret else "text_faint"))
                line = QRectF(0, place.top(), self.width() - _RIGHT, height)
                painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1))

    def _font(self) -> QFont:
        font = Theme.current().font("code")
        font.setPointSizeF(font.pointSizeF() * 0.9)
        return font
