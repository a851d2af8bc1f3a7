"""Sets which model answers, where its server is, and its key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QSizePolicy, QWidget

from mnemoscope.agent.workspace.model_choice import KeyState
from mnemoscope.domain.settings import BUILT_IN_MODEL, Settings
from mnemoscope.llm.catalog import ModelChoice
from mnemoscope.ui.settings.section import Section
from mnemoscope.ui.widgets.fields import ComboBox


@dataclass(frozen=True, slots=True)
class KeyEntered:
    """A key the person typed; `keep` asks for the system's keychain, otherwise it is known for this run only."""

    model: str
    api_base: str
    key: str
    keep: bool


class ModelSection(Section):
    """The model's name, address and key."""

    search_servers_requested = Signal()
    key_status_requested = Signal(str, str)

    def __init__(self, settings: Settings, choices: Sequence[ModelChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Model"))
        self._settings = settings
        self._can_keep, self._reading = True, False
        self._make_fields()
        self._lay_out()
        self.show_choices(choices)
        self._model_changed()

    def values(self) -> dict[str, Any]:
        """Model and address."""
        return {"model": self.model_name() or BUILT_IN_MODEL, "api_base": self._base.text().strip()}

    def take_key(self) -> KeyEntered | None:
        """Returns the key that was typed, once; None where none was."""
        typed = self._key.text().strip()
        self._key.clear()
        if not typed:
            return None
        keep = self._keep.isChecked() and self._can_keep
        return KeyEntered(str(self.values()["model"]), self._base.text().strip(), typed, keep)

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Fill the list of models; the one in force stays chosen, also if it is not in the list."""
        wanted = self.model_name() or self._settings.model
        self._model.blockSignals(True)
        self._model.clear()
        for choice in choices:
            built_in = choice.id == BUILT_IN_MODEL
            self._model.addItem(self.tr("Built-in, no language model") if built_in else choice.label, choice)
        position = next((row for row, one in enumerate(choices) if one.id == wanted), -1)
        self._model.setCurrentIndex(position)
        if position < 0:
            self._model.setEditText(wanted)
        self._model.blockSignals(False)

    def only_show(self) -> None:
        """Lets nothing here be changed."""
        for field in (self._model, self._find, self._base, self._key, self._keep):
            field.setEnabled(False)
        self._reading = True
        self._model_note.setText(self.tr("The workspace is open for reading only: these settings stay as they are."))

    def servers_found(self, count: int) -> None:
        """Say how the search for local servers ended."""
        self._find.setEnabled(True)
        self._found.setText(
            self.tr("%n models found on this computer.", "", count)
            if count
            else self.tr("No model server answers on this computer. Start Ollama or LM Studio, then look again.")
        )

    def show_key_status(self, status: KeyState) -> None:
        """Say where the key of the chosen model is, if it needs one."""
        words = {
            "keychain": self.tr("A key is kept in the system's keychain. Type a new one to replace it."),
            "this run": self.tr("A key is known for this run."),
            "environment": self.tr("The key is taken from the environment."),
            "": self.tr("This model needs a key. It is never written into the workspace."),
        }
        self._can_keep = status.can_keep
        self._key_note.setText(words[status.origin] if status.needed or status.origin else "")
        self.form.setRowVisible(self._key_note, bool(self._key_note.text()))
        self._keep.setEnabled(status.can_keep and not self._reading)
        self._keep.setChecked(status.can_keep)
        self._keep.setText(
            self.tr("Keep the key in the system's keychain")
            if status.can_keep
            else self.tr("This system has no keychain: the key is kept for this run only")
        )

    def model_name(self) -> str:
        """Returns the chosen or typed model's name as the provider takes it."""
        choice, typed = self._model.currentData(), self._model.currentText()
        if isinstance(choice, ModelChoice) and typed == self._model.itemText(self._model.currentIndex()):
            return choice.id
        return typed.strip()

    def ask_key_status(self) -> None:
        """Have `show_key_status` called for what is chosen now."""
        self.key_status_requested.emit(self.model_name(), self._base.text().strip())

    def _make_fields(self) -> None:
        # Tab goes in the order in which they are made: as they stand.
        self._model = ComboBox(self)
        self._model.setEditable(True)
        self._model.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
        self._model.setAccessibleName(self.tr("Model"))
        typed = self._model.lineEdit()
        if typed is not None:
            typed.setAccessibleName(self.tr("Model"))
        self._model.currentTextChanged.connect(lambda _text: self._model_changed())
        self._model.activated.connect(lambda _row: self._take_address())
        self._find = QPushButton(self.tr("Look for local servers"), self)
        self._find.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._find.clicked.connect(self._on_find)
        self._base = QLineEdit(self._settings.api_base, self)
        self._base.setPlaceholderText(self.tr("The provider's own address"))
        self._base.setAccessibleName(self.tr("Server address"))
        self._base.editingFinished.connect(self.ask_key_status)
        self._key = QLineEdit(self)
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key.setPlaceholderText(self.tr("Unchanged"))
        self._key.setAccessibleName(self.tr("Key"))
        self._keep = QCheckBox(self.tr("Keep the key in the system's keychain"), self)

    def _lay_out(self) -> None:
        self.row(self.tr("Name"), self._model)
        self._model_note = self.note()
        self.row("", self._find)
        self._found = self.note()
        self.form.setRowVisible(self._found, False)
        self.row(self.tr("Server address"), self._base)
        self.row(self.tr("Key"), self._key)
        self.row("", self._keep)
        self._key_note = self.note()
        self.form.setRowVisible(self._key_note, False)

    def _model_changed(self) -> None:
        name = self.model_name()
        built_in = name in {BUILT_IN_MODEL, ""}
        for field in (self._base, self._key, self._keep):
            field.setEnabled(not built_in)
        self._model_note.setText(
            self.tr("Built-in, no language model: it answers by quoting what it finds in memory and history.")
            if built_in
            else self.tr("Any name that litellm knows, such as openai/gpt-4o-mini or ollama/qwen3:8b.")
        )
        self.ask_key_status()

    def _take_address(self) -> None:
        choice = self._model.currentData()
        if isinstance(choice, ModelChoice):
            self._base.setText(choice.api_base)

    def _on_find(self) -> None:
        self._find.setEnabled(False)
        self.form.setRowVisible(self._found, True)
        self._found.setText(self.tr("Looking…"))
        self.search_servers_requested.emit()
