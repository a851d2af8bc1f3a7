"""A list of parts of a prompt, and the page around it: what pages of a receipt that list parts have in common."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import set_role


class PartsTree(QTreeWidget):
    """Lists parts in two columns, their words and where they are from, below titles of their own."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
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
