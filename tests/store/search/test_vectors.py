"""Vectors of passages in the search index: what is embedded and when again, what is nearest, what deletions take."""

import sqlite3
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from mnemoscope.store.search import vectors as search_vectors
from mnemoscope.store.search.embedding import Unembedded
from mnemoscope.store.search.vectors import PassageVectors, cosine, unrelated_texts
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.search_files import message, session

DIMENSIONS = ("cat", "dog", "tea")


def meaning(text: str) -> list[float]:
    """A stand-in for a model: which of three words a text holds."""
    return [float(word in text) for word in DIMENSIONS]


def embed_all(search: WorkspaceSearch, model: str = "m") -> list[str]:
    """What had to be embedded of passages, in the order it was asked for, two at a time."""
    embedded: list[str] = []
    search.passages.catch_up()
    embed_unrelated(search, model)
    while wanted := search.passages.unembedded(model, 2):
        search.passages.embed(model, {each: meaning(each.text) for each in wanted})
        embedded += [each.text for each in wanted]
    return embedded


def embed_unrelated(search: WorkspaceSearch, model: str = "m", meaning: Any = meaning) -> list[str]:
    """What comes before the passages: texts that have nothing to do with anything."""
    embedded: list[str] = []
    while (wanted := search.passages.unembedded(model, 40)) and not wanted[0].id:
        search.passages.embed(model, {each: meaning(each.text) for each in wanted})
        embedded += [each.text for each in wanted]
    return embedded


def nearest(search: WorkspaceSearch, text: str, limit: int = 2) -> list[str]:
    """The texts nearest to one, found by no word."""
    numbers = search.passages.nearest("m", meaning(text), limit)
    return [hit.text for hit in search.passages.find("", semantic=numbers)]


def test_only_what_changed_is_embedded_and_memory_comes_first(paths: WorkspacePaths, search: Any) -> None:
    session(paths, message("a cat"), message("a dog"))
    paths.memory_file.write_text("- tea\n")
    assert embed_all(search) == ["- tea", "a dog", "a cat"]
    assert embed_all(search) == []
    paths.memory_file.write_text("- new\n- tea\n")
    assert embed_all(search) == ["- new"]


def test_what_means_the_same_is_found_without_its_words(paths: WorkspacePaths, search: Any) -> None:
    session(paths, message("a cat"), message("a dog"), message("a cat and a dog"), message("nothing of these"))
    embed_all(search)
    assert nearest(search, "the cat", 1) == ["a cat"]
    assert nearest(search, "dog") == ["a dog", "a cat and a dog"]
    assert nearest(search, "nothing") == []


def test_words_and_meaning_are_fused(paths: WorkspacePaths, search: Any) -> None:
    session(paths, message("a cat"), message("green leaves"))
    embed_all(search)
    numbers = search.passages.nearest("m", meaning("cat"), 1)
    assert {hit.text for hit in search.passages.find("green", semantic=numbers)} == {"a cat", "green leaves"}


