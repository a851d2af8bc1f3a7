"""The line at the bottom: what is saved, which profile, what memory did last."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_REMARK_MS: Final = 8_000


class StatusLine(QStatusBar):
    """Shows quiet captions, each of which changes on its own. A passing remark goes after `remark_ms`, or with the next
    trouble.

    A `meaning` is a sentence on what the words say, for who rests the pointer on them.
    """

    def __init__(self, version: str, parent: QWidget | None = None, *, remark_ms: int = _REMARK_MS) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._dot_role = "success"
        self._all_saved = self.tr("Saved")
        self._all_saved_meaning = self.tr("What was said, and what was saved, is on the disk.")
        self._held: dict[str, tuple[str, str]] = {}
        self._dot, self._saved = QLabel(self), self._caption(self._all_saved)
        self._profile, self._memory = self._caption(), self._caption()
        self._spending = self._caption()
        self._right, self._version = self._caption(), self._caption(f"v{version}")
        self._dot.setContentsMargins(4, 0, 0, 0)
        for label in (self._dot, self._saved, self._profile, self._memory):
            self.addWidget(label)
        self.addPermanentWidget(self._right)
        self.addPermanentWidget(self._spending)
        self.addPermanentWidget(self._version)
        self._clear = QTimer(self)
        self._clear.setSingleShot(True)
        self._clear.setInterval(remark_ms)
        self._clear.timeout.connect(lambda: self.show_remark(""))
        self.setContentsMargins(10, 0, 10, 0)
        theme_notifier().changed.connect(self._restyle)
        self._show_state()

    def show_saved(self, words: str, meaning: str) -> None:
        """Says this while everything is on disk."""
        self._all_saved, self._all_saved_meaning = words, meaning
        self._show_state()

    def hold(self, what: str, words: str, role: str = "warning") -> None:
        """Says that something is not on disk, until it is released. `role` colours the mark beside the words."""
        self._held[what] = (words, role)
        # That all is well again is not so any more.
        self._show(self._right, "", "")
        self._show_state()

    def release(self, what: str) -> None:
        """Says no more that this is not on disk."""
        if self._held.pop(what, None) is not None:
            self._show_state()

    def _show_state(self) -> None:
        held = list(self._held.values())
        not_kept = self.tr("This is not on the disk yet: {what}.").format(what=", ".join(words for words, _ in held))
        words = " · ".join(words for words, _ in held)
        self._show(self._saved, words or self._all_saved, not_kept if held else self._all_saved_meaning)
        roles = {role for _, role in held}
        self._dot_role = "danger" if "danger" in roles else "warning" if roles else "success"
        self._restyle()

    def show_profile(self, words: str, meaning: str = "") -> None:
        """Names the memory profile."""
        self._show(self._profile, words, meaning)

    def show_memory(self, words: str, meaning: str = "") -> None:
        """Says what memory did last."""
        self._show(self._memory, words, meaning)

    def show_spending(self, words: str, meaning: str = "") -> None:
        """Says what models cost today."""
        self._show(self._spending, words, meaning)

    def show_remark(self, words: str, meaning: str = "") -> None:
        """Shows a passing remark for some seconds."""
        self._show(self._right, words, meaning)
        if words:
            self._clear.start()

    def _show(self, label: QLabel, words: str, meaning: str) -> None:
        label.setText(words)
        label.setToolTip(plain_tooltip(meaning) if meaning else "")

    def _caption(self, text: str = "") -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        set_role(label, role="caption")
        return label

    def _restyle(self) -> None:
        name = "circle-check" if self._dot_role == "success" else "circle-alert"
        side = Theme.current().scaled(14)
        icon = Theme.current().icon(name, self._dot_role)
        self._dot.setPixmap(icon.pixmap(QSize(side, side), self.devicePixelRatioF()))
