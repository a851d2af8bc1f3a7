"""The inspector's docks: they can be moved, tabbed, floated and closed, and come back as they were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QLabel, QMainWindow, QSizePolicy, QToolButton, QWidget
from shiboken6 import isValid

from mnemoscope.ui.shell.docks.pane_scroll import PaneScroll
from mnemoscope.ui.widgets.dialogs.screen_fit import stay_on_screen
from mnemoscope.ui.widgets.lazy_widget import FirstPaint, LazyWidget
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

WIDE = 1240
"""From this width on the timeline has a column of its own."""
_BESIDE_TEXT = 1024
"""From this width on the chat has room beside source and preview."""
_THREE = 1000
"""From this width on timeline and lines have room beside the chat."""
_TEXT = 700
"""Width of a memory pane that has room for source and preview side by side."""
_CHAT = 320
PaneT = TypeVar("PaneT", bound=QWidget)
LAYOUTS: Final = ("chat", "edit", "audit")
"""The purposes that panes are arranged for: to talk, to write memory, to see where its lines come from."""
_MARGINS: Final = (12, 4, 8, 4)
_NO_MARGINS: Final = (0, 0, 0, 0)
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea


class CountingHeader(Protocol):
    """Says in words how many things its pane holds."""

    counted: SignalInstance


@runtime_checkable
class CountingPane(Protocol):
    """Is a pane whose title and count a dock can show in its stead."""

    header: CountingHeader

    def set_title_visible(self, visible: bool) -> None:
        """Shows the pane's own title and count, or leaves both to the dock."""
        ...


