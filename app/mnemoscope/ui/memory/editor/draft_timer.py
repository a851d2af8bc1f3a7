"""Unsaved words are told soon after they are typed, so that a kill loses none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

DRAFT_MS: Final = 800
"""Unsaved words are announced as a draft within this time."""


class DraftTimer(QObject):
    """Emits `changed(text, based_on)` while there is something unsaved, `dropped` once there is not."""

    changed = Signal(str, str)
    dropped = Signal()

    def __init__(self, unsaved: Callable[[], tuple[str, str] | None], parent: QObject) -> None:
        super().__init__(parent)
        self._unsaved = unsaved
        self._kept = False
        self._timer = QTimer(self, singleShot=True, interval=DRAFT_MS)
        self._timer.timeout.connect(self.announce)

    def note_edit(self) -> None:
        """Something was typed: announce it soon, however long the typing goes on."""
        if not self._timer.isActive():
            self._timer.start()

    def restored(self) -> None:
        """A draft of an earlier run is in the editor."""
        self._kept = True

    def forget(self) -> None:
        """Another text is shown; its drafts begin anew."""
        self._timer.stop()
        self._kept = False

    def announce(self) -> None:
        """Say what is unsaved, or that nothing is any more: a draft left behind would come back over newer text."""
        self._timer.stop()
        unsaved = self._unsaved()
        if unsaved is not None:
            self._kept = True
            self.changed.emit(*unsaved)
        elif self._kept:
            self._kept = False
            self.dropped.emit()
