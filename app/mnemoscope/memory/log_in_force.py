"""Which history log is written: HISTORY.md, or the journal that Dream reads."""

from __future__ import annotations

from mnemoscope.domain.settings import DREAM
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import inspect_workspace


class LogInForce:
    """What `use_journal` said last; until it says something, what the workspace's profile says."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self._wanted: bool | None = None

    def use_journal(self, wanted: bool) -> None:
        """Consolidate into history.jsonl from now on, as Dream wants it, or into HISTORY.md and MEMORY.md."""
        self._wanted = wanted

    def is_journal(self) -> bool:
        """Whether history.jsonl is written. Reads config.json where nobody said it."""
        if self._wanted is None:
            profile = inspect_workspace(self._paths.root).profile
            settings = SettingsStore(self._paths, profile=profile, read_only=True).load()
            self._wanted = settings.profile == DREAM
        return self._wanted
