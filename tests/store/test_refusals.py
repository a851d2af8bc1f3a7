"""What the system or a file refuses is said, and nothing is taken for what it is not."""

import errno
import itertools
import os
import time
from pathlib import Path

import pytest

from mnemoscope.domain.errors import SettingsError, StorageError, UnreadableFile, WorkspaceReadOnly
from mnemoscope.domain.memory.change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.store.files.atomic import Seen, digest, look_once, read_stable, see_stable
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls, RootedCalls, RootGone
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.journals.history_append import history_mark, settle_entry
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryMoved
from mnemoscope.store.memory.suggestion_file import decode_suggestion, encode_suggestion
from mnemoscope.store.memory.text_versions import KEPT, TextVersions
from mnemoscope.store.transactions.intent import Intent, decode_intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SIZE_LIMIT, SettingsStore
from tests.support.faulty_calls import CountedCalls, FailingOnce


def intent() -> Intent:
    return Intent.of_kind("new", workspace_id="w", when="2026-03-07T09:30:00")


def test_an_exchange_with_a_name_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FileCalls().exchange(str(tmp_path / "a"), str(tmp_path / "b"))


def test_an_exchange_of_a_folder_with_what_is_in_it_is_not_possible(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert not FileCalls().exchange(str(tmp_path / "a"), str(tmp_path / "a" / "b"))


def test_a_file_that_is_rewritten_without_a_pause_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"")
    moments = itertools.count(time.time_ns() + 3_600 * 10**9)

    def rewritten(path: Path, most: int) -> Seen | None:
        moment = next(moments)
        os.utime(path, ns=(moment, moment))
        return look_once(path, most)

    # Empty, and at every look another one than before, until so many looks say that it has no rest.
    with pytest.raises(UnreadableFile, match="without a pause"):
        see_stable(path, look=rewritten)


def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "SOUL.md"
    path.write_bytes(b"half a text")
    looks: list[Seen | None] = []

    def torn(path: Path, most: int) -> Seen | None:
        looks.append(None if not looks else look_once(path, most))
        return looks[-1]

    seen = see_stable(path, 4, look=torn)
    assert seen is not None
    assert (seen.data, seen.size, len(looks)) == (b"half", 11, 2)
    (tmp_path / "empty").touch()
    os.utime(tmp_path / "empty", (0, 0))
    assert read_stable(tmp_path / "empty") == b""
    assert see_stable(tmp_path / "none") is None


def test_a_file_of_which_more_comes_than_it_says_is_never_taken_for_whole() -> None:
    if not Path("/proc/uptime").exists():
        pytest.skip("the system has no file whose size says nothing")
    assert look_once(Path("/proc/uptime"), -1) is None


def test_calls_of_a_folder_that_is_gone_raise_before_anything_happens(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a").write_bytes(b"1")
    calls = RootedCalls(root)
    descriptor = calls.open(str(root / "a"), os.O_WRONLY)
    calls.truncate(descriptor, 0)
    calls.close(descriptor)
    assert not calls.is_open_elsewhere(str(root / "a"))
    (root / "c").write_bytes(b"2")
    assert calls.exchange(str(root / "a"), str(root / "c")) == REAL_CALLS.exchange(str(root / "c"), str(root / "a"))
    root.rename(tmp_path / "moved")
    for refused in (
        lambda: calls.unlink(str(root / "a")),
        lambda: calls.mkdir(str(root / "b")),
        lambda: calls.replace(str(root / "a"), str(root / "b")),
        lambda: calls.exchange(str(root / "a"), str(root / "b")),
    ):
        with pytest.raises(RootGone):
            refused()


def test_settings_that_are_too_large_or_behind_a_file_are_said(tmp_path: Path) -> None:
    store = SettingsStore(WorkspacePaths(tmp_path))
    store.path.write_bytes(b" " * (SIZE_LIMIT + 1))
    store.load()
    assert "larger than 4 MB" in store.complaints[0]
    (tmp_path / "file").write_text("x")
    with pytest.raises(SettingsError, match="cannot be read"):
        SettingsStore(WorkspacePaths(tmp_path / "file")).change(model="b")
    with pytest.raises(WorkspaceReadOnly):
        SettingsStore(WorkspacePaths(tmp_path), read_only=True).set_aside()


def test_an_error_waits_in_the_future(tmp_path: Path) -> None:
    future = InlineDisk().submit((tmp_path / "none").read_bytes)
    with pytest.raises(FileNotFoundError):
        future.result()


def test_no_entry_is_found_at_once(tmp_path: Path) -> None:
    path = tmp_path / "HISTORY.md"
    assert settle_entry(path, b"", history_mark(path)) == "found"
    assert not path.exists()


def test_memory_that_is_removed_in_the_very_moment_is_told_as_moved(tmp_path: Path) -> None:
    class Removing(FileCalls):
        def exchange(self, one: str, other: str) -> bool:
            os.unlink(other)
            return super().exchange(one, other)

    path = tmp_path / "MEMORY.md"
    path.write_text("one")
    with pytest.raises(MemoryMoved) as caught:
        MemoryFile(path, calls=Removing()).write("two", based_on=None)
    assert not caught.value.current.exists
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_gone_is_no_moved_memory(tmp_path: Path) -> None:
    class Gone(FileCalls):
        def replace(self, source: str, target: str) -> None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), target)

    with pytest.raises(StorageError, match="not there"):
        MemoryFile(tmp_path / "MEMORY.md", calls=Gone()).write("one", based_on="")


