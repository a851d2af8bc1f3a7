"""The model of a short list: rows that are replaced as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex

RowT = TypeVar("RowT")
Index = QModelIndex | QPersistentModelIndex


class RowsModel(QAbstractListModel, Generic[RowT]):
    """Holds the rows; a subclass says what a row shows."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[RowT] = []

    def show(self, rows: Iterable[RowT]) -> None:
        """Shows these rows and no others."""
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)
