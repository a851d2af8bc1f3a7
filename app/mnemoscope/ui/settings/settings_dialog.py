"""Settings: the model and its key, memory, tools, appearance. Never blocks the loop: shown with `open()`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.agent.tools.command_quoting import shown_command
from mnemoscope.domain.settings import DREAM, THEMES, Settings
from mnemoscope.llm.model_catalog import ModelChoice
from mnemoscope.store.workspace.approvals import KeptApproval
from mnemoscope.ui.settings.memory_section import CaptureSection, DreamSection, MemorySection, NotesSection
from mnemoscope.ui.settings.model_section import BackgroundSection, ModelSection
from mnemoscope.ui.settings.section import Section, changed_values
from mnemoscope.ui.settings.settings_pages import SettingsPages
from mnemoscope.ui.widgets.accessibility.tab_order import controls_of
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, room_for
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme, set_role

_SIZE = (780, 760)
_LOW = 480
"""With less height than this over the window, the dialog takes all that the screen has."""
_APPROVAL_ROWS = 4


class SettingsDialog(Dialog):
    """Edits `Settings`; `applied` carries the changed values by name, `key_entered` a KeyEntered."""

    manual_page: ClassVar = "settings"
    applied = Signal(dict)
    key_entered = Signal(object)

    def __init__(self, settings: Settings, choices: Sequence[ModelChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self._settings = settings
        self.model = ModelSection(settings, choices, self)
        self.background = BackgroundSection(settings, choices, self)
        self.memory = MemorySection(settings, self)
        self.dream = DreamSection(settings, choices, self)
        self.memory.profile_changed.connect(self._show_dream)
        self.capture = CaptureSection(settings, self)
        self.memory.profile_changed.connect(self.capture.follow_profile)
        self.notes = NotesSection(settings, self)
        self.memory.profile_changed.connect(self.notes.follow_profile)
        self.tools = ToolsSection(settings, self)
        self.appearance = AppearanceSection(settings, self)
        for section in (self.model, self.background, self.dream):
            section.named.connect(self._follow_models)
        self._follow_models()
        self._lay_out()
        self._show_dream(settings.profile)
        self.pages.focus_first()
        wanted = QSize(*(Theme.current().scaled(side) for side in _SIZE))
        wanted.setWidth(max(wanted.width(), self.pages.wanted_width()))
        room = wanted if parent is None else parent.size() - QSize(40, 40)
        if room.height() < Theme.current().scaled(_LOW):
            room.setHeight(room_for(self).height())
        self.resize(wanted.boundedTo(room))

    @property
    def sections(self) -> tuple[Section, ...]:
        """Returns all sections, from the top."""
        return (
            self.model,
            self.background,
            self.memory,
            self.dream,
            self.capture,
            self.notes,
            self.tools,
            self.appearance,
        )

    def show_model_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Offers models wherever one is chosen for a use."""
        self.model.show_choices(choices)
        self.background.show_choices(choices)

    def show_place(self, place: str) -> None:
        """Goes to the field of a place: `background`, `limit`, `answers`, `memory`, `window`, `dream` or `search`.

        "" is none.
        """
        fields = {
            "background": (self.background, self.background.focus_model),
            "limit": (self.background, self.background.focus_limit),
            "answers": (self.model, self.model.focus_longest),
            "memory": (self.memory, self.memory.focus_profile),
            "window": (self.memory, self.memory.focus_window),
            "dream": (self.dream, self.dream.focus_cron),
            "search": (self.notes, self.notes.focus_meaning),
        }
        found = fields.get(place)
        if found is None:
            return
        section, focus = found
        if section.isHidden():
            # Where this workspace does not dream, what would make it do so stands in its place.
            self.pages.show_section(self.memory)
            self.pages.focus_first()
            return
        self.pages.show_section(section)
        focus()

    def set_read_only(self) -> None:
        """Lets nothing be changed but the appearance, which belongs to no workspace."""
        for section in self.sections:
            section.set_read_only()

    def _lay_out(self) -> None:
        pages = {
            self.tr("Model"): (self.model,),
            self.tr("In the background"): (self.background,),
            self.tr("Memory"): (self.memory, self.dream, self.capture),
            self.tr("Notes and context"): (self.notes,),
            self.tr("Tools"): (self.tools,),
            self.tr("Window"): (self.appearance,),
        }
        self.pages = SettingsPages(pages, self)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.pages, 1)
        footer = self._buttons()
        outer.addWidget(footer)
        # The list comes before the first field: Tab goes round.
        self.setTabOrder(controls_of(footer)[-1], self.pages.index)

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
        row.setContentsMargins(24, 8, 24, 8)
        row.addWidget(box)
        return footer

    def _show_dream(self, profile: str) -> None:
        self.dream.setVisible(profile == DREAM)

    def _apply(self) -> None:
        if self.dream.problem and self.memory.profile == DREAM:
            self.pages.show_section(self.dream)
            self.dream.focus_cron()
            return
        if self.notes.problem:
            self.pages.show_section(self.notes)
            self.notes.focus_zone()
            return
        values = {name: value for section in self.sections for name, value in section.values().items()}
        if entered := self.model.take_key():
            self.key_entered.emit(entered)
        self.applied.emit(changed_values(self._settings, values, self._sizes_beside()))
        self.accept()

    def _follow_models(self) -> None:
        """Offers the context size of each model that has none elsewhere on these pages."""
        answers, address = self.model.model_name(), self.model.typed().api_base
        in_background = self.background.model_name()
        self.background.context.follow_where_set(in_background, address, (answers,))
        self.dream.context.follow_where_set(self.dream.model_name(), address, (answers, in_background))

    def _sizes_beside(self) -> dict[str, int]:
        """Returns the context sizes of the models beside the one that answers, by name."""
        sections = (self.dream, self.background)
        return {each.model_name(): each.context.tokens for each in sections if each.form.isRowVisible(each.context)}


