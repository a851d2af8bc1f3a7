"""Settings: the model and its key, memory, tools, appearance. Never blocks the loop: shown with `open()`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.settings import DREAM, THEMES, Settings
from mnemoscope.llm.catalog import ModelChoice
from mnemoscope.ui.settings.memory_section import CaptureSection, DreamSection, MemorySection, NotesSection
from mnemoscope.ui.settings.model_section import ModelSection
from mnemoscope.ui.settings.section import Section
from mnemoscope.ui.settings.tools_section import ToolsSection
from mnemoscope.ui.widgets.theme import Theme, set_role

_SIZE = (620, 720)


class SettingsDialog(QDialog):
    """Edits `Settings`; `applied` carries the changed values by name, `key_entered` a KeyEntered."""

    applied = Signal(dict)
    key_entered = Signal(object)

    def __init__(self, settings: Settings, choices: Sequence[ModelChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self._settings = settings
        self.model = ModelSection(settings, choices, self)
        self.memory = MemorySection(settings, self)
        self.capture = CaptureSection(settings, self)
        self.memory.profile_changed.connect(self.capture.follow_profile)
        self.dream = DreamSection(settings, choices, self)
        self.memory.profile_changed.connect(self._show_dream)
        self.notes = NotesSection(settings, self)
        self.memory.profile_changed.connect(self.notes.follow_profile)
        self.tools = ToolsSection(settings, self)
        self.look = AppearanceSection(settings, self)
        self._lay_out()
        self._show_dream(settings.profile)
        wanted = QSize(*(Theme.current().scaled(side) for side in _SIZE))
        self.resize(wanted if parent is None else wanted.boundedTo(parent.size() - QSize(40, 40)))

    @property
    def sections(self) -> tuple[Section, ...]:
        """All of them, from the top."""
        return (self.model, self.memory, self.capture, self.dream, self.notes, self.tools, self.look)

    def offer_looks_only(self) -> None:
        """Lets nothing be changed that belongs to a workspace that is only read."""
        for section in self.sections:
            section.only_show()

    def _lay_out(self) -> None:
        body = QWidget(self)
        column = QVBoxLayout(body)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        for section in self.sections:
            column.addWidget(section)
        column.addStretch(1)
        scroll = self._scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(body)
        # Rows that come later, or larger text, never reach beyond the edge: there is no scrolling sideways.
        body.installEventFilter(self)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll, 1)
        outer.addWidget(self._buttons())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Makes the dialog as wide as its rows need, as far as the window has room."""
        if event.type() == QEvent.Type.LayoutRequest and isinstance(watched, QWidget):
            parent = self.parentWidget()
            least = watched.minimumSizeHint().width() + self._scroll.verticalScrollBar().sizeHint().width()
            self._scroll.setMinimumWidth(min(least, parent.width() - 40) if parent else least)
        return super().eventFilter(watched, event)

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

    def _show_dream(self, profile: str) -> None:
        self.dream.setVisible(profile == DREAM)

    def _apply(self) -> None:
        if self.dream.problem and self.memory.profile == DREAM:
            self.dream.focus_cron()
            return
        if self.notes.problem:
            self.notes.focus_zone()
            return
        values = {name: value for section in self.sections for name, value in section.values().items()}
        if entered := self.model.take_key():
            self.key_entered.emit(entered)
        self.applied.emit({name: value for name, value in values.items() if value != getattr(self._settings, name)})
        self.accept()


class AppearanceSection(Section):
    """Appearance and language."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Window"))
        self._theme = QComboBox(self)
        self._theme.setAccessibleName(self.tr("Appearance"))
        labels = {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        for theme in THEMES:
            self._theme.addItem(labels[theme], theme)
        self._theme.setCurrentIndex(THEMES.index(settings.theme))
        self._language = QComboBox(self)
        self._language.setAccessibleName(self.tr("Language"))
        for code, label in (("", self.tr("As the system")), ("en", "English"), ("zh_CN", "简体中文")):
            self._language.addItem(label, code)
        self._language.setCurrentIndex(max(0, self._language.findData(settings.language)))
        self.row(self.tr("Appearance"), self._theme)
        self.row(self.tr("Language"), self._language)
        self.note(self.tr("A new language is used from the next start."))

    def values(self) -> dict[str, Any]:
        """Both."""
        return {"theme": self._theme.currentData(), "language": self._language.currentData()}
