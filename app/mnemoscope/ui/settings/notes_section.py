"""What is noted by day, how the context is guarded, what memory may take of a prompt, and which model searches it."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QSpinBox, QWidget

from mnemoscope.domain.settings import FIELDS, LAYER_CHOICES, THREE_TIER, Settings
from mnemoscope.ui.settings.section import Section
from mnemoscope.ui.widgets.theme import set_role

_TYPING_MS: Final = 250
_LIMITS: Final = {field.name: (int(field.low or 0), int(field.high or 0)) for field in FIELDS}


class NotesSection(Section):
    """`zone_typed` asks whether there is a time zone of that name; `show_zone_problem` is the answer."""

    zone_typed = Signal(str)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Notes and context"))
        self._problem = ""
        self._notes = self._layer(settings.daily_notes, self.tr("Daily notes"))
        self._guard = self._layer(settings.context_guard, self.tr("Guarded context"))
        self._zone = QLineEdit(settings.time_zone, self)
        self._zone.setPlaceholderText(self.tr("The system's, or such as Asia/Tashkent"))
        self._zone.setAccessibleName(self.tr("Time zone"))
        self._budget = QSpinBox(self)
        self._budget.setRange(*_LIMITS["memory_budget_tokens"])
        self._budget.setSingleStep(500)
        self._budget.setGroupSeparatorShown(True)
        self._budget.setSuffix(self.tr(" tokens"))
        self._budget.setValue(settings.memory_budget_tokens)
        self._budget.lineEdit().setTextMargins(8, 0, 0, 0)
        self._budget.setAccessibleName(self.tr("Memory in a prompt"))
        self.row(self.tr("Daily notes"), self._notes)
        self.note(self.tr("After each answer, a line of both sides goes into the day's file."))
        self.row(self.tr("Guarded context"), self._guard)
        self.note(
            self.tr(
                "A working buffer at half of the model's context, and beyond 60 % only the first and last messages."
            )
        )
        self.row(self.tr("Time zone"), self._zone)
        self._zone_note = self.note()
        self.row(self.tr("Memory in a prompt"), self._budget)
        self._add_meaning(settings.embedding_model)
        self._wait = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._wait.timeout.connect(lambda: self.zone_typed.emit(self._zone.text().strip()))
        self._zone.textChanged.connect(lambda _text: self._wait.start())
        self.show_zone_problem(self._zone.text().strip(), "")
        self.follow_profile(settings.profile)

    def follow_profile(self, profile: str) -> None:
        """Say what the first choice of each layer means with this profile."""
        words = self.tr("Default: on") if profile == THREE_TIER else self.tr("Default: off")
        for box in (self._notes, self._guard):
            box.setItemText(0, words)

    @property
    def problem(self) -> str:
        """Why the time zone cannot be followed, as far as that was asked; "" where it can."""
        return self._problem

    def values(self) -> dict[str, Any]:
        """Everything, by the name of the setting."""
        return {
            "daily_notes": self._notes.currentData(),
            "context_guard": self._guard.currentData(),
            "time_zone": self._zone.text().strip(),
            "memory_budget_tokens": self._budget.value(),
            "embedding_model": self._meaning.text().strip(),
        }

    def only_show(self) -> None:
        """Nothing here can be changed."""
        for field in (self._notes, self._guard, self._zone, self._budget, self._meaning):
            field.setEnabled(False)

    def focus_zone(self) -> None:
        """Go to the time zone that there is none of."""
        self._zone.setFocus()
        self._zone.selectAll()

    def show_zone_problem(self, zone: str, problem: str) -> None:
        """Say why `zone` cannot be followed, "" where it can; an answer on what was typed before is passed over."""
        if zone == self._zone.text().strip():
            self._problem = problem
            self._zone_note.setText(problem)
            set_role(self._zone_note, role="danger-caption" if problem else "caption")
            self.form.setRowVisible(self._zone_note, bool(problem))

    def _add_meaning(self, model: str) -> None:
        """The model that embeds, and what it gets to see."""
        self._meaning = QLineEdit(model, self)
        self._meaning.setPlaceholderText(self.tr("Off, or such as ollama/nomic-embed-text"))
        self._meaning.setAccessibleName(self.tr("Search by meaning"))
        self.row(self.tr("Search by meaning"), self._meaning)
        self.note(
            self.tr(
                "The name of an embedding model. All of memory, notes and conversations, and what you search for, is "
                "sent to its server: the server address above, or the provider's own. local/wordllama runs on this "
                "computer and sends nothing; empty, the search is by words alone."
            )
        )

    def _layer(self, chosen: str, name: str) -> QComboBox:
        """A choice of the profile's way, on, or off."""
        words = {"": "", "on": self.tr("On"), "off": self.tr("Off")}
        box = QComboBox(self)
        for choice in LAYER_CHOICES:
            box.addItem(words[choice], choice)
        box.setCurrentIndex(LAYER_CHOICES.index(chosen))
        box.setAccessibleName(name)
        return box
