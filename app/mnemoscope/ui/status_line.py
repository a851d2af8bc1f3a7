"""The line at the bottom: what is saved, which profile, what memory did last."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from mnemoscope.ui.theme import Theme, set_role, theme_notifier


class StatusLine(QStatusBar):
    """Quiet captions; each changes on its own."""

    def __init__(self, version: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._dot_role = "success"
        self._dot, self._saved = self._caption(), self._caption(self.tr("Saved"))
        self._profile, self._memory = self._caption(), self._caption()
        self._right, self._version = self._caption(), self._caption(f"v{version}")
        for label in (self._dot, self._saved, self._profile, self._memory):
            self.addWidget(label)
        self.addPermanentWidget(self._right)
        self.addPermanentWidget(self._version)
        self._clear = QTimer(self)
        self._clear.setSingleShot(True)
        self._clear.setInterval(8_000)
        self._clear.timeout.connect(lambda: self._right.setText(""))
        self.setContentsMargins(10, 0, 10, 0)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def show_saved(self, words: str, role: str = "success") -> None:
        """State whether everything is on disk; `role` colours the mark beside the words."""
        self._saved.setText(words)
        self._dot_role = role
        self._restyle()

    def show_profile(self, words: str) -> None:
        """Name the memory profile."""
        self._profile.setText(words)

    def show_memory(self, words: str) -> None:
        """Say what memory did last."""
        self._memory.setText(words)

    def say(self, words: str) -> None:
        """Show a passing remark for some seconds."""
        self._right.setText(words)
        self._clear.start()

    def _caption(self, text: str = "") -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setContentsMargins(4, 0, 8, 0)
        set_role(label, role="caption")
        return label

    def _restyle(self) -> None:
        icon = Theme.current().icon(
            "circle-check" if self._dot_role == "success" else "circle-alert", self._dot_role, 14
        )
        self._dot.setPixmap(icon.pixmap(14, 14))
