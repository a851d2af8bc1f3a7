"""The records of a transcript that are no messages: of unknown kinds, damaged, of subagents, and beside the talk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.agent.foreign.foreign_reading import OtherRecord, OtherRecords
from mnemoscope.domain.foreign.foreign_records import RecordKind
from mnemoscope.domain.foreign.imported_conversation import local_time
from mnemoscope.ui.markdown.reading.untrusted_text import laid_out_json, tidied
from mnemoscope.ui.support.locale_words import moment_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.text.plain_text import plain_box
from mnemoscope.ui.widgets.theme import Theme, set_role

_LINE: Final = 90


class OtherRecordsDialog(Dialog):
    """Shows one record at a time, as it stands in the transcript."""

    manual_page: ClassVar = "agents"

    def __init__(self, parent: QWidget, records: Mapping[RecordKind, OtherRecords]) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Other records"))
        self._records = dict(records)
        self.kinds = ComboBox(self)
        self.kinds.setAccessibleName(self.tr("Kind of record"))
        names = {
            RecordKind.UNKNOWN: self.tr("Of a kind that is not known here"),
            RecordKind.DAMAGED: self.tr("Damaged"),
            RecordKind.SUBAGENT: self.tr("Of subagents"),
            RecordKind.ASIDE: self.tr("Beside the conversation: settings, thinking, injected texts"),
        }
        for kind, found in self._records.items():
            self.kinds.addItem(f"{names[kind]} · {found.count:,}")
        self.about = QLabel(self)
        self.about.setWordWrap(True)
        set_role(self.about, role="caption")
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Other records"))
        self.list.setMinimumWidth(160)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_role(self.list, role="card")
        self.text = plain_box(self, self.tr("The record as it stands in the transcript"))
        self.text.setFont(Theme.current().font("code"))
        self._lay_out()
        self.kinds.currentIndexChanged.connect(self._show_kind)
        self.list.currentRowChanged.connect(self._show)
        self._show_kind(0)

    def _lay_out(self) -> None:
        buttons = self.closing_buttons()
        both = QSplitter(self)
        both.addWidget(self.list)
        both.addWidget(self.text)
        both.setChildrenCollapsible(False)
        both.setSizes([240, 480])
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(8)
        column.addWidget(self.kinds)
        column.addWidget(self.about)
        column.addWidget(both, 1)
        column.addWidget(buttons)
        self.resize(760, 520)

    @property
    def _of_kind(self) -> OtherRecords:
        at = self.kinds.currentIndex()
        return list(self._records.values())[at] if 0 <= at < len(self._records) else OtherRecords((), 0)

    def _show_kind(self, at: int) -> None:
        del at
        found = self._of_kind
        self.list.clear()
        self.text.clear()
        for one in found.newest:
            self.list.addItem(self._line(one))
        words = self.tr(
            "None of them is a message of the conversation. They are shown as they stand in the transcript."
        )
        if len(found.newest) < found.count:
            words += " " + self.tr("These are the newest {number}.").format(number=f"{len(found.newest):,}")
        self.about.setText(words)
        self.list.setCurrentRow(len(found.newest) - 1, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _line(self, one: OtherRecord) -> str:
        words = " ".join(tidied(one.raw[: 4 * _LINE]).split())[:_LINE]
        return self.tr("{number}: {words}").format(number=f"{one.number:,}", words=words or self.tr("nothing readable"))

    def _show(self, row: int) -> None:
        found = self._of_kind.newest
        if 0 <= row < len(found):
            one = found[row]
            when = moment_words(local_time(one.when)) if one.when is not None else ""
            self.list.setToolTip(when)
            self.text.setPlainText(tidied(laid_out_json(one.raw)))
