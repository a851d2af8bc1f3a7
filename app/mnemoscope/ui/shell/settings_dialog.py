"""Settings: the model and its key, memory, tools, appearance. Never blocks the loop: shown with `open()`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.agent.models import KeyState
from mnemoscope.domain.settings import BUILT_IN_MODEL, THEMES, Settings
from mnemoscope.llm.catalog import ModelChoice
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, Theme, set_role

_LABEL_WIDTH = 128
_SIZE = (620, 720)


@dataclass(frozen=True, slots=True)
class KeyEntered:
    """A key the person typed; `keep` asks for the system's keychain, otherwise it is known for this run only."""

    model: str
    api_base: str
    key: str
    keep: bool


class SettingsDialog(QDialog):
    """Edits `Settings`; `applied` carries the changed values by name, `key_entered` a key."""

    applied = Signal(dict)
    key_entered = Signal(object)
    search_servers_requested = Signal()
    key_status_requested = Signal(str, str)

    def __init__(self, settings: Settings, choices: Sequence[ModelChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self._settings = settings
        self._can_keep, self._reading = True, False
        self._make_model_fields()
        self._make_other_fields()
        self._lay_out()
        self.show_choices(choices)
        self._model_changed()
        wanted = QSize(*(Theme.current().scaled(side) for side in _SIZE))
        self.resize(wanted if parent is None else wanted.boundedTo(parent.size() - QSize(40, 40)))

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

    def offer_looks_only(self) -> None:
        """The workspace is only read: what belongs to it is shown and stays as it is."""
        for field in (self._model, self._find, self._base, self._key, self._keep, self._window, self._exec):
            field.setEnabled(False)
        self._reading = True
        self._model_note.setText(self.tr("The workspace is open for reading only: these settings stay as they are."))

    def servers_found(self, count: int) -> None:
        """Say how the search for local servers ended."""
        self._find.setEnabled(True)
        self._found.setText(
            self.tr("%n model(s) found on this computer.", "", count)
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
        self._key_note.setVisible(bool(self._key_note.text()))
        self._keep.setEnabled(status.can_keep and not self._reading)
        self._keep.setChecked(status.can_keep)
        self._keep.setText(
            self.tr("Keep the key in the system's keychain")
            if status.can_keep
            else self.tr("This system has no keychain: the key is kept for this run only")
        )

    def model_name(self) -> str:
        """The chosen or typed model's name as the provider takes it."""
        choice, typed = self._model.currentData(), self._model.currentText()
        if isinstance(choice, ModelChoice) and typed == self._model.itemText(self._model.currentIndex()):
            return choice.id
        return typed.strip()

    def _make_model_fields(self) -> None:
        self._model = QComboBox(self)
        self._model.setEditable(True)
        self._model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._model.setAccessibleName(self.tr("Model"))
        typed = self._model.lineEdit()
        if typed is not None:
            typed.setAccessibleName(self.tr("Model"))
        self._model.currentTextChanged.connect(lambda _text: self._model_changed())
        self._model.activated.connect(lambda _row: self._take_address())
        self._model_note = _note(self)
        self._base = QLineEdit(self._settings.api_base, self)
        self._base.setPlaceholderText(self.tr("The provider's own address"))
        self._base.setAccessibleName(self.tr("Server address"))
        self._base.editingFinished.connect(self.ask_key_status)
        self._key = QLineEdit(self)
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key.setPlaceholderText(self.tr("Unchanged"))
        self._key.setAccessibleName(self.tr("Key"))
        self._keep = QCheckBox(self.tr("Keep the key in the system's keychain"), self)
        self._key_note = _note(self)
        self._key_note.hide()
        self._find = QPushButton(self.tr("Look for local servers"), self)
        self._find.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._find.clicked.connect(self._on_find)
        self._found = _note(self)

    def _make_other_fields(self) -> None:
        self._window = QSpinBox(self)
        self._window.setRange(0, 100_000)
        self._window.setValue(self._settings.memory_window)
        self._window.setSuffix(self.tr(" messages"))
        self._window.lineEdit().setTextMargins(8, 0, 0, 0)
        self._window.setAccessibleName(self.tr("Memory window"))
        self._exec = QCheckBox(self.tr("Let the assistant ask to run commands"), self)
        self._exec.setChecked(self._settings.exec_enabled)
        self._theme = QComboBox(self)
        self._theme.setAccessibleName(self.tr("Appearance"))
        labels = {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        for theme in THEMES:
            self._theme.addItem(labels[theme], theme)
        self._theme.setCurrentIndex(THEMES.index(self._settings.theme))
        self._language = QComboBox(self)
        self._language.setAccessibleName(self.tr("Language"))
        for code, label in (("", self.tr("As the system")), ("en", "English"), ("zh_CN", "简体中文")):
            self._language.addItem(label, code)
        self._language.setCurrentIndex(max(0, self._language.findData(self._settings.language)))

    def _lay_out(self) -> None:
        body = QWidget(self)
        column = QVBoxLayout(body)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        self._add_model_section(column)
        self._add_memory_section(column)
        self._add_look_section(column)
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll, 1)
        outer.addWidget(self._buttons())

    def _add_model_section(self, column: QVBoxLayout) -> None:
        self._model_form = form = _section(column, self.tr("Model"))
        _row(form, self.tr("Name"), self._model)
        _row(form, "", self._model_note)
        _row(form, "", self._find)
        _row(form, "", self._found)
        form.setRowVisible(self._found, False)
        _row(form, self.tr("Server address"), self._base)
        _row(form, self.tr("Key"), self._key)
        _row(form, "", self._keep)
        _row(form, "", self._key_note)

    def _add_memory_section(self, column: QVBoxLayout) -> None:
        form = _section(column, self.tr("Memory"))
        _row(form, self.tr("Memory window"), self._window)
        note = _note(self)
        note.setText(self.tr("When this many messages are not yet settled, the older half is consolidated."))
        _row(form, "", note)
        form = _section(column, self.tr("Tools"))
        _row(form, "", self._exec)
        note = _note(self)
        note.setText(self.tr("Each command is shown first and runs only if you approve it."))
        _row(form, "", note)

    def _add_look_section(self, column: QVBoxLayout) -> None:
        form = _section(column, self.tr("Window"))
        _row(form, self.tr("Appearance"), self._theme)
        _row(form, self.tr("Language"), self._language)
        note = _note(self)
        note.setText(self.tr("A new language is used from the next start."))
        _row(form, "", note)

    def _buttons(self) -> QWidget:
        footer = QFrame(self)
        set_role(footer, role="footer")
        box = QDialogButtonBox(footer)
        save = box.addButton(self.tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_role(save, kind="primary")
        box.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        box.accepted.connect(self._apply)
        box.rejected.connect(self.reject)
        row = QHBoxLayout(footer)
        row.setContentsMargins(24, 12, 24, 12)
        row.addWidget(box)
        return footer

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

    def ask_key_status(self) -> None:
        """Have `show_key_status` called for what is chosen now."""
        self.key_status_requested.emit(self.model_name(), self._base.text().strip())

    def _take_address(self) -> None:
        choice = self._model.currentData()
        if isinstance(choice, ModelChoice):
            self._base.setText(choice.api_base)

    def _on_find(self) -> None:
        self._find.setEnabled(False)
        self._model_form.setRowVisible(self._found, True)
        self._found.setText(self.tr("Looking…"))
        self.search_servers_requested.emit()

    def _apply(self) -> None:
        values = {
            "model": self.model_name() or BUILT_IN_MODEL,
            "api_base": self._base.text().strip(),
            "memory_window": self._window.value(),
            "exec_enabled": self._exec.isChecked(),
            "theme": self._theme.currentData(),
            "language": self._language.currentData(),
        }
        if self._key.text().strip():
            keep = self._keep.isChecked() and self._can_keep
            base = str(values["api_base"])
            self.key_entered.emit(KeyEntered(str(values["model"]), base, self._key.text().strip(), keep))
            self._key.clear()
        self.applied.emit({name: value for name, value in values.items() if value != getattr(self._settings, name)})
        self.accept()


def _section(column: QVBoxLayout, title: str) -> QFormLayout:
    heading = QLabel(title)
    set_role(heading, role="heading")
    column.addSpacing(8)
    column.addWidget(heading)
    form = QFormLayout()
    form.setHorizontalSpacing(16)
    form.setVerticalSpacing(6)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    column.addLayout(form)
    return form


def _row(form: QFormLayout, title: str, field: QWidget) -> None:
    label = QLabel(title)
    label.setFixedWidth(Theme.current().scaled(_LABEL_WIDTH))
    label.setWordWrap(True)
    label.setBuddy(field)
    if title:
        label.setMinimumHeight(Theme.current().height(CONTROL_HEIGHT))
    form.addRow(label, field)


def _note(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return set_role(label, role="caption")  # type: ignore[return-value]
