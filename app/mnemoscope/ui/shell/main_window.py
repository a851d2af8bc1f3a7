"""The shell: header, conversations, chat, inspector, status line. It knows no core and reads no disk."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from PySide6.QtCore import QChildEvent, QEvent, QObject, QSettings, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QTabBar,
    QTabWidget,
    QToolButton,
    QWidget,
)

from mnemoscope import __version__
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.dream import dream_pane
from mnemoscope.ui.health import health_pane
from mnemoscope.ui.history.history_pane import HistoryPane
from mnemoscope.ui.memory.memory_pane import MemoryPane
from mnemoscope.ui.prompt import prompt_pane
from mnemoscope.ui.sessions.sessions_pane import SessionsPane
from mnemoscope.ui.shell.docks.inspector import WIDE, Inspector
from mnemoscope.ui.shell.docks.pane_layouts import PaneLayouts
from mnemoscope.ui.shell.docks.pane_scroll import least_of
from mnemoscope.ui.shell.palette import command_palette
from mnemoscope.ui.timeline.timeline_pane import TimelinePane
from mnemoscope.ui.widgets.accessibility.enter_key import press_at_enter
from mnemoscope.ui.widgets.accessibility.tab_order import (
    FocusForwarder,
    controls_of,
    precede_in_tab_order,
    tab_as_laid_out,
)
from mnemoscope.ui.widgets.dialogs.floating_sheet import FloatingSheet
from mnemoscope.ui.widgets.dialogs.screen_fit import bounded, fit_to_screen, stay_on_screen
from mnemoscope.ui.widgets.fields import let_wheel_pass
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.status_line import StatusLine
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_LOW: Final = 660
"""Below this height the docks stand in one column of tabs, however wide the window is."""
_SHORT: Final = 800
"""Below this height the history is a tab beside memory, so that each pane has the whole height."""
_TABS_HEIGHT: Final = 36
DOCK_GAP: Final = 1
"""Pixels between two docks, as the style sheet has it."""
_SHARES: Final = {True: "window/source_beside", False: "window/source_above"}
"""The settings of how much of a memory file's room its source has beside the preview, and above it."""
_MENUS_BEYOND: Final = "qt_menubar_ext_button"
"""Qt's name of the button that a bar of menus has for those without room."""
_COMES_AND_GOES: Final = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent)


_COMFORT: Final = 118
"""Pixels beyond what everything takes at the least, below which the conversations hide themselves: with docks at the
side and text of the ordinary size that is in windows of less than 900."""


class WindowColumns(QSplitter):
    """Holds the conversations and the chat, and lays the window out anew only when one of them needs another size.

    Each widget whose text changes has all that it lies in laid out, up to the window, which takes some milliseconds
    with its docks, and each message changes the composer's button.
    """

    _needed: tuple[tuple[bool, QSize, QSize], ...] = ()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            columns = [column for place in range(self.count()) if (column := self.widget(place)) is not None]
            needed = tuple((column.isHidden(), least_of(column), column.maximumSize()) for column in columns)
            if needed == self._needed:
                return True
            self._needed = needed
        return super().event(event)


