"""Sets whether the assistant may ask to run commands; shows what locks them in and which are always allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QListWidget, QListWidgetItem, QPushButton, QWidget

from mnemoscope.agent.tools.command_quoting import shown_command
from mnemoscope.domain.settings import Settings
from mnemoscope.store.workspace.approvals import KeptApproval
from mnemoscope.ui.settings.section import Section
from mnemoscope.ui.widgets.theme import set_role

_ROWS = 4


class ToolsSection(Section):
    """`forget_requested` carries the approvals to forget, a list."""

    forget_requested = Signal(list)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Tools"))
        self._exec = QCheckBox(self.tr("Let the assistant ask to run commands"), self)
        self._exec.setChecked(settings.exec_enabled)
        self.row("", self._exec)
        self.note(self.tr("Each command is shown first and runs only if you approve it."))
        self._lock = self.note()
        self._kept = QListWidget(self)
        self._kept.setAccessibleName(self.tr("Commands that are not asked about any more"))
        self._kept.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self._kept.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._kept.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._kept.setSpacing(2)
        set_role(self._kept, role="card")
        self._kept.itemSelectionChanged.connect(self._on_selection)
        self.row(self.tr("Not asked about any more"), self._kept)
        self._buttons = self._make_buttons()
        self.row("", self._buttons)
        self._listed: Sequence[KeptApproval] = ()
        self.show_approvals(())

    def values(self) -> dict[str, Any]:
        """Returns whether commands may be asked for."""
        return {"exec_enabled": self._exec.isChecked()}

    def only_show(self) -> None:
        """Lets nothing here be changed."""
        for field in (self._exec, self._kept, self._buttons):
            field.setEnabled(False)

    def show_confinement(self, name: str, advice: str) -> None:
        """Says what commands are locked into, or, where there is nothing, what to do about it."""
        self._lock.setText(
            self.tr("Commands run locked into {name}, without network.").format(name=name)
            if name
            else self.tr("Commands cannot be confined on this computer, so none is run. {advice}").format(advice=advice)
        )

    def show_approvals(self, kept: Sequence[KeptApproval]) -> None:
        """List the commands that were approved for always."""
        self._listed = kept
        self._kept.clear()
        for one in kept:
            where = self.tr("in {folder}").format(folder=shown_command([one.folder]))
            item = QListWidgetItem(f"{shown_command(one.argv)}\n{where}")
            item.setToolTip(item.text())
            self._kept.addItem(item)
        rows = min(_ROWS, len(kept))
        self._kept.setFixedHeight(rows * (self._kept.sizeHintForRow(0) + 4) + 12 if rows else 0)
        for field in (self._kept, self._buttons):
            self.form.setRowVisible(field, bool(kept))
        self._on_selection()

    def _make_buttons(self) -> QWidget:
        holder = QWidget(self)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._forget = QPushButton(self.tr("Forget"), holder)
        self._forget.clicked.connect(self._on_forget)
        forget_all = QPushButton(self.tr("Forget all"), holder)
        forget_all.clicked.connect(lambda: self.forget_requested.emit(list(self._listed)))
        for button in (self._forget, forget_all):
            row.addWidget(button)
        row.addStretch(1)
        return holder

    def _on_selection(self) -> None:
        self._forget.setEnabled(bool(self._kept.selectedItems()))

    def _on_forget(self) -> None:
        rows = sorted({self._kept.row(item) for item in self._kept.selectedItems()})
        self.forget_requested.emit([self._listed[row] for row in rows])
