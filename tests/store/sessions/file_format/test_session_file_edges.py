"""Session files at their edges: files that vanish or change between two looks, folders full of other people's names."""

import errno
import hashlib
import os
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.errors import DiskFull, StorageError, UnreadableFile
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.file_format.session_file import Change, SessionFile, StaleFile, read_at
from mnemoscope.store.sessions.file_format.session_index import locate_line
from mnemoscope.store.sessions.file_format.tail import Tail, tail_of_file
from mnemoscope.store.sessions.folder import FolderEntry, SessionFolder
from mnemoscope.store.sessions.overview import Overviews, overview_of
from mnemoscope.store.sessions.repair import FileRepair
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.sessions.session_writer import LostMessages
from tests.support.faulty_calls import FailingOnce
from tests.support.session_files import FailingCalls, SteppingClock, line, message, metadata, write_session

KEY = "cli:direct"
WHEN = datetime(2026, 3, 7, 9, 30)


def place(root: Path) -> Path:
    return root / "sessions" / "cli_direct.jsonl"


def started(root: Path, count: int = 3) -> SessionManager:
    manager = SessionManager(root, clock=SteppingClock())
    session = manager.get_or_create(KEY)
    session.messages.extend(message(number) for number in range(count))
    manager.append(session)
    return manager


# -- what is in memory -------------------------------------------------------------------------------------------------


def test_the_last_message_is_withdrawn_only_where_it_was_not_written(tmp_path: Path) -> None:
    session = started(tmp_path).get_or_create(KEY)
    said = session.add_message("user", "never mind")
    assert not session.messages.withdraw(message(0))
    assert session.messages.withdraw(said)
    assert not session.messages.withdraw(said)
    assert len(session.messages) == 3


def test_a_session_tells_what_it_is_without_its_words(tmp_path: Path) -> None:
    session = started(tmp_path).get_or_create(KEY)
    session.add_message("user", "secret")
    assert repr(session) == f"<Session '{KEY}': <MessageLog of 4 messages, 1 not saved>, pointer 0>"


def test_a_log_is_compared_with_sequences_and_with_nothing_else() -> None:
    log = MessageLog([message(0)])
    assert log == [message(0)]
    assert log == (message(0),)
    assert log != [message(1)]
    assert log != "words"


# -- files that change between two looks -------------------------------------------------------------------------------


def test_a_file_that_is_gone_holds_nothing_that_was_indexed(tmp_path: Path) -> None:
    path = write_session(place(tmp_path), [metadata(), message(0)])
    file = SessionFile(path)
    path.unlink()
    with pytest.raises(StaleFile):
        file.block(file.index, 0)
    assert overview_of(KEY, file).title == ""


def test_a_file_cut_while_its_damage_is_looked_for_shows_that_it_moved(tmp_path: Path) -> None:
    broken = b'{"role": "user", "content": "wor\x01ds"}\n'
    path = write_session(place(tmp_path), [metadata(), broken, message(1)])
    log = MessageLog()
    log.attach(SessionFile(path))
    assert log[1] == message(1), "the block is in memory now"
    path.unlink()
    assert "read again" in str(log[0]["content"])


def test_a_message_that_is_not_where_it_was_looked_for_is_an_error(tmp_path: Path) -> None:
    file = SessionFile(write_session(place(tmp_path), [metadata(), message(0)]))
    with pytest.raises(IndexError, match="message 5 is not in block 0"):
        locate_line(b"", file.index, 5, "why")


def test_a_conversation_whose_file_vanishes_while_it_is_listed_is_not_listed(tmp_path: Path) -> None:
    folder = SessionFolder(tmp_path)
    gone = FolderEntry(KEY, tmp_path / "gone.jsonl")
    assert Overviews(folder).of(gone) is None
    assert folder.key_of(gone.path) == ""
    (tmp_path / "folder.jsonl").mkdir()
    seen = Overviews(folder).of(FolderEntry(KEY, tmp_path / "folder.jsonl"))
    assert seen is not None
    assert "it is a folder" in seen.problem


def test_a_torn_line_that_another_program_finishes_in_that_moment_is_not_cut(tmp_path: Path) -> None:
    whole = line(message(1))
    path = write_session(place(tmp_path), [metadata(), message(0), whole[:20]])
    file = SessionFile(path)
    with path.open("ab") as other:
        other.write(whole[20:])
    FileRepair(tmp_path, tmp_path / "quarantine").mend_end(file)
    file.refresh()
    assert file.index.count == 2
    assert not (tmp_path / "quarantine").exists()