class DockTitle(QFrame):
    """Leaves dragging to the dock and offers float and close."""

    closed = Signal()
    """The person closed the dock."""
    maximise_pressed = Signal()
    """The pane is to have all the room, or to give it back."""

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
        self.maximise_button = self._button(self.tr("Maximise or restore (F11)"), self.maximise_pressed.emit)
        self._is_maximised = False
        self._close = self._button(self.tr("Close"), self._close_dock)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(*_MARGINS)
        row.setSpacing(2)
        row.addWidget(label)
        row.addSpacing(6)
        row.addWidget(self._detail, 1)
        row.addWidget(self.maximise_button)
        row.addWidget(self._float)
        row.addWidget(self._close)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def show_detail(self, words: str) -> None:
        """Shows a few quiet words beside the title, such as a count."""
        self._detail.setText(words)

    def show_maximised(self, maximised: bool) -> None:
        """Shows whether the pane has all the room: it is neither moved nor closed meanwhile."""
        self._is_maximised = maximised
        self._restyle()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Maximises the pane, or has it come back."""
        event.accept()
        self.maximise_pressed.emit()

    def fold(self, *, away: bool) -> None:
        """Takes no height, or shows again. Its layout says so: Qt asks for the size of titles a thousand times while a
        window opens, too often for a method of Python."""
        self._away = away
        for child in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            child.setVisible(not away)
        self._row.setContentsMargins(*(_NO_MARGINS if away else _MARGINS))
        self._restyle()
        self.updateGeometry()

    def _close_dock(self) -> None:
        self._dock.close()
        self.closed.emit()

    def _button(self, name: str, handler: Callable[[], object]) -> QToolButton:
        button = square_tool(self, name, 24, 16)
        button.setAccessibleName(f"{name}: {self._dock.windowTitle()}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(handler)
        return button

    def _restyle(self) -> None:
        icon = "minimize-2" if self._is_maximised else "maximize-2"
        self.maximise_button.setIcon(Theme.current().icon(icon, "text_faint"))
        for button in (self._float, self._close):
            button.setVisible(not (self._away or self._is_maximised))
        self._float.setIcon(Theme.current().icon("external-link", "text_faint"))
        self._close.setIcon(Theme.current().icon("x", "text_faint"))


class _Form(NamedTuple):
    """Describes the form that the docks are laid out in: `wide` beside each other, `short` with the history as a
    tab."""

    layout: str
    wide: bool
    short: bool


class Inspector(QObject):
    """Holds the docks at the right of a window, and arranges them for wide and narrow windows."""

    showing = Signal(str)
    """This dock is about to be shown, by its name."""
    maximise_requested = Signal(str)
    """This dock is to have all the room, or to give it back."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._arranging = False
        self.customised = False
        self._named_by_tab: dict[str, bool] = {}
        """Of each dock whether its name shows in its tab only, once that was settled."""
        self.layout = LAYOUTS[0]
        self.docks: dict[str, QDockWidget] = {}
        self.panes: dict[str, QWidget] = {}
        """The panes that are built, by the name of the dock that each is in."""
        self._late: dict[str, LazyWidget[Any]] = {}
        """The panes that are built once they are wanted."""
        self._form: _Form | None = None
        """The form the docks are in; None before they were laid out."""
        self.divided = False
        """Whether a person moved the line between panes since they were laid out."""
        window.tabifiedDockWidgetActivated.connect(self._on_activated)

    def add(self, name: str, title: str, make: Callable[[QWidget], PaneT]) -> PaneT:
        """Makes a pane within a dock of its own, and returns it."""
        return self._put_in(name, self._add_dock(name, title), make)

    def add_late(self, name: str, title: str, make: Callable[[QWidget], PaneT]) -> LazyWidget[PaneT]:
        """Makes a dock whose pane is built when somebody first sees it, or wants it sooner."""
        scroll = self._add_dock(name, title)
        late = self._late[name] = LazyWidget(lambda: self._put_in(name, scroll, make))
        FirstPaint(scroll.viewport()).came.connect(lambda: late.widget)
        return late

    def pane(self, name: str) -> QWidget:
        """Returns what is in a dock, built if it is not there yet."""
        return self._late[name].widget if name in self._late else self.panes[name]

    def _add_dock(self, name: str, title: str) -> PaneScroll:
        """Adds a dock, and returns what holds its pane: in a low window it is scrolled."""
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | _RIGHT | Qt.DockWidgetArea.BottomDockWidgetArea)
        bar = DockTitle(dock, title)
        dock.setTitleBarWidget(bar)
        stay_on_screen(dock)
        bar.closed.connect(self._on_moved)
        bar.maximise_pressed.connect(lambda: self.maximise_requested.emit(name))
        scroll = PaneScroll(dock)
        scroll.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        dock.setWidget(scroll)
        dock.topLevelChanged.connect(self._on_moved)
        dock.dockLocationChanged.connect(self._on_moved)
        dock.visibilityChanged.connect(self._on_visibility)
        self.docks[name] = dock
        return scroll

    def _put_in(self, name: str, scroll: PaneScroll, make: Callable[[QWidget], PaneT]) -> PaneT:
        """Makes a pane where it stands: moved there later, each of its parts would be styled anew."""
        pane = make(scroll.viewport())
        scroll.hold(pane)
        self.panes[name] = pane
        shown, bar = self.panes[name], self.docks[name].titleBarWidget()
        if isinstance(shown, CountingPane) and isinstance(bar, DockTitle):
            shown.header.counted.connect(bar.show_detail)
        return pane

    def arrange(self, width: int, *, low: bool = False, short: bool = False, anew: bool = False) -> None:
        """Lays the docks out for a window of this width, unless a person arranged them; in a `low` one, or with large
        text, they do not all fit. In a `short` one two panes above each other would both be too low: they are tabs."""
        wide = self._is_wide(width, low=low)
        form = _Form(self.layout, wide, short and wide and self.layout != "edit")
        if (self.customised or self._form == form) and not anew:
            self._follow(width)
            return
        self._form, self._arranging = form, True
        self.divided = False
        held = self._window.focusWidget()
        if anew:
            self.customised = False
        for dock in self.docks.values():
            if dock.isFloating() or dock.parentWidget() is not self._window:
                # It is a window of its own, or in one with others.
                dock.setFloating(False)
            self._window.addDockWidget(_RIGHT, dock)
            dock.show()
        if not wide:
            self._arrange_narrow()
        elif self.layout == "edit":
            self._arrange_edit(width)
        elif self.layout == "audit":
            self._arrange_audit(width, short=form.short)
        else:
            self._arrange_wide(width, short=form.short)
        self._arranging = False
        if held is not None:
            self._give_back(held)

    def has_room_for_chat(self, width: int) -> bool:
        """Returns whether the chat has room beside the docks as they are arranged."""
        return self.layout != "edit" or self.customised or self._is_wide(width)

    def _is_wide(self, width: int, *, low: bool = False) -> bool:
        if self.layout == "edit":
            return width >= _BESIDE_TEXT
        if self.layout == "audit":
            return width >= Theme.current().scaled(_THREE)
        return width >= WIDE and not low

    def _give_back(self, held: QWidget) -> None:
        """Gives the keyboard back to what had it, in front of the panes it is tabbed with."""
        dock = next((dock for dock in self.docks.values() if dock.isAncestorOf(held)), None)
        if dock is not None:
            dock.raise_()
        held.setFocus()

    def show(self, name: str) -> QDockWidget:
        """Brings one dock to the front and gives it the keyboard."""
        self.showing.emit(name)
        dock = self.docks[name]
        dock.show()
        dock.raise_()
        self.pane(name).setFocus(Qt.FocusReason.ShortcutFocusReason)
        return dock

    def resize(self, docks: Sequence[QDockWidget], widths: Sequence[int]) -> None:
        """Gives docks side by side these widths."""
        self._window.resizeDocks(docks, widths, Qt.Orientation.Horizontal)

    def save(self) -> QByteArray:
        """Returns the arrangement as bytes."""
        return self._window.saveState(1)

    def restore(self, state: QByteArray) -> bool:
        """Arranges the docks as saved; returns False where the bytes are not understood."""
        self._arranging = True
        done = bool(self._window.restoreState(state, 1))
        self._arranging = False
        self.customised = self.customised or done
        self.settle_titles()
        return done

    def show_alone(self, name: str) -> None:
        """Has this dock alone in sight, or none of them for ""; `take_back` brings the others back."""
        self._arranging = True
        for each, dock in self.docks.items():
            if each == name:
                dock.setFloating(False)
                dock.show()
            else:
                dock.hide()
        self._arranging = False
        self.settle_titles()

    def take_back(self, state: QByteArray) -> None:
        """Arranges the docks as they were saved, whoever arranged them so."""
        self._arranging = True
        self._window.restoreState(state, 1)
        self._arranging = False
        self.settle_titles()

    def titles(self) -> list[DockTitle]:
        """Returns the titles of the docks."""
        return [title for dock in self.docks.values() if isinstance(title := dock.titleBarWidget(), DockTitle)]

    def settle_titles(self) -> None:
        """Has a dock among tabs show its name in the tab only."""
        for name, dock in self.docks.items():
            beside = [one for one in self._window.tabifiedDockWidgets(dock) if not one.isHidden()]
            tabbed = bool(beside) and not dock.isFloating()
            if self._named_by_tab.get(name) == tabbed:
                continue
            self._named_by_tab[name] = tabbed
            title = dock.titleBarWidget()
            if isinstance(title, DockTitle):
                title.fold(away=tabbed)
            pane: object = self.panes.get(name)
            if isinstance(pane, CountingPane):
                pane.set_title_visible(tabbed)

    def _on_activated(self, dock: QDockWidget) -> None:
        """Gives the keyboard to the pane whose tab was clicked, as its shortcut does; keys and F1 are then about it."""
        if QGuiApplication.mouseButtons() and not self._arranging:
            pane = self.pane(dock.objectName())
            QTimer.singleShot(0, dock, lambda: pane.setFocus(Qt.FocusReason.MouseFocusReason))

    def _on_visibility(self) -> None:
        if isValid(self._window) and not self._arranging:
            self.settle_titles()

    def _on_moved(self) -> None:
        if self._arranging:
            # Titles are settled once, when all docks stand where they belong.
            return
        if self._window.isVisible():
            self.customised = True
        self.settle_titles()

    def _put_beside_the_timeline(self, *, short: bool) -> None:
        """Puts memory beside the timeline and over the history, which is a tab of it in a short window. The others are
        tabs behind."""
        timeline, memory, history = (self.docks[name] for name in ("timeline", "memory", "history"))
        behind = [dock for dock in self.docks.values() if dock not in (timeline, memory, history)]
        self._window.splitDockWidget(timeline, memory, Qt.Orientation.Horizontal)
        if short:
            self._window.tabifyDockWidget(memory, history)
        else:
            self._window.splitDockWidget(memory, history, Qt.Orientation.Vertical)
        for first, second in pairwise([history if short else memory, *behind]):
            self._window.tabifyDockWidget(first, second)
        memory.raise_()

    def _arrange_wide(self, width: int, *, short: bool) -> None:
        self._put_beside_the_timeline(short=short)
        self._share_width(width)
        if not short:
            self._share_height()
        self.settle_titles()

    def _arrange_edit(self, width: int) -> None:
        """Gives the memory pane the room; the others are tabs behind it."""
        memory = self.docks["memory"]
        for dock in self.docks.values():
            if dock is not memory:
                self._window.tabifyDockWidget(memory, dock)
        memory.raise_()
        self._window.resizeDocks([memory], [self._width_of_text(width)], Qt.Orientation.Horizontal)
        self.settle_titles()

    @staticmethod
    def _width_of_text(width: int) -> int:
        return min(max(_TEXT, width - Theme.current().scaled(_CHAT) - width // 16), width - _CHAT)

    def _follow(self, width: int) -> None:
        """Gives the panes their share of a window that was resized: memory its width in `edit`; in the first layout all
        of them their widths, which Qt would leave as they were, and memory its height."""
        if self.customised:
            return
        form = self._form
        if form is None or not form.wide:
            return
        if form.layout == "edit":
            self.resize([self.docks["memory"]], [self._width_of_text(width)])
        elif form.layout == LAYOUTS[0] and not self.divided:
            self._share_width(width)
            if not form.short:
                self._share_height()

    def _share_width(self, width: int) -> None:
        docks = [self.docks["timeline"], self.docks["memory"]]
        if not any(dock.isHidden() or dock.isFloating() for dock in docks):
            self.resize(docks, [max(276, width * 276 // 1440), max(384, width * 412 // 1440)])

    def _share_height(self) -> None:
        docks = [self.docks["memory"], self.docks["history"]]
        if not any(dock.isHidden() or dock.isFloating() for dock in docks):
            self._window.resizeDocks(docks, [670, 190], Qt.Orientation.Vertical)

    def _arrange_audit(self, width: int, *, short: bool) -> None:
        """Puts the timeline beside the chat, and beside it the lines of memory over the history; in a short window both
        are tabs."""
        self._put_beside_the_timeline(short=short)
        timeline, memory, history, *_ = self.docks.values()
        room = width - max(_CHAT, width // 4)
        self._window.resizeDocks([timeline, memory], [room * 2 // 5, room - room * 2 // 5], Qt.Orientation.Horizontal)
        if not short:
            self._window.resizeDocks([memory, history], [540, 320], Qt.Orientation.Vertical)
        self.settle_titles()

    def _arrange_narrow(self) -> None:
        order = list(self.docks.values())
        if self.layout == "edit":
            order.sort(key=lambda dock: dock is not self.docks["memory"])
        for first, second in pairwise(order):
            self._window.tabifyDockWidget(first, second)
        order[0].raise_()
        # Large text needs more, and leaves the conversation the larger part.
        width = max(360, min(Theme.current().scaled(360), self._window.width() * 2 // 5))
        self._window.resizeDocks([order[0]], [width], Qt.Orientation.Horizontal)
        self.settle_titles()
