"""The search of one workspace: its logs as lists and its ranked passages, over one database."""

from __future__ import annotations

import sqlite3
from functools import cached_property
from typing import TYPE_CHECKING

from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.search.database import FullTextMissing, SearchDatabase
from mnemoscope.store.search.log_search import INDEX_FROM, LogSearch
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.store.search.passage_search import PassageSearch


class WorkspaceSearch:
    """Searches one workspace. `writable` False: nothing is written in it, the index is a temporary file.

    `calls` say whether its folder is the one that was opened: of another one nothing is indexed. Logs of more than
    `index_from` entries are indexed. Used by one thread at a time.
    """

    def __init__(
        self,
        paths: WorkspacePaths,
        *,
        writable: bool = True,
        calls: FileCalls = REAL_CALLS,
        index_from: int = INDEX_FROM,
    ) -> None:
        self._paths = paths
        usable = writable and paths.own.folder.is_dir()
        self.database = SearchDatabase(paths.own.search_file if usable else None, calls=calls)
        self.logs = LogSearch(paths, self.database, index_from=index_from)

    @cached_property
    def passages(self) -> PassageSearch:
        """Returns the ranked search; what it takes is loaded when something is first asked of it."""
        # Half a second that the first window would wait for.
        from mnemoscope.store.search.passage_search import PassageSearch

        return PassageSearch(self._paths, self.database)

    @property
    def has_stale_passages(self) -> bool:
        """Returns whether the ranked search lost its index and has not begun a new one."""
        return "passages" in vars(self) and self.passages.is_stale

    def has_indexed_passages(self) -> bool:
        """Returns whether there is an index of passages, from now or before."""
        try:
            found = self.database.connection.execute("SELECT 1 FROM files LIMIT 1").fetchone()
        except (sqlite3.Error, OSError, FullTextMissing):
            return False
        return found is not None

    def close(self) -> None:
        """Closes all files."""
        if "passages" in vars(self):
            self.passages.stop()
        self.logs.close()
        self.database.close()
