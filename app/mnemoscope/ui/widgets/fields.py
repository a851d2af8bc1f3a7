"""Fields that the mouse wheel never changes: it scrolls what they stand in, and gives them no keyboard either.

Qt lets a field under the pointer take the wheel, with or without the keyboard, so a person who scrolls past the
settings changes them. Every field of the window is one of these; those that Qt itself makes, such as the tabs of docks,
are given to `let_wheel_pass` where they are met.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDateEdit,
    QDateTimeEdit,
    QDoubleSpinBox,
    QScrollBar,
    QSlider,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QTabBar,
    QTabWidget,
    QWidget,
)

_AROUND = 2
"""Pixels that a style leaves free around the words of a choice."""
_NUMBER_MARGIN = 8
"""Pixels before a number."""


class ComboBox(QComboBox):
    """Offers a list of choices; its open list scrolls as ever."""

    _fill: Callable[[], None] | None = None
    """Fills the list once it is closed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The style sheet gives its rows room; what Qt paints them with otherwise does not look there.
        self.setItemDelegate(QStyledItemDelegate(self))
        let_wheel_pass(self)

    def fill_when_closed(self, fill: Callable[[], None]) -> None:
        """Calls what fills the list anew: now, or when the list that is open is closed. Until then its rows stay where
        they are, below the pointer too. Of several calls meanwhile the last one counts."""
        popup = self.view().parentWidget()
        if popup is None or not popup.isVisible():
            fill()
            return
        if self._fill is None:
            popup.installEventFilter(self)
        self._fill = fill

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fills the list that was closed: after the row is taken that was chosen from it."""
        if event.type() == QEvent.Type.Hide and self._fill is not None:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self._fill_now)
        return super().eventFilter(watched, event)

    def _fill_now(self) -> None:
        fill, self._fill = self._fill, None
        if fill is not None:
            self.fill_when_closed(fill)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Gives the style the words of the choice as far as there is room for them: Qt cuts them within a letter."""
        super().initStyleOption(option)
        place = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, place, self)
        option.currentText = self.fontMetrics().elidedText(
            option.currentText,
            Qt.TextElideMode.ElideRight,
            room.width() - _AROUND,
        )


class SpinBox(QSpinBox):
    """Takes a number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lineEdit().setTextMargins(_NUMBER_MARGIN, 0, 0, 0)
        let_wheel_pass(self)


class DoubleSpinBox(QDoubleSpinBox):
    """Takes a number with places behind the point."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lineEdit().setTextMargins(_NUMBER_MARGIN, 0, 0, 0)
        let_wheel_pass(self)


class DateEdit(QDateEdit):
    """Takes a day. Its parts are gone through with Left and Right: Tab leaves it at once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        let_wheel_pass(self)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return QWidget.focusNextPrevChild(self, forward)


class DateTimeEdit(QDateTimeEdit):
    """Takes a moment. Its parts are gone through with Left and Right: Tab leaves it at once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        let_wheel_pass(self)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return QWidget.focusNextPrevChild(self, forward)


class Slider(QSlider):
    """Takes a place on a scale."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        let_wheel_pass(self)


class TabBar(QTabBar):
    """Shows tabs that are chosen by a click or a key."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        let_wheel_pass(self)


class TabWidget(QTabWidget):
    """Shows pages with tabs that are chosen by a click or a key."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        let_wheel_pass(self.tabBar())
        # The tabs take the keyboard themselves: Tab that meets a proxy after its child is sent back there for ever. As
        # long as they are the proxy, a policy is not set here but for them.
        self.setFocusProxy(None)  # type: ignore[arg-type]  # it may be None, whatever its stub says
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)


def is_field(widget: QObject) -> bool:
    """Returns whether the wheel would change what this widget says."""
    fields = (QComboBox, QAbstractSpinBox, QAbstractSlider, QTabBar)
    return isinstance(widget, fields) and not isinstance(widget, QScrollBar)


def let_wheel_pass(field: QWidget) -> None:
    """Has a field leave the wheel to what it stands in, and take the keyboard by a click or a key alone."""
    if field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(_passing())


class _Passing(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel:
            return False
        # Not accepted, it goes on to the parent.
        event.ignore()
        return True


@cache
def _passing() -> _Passing:
    return _Passing()
