"""Every change of a memory file is kept, with what the person deleted; a line that cannot be read costs itself."""

import errno
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from mnemoscope.domain.errors import DiskFull, UnreadableFile
from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.store.memory.change_log import KEPT, MOST_DELETIONS, ChangeLog, LoggedChange, read_origin
from tests.support.faulty_calls import FailingOnce

WHEN = "2026-03-07T09:30:00"


def mark(number: int) -> str:
    return f"{number:016x}"


def change(number: int) -> MemoryChange:
    origin = MemoryOrigin("consolidation", WHEN, "cli:direct", 0, 8)
    return MemoryChange(f"c{number}", WHEN, origin, f"v{number}", f"v{number + 1}", ("likes tea",), (), 1, 0, "Tea.")


def line(number: int, *, deleted: tuple[str, ...] = (), restored: tuple[str, ...] = ()) -> LoggedChange:
    return LoggedChange(change(number), deleted, restored)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "own" / "changes.jsonl"


def test_changes_are_read_back_as_they_were_added(path: Path) -> None:
    journal = ChangeLog(path)
    assert (journal.lines(), journal.last_digest(), journal.holds("c0")) == ([], None, False)
    added = [line(0, deleted=(mark(1), mark(2))), line(1, restored=(mark(1),))]
    for each in added:
        journal.add(each)
    for known in (journal, ChangeLog(path)):
        assert known.lines() == added
        assert known.last_digest() == "v2"
        assert known.holds("c0")
        assert known.deleted() == {mark(2): WHEN}


def test_a_line_that_was_cut_off_never_joins_the_next(path: Path) -> None:
    ChangeLog(path).add(line(0))
    with path.open("ab") as file:
        file.write(b'{"id": "c1", "wh')
    ChangeLog(path).add(line(2))
    assert [each.change.id for each in ChangeLog(path).lines()] == ["c0", "c2"]


def test_an_empty_file_is_begun(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    ChangeLog(path).add(line(0))
    assert ChangeLog(path).lines() == [line(0)]


def test_a_change_that_could_not_be_added_is_not_known(path: Path) -> None:
    path.parent.mkdir()
    journal = ChangeLog(path, calls=FailingOnce(2, errno.ENOSPC))
    with pytest.raises(DiskFull):
        journal.add(line(0, deleted=(mark(1),)))
    assert (journal.lines(), journal.deleted()) == ([], {})
    journal.add(line(0))
    assert ChangeLog(path).lines() == [line(0)]


def test_a_folder_in_its_place_is_said(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(UnreadableFile):
        ChangeLog(path).lines()


def test_the_oldest_lines_go_and_what_they_deleted_stays_deleted(path: Path) -> None:
    first = ChangeLog(path)
    first.add(line(0, deleted=(mark(1), mark(2))))
    template = json.loads(path.read_bytes()) | {"deleted": [], "restored": []}
    with path.open("a") as file:
        for number in range(1, 2 * KEPT - 1):
            file.write(json.dumps(template | {"id": f"c{number}", "restored": [mark(2)] * (number == 3)}) + "\n")
    journal = ChangeLog(path)
    journal.add(line(2 * KEPT - 1))
    for known in (journal, ChangeLog(path)):
        assert [each.change.id for each in known.lines()] == [f"c{number}" for number in range(KEPT, 2 * KEPT)]
        assert known.deleted() == {mark(1): WHEN}


def test_of_very_many_deletions_the_latest_are_kept(path: Path) -> None:
    journal = ChangeLog(path)
    journal.add(line(0, deleted=tuple(map(mark, range(MOST_DELETIONS + 2)))))
    assert len(journal.deleted()) == MOST_DELETIONS
    assert mark(1) not in journal.deleted()
    assert mark(MOST_DELETIONS + 1) in journal.deleted()


@pytest.mark.parametrize(
    "more",
    [{"id": 1}, {"when": None}, {"origin": None}, {"origin": {"kind": 7}}, {"origin": {"start": "0"}},
     {"origin": {"stop": True}}],
)  # fmt: skip
def test_a_line_with_a_field_of_another_type_is_no_change(path: Path, more: Mapping[str, object]) -> None:
    ChangeLog(path).add(line(0))
    document = json.loads(path.read_bytes())
    others = [b"[1]", b"\xff", b"[" * 100_000, json.dumps(document | more).encode()]
    with path.open("ab") as file:
        file.write(b"\n".join(others) + b"\n")
    assert ChangeLog(path).lines() == [line(0)]


def test_what_is_odd_in_a_line_costs_itself(path: Path) -> None:
    ChangeLog(path).add(line(0))
    odd = {"added": "x", "removed": [1, "y"], "count_added": -1, "count_removed": True, "deleted": ["short", mark(7)]}
    document = json.loads(path.read_bytes()) | odd
    pairs = [[mark(8), WHEN], [mark(9)], "odd", [mark(3), 1], ["short", WHEN]]
    path.write_text(json.dumps({"deletions": pairs}) + "\n" + json.dumps(document) + "\n")
    journal = ChangeLog(path)
    (found,) = journal.lines()
    assert (found.change.added, found.change.removed) == ((), ("y",))
    assert (found.change.count_added, found.change.count_removed) == (0, 0)
    assert journal.deleted() == {mark(8): WHEN, mark(7): WHEN}


def test_an_origin_without_fields_is_not_known(path: Path) -> None:
    assert read_origin({}) == MemoryOrigin()
    assert read_origin([]) is None


def test_a_file_that_was_written_without_words_is_read_afresh(path: Path) -> None:
    journal = ChangeLog(path)
    journal.add(line(0))
    path.write_bytes(b"")
    assert journal.lines() == [line(0)]
    journal.reread()
    assert journal.lines() == []