def test_a_line_that_another_program_is_writing_is_waited_for_by_who_appends(tmp_path: Path) -> None:
    class Unending(FailingCalls):
        """Another program goes on with its line whenever its beginning was cut off."""

        def truncate(self, descriptor: int, size: int) -> None:
            super().truncate(descriptor, size)
            with place(tmp_path).open("ab") as other:
                other.write(b'{"role": "us')

    manager = SessionManager(tmp_path, calls=Unending())
    session = manager.get_or_create(KEY)
    session.messages.append(message(0))
    manager.append(session)
    with place(tmp_path).open("ab") as other:
        other.write(b'{"role": "us')
    session.messages.append(message(1))
    with pytest.raises(StorageError, match="is being written by another program"):
        manager.append(session)
    assert session.messages.pending == [message(1)]


def test_a_conversation_that_another_program_begins_anew_is_told_as_begun(tmp_path: Path) -> None:
    manager = started(tmp_path)
    write_session(place(tmp_path), [metadata(created_at=WHEN.isoformat())])
    session = manager.get_or_create(KEY)
    assert manager.refresh(session)
    assert manager.take_loss(KEY) == LostMessages("begun", 3, 0)
    write_session(place(tmp_path), [metadata(created_at=WHEN.isoformat(), title="x" * 40), message(0)])
    manager.refresh(session)
    write_session(place(tmp_path), [metadata(created_at=WHEN.isoformat(), title="y")])
    manager.refresh(session)
    assert manager.take_loss(KEY) == LostMessages("shortened", 1, 0)


def test_what_another_program_wrote_over_a_failed_append_is_not_taken_for_ours(tmp_path: Path) -> None:
    calls = FailingCalls()
    manager = SessionManager(tmp_path, calls=calls)
    session = manager.get_or_create(KEY)
    session.messages.append(message(0))
    manager.append(session)
    session.messages.append(message(1))
    calls.fault, calls.taken, calls.can_take_back = "broken", 10, False
    with pytest.raises(StorageError):
        manager.append(session)
    data = place(tmp_path).read_bytes()[:-10] + line(message(7, "theirs"))
    place(tmp_path).write_bytes(data)
    calls.fault = ""
    manager.append(session)
    assert [each["content"] for each in SessionManager(tmp_path).get_or_create(KEY).messages] == [
        "words 0", "theirs 7", "words 1",
    ]  # fmt: skip


class Restless(SessionFile):
    """A file that another program rewrites right before each of so many looks."""

    def __init__(self, path: Path, times: int) -> None:
        self.left = 0
        super().__init__(path)
        self.left = times

    def refresh(self) -> Change:
        if self.left:
            self.left -= 1
            write_session(self.path, [metadata(title=f"{self.left}"), message(self.left, "theirs")])
        return super().refresh()


def test_a_file_that_is_being_rewritten_is_taken_in_when_it_rests(tmp_path: Path) -> None:
    manager = started(tmp_path)
    session = manager.get_or_create(KEY)
    session.messages.attach(Restless(place(tmp_path), 4))
    assert manager.refresh(session)
    assert session.messages == [message(0, "theirs")]


@pytest.mark.slow
def test_one_that_never_rests_is_taken_in_as_it_is_after_a_second(tmp_path: Path) -> None:
    manager = started(tmp_path)
    session = manager.get_or_create(KEY)
    file = Restless(place(tmp_path), 500)
    session.messages.attach(file)
    assert manager.refresh(session)
    assert session.messages == [message(file.left, "theirs")]


def test_bytes_beyond_the_end_are_no_bytes_of_the_file(tmp_path: Path) -> None:
    file = SessionFile(write_session(place(tmp_path), [metadata(), message(0)]))
    with pytest.raises(StaleFile):
        file.read(file.index, 0, 10_000)


@pytest.mark.skipif(not Path("/proc/kallsyms").exists(), reason="the system has no file that it hands over in pieces")
def test_what_the_system_hands_over_in_pieces_is_read_whole() -> None:
    descriptor = os.open("/proc/kallsyms", os.O_RDONLY)
    try:
        assert len(os.pread(descriptor, 40_000, 0)) < 40_000
        assert len(read_at(descriptor, 0, 40_000)) == 40_000
    finally:
        os.close(descriptor)


# -- names -------------------------------------------------------------------------------------------------------------


