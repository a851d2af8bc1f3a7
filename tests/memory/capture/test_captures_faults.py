"""Captures beside other writers and unreadable files, and wherever it ends: whole at the next try, nothing twice."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.domain.capture.file_changes import SECTION
from mnemoscope.domain.capture.record import KEPT, NO_MEMORY, STATE_HEADER, CaptureRecord
from mnemoscope.domain.errors import DiskFull, StorageError, UnreadableFile
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.memory.capture.capture_writer import PersonMessage
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.capture_bench import AFTER, BEGAN, KEY, MEMORY, SAID, Kept, kept
from tests.support.faulty_calls import FailingOnce, KillingCalls, Refusing, SimulatedKill
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory

__all__ = ["kept"]


async def test_what_another_program_wrote_meanwhile_stands_beside_it(kept: Kept) -> None:
    kept.memory_file.write_text(MEMORY + "- theirs\n", encoding="utf-8")
    await kept.say("I prefer tea")
    assert "- theirs\n" in kept.memory
    assert kept.memory.count("I prefer tea") == 1
    assert [change.origin.kind for change in kept.store.editing.changes()] == ["outside", "capture"]


async def test_a_memory_that_was_removed_is_not_made_anew(kept: Kept) -> None:
    await kept.say("I prefer tea", 0)
    kept.memory_file.unlink()
    (record,) = (await kept.say("I like plov", 2)).records
    assert (record.outcome, record.reason, record.memory_line) == (KEPT, NO_MEMORY, "")
    assert not kept.memory_file.exists()
    assert "**preference**: I like plov" in kept.state


async def test_a_memory_that_cannot_be_read_is_left_and_said(kept: Kept) -> None:
    kept.memory_file.write_bytes(b"\xff\xfe caf\xe9")
    with pytest.raises(UnreadableFile):
        await kept.say("I prefer tea")
    assert kept.memory_file.read_bytes() == b"\xff\xfe caf\xe9"


class SpoilsMemory(FileCalls):
    """Another program spoils MEMORY.md as soon as its change is noted."""

    def __init__(self, root: Path) -> None:
        self._memory = root / "memory" / "MEMORY.md"
        self._noting: int | None = None

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        descriptor = super().open(path, flags, mode)
        if Path(path).name == "memory-changes.jsonl":
            self._noting = descriptor
        return descriptor

    def close(self, descriptor: int) -> None:
        super().close(descriptor)
        if descriptor == self._noting and b"I prefer tea" in self._memory.read_bytes():
            self._memory.write_bytes(b"\xff\xfe caf\xe9")
            self._noting = None


async def test_what_was_written_is_recorded_though_memory_cannot_be_read_any_more(tmp_path: Path) -> None:
    kept = Kept(tmp_path, calls=SpoilsMemory(tmp_path))
    (record,) = (await kept.say("I prefer tea")).records
    assert kept.memory_file.read_bytes() == b"\xff\xfe caf\xe9"
    assert (record.outcome, record.memory_line) == (KEPT, "- **preference**: I prefer tea")
    assert await kept.store.captures.log() == [record]


async def test_while_memory_cannot_be_read_the_state_has_it_and_memory_gets_it_later(kept: Kept) -> None:
    before = kept.memory_file.read_bytes()
    kept.memory_file.write_bytes(b"#" * 2_000_001)
    with pytest.raises(UnreadableFile):
        await kept.say("I prefer tea. We decided on Postgres.")
    assert kept.state == ["**preference**: I prefer tea", "**decision**: We decided on Postgres"]
    kept.memory_file.write_bytes(before)
    outcome = await kept.say("I prefer tea. We decided on Postgres.")
    assert "- **preference**: I prefer tea" in kept.memory.split("\n")
    assert kept.state == ["**preference**: I prefer tea", "**decision**: We decided on Postgres"]
    await kept.store.captures.undo(outcome.records[0].id)
    assert kept.state == ["**decision**: We decided on Postgres"]


async def test_what_another_program_wrote_in_the_words_of_a_message_is_not_noted_as_captured(kept: Kept) -> None:
    kept.memory_file.write_text(MEMORY + "- **preference**: I prefer tea\n", encoding="utf-8")
    kept.store.captures.note_missed(KEY, [PersonMessage(KEY, BEGAN, 0, "I prefer tea")])
    assert await kept.store.captures.log() == []


async def test_what_a_message_wrote_is_noted_once_of_the_message_that_wrote_it(kept: Kept) -> None:
    outcome = await kept.say(SAID, 4)
    (kept.root / ".mnemoscope/captures.jsonl").unlink()
    again = Kept(kept.root)
    messages = [PersonMessage(KEY, BEGAN, index, SAID) for index in (2, 4, 6)]
    for _ in range(2):
        again.store.captures.note_missed(KEY, messages)

    def places_of(records: Sequence[CaptureRecord]) -> list[tuple[str | int, ...]]:
        return sorted((each.index, each.memory_line, each.state_line, each.change_id) for each in records)

    assert places_of(await again.store.captures.log()) == places_of(outcome.records)


async def test_a_capture_of_which_nothing_could_be_noted_is_undone_in_memory_too(tmp_path: Path) -> None:
    kept = Kept(tmp_path, calls=(calls := Refusing()))
    calls.names = ("captures.jsonl", "memory-changes.jsonl")
    (record,) = (await kept.say("I prefer tea")).records
    calls.names = ()
    await kept.store.captures.undo(record.id)
    assert (kept.memory.count("I prefer tea"), kept.state) == (0, [])


async def test_what_is_captured_while_a_model_consolidates_stands_once(kept: Kept) -> None:
    manager = SessionManager(kept.root)
    session = manager.get_or_create(KEY)
    for number in range(20):
        session.add_message("user", f"I have a cat called Mau {number}")
    manager.save(session)
    shown = kept.store.read_long_term()

    class Slow(ScriptedProvider):
        async def chat(self, *args: Any, **kwargs: Any) -> LLMResponse:
            await kept.say(SAID)
            return save_memory("[2026-03-01 10:00] Of Mau.", shown.replace("- mine", "- mine\n- has a cat"))

    assert await kept.store.consolidate(session, Slow(), "m", memory_window=10)
    assert kept.memory == AFTER.replace("- mine", "- mine\n- has a cat")


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            ["I prefer ", "remember that ", "My name is ", "\n# ", "\n- **remember**: [user:admin] ", "tea"]
        )
        | st.text(max_size=12),
        min_size=1,
        max_size=6,
    )
)
async def test_no_text_changes_the_structure_of_either_file(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    kept = Kept(tmp_path_factory.mktemp("w"))
    text = "".join(parts).encode("utf-8", "ignore").decode()
    records = (await kept.say(f"I prefer {text}")).records
    lines = [each.memory_line for each in records if each.memory_line]
    rows = kept.memory.split("\n")
    assert [row for row in rows if row.startswith("#")] == ["# Memory", "## Later"] + [SECTION] * bool(lines)
    assert [row for row in rows if row.startswith("- **")] == lines
    assert all("[user:" not in line for line in lines)
    state = kept.root / "SESSION-STATE.md"
    state_rows = state.read_text(encoding="utf-8").split("\n") if state.exists() else [STATE_HEADER, "", ""]
    assert state_rows[:2] == [STATE_HEADER, ""]
    assert all(row.startswith("- [2026-03-01T") for row in state_rows[2:-1])


async def _captured(root: Path, calls: FileCalls) -> None:
    await Kept(root, calls=calls).say(SAID, 4)


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "half", "after"])
async def test_wherever_it_ends_the_next_try_makes_it_whole_and_nothing_twice(tmp_path: Path, when: str) -> None:
    for at in range(1, 80):
        root = tmp_path / str(at)
        calls = KillingCalls(at, when)
        Kept(root)
        try:
            await _captured(root, calls)
        except SimulatedKill:
            pass
        else:
            break
        again = Kept(root)
        again.store.recover()
        await again.say(SAID, 4)
        assert again.memory == AFTER
        assert again.state == [
            "**preference**: I prefer tea",
            "**correction**: No, the server is in Berlin, not Paris",
        ]
    assert at > 12


@pytest.mark.slow
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
async def test_a_disk_that_refuses_loses_nothing_and_the_next_try_makes_it_whole(tmp_path: Path, error: int) -> None:
    for at in range(1, 80):
        root = tmp_path / str(at)
        Kept(root)
        kept = Kept(root, calls=(calls := FailingOnce(at, error)))
        try:
            await kept.say(SAID, 4)
        except (DiskFull, StorageError):
            await kept.say(SAID, 4)
        assert kept.memory == AFTER
        assert len(kept.state) == 2
        if len(calls.names) < at:
            break
    assert at > 12
