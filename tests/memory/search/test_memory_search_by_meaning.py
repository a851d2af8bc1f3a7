"""Search by meaning from Python: `memory_search` with an embedder, and how many questions the local model answers."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from mnemoscope.domain.errors import ModelMissing
from mnemoscope.domain.llm import Vector
from mnemoscope.domain.settings import LOCAL_EMBEDDING
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.memory.search.memory_search import MeaningSearch, memory_search
from mnemoscope.store.search.embedded_texts import unrelated_texts
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.search_corpus import NONSENSE, questions, write_chats
from tests.support.search_files import workspace

ANIMALS = ("quokka", "marsupial")


class Animals:
    """Knows that some words are animals; `texts` is what it was asked for, by model."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.broken: Exception | None = None

    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        if self.broken is not None:
            raise self.broken
        known = self.texts.setdefault(model, [])
        known += [text for text in texts if text not in unrelated_texts()]
        return [(1.0, 0.1) if any(word in text for word in ANIMALS) else (0.1, 1.0) for text in texts]


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    made = workspace(tmp_path)
    made.memory_file.write_text("- a quokka\n- a teapot\n")
    return made


def found(query: str, paths: WorkspacePaths, **by: object) -> list[str]:
    return [hit["content"] for hit in memory_search(query, paths.root, **by)]  # type: ignore[arg-type]


def test_with_an_embedder_other_words_for_it_find_it(paths: WorkspacePaths) -> None:
    animals = Animals()
    assert found("marsupial", paths) == []
    assert found("marsupial", paths, embedder=animals, model="m") == ["- a quokka"]
    assert found("teapot", paths, embedder=animals, model="m") == ["- a teapot"]
    assert found("a wombat", paths, embedder=animals, model="m") == []
    assert animals.texts == {"m": ["- a teapot", "- a quokka", "marsupial", "teapot", "a wombat"]}


def test_the_model_is_that_of_the_workspace_where_none_is_named(paths: WorkspacePaths) -> None:
    animals = Animals()
    assert found("marsupial", paths, embedder=animals) == []
    assert animals.texts == {}
    paths.config_file.write_text(json.dumps({"mnemoscope": {"embeddingModel": "ours"}}))
    assert found("marsupial", paths, embedder=animals) == ["- a quokka"]
    assert list(animals.texts) == ["ours"]
    assert found(" ", paths, embedder=animals) == []


async def test_it_can_be_called_where_a_loop_is_running(paths: WorkspacePaths) -> None:
    assert found("marsupial", paths, embedder=Animals(), model="m") == ["- a quokka"]


def test_where_no_vector_can_be_kept_words_are_found(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- a quokka\n")
    animals = Animals()
    assert [hit["content"] for hit in memory_search("quokka", tmp_path, embedder=animals, model="m")] == ["- a quokka"]
    assert memory_search("marsupial", tmp_path, embedder=animals, model="m") == []


def test_a_failure_of_the_model_is_raised(paths: WorkspacePaths) -> None:
    animals = Animals()
    animals.broken = ModelMissing("It is not installed.")
    with pytest.raises(ModelMissing):
        memory_search("marsupial", paths.root, embedder=animals, model="m")


@pytest.fixture
def local() -> Iterator[LocalEmbedder]:
    one = LocalEmbedder()
    yield one
    asyncio.run(one.aclose())


@pytest.mark.slow
def test_the_local_model_answers_what_was_asked_in_other_words_and_nothing_that_has_no_sense(
    tmp_path: Path, local: LocalEmbedder, is_long: bool
) -> None:
    """Among 300 turns more is found than among 4,000, as with `--long`; there all are asked, here a third."""
    turns, share = (4_000, 0.75) if is_long else (300, 0.92)
    paths = workspace(tmp_path)
    write_chats(paths.root, turns)
    search = WorkspaceSearch(paths)
    search.passages.catch_up()
    meaning = MeaningSearch(search.passages, local, LOCAL_EMBEDDING)
    assert meaning.embed_missing() > 2 * turns
    assert meaning.embed_missing() == 0
    for is_held_out in (True, False):
        some = [one for one in questions() if one.is_held_out == is_held_out][:: 1 if is_long else 3]
        hits = [search.passages.find(one.asked, 10, semantic=meaning.embedded(one.asked))[:10] for one in some]
        reached = sum(one.said in [hit.text for hit in found] for one, found in zip(some, hits, strict=True))
        assert reached >= share * len(some)
    without_sense = NONSENSE[: 80 if is_long else 30]
    near = [asked for asked in without_sense if search.passages.nearness(meaning.embedded(asked)).near]
    search.close()
    assert len(near) <= 0.1 * len(without_sense)
