"""Search over everything a workspace remembers, under Qanot's name for it: `memory_search`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.forgetting.forgotten_lines import without_forgotten
from mnemoscope.domain.llm import Embedder, Vector
from mnemoscope.domain.memory.change import author_for_model
from mnemoscope.domain.settings import Settings, embedding_model_in_force
from mnemoscope.memory.capture.active_states import ActiveStates
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges
from mnemoscope.memory.search.inactive_lines import InactiveLines
from mnemoscope.memory.search.origins import MOST, Origins
from mnemoscope.memory.search.recall import found_in_files, passages_without_forgotten
from mnemoscope.store.capture.session_state_files import SessionStates
from mnemoscope.store.forgetting.tombstones_file import tombstones_of_this_person
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.search.embedded_texts import BATCH, LONGEST_QUESTION, EmbeddedQuestion, embedded_texts, meanings
from mnemoscope.store.search.search_hit import SearchHit, files_of, without_inactive
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore

if TYPE_CHECKING:
    from mnemoscope.store.search.passage_search import PassageSearch


def memory_search(
    query: str,
    workspace_dir: Path | str,
    user_id: str = "",
    *,
    embedder: Embedder | None = None,
    model: str = "",
) -> list[dict[str, Any]]:
    """Returns the best 50 passages, and the best of each place, best first; `[]` for an empty query.

    Each is `file` (relative to the workspace), `line` (from 1), `content` and `score`, and where it is known `session`
    and `message`: the conversation and the number of the message behind it; of a line of memory `by`: who wrote it, in
    words, as "another program, or by hand". `user_id`: only what is tagged with that user, or with none.

    By words; with an `embedder` by meaning too, where `model` or else config.json names an embedding model. What has no
    vector of that model yet is embedded first and kept in the index, which throws another model's away. Raises
    ModelError where the model fails. A workspace without `.mnemoscope` has no place to keep vectors: by words alone.
    Where SQLite cannot search text, the files are read, and nothing has a `score`. Of what the person had forgotten
    nothing is found.
    """
    paths = WorkspacePaths.found(Path(workspace_dir))
    is_forgotten = tombstones_of_this_person(paths).forgotten_now()
    search = WorkspaceSearch(paths)
    try:
        passages = search.passages
        passages.catch_up()
        semantic = _embedded(passages, query, paths, embedder, model, is_forgotten) if embedder is not None else None
        hits = passages.find(query, MOST, semantic=semantic)
        problem = passages.state.problem
    finally:
        search.close()

    def inactive_lines(files: Collection[str]) -> Mapping[str, Collection[str]]:
        sessions = SessionManager(paths.root, read_only=True)
        states = ActiveStates(SessionStates(paths, sessions.stem_of), CaptureLog(paths), sessions.load)
        # Where nothing can be read that tells, all that was found is given.
        with suppress(MnemoscopeError):
            return InactiveLines(InactiveExchanges(paths, sessions.with_branch), states).of(files)
        return {}

    if problem:
        remembered = passages_without_forgotten(found_in_files(paths, query, inactive_lines), is_forgotten)
        found = (each for each in remembered if _is_for(user_id, each.text))
        return [{"file": each.source, "line": each.line, "content": each.text} for each in islice(found, MOST)]
    origins = Origins(paths)
    hits = without_inactive(hits, inactive_lines(files_of(hits)))
    texts = ((hit, without_forgotten(hit.text, is_forgotten)[0]) for hit in hits if _is_for(user_id, hit.text))
    return [_as_dict(hit, origins) | {"content": text} for hit, text in texts if text.strip()]


def _embedded(
    search: PassageSearch,
    query: str,
    paths: WorkspacePaths,
    embedder: Embedder,
    model: str,
    is_forgotten: Callable[[str], bool],
) -> EmbeddedQuestion | None:
    named = model.strip() or SettingsStore(paths, read_only=True).load().embedding_model.strip()
    # An embedder of the caller's own knows models of its own, so none is taken that nobody named.
    name = embedding_model_in_force(Settings(embedding_model=named)) if named else ""
    if not query.strip() or not name:
        return None
    meaning = MeaningSearch(search, embedder, name, is_forgotten)
    meaning.embed_missing()
    return meaning.embedded(query)


class MeaningSearch:
    """Passages of one search that are near in meaning, by `model` as `embedder` has it. Blocks; raises ModelError.

    A line that `is_forgotten` knows is given to no embedder.
    """

    def __init__(
        self,
        search: PassageSearch,
        embedder: Embedder,
        model: str,
        is_forgotten: Callable[[str], bool] = lambda _line: False,
    ) -> None:
        self._is_forgotten = is_forgotten
        self._search = search
        self._embedder = embedder
        self._model = model

    def embed_missing(self) -> int:
        """Embeds and keeps what has no vector of this model yet; returns how many texts that were."""
        embedded = 0
        while wanted := self._search.unembedded(self._model, BATCH):
            texts = (without_forgotten(text, self._is_forgotten)[0].strip() for text in embedded_texts(wanted))
            # Models refuse an empty text.
            vectors = self._vectors([text or "…" for text in texts])
            self._search.embed(self._model, meanings(wanted, vectors))
            embedded += len(wanted)
        return embedded

    def embedded(self, question: str) -> EmbeddedQuestion:
        """Returns a question with its vector, for `PassageSearch.find`."""
        asked = self._search.without_speakers(question[:LONGEST_QUESTION])
        [vector] = self._vectors([asked], is_question=True)
        return EmbeddedQuestion(self._model, question, vector)

    def _vectors(self, texts: Sequence[str], *, is_question: bool = False) -> Sequence[Vector]:
        async def asked() -> Sequence[Vector]:
            return await self._embedder.embed(texts, self._model, is_question=is_question)

        # On a thread of its own: the caller's may run a loop already.
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="mnemoscope-embed") as thread:
            return thread.submit(lambda: asyncio.run(asked())).result()


def _as_dict(hit: SearchHit, origins: Origins) -> dict[str, Any]:
    found = {"file": hit.path, "line": hit.line, "content": hit.text, "score": hit.score}
    if author := author_for_model(origins.author(hit)):
        found["by"] = author
    if (behind := origins.behind(hit)) is not None:
        found |= {"session": behind.session_key, "message": behind.start}
        if behind.began:
            found["session_began"] = behind.began
    return found


def _is_for(user_id: str, text: str) -> bool:
    return not user_id or "[user:" not in text or f"[user:{user_id}]" in text
