"""A card with a shadow that floats over a window, in its middle near the top, until Escape or a click elsewhere.

It is a child that covers the window, no window of its own: so it looks the same where nothing blends windows.
"""

from __future__ import annotations

from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsDropShadowEffect,
    QMenuBar,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from mnemoscope.ui.widgets.accessibility.tab_order import takes_tab
from mnemoscope.ui.widgets.theme import Theme, set_role

TOP: Final = 72
"""Pixels between the window's upper edge and the card's."""

_SHADOW: Final = 110


class FloatingSheet(QWidget):
    """Holds what it is given in a column; its height is theirs. While it is shown it lies above all panes and has the
    keyboard: where a command of the window gives that to another part, it goes."""

    _shown: ClassVar[list[FloatingSheet]] = []
    """The sheets that are shown, in all windows, the uppermost last. A window asked for its children would give each
    of Qt's own parts in it a wrapper, which outlives the part and is then taken for what is at its place."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._card = QFrame(self)
        self._outer = QVBoxLayout(self)
        self._widest, self._margin = 0, 0
        self._before: QWidget | None = None
        self._held: QWidget | None = None
        """The part of the sheet that had the keyboard last."""
        self._floating: list[tuple[QWidget, QRect]] = []
        """Panes in windows of their own that are away while the sheet is there: they would lie over it."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_keyboard)
        self.hide()

    def hold(self, *parts: QWidget, below: int) -> None:
        """Puts these on the card, from the top, with so many pixels of it below them."""
        set_role(self._card, role="sheet")
        shadow = QGraphicsDropShadowEffect(self._card)
        shadow.setBlurRadius(24)
        shadow.setOffset(0, 6)
        shadow.setColor(QColor(0, 0, 0, _SHADOW))  # Qt's own grey would glow on a dark window
        self._card.setGraphicsEffect(shadow)
        inner = QVBoxLayout(self._card)
        inner.setContentsMargins(12, 12, 12, below)
        for part in parts:
            inner.addWidget(part)
        self._outer.addWidget(self._card)
        self._outer.addStretch(1)

    def float_over(self, first: QWidget, widest: int, margin: int) -> None:
        """Shows it with the keyboard in `first`, at most so wide, and with so much of the window left at both sides."""
        self._widest, self._margin = widest, margin
        if not self.isVisible():
            self._before = self._window.focusWidget()
            self._window.installEventFilter(self)
            self._send_floating_away()
        FloatingSheet._shown = [each for each in FloatingSheet._shown if each is not self and isValid(each)] + [self]
        self._place()
        self.raise_()
        self.show()
        # It may have been asked for in a pane that floats in a window of its own.
        self._window.activateWindow()
        first.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the size of the window, and stays above what is laid out anew in it."""
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._place()
        elif watched is self._window and event.type() == QEvent.Type.LayoutRequest:
            self._stay_above()
        return super().eventFilter(watched, event)

    def leave(self, held: QWidget | None) -> None:
        """Hides the sheet, from which a command took the keyboard: it stays where it is now. `held` had it before."""
        del held
        self._before = None
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hides the sheet at Escape; no other key goes on to the window."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Hides the sheet at a click beside the card."""
        if not self._card.geometry().contains(event.position().toPoint()):
            self.hide()

    def hideEvent(self, event: QHideEvent) -> None:
        """Gives the keyboard back to where it was."""
        super().hideEvent(event)
        if event.spontaneous() or not isValid(self._window):
            return  # It comes back with its window, or goes with it.
        FloatingSheet._shown = [each for each in FloatingSheet._shown if each is not self]
        self._window.removeEventFilter(self)
        self._bring_floating_back()
        before, self._before = self._before, None
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keeps Tab within the sheet: behind its last part comes its first."""
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        here = self._window.focusWidget() or self
        part = here.nextInFocusChain() if forward else here.previousInFocusChain()
        while part is not None and part is not here:
            if self.isAncestorOf(part) and part.isVisible() and part.isEnabled() and takes_tab(part):
                part.setFocus(reason)
                break
            part = part.nextInFocusChain() if forward else part.previousInFocusChain()
        return True

    def _on_keyboard(self, _before: QWidget | None, now: QWidget | None) -> None:
        if not self.isVisible():
            return
        if now is not None and self.isAncestorOf(now):
            self._held = now
        # What the command still does with the panes is waited for.
        QTimer.singleShot(0, self, self._follow_keyboard)

    def _follow_keyboard(self) -> None:
        if not self.isVisible():
            return
        self._stay_above()
        now = QApplication.focusWidget()
        if now is None or now.window() is not self._window or isinstance(now, QMenuBar):
            return  # Another window, or none, is in front; or a menu, which gives the keyboard back.
        if not any(each is now or each.isAncestorOf(now) for each in self._sheets()):
            self.leave(self._held if self._held is not None and isValid(self._held) else None)

    def _stay_above(self) -> None:
        """Raises the sheets in their order: a pane may have been raised above one of them."""
        for each in self._sheets():
            each.raise_()

    def _sheets(self) -> list[FloatingSheet]:
        """Returns the sheets that are shown over the window, the uppermost last."""
        shown = (each for each in FloatingSheet._shown if isValid(each))
        return [each for each in shown if each._window is self._window and each.isVisible()]

    def _send_floating_away(self) -> None:
        tools = (one for one in QApplication.topLevelWidgets() if one.parentWidget() is self._window and _floats(one))
        over = [one for one in tools if one.frameGeometry().intersects(self._window.frameGeometry())]
        self._floating = [(pane, pane.geometry()) for pane in over]
        for pane in over:
            pane.hide()

    def _bring_floating_back(self) -> None:
        panes, self._floating = self._floating, []
        for pane, place in panes:
            if isValid(pane):
                # The keyboard goes back to where it was.
                pane.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
                pane.show()
                # A system that puts a frame around it may put it elsewhere by the width of that.
                pane.setGeometry(place)
                pane.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)

    def _place(self) -> None:
        self.setGeometry(self._window.rect())
        width = min(self._widest, self.width() - self._margin)
        side = (self.width() - width) // 2
        self._outer.setContentsMargins(side, TOP, self.width() - width - side, 0)
        self._outer.activate()


def paint_chosen(painter: QPainter, option: QStyleOptionViewItem) -> None:
    """Paints the ground of a row of a sheet's list where it is the one that Enter chooses, and else nothing."""
    if option.state & QStyle.StateFlag.State_Selected:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Theme.current().color("accent_soft"))
        painter.drawRoundedRect(option.rect.adjusted(4, 1, -4, -1), 6, 6)


def _floats(widget: QWidget) -> bool:
    """Returns whether a child of the window is one that lies over it: a pane out of its dock, but no dialog."""
    return widget.isWindow() and widget.isVisible() and widget.windowType() == Qt.WindowType.Tool
