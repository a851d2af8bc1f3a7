"""Lines that are shown as just changed, for a moment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QPlainTextEdit

FLASH_MS: Final = 2_500


class LineFlash(QObject):
    """Knows which lines of an editor are fresh; the editor paints them."""

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self.numbers: frozenset[int] = frozenset()
        """From 0."""
        self._moment = QTimer(self, singleShot=True, interval=FLASH_MS)
        self._moment.timeout.connect(self.forget)

    def show(self, numbers: Iterable[int]) -> None:
        """Have these lines (from 0) stand out for a moment."""
        self.numbers = frozenset(numbers)
        self._moment.start()
        self._edit.viewport().update()

    def forget(self) -> None:
        """No line stands out any longer."""
        self._moment.stop()
        self.numbers = frozenset()
        self._edit.viewport().update()

    def reveal(self) -> None:
        """Have the first of them in sight."""
        if not self.numbers:
            return
        block = self._edit.document().findBlockByNumber(min(self.numbers))
        rows = self._edit.viewport().height() // max(1, self._edit.fontMetrics().lineSpacing())
        first, stop = block.firstLineNumber(), block.firstLineNumber() + block.lineCount()
        bar = self._edit.verticalScrollBar()
        if not bar.value() <= first <= stop <= bar.value() + rows:
            bar.setValue(first - rows // 3)
