"""Each message is written exactly once: through full disks, other programs, and two managers on one folder."""

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mnemoscope.domain.errors import DiskFull, StorageError, WorkspaceReadOnly
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.sessions.file_format.session_file import SessionFile
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.sessions.session_writer import LostMessages
from tests.support.peer_loaders import encoded_name, load_0_1_4
from tests.support.session_files import START, FailingCalls, line, message, metadata, write_session

KEY = "cli:direct"


def contents(path: Path) -> list[str]:
    return [str(each["content"]) for each in load_0_1_4(path).messages]


def started(tmp_path: Path, calls: FailingCalls) -> tuple[SessionManager, Path]:
    manager = SessionManager(tmp_path, calls=calls)
    session = manager.get_or_create(KEY)
    session.messages.extend(message(number) for number in range(3))
    manager.append(session)
    path = manager.path_of(KEY)
    assert path is not None
    return manager, path


@pytest.mark.parametrize("fault", ["full", "broken", "read-only"])
@pytest.mark.parametrize("taken", [0, 1, 40, 100])
@pytest.mark.parametrize("can_take_back", [True, False])
def test_a_failed_append_is_written_exactly_once_by_the_retry(
    tmp_path: Path, fault: str, taken: int, can_take_back: bool
) -> None:
    calls = FailingCalls()
    manager, path = started(tmp_path, calls)
    session = manager.get_or_create(KEY)
    before = path.read_bytes()
    for words in ("one", "two", "three"):
        session.add_message("user", words)
    calls.fault, calls.taken, calls.can_take_back = fault, taken, can_take_back
    with pytest.raises(DiskFull if fault == "full" else StorageError):
        manager.append(session)
    if can_take_back:
        assert path.read_bytes() == before
    assert [each["content"] for each in session.messages[-3:]] == ["one", "two", "three"]
    assert len(session.messages) == 6
    calls.fault = ""
    manager.append(session)
    assert contents(path) == ["words 0", "words 1", "words 2", "one", "two", "three"]
    assert [each["content"] for each in session.messages] == contents(path)
    assert session.messages.pending == []


class _UnforcedFolder(FileCalls):
    """Files are written; their folder is not forced while `fails`."""

    def __init__(self) -> None:
        self.fails = False

    def fsync(self, descriptor: int) -> None:
        if self.fails and stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "the test says so")
        super().fsync(descriptor)


def test_a_first_write_whose_folder_was_not_forced_is_there_once_after_the_retry(tmp_path: Path) -> None:
    calls = _UnforcedFolder()
    manager = SessionManager(tmp_path, calls=calls)
    (tmp_path / "sessions").mkdir()
    session = manager.get_or_create(KEY)
    session.add_message("user", "one")
    calls.fails = True
    for _ in range(2):
        with pytest.raises(StorageError):
            manager.append(session)
        assert [each["content"] for each in session.messages.pending] == ["one"]
    calls.fails = False
    manager.append(session)
    session.add_message("user", "two")
    manager.append(session)
    path = manager.path_of(KEY)
    assert path is not None
    assert contents(path) == ["one", "two"] == [each["content"] for each in session.messages]


def test_a_first_write_that_fails_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    calls = FailingCalls()
    calls.fault = "full"
    manager = SessionManager(tmp_path, calls=calls)
    session = manager.get_or_create(KEY)
    session.add_message("user", "hello")
    with pytest.raises(DiskFull):
        manager.append(session)
    calls.fault = ""
    assert manager.append(session) == [0]
    assert [path.name for path in manager.sessions_dir.iterdir()] == ["cli_direct.jsonl"]
    assert contents(manager.sessions_dir / "cli_direct.jsonl") == ["hello"]


def test_messages_that_wait_are_read_by_number(tmp_path: Path) -> None:
    calls = FailingCalls()
    manager, _ = started(tmp_path, calls)
    session = manager.get_or_create(KEY)
    said = session.add_message("user", "not yet durable")
    assert session.messages[3] is said
    assert session.messages[-1] is said
    assert session.messages[2:4] == [message(2), said]
    assert session.get_history()[-1] == {"role": "user", "content": "not yet durable"}


def test_a_turn_is_one_write(tmp_path: Path) -> None:
    calls = FailingCalls()
    manager, _ = started(tmp_path, calls)
    session = manager.get_or_create(KEY)
    before = calls.writes
    session.messages.extend(message(number) for number in range(3, 7))
    assert manager.append(session) == [3, 4, 5, 6]
    assert calls.writes == before + 1
    assert manager.append(session) == []
    assert calls.writes == before + 1


