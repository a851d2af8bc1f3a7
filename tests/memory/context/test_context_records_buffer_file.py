"""The working buffer's file serves one conversation at a time and is its head alone once it has served."""

from datetime import UTC, datetime
from pathlib import Path

from mnemoscope.domain.context.working_buffer import INACTIVE, buffer_entry
from mnemoscope.memory.context.context_records import BufferFile
from mnemoscope.store.workspace.paths import WorkspacePaths

WHEN = datetime(2026, 11, 22, 14, 30, tzinfo=UTC)


def entry(words: str) -> str:
    return buffer_entry(WHEN, words, "answer")


def file_in(folder: Path) -> BufferFile:
    return BufferFile(WorkspacePaths(folder).working_buffer)


def test_exchanges_of_one_conversation_are_added(tmp_path: Path) -> None:
    buffer = file_in(tmp_path)
    assert buffer.read().exchanges == ()
    for words in ("one", "two"):
        buffer.add(entry(words), WHEN, "desktop:a")
    assert buffer.path.read_text("utf-8").count("# Working Buffer") == 1
    assert [each.split("\n")[1] for each in file_in(tmp_path).read().exchanges] == ["one", "two"]


def test_another_conversation_begins_it_anew(tmp_path: Path) -> None:
    buffer = file_in(tmp_path)
    buffer.add(entry("one"), WHEN, "desktop:a")
    buffer.add(entry("two"), WHEN, "desktop:b")
    assert buffer.read().serves("desktop:b")
    assert len(buffer.read().exchanges) == 1


def test_once_it_has_served_it_is_its_head_alone_and_begins_anew(tmp_path: Path) -> None:
    buffer = file_in(tmp_path)
    buffer.add(entry("one"), WHEN, "desktop:a")
    buffer.reset(WHEN, "desktop:other")
    assert buffer.read().serves("desktop:a")
    buffer.reset(WHEN, "desktop:a")
    assert buffer.read().status == INACTIVE
    assert buffer.read().exchanges == ()
    buffer.add(entry("two"), WHEN, "desktop:a")
    assert len(buffer.read().exchanges) == 1


def test_a_line_without_an_end_is_not_joined_to_an_exchange(tmp_path: Path) -> None:
    buffer = file_in(tmp_path)
    buffer.add(entry("one"), WHEN, "desktop:a")
    buffer.path.write_bytes(buffer.path.read_bytes()[:-3])
    buffer.add(entry("two"), WHEN, "desktop:a")
    assert len(buffer.read().exchanges) == 2
