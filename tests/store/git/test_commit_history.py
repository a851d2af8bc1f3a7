"""Versions as a window looks at them: pages, blame, a moment of the past."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.commits import CommitInfo, CommitNote, FileChange, carry_blame, read_trailers
from mnemoscope.domain.text.diff import split_lines
from mnemoscope.store.git.commit_history import CommitHistory
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.workspace.paths import WorkspacePaths

BEGUN = datetime(2026, 3, 1, 10, 0)


class TextVersions:
    """A workspace whose MEMORY.md is changed once a day."""

    def __init__(self, root: Path) -> None:
        self.paths = WorkspacePaths(root)
        self.now = BEGUN
        self.store = GitStore(root, clock=lambda: self.now)
        (root / "memory").mkdir(parents=True)
        self.store.init()

    def say(self, text: str, author: str = "You", path: str = "memory/MEMORY.md", trailer: str = "") -> None:
        self.now += timedelta(days=1)
        trailers = ((trailer, "f" * 40),) if trailer else ()
        note = CommitNote(author, f"On {self.now:%d}", trailers=trailers)  # type: ignore[arg-type]
        self.store.commit(note, {path: text.encode()})


@pytest.fixture
def versions(tmp_path: Path) -> TextVersions:
    return TextVersions(tmp_path / "w")


@pytest.fixture
def history(versions: TextVersions) -> Iterator[CommitHistory]:
    history = CommitHistory(versions.paths)
    yield history
    history.close()


def test_a_page_holds_the_versions_of_one_file_newest_first(versions: TextVersions, history: CommitHistory) -> None:
    for day in range(7):
        versions.say(f"- day {day}\n", path="USER.md" if day % 2 else "memory/MEMORY.md")
    first = history.page("memory/MEMORY.md", limit=2)
    assert [info.subject for info in first] == ["On 08", "On 06"]
    rest = history.page("memory/MEMORY.md", before=first[-1].id, limit=5)
    assert [info.subject for info in rest] == ["On 04", "On 02"]


def test_each_line_is_blamed_on_the_version_that_brought_its_words(
    versions: TextVersions, history: CommitHistory
) -> None:
    versions.say("- tea\n- Graz\n")
    versions.say("- tea\n- a cat\n- Graz\n", author="Dream")
    versions.say("- green tea\n- a cat\n- Graz\n", author="Consolidation")
    blamed = history.blame("memory/MEMORY.md")
    assert blamed is not None
    assert [(line.text, line.commit.author) for line in blamed] == [
        ("- green tea", "Consolidation"),
        ("- a cat", "Dream"),
        ("- Graz", "You"),
        ("", "You"),
    ]


def test_blame_goes_on_from_where_it_was(versions: TextVersions, history: CommitHistory) -> None:
    versions.say("- one\n")
    history.blame("memory/MEMORY.md")
    versions.say("- one\n- two\n", author="Dream")
    later = CommitHistory(versions.paths)
    blamed = later.blame("memory/MEMORY.md")
    later.close()
    assert blamed is not None
    assert [line.commit.author for line in blamed] == ["You", "Dream", "You"]


def test_a_commit_made_meanwhile_does_not_mix_its_lines_into_the_blame(
    versions: TextVersions, history: CommitHistory
) -> None:
    versions.say("- one\n- two\n")

    def meanwhile() -> bool:
        versions.say(f"- {versions.now:%d} alone\n")
        return True

    blamed = history.blame("memory/MEMORY.md", goes_on=meanwhile)
    assert [line.text for line in blamed or ()] == ["- one", "- two", ""]


@pytest.mark.parametrize("trailer", ["Undoes", "Undoes-Change", "Restores"])
@pytest.mark.parametrize("looked_before", [False, True])
def test_what_was_only_brought_back_is_blamed_on_whoever_wrote_it_last(
    versions: TextVersions, history: CommitHistory, trailer: str, looked_before: bool
) -> None:
    versions.say("- tea\n- Graz\n", author="Capture")
    versions.say("- Graz\n", author="You")
    versions.say("- tea\n- Graz\n", author="Dream")
    versions.say("- coffee\n", author="Consolidation")
    if looked_before:
        assert history.blame("memory/MEMORY.md")
        history.close()
        history = CommitHistory(versions.paths)
    versions.say("- tea\n- Graz\n- never there before\n", author="You", trailer=trailer)
    blamed = history.blame("memory/MEMORY.md")
    history.close()
    assert [(line.text, line.commit.author) for line in blamed or ()][:3] == [
        ("- tea", "Dream"),
        ("- Graz", "Capture"),
        ("- never there before", "You"),
    ]


def test_an_index_that_is_damaged_or_of_another_repository_is_made_again(versions: TextVersions) -> None:
    versions.say("- one\n")
    history = CommitHistory(versions.paths)
    history.catch_up()
    history.close()
    (versions.paths.own.folder / "versions.db").write_bytes(b"no database at all" * 100)
    again = CommitHistory(versions.paths)
    assert [info.subject for info in again.page("memory/MEMORY.md")] == ["On 02"]
    again.catch_up()
    again.close()
    versions.paths.memory_file.write_text("- other\n", encoding="utf-8")
    versions.store.set_aside()
    anew = CommitHistory(versions.paths)
    anew.catch_up()
    assert [info.subject for info in anew.page()] == ["Versions begin"]
    anew.close()


def test_a_moment_of_the_past_has_the_files_of_then(versions: TextVersions, history: CommitHistory) -> None:
    versions.say("- tea\n")
    noon = int((versions.now + timedelta(hours=2)).timestamp())
    versions.say("- coffee\n")
    then = history.at(noon)
    assert then is not None
    assert then.texts == {"memory/MEMORY.md": "- tea\n"}
    assert history.at(0) is None


def test_versions_of_one_second_are_told_apart_by_their_ids(versions: TextVersions, history: CommitHistory) -> None:
    versions.say("- tea\n")
    versions.say("- coffee\n")
    moments = history.moments()
    assert [version for _, version in moments] == [commit.id for commit in history.page()[::-1]]
    texts = [then.texts["memory/MEMORY.md"] for when, version in moments[-2:] if (then := history.at(when, version))]
    assert texts == ["- tea\n", "- coffee\n"]
    assert history.at(moments[-1][0], "f" * 40) is None


def test_a_workspace_without_versions_has_none_to_show(tmp_path: Path) -> None:
    history = CommitHistory(WorkspacePaths(tmp_path))
    assert history.page() == []
    assert history.blame("SOUL.md") == []
    assert history.at(1) is None
    assert history.moments() == []
    assert not (tmp_path / ".mnemoscope").exists()


def test_whoever_has_lost_interest_is_not_kept_waiting(versions: TextVersions, history: CommitHistory) -> None:
    versions.say("- tea\n")
    assert history.blame("memory/MEMORY.md", goes_on=lambda: False) is None
    assert history.blame("memory/MEMORY.md") is not None


class Asking:
    """Whoever asked waits for so many looks, and then no more."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def __call__(self) -> bool:
        self.left -= 1
        return self.left >= 0


