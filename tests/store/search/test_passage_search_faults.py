"""Search where an index is damaged, shared or impossible, and where files go, cannot be read or are links."""

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.store.files.calls import RootedCalls
from mnemoscope.store.search import database as search_database
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.search_files import again, found, message, session, workspace


def test_nothing_is_written_where_nothing_may_be(paths: WorkspacePaths) -> None:
    paths.memory_file.write_text("- a quokka\n")
    search = WorkspaceSearch(paths, writable=False)
    assert len(found(search, "quokka")) == 1
    search.close()
    assert not paths.own.search_file.exists()


def test_an_index_for_the_time_being_goes_with_a_process_that_ends_at_once(paths: WorkspacePaths) -> None:
    paths.memory_file.write_text("- a quokka\n")
    lasting, passing = WorkspaceSearch(paths), WorkspaceSearch(paths, writable=False)
    assert len(found(lasting, "quokka")) == len(found(passing, "quokka")) == 1
    assert passing.database.file.exists()
    for search in (passing, lasting):
        search.database.abandon()
    assert not passing.database.file.exists()
    assert lasting.database.file.exists()
    passing.close()
    lasting.close()


def test_an_index_for_the_time_being_is_made_anew_too(paths: WorkspacePaths) -> None:
    paths.memory_file.write_text("- a quokka\n")
    search = WorkspaceSearch(paths, writable=False)
    search.passages.catch_up()
    search.passages.index.db.execute("DROP TABLE passages")
    assert search.passages.find("quokka") == []
    assert len(found(search, "quokka")) == 1
    search.close()


@pytest.mark.parametrize("damage", [b"not a database at all" * 500, b""])
def test_a_damaged_index_is_made_anew(paths: WorkspacePaths, damage: Any) -> None:
    paths.memory_file.write_text("- a quokka\n")
    paths.own.search_file.write_bytes(damage)
    assert len(again(paths, "quokka")) == 1


def test_an_index_of_another_format_is_made_anew(paths: WorkspacePaths) -> None:
    with sqlite3.connect(paths.own.search_file) as db:
        db.execute("PRAGMA user_version = 77")
    db.close()
    paths.memory_file.write_text("- a quokka\n")
    assert len(again(paths, "quokka")) == 1


def test_an_index_that_breaks_while_it_is_asked_is_made_anew(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- a quokka\n")
    assert len(found(search, "quokka")) == 1
    search.passages.index.db.execute("DROP TABLE passages")
    assert search.passages.find("quokka") == []
    assert len(found(search, "quokka")) == 1


@pytest.mark.slow
def test_two_that_search_do_not_share_an_index(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- a quokka\n")
    assert len(found(search, "quokka")) == 1
    assert len(again(paths, "quokka")) == 1
    paths.memory_file.write_text("- a quokka\n- another quokka\n")
    assert len(again(paths, "quokka")) == 2
    assert len(found(search, "quokka")) == 2


def test_where_no_index_can_be_kept_there_is_one_for_the_time_being(paths: WorkspacePaths) -> None:
    paths.memory_file.write_text("- a quokka\n")
    paths.own.search_file.mkdir()
    search = WorkspaceSearch(paths)
    assert len(found(search, "quokka")) == 1
    search.close()


def test_after_too_many_tries_it_is_said_that_there_is_none(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- a quokka\n")
    for _ in range(3):
        search.passages.catch_up()
        search.passages.index.db.execute("DROP TABLE passages")
        assert search.passages.find("quokka") == []
    assert "files are searched one by one" in search.passages.state.problem
    assert not search.passages.state.is_current
    assert not search.passages.refresh()
    search.passages.catch_up()


@pytest.mark.usefixtures("no_full_text_search")
def test_where_sqlite_has_no_full_text_search_that_is_said(paths: WorkspacePaths, search: Any) -> None:
    assert found(search, "quokka") == []
    assert "built without" in search.passages.state.problem


def test_other_faults_of_the_tables_are_faults(
    paths: WorkspacePaths, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_database, "_TABLES", "CREATE NONSENSE;")
    assert found(search, "quokka") == []
    assert search.passages.refresh() is False


def test_a_file_that_goes_while_it_is_read_is_left_for_the_next_look(paths: WorkspacePaths, search: Any) -> None:
    session(paths, message("a quokka"))
    paths.memory_file.write_text("- a wombat\n")
    search.passages.refresh()
    (paths.sessions_dir / "cli_direct.jsonl").unlink()
    while search.passages.work(1.0):
        pass
    assert found(search, "quokka") == []
    assert len(found(search, "wombat")) == 1


def test_a_file_that_cannot_be_read_costs_only_itself(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- a wombat\n")
    session(paths, message("a quokka"))
    search.passages.refresh()
    broken = paths.sessions_dir / "cli_direct.jsonl"
    broken.unlink()
    broken.mkdir()
    while search.passages.work(1.0):
        pass
    assert len(found(search, "wombat")) == 1


def test_a_folder_that_is_not_there_has_nothing_to_search(tmp_path: Path) -> None:
    search = WorkspaceSearch(WorkspacePaths(tmp_path / "none"))
    assert found(search, "quokka") == []
    search.close()


@pytest.mark.parametrize("begun", [False, True])
def test_a_folder_that_took_the_place_of_the_workspace_is_neither_searched_nor_written_to(
    tmp_path: Path, begun: Any
) -> None:
    paths = workspace(tmp_path / "ws")
    paths.memory_file.write_text("- a quokka\n")
    search = WorkspaceSearch(paths, calls=RootedCalls(paths.root))
    assert not begun or len(found(search, "quokka")) == 1
    away = paths.root.rename(paths.root.with_name("away"))
    workspace(paths.root).memory_file.write_text("- a wombat\n")
    assert found(search, "wombat") == []
    search.database.discard("whatever the reason")
    assert found(search, "wombat") == []
    search.close()
    assert not list(paths.own.folder.iterdir())
    assert (away / ".mnemoscope" / "search.db").exists() == begun


def test_links_to_other_places_are_not_followed(paths: WorkspacePaths, search: Any, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("a quokka\n")
    for name in ("USER.md", "SESSION-STATE.md"):
        os.symlink(outside, paths.root / name)
    os.symlink(outside, paths.memory_dir / "notes.md")
    assert found(search, "quokka") == []


def test_an_index_that_was_thrown_away_meanwhile_is_begun_anew_with_the_next_step(
    paths: WorkspacePaths, search: Any
) -> None:
    paths.memory_file.write_text("- a quokka\n")
    assert len(found(search, "quokka")) == 1
    search.database.discard("the test says so")
    assert not search.passages.state.is_current
    while search.passages.work(1.0):
        pass
    assert [hit.text for hit in search.passages.find("quokka")] == ["- a quokka"]


def test_passages_of_an_index_made_anew_are_not_taken_for_those_of_before(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- a quokka\n")
    assert len(found(search, "quokka")) == 1
    search.database.discard("the test says so")
    paths.memory_file.write_text("- a wombat\n")
    assert [text for _, _, text in found(search, "wombat")] == ["- a wombat"]
