"""Lets a pane be lower than its parts need: it is scrolled then, and neither cut nor does it make the window grow."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

_LEAST: Final = 192
"""Pixels of height that a pane has at least, however much it needs."""
_WIDTH: Final = 280
"""Pixels of width that are kept for a pane which is not built yet."""


class PaneScroll(QScrollArea):
    """Holds one pane and keeps in sight what has the keyboard."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._asked: tuple[QSize, QSize] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)

    def hold(self, pane: QWidget) -> None:
        """Takes the pane, which was made within the viewport, and shows it."""
        self.setWidget(pane)
        # Qt has it fill its background: what lies below it would count as out of sight, its dock too.
        pane.setAutoFillBackground(False)
        self._fit()

    @property
    def pane(self) -> QWidget:
        """Returns the pane."""
        return self.widget() or self.viewport()

    def sizeHint(self) -> QSize:
        """Returns the size that the pane would like."""
        return self.pane.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Returns the pane's least width, with room for the bar beside it where it is scrolled, and a small height."""
        needed = least_of(self.pane) if self.widget() is not None else QSize(_WIDTH, 2 * _LEAST)
        bar = self.verticalScrollBar().sizeHint().width() if needed.height() > _LEAST else 0
        return QSize(needed.width() + bar, min(needed.height(), _LEAST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows a pane that needs more or less than before."""
        if watched is self.pane and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
            asked = self.sizeHint(), self.minimumSizeHint()
            if asked != self._asked:
                # The whole window is laid out for it.
                self._asked = asked
                self.updateGeometry()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Gives the pane all the room, or where that is less the height it needs. Qt would give it the height that its
        parts would like, and scroll for that."""
        room = self.viewport().size()
        self.pane.resize(room.expandedTo(QSize(0, least_of(self.pane).height())))

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.verticalScrollBar().maximum() and self.isAncestorOf(now):
            self.ensureWidgetVisible(now, 0, 8)


def least_of(widget: QWidget) -> QSize:
    """Returns the smallest size of a widget: what it was set to, else what it needs."""
    hint, fixed = widget.minimumSizeHint(), widget.minimumSize()
    return QSize(fixed.width() or hint.width(), fixed.height() or hint.height())
