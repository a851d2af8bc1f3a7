"""Which messages became which entry."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path

from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.telltale_model import TelltaleModel, conversation

START = datetime(2026, 3, 1, 9, 0)


def settled(count: int, pointer: int) -> Session:
    """Returns one message an hour, the first `pointer` of them consolidated by another program."""
    messages = [
        {"role": "user", "content": f"m{number}", "timestamp": (START + timedelta(hours=number)).isoformat()}
        for number in range(count)
    ]
    return Session("cli:direct", messages, created_at=START, last_consolidated=pointer)


def ranges(root: Path, session: Session) -> list[tuple[int, int, str]]:
    records = MemoryStore(root).records(session)
    assert all(record.inferred for record in records)
    return [(record.start, record.stop, record.entry[-6:]) for record in records]


async def test_what_this_program_consolidated_is_known_and_not_guessed(tmp_path: Path) -> None:
    session = conversation(SessionManager(tmp_path), 30)
    store = MemoryStore(tmp_path)
    assert await store.consolidate(session, TelltaleModel(), "m", memory_window=20)
    assert await store.consolidate(session, TelltaleModel(), "m", archive_all=True)
    records = store.records(session)
    assert [(each.start, each.stop, each.inferred) for each in records] == [(0, 20, False), (20, 30, False)]
    assert records[0].entry.partition("] ")[2].startswith("Told m0")
    assert records[0].facts_added == ("Learnt m0",)


def test_entries_dated_when_written_take_the_messages_before_them(tmp_path: Path) -> None:
    history = tmp_path / "memory" / "HISTORY.md"
    history.parent.mkdir()
    history.write_text("[2026-03-01 13:30] Up to 13.\n\n[2026-03-01 18:30] Up to 18.\n\n")
    assert ranges(tmp_path, settled(14, 10)) == [(0, 5, "to 13."), (5, 10, "to 18.")]


def test_entries_dated_by_their_first_message_take_those_after_them(tmp_path: Path) -> None:
    history = tmp_path / "memory" / "HISTORY.md"
    history.parent.mkdir()
    history.write_text("[2026-03-01 09:00] From 9.\n\nA second paragraph.\n\n[2026-03-01 14:00] From 14.\n\n")
    found = ranges(tmp_path, settled(14, 10))
    assert [(start, stop) for start, stop, _ in found] == [(0, 5), (5, 10)]


def test_an_entry_dated_by_the_minute_the_conversation_began_takes_its_first_messages(tmp_path: Path) -> None:
    history = tmp_path / "memory" / "HISTORY.md"
    history.parent.mkdir()
    history.write_text("[2026-03-01 08:50] From 9.\n\n[2026-03-01 13:55] From 14.\n\n")
    found = ranges(tmp_path, settled(14, 10))
    assert [(start, stop) for start, stop, _ in found] == [(0, 5), (5, 10)]


def test_in_the_sample_each_entry_of_a_conversation_is_found_without_the_ledger(tmp_path: Path) -> None:
    shutil.copytree(shipped("workspace"), tmp_path / "sample")
    shutil.rmtree(tmp_path / "sample" / ".mnemoscope")
    sessions, store = SessionManager(tmp_path / "sample"), MemoryStore(tmp_path / "sample")
    (session,) = [one for each in sessions.overviews() if (one := sessions.get_or_create(each.key)).last_consolidated]
    first, second = store.records(session)
    assert (first.start, first.stop, second.stop) == (0, second.start, session.last_consolidated)
    # By time it can only be near what the ledger says.
    assert abs(first.stop - 35) <= 3


def test_entries_of_other_times_explain_nothing(tmp_path: Path) -> None:
    history = tmp_path / "memory" / "HISTORY.md"
    history.parent.mkdir()
    history.write_text("[2025-01-01 09:00] Long ago.\n\n[2027-01-01 09:00] Far ahead.\n\nwithout a date\n\n")
    assert ranges(tmp_path, settled(14, 10)) == []
    assert ranges(tmp_path, settled(14, 0)) == []
