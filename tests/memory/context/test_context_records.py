"""What guards a context on the disk: the buffer, compactions that outlive a restart, and recovery from both."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemoscope.domain.context.compaction import Compaction
from mnemoscope.domain.context.exchange_reference import NotedExchange, NotedMessage
from mnemoscope.domain.context.recovery import recovery_text
from mnemoscope.domain.conversation.deletion import record_of_deleted
from mnemoscope.memory.context.context_records import ContextRecords
from mnemoscope.memory.context.daily_notes import DailyNotes
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges
from mnemoscope.store.capture.session_state_files import SessionStates
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths

NOW = datetime(2026, 11, 22, 10, 30, tzinfo=UTC)
EXCHANGE = NotedExchange("desktop:a", (NotedMessage(NOW.isoformat(), 0), NotedMessage(NOW.isoformat(), 1)))
HIDDEN = Compaction(2, 6, 4, 400, "They chose Postgres.")


def records_of(root: Path, session: Session | None = None) -> ContextRecords:
    paths = WorkspacePaths(root)
    paths.own.folder.mkdir(parents=True, exist_ok=True)
    states = SessionStates(paths, lambda key: key.partition(":")[2])
    notes = DailyNotes(paths, clock=lambda: NOW, zone=lambda: "UTC")
    return ContextRecords(paths, notes, lambda key: states.read(key).text, InactiveExchanges(paths, lambda *_: session))


def session_of(count: int, created_at: datetime = NOW) -> Session:
    session = Session("desktop:a", created_at=created_at)
    for number in range(count):
        session.add_message("user" if number % 2 == 0 else "assistant", str(number))
    return session


def test_a_compaction_outlives_a_restart_and_changes_no_message(tmp_path: Path) -> None:
    session = session_of(10)
    records_of(tmp_path).keep_compaction(session, HIDDEN)
    assert records_of(tmp_path).compaction_of(session) == HIDDEN
    assert len(session.messages) == 10


def test_a_conversation_begun_anew_under_the_same_key_has_none(tmp_path: Path) -> None:
    records_of(tmp_path).keep_compaction(session_of(10), HIDDEN)
    assert records_of(tmp_path).compaction_of(session_of(10, datetime(2026, 11, 23, tzinfo=UTC))) is None


def test_one_of_messages_that_are_gone_is_none(tmp_path: Path) -> None:
    records_of(tmp_path).keep_compaction(session_of(10), HIDDEN)
    assert records_of(tmp_path).compaction_of(session_of(3)) is None


@pytest.mark.parametrize("text", ["{", "{}", '{"draft": {"start": 1}}', '{"draft": {"start": -1, "stop": 2}}'])
def test_one_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    records_of(tmp_path).keep_compaction(session_of(10), HIDDEN)
    (file,) = WorkspacePaths(tmp_path).own.compactions_dir.iterdir()
    file.write_text(text)
    assert records_of(tmp_path).compaction_of(session_of(10)) is None


def test_the_newest_is_recovered_first_within_the_budget(tmp_path: Path) -> None:
    guard, session = records_of(tmp_path), session_of(2)
    for number in range(30):
        guard.note(session, f"question {number}", "answer", EXCHANGE)
    (section,) = guard.recovery(session.key, 200, with_state=True)
    assert "question 29" in section.text.split("\n")[3]
    assert section.left_out > 0
    assert section.tokens <= 200


def test_buffer_state_and_notes_are_told_in_turn(tmp_path: Path) -> None:
    guard, session = records_of(tmp_path), session_of(2)
    guard.note(session, "buffered?", "yes", EXCHANGE)
    state = "# SESSION-STATE.md\n\n- [x] **decision**: use Postgres\n- ~~**decision**: MySQL~~ (until 2026-11-21)\n"
    (tmp_path / "SESSION-STATE.md").write_text(state, "utf-8")
    DailyNotes(WorkspacePaths(tmp_path), clock=lambda: NOW, zone=lambda: "UTC").note_exchange("noted?", "yes")
    text = recovery_text(guard.recovery(session.key, 2_000, with_state=True), "")
    assert text.index("buffered?") < text.index("use Postgres") < text.index("noted?")
    assert "# SESSION-STATE" not in text
    assert "MySQL" not in text
    assert "Postgres" not in recovery_text(guard.recovery(session.key, 2_000, with_state=False), "")


def test_the_state_that_is_told_is_that_of_the_conversation(tmp_path: Path) -> None:
    guard, paths = records_of(tmp_path), WorkspacePaths(tmp_path)
    states = SessionStates(paths, lambda key: key.partition(":")[2])
    paths.sessions_dir.mkdir()
    states.claim("desktop:a")
    states.append(["- [2026-11-22T10:00:00+00:00] **decision**: use Postgres"])
    assert guard.recovery("desktop:other", 2_000, with_state=True) == ()
    states.claim("desktop:other")
    assert guard.recovery("desktop:other", 2_000, with_state=True) == ()
    assert "use Postgres" in recovery_text(guard.recovery("desktop:a", 2_000, with_state=True), "")


def test_a_buffer_that_has_served_serves_no_more_and_another_conversations_never_did(tmp_path: Path) -> None:
    guard, session = records_of(tmp_path), session_of(2)
    guard.note(session, "a?", "a", EXCHANGE)
    assert guard.recovery("desktop:other", 2_000, with_state=True) == ()
    guard.reset_buffer(session)
    assert guard.recovery(session.key, 2_000, with_state=True) == ()


def test_a_source_that_cannot_be_read_keeps_the_others_from_nothing(tmp_path: Path) -> None:
    guard, session = records_of(tmp_path), session_of(2)
    guard.note(session, "a?", "a", EXCHANGE)
    (tmp_path / "memory" / "2026-11-22.md").mkdir()
    (tmp_path / "SESSION-STATE.md").mkdir()
    assert [section.title for section in guard.recovery(session.key, 2_000, with_state=True)] == [
        "Working Buffer Recovery"
    ]


def test_what_a_deleted_message_said_is_recovered_from_neither_the_buffer_nor_the_notes(tmp_path: Path) -> None:
    session = session_of(4)
    guard, paths = records_of(tmp_path, session), WorkspacePaths(tmp_path)
    later = NotedExchange("desktop:a", (NotedMessage(NOW.isoformat(), 2), NotedMessage(NOW.isoformat(), 3)))
    notes = DailyNotes(paths, clock=lambda: NOW, zone=lambda: "UTC")
    for exchange, words in ((EXCHANGE, "the first"), (later, "the second")):
        guard.note(session, f"{words} question", "answer", exchange)
        notes.note_exchange(f"{words} question", "answer", exchange=exchange)
    with (tmp_path / "memory/2026-11-22.md").open("a") as file:
        file.write("\n## [10:31:00]\n**User:** by another program\n")
    kept = [each.text for each in guard.recovery(session.key, 2_000, with_state=False)]
    assert [text.count("the second") for text in kept] == [1, 1]
    deleted = record_of_deleted(session.messages[2], "1", 0)
    session.messages = [*session.messages[:2], deleted, *session.messages[3:]]
    texts = [each.text for each in guard.recovery(session.key, 2_000, with_state=False)]
    assert [("the first" in text, "the second" in text) for text in texts] == [(True, False), (True, False)]
    assert "by another program" in texts[1]
