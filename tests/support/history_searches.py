"""Searches of history logs as the tests of their edges open them."""

from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.search.log_search import HistorySearch
from mnemoscope.store.workspace.paths import WorkspacePaths


def opened(paths: WorkspacePaths, *, index_from: int = 20_000, writable: bool = True) -> HistorySearch:
    """A search that has taken in all there is."""
    search = HistorySearch(paths, index_from=index_from, writable=writable)
    search.refresh()
    while search.work(0.5)[0]:
        pass
    return search


def texts(search: HistorySearch, query: HistoryQuery, limit: int = 50) -> list[str]:
    """The words of what is found, newest first."""
    return [match.entry.text for match in search.search(query, limit=limit).matches]
