"""A list of parts of a prompt, and the page around it: what pages of a receipt that list parts have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolTip,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.ui.support.forget_menu import FORGET_KEYS
from mnemoscope.ui.widgets.accessibility.part_keys import chord
from mnemoscope.ui.widgets.menus import menu_place
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import set_role

SOURCE_KEYS: Final = "Ctrl+Return"
CORRECT_KEYS: Final = "F2"
FORGETTING_KEYS: Final = FORGET_KEYS
"""The keys of a list of parts, which are those of the history."""
_LINES: Final = 5
"""Lines of a part that are in sight at once."""
_FEWEST: Final = 2
"""The same, in a low window."""


class PartsTree(QTreeWidget):
    """Lists parts in two columns, their words and where they are from, below titles of their own."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self._offered: tuple[tuple[QPushButton, str], ...] = ()
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAccessibleName(name)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        header.setSectionResizeMode(1, header.ResizeMode.ResizeToContents)
        set_role(self, role="card")

    def add_title(self, words: str, meaning: str = "") -> QTreeWidgetItem:
        """Adds a title over both columns, and returns it; `meaning` is shown on hover."""
        title = QTreeWidgetItem(self, [words])
        font = title.font(0)
        font.setBold(True)
        title.setFont(0, font)
        title.setToolTip(0, plain_tooltip(meaning) if meaning else "")
        title.setFirstColumnSpanned(True)
        return title

    def add_source(self, words: str, path: str) -> QTreeWidgetItem:
        """Adds the name of the source that the rows below it have, over both columns; `path` is shown on hover."""
        source = QTreeWidgetItem(self, [words])
        source.setToolTip(0, plain_tooltip(path))
        source.setFirstColumnSpanned(True)
        return source

    def offer(self, *buttons: tuple[QPushButton, str]) -> None:
        """Has the keys beside these buttons press them from the list, and its menu offer those that are shown."""
        self._offered = buttons

    def viewportEvent(self, event: QEvent) -> bool:
        """Shows no tip over words that stand there whole: it would say them once more, over the rows below."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._is_whole(event.pos()):
            QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def _is_whole(self, place: QPoint) -> bool:
        """Returns whether the words at a place are those of a part, all of them in sight."""
        index, item = self.indexAt(place), self.itemAt(place)
        if item is None or item.isFirstColumnSpanned():
            return False
        return self.sizeHintForIndex(index).width() <= self.visualRect(index).width()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        for button, keys in self._offered:
            if keys and chord(event) == chord(QKeySequence(keys)):
                button.click()
                event.accept()
                return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Opens the menu for the row that is meant."""
        place = menu_place(event, self.visualRect(self.currentIndex()), self.viewport())
        clicked = self.itemAt(place)
        if event.reason() == QContextMenuEvent.Reason.Mouse and clicked is not None:
            self.setCurrentItem(clicked)
        self.menu().popup(self.viewport().mapToGlobal(place))

    def menu(self) -> QMenu:
        """Returns the menu of the row that is chosen; it goes when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button, keys in self._offered:
            if button.isHidden():
                continue
            action = menu.addAction(button.text(), button.click)
            action.setShortcut(QKeySequence(keys))
            action.setEnabled(button.isEnabled())
        return menu


class ChosenPart(QScrollArea):
    """Shows all that a part says: as high as it is, up to some lines, beyond which it is scrolled."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self._label = plain_label(self, "muted")
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setWidget(self._label)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(name)
        set_role(self, role="read")
        for each in (self._label, self.viewport()):
            each.setAutoFillBackground(False)

    def text(self) -> str:
        """Returns what it shows."""
        return self._label.text()

    def setText(self, words: str) -> None:
        """Shows these words from their beginning."""
        self._label.setText(words)
        self.verticalScrollBar().setValue(0)
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        """Returns the height that the words need at this width, up to some lines."""
        return QSize(self._label.sizeHint().width(), self._height(_LINES))

    def minimumSizeHint(self) -> QSize:
        """Returns room for the first lines, in a low window."""
        return QSize(0, self._height(_FEWEST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Takes the height that the words need at this width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
        self._fit()

    def _height(self, lines: int) -> int:
        edges = self.height() - self.viewport().height()
        return min(self._needed(), self._label.fontMetrics().lineSpacing() * lines) + edges

    def _needed(self) -> int:
        return self._label.heightForWidth(max(1, self.viewport().width()))

    def _fit(self) -> None:
        # Nobody stops with Tab where there is nothing to scroll.
        is_long = self._needed() > self.viewport().height()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_long else Qt.FocusPolicy.NoFocus)


def lay_out_parts(
    page: QWidget, tree: PartsTree, detail: QWidget, buttons: Sequence[QWidget], below: Sequence[QWidget]
) -> None:
    """Lays a page out: the parts, what is chosen among them, what can be done with it, and what is said `below`."""
    row = QHBoxLayout()
    row.setSpacing(8)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    column = QVBoxLayout(page)
    column.setContentsMargins(12, 12, 12, 12)
    column.setSpacing(8)
    column.addWidget(tree, 1)
    column.addWidget(detail)
    column.addLayout(row)
    for part in below:
        column.addWidget(part)
