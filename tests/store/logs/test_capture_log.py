"""The log of captures: newest first, an id once, bounded, and a line that is none costs itself."""

import errno
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.domain.capture.record import KEPT, REFUSED, UNDONE, CaptureRecord, record_of, twin_reason
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.errors import DiskFull
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import FailingOnce

ONE = CaptureRecord(
    "a1", "2026-11-22T09:00:00", "desktop:x", "began", 4, "preference", "I prefer “tea” \u2028", fact="f1"
)
TWO = replace(ONE, id="a2", outcome=REFUSED, reason="question", fact="")


@pytest.fixture
def log(tmp_path: Path) -> CaptureLog:
    return CaptureLog(WorkspacePaths(tmp_path))


def test_records_are_read_back_newest_first(log: CaptureLog) -> None:
    log.add([])
    assert log.newest() == []
    log.add([ONE, TWO])
    assert log.newest() == [TWO, ONE]
    assert log.newest(1) == [TWO]
    assert log.find("a1") == ONE
    assert log.find("a3") is None


def test_the_same_record_again_replaces_what_was_noted(log: CaptureLog) -> None:
    log.add([ONE, TWO])
    after = replace(ONE, outcome=UNDONE)
    log.add([after])
    assert log.newest() == [after, TWO]


def test_messages_and_facts_are_known_from_the_file_and_from_what_came_since(tmp_path: Path, log: CaptureLog) -> None:
    log.add([ONE, TWO])
    again = CaptureLog(WorkspacePaths(tmp_path))
    assert (again.has("desktop:x", "began", 4), again.has("desktop:x", "began", 5)) == (True, False)
    again.add([replace(ONE, id="a3", index=5, outcome=UNDONE)])
    assert again.has("desktop:x", "began", 5)
    assert again.of_fact("f1") == replace(ONE, id="a3", index=5, outcome=UNDONE)
    assert again.of_fact("f2") is None
    again.add([replace(ONE, id="a4", memory_line="- **preference**: tea")])
    assert (again.has_line("- **preference**: tea"), again.has_line("- cake")) == (True, False)


def test_the_records_of_a_conversation_stand_by_message_in_order(log: CaptureLog) -> None:
    other = replace(ONE, id="b1", session_created_at="another")
    later = replace(ONE, id="a3", index=9)
    log.add([ONE, other, TWO, later])
    assert log.of_conversation("desktop:x", Branch("began")) == {4: [ONE, TWO], 9: [later]}


def test_lines_that_hold_no_record_are_passed_over_and_a_torn_one_joins_no_other(
    log: CaptureLog, tmp_path: Path
) -> None:
    log.add([ONE])
    with WorkspacePaths(tmp_path).own.captures_log.open("ab") as file:
        file.write(b'\n[1]\n{"id": "x"}\n\xff\n' + b"[" * 100_000 + b'\n{"id": "a2", "wh')
    log.add([TWO])
    assert log.newest() == [TWO, ONE]


def test_a_long_log_is_put_aside_and_still_read(tmp_path: Path) -> None:
    log = CaptureLog(WorkspacePaths(tmp_path), longest=1_000)
    for number in range(6):
        log.add([replace(ONE, id=f"a{number}")])
    assert [record.id for record in log.newest(3)] == ["a5", "a4", "a3"]
    assert WorkspacePaths(tmp_path).own.captures_log.stat().st_size < 2_000


def test_what_a_full_disk_refused_is_known_and_goes_with_the_next(tmp_path: Path) -> None:
    CaptureLog(WorkspacePaths(tmp_path)).add([ONE])
    log = CaptureLog(WorkspacePaths(tmp_path), calls=FailingOnce(2, errno.ENOSPC))
    with pytest.raises(DiskFull):
        log.add([TWO])
    assert log.newest() == [TWO, ONE]
    assert CaptureLog(WorkspacePaths(tmp_path)).newest() == [ONE]
    third = replace(ONE, id="a3")
    log.add([third])
    assert log.newest() == CaptureLog(WorkspacePaths(tmp_path)).newest() == [third, TWO, ONE]


def test_what_was_refused_goes_by_itself_where_nothing_else_came(tmp_path: Path) -> None:
    CaptureLog(WorkspacePaths(tmp_path)).add([ONE])
    log = CaptureLog(WorkspacePaths(tmp_path), calls=FailingOnce(2, errno.ENOSPC))
    with pytest.raises(DiskFull):
        log.add([TWO])
    log.add([])
    assert CaptureLog(WorkspacePaths(tmp_path)).newest() == [TWO, ONE]


@pytest.mark.parametrize(
    "document",
    [None, [], {"id": "x"}, {"index": -1}, {"outcome": "odd"}, {"index": "4"}],
)
def test_what_is_no_record_is_none(document: object) -> None:
    whole = {
        "id": "a",
        "when": "w",
        "session_key": "k",
        "session_created_at": "c",
        "index": 0,
        "category": "c",
        "text": "t",
    }
    assert record_of(whole | {"outcome": KEPT}) is not None
    assert record_of(whole | document if isinstance(document, dict) and "id" not in document else document) is None


def test_a_file_that_was_written_without_words_is_read_afresh(tmp_path: Path, log: CaptureLog) -> None:
    log.add([ONE, TWO])
    assert log.has("desktop:x", "began", 4)
    WorkspacePaths(tmp_path).own.captures_log.write_bytes(b"")
    log.reread()
    assert not log.has("desktop:x", "began", 4)


def test_what_is_known_of_a_conversation_is_what_was_kept_or_said_before_each_as_noted_last(
    tmp_path: Path, log: CaptureLog
) -> None:
    twin = replace(TWO, id="a3", reason=twin_reason("- I prefer tea"))
    other = replace(ONE, id="b1", session_key="desktop:y")
    log.add([ONE, TWO, twin, other])
    again = CaptureLog(WorkspacePaths(tmp_path))
    assert again.kept_of("desktop:x") == [ONE, twin]
    after = replace(ONE, outcome=UNDONE)
    again.add([after])
    assert again.kept_of("desktop:x") == [after, twin]
    assert again.kept_of("desktop:z") == []
    WorkspacePaths(tmp_path).own.captures_log.unlink()
    again.reread()
    assert again.kept_of("desktop:x") == []
