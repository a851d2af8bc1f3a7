"""A label that never asks for more room than there is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent, QTextLayout
from PySide6.QtWidgets import QLabel, QWidget

from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip


class ElidedLabel(QLabel):
    """Shows one line that ends in … where it lacks room; the tooltip then tells the whole of it, and always the
    meaning."""

    _meaning = ""

    def explain(self, meaning: str) -> None:
        """Sets a sentence on what the words mean, for who rests the pointer on them."""
        if meaning != self._meaning:
            self._meaning = meaning
            self._update_tooltip()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def setText(self, text: str) -> None:
        """Shows this text, cut only on the screen."""
        if text != self.text():
            super().setText(text)
            self._update_tooltip()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tooltip()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            place = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
            painter.drawText(self.rect(), place, self.shown_words())

    def shown_words(self) -> str:
        """Returns as much of the words as there is room for."""
        if not self._lacks_room():
            # Qt would cut words that are wider by a fraction of a pixel, which it does not count in their width.
            return self.text()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())

    def _lacks_room(self) -> bool:
        return self.fontMetrics().horizontalAdvance(self.text()) > self.width()

    def _update_tooltip(self) -> None:
        tip = "\n".join(filter(None, (self.text() if self._lacks_room() else "", self._meaning)))
        self.setToolTip(plain_tooltip(tip) if tip else "")


class ClampedLabel(QLabel):
    """Shows its words in up to `lines` lines; the last one ends in … where they lack room, and the tooltip tells them
    all."""

    def __init__(self, parent: QWidget, lines: int) -> None:
        super().__init__(parent)
        self._most = lines
        self.setTextFormat(Qt.TextFormat.PlainText)
        # A label whose words wrap says that its height depends on its width.
        self.setWordWrap(True)

    def setText(self, text: str) -> None:
        """Shows this text, cut only on the screen."""
        super().setText(text)
        self._update_tooltip()
        self.updateGeometry()

    def heightForWidth(self, width: int) -> int:
        """Returns the pixels of the lines that the words take at this width."""
        return max(1, len(self._lines(width))) * self.fontMetrics().lineSpacing()

    def sizeHint(self) -> QSize:
        """Returns a size as narrow as is given; one line high at least."""
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Returns the size of one line."""
        return QSize(0, self.fontMetrics().lineSpacing())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tooltip()

    def paintEvent(self, event: QPaintEvent) -> None:
        metrics = self.fontMetrics()
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            lines = self._lines(self.width())
            # In a row with something higher the words stand at its middle, as those of any label do.
            top = max(0, (self.height() - len(lines) * metrics.lineSpacing()) // 2)
            for number, line in enumerate(lines):
                painter.drawText(QPointF(0, top + number * metrics.lineSpacing() + metrics.ascent()), line)

    def _lines(self, width: int) -> list[str]:
        text, found = self.text(), list[str]()
        layout = QTextLayout(text, self.font())
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width))
            start = line.textStart()
            if len(found) == self._most - 1:
                found.append(self.fontMetrics().elidedText(text[start:], Qt.TextElideMode.ElideRight, width))
                break
            found.append(text[start : start + line.textLength()].rstrip())
        layout.endLayout()
        return found

    def _update_tooltip(self) -> None:
        lines = self._lines(self.width())
        self.setToolTip(plain_tooltip(self.text()) if lines and lines[-1].endswith("…") else "")
