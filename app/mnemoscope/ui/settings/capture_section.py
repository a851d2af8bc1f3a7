"""Whether what is said is kept before it is answered."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from mnemoscope.domain.settings import DREAM, LAYER_CHOICES, Settings
from mnemoscope.ui.settings.section import Section


class CaptureSection(Section):
    """Capture as the profile has it, on or off, and the pause."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Capture"))
        self._choice = QComboBox(self)
        self._choice.setAccessibleName(self.tr("Capture"))
        self._choice.addItems(["", self.tr("On"), self.tr("Off")])
        self._choice.setCurrentIndex(LAYER_CHOICES.index(settings.capture))
        self.row(self.tr("What you say"), self._choice)
        self.note(
            self.tr("Your name, preferences, decisions and corrections are written to memory before you are answered.")
        )
        self._paused = QCheckBox(self.tr("Paused: nothing is kept for the moment"), self)
        self._paused.setChecked(settings.capture_paused)
        self.row("", self._paused)
        self._choice.currentIndexChanged.connect(lambda _index: self._follow())
        self.follow_profile(settings.profile)

    def follow_profile(self, profile: str) -> None:
        """Say what the first choice means with this profile."""
        self._by_profile = profile != DREAM
        words = self.tr("Default: on") if self._by_profile else self.tr("Default: off")
        self._choice.setItemText(0, words)
        self._follow()

    def values(self) -> dict[str, Any]:
        """The choice and the pause."""
        return {
            "capture": LAYER_CHOICES[self._choice.currentIndex()],
            "capture_paused": self._paused.isChecked(),
        }

    def only_show(self) -> None:
        """Nothing here can be changed."""
        self._choice.setEnabled(False)
        self._paused.setEnabled(False)

    def _follow(self) -> None:
        choice = LAYER_CHOICES[self._choice.currentIndex()]
        self._paused.setEnabled(self._choice.isEnabled() and (choice == "on" or (not choice and self._by_profile)))
