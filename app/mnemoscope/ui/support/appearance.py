"""Keeps one window's theme, language and zoom in step with the settings and the system."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.settings import THEMES
from mnemoscope.ui.widgets.theme import apply_theme

_NAMES: Final = ("theme", "language")
_ZOOMS: Final = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


class Appearance(QObject):
    """Takes theme and language from the workspace's settings, or the window's own where the workspace may not be
    written."""

    def __init__(self, app: QApplication, settings: QSettings, bench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._app = app
        self._settings = settings
        self._bench = bench
        self._applied = self.theme
        self._zoom = float(settings.value("window/zoom", 1.0))  # type: ignore[arg-type]
        app.styleHints().colorSchemeChanged.connect(self._on_scheme)
        self.follow()

    @property
    def theme(self) -> str:
        """Returns one of THEMES."""
        theme = self._own("theme")
        return theme if theme in THEMES else self._bench.settings.theme

    @property
    def language(self) -> str:
        """Returns a locale's name, or "" for the system's."""
        language = self._own("language")
        return self._bench.settings.language if language is None else language

    def keep(self, values: dict[str, Any]) -> dict[str, Any]:
        """Keeps here what config.json cannot take, and returns the rest of `values`, which belongs there."""
        if not self._bench.read_only:
            return values
        for name in _NAMES:
            if name in values:
                self._settings.setValue(f"reading/{name}", values[name])
        return {name: value for name, value in values.items() if name not in _NAMES}

    def apply(self) -> None:
        """Puts theme and zoom on."""
        apply_theme(self._app, self.theme, self._zoom)

    def zoom(self, step: int) -> None:
        """Makes everything one step larger or smaller; 0 gives the ordinary size."""
        nearest = min(range(len(_ZOOMS)), key=lambda at: abs(_ZOOMS[at] - self._zoom))
        self._zoom = _ZOOMS[min(max(nearest + step, 0), len(_ZOOMS) - 1)] if step else 1.0
        self.apply()

    def follow(self) -> None:
        """Takes the theme of changed settings, and their language for the next start."""
        self._settings.setValue("window/language", self.language)
        if self.theme != self._applied:
            self._applied = self.theme
            self.apply()

    def remember(self) -> None:
        """Keeps the zoom for the next start."""
        self._settings.setValue("window/zoom", self._zoom)

    def _own(self, name: str) -> str | None:
        kept = self._settings.value(f"reading/{name}") if self._bench.read_only else None
        return None if kept is None else str(kept)

    def _on_scheme(self) -> None:
        if self.theme == "system":
            self.apply()