def test_two_managers_that_take_turns_keep_every_message_in_one_order(tmp_path: Path) -> None:
    managers = [SessionManager(tmp_path), SessionManager(tmp_path)]
    sessions = [manager.get_or_create(KEY) for manager in managers]
    for number in range(20):
        manager, session = managers[number % 2], sessions[number % 2]
        session.add_message("user", f"said {number}")
        assert manager.append(session) == [number]
    assert managers[0].refresh(sessions[0])
    assert not managers[0].refresh(sessions[0])
    expected = [f"said {number}" for number in range(20)]
    assert [[each["content"] for each in session.messages] for session in sessions] == [expected, expected]
    path = managers[0].path_of(KEY)
    assert path is not None
    assert contents(path) == expected


def test_what_another_manager_appended_comes_before_what_waits_here(tmp_path: Path) -> None:
    one, two = SessionManager(tmp_path), SessionManager(tmp_path)
    mine, theirs = one.get_or_create(KEY), two.get_or_create(KEY)
    mine.add_message("user", "first")
    one.append(mine)
    mine.add_message("user", "mine")
    two.refresh(theirs)
    theirs.add_message("user", "theirs")
    two.append(theirs)
    assert one.append(mine) == [2]
    assert [each["content"] for each in mine.messages] == ["first", "theirs", "mine"]


def test_a_pointer_moved_elsewhere_is_followed_and_one_moved_here_stays(tmp_path: Path) -> None:
    one, two = SessionManager(tmp_path), SessionManager(tmp_path)
    mine = one.get_or_create(KEY)
    mine.messages.extend(message(number) for number in range(6))
    one.append(mine)
    theirs = two.get_or_create(KEY)
    theirs.last_consolidated = 4
    two.save(theirs)
    assert one.refresh(mine)
    assert mine.last_consolidated == 4
    mine.last_consolidated = 5
    theirs.metadata["title"] = "theirs"
    two.save(theirs)
    one.refresh(mine)
    assert (mine.last_consolidated, mine.title) == (5, "theirs")


def test_a_file_rewritten_shorter_is_read_anew_and_what_waits_follows(tmp_path: Path) -> None:
    manager, path = started(tmp_path, FailingCalls())
    session = manager.get_or_create(KEY)
    session.last_consolidated = 3
    manager.save(session)
    session.add_message("user", "waiting")
    write_session(path, [metadata(last_consolidated=1), message(7)])
    assert manager.append(session) == [1]
    assert contents(path) == ["words 7", "waiting"]
    assert [each["content"] for each in session.messages] == ["words 7", "waiting"]
    assert session.last_consolidated == 1
    assert manager.take_loss(KEY) == LostMessages("shortened", 3, 1)


def test_a_file_replaced_by_a_longer_one_is_read_anew(tmp_path: Path) -> None:
    manager, path = started(tmp_path, FailingCalls())
    session = manager.get_or_create(KEY)
    assert session.messages[0] == message(0)
    other = write_session(path.with_suffix(".new"), [metadata(), *(message(number, "other") for number in range(9))])
    os.replace(other, path)
    assert session.messages[0] == message(0), "what was read stays until the session is refreshed"
    assert manager.refresh(session)
    assert [each["content"] for each in session.messages] == [f"other {number}" for number in range(9)]
    assert manager.take_loss(KEY) == LostMessages("replaced", 3, 9)


