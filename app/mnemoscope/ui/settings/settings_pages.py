"""Pages of sections, and a list of the pages: beside the page where there is room, else above it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QListView, QListWidget, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from mnemoscope.ui.settings.section import Section
from mnemoscope.ui.widgets.accessibility.tab_order import controls_of
from mnemoscope.ui.widgets.theme import set_role

_MARGIN: Final = 16
_SIDE: Final = 24


class SettingsPages(QWidget):
    """Shows one page in sight, and the list that chooses it: its rows by a click or a key, and Enter goes on to the
    first field of the page. It is never wider at the least than the widest of its sections."""

    def __init__(self, pages: Mapping[str, Sequence[Section]], parent: QWidget) -> None:
        """`pages` gives the sections of each page by the page's title."""
        super().__init__(parent)
        self.index = PageIndex(self)
        self.index.setAccessibleName(self.tr("Sections"))
        self.index.entered_row.connect(self._enter)
        self._stack = QStackedWidget(self)
        self._bodies = list[QWidget]()
        self._sections = [section for sections in pages.values() for section in sections]
        self._repeating = list[Section]()
        """Sections that begin a page and are called as it is: right below its title they need no heading."""
        for title, sections in pages.items():
            self._add_page(sections)
            self._repeating += [each for each in sections[:1] if each.title == title]
            self.index.addItem(title)
        self.index.currentRowChanged.connect(self._stack.setCurrentIndex)
        self.index.setCurrentRow(0)

    def _add_page(self, sections: Sequence[Section]) -> None:
        body = QWidget(self)
        column = QVBoxLayout(body)
        column.setContentsMargins(_SIDE, _MARGIN, _SIDE, _MARGIN)
        column.setSpacing(24)
        for section in sections:
            column.addWidget(section)
        column.addStretch(1)
        scroll = _Page(self._stack, sections)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(body)
        # Rows that come later, or larger text, never reach beyond the edge: there is no scrolling sideways.
        body.installEventFilter(self)
        self._bodies.append(body)
        self._stack.addWidget(scroll)

    @property
    def is_beside(self) -> bool:
        """Returns whether the list stands beside the page."""
        return self.width() >= self.wanted_width()

    def wanted_width(self) -> int:
        """Returns the least width at which the list stands beside the page."""
        return self._least_width() + self._index_width()

    def minimumSizeHint(self) -> QSize:
        """Returns room for the page alone: the list makes way."""
        return QSize(self.minimumWidth(), self._stack.minimumSizeHint().height())

    def focus_first(self) -> None:
        """Gives the keyboard to the first field of the page in sight."""
        self._enter(self._stack.currentIndex())

    def show_section(self, section: Section) -> None:
        """Brings a section into sight, with its page."""
        row = next(row for row, body in enumerate(self._bodies) if body.isAncestorOf(section))
        self.index.setCurrentRow(row)
        scroll = self._stack.currentWidget()
        body = self._bodies[row]
        if isinstance(scroll, QScrollArea) and (layout := body.layout()) is not None:
            # The rows may not have been laid out before.
            layout.activate()
            scroll.verticalScrollBar().setValue(section.y() - _MARGIN)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keeps as wide as the rows need, as far as the window has room."""
        if event.type() == QEvent.Type.LayoutRequest and watched in self._bodies:
            window = self.window().parentWidget()
            self.setMinimumWidth(min(self._least_width(), window.width() - 40) if window else self._least_width())
            self._place()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the list where there is room for it."""
        super().resizeEvent(event)
        self._place()

    def _least_width(self) -> int:
        scroll = self._stack.currentWidget()
        bar = scroll.verticalScrollBar().sizeHint().width() if isinstance(scroll, QScrollArea) else 0
        return max(section.wanted_width() for section in self._sections) + 2 * _SIDE + bar

    def _index_width(self) -> int:
        return self.index.sizeHintForColumn(0) + 2 * _MARGIN

    def _place(self) -> None:
        beside, room = self.is_beside, self.rect()
        self.index.stand(in_a_row=not beside)
        for section in self._repeating:
            section.show_heading(beside)
        if beside:
            side = self._index_width()
            index = QRect(_MARGIN, _MARGIN, side - _MARGIN, room.height() - _MARGIN)
            room.setLeft(side)
        else:
            width = room.width() - 2 * _MARGIN
            index = QRect(_MARGIN, _MARGIN // 2, width, self.index.height_in_a_row(width))
            room.setTop(index.bottom() + 1)
        if self.isRightToLeft():
            index.moveRight(self.width() - 1 - index.left())
            room.moveRight(self.width() - 1 - room.left())
        self.index.setGeometry(index)
        self._stack.setGeometry(room)

    def _enter(self, row: int) -> None:
        fields = [each for each in controls_of(self._bodies[row]) if each.isEnabled() and not each.isHidden()]
        if fields:
            fields[0].setFocus(Qt.FocusReason.TabFocusReason)


class _Page(QScrollArea):
    """Scrolls sections. A control that is reached by Tab comes into sight with the lines that explain it."""

    def __init__(self, parent: QWidget, sections: Sequence[Section]) -> None:
        super().__init__(parent)
        self._sections = sections

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Goes to another control."""
        goes = super().focusNextPrevChild(forwards)
        control = self.focusWidget() if goes else None
        notes = [each for section in self._sections if control is not None for each in section.notes_of(control)]
        if control is not None and notes:
            self.ensureWidgetVisible(notes[-1], 0, _MARGIN)
            # Where there is no room for both, the control stands first.
            self.ensureWidgetVisible(control, 0, _MARGIN)
        return goes


class PageIndex(QListWidget):
    """Shows the titles of the pages, one below the other or in rows. The arrow keys go through them either way.
    `entered_row` carries the row at which Enter was pressed."""

    entered_row = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, role="sections")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)

    def stand(self, *, in_a_row: bool) -> None:
        """Puts the titles into rows, or one below the other."""
        flow = QListView.Flow.LeftToRight if in_a_row else QListView.Flow.TopToBottom
        if flow is not self.flow():
            self.setFlow(flow)
            self.setWrapping(in_a_row)

    def height_in_a_row(self, width: int) -> int:
        """Returns the height that the titles take in rows of a width."""
        rows, used = 1, 0
        for row in range(self.count()):
            wide = self.sizeHintForIndex(self.indexFromItem(self.item(row))).width()
            rows, used = (rows + 1, wide) if used and used + wide > width else (rows, used + wide)
        return rows * self.sizeHintForRow(0) + 2 * self.frameWidth()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Takes Up and Down as Left and Right where the titles stand in rows, so that none is out of their reach, and
        Enter for itself: it saves nothing here."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered_row.emit(self.currentRow())
            return
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        self.setCurrentRow(max(0, min(self.currentRow() + step, self.count() - 1)))
