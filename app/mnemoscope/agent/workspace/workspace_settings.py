"""The settings of an open workspace: read at any time, changed on the disk's thread, and announced."""

from __future__ import annotations

from typing import Any

from mnemoscope.agent.workspace.folder_trust import FolderTrust
from mnemoscope.domain.events import EventBus, SettingsChanged
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.settings_store import SettingsStore


class WorkspaceSettings:
    """Knows the settings in force; `store` holds them in config.json."""

    def __init__(self, store: SettingsStore, disk: Disk, bus: EventBus, trust: FolderTrust) -> None:
        """`trust` hears of what is set here: that is agreed to by the act."""
        self.store = store
        self._disk = disk
        self._bus = bus
        self._trust = trust

    def current(self) -> Settings:
        """Returns the settings in force."""
        return self.store.settings

    async def change(self, **values: Any) -> Settings:
        """Changes settings by name and writes them. Raises SettingsError or StorageError; nothing was written then."""
        before = self.store.settings
        settings = await self._disk.run(self.store.change, **values)
        await self._trust.agree_by_setting(before, settings, frozenset(values))
        self._bus.publish(SettingsChanged())
        return settings

    async def set_aside(self) -> str:
        """Renames a malformed config.json so that settings can be kept again; returns its new name.

        Raises StorageError.
        """
        kept = await self._disk.run(self.store.set_aside)
        await self._trust.look()
        self._bus.publish(SettingsChanged())
        return kept.name

    def reload(self) -> bool:
        """Reads config.json again, and returns whether anything else is in force now."""
        before = self.store.settings
        return self.store.load() != before