def test_a_folder_that_is_full_of_other_names_takes_no_new_file(tmp_path: Path) -> None:
    digest = hashlib.sha256(KEY.encode()).hexdigest()[:32]
    tmp_path.joinpath("sessions").mkdir()
    names = ["cli_direct", "Y2xpOmRpcmVjdA", *(f"session-{digest}-{number}" for number in range(1, 100))]
    for name in names:
        write_session(tmp_path / "sessions" / f"{name}.jsonl", [metadata(f"other:{name}")])
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.messages.append(message(0))
    with pytest.raises(StorageError, match="No file name is left"):
        manager.append(session)
    assert session.messages.pending == [message(0)]


def test_a_folder_that_no_system_could_have_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="its name is too long"):
        SessionManager(tmp_path / ("x" * 300)).load(KEY)


def test_a_key_with_a_zero_byte_has_a_file_like_any_other(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create("odd:\0key")
    session.messages.append(message(0))
    manager.append(session)
    assert SessionManager(tmp_path).get_or_create("odd:\0key").messages == [message(0)]


# -- the manager -------------------------------------------------------------------------------------------------------


def test_complaints_are_told_of_what_is_not_open_and_of_what_is_not_there(tmp_path: Path) -> None:
    write_session(place(tmp_path), [metadata(last_consolidated=-1), message(0)])
    manager = SessionManager(tmp_path)
    assert manager.health.complaints("cli:none") == []
    (complaint,) = manager.health.complaints(KEY)
    assert "pointer is negative" in complaint


def test_a_record_that_names_another_conversation_is_complained_of(tmp_path: Path) -> None:
    manager = started(tmp_path)
    session = manager.get_or_create(KEY)
    assert manager.health.complaints(KEY) == []
    with place(tmp_path).open("ab") as other:
        other.write(line(metadata("cli:other")))
    file = session.messages.file
    assert file is not None
    file.refresh()
    assert "names another conversation, “cli:other”" in manager.health.complaints(KEY)[0]


def test_a_conversation_is_shown_where_its_damage_cannot_be_copied_aside(tmp_path: Path) -> None:
    write_session(place(tmp_path), [metadata(), message(0), b"damaged\n", message(1)])
    calls = FailingOnce(1, errno.ENOSPC)
    manager = SessionManager(tmp_path, calls=calls)
    assert [each["role"] for each in manager.get_or_create(KEY).messages] == ["user", "damaged", "assistant"]
    (complaint,) = manager.health.complaints(KEY)
    assert complaint.startswith("Its damaged records could not be copied aside yet. The disk is full")


def test_a_transcript_that_a_recovery_closed_goes_on_anew_where_it_is_open(tmp_path: Path) -> None:
    manager = started(tmp_path)
    session = manager.get_or_create(KEY)
    former = session.messages
    kept = tmp_path / "sessions" / "archive" / "cli_direct-1.jsonl"
    assert not manager.begun_anew("cli:none", kept)
    assert not manager.begun_anew(KEY, kept), "nothing was moved"
    kept.parent.mkdir()
    place(tmp_path).rename(kept)
    write_session(place(tmp_path), [metadata(created_at=WHEN.isoformat())])
    assert manager.begun_anew(KEY, kept)
    assert (len(session.messages), session.created_at) == (0, WHEN)
    assert [each["content"] for each in former] == ["words 0", "words 1", "words 2"], "who shows it reads on"


@pytest.mark.slow
def test_closing_a_transcript_that_fails_half_way_changes_nothing(tmp_path: Path) -> None:
    refused = 0
    for at in range(1, 40):
        root = tmp_path / str(at)
        started(root)
        calls = FailingOnce(at, errno.EIO)
        manager = SessionManager(root, calls=calls)
        session = manager.get_or_create(KEY)
        try:
            manager.archive(session, WHEN)
        except StorageError:
            refused += 1
            assert len(session.messages) == 3
            assert [each["content"] for each in SessionManager(root).get_or_create(KEY).messages][-1] == "words 2"
        else:
            assert len(session.messages) == 0
    assert refused > 5


def test_a_conversation_that_is_not_open_is_deleted_too(tmp_path: Path) -> None:
    started(tmp_path)
    trashed = SessionManager(tmp_path).trash(KEY)
    assert trashed.kept is not None
    assert not place(tmp_path).exists()


def test_a_full_disk_is_said_with_the_name_of_the_conversation(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path, calls=FailingOnce(1, errno.ENOSPC))
    tmp_path.joinpath("sessions").mkdir()
    session = manager.get_or_create(KEY)
    session.messages.append(message(0))
    with pytest.raises(DiskFull, match="the conversation “words 0”"):
        manager.append(session)


def test_a_file_that_vanished_between_two_looks_has_an_empty_tail(tmp_path: Path) -> None:
    assert tail_of_file(place(tmp_path), 10) == Tail((), 0, True)
