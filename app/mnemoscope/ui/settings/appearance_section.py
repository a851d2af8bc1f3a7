"""How the window looks, and in which language it speaks: settings of this computer, not of the workspace."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QComboBox, QWidget

from mnemoscope.domain.settings import THEMES, Settings
from mnemoscope.ui.settings.section import Section


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
