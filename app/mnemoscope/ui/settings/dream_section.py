"""When Dream runs by itself, with which model, and what a run may cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QWidget

from mnemoscope.domain.settings import Settings
from mnemoscope.llm.catalog import ModelChoice
from mnemoscope.ui.settings.section import LIMITS, TYPING_MS, Section
from mnemoscope.ui.widgets.theme import set_role


class DreamSection(Section):
    """`cron_typed` asks whether an expression can be followed; `show_cron_problem` is the answer."""

    cron_typed = Signal(str)

    def __init__(self, settings: Settings, choices: Sequence[ModelChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Dream"))
        self._problem = ""
        self._enabled = QCheckBox(self.tr("Let Dream run by itself"), self)
        self._enabled.setChecked(settings.dream_enabled)
        self._hours = self._number(
            "dream_interval_hours", settings.dream_interval_hours, self.tr("Every so many hours")
        )
        self._hours.setSuffix(self.tr(" hours"))
        self._hours.setPrefix(self.tr("every "))
        self._cron = QLineEdit(settings.dream_cron, self)
        self._cron.setPlaceholderText(self.tr("Instead of the hours, such as 0 */4 * * *"))
        self._cron.setAccessibleName(self.tr("Cron expression"))
        self._model = self._make_model(settings.dream_model, choices)
        self._tokens = self._number("dream_max_tokens", settings.dream_max_tokens, self.tr("Tokens a run"), 10_000)
        self._tokens.setSuffix(self.tr(" tokens"))
        self._tokens.setSpecialValueText(self.tr("No limit"))
        self._tokens.setGroupSeparatorShown(True)
        self._day = self._number("dream_day_tokens", settings.dream_day_tokens, self.tr("Tokens a day"), 100_000)
        self._day.setSuffix(self.tr(" tokens"))
        self._day.setSpecialValueText(self.tr("No limit"))
        self._day.setGroupSeparatorShown(True)
        self._idle = self._number(
            "idle_compact_minutes",
            settings.idle_compact_minutes,
            self.tr("Minutes until an idle conversation is settled"),
        )
        self._idle.setSuffix(self.tr(" minutes"))
        self._idle.setSpecialValueText(self.tr("Never"))
        self._lay_out()
        self._wait = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._wait.timeout.connect(lambda: self.cron_typed.emit(self._cron.text().strip()))
        self._cron.textChanged.connect(lambda _text: self._wait.start())
        self._enabled.toggled.connect(lambda _on: self._show_state())
        self._show_state()

    @property
    def problem(self) -> str:
        """Why the cron expression cannot be followed, as far as that was asked; "" where it can."""
        return self._problem

    def values(self) -> dict[str, Any]:
        """Everything, by the name of the setting."""
        return {
            "dream_enabled": self._enabled.isChecked(),
            "dream_interval_hours": self._hours.value(),
            "dream_cron": self._cron.text().strip(),
            "dream_model": self._model.currentText().strip(),
            "dream_max_tokens": self._tokens.value(),
            "dream_day_tokens": self._day.value(),
            "idle_compact_minutes": self._idle.value(),
        }

    def only_show(self) -> None:
        """Lets nothing here be changed."""
        for field in (self._enabled, self._hours, self._cron, self._model, self._tokens, self._day, self._idle):
            field.setEnabled(False)

    def ask_cron(self) -> None:
        """Have what stands there looked at now."""
        self._wait.stop()
        self.cron_typed.emit(self._cron.text().strip())

    def show_cron_problem(self, cron: str, problem: str) -> None:
        """Say why `cron` cannot be followed, "" where it can; an answer on what was typed before is passed over."""
        if cron == self._cron.text().strip():
            self._problem = problem
            self._show_state()

    def focus_cron(self) -> None:
        """Go to the expression that cannot be followed."""
        self._cron.setFocus()
        self._cron.selectAll()

    def _make_model(self, model: str, choices: Sequence[ModelChoice]) -> QComboBox:
        box = QComboBox(self)
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.addItem("")
        box.addItems([choice.id for choice in choices])
        box.setCurrentText(model)
        box.setAccessibleName(self.tr("Model for Dream"))
        typed = box.lineEdit()
        if typed is not None:
            typed.setPlaceholderText(self.tr("The model that answers"))
            typed.setAccessibleName(self.tr("Model for Dream"))
        return box

    def _number(self, name: str, value: int, title: str, step: int = 1) -> QSpinBox:
        box = QSpinBox(self)
        box.setRange(*LIMITS[name])
        box.setSingleStep(step)
        box.setValue(value)
        box.lineEdit().setTextMargins(8, 0, 0, 0)
        box.setAccessibleName(title)
        return box

    def _lay_out(self) -> None:
        self.row("", self._enabled)
        self._off = self.note(self.tr("Entries wait until you run it. Nothing is lost."))
        self.row(self.tr("How often"), self._hours)
        self.row(self.tr("Cron expression"), self._cron)
        self._cron_note = self.note()
        self.row(self.tr("Model"), self._model)
        self.row(self.tr("Tokens a run"), self._tokens)
        self.row(self.tr("Tokens a day"), self._day)
        self.row(self.tr("Settle when idle"), self._idle)
        self.note(self.tr("A conversation in which nothing was said for so long is summed up."))

    def _show_state(self) -> None:
        on = self._enabled.isChecked()
        self.form.setRowVisible(self._off, not on)
        takes_precedence = bool(self._cron.text().strip()) and not self._problem
        words = self._problem or (self.tr("It stands before the hours.") if takes_precedence else "")
        self._cron_note.setText(words)
        set_role(self._cron_note, role="danger-caption" if self._problem else "caption")
        self.form.setRowVisible(self._cron_note, bool(words))