class MainWindow(QMainWindow):
    """Shows panes and their arrangement. `close_requested` is a question: whoever hears it saves and then closes."""

    close_requested = Signal()
    escaped = Signal()
    """Esc was pressed and nothing that had the keyboard took it."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Mnemoscope")
        self.setDockNestingEnabled(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowNestedDocks
            | QMainWindow.DockOption.AllowTabbedDocks
            | QMainWindow.DockOption.GroupedDragging
        )
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.menus = QMenuBar()
        self.header = Header(self.menus, self)
        self.setMenuWidget(self.header)
        self._columns = WindowColumns(Qt.Orientation.Horizontal, self)
        self.sessions = SessionsPane(self._columns)
        self.chat = ChatColumn(self._columns)
        self._lay_out_columns()
        self.inspector = Inspector(self)
        self.timeline = self.inspector.add("timeline", self.tr("Timeline"), TimelinePane)
        self.memory = self.inspector.add("memory", self.tr("Memory"), MemoryPane)
        self.history = self.inspector.add("history", self.tr("History"), HistoryPane)
        self.prompt = self.inspector.add_late("prompt", self.tr("Prompt"), lambda into: prompt_pane.PromptPane(into))
        self.dream = self.inspector.add_late("dream", self.tr("Dream"), lambda into: dream_pane.DreamPane(into))
        self.health = self.inspector.add_late("health", self.tr("Health"), lambda into: health_pane.HealthPane(into))
        self.status = StatusLine(__version__, self)
        self.setStatusBar(self.status)
        self.sessions_column = SessionsColumn(self.sessions, self.inspector)
        self.layouts = PaneLayouts(self.inspector, self._columns, self.sessions_column, self._arrange)
        self.command_palette = LazyWidget(lambda: command_palette.CommandPalette(self))
        self._may_close = False
        self.resize(1440, 900)
        stay_on_screen(self)
        self.header.conversations_clicked.connect(self.sessions_column.show)
        self.sessions.installEventFilter(self)
        self._set_tab_order()
        theme_notifier().changed.connect(self._on_theme)

    def restore(self, settings: QSettings) -> None:
        """Restores size and docks as they were left; the first time, what suits the width."""
        geometry = settings.value("window/geometry")
        # Qt restores none of a screen that is much larger or smaller.
        is_restored = geometry is not None and self.restoreGeometry(geometry)
        if not is_restored and settings.value("window/fills_screen", False, bool):
            self.setWindowState(Qt.WindowState.WindowMaximized)
        fit_to_screen(self)
        self.layouts.restore_layout(settings)
        shares = {beside: settings.value(name, 0.0, float) for beside, name in _SHARES.items()}
        self.memory.divide(
            {each: share for each, share in shares.items() if isinstance(share, float) and 0 < share < 1}
        )
        self._fit()

    def restore_columns(self, settings: QSettings) -> None:
        """Restores the columns as they were left; once the window is shown, as before they have no room to keep."""
        columns = settings.value("window/columns")
        if columns is not None:
            self._columns.restoreState(columns)
        self.layouts.restore_maximised(settings)

    def remember(self, settings: QSettings) -> None:
        """Notes size, columns and layout."""
        for sheet in self.findChildren(FloatingSheet):
            # Panes that float are away while one is open.
            sheet.hide()
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/fills_screen", self.isMaximized())
        self.sessions_column.put_back()
        self.layouts.remember(settings)
        for beside, name in _SHARES.items():
            settings.setValue(name, self.memory.shares.get(beside, 0.0))
        if not self.sessions.isHidden():
            settings.setValue("window/columns", self._columns.saveState())

    def reset_layout(self) -> None:
        """Arranges everything as on the first day."""
        self.sessions_column.reset()
        self.layouts.reset()
        self._columns.setSizes([224, max(320, self.width() - 912)])
        self.memory.divide({})
        self._fit()

    def search_conversations(self) -> None:
        """Shows the conversations and puts the caret into their search field."""
        self.sessions_column.show()
        self.sessions.focus_search()

    def rename_conversation(self) -> None:
        """Edits the name of the conversation on show, in the list."""
        self.sessions_column.show()
        # A list just shown has no place for its rows yet.
        self._columns.refresh()
        self.sessions.start_rename()

    def pane_with_keyboard(self) -> QWidget | None:
        """Returns the pane that has the keyboard, or None where none has it."""
        focus = QApplication.focusWidget()
        panes = [self.sessions, self.chat, *self.inspector.panes.values()]
        return next((pane for pane in panes if focus is not None and (pane is focus or pane.isAncestorOf(focus))), None)

    def set_read_only(self) -> None:
        """Has no pane offer to write any more."""
        self.sessions.set_read_only()
        self.chat.composer.set_read_only()
        self.chat.transcript.empty.set_read_only()
        self.chat.transcript.transcript.offers = False
        self.timeline.set_read_only()

    def let_close(self) -> None:
        """Lets the window close without asking."""
        self._may_close = True

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks first: what is open is saved before the window goes."""
        if self._may_close:
            event.accept()
            return
        event.ignore()
        self.close_requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            if self.sessions_column.put_back():
                self.sessions_column.hide()
            self.escaped.emit()
        elif not press_at_enter(self, event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Has Tab pass over the panes behind another's tab, which Qt only moves out of the window's sight."""
        passed: list[QWidget] = []
        while super().focusNextPrevChild(forward):
            reached = self.focusWidget()
            if reached is None or reached in passed or not self._is_behind_a_tab(reached):
                return True
            passed.append(reached)
        return False

    def _is_behind_a_tab(self, control: QWidget) -> bool:
        holder = next((dock for dock in self.inspector.docks.values() if dock.isAncestorOf(control)), None)
        return holder is not None and not self.rect().intersects(holder.geometry())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the timeline a column of its own in a wide window."""
        super().resizeEvent(event)
        if self.isVisible():
            self.layouts.follow()
            self._fit()
            if (event.oldSize().width() >= WIDE) != (event.size().width() >= WIDE):
                self._columns.setSizes([224 if event.size().width() >= WIDE else 188, self.width()])

    def event(self, event: QEvent) -> bool:
        """Follows what takes more or less room, so what the least size is, and takes in the tabs of docks."""
        handled = super().event(event)
        kind = event.type()
        if kind == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit()
        elif kind == QEvent.Type.MouseButtonRelease and handled:
            # The window itself is pressed where the lines between panes are.
            self.inspector.divided = True
        elif isinstance(event, QChildEvent) and event.polished() and isinstance(tabs := event.child(), QTabBar):
            let_wheel_pass(tabs)
            tabs.tabBarDoubleClicked.connect(lambda place, tabs=tabs: self._maximise_tab(tabs, place))
        return handled

    def _maximise_tab(self, tabs: QTabBar, place: int) -> None:
        """Maximises the pane whose tab of docks was double-clicked, which is its title."""
        title = tabs.tabText(place)
        name = next((name for name, dock in self.inspector.docks.items() if dock.windowTitle() == title), None)
        if name is not None:
            self.layouts.toggle(name)

    def _arrange(self, anew: bool) -> None:
        """Lays out the docks: in a low window, or with large text, they do not all fit."""
        theme = Theme.current()
        roomy = self.width() >= theme.scaled(WIDE) and self.height() >= theme.scaled(_LOW)
        low = self.height() < theme.scaled(_LOW) if self.inspector.layout == "audit" else not roomy
        short = self.height() < theme.scaled(_SHORT)
        self.inspector.arrange(self.width(), low=low, short=short, anew=anew)

    def _on_theme(self) -> None:
        if self.isVisible():
            self.layouts.follow()
            self._fit()

    def _fit(self) -> None:
        """Lets the window be no smaller than what it shows, and hides the conversations where they have no room."""
        least = bounded(self._least(), self)
        self.sessions_column.fit(self.width(), least.width())
        if self.minimumSize() != least:
            self.setMinimumSize(least)

    def _least(self) -> QSize:
        """Returns the smallest size in which nothing is covered, without the conversations."""
        if self.inspector.customised:
            whole = self.minimumSizeHint()
            return QSize(whole.width() - self.sessions_column.width, whole.height())
        # A window that shrinks has its docks in one column of tabs by then.
        sizes = [least_of(dock.widget()) for dock in self.inspector.docks.values() if not dock.isFloating()]
        column = QSize(max(size.width() for size in sizes), max(size.height() for size in sizes)) if sizes else QSize()
        chat = least_of(self.chat)
        width = chat.width() + column.width() + DOCK_GAP
        height = max(chat.height(), column.height() + _TABS_HEIGHT)
        around = least_of(self.header).height() + least_of(self.status).height()
        return QSize(max(width, least_of(self.header).width()), height + around)

    def _lay_out_columns(self) -> None:
        columns = self._columns
        columns.setHandleWidth(1)
        columns.setChildrenCollapsible(False)
        columns.addWidget(self.sessions)
        columns.addWidget(self.chat)
        columns.setStretchFactor(1, 1)
        columns.setSizes([224, 560])
        self.setCentralWidget(columns)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Has a button stand for hidden conversations."""
        if watched is self.sessions and event.type() in _COMES_AND_GOES:
            self.header.offer_conversations(self.sessions.isHidden())
        return super().eventFilter(watched, event)

    def _set_tab_order(self) -> None:
        """Sets the order control by control."""
        chat = self.chat
        panes = [chat.composer, chat.transcript, self.timeline, self.memory, self.history, self.sessions]
        for pane in panes:
            target = pane.focusProxy()
            if target is not None:
                FocusForwarder(pane, target)
        for first, second in pairwise(stop for pane in panes for stop in controls_of(pane) or [pane]):
            self.setTabOrder(first, second)
        self.prompt.join(lambda pane: self._put_in_tab_order(pane, self.dream, self.health))
        self.dream.join(lambda pane: self._put_in_tab_order(pane, self.health))
        self.health.join(self._put_in_tab_order)

    def _put_in_tab_order(self, pane: QWidget, *later: LazyWidget[Any]) -> None:
        """Has Tab reach a pane that was just built before those of the `later` ones that are there, and before the
        history; what floats has an order of its own."""
        following = [each.built for each in later if each.built is not None] + [self.history, self.sessions]
        beside = next((each for each in following if each.window() is pane.window()), None)
        if beside is None:
            tab_as_laid_out(pane)
        else:
            precede_in_tab_order(pane, (controls_of(beside) or [beside])[0])


class SessionsColumn:
    """Shows and hides the panel. In a window too narrow for all, the docks make room while it is asked for."""

    def __init__(self, panel: SessionsPane, inspector: Inspector) -> None:
        self._panel, self._inspector = panel, inspector
        self._wanted = True
        self._narrow = False
        self._room = True
        self._least = 0
        self._away: list[QDockWidget] = []
        self._in_front: list[QDockWidget] = []
        self._widths: list[int] = []

    @property
    def width(self) -> int:
        """Returns the least width of the column, with its edge; 0 while it is hidden."""
        return 0 if self._panel.isHidden() else self._panel.minimumWidth() + 1

    def fit(self, width: int, least: int) -> None:
        """Fits the column into a window `width` wide in which everything else takes `least`."""
        # Docks that made room are only away for a while.
        self._least = max(self._least, least) if self._away else least
        needed = self._least + self._panel.minimumWidth() + 1
        narrow, self._room = width < needed + _COMFORT, width >= needed
        if narrow != self._narrow:
            self._narrow = narrow
            self.put_back()
            self._panel.setVisible(self._wanted and not narrow)
        elif not self._room and self.width and not self._away:
            self._panel.hide()

    @property
    def wanted(self) -> bool:
        """Returns whether the conversations are in sight as soon as there is room for them."""
        return self._wanted

    def want(self, wanted: bool) -> None:
        """Has the conversations in sight where there is room for them, or not."""
        self.put_back()
        self._wanted = wanted
        self._panel.setVisible(wanted and not self._narrow)

    def toggle(self) -> None:
        """Shows or hides the conversations."""
        if self._panel.isHidden():
            self.show()
        else:
            self.hide()

    def show(self) -> None:
        """Shows the conversations, in place of the docks where there is no room for both."""
        if not self._panel.isHidden():
            return
        if not self._narrow:
            self._wanted = True
        if not self._room:
            self._send_docks_away()
        self._panel.show()

    def hide(self) -> None:
        """Hides the conversations."""
        if not self._narrow:
            self._wanted = False
        self._panel.hide()
        self.put_back()

    def put_back(self) -> bool:
        """Brings the docks back that made room; returns whether there were any."""
        away, self._away = self._away, []
        for dock in away:
            dock.show()
        for dock in self._in_front:
            dock.raise_()
        if self._in_front:
            self._inspector.resize(self._in_front, self._widths)
        self._in_front = []
        return bool(away)

    def reset(self) -> None:
        """Shows the column as on the first day."""
        self.put_back()
        self._wanted = True
        self._panel.setVisible(not self._narrow)

    def _send_docks_away(self) -> None:
        docks = self._inspector.docks.values()
        self._away = [dock for dock in docks if not dock.isHidden() and not dock.isFloating()]
        self._in_front = [dock for dock in self._away if not dock.visibleRegion().isEmpty()]
        self._widths = [dock.width() for dock in self._in_front]
        for dock in self._away:
            dock.hide()


class Header(QFrame):
    """Shows which folder is open and which model answers; both are buttons."""

    conversations_clicked = Signal()
    """The list of conversations is wanted back."""
    workspace_clicked = Signal()
    model_clicked = Signal()
    palette_clicked = Signal()
    review_clicked = Signal()

    def __init__(self, menus: QMenuBar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="header")
        self._model_role = "success"
        self.conversations_button = square_tool(self, self.tr("Show the conversations"), 28, 16, "panel-left")
        self.conversations_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.conversations_button.clicked.connect(self.conversations_clicked)
        self.conversations_button.hide()
        self._workspace = self._chip(self.tr("Workspace"), self.workspace_clicked)
        self.review = self._chip(self.tr("Review all"), self.review_clicked)
        self.review.hide()
        self._model = self._chip(self.tr("Model"), self.model_clicked)
        self._palette = self._chip(self.tr("Command palette"), self.palette_clicked)
        self._palette.setToolTip(self.tr("Command palette"))
        self._menus = menus
        self.more_menus = square_tool(self, self.tr("More menus"), 28, 16, "ellipsis")
        self.more_menus.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more_menus.clicked.connect(self._open_more_menus)
        self.more_menus.hide()
        self._name = ""
        self._model_name = ""
        self._palette_keys = "Ctrl K"
        self._is_read_only = False
        self._waiting = ""
        self._read_only = QLabel(self.tr("Read-only"), self)
        set_role(self._read_only, role="chip")
        self._read_only.hide()
        menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(8, 5, 16, 5)
        row.setSpacing(8)
        row.addWidget(self.conversations_button)
        row.addWidget(menus, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.more_menus)
        row.addWidget(self._workspace)
        row.addWidget(self._read_only)
        row.addStretch(1)
        row.addWidget(self.review)
        row.addWidget(self._model)
        row.addWidget(self._palette)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def show_palette_keys(self, keys: str) -> None:
        """Names the keys of the command palette, "" where it has none."""
        self._palette_keys = keys
        self._fit()

    def offer_conversations(self, offered: bool) -> None:
        """Shows a button for the conversations, while they are hidden."""
        self.conversations_button.setVisible(offered)
        self._fit()

    def show_waiting(self, words: str) -> None:
        """Shows how much waits for review, on a button that opens it; "" shows none."""
        self._waiting = words
        self.review.setAccessibleName(words or self.tr("Review all"))
        self.review.setToolTip(plain_tooltip(words))
        self.review.setVisible(bool(words))
        self._fit()

    def show_workspace(self, words: str, where: str, *, read_only: bool) -> None:
        """Names the open folder; `where` is its whole path."""
        self._name, self._is_read_only = words, read_only
        self._workspace.setToolTip(plain_tooltip(where))
        self._fit()

    def show_model(self, words: str, whole: str, *, built_in: bool) -> None:
        """Names the model that answers, and in full where the pointer rests; the built-in one is marked as no language
        model."""
        self._model_name = words
        self._fit()
        self._model_role = "text_muted" if built_in else "success"
        self._model.setToolTip(self.tr("Built-in, no language model") if built_in else plain_tooltip(whole))
        self._restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Gives the menus room first: where it is narrow the marks beside them say less, the names of the folder and of
        the model are cut, and where that is not enough only their icons are left."""
        self._read_only.setVisible(self._is_read_only)
        self._palette.setText(f" {self._palette_keys}")
        self._workspace.setText(f" {self._name}")
        self._model.setText(f" {self._model_name}")
        self.review.setText(self._waiting)
        if not self._lacks():
            self.more_menus.hide()
            return
        self._palette.setText("")
        if self._lacks():
            self.review.setText(self._waiting.partition(" ")[0])
        if self._lacks():
            self._read_only.hide()
        for button, name in ((self._workspace, self._name), (self._model, self._model_name)):
            lacks = self._lacks()
            if lacks:
                metrics = button.fontMetrics()
                room = max(metrics.horizontalAdvance(name) - lacks, metrics.averageCharWidth() * 4)
                button.setText(f" {metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)}")
        for button in (self._model, self._workspace):
            if self._lacks():
                button.setText("")
        self.more_menus.setVisible(self._lacks() > 0)

    def _open_more_menus(self) -> None:
        """Shows the menus that have no room, as the button does that Qt has for them, which is too small to be seen."""
        beyond = self._menus.findChild(QToolButton, _MENUS_BEYOND)
        menu = beyond.menu() if beyond is not None else None
        if menu is not None:
            menu.popup(self.more_menus.mapToGlobal(self.more_menus.rect().bottomLeft()))

    def _lacks(self) -> int:
        """Returns the pixels that are missing for everything in the row to be shown whole; 0 where nothing is."""
        marks: tuple[QWidget, ...] = (
            self.conversations_button,
            self._workspace,
            self._read_only,
            self.review,
            self._model,
            self._palette,
        )
        shown = [one for one in marks if not one.isHidden()]
        margins, spacing = self._row.contentsMargins(), self._row.spacing()
        edges = margins.left() + margins.right() + spacing * (len(shown) + 1)
        needed = self._menus.sizeHint().width() + sum(one.sizeHint().width() for one in shown) + edges
        return max(0, needed - self.width())

    def _chip(self, name: str, clicked: SignalInstance) -> QPushButton:
        button = QPushButton(self)
        button.setAccessibleName(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(clicked)
        return button

    def _restyle(self) -> None:
        theme = Theme.current()
        side = theme.scaled(16)
        for button in (self._workspace, self.review, self._model, self._palette):
            button.setIconSize(QSize(side, side))
        self._workspace.setIcon(theme.icon("folder", "text_muted"))
        self._model.setIcon(theme.icon("cpu", self._model_role))
        self.review.setIcon(theme.icon("eye", "warning"))
        self._palette.setIcon(theme.icon("command", "text_muted"))
        self._fit()