def test_what_is_deleted_is_not_found_nor_kept(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- cat\n- dog\n")
    embed_all(search)
    paths.memory_file.write_text("- dog\n")
    search.passages.catch_up()
    assert nearest(search, "cat dog") == ["- dog"]
    assert search.passages.index.db.execute("SELECT count(*) FROM vectors").fetchone() == (1,)
    paths.memory_file.write_text("- dog\n- tea\n")
    search.passages.catch_up()
    paths.memory_file.write_text("- dog\n")
    assert embed_all(search) == []


def test_deleted_passages_take_no_place_among_the_compared(
    paths: WorkspacePaths, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_vectors, "COMPARED", 2)
    paths.memory_file.write_text("".join(f"- cat {number}\n" for number in range(9)) + "- dog and cat\n")
    embed_all(search)
    paths.memory_file.write_text("- dog and cat\n")
    search.passages.catch_up()
    assert nearest(search, "cat") == ["- dog and cat"]


def test_another_model_begins_anew(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- cat\n")
    embed_all(search)
    assert embed_all(search, "other") == ["- cat"]
    assert search.passages.nearest("m", meaning("cat"), 2) == []
    assert embed_all(search) == ["- cat"]


def test_vectors_are_there_after_a_restart(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- cat\n- dog\n")
    embed_all(search)
    search.close()
    again = WorkspaceSearch(paths)
    assert embed_all(again) == []
    assert nearest(again, "cat", 1) == ["- cat"]
    again.close()


def test_what_is_written_without_a_model_is_embedded_later(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- cat\n")
    embed_all(search)
    search.close()
    lexical = WorkspaceSearch(paths)
    paths.memory_file.write_text("- cat\n- dog\n")
    lexical.passages.catch_up()
    lexical.close()
    again = WorkspaceSearch(paths)
    assert embed_all(again) == ["- dog"]
    again.close()


def test_an_answer_that_comes_too_late_is_not_kept(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- cat\n")
    search.passages.catch_up()
    embed_unrelated(search)
    [wanted] = search.passages.unembedded("m", 2)
    paths.memory_file.write_text("- dog\n")
    search.passages.catch_up()
    search.passages.embed(
        "m", {wanted: meaning("cat"), Unembedded(wanted.id + 1, "of an index made anew"): meaning("cat")}
    )
    assert nearest(search, "cat") == []
    assert embed_all(search) == ["- dog"]


def test_what_has_no_direction_or_other_dimensions_is_near_to_nothing(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- cat\n- odd\n- endless\n- other\n")
    search.passages.catch_up()
    embed_unrelated(search)
    vectors = {"- cat": [1.0, 0, 0], "- odd": [0.0] * 3, "- endless": [float("inf")] * 3, "- other": [1.0] * 5}
    search.passages.embed("m", {each: vectors[each.text] for each in search.passages.unembedded("m", 9)})
    assert embed_all(search) == []
    assert nearest(search, "cat", 9) == ["- cat"]
    assert search.passages.nearest("m", [0.0] * 3, 9) == []


@pytest.mark.slow
def test_of_many_numbers_the_nearest_is_found_through_their_signs(
    paths: WorkspacePaths, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_vectors, "COMPARED", 5)
    chance = Random(1)
    session(paths, *(message(f"passage {number}") for number in range(60)))
    search.passages.catch_up()
    embed_unrelated(search, meaning=lambda _: [chance.gauss(0, 1) for _ in range(1_536)])
    vectors = {each: [chance.gauss(0, 1) for _ in range(1_536)] for each in search.passages.unembedded("m", 99)}
    search.passages.embed("m", vectors)
    for passage, vector in vectors.items():
        asked = [each + chance.gauss(0, 0.8) for each in vector]
        assert search.passages.nearest("m", asked, 1) == [passage.id]


def test_nothing_is_embedded_that_would_be_lost(paths: WorkspacePaths) -> None:
    paths.memory_file.write_text("- cat\n")
    reader = WorkspaceSearch(paths, writable=False)
    assert embed_all(reader) == []
    reader.close()


def test_a_broken_index_is_made_anew_and_embedded_anew(
    paths: WorkspacePaths, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths.memory_file.write_text("- cat\n")
    embed_all(search)

    def broken(*_: object) -> None:
        raise sqlite3.DatabaseError("database disk image is malformed")

    monkeypatch.setattr(PassageVectors, "_fetched", broken)
    assert search.passages.nearest("m", meaning("cat"), 1) == []
    monkeypatch.undo()
    assert embed_all(search) == ["- cat"]
    assert nearest(search, "cat") == ["- cat"]


def far_apart(seed: int) -> Callable[[str], list[float]]:
    """A stand-in for a model with which all texts have a cosine of about 0.5, whatever they say."""
    chance = Random(seed)
    return lambda _text: [8.0, *(chance.gauss(0, 1) for _ in range(64))]


@pytest.mark.slow
@pytest.mark.parametrize("passages", [3, 30, 900])
def test_what_is_nearest_without_being_near_is_not_found(paths: WorkspacePaths, search: Any, passages: Any) -> None:
    model = far_apart(passages)
    session(paths, *(message(f"passage {number}") for number in range(passages)))
    search.passages.catch_up()
    embed_unrelated(search, meaning=model)
    vectors = {each: model(each.text) for each in search.passages.unembedded("m", passages)}
    search.passages.embed("m", vectors)
    assert [search.passages.nearest("m", model("nonsense"), 20) for _ in range(20)] == [[]] * 20
    passage, vector = next(iter(vectors.items()))
    near = [own + 0.5 * other for own, other in zip(vector, model("asked"), strict=True)]
    assert search.passages.nearest("m", near, 20) == [passage.id]


def test_a_passage_that_is_near_to_everything_answers_nothing(paths: WorkspacePaths, search: Any) -> None:
    """Some models put short texts in the middle of all others."""
    chance = Random(2)
    middle = [chance.gauss(0, 1) for _ in range(64)]

    def model(_text: str) -> list[float]:
        return [chance.gauss(0, 1) for _ in range(64)]

    session(paths, *(message(f"passage {number}") for number in range(40)), message("Ok"))
    search.passages.catch_up()
    embed_unrelated(search, meaning=lambda text: [own + other for own, other in zip(model(text), middle, strict=True)])
    vectors = {each: middle if each.text == "Ok" else model(each.text) for each in search.passages.unembedded("m", 99)}
    search.passages.embed("m", vectors)
    asked = [own + other for own, other in zip(model("asked"), middle, strict=True)]
    assert search.passages.nearest("m", asked, 20) == []


def test_nothing_is_near_before_it_is_known_what_is_far(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- cat\n")
    assert embed_all(search) == ["- cat"]
    search.passages.index.db.execute("DELETE FROM vectors_unrelated WHERE text = ?", unrelated_texts()[:1])
    search.close()
    again = WorkspaceSearch(paths)
    again.passages.catch_up()
    assert again.passages.nearest("m", meaning("cat"), 2) == []
    assert embed_unrelated(again) == list(unrelated_texts()[:1])
    assert nearest(again, "cat") == ["- cat"]
    again.close()


def test_a_vector_without_direction_or_of_other_dimensions_is_near_to_none() -> None:
    one, none = (5.0, bytes([3, 4])), (0.0, b"")
    assert cosine(one, one) == 1.0
    assert cosine(one, none) == cosine(none, one) == cosine(one, (1.0, bytes([1]))) == 0.0
