"""Theme and language: the workspace's settings, or the window's own where the workspace may not be written."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QSettings

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.settings import THEMES

_NAMES: Final = ("theme", "language")


class Looks:
    """How one window looks and which language it speaks."""

    def __init__(self, settings: QSettings, bench: Workbench) -> None:
        self._settings, self._bench = settings, bench

    @property
    def theme(self) -> str:
        """One of THEMES."""
        theme = self._own("theme")
        return theme if theme in THEMES else self._bench.settings.theme

    @property
    def language(self) -> str:
        """A locale's name, or "" for the system's."""
        language = self._own("language")
        return self._bench.settings.language if language is None else language

    def keep(self, values: dict[str, Any]) -> dict[str, Any]:
        """Keep here what config.json cannot take; the rest of `values`, which belongs there."""
        if not self._bench.read_only:
            return values
        for name in _NAMES:
            if name in values:
                self._settings.setValue(f"reading/{name}", values[name])
        return {name: value for name, value in values.items() if name not in _NAMES}

    def _own(self, name: str) -> str | None:
        kept = self._settings.value(f"reading/{name}") if self._bench.read_only else None
        return None if kept is None else str(kept)