def test_a_change_in_the_middle_of_the_same_length_is_seen(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.messages.extend(message(number) for number in range(40))
    manager.append(session)
    path = manager.path_of(KEY)
    assert path is not None
    assert session.messages[20]["content"] == "words 20"
    path.write_bytes(path.read_bytes().replace(b"words 20", b"WORDS 20"))
    assert manager.refresh(session)
    assert session.messages[20]["content"] == "WORDS 20"


def test_bytes_that_moved_are_never_shown_as_a_message(tmp_path: Path) -> None:
    manager, path = started(tmp_path, FailingCalls())
    long = manager.get_or_create(KEY)
    long.messages.extend(message(number) for number in range(2000))
    manager.append(long)
    fresh = SessionManager(tmp_path).get_or_create(KEY)
    write_session(path, [metadata(title="x" * 30), *(message(number, "other") for number in range(2100))])
    assert [each["role"] for each in fresh.messages[:3]] == ["damaged"] * 3
    assert manager.refresh(manager.get_or_create(KEY))


def test_a_file_a_later_peer_renamed_is_followed(tmp_path: Path) -> None:
    manager, path = started(tmp_path, FailingCalls())
    session = manager.get_or_create(KEY)
    path.rename(path.with_name(encoded_name(KEY)))
    session.add_message("user", "after")
    assert manager.append(session) == [3]
    assert [each.name for each in manager.sessions_dir.iterdir()] == [encoded_name(KEY)]
    assert manager.take_loss(KEY) is None


def test_a_file_moved_away_lets_the_conversation_go_on_and_says_so(tmp_path: Path) -> None:
    manager, path = started(tmp_path, FailingCalls())
    session = manager.get_or_create(KEY)
    session.last_consolidated = 2
    path.unlink()
    session.add_message("user", "after")
    assert manager.append(session) == [0]
    assert session.last_consolidated == 0
    assert contents(path) == ["after"]
    assert manager.take_loss(KEY) == LostMessages("removed", 3, 0)
    assert manager.take_loss(KEY) is None


def test_a_file_made_meanwhile_is_joined(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.add_message("user", "mine")
    path = write_session(tmp_path / "sessions" / "cli_direct.jsonl", [metadata(last_consolidated=1), message(0)])
    assert manager.append(session) == [1]
    assert contents(path) == ["words 0", "mine"]
    assert session.last_consolidated == 1


def test_a_cleared_session_leaves_its_transcript_in_the_archive(tmp_path: Path) -> None:
    manager, path = started(tmp_path, FailingCalls())
    session = manager.get_or_create(KEY)
    session.clear()
    session.add_message("user", "anew")
    manager.save(session)
    assert contents(path) == ["anew"]
    (archived,) = (tmp_path / "sessions" / "archive").iterdir()
    assert contents(archived) == ["words 0", "words 1", "words 2"]


def test_nothing_is_written_read_only(tmp_path: Path) -> None:
    started(tmp_path, FailingCalls())
    manager = SessionManager(tmp_path, read_only=True)
    session = manager.get_or_create(KEY)
    session.add_message("user", "never")
    attempts = (
        lambda: manager.append(session),
        lambda: manager.save(session),
        lambda: manager.trash(KEY),
        lambda: manager.set_title(KEY, "x"),
        lambda: manager.create("x"),
        lambda: manager.archive(session, session.created_at),
    )
    for attempt in attempts:
        with pytest.raises(WorkspaceReadOnly):
            attempt()
    assert len(list((tmp_path / "sessions").iterdir())) == 1


def test_lines_appended_in_the_same_moment_are_told_apart(tmp_path: Path) -> None:
    class Crowded(FailingCalls):
        """Another program appends just before and just after."""

        def __init__(self) -> None:
            super().__init__()
            self.path: Path | None = None

        def write(self, descriptor: int, data: bytes) -> int:
            if self.path is not None:
                with self.path.open("ab") as file:
                    file.write(line(message(70, "before")))
            written = super().write(descriptor, data)
            if self.path is not None:
                with self.path.open("ab") as file:
                    file.write(line(message(71, "after")))
            return written

    calls = Crowded()
    manager, path = started(tmp_path, calls)
    session = manager.get_or_create(KEY)
    session.messages.extend([message(3), message(4)])
    calls.path = path
    assert manager.append(session) == [4, 5]
    assert [session.messages[number] for number in (4, 5)] == [message(3), message(4)]
    assert len(session.messages) == 7


@pytest.mark.slow
def test_a_log_is_read_on_one_thread_while_another_one_saves(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)

    def talk() -> None:
        for number in range(300):
            session.messages.append(message(number))
            if number % 3 == 0:
                manager.append(session)
        manager.append(session)

    seen = 0
    with ThreadPoolExecutor(max_workers=1) as pool:
        work = pool.submit(talk)
        while not work.done() or seen < 300:
            count = len(session.messages)
            assert count >= seen
            seen = count
            assert session.messages[:seen][-5:] == [message(number) for number in range(seen)][-5:]
        work.result()
    assert [each["content"] for each in session.messages] == [f"words {number}" for number in range(300)]


def test_a_file_emptied_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    manager, path = started(tmp_path, FailingCalls())
    session = manager.get_or_create(KEY)
    data = path.read_bytes().replace(START.isoformat().encode(), b"2026-03-06T14:20:09", 1) + line(message(3))
    path.write_bytes(b"")
    with ThreadPoolExecutor(max_workers=1) as pool:
        refreshed = pool.submit(manager.refresh, session)
        path.write_bytes(data)
        assert refreshed.result()
    assert [each["content"] for each in session.messages] == ["words 0", "words 1", "words 2", "words 3"]


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    manager, path = started(tmp_path, FailingCalls())
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(50):
        fresh = SessionManager(tmp_path).get_or_create(KEY)
        assert list(fresh.messages)
        SessionFile(path).refresh()
        manager.overviews()
        manager.read_tail(KEY)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
