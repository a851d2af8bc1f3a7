"""Searches of history logs as the tests of their edges open them."""

from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.search.log_search import LogSearch
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths


def opened(paths: WorkspacePaths, *, index_from: int = 20_000, writable: bool = True) -> WorkspaceSearch:
    """Returns a search whose logs have taken in all there is."""
    search = WorkspaceSearch(paths, index_from=index_from, writable=writable)
    search.logs.refresh()
    while search.logs.work(0.5)[0]:
        pass
    return search


def texts(logs: LogSearch, query: HistoryQuery, limit: int = 50) -> list[str]:
    """Returns the words of what is found, newest first."""
    return [match.entry.text for match in logs.search(query, limit=limit).matches]
