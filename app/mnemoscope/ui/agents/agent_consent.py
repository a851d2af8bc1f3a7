"""Keeps where the person lets other agents be looked at: their consent, which they give and take back in a window."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSettings

from mnemoscope.agent.foreign.fact_copying import AgreedPlaces

_LOOK: Final = "agents/look"
_FOLDERS: Final = "agents/folders"


class AgentConsent:
    """Reads and writes the consent in the settings that all windows of the person share. The usual places lie below the
    home folder, and where the environment says."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings
        self._home = Path.home()
        self._environment: Mapping[str, str] = os.environ

    def look_below(self, home: Path, environment: Mapping[str, str]) -> None:
        """Takes the usual places below another home folder, as the tour does."""
        self._home = home
        self._environment = environment

    def places(self) -> AgreedPlaces:
        """Returns the places that the person agreed to."""
        looks = bool(self._settings.value(_LOOK) == "yes")
        return AgreedPlaces(self._home, self._environment, looks, tuple(map(Path, self._folders())))

    def agree(self) -> None:
        """Notes that the person lets the usual places be looked at."""
        self._settings.setValue(_LOOK, "yes")

    def add_folder(self, path: Path) -> None:
        """Notes that the person lets a folder of their choice be looked at."""
        folders = self._folders()
        if str(path) not in folders:
            self._settings.setValue(_FOLDERS, json.dumps([*folders, str(path)]))

    def withdraw(self) -> None:
        """Notes that no place may be looked at any more."""
        self._settings.remove(_LOOK)
        self._settings.remove(_FOLDERS)

    def _folders(self) -> list[str]:
        try:
            kept = json.loads(str(self._settings.value(_FOLDERS) or "[]"))
        except ValueError:
            return []
        return [each for each in kept if isinstance(each, str)] if isinstance(kept, list) else []