class AppearanceSection(Section):
    """Sets appearance and language."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Window"))
        self._theme = ComboBox(self)
        self._theme.setAccessibleName(self.tr("Appearance"))
        labels = {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        for theme in THEMES:
            self._theme.addItem(labels[theme], theme)
        self._theme.setCurrentIndex(THEMES.index(settings.theme))
        self._language = ComboBox(self)
        self._language.setAccessibleName(self.tr("Language"))
        for code, label in (("", self.tr("As the system")), ("en", "English"), ("zh_CN", "简体中文")):
            self._language.addItem(label, code)
        self._language.setCurrentIndex(max(0, self._language.findData(settings.language)))
        self.row(self.tr("Appearance"), self._theme)
        self.row(self.tr("Language"), self._language)
        self.note(self.tr("A new language is used from the next start."))

    def values(self) -> dict[str, Any]:
        """Returns theme and language, by the name of the setting."""
        return {"theme": self._theme.currentData(), "language": self._language.currentData()}


class ToolsSection(Section):
    """Sets whether commands may be asked for, and lists those approved for always. `forget_requested` carries some of
    these, a list."""

    forget_requested = Signal(list)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Tools"))
        self._exec = QCheckBox(self.tr("Let the assistant ask to run commands"), self)
        self._exec.setChecked(settings.exec_enabled)
        self.row("", self._exec)
        self.note(self.tr("Each command is shown first and runs only if you approve it."))
        self._lock = self.note()
        self._kept = QListWidget(self)
        self._kept.setAccessibleName(self.tr("Commands that are not asked about any more"))
        self._kept.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self._kept.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._kept.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._kept.setSpacing(2)
        set_role(self._kept, role="card")
        self._kept.itemSelectionChanged.connect(self._on_selection)
        self.row(self.tr("Not asked about any more"), self._kept)
        self._buttons = self._make_buttons()
        self.row("", self._buttons)
        self._listed: Sequence[KeptApproval] = ()
        self.show_approvals(())

    def values(self) -> dict[str, Any]:
        """Returns whether commands may be asked for."""
        return {"exec_enabled": self._exec.isChecked()}

    def set_read_only(self) -> None:
        """Lets nothing here be changed."""
        for field in (self._exec, self._kept, self._buttons):
            field.setEnabled(False)

    def show_confinement(self, name: str, advice: str) -> None:
        """Says what commands are locked into, or, where there is nothing, what to do about it."""
        self._lock.setText(
            self.tr("Commands run locked into {name}, without network.").format(name=name)
            if name
            else self.tr("Commands cannot be confined on this computer, so none is run. {advice}").format(advice=advice)
        )

    def show_approvals(self, kept: Sequence[KeptApproval]) -> None:
        """Lists the commands that were approved for always."""
        self._listed = kept
        self._kept.clear()
        for one in kept:
            where = self.tr("in {folder}").format(folder=shown_command([one.folder]))
            item = QListWidgetItem(f"{shown_command(one.argv)}\n{where}")
            item.setToolTip(plain_tooltip(item.text()))
            self._kept.addItem(item)
        rows = min(_APPROVAL_ROWS, len(kept))
        self._kept.setFixedHeight(rows * (self._kept.sizeHintForRow(0) + 4) + 12 if rows else 0)
        for field in (self._kept, self._buttons):
            self.form.setRowVisible(field, bool(kept))
        self._on_selection()

    def _make_buttons(self) -> QWidget:
        holder = QWidget(self)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._forget = QPushButton(self.tr("Forget"), holder)
        self._forget.clicked.connect(self._on_forget)
        forget_all = QPushButton(self.tr("Forget all"), holder)
        forget_all.clicked.connect(lambda: self.forget_requested.emit(list(self._listed)))
        for button in (self._forget, forget_all):
            row.addWidget(button)
        row.addStretch(1)
        return holder

    def _on_selection(self) -> None:
        self._forget.setEnabled(bool(self._kept.selectedItems()))

    def _on_forget(self) -> None:
        rows = sorted({self._kept.row(item) for item in self._kept.selectedItems()})
        self.forget_requested.emit([self._listed[row] for row in rows])
