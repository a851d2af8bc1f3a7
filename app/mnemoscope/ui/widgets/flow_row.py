"""Buttons side by side, in as many lines as their room asks for: a row never asks for more than its widest part."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class FlowRow(QWidget):
    """Holds what is added from left to right, and begins another line where the width is used up."""

    def __init__(self, parent: QWidget, spacing: int = 4) -> None:
        super().__init__(parent)
        self._spacing = spacing
        self._parts: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, part: QWidget) -> None:
        """One more at the end."""
        part.setParent(self)
        part.show()
        self._parts.append(part)
        self.updateGeometry()

    def heightForWidth(self, width: int) -> int:
        """Pixels that all lines take."""
        return max((place.bottom() + 1 for _, place in self._places(width)), default=0)

    def sizeHint(self) -> QSize:
        """All in one line."""
        widths = [part.sizeHint().width() + self._spacing for part in self._parts]
        width = max(0, sum(widths) - self._spacing)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """One below the other; the height is for the width that there is."""
        widest = max((part.sizeHint().width() for part in self._parts), default=0)
        return QSize(widest, self.heightForWidth(max(widest, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for part, place in self._places(self.width()):
            part.setGeometry(place)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _places(self, width: int) -> Iterator[tuple[QWidget, QRect]]:
        left = top = line = 0
        for part in self._parts:
            size = part.sizeHint()
            if left and left + size.width() > width:
                left, top, line = 0, top + line, 0
            yield part, QRect(left, top, size.width(), size.height())
            left, line = left + size.width() + self._spacing, max(line, size.height())
