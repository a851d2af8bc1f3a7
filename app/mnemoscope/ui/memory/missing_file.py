"""A memory file that is gone: its last version is offered, and nothing is written until the person decides."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from mnemoscope.ui.memory.file_tabs import name_of
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.widgets.notice_bar import NoticeAction


class MissingFile(QObject):
    """The bar of one document that says so; `restore` writes the version it is given."""

    def __init__(self, document: MemoryDocument, restore: Callable[[str], object]) -> None:
        super().__init__(document)
        self._pane, self._restore = document, restore

    def offer(self, version: str) -> None:
        """Offer this version, or to start empty."""
        words = self.tr("{name} is missing. Its last version is kept; nothing is written until you decide.")
        actions: list[NoticeAction] = [
            (self.tr("Restore last version"), lambda: self._restore(version)),
            (self.tr("Start empty"), self._start_empty),
        ]
        self._pane.bars.put("missing", "warning", words.format(name=name_of(self._pane.path)), actions, closable=False)

    def _start_empty(self) -> None:
        self._pane.bars.take("missing")
        self._pane.note_gone(False)
