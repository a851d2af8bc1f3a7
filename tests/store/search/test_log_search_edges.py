"""History logs at their edges: files that change meanwhile, entries that say little, and a worker that fails."""

import os
from datetime import date, timedelta
from pathlib import Path
from threading import Event

import pytest

from mnemoscope.domain.memory.history_entries import MarkdownFormat, parse_history
from mnemoscope.store.logs.history_log import JsonLinesFormat, NotesFormat
from mnemoscope.store.search.entry_log import LogFiles, look_at
from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.search.worker import SearchWorker
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.history_logs import entry, log_of, workspace
from tests.support.history_searches import opened, texts


def test_files_that_shrank_or_went_give_what_they_have(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number:02}.md" for number in range(20)]
    for path in paths:
        path.write_bytes(b"0123456789")
    files = LogFiles(look_at(paths))
    assert files.read(0, 200) == b"0123456789" * 20, "more files than are held open at once"
    files.rest()
    paths[1].write_bytes(b"01")
    paths[2].unlink()
    assert files.read(5, 30) == b"5678901"
    assert files.read(20, 30) == b""
    files.rest()


def test_a_log_that_begins_with_an_undated_entry_and_grows_is_read_on(tmp_path: Path) -> None:
    paths = workspace(tmp_path, "")
    search = opened(paths)
    for number in range(3):
        with paths.history_file.open("a") as file:
            file.write("first words\n\n" if not number else entry(number, f"dated {number}"))
        assert search.logs.refresh()
    assert [text[-7:] for text in texts(search.logs, HistoryQuery())] == ["dated 2", "dated 1", "t words"]
    search.close()


def test_of_several_files_one_that_changed_in_the_middle_is_read_anew(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    for day in ("01", "02", "03"):
        (paths.memory_dir / f"2026-01-{day}.md").write_text(f"## [08:00:00]\nnote {day}\n")
    search = opened(paths)
    (paths.memory_dir / "2026-01-02.md").write_text("## [08:00:00]\nanother note\n")
    assert search.logs.refresh()
    assert texts(search.logs, HistoryQuery("another")) == ["another note"]
    (paths.memory_dir / "2026-01-03.md").write_text("## [08:00:00]\nnote 03\n## [09:00:00]\nand more\n")
    assert search.logs.refresh()
    assert texts(search.logs, HistoryQuery("note 03")) == ["note 03"]
    search.close()


def test_a_workspace_without_a_memory_folder_has_no_history(tmp_path: Path) -> None:
    search = opened(WorkspacePaths(tmp_path))
    assert (search.logs.state.total, search.logs.locate("")) == (0, None)
    search.close()


def test_words_before_the_first_section_of_a_note_are_an_entry(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    note = paths.memory_dir / "2026-01-04.md"
    note.write_text("# Daily Notes\n\nWoke early.\n\n## [08:00:00]\nTea.\n")
    search = opened(paths)
    assert texts(search.logs, HistoryQuery()) == ["Tea.", "Woke early."]
    with note.open("a") as file:
        file.write("## Plans\nGraz.\n")
    search.logs.refresh()
    assert texts(search.logs, HistoryQuery()) == ["Plans\nGraz.", "Tea.", "Woke early."]
    search.close()


def test_a_file_read_on_has_no_head_any_more() -> None:
    form = NotesFormat()
    found: list[int] = []
    form.begin("2026-01-04.md", stamped=True)
    form.feed(b"still of the entry before\n## [08:00:00]\nTea.\n", 0, lambda start, _day: found.append(start))
    assert found == [26]


def test_a_line_that_was_changed_after_it_was_found_says_nothing() -> None:
    assert JsonLinesFormat().decode(b"{broken", "history.jsonl") == ("", "", None)


def test_a_date_that_is_none_is_no_day() -> None:
    (found,) = parse_history("[2026-02-31 10:00] No such day.\n")
    assert found.text == "[2026-02-31 10:00] No such day."


@pytest.mark.slow
def test_more_days_than_are_kept_in_mind_are_told_apart() -> None:
    days = MarkdownFormat()._days
    first = date(1800, 1, 1)
    for number in range(50_003):
        day = first + timedelta(days=number)
        assert days[day.isoformat().encode()] == day.toordinal()
    assert len(days) < 50_003


def test_an_error_while_counting_is_raised_by_the_future(tmp_path: Path) -> None:
    search = SearchWorker(workspace(tmp_path, log_of("kiln")))
    search.logs.refresh().result(60)
    with pytest.raises(Exception, match="not complete"):
        search.logs.count(HistoryQuery("(", regex=True)).result(60)
    search.close()


def held(search: SearchWorker) -> Event:
    """Returns the worker waits at this place of its queue until the event is set."""
    gate = Event()
    search._executor.submit(gate.wait, 60)
    return gate


def test_asking_twice_for_what_changed_works_once(tmp_path: Path) -> None:
    search = SearchWorker(workspace(tmp_path, log_of("kiln", "bowl")), index_from=1)
    gate = held(search)
    asked = [search.logs.refresh(), search.logs.refresh()]
    gate.set()
    assert [future.result(60).total for future in asked] == [2, 2]
    while search.logs.state.indexed < 1:
        search.logs.search(HistoryQuery()).result(60)
    search.close()


def test_work_that_waits_when_all_is_closed_is_not_done(tmp_path: Path) -> None:
    search = SearchWorker(workspace(tmp_path, log_of("kiln", "bowl")), index_from=1)
    first = held(search)
    asked = search.logs.refresh()
    second = held(search)
    first.set()
    assert asked.result(60).total == 2
    search.close()
    second.set()
    search._executor.shutdown(wait=True)
    assert search.logs.state.indexed == 0
    assert os.listdir(tmp_path / ".mnemoscope") == []


@pytest.mark.slow
@pytest.mark.logs_errors("a listener failed on HistoryState")
def test_a_listener_that_fails_keeps_nothing_from_being_read(tmp_path: Path) -> None:
    paths = workspace(tmp_path, log_of(*["word " * 60] * 40_000))
    search = SearchWorker(paths)
    assert search.logs.refresh().result(60).loading

    def fail(_state: object) -> None:
        raise ValueError("no")

    search.logs.subscribe(fail)
    while search.logs.state.loading:
        search.logs.search(HistoryQuery(), limit=1).result(60)
    assert search.logs.state.total == 40_000
    search.close()
