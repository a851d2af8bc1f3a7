"""The deleted conversations, each with a way back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.store.sessions.moves import TrashedOverview
from mnemoscope.ui.widgets.theme import set_role


class TrashDialog(QDialog):
    """Stays open, so that several can be restored."""

    restore_requested = Signal(object)
    """A `TrashedOverview` is wanted back."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Deleted conversations"))
        self._listed: Sequence[TrashedOverview] = ()
        self.restore = QPushButton(self.tr("Restore"), self)
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Deleted conversations"))
        set_role(self.list, role="card")
        self.list.itemActivated.connect(lambda _item: self._restore())
        self.list.currentRowChanged.connect(lambda row: self.restore.setEnabled(row >= 0))
        self._nothing = QLabel(self.tr("The trash is empty."), self)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_role(self._nothing, role="muted")
        set_role(self.restore, kind="primary")
        self.restore.setDefault(True)
        self.restore.clicked.connect(self._restore)
        buttons = QDialogButtonBox(self)
        buttons.addButton(self.restore, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing, 1)
        column.addWidget(buttons)
        self.resize(480, 420)

    def show_trashed(self, listed: Sequence[TrashedOverview]) -> None:
        """List these, the one deleted last first."""
        self._listed = listed
        self.list.clear()
        for one in listed:
            self.list.addItem(QListWidgetItem(f"{self._title(one)}\n{self._facts(one)}"))
        self.list.setVisible(bool(listed))
        self._nothing.setVisible(not listed)
        self.list.setCurrentRow(0 if listed else -1)
        self.restore.setEnabled(bool(listed))

    def _title(self, one: TrashedOverview) -> str:
        return one.title or self.tr("New conversation")

    def _facts(self, one: TrashedOverview) -> str:
        moment = QDateTime.fromSecsSinceEpoch(int(one.deleted_at.timestamp()))
        when = QLocale().toString(moment, self.tr("d MMMM yyyy HH:mm"))
        count = self.tr("%n message(s)", "", one.count)
        return self.tr("{count} · deleted {when}").format(count=count, when=when)

    def _restore(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._listed):
            self.restore_requested.emit(self._listed[row])
