"""Search over everything a workspace remembers, under the name seed 002 gives it: `memory_search`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.llm import Embedder
from mnemoscope.domain.settings import is_built_in
from mnemoscope.memory.search.meaning_search import MeaningSearch
from mnemoscope.memory.search.recall import Hit, search_memory
from mnemoscope.store.journals.capture_log import CaptureLog
from mnemoscope.store.search.passage_search import WorkspaceSearch
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.sources import SearchKind
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore

MOST: Final = 50
_MODELS: Final = frozenset({"assistant", "tool"})


@dataclass(frozen=True, slots=True)
class Behind:
    """The messages [start, stop) of a conversation that a passage comes from."""

    session_key: str
    start: int
    stop: int


def memory_search(
    query: str,
    workspace_dir: Path | str,
    user_id: str = "",
    *,
    embedder: Embedder | None = None,
    model: str = "",
) -> list[dict[str, Any]]:
    """The best 50 passages, and the best of each place, best first; `[]` for an empty query.

    Each is `file` (relative to the workspace), `line` (from 1), `content` and `score`, and where it is known `session`
    and `message`: the conversation and the number of the message behind it. `user_id`: only what is tagged with that
    user, or with none.

    By words; with an `embedder` by meaning too, where `model` or else config.json names an embedding model. What has no
    vector of that model yet is embedded first and kept in the index, which throws another model's away. Raises
    ModelError where the model fails. A workspace without `.mnemoscope` has no place to keep vectors: by words alone.
    """
    paths = WorkspacePaths.found(Path(workspace_dir))
    search = WorkspaceSearch(paths)
    try:
        search.catch_up()
        semantic = _nearest(search, query, paths, embedder, model) if embedder is not None else ()
        hits = search.find(query, MOST, semantic=semantic)
        problem = search.state.problem
    finally:
        search.close()
    if problem:
        return [{"file": hit.source, "content": hit.text} for hit in search_memory(paths, query, MOST)]
    origins = Origins(paths)
    return [_as_dict(hit, origins.behind(hit)) for hit in hits if _is_for(user_id, hit.text)]


def _nearest(
    search: WorkspaceSearch, query: str, paths: WorkspacePaths, embedder: Embedder, model: str
) -> Sequence[int]:
    name = model.strip() or SettingsStore(paths, read_only=True).load().embedding_model.strip()
    if not query.strip() or is_built_in(name):
        return ()
    meaning = MeaningSearch(search, embedder, name)
    meaning.embed_missing()
    return meaning.nearest(query)


def agent_passages(paths: WorkspacePaths, query: str, hits: Sequence[SearchHit], problem: str = "") -> list[Hit]:
    """What was found in words for a model; where there is no index (`problem`), found by reading the files."""
    if problem:
        return search_memory(paths, query, len(hits) or MOST)
    # What a model said once is no source for what it says next, unless there is no other.
    told = [hit for hit in hits if hit.role not in _MODELS] or hits
    return [Hit(hit.path, _where(hit), hit.text) for hit in told]


class Origins:
    """What the log of captures and the ledger say of where passages come from, as of when they are first asked."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self._lines: dict[str, Behind] | None = None
        self._entries: dict[str, Behind] | None = None

    def behind(self, hit: SearchHit) -> Behind | None:
        """The messages behind a passage; None where nobody noted them. Blocks on the disk."""
        if hit.spot >= 0:
            return Behind(hit.session_key, hit.spot, hit.spot + 1)
        if hit.kind in (SearchKind.MEMORY, SearchKind.STATE):
            return self._captured().get(hit.text)
        if hit.kind is SearchKind.HISTORY:
            return self._consolidated().get(hit.text)
        return None

    def _captured(self) -> dict[str, Behind]:
        if self._lines is None:
            self._lines = {}
            # What cannot be read says nothing of where a line comes from; the line is found all the same.
            with suppress(MnemoscopeError):
                for record in CaptureLog(self._paths).newest_first():
                    behind = Behind(record.session_key, record.index, record.index + 1)
                    for line in filter(None, (record.memory_line, record.state_line)):
                        self._lines.setdefault(line.strip(), behind)
        return self._lines

    def _consolidated(self) -> dict[str, Behind]:
        if self._entries is None:
            self._entries = {}
            with suppress(MnemoscopeError):
                for record in Ledger(self._paths).records():
                    behind = Behind(record.session_key, record.start, record.stop)
                    self._entries[record.entry.strip()] = behind
        return self._entries


def _where(hit: SearchHit) -> str:
    """A time where there is one, else the line; and who said it."""
    place = hit.when or f"line {hit.line}"
    return f"{place}, {hit.role}" if hit.role else place


def _as_dict(hit: SearchHit, behind: Behind | None) -> dict[str, Any]:
    found = {"file": hit.path, "line": hit.line, "content": hit.text, "score": hit.score}
    if behind is not None:
        found |= {"session": behind.session_key, "message": behind.start}
    return found


def _is_for(user_id: str, text: str) -> bool:
    return not user_id or "[user:" not in text or f"[user:{user_id}]" in text
