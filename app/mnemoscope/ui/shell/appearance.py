"""How the application looks: theme and zoom, kept in step with the settings and the system."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication

from mnemoscope.ui.support.appearance import Looks
from mnemoscope.ui.widgets.theme import apply_theme

_ZOOMS: Final = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


class Appearance(QObject):
    """Dresses the application as `looks` says; the zoom is remembered in `settings`."""

    def __init__(self, app: QApplication, looks: Looks, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._app, self._looks, self._settings = app, looks, settings
        self._theme = looks.theme
        self._zoom = float(settings.value("window/zoom", 1.0))  # type: ignore[arg-type]
        app.styleHints().colorSchemeChanged.connect(self._on_scheme)

    def apply(self) -> None:
        """Put theme and zoom on."""
        apply_theme(self._app, self._looks.theme, self._zoom)

    def zoom(self, step: int) -> None:
        """One step larger or smaller; 0 for the ordinary size."""
        nearest = min(range(len(_ZOOMS)), key=lambda at: abs(_ZOOMS[at] - self._zoom))
        self._zoom = _ZOOMS[min(max(nearest + step, 0), len(_ZOOMS) - 1)] if step else 1.0
        self.apply()

    def follow(self) -> None:
        """The settings changed: take up their theme, and their language for the next start."""
        self._settings.setValue("window/language", self._looks.language)
        if self._looks.theme != self._theme:
            self._theme = self._looks.theme
            self.apply()

    def remember(self) -> None:
        """Note the zoom for the next start."""
        self._settings.setValue("window/zoom", self._zoom)

    def _on_scheme(self) -> None:
        if self._looks.theme == "system":
            self.apply()
