"""When a conversation is consolidated."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QSpinBox, QWidget

from mnemoscope.domain.settings import Settings
from mnemoscope.ui.settings.form import Section


class MemorySection(Section):
    """The memory window."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Memory"))
        self._window = QSpinBox(self)
        self._window.setRange(0, 100_000)
        self._window.setValue(settings.memory_window)
        self._window.setSuffix(self.tr(" messages"))
        self._window.lineEdit().setTextMargins(8, 0, 0, 0)
        self._window.setAccessibleName(self.tr("Memory window"))
        self.row(self.tr("Memory window"), self._window)
        self.note(self.tr("When this many messages are not yet settled, the older half is consolidated."))

    def values(self) -> dict[str, Any]:
        """The window."""
        return {"memory_window": self._window.value()}

    def only_show(self) -> None:
        """Nothing here can be changed."""
        self._window.setEnabled(False)
