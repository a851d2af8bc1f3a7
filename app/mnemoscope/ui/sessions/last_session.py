"""Which conversation of a workspace was in front when its window was closed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings


class LastSession:
    """One workspace's, in the settings of the window."""

    def __init__(self, settings: QSettings, root: Path) -> None:
        self._settings = settings
        self._name = f"sessions/{str(root).replace('/', '|')}"

    def key(self) -> str:
        """Its key; "" where none is known."""
        return str(self._settings.value(self._name, ""))

    def note(self, key: str) -> None:
        """From now on it is this one."""
        self._settings.setValue(self._name, key)