@pytest.mark.slow
def test_interest_that_is_lost_at_any_moment_costs_nothing_later(
    versions: TextVersions, history: CommitHistory
) -> None:
    for number in range(55):
        versions.say(f"- day {number}\n")
    answers = [history.blame("memory/MEMORY.md", goes_on=Asking(looks)) for looks in (0, 20, 56, 10, 54)]
    assert answers == [None] * 5
    blamed = history.blame("memory/MEMORY.md", goes_on=Asking(30))
    assert blamed is not None, "what was worked out before is kept"
    assert [line.text for line in blamed] == ["- day 54", ""]
    assert history.blame("memory/MEMORY.md") == blamed


def test_a_file_that_never_was_has_nobody_to_blame(versions: TextVersions, history: CommitHistory) -> None:
    versions.say("- tea\n")
    assert history.blame("USER.md") == []


def test_one_version_is_looked_at_by_itself(versions: TextVersions, history: CommitHistory) -> None:
    versions.say("- tea\n")
    versions.say("- coffee\n")
    newest, before, *_ = history.page()
    assert history.text_at(before.id, "memory/MEMORY.md") == "- tea\n"
    assert history.text_at(before.id, "USER.md") is None
    assert history.change(newest) == [FileChange("memory/MEMORY.md", "- tea\n", "- coffee\n")]
    assert history.change(before) == [FileChange("memory/MEMORY.md", None, "- tea\n")]


def test_a_version_is_found_by_the_beginning_of_its_id_among_all(
    versions: TextVersions, history: CommitHistory
) -> None:
    versions.say("- tea\n")
    newest, first = history.page()
    assert history.count() == 2
    assert history.find(newest.id[:6].upper()) == newest
    assert history.find(f" {first.id} ") == first
    assert [history.find(short) for short in ("abc", "wxyz", "", newest.id[:39] + "0f")] == [None] * 4


