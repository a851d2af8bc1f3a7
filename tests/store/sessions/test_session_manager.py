from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.conversation.text_file import FileSpan, TextFile, files_field
from mnemoscope.domain.errors import DiskFull, StorageError
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.peer_loaders import load_0_1_4
from tests.support.session_files import START, FailingCalls, SteppingClock, line, message, metadata, write_session

KEY = "cli:direct"
WHEN = datetime(2026, 3, 7, 9, 30)


def manager_with(tmp_path: Path, count: int, key: str = KEY) -> SessionManager:
    manager = SessionManager(tmp_path, clock=SteppingClock())
    session = manager.get_or_create(key)
    session.messages.extend(message(number) for number in range(count))
    manager.append(session)
    return manager


def test_the_same_object_is_given_for_a_key(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 2)
    session = manager.get_or_create(KEY)
    assert manager.load(KEY) is session
    manager.invalidate(KEY)
    assert manager.get_or_create(KEY) is not session
    assert manager.get_or_create(KEY).messages == session.messages


def test_a_key_without_a_file_is_none_and_getting_it_writes_nothing(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    assert manager.load(KEY) is None
    assert manager.path_of(KEY) is None
    assert manager.stem_of(KEY) == manager.stem_of("") == ""
    assert manager.get_or_create(KEY).messages == []
    assert list(tmp_path.iterdir()) == []


def test_a_new_conversation_is_listed_at_once(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    one, two = manager.create(), manager.create("Plans")
    assert one.key != two.key
    assert one.key.startswith("desktop:")
    assert {(each.key, each.title) for each in manager.overviews()} == {(one.key, ""), (two.key, "Plans")}


def test_a_new_conversation_gets_its_file_with_its_first_message(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.create()
    assert not (tmp_path / "sessions").exists()
    assert [(each.key, each.count) for each in manager.overviews()] == [(session.key, 0)]
    session.add_message("user", "Hello")
    manager.append(session)
    assert [(each.key, each.title) for each in manager.overviews()] == [(session.key, "Hello")]
    assert [each.key for each in SessionManager(tmp_path).overviews()] == [session.key]


def test_a_new_conversation_that_is_deleted_is_gone_from_the_list_until_restored(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    trashed = manager.trash(manager.create().key)
    assert manager.overviews() == []
    manager.restore(trashed)
    assert [each.key for each in manager.overviews()] == [trashed.key]


def test_a_command_is_no_title(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.create()
    session.add_message("user", "/help", _command=True)
    session.add_message("assistant", "A list.", _command=True)
    manager.append(session)
    assert [each.title for each in manager.overviews()] == [""]
    session.add_message("user", "When is the fair?")
    manager.append(session)
    assert [each.title for each in manager.overviews()] == ["When is the fair?"]


@pytest.mark.parametrize("count", [0, 1, 199, 200, 201, 5000])
def test_the_tail_is_the_newest_messages(tmp_path: Path, count: int) -> None:
    manager = manager_with(tmp_path, count)
    fresh = SessionManager(tmp_path).read_tail(KEY)
    expected = [message(number) for number in range(count)][-200:]
    assert list(fresh.messages) == expected
    assert fresh.complete is (count <= 200)
    assert fresh.total in (None, count)
    held = manager.read_tail(KEY)
    assert (list(held.messages), held.total, held.complete) == (expected, count, count <= 200)


def test_the_tail_of_nothing_is_empty_and_complete(tmp_path: Path) -> None:
    tail = SessionManager(tmp_path).read_tail(KEY)
    assert (tail.messages, tail.total, tail.complete) == ((), 0, True)


def test_the_tail_skips_records_and_keeps_damaged_lines(tmp_path: Path) -> None:
    records: list[Any] = [metadata(), message(0), b"\0\0\n", b"\n", metadata(last_consolidated=1), message(1)]
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [*records, b'{"role": "us'])
    tail = SessionManager(tmp_path).read_tail(KEY)
    assert [each["role"] for each in tail.messages] == ["user", "damaged", "assistant"]


def test_the_tail_takes_a_last_line_without_newline(tmp_path: Path) -> None:
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [metadata(), message(0), line(message(1))[:-1]])
    assert list(SessionManager(tmp_path).read_tail(KEY).messages) == [message(0), message(1)]


def test_the_tail_reaches_over_very_long_messages(tmp_path: Path) -> None:
    long = [message(number, "x" * 300_000) for number in range(3)]
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [metadata(), *long])
    assert list(SessionManager(tmp_path).read_tail(KEY, 2).messages) == long[1:]


def test_an_overview_tells_title_length_pointer_and_times(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 4)
    session = manager.get_or_create(KEY)
    session.last_consolidated = 2
    manager.save(session)
    for each in (*manager.overviews(), *SessionManager(tmp_path).overviews()):
        assert (each.key, each.title, each.count, each.last_consolidated) == (KEY, "words 0", 4, 2)
        assert each.created_at == session.created_at
        assert each.path == manager.path_of(KEY)
        assert each.problem == ""


def test_the_conversation_changed_last_comes_first(tmp_path: Path) -> None:
    for key, minute in (("cli:a", 5), ("cli:b", 50), ("cli:c", 20)):
        write_session(tmp_path / "sessions" / f"{key.replace(':', '_')}.jsonl", [metadata(key), message(minute)])
    manager = SessionManager(tmp_path)
    assert [each.key for each in manager.overviews()] == ["cli:b", "cli:c", "cli:a"]
    assert [each["key"] for each in manager.list_sessions()] == ["cli:b", "cli:c", "cli:a"]
    assert set(manager.list_sessions()[0]) == {"key", "created_at", "updated_at", "path"}


def test_an_overview_follows_appends_of_others(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 2)
    watching = SessionManager(tmp_path)
    assert watching.overviews()[0].count == 2
    session = manager.get_or_create(KEY)
    session.messages.append(message(2))
    manager.append(session)
    assert watching.overviews()[0].count == 3


def test_listing_does_not_swallow_a_change_the_open_session_has_to_hear_of(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 2)
    other = SessionManager(tmp_path)
    theirs = other.get_or_create(KEY)
    theirs.messages.append(message(2))
    other.append(theirs)
    manager.overviews()
    assert manager.refresh(manager.get_or_create(KEY))


@pytest.mark.parametrize(
    ("own", "title"),
    [("Look at these.\n\n", "Look at these."), ("", "notes.md, plan.txt"), ("\n", "notes.md, plan.txt")],
)
def test_a_title_has_no_words_of_a_text_file_that_was_sent(tmp_path: Path, own: str, title: str) -> None:
    text, spans = own, []
    for file in (TextFile("notes.md", "# Trip\n\nThe train leaves."), TextFile("plan.txt", "Buy bread.")):
        spans.append(FileSpan(len(text), len(text) + len(file.quoted()), file.name))
        text += file.quoted() + "\n\n"
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.add_message("user", text, **files_field(spans))
    manager.append(session)
    assert SessionManager(tmp_path).overviews()[0].title == title


def test_a_title_survives_and_can_be_taken_back(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 2)
    manager.set_title(KEY, "Plans")
    assert SessionManager(tmp_path).overviews()[0].title == "Plans"
    manager.set_title(KEY, "")
    assert SessionManager(tmp_path).overviews()[0].title == "words 0"


def test_a_model_chosen_for_a_conversation_survives_is_taken_back_and_ends_with_it(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 2)
    manager.set_title(KEY, "Plans")
    manager.set_model(KEY, "openai/large")
    session = SessionManager(tmp_path).get_or_create(KEY)
    assert (session.model, session.title) == ("openai/large", "Plans")
    assert load_0_1_4(manager.sessions_dir / "cli_direct.jsonl").messages[-1]["content"] == "words 1"
    manager.set_model(KEY, "")
    assert SessionManager(tmp_path).get_or_create(KEY).model == ""
    manager.set_model(KEY, "openai/large")
    manager.archive(manager.get_or_create(KEY), WHEN)
    assert manager.get_or_create(KEY).model == ""


@pytest.mark.parametrize("model", [7, None, "a\nb", "x" * 201, "turned\u202e"])
def test_a_model_that_cannot_be_shown_counts_as_none(tmp_path: Path, model: object) -> None:
    session = manager_with(tmp_path, 1).get_or_create(KEY)
    session.metadata["answering_model"] = model
    assert session.model == ""


def test_files_of_others_in_the_folder_are_no_conversations(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 1)
    (manager.sessions_dir / "notes.txt").write_text("x")
    (manager.sessions_dir / ".hidden.jsonl").write_text("{}\n")
    (manager.sessions_dir / "archive").mkdir()
    (manager.sessions_dir / "archive" / "old.jsonl").write_text("{}\n")
    assert [each.key for each in SessionManager(tmp_path).overviews()] == [KEY]


def test_archiving_keeps_the_transcript_and_begins_anew_in_the_same_object(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 4)
    manager.set_title(KEY, "Plans")
    session = manager.get_or_create(KEY)
    session.metadata["last_channel"] = "cli"
    session.last_consolidated = 4
    session.add_message("user", "waiting")
    kept = manager.archive(session, WHEN)
    assert kept == tmp_path / "sessions" / "archive" / "cli_direct-20260307-093000.jsonl"
    assert [each["content"] for each in load_0_1_4(kept).messages][-1] == "waiting"
    assert list(session.messages) == []
    assert (session.last_consolidated, session.created_at) == (0, WHEN)
    assert session.metadata == {"last_channel": "cli"}
    fresh = SessionManager(tmp_path).load(KEY)
    assert fresh is not None
    assert (len(fresh.messages), fresh.title, fresh.created_at) == (0, "", WHEN)
    session.add_message("user", "first again")
    assert manager.append(session) == [0]
    assert manager.overviews()[0].title == "first again"


def test_archiving_twice_in_a_second_keeps_both(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 1)
    session = manager.get_or_create(KEY)
    one = manager.archive(session, WHEN)
    session.add_message("user", "more")
    two = manager.archive(session, WHEN)
    assert one != two
    assert one is not None
    assert two is not None
    assert load_0_1_4(one).messages == [message(0)]


def test_archiving_what_was_never_said_keeps_nothing(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.create("Empty")
    assert manager.archive(session, WHEN) is None
    assert not (tmp_path / "sessions" / "archive").exists()


def test_archiving_on_a_full_disk_clears_nothing(tmp_path: Path) -> None:
    calls = FailingCalls()
    manager = SessionManager(tmp_path, calls=calls)
    session = manager.get_or_create(KEY)
    session.messages.extend([message(0), message(1)])
    session.last_consolidated = 1
    manager.save(session)
    session.metadata["title"] = "Plans"
    created = session.created_at
    calls.fault = "full"
    with pytest.raises(DiskFull):
        manager.archive(session, WHEN)
    assert session.messages == [message(0), message(1)]
    assert (session.last_consolidated, session.title, session.created_at) == (1, "Plans", created)
    calls.fault = ""
    assert SessionManager(tmp_path).get_or_create(KEY).messages == [message(0), message(1)]
    assert manager.archive(session, WHEN) is not None


def test_a_deleted_conversation_comes_back_as_it_was(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 3)
    manager.get_or_create(KEY).add_message("user", "waiting")
    before = manager.path_of(KEY)
    trashed = manager.trash(KEY)
    assert manager.overviews() == []
    assert manager.load(KEY) is None
    session = manager.restore(trashed)
    assert [each["content"] for each in session.messages][-1] == "waiting"
    assert manager.path_of(KEY) == before
    assert before is not None
    assert manager.stem_of(KEY) == before.stem


def test_a_deleted_conversation_never_takes_the_place_of_a_new_one(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 1)
    trashed = manager.trash(KEY)
    session = manager.get_or_create(KEY)
    session.add_message("user", "new")
    manager.append(session)
    with pytest.raises(StorageError, match="took the place"):
        manager.restore(trashed)
    assert trashed.kept is not None
    assert trashed.kept.exists()
    assert [each["content"] for each in manager.get_or_create(KEY).messages] == ["new"]


def test_every_deleted_conversation_can_be_seen_and_restored(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path, clock=SteppingClock())
    for words in ("First", "Second", "Third"):
        session = manager.create()
        session.add_message("user", words)
        manager.append(session)
        manager.trash(session.key)
    (tmp_path / ".mnemoscope" / "trash" / "odd.jsonl").write_bytes(b"\xff\xfe no session")
    later = SessionManager(tmp_path)
    listed = [each for each in later.moves.trashed() if each.count == 1 and each.title]
    assert [each.title for each in listed] == ["Third", "Second", "First"]
    assert listed[0].deleted_at > listed[1].deleted_at
    later.restore(listed[1].trashed)
    assert [each.title for each in later.overviews()] == ["Second"]
    assert "Second" not in [each.title for each in later.moves.trashed()]


def test_deleting_what_was_never_saved_is_undone_too(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    manager.get_or_create(KEY)
    trashed = manager.trash(KEY)
    assert trashed.kept is None
    assert manager.restore(trashed).messages == []


def test_a_conversation_in_which_nothing_was_said_goes_and_leaves_nothing(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    unsaved, saved = manager.create().key, manager.create().key
    manager.set_model(saved, "other")
    manager.set_model(saved, "")
    assert manager.path_of(saved) is not None
    assert manager.drop_empty(unsaved)
    assert manager.drop_empty(saved)
    assert not manager.drop_empty("desktop:never")
    assert manager.overviews() == []
    assert manager.moves.trashed() == []
    assert list((tmp_path / "sessions").glob("*.jsonl")) == []
    assert manager.keys_put_aside() == set()
    assert SessionManager(tmp_path).overviews() == []


def test_a_conversation_that_was_named_or_pinned_or_says_something_is_not_dropped_as_empty(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 1)
    named, pinned, spoken = manager.create("Named").key, manager.create().key, manager.create().key
    manager.set_pinned(pinned, True)
    manager.set_model(spoken, "other")
    path = manager.path_of(spoken)
    assert path is not None
    path.write_bytes(path.read_bytes() + line(message(1)))  # another program, this very moment
    assert not any(map(manager.drop_empty, (KEY, named, pinned, spoken)))
    assert len(SessionManager(tmp_path).overviews()) == 4


def test_saving_a_session_made_by_hand_puts_the_former_file_into_the_archive(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 2)
    manager.save(Session(KEY, [message(9)], created_at=START))
    assert manager.get_or_create(KEY).messages == [message(9)]
    path = manager.path_of(KEY)
    assert path is not None
    assert load_0_1_4(path).messages == [message(9)]
    (archived,) = (tmp_path / "sessions" / "archive").iterdir()
    assert load_0_1_4(archived).messages == [message(0), message(1)]


def test_a_conversation_is_pinned_and_unpinned_and_its_messages_stay(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    fresh = manager.create()
    manager.set_pinned(fresh.key, True)
    assert [each.is_pinned for each in manager.overviews()] == [True]
    assert [each.is_pinned for each in SessionManager(tmp_path).overviews()] == [True]
    manager.set_pinned(fresh.key, False)
    assert [each.is_pinned for each in SessionManager(tmp_path).overviews()] == [False]


def test_what_waits_in_memory_is_written_and_records_that_were_replaced_are_read_afresh(tmp_path: Path) -> None:
    manager = manager_with(tmp_path, 2)
    session = manager.get_or_create(KEY)
    session.add_message("user", "Lives in Graz.")
    manager.write_waiting()
    [file] = (tmp_path / "sessions").glob("*.jsonl")
    assert b"Lives in Graz." in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(b"Lives in Graz.", b"Lives in ....."))
    manager.reread()
    assert session.messages[-1]["content"] == "Lives in ....."
