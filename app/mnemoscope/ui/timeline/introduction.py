"""The first thing a new person is shown: three sentences that point at the pointer's line, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from mnemoscope.domain.timeline.rows import RowKind
from mnemoscope.ui.timeline.timeline_view import TimelineView
from mnemoscope.ui.timeline.timeline_words import tr
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role

_COMMANDS: Final = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_ARROW: Final = 10
_SIDE: Final = 16
_WIDEST: Final = 420
_NEAR: Final = 6
"""Pixels by which the arrow reaches into the row of the line."""
_LOWEST: Final = 280
"""Pixels that the timeline has to be high, so that the card hides neither the line nor all of the rows."""


class Introduction(QFrame):
    """Draws a card over the timeline whose arrow points at the pointer's line; it goes with its button or Esc.

    It takes the keyboard, so that it can be left by keys. Whoever is typing loses nothing by that: the first letter has
    the card go, and it and all others reach the field that had the keyboard before.
    """

    manual_page: ClassVar = "first-steps"

    def __init__(self, view: TimelineView) -> None:
        super().__init__(view)
        leave_at_escape(self, self.close)
        self._view = view
        self._points_up = True
        self._focused_before: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(tr("The line of memory"))
        self.sentences = (
            tr("What stands above this line is in memory already."),
            tr("What stands below it is sent to the model as it was said, until it is consolidated."),
            tr("Memory is a text: read it in the Memory pane, correct it, and undo what you do not want."),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, _SIDE + _ARROW, _SIDE, _SIDE + _ARROW)
        column.setSpacing(8)
        for at, sentence in enumerate(self.sentences):
            label = plain_label(self, "heading" if at == 0 else "muted", sentence)
            column.addWidget(label)
        self.button = QPushButton(tr("Got it"), self)
        set_role(self.button, kind="primary")
        self.button.clicked.connect(self.close)
        self.button.installEventFilter(self)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignRight)
        self.setAccessibleDescription(" ".join(self.sentences))
        view.verticalScrollBar().valueChanged.connect(self._place)
        view.viewport().installEventFilter(self)
        view.model.replaced.connect(self._follow)

    @classmethod
    def point_once_possible(cls, view: TimelineView, pointed: Callable[[], object]) -> None:
        """Points at the pointer's line as soon as there is one with room for the card, then calls `pointed`."""

        def point() -> None:
            if cls.can_point(view):
                view.model.replaced.disconnect(point)
                pointed()
                cls(view).point()

        view.model.replaced.connect(point)
        point()

    @staticmethod
    def can_point(view: TimelineView) -> bool:
        """Returns whether there is a pointer to point at, with room for the card."""
        return bool(view.isVisible() and view.model.pointer and view.height() >= _LOWEST)

    def point(self) -> None:
        """Brings the pointer's line into sight, stands beside it, and takes the keyboard."""
        self._stand_at_line()
        self.show()
        self.raise_()
        focused = self.window().focusWidget()
        if focused is not self.button:
            self._focused_before = focused
        self.button.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        before = self._focused_before
        if before is not None and isValid(before) and self.window().focusWidget() is self.button:
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        super().closeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        elif watched is self.button and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._hand_on(event)
        return super().eventFilter(watched, event)

    def _hand_on(self, event: QKeyEvent) -> bool:
        """Returns whether a key was a letter, which then went to what had the keyboard before."""
        letter = event.text().strip()
        if not letter.isprintable() or not letter or event.modifiers() & _COMMANDS:
            return False
        self.close()
        focused = self.window().focusWidget()
        if focused is not None:
            QCoreApplication.sendEvent(focused, event)
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Theme.current()
        body = QRectF(self.rect()).adjusted(1, _ARROW, -1, -_ARROW)
        shape = QPainterPath()
        shape.addRoundedRect(body, 10, 10)
        middle = 40.0
        edge, tip = (body.top(), 1.0) if self._points_up else (body.bottom(), self.height() - 1.0)
        arrow = QPainterPath(QPointF(middle - _ARROW, edge))
        arrow.lineTo(QPointF(middle, tip))
        arrow.lineTo(QPointF(middle + _ARROW, edge))
        arrow.closeSubpath()
        shape = shape.united(arrow)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("pointer"), 2))
            painter.setBrush(theme.color("overlay"))
            painter.drawPath(shape)

    def _follow(self) -> None:
        """Stands at the line of another conversation, or goes where there is none."""
        if self._view.model.pointer:
            self._stand_at_line()
        else:
            self.close()

    def _stand_at_line(self) -> None:
        self._view.scrolling.to_pointer()
        self._place()

    def _place(self) -> None:
        viewport = self._view.viewport().geometry()
        width = min(_WIDEST, viewport.width() - _SIDE)
        height = max(self.heightForWidth(width), self.minimumSizeHint().height())
        line = self._line()
        below = line.bottom() - _NEAR
        self._points_up = below + height <= viewport.height() or line.top() < height
        top = below if self._points_up else line.top() - height + _NEAR
        self.setGeometry(QRect(QPoint(viewport.left() + _SIDE // 2, viewport.top() + top), self.size()))
        self.resize(width, height)
        self.update()

    def _line(self) -> QRect:
        """Returns where the pointer's line is drawn in the viewport: among the rows, or pinned at an edge."""
        scroll = self._view.scrolling.top
        pinned = self._view.scene.pinned(scroll)
        if pinned is not None:
            return pinned[0]
        rows = self._view.scene.in_sight(scroll)
        return next((rect for _, row, rect in rows if row.kind is RowKind.POINTER), QRect())
