"""What other agents said is found by the person alone; its index is private, and what is gone goes from it."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.search.foreign_index import ForeignIndex, ForeignPassage, ForeignSource

TALK = ForeignSource("/home/ada/.claude", "project/talk", "project/talk.jsonl", "A talk", "1", "Claude Code")
NOTE = ForeignSource("/home/ada/.claude", "memory:MEMORY.md", "MEMORY.md", "MEMORY.md", "1", "Claude Code")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[ForeignIndex]:
    made = ForeignIndex(tmp_path / "state" / "agents.db")
    yield made
    made.close()


def filled(index: ForeignIndex) -> ForeignIndex:
    index.put(
        TALK,
        [
            ForeignPassage("I live in Graz, by the river.", 3, "user", "2026-11-02T09:00:00"),
            ForeignPassage("Noted: the Mur runs through Graz.", 5, "assistant"),
            ForeignPassage("我住在格拉茨附近", 7, "user"),
        ],
    )
    index.put(NOTE, [ForeignPassage("- Lives in Graz", 4, "memory")])
    return index


def places(index: ForeignIndex, text: str) -> set[int]:
    return {hit.passage.place for hit in index.find(text, 20)}


def test_every_word_has_to_be_there_whatever_its_order_case_or_script(index: ForeignIndex) -> None:
    filled(index)
    assert places(index, "graz") == {3, 4, 5}
    assert places(index, "river GRAZ") == {3}
    assert places(index, "“live in Graz”") == {3}
    assert places(index, '"in Graz" lives') == {4}
    assert places(index, "格拉茨") == {7}
    assert places(index, "graz by") == {3}
    assert places(index, "Lisbon") == places(index, "by") == places(index, " ") == set()
    assert len(index.find("graz", 2)) == 2
    hit = index.find("river graz", 1)[0]
    assert hit.source == TALK
    assert hit.passage == ForeignPassage("I live in Graz, by the river.", 3, "user", "2026-11-02T09:00:00")
    assert hit.mark("In Graz, by the river") == ((3, 7), (16, 21))
    assert hit.mark("İ river") == ()
    assert index.find("graz az", 1)[0].mark("Graz") == ((0, 4),)


def test_a_source_that_is_put_again_replaces_what_it_held(index: ForeignIndex) -> None:
    filled(index).put(TALK, [ForeignPassage("I moved to Lisbon. \ud800", 9, "user")])
    assert places(index, "graz") == {4}
    assert places(index, "lisbon") == {9}
    assert index.sources() == {(TALK.root, TALK.name): TALK, (NOTE.root, NOTE.name): NOTE}


def test_what_is_forgotten_is_in_the_file_no_more(index: ForeignIndex, tmp_path: Path) -> None:
    filled(index).forget([(TALK.root, TALK.name), ("/nowhere", "x")])
    index.tidy()
    index.close()
    data = b"".join(path.read_bytes() for path in (tmp_path / "state").iterdir())
    assert b"river" not in data
    assert b"Graz" in data
    assert places(index, "graz") == {4}


def test_only_the_person_can_read_it_and_nothing_of_it_is_left_when_it_is_removed(
    index: ForeignIndex, tmp_path: Path
) -> None:
    before = index.is_there
    former = os.umask(0)
    try:
        filled(index)
    finally:
        os.umask(former)
    folder = tmp_path / "state"
    assert (before, index.is_there) == (False, True)
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    index.remove()
    assert list(folder.iterdir()) == []
    index.remove()


def test_a_damaged_index_is_thrown_away_and_made_anew(index: ForeignIndex, tmp_path: Path) -> None:
    path = tmp_path / "state" / "agents.db"
    path.parent.mkdir()
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 40)
    with pytest.raises(StorageError, match="damaged"):
        index.sources()
    assert index.sources() == {}
    assert places(filled(index), "river") == {3}


def test_an_index_of_another_format_is_made_anew(index: ForeignIndex, tmp_path: Path) -> None:
    filled(index).close()
    db = sqlite3.connect(tmp_path / "state" / "agents.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    assert index.sources() == {}


def test_what_cannot_be_opened_or_is_in_use_is_said(index: ForeignIndex, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be used"):
        ForeignIndex(tmp_path / "file" / "agents.db").sources()
    filled(index)
    other = sqlite3.connect(tmp_path / "state" / "agents.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="locked"):
        index.put(NOTE, [])
    other.close()
    index.put(NOTE, [])
