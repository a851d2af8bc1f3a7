"""Sections in one scroll, and a list of them that jumps to each: beside the scroll where there is room, else above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QListView, QListWidget, QScrollArea, QVBoxLayout, QWidget

from mnemoscope.ui.settings.section import Section
from mnemoscope.ui.widgets.tab_order import controls_of
from mnemoscope.ui.widgets.theme import set_role

_MARGIN: Final = 16
_ABOVE: Final = 8
"""Pixels of a section's place in the column above which it stands when it was jumped to."""


class SectionScroll(QWidget):
    """A scroll of sections with their list. The list marks the section that is at the top; its rows jump, and Enter
    goes on to the first field of a section. It is never wider at the least than its sections."""

    def __init__(self, sections: Sequence[Section], parent: QWidget) -> None:
        super().__init__(parent)
        self._sections = tuple(sections)
        self._is_jumping = False
        self.index = SectionIndex(self)
        self.index.setAccessibleName(self.tr("Sections"))
        self.index.currentRowChanged.connect(self._jump)
        self.index.itemClicked.connect(lambda item: self._jump(self.index.row(item)))
        self.index.entered_row.connect(self._enter)
        body = self._body = QWidget(self)
        column = QVBoxLayout(body)
        column.setContentsMargins(24, _MARGIN, 24, _MARGIN)
        column.setSpacing(8)
        for section in self._sections:
            column.addWidget(section)
            self.index.addItem(section.title)
            section.installEventFilter(self)
        column.addStretch(1)
        scroll = self._scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(body)
        scroll.verticalScrollBar().valueChanged.connect(self._follow)
        # Rows that come later, or larger text, never reach beyond the edge: there is no scrolling sideways.
        body.installEventFilter(self)
        self.index.setCurrentRow(0)

    @property
    def is_beside(self) -> bool:
        """Returns whether the list stands beside the sections."""
        return self.width() >= self._least_width() + self._index_width()

    def wanted_width(self) -> int:
        """Returns the least width at which the list stands beside the sections."""
        return self._least_width() + self._index_width()

    def minimumSizeHint(self) -> QSize:
        """Returns room for the sections alone: the list makes way."""
        return QSize(self.minimumWidth(), self._scroll.minimumSizeHint().height())

    def focus_first(self) -> None:
        """Gives the keyboard to the first field."""
        self._enter(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keeps as wide as the rows need, as far as the window has room, and lists what is to be seen."""
        if event.type() == QEvent.Type.LayoutRequest and watched is self._body:
            window = self.window().parentWidget()
            self.setMinimumWidth(min(self._least_width(), window.width() - 40) if window else self._least_width())
            self._place()
        elif event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent} and isinstance(watched, Section):
            self.index.setRowHidden(self._sections.index(watched), watched.isHidden())
            self._place()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the list where there is room for it."""
        super().resizeEvent(event)
        self._place()

    def _least_width(self) -> int:
        return self._body.minimumSizeHint().width() + self._scroll.verticalScrollBar().sizeHint().width()

    def _index_width(self) -> int:
        return self.index.sizeHintForColumn(0) + 2 * _MARGIN

    def _place(self) -> None:
        beside, room = self.is_beside, self.rect()
        self.index.stand(in_a_row=not beside)
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
        self._scroll.setGeometry(room)

    def _jump(self, row: int) -> None:
        if not self._is_jumping and 0 <= row < len(self._sections):
            self._is_jumping = True
            self._scroll.verticalScrollBar().setValue(self._sections[row].y() - _ABOVE)
            self._is_jumping = False

    def _enter(self, row: int) -> None:
        fields = [each for each in controls_of(self._sections[row]) if each.isEnabled() and not each.isHidden()]
        if fields:
            fields[0].setFocus(Qt.FocusReason.TabFocusReason)

    def _follow(self, top: int) -> None:
        """Marks the section that is at the top, or the last one where the scroll ends."""
        shown = [row for row, section in enumerate(self._sections) if not section.isHidden()]
        if self._is_jumping or not shown:
            return
        bar = self._scroll.verticalScrollBar()
        above = [row for row in shown if self._sections[row].y() <= top + _MARGIN]
        self._is_jumping = True
        self.index.setCurrentRow(shown[-1] if 0 < bar.maximum() == top else (above or shown)[-1 if above else 0])
        self._is_jumping = False


class SectionIndex(QListWidget):
    """The names of the sections, one below the other or in rows. The arrow keys go through them either way.
    `entered_row` carries the row at which Enter was pressed."""

    entered_row = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, role="sections")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)

    def stand(self, *, in_a_row: bool) -> None:
        """Puts the names into rows, or one below the other."""
        flow = QListView.Flow.LeftToRight if in_a_row else QListView.Flow.TopToBottom
        if flow is not self.flow():
            self.setFlow(flow)
            self.setWrapping(in_a_row)

    def height_in_a_row(self, width: int) -> int:
        """Returns the height that the names take in rows of a width."""
        rows, used = 1, 0
        for row in range(self.count()):
            if self.isRowHidden(row):
                continue
            wide = self.sizeHintForIndex(self.indexFromItem(self.item(row))).width()
            rows, used = (rows + 1, wide) if used and used + wide > width else (rows, used + wide)
        return rows * self.sizeHintForRow(0) + 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Takes Up and Down as Left and Right where the names stand in rows, so that none is out of their reach, and
        Enter for itself: it saves nothing here."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered_row.emit(self.currentRow())
            return
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        shown = [row for row in range(self.count()) if not self.isRowHidden(row)]
        if self.currentRow() in shown:
            place = shown.index(self.currentRow()) + step
            self.setCurrentRow(shown[max(0, min(place, len(shown) - 1))])