def test_a_page_of_one_author_holds_nobody_elses_versions(versions: TextVersions, history: CommitHistory) -> None:
    for day in range(4):
        versions.say(f"- day {day}\n", author="Dream" if day % 2 else "You")
    first = history.page(limit=1, author="Dream")
    assert [info.subject for info in first] == ["On 05"]
    assert [info.subject for info in history.page(before=first[0].id, author="Dream")] == ["On 03"]


def test_without_versions_nothing_changed(tmp_path: Path) -> None:
    history = CommitHistory(WorkspacePaths(tmp_path))
    assert (history.text_at("a" * 40, "SOUL.md"), history.find("a" * 40), history.count()) == (None, None, 0)
    assert history.change(CommitInfo("a" * 8, "x", "2026-03-01 10:00", id="a" * 40)) == []
    history.close()


def test_versions_that_moved_out_of_the_way_are_followed(versions: TextVersions, history: CommitHistory) -> None:
    versions.say("- tea\n")
    assert len(history.page()) == 2
    (versions.paths.root / ".git").mkdir()
    versions.store.init()
    assert [info.subject for info in history.page()] == ["On 02", "Versions begin"]


def test_looking_only_leaves_no_index_behind(versions: TextVersions) -> None:
    versions.say("- tea\n")
    history = CommitHistory(versions.paths, keep_index=False)
    assert history.catch_up()
    assert [info.subject for info in history.page()] == ["On 02", "Versions begin"]
    history.close()
    assert not (versions.paths.own.folder / "versions.db").exists()


def test_an_index_of_another_format_is_made_again(versions: TextVersions) -> None:
    versions.say("- tea\n")
    file = versions.paths.own.folder / "versions.db"
    file.parent.mkdir(exist_ok=True)
    database = sqlite3.connect(file)
    database.execute("PRAGMA user_version = 99")
    database.close()
    history = CommitHistory(versions.paths)
    assert history.catch_up()
    history.close()


LINES = st.lists(st.sampled_from(["- a", "- b", "- c", "", "# H"]), max_size=8).map("\n".join)


@pytest.mark.slow
@given(LINES, LINES)
def test_blame_fits_the_text_and_unchanged_texts_keep_their_owners(before: str, after: str) -> None:
    owners = list(range(len(split_lines(before))))
    carried = carry_blame(before, owners, after, 99)
    assert len(carried) == len(split_lines(after))
    assert carry_blame(before, owners, before, 99) == owners
    for line, owner in zip(split_lines(after), carried, strict=True):
        assert owner == 99 or split_lines(before)[owner] == line


@pytest.mark.parametrize(
    ("message", "trailers"),
    [
        ("Subject\n\nHistory-Entry: 3\nHistory-Entry: 4\n", {"History-Entry": ("3", "4")}),
        ("Subject: not a trailer\n", {}),
        ("Subject\n\nBody: and\nmore words\n", {}),
    ],
)
def test_trailers_are_the_last_paragraph(message: str, trailers: dict[str, tuple[str, ...]]) -> None:
    assert read_trailers(message) == trailers


def test_versions_of_one_author_are_a_page_of_their_own(versions: TextVersions, history: CommitHistory) -> None:
    for day in range(6):
        versions.say(f"- day {day}\n", author="Dream" if day % 2 else "You")
    assert [info.subject for info in history.page(author="Dream", limit=2)] == ["On 07", "On 05"]
    history.catch_up()
    both = history.page("memory/MEMORY.md", author="Dream", limit=9)
    assert [info.subject for info in both] == ["On 07", "On 05", "On 03"]


def test_a_version_is_found_by_its_first_digits(versions: TextVersions, history: CommitHistory, tmp_path: Path) -> None:
    versions.say("- tea\n")
    newest = history.page()[0]
    assert history.find(f" {newest.sha.upper()} ") == newest
    assert history.count() == 2
    for unknown in ("", "abc", "zzzz", "0000000000"):
        assert history.find(unknown) is None
    nowhere = CommitHistory(WorkspacePaths(tmp_path / "nowhere"))
    assert (nowhere.find("abcdef"), nowhere.count()) == (None, 0)


def test_an_index_that_cannot_be_kept_on_the_disk_is_kept_in_memory(versions: TextVersions) -> None:
    versions.say("- tea\n")
    history = CommitHistory(versions.paths)
    index = versions.paths.own.folder / "versions.db"
    index.mkdir(parents=True)
    assert history.page("memory/MEMORY.md", limit=1)[0].subject == "On 02"
    assert {line.commit.subject for line in history.blame("memory/MEMORY.md") or []} == {"On 02"}
    assert index.is_dir()
    history.close()
