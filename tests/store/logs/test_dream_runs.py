"""Records of Dream's runs: the newest first, a run once, and a line that is none costs itself."""

import errno
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.domain.dream.run import DreamRun, FileEdit, Spend
from mnemoscope.domain.errors import DiskFull
from mnemoscope.store.logs.dream_runs import DreamRuns
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import FailingOnce

RUN = DreamRun(
    "r1", "2026-04-03T02:00:00", 12.5, "schedule", "m", 1, 9, 9, 3, Spend(10, 2, 0.01), "changed", "",
    (FileEdit("USER.md", 1, 0),), "abcdef12", "Noted.",
)  # fmt: skip


@pytest.fixture
def runs(tmp_path: Path) -> DreamRuns:
    return DreamRuns(WorkspacePaths(tmp_path))


def test_runs_are_read_back_newest_first(runs: DreamRuns) -> None:
    second = replace(RUN, id="r2", spend=Spend(1, 1, None), words="“ünïcode” \u2028")
    runs.add(RUN)
    runs.add(second)
    assert runs.newest() == [second, RUN]
    assert runs.newest(1) == [second]


def test_the_same_run_again_replaces_what_was_known_of_it(runs: DreamRuns) -> None:
    runs.add(RUN)
    runs.add(replace(RUN, commit=""))
    assert runs.newest() == [replace(RUN, commit="")]


def test_no_file_is_no_run_and_a_folder_in_its_place_neither(runs: DreamRuns, tmp_path: Path) -> None:
    assert runs.newest() == []
    WorkspacePaths(tmp_path).own.dream_runs.mkdir(parents=True)
    assert runs.newest() == []
    assert runs.since("2026-04-03") == []


def test_lines_that_hold_no_run_are_passed_over_and_a_torn_one_joins_no_other(runs: DreamRuns, tmp_path: Path) -> None:
    runs.add(RUN)
    with WorkspacePaths(tmp_path).own.dream_runs.open("ab") as file:
        file.write(b'\n[1]\n{"id": "x"}\n\xff\xfe\n' + b"[" * 100_000 + b'\n{"id": "r2", "wh')
    third = replace(RUN, id="r3")
    runs.add(third)
    assert runs.newest() == [third, RUN]


def test_a_run_that_was_taken_back_says_so_and_keeps_its_place(runs: DreamRuns) -> None:
    runs.add(RUN)
    second = replace(RUN, id="r2")
    runs.add(second)
    runs.mark_undone("r1", "declined")
    assert runs.newest() == [second, replace(RUN, undone="declined")]
    runs.mark_undone("r1", "again")
    assert runs.newest()[1].undone == "again"


def test_the_runs_of_a_day_are_all_of_them(runs: DreamRuns) -> None:
    runs.add(RUN)
    for number in range(60):
        runs.add(replace(RUN, id=f"of the next {number}", when="2026-04-04T10:00:00"))
    assert len(runs.since("2026-04-04")) == 60
    assert len(runs.since("2026-04-03")) == 61


def test_a_run_that_could_not_be_kept_is_said(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.own.folder.mkdir()
    with pytest.raises(DiskFull):
        DreamRuns(paths, calls=FailingOnce(2, errno.ENOSPC)).add(RUN)
    assert DreamRuns(paths).newest() == []
