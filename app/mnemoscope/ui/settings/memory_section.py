"""How a workspace's memory is kept, and when a conversation is consolidated."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QSpinBox, QVBoxLayout, QWidget

from mnemoscope.domain.settings import DREAM, PROFILES, THREE_TIER, TWO_LAYER, Settings
from mnemoscope.ui.settings.section import Section
from mnemoscope.ui.widgets.theme import Theme

_UNDER_WORDS: Final = 24
"""So far right of a button's mark do its words stand."""


class MemorySection(Section):
    """The profile and the memory window. `profile_changed` carries the profile that is chosen in the dialog."""

    profile_changed = Signal(str)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Memory"))
        self._profiles = QButtonGroup(self)
        self.row(self.tr("How memory is kept"), self._make_choice(settings.profile))
        self._window = QSpinBox(self)
        self._window.setRange(0, 100_000)
        self._window.setValue(settings.memory_window)
        self._window.setSuffix(self.tr(" messages"))
        self._window.lineEdit().setTextMargins(8, 0, 0, 0)
        self._window.setAccessibleName(self.tr("Memory window"))
        self.row(self.tr("Memory window"), self._window)
        self._window_note = self.note(
            self.tr("When this many messages are not yet settled, the older half is consolidated.")
        )
        self._profiles.buttonClicked.connect(lambda _button: self._on_profile())
        self._on_profile()

    @property
    def profile(self) -> str:
        """The profile that is chosen."""
        chosen = self._profiles.checkedButton()
        return str(chosen.property("profile")) if chosen is not None else TWO_LAYER

    def choose(self, profile: str) -> None:
        """Choose a profile as a click would; one that is not offered is passed over."""
        for button in self._profiles.buttons():
            if button.property("profile") == profile:
                button.click()

    def values(self) -> dict[str, Any]:
        """Profile and window."""
        return {"profile": self.profile, "memory_window": self._window.value()}

    def only_show(self) -> None:
        """Nothing here can be changed."""
        self._window.setEnabled(False)
        for button in self._profiles.buttons():
            button.setEnabled(False)

    def _make_choice(self, now: str) -> QWidget:
        """A button and a sentence for each profile."""
        told = {
            TWO_LAYER: (
                self.tr("Two layers"),
                self.tr("Each consolidation adds an entry to HISTORY.md and rewrites MEMORY.md."),
            ),
            DREAM: (
                self.tr("Dream"),
                self.tr("Summaries go to a journal, and Dream edits SOUL.md, USER.md and MEMORY.md by small steps."),
            ),
            THREE_TIER: (
                self.tr("Three tiers"),
                self.tr("Facts are kept before each answer, exchanges in daily notes; nothing is rewritten."),
            ),
        }
        holder = QWidget(self)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        for profile in PROFILES:
            title, sentence = told[profile]
            column.addSpacing(6 if column.count() else 0)
            button = QRadioButton(title, holder)
            button.setProperty("profile", profile)
            button.setChecked(profile == now)
            button.setAccessibleDescription(sentence)
            self._profiles.addButton(button)
            column.addWidget(button)
            words = self.explanation(sentence, holder)
            words.setIndent(0)
            words.setContentsMargins(Theme.current().scaled(_UNDER_WORDS), 0, 0, 0)
            column.addWidget(words)
        return holder

    def _on_profile(self) -> None:
        counted = self.profile == TWO_LAYER
        for field in (self._window, self._window_note):
            self.form.setRowVisible(field, counted)
        self.profile_changed.emit(self.profile)
