"""The inspector's docks: they can be moved, tabbed, floated and closed, and come back as they were."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QByteArray, QObject, QSize, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QLabel, QMainWindow, QSizePolicy, QToolButton, QWidget
from shiboken6 import isValid

from mnemoscope.ui.widgets.screen_fit import stay_on_screen
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

WIDE = 1240
"""From this width on the timeline has a column of its own."""
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea


class CountingHeader(Protocol):
    """Says in words how many things its pane holds."""

    counted: SignalInstance


@runtime_checkable
class CountingPane(Protocol):
    """A pane whose title and count a dock can show in its stead."""

    header: CountingHeader

    def set_title_visible(self, visible: bool) -> None:
        """Show the pane's own title and count, or leave both to the dock."""
        ...


class DockTitle(QFrame):
    """A slim title that leaves dragging to the dock and offers float and close."""

    closed = Signal()
    """The person closed the dock."""

    def __init__(self, dock: QDockWidget, title: str) -> None:
        super().__init__(dock)
        set_role(self, role="header")
        self._dock = dock
        self._away = False
        label = QLabel(title, self)
        set_role(label, role="heading")
        self._detail = QLabel(self)
        self._detail.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._detail, role="caption")
        self._float = self._button(self.tr("Float or dock"), lambda: dock.setFloating(not dock.isFloating()))
        self._close = self._button(self.tr("Close"), self._close_dock)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.setSpacing(2)
        row.addWidget(label)
        row.addSpacing(6)
        row.addWidget(self._detail, 1)
        row.addWidget(self._float)
        row.addWidget(self._close)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def show_detail(self, words: str) -> None:
        """Shows a few quiet words beside the title, such as a count."""
        self._detail.setText(words)

    def fold(self, *, away: bool) -> None:
        """Take no room at all, or show again."""
        self._away = away
        for child in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            child.setVisible(not away)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Returns the title's height; nothing while folded away."""
        return QSize(0, 0) if self._away else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        """As `sizeHint`."""
        return QSize(0, 0) if self._away else super().minimumSizeHint()

    def _close_dock(self) -> None:
        self._dock.close()
        self.closed.emit()

    def _button(self, name: str, handler: object) -> QToolButton:
        button = square_tool(self, name, 24, 16)
        button.setAccessibleName(f"{name}: {self._dock.windowTitle()}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(handler)
        return button

    def _restyle(self) -> None:
        self._float.setIcon(Theme.current().icon("external-link", "text_faint"))
        self._close.setIcon(Theme.current().icon("x", "text_faint"))


class Inspector(QObject):
    """The docks at the right of a window and their arrangement for wide and narrow windows."""

    def __init__(self, window: QMainWindow, panes: dict[str, tuple[str, QWidget]]) -> None:
        super().__init__(window)
        self._window = window
        self._arranging = False
        self.customised = False
        self.docks = {name: self._make(name, title, pane) for name, (title, pane) in panes.items()}
        self._wide: bool | None = None

    def arrange(self, width: int, *, anew: bool = False) -> None:
        """Lay the docks out for a window of this width, unless a person arranged them."""
        wide = width >= WIDE
        if (self.customised or self._wide == wide) and not anew:
            return
        self._wide, self._arranging = wide, True
        held = self._window.focusWidget()
        if anew:
            self.customised = False
        for dock in self.docks.values():
            dock.setFloating(False)
            self._window.addDockWidget(_RIGHT, dock)
            dock.show()
        self._arrange_wide(width) if wide else self._arrange_narrow()
        self._arranging = False
        if held is not None:
            self._give_back(held)

    def _give_back(self, held: QWidget) -> None:
        """Gives the keyboard back to what had it, in front of the panes it is tabbed with."""
        dock = next((dock for dock in self.docks.values() if dock.isAncestorOf(held)), None)
        if dock is not None:
            dock.raise_()
        held.setFocus()

    def show(self, name: str) -> QDockWidget:
        """Bring one dock to the front and give it the keyboard."""
        dock = self.docks[name]
        dock.show()
        dock.raise_()
        dock.widget().setFocus(Qt.FocusReason.ShortcutFocusReason)
        return dock

    def resize(self, docks: Sequence[QDockWidget], widths: Sequence[int]) -> None:
        """Give docks side by side these widths."""
        self._window.resizeDocks(docks, widths, Qt.Orientation.Horizontal)

    def save(self) -> QByteArray:
        """Returns the arrangement as bytes."""
        return self._window.saveState(1)

    def restore(self, state: QByteArray) -> bool:
        """Arrange as saved; False where the bytes are not understood."""
        self._arranging = True
        done = bool(self._window.restoreState(state, 1))
        self._arranging = False
        self.customised = self.customised or done
        self.settle_titles()
        return done

    def settle_titles(self) -> None:
        """Has a dock among tabs show its name in the tab only."""
        for dock in self.docks.values():
            tabbed = bool(self._window.tabifiedDockWidgets(dock)) and not dock.isFloating()
            title = dock.titleBarWidget()
            if isinstance(title, DockTitle):
                title.fold(away=tabbed)
            pane = dock.widget()
            if isinstance(pane, CountingPane):
                pane.set_title_visible(tabbed)

    def _make(self, name: str, title: str, pane: QWidget) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | _RIGHT | Qt.DockWidgetArea.BottomDockWidgetArea)
        bar = DockTitle(dock, title)
        dock.setTitleBarWidget(bar)
        stay_on_screen(dock)
        bar.closed.connect(self._on_moved)
        if isinstance(pane, CountingPane):
            pane.header.counted.connect(bar.show_detail)
        pane.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        dock.setWidget(pane)
        dock.topLevelChanged.connect(self._on_moved)
        dock.dockLocationChanged.connect(self._on_moved)
        dock.visibilityChanged.connect(self._on_visibility)
        return dock

    def _on_visibility(self) -> None:
        if isValid(self._window):
            self.settle_titles()

    def _on_moved(self) -> None:
        if not self._arranging and self._window.isVisible():
            self.customised = True
        self.settle_titles()

    def _arrange_wide(self, width: int) -> None:
        timeline, memory, history, *behind = self.docks.values()
        self._window.splitDockWidget(timeline, memory, Qt.Orientation.Horizontal)
        self._window.splitDockWidget(memory, history, Qt.Orientation.Vertical)
        for first, second in pairwise([memory, *behind]):
            self._window.tabifyDockWidget(first, second)
        memory.raise_()
        inspector = max(384, width * 384 // 1440)
        self._window.resizeDocks(
            [timeline, memory], [max(276, width * 276 // 1440), inspector], Qt.Orientation.Horizontal
        )
        self._window.resizeDocks([memory, history], [540, 320], Qt.Orientation.Vertical)
        self.settle_titles()

    def _arrange_narrow(self) -> None:
        order = list(self.docks.values())
        for first, second in pairwise(order):
            self._window.tabifyDockWidget(first, second)
        order[0].raise_()
        # Large text needs more, and leaves the conversation the larger part.
        width = max(360, min(Theme.current().scaled(360), self._window.width() * 2 // 5))
        self._window.resizeDocks([order[0]], [width], Qt.Orientation.Horizontal)
        self.settle_titles()