def test_what_is_no_text_is_kept_beside_memory(tmp_path: Path) -> None:
    class Garbling(FileCalls):
        def exchange(self, one: str, other: str) -> bool:
            Path(other).write_bytes(b"\xff\xfe")
            Garbling.exchange = FileCalls.exchange  # type: ignore[method-assign]
            return super().exchange(one, other)

    path = tmp_path / "MEMORY.md"
    path.write_text("one")
    assert MemoryFile(path, calls=Garbling()).write("two", based_on=None).text == "two"
    assert [each.read_bytes() for each in tmp_path.glob("*.kept")] == [b"\xff\xfe"]


def test_memory_is_parted_from_its_other_names(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("one")
    os.link(path, tmp_path / "other")
    file = MemoryFile(path)
    file.separate()
    file.write("two", based_on=None)
    assert (tmp_path / "other").read_text() == "one"


def test_an_intent_that_was_not_forced_is_taken_back(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.own.ledger_dir.mkdir(parents=True)
    for at in range(1, 6):
        ledger = Ledger(paths, calls=FailingOnce(at))
        with pytest.raises(StorageError):
            ledger.commit(intent())
        assert ledger.pending() is None
    assert Ledger(paths).set_aside() is None


def test_another_intent_is_never_overwritten(tmp_path: Path) -> None:
    ledger = Ledger(WorkspacePaths(tmp_path))
    first = intent()
    ledger.commit(first)
    ledger.commit(first)
    with pytest.raises(StorageError, match="finished first"):
        ledger.commit(intent())
    assert ledger.pending() == first
    ledger.drop()
    assert ledger.pending() is None


def test_suggestions_are_named_plainly_and_unreadable_ones_are_none(tmp_path: Path) -> None:
    ledger = Ledger(WorkspacePaths(tmp_path))
    suggestion = Suggestion("a1", "2026-03-07", "", "x", ("why",), "", 0, 0)
    with pytest.raises(StorageError, match="no such suggestion"):
        ledger.settle("../a1", "accept")
    ledger.settle("a1", "accept")
    ledger.hold(suggestion)
    assert [each.id for each in ledger.suggestions()] == ["a1"]
    for data in (b"{", b"[]", b"{}", b'{"id": 1}'):
        assert decode_suggestion(data) is None
    text = encode_suggestion(suggestion).decode()
    for wrong in (text.replace('"start": 0', '"start": "0"'), text.replace('["why"]', '"why"')):
        assert wrong != text
        assert decode_suggestion(wrong.encode()) is None
    for passage in ("[1]", '[{"base": 1}]'):
        found = decode_suggestion(text.replace('"conflicts": []', f'"conflicts": {passage}').encode())
        assert found is not None
        assert found.conflicts == ()


@pytest.mark.parametrize("line", [b"[", b"[1]", b"{}", b'{"moves": [{"x": 1}]}'])
def test_a_whole_line_that_is_no_intent_is_none(line: bytes) -> None:
    assert decode_intent(line + b"\n" + digest(line).encode() + b"\n") is None


def test_versions_that_are_not_kept_are_none(tmp_path: Path) -> None:
    versions = TextVersions(tmp_path / "versions")
    assert versions.text("") == ""
    assert versions.text(None) is None
    assert versions.text("../x") is None
    assert versions.text("0" * 64) is None
    assert versions.text_beginning("00") is None
    assert not versions.holds_prefix(b"text")
    version = versions.keep_text("a text")
    versions.keep("a text", "no version")
    assert versions.text_beginning(version[:8]) == "a text"
    assert versions.text_beginning("") is None
    assert versions.holds_prefix(b"a t")
    assert versions.holds_prefix(b"a text")
    assert not versions.holds_prefix(b"another")


def test_a_text_that_is_there_already_is_forced_and_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("one")
    calls = CountedCalls()
    MemoryFile(path, calls=calls).write("one", based_on=None)
    assert calls.names == ["fsync"]


def test_a_suggestion_reads_back_with_its_passages() -> None:
    passage = MemoryConflict("was", "mine", "theirs", MemoryOrigin("editor", "2026-03-07T09:00:00"), MemoryOrigin())
    suggestion = Suggestion("a1", "2026-03-07", "", "x", ("why",), "", 0, 0, (passage,))
    assert decode_suggestion(encode_suggestion(suggestion)) == suggestion


def test_a_version_that_was_kept_by_another_run_is_known(tmp_path: Path) -> None:
    version = TextVersions(tmp_path).keep_text("a text")
    again = TextVersions(tmp_path)
    again.keep("a text", version)
    assert [path.name for path in tmp_path.iterdir()] == [version]


def test_the_oldest_versions_go_when_there_are_too_many(tmp_path: Path) -> None:
    for number in range(KEPT):
        text = tmp_path / digest(f"text {number}".encode())
        text.write_text(f"text {number}")
        os.utime(text, (number, number))
    versions = TextVersions(tmp_path)
    for number in range(KEPT, KEPT + 3):
        versions.keep_text(f"text {number}")
    assert len(list(tmp_path.iterdir())) == KEPT
    assert versions.text(digest(b"text 0")) is None
    assert versions.text(digest(f"text {KEPT + 2}".encode())) is not None
