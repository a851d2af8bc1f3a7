"""What a person says is on the disk before anything else happens: once, in its place, and never what they took out."""

from __future__ import annotations

import errno
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.domain.capture_files import MEMORY_HEADER, SECTION
from mnemoscope.domain.capture_record import (
    DUPLICATE,
    KEPT,
    NO_MEMORY,
    PAUSED,
    REFUSED,
    SECRET,
    STATE_HEADER,
    TOMBSTONE,
    UNDONE,
)
from mnemoscope.domain.errors import DiskFull, StorageError, UnreadableFile, WorkspaceReadOnly
from mnemoscope.domain.events import Captured, Event, EventBus, MemoryChanged
from mnemoscope.memory.capture_writer import CaptureOutcome, Said
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.memory.wal import wal_scan, wal_write
from mnemoscope.memory.write_hooks import add_write_hook
from mnemoscope.store.calls import REAL_CALLS, FileCalls
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.sessions import SessionManager
from tests.support.faulty_calls import FailingOnce, KillingCalls, SimulatedKill
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory

KEY = "desktop:a"
BEGAN = "2026-03-01T09:00:00"
MEMORY = "# Memory\n\n- The server is in Paris\n\n## Later\n\n- mine\n"
SAID = "I prefer tea. No, the server is in Berlin, not Paris."
AFTER = (
    "# Memory\n\n- ~~The server is in Paris~~ (until 2026-03-01)\n\n## Later\n\n- mine\n\n"
    f"{SECTION}\n\n- **preference**: I prefer tea\n- **correction**: the server is in Berlin\n"
)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 10, 0)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Kept:
    """A workspace with a conversation, and what was announced of it."""

    def __init__(
        self,
        root: Path,
        *,
        memory: str | None = MEMORY,
        calls: FileCalls = REAL_CALLS,
        keys: Collection[str] = (),
        read_only: bool = False,
    ) -> None:
        self.root, self.events = root, list[Event]()
        bus = EventBus()
        bus.subscribe(self.events.append)
        for folder in ("memory", "sessions", ".mnemoscope"):
            (root / folder).mkdir(exist_ok=True, parents=True)
        if memory is not None and not self.memory_file.exists():
            self.memory_file.write_text(memory, encoding="utf-8")
        manager = SessionManager(root)
        session = manager.get_or_create(KEY)
        if not len(session.messages):
            session.add_message("user", "Hello")
            manager.save(session)
        self.store = MemoryStore(
            root, bus=bus, clock=Clock(), calls=calls, keys=lambda: frozenset(keys), read_only=read_only
        )
        if not read_only:
            self.store.editing.read_version()

    @property
    def memory_file(self) -> Path:
        return self.root / "memory" / "MEMORY.md"

    @property
    def memory(self) -> str:
        return self.memory_file.read_text(encoding="utf-8")

    @property
    def state(self) -> list[str]:
        """The lines of SESSION-STATE.md without their times."""
        file = self.root / "SESSION-STATE.md"
        rows = file.read_text(encoding="utf-8").split("\n") if file.exists() else []
        return [row.partition("] ")[2] for row in rows if row.startswith("- [")]

    async def say(self, text: str, index: int = 0, *, paused: bool = False, **more: object) -> CaptureOutcome:
        said = Said(KEY, BEGAN, index, text, **more)  # type: ignore[arg-type]
        return await self.store.capturing.capture(said, paused=paused)


def everything(root: Path) -> str:
    """What any file says."""
    return "".join(path.read_text("utf-8", "replace") for path in root.rglob("*") if path.is_file())


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


async def test_what_lasts_stands_in_both_files_and_what_it_replaces_is_struck(kept: Kept) -> None:
    outcome = await kept.say(SAID, 4)
    assert kept.memory == AFTER
    assert kept.state == ["**preference**: I prefer tea", "**correction**: No, the server is in Berlin, not Paris"]
    assert (kept.root / "SESSION-STATE.md").read_text().startswith(f"{STATE_HEADER}\n\n- [2026-03-01T")
    assert [(each.outcome, each.index, each.replaced) for each in outcome.records] == [
        (KEPT, 4, ""),
        (KEPT, 4, "- The server is in Paris"),
    ]
    assert [type(event) for event in kept.events] == [MemoryChanged, Captured]
    assert await kept.store.capturing.log() == [*reversed(outcome.records)]
    assert await kept.store.capturing.of_conversation(KEY, BEGAN) == {4: list(outcome.records)}


async def test_a_message_without_anything_to_keep_writes_and_announces_nothing(kept: Kept) -> None:
    before = sorted(kept.root.rglob("*"))
    for text in ("I'm tired today", "It's raining", "How do I use grep?", ""):
        assert not [each for each in (await kept.say(text)).records if each.outcome == KEPT]
    assert not (kept.root / "SESSION-STATE.md").exists()
    assert kept.memory == MEMORY
    assert {path for path in kept.root.rglob("*") if path not in before} <= {
        kept.root / ".mnemoscope" / "captures.jsonl"
    }


async def test_the_same_message_again_is_not_captured_again(kept: Kept) -> None:
    await kept.say(SAID, 4)
    assert await kept.say(SAID, 4) == CaptureOutcome()
    again = Kept(kept.root)
    assert await again.say(SAID, 4) == CaptureOutcome()
    assert kept.memory == AFTER
    assert len(kept.state) == 2


async def test_what_is_known_already_is_refused_as_a_duplicate(kept: Kept) -> None:
    await kept.say("I prefer tea", 0)
    (record,) = (await kept.say("I really prefer tea!", 2)).records
    assert (record.outcome, record.reason) == (REFUSED, f"{DUPLICATE} of - **preference**: I prefer tea")
    assert not record.may_be_kept
    assert kept.memory.count("tea") == 1
    assert len(kept.state) == 1


async def test_what_one_message_says_twice_is_kept_once(kept: Kept) -> None:
    first, second = (await kept.say("I prefer tea. I prefer tea.")).records
    assert (first.outcome, second.outcome) == (KEPT, REFUSED)
    assert second.reason.startswith(DUPLICATE)
    assert kept.memory.count("- **preference**: I prefer tea") == 1


async def test_a_state_says_only_what_holds_now(kept: Kept) -> None:
    await kept.say("My name is Anna", 0)
    await kept.say("My name is Ann", 2)
    rows = (kept.root / "SESSION-STATE.md").read_text().split("\n")
    assert [row for row in rows if "Anna" in row and "~~" in row and "until 2026-03-01" in row]
    assert kept.state == ["**proper_noun**: My name is Ann"]
    assert "- ~~**proper\\_noun**" not in kept.memory
    assert (
        "- ~~**proper_noun**: My name is Anna~~ (until 2026-03-01)\n- **proper_noun**: My name is Ann\n" in kept.memory
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Do I prefer tea?", "question"),
        ("Translate: 'I love you, my name is Juliet'", "template"),
        ("Remember my key is sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAA", SECRET),
    ],
)
async def test_a_refusal_says_why(kept: Kept, text: str, reason: str) -> None:
    records = (await kept.say(text)).records
    assert {(each.outcome, each.reason) for each in records} == {(REFUSED, reason)}
    assert kept.memory == MEMORY
    assert "sk-ant-api03" not in (kept.root / ".mnemoscope/captures.jsonl").read_text()


async def test_a_key_of_the_keychain_is_kept_nowhere(tmp_path: Path) -> None:
    kept = Kept(tmp_path, keys=["orchid-seven-lamp"])
    (record,) = (await kept.say("Remember that the door code is orchid-seven-lamp")).records
    assert (record.outcome, record.reason, record.may_be_kept) == (REFUSED, SECRET, False)
    assert "orchid-seven-lamp" not in everything(tmp_path)


async def test_pasted_text_is_nobodys_word(kept: Kept) -> None:
    text = "I prefer tea. I prefer cake."
    records = (await kept.say(text, quotes=((14, len(text), "paste"),))).records
    assert [(each.text, each.outcome, each.reason) for each in records] == [
        ("I prefer tea", KEPT, ""),
        ("I prefer cake", REFUSED, "pasted"),
    ]
    assert "cake" not in kept.memory


async def test_while_paused_it_is_only_noted_what_would_have_been_kept(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", paused=True)).records
    assert (record.outcome, record.reason, record.may_be_kept) == (REFUSED, PAUSED, True)
    assert (kept.memory, kept.state) == (MEMORY, [])


@pytest.mark.parametrize("words", ["I prefer tea", "I really do prefer tea", "Please remember that I prefer tea"])
async def test_what_the_person_deleted_is_not_captured_again(kept: Kept, words: str) -> None:
    await kept.say("I prefer tea", 0)
    await kept.store.editing.save_text(MEMORY, kept.store.editing.read_version().version)
    (record,) = (await kept.say(words, 2)).records
    assert (record.outcome, record.reason) == (REFUSED, TOMBSTONE)
    assert "tea" not in kept.memory
    assert len(kept.state) == 1


async def test_what_was_undone_is_gone_from_both_files_and_what_it_replaced_stands_again(kept: Kept) -> None:
    outcome = await kept.say(SAID, 4)
    for record in outcome.records:
        (after,) = (await kept.store.capturing.undo(record.id)).records
        assert after.outcome == UNDONE
    assert kept.memory == MEMORY
    assert kept.state == []
    assert {each.reason for each in (await kept.say(SAID, 6)).records} == {TOMBSTONE}
    with pytest.raises(StorageError, match="not kept any more"):
        await kept.store.capturing.undo(outcome.records[0].id)


async def test_a_change_undone_as_such_takes_its_captures_out_of_the_state_too(kept: Kept) -> None:
    before = (await kept.say("I prefer coffee.", 2)).records
    await kept.say(SAID, 4)
    (first, change) = kept.store.editing.changes()
    await kept.store.editing.undo_change(change.id)
    assert kept.state == ["**preference**: I prefer coffee"]
    captures = await kept.store.capturing.of_conversation(KEY, BEGAN)
    assert {index: [each.outcome for each in found] for index, found in captures.items()} == {
        2: [KEPT],
        4: [UNDONE, UNDONE],
    }
    assert [event for event in kept.events if isinstance(event, Captured)][-1].index == 4
    for record in captures[4]:
        await kept.store.capturing.keep(record.id)
    assert kept.state[1:] == ["**preference**: I prefer tea", "**correction**: the server is in Berlin"]
    await kept.store.editing.undo_change(first.id)
    assert (await kept.store.capturing.of_conversation(KEY, BEGAN))[2] == [replace(before[0], outcome=UNDONE)]


async def test_what_was_undone_can_be_kept_again(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    before = kept.memory
    await kept.store.capturing.undo(record.id)
    (after,) = (await kept.store.capturing.keep(record.id)).records
    assert (after.outcome, after.memory_line) == (KEPT, "- **preference**: I prefer tea")
    assert kept.memory == before
    assert kept.state == ["**preference**: I prefer tea"]
    assert [change.origin.kind for change in kept.store.editing.changes()] == ["capture", "undo", "kept"]


@pytest.mark.parametrize("text", ["Do I prefer tea?", "Suppose I prefer tea."])
async def test_what_was_refused_can_be_kept_after_all(kept: Kept, text: str) -> None:
    (record,) = (await kept.say(text)).records
    assert record.outcome == REFUSED
    await kept.store.capturing.keep(record.id)
    assert kept.memory.endswith(f"{SECTION}\n\n- **preference**: I prefer tea\n")
    (again,) = (await kept.say("I prefer tea", 2)).records
    assert again.reason.startswith(DUPLICATE)


async def test_a_secret_a_duplicate_and_what_is_too_long_ago_are_not_kept_after_all(kept: Kept) -> None:
    (record,) = (await kept.say("Remember my key is sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAA")).records
    with pytest.raises(StorageError, match="a key stands in it"):
        await kept.store.capturing.keep(record.id)
    with pytest.raises(StorageError, match="too long ago"):
        await kept.store.capturing.keep("nothing")


async def test_a_line_that_reads_otherwise_by_now_is_left_and_that_is_said(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    kept.memory_file.write_text(kept.memory.replace("I prefer tea", "Prefers tea, black"), encoding="utf-8")
    kept.store.editing.read_version()
    await kept.store.editing.save_text(kept.memory.replace("black", "green"), kept.store.editing.read_version().version)
    marks = kept.store._desks.memory.changes.deleted()
    assert marks, "the person reworded it: the old words are theirs to keep away"
    await kept.store.capturing.undo(record.id)
    assert "Prefers tea, green" in kept.memory


async def test_a_line_a_model_reworded_is_not_undone_here(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    text = kept.memory.replace("- **preference**: I prefer tea", "- Prefers tea")
    store = kept.store
    desk = store._desks.memory
    from mnemoscope.domain.memory_change import MemoryOrigin

    desk.edits.save_over(text, store.editing.read_version().version, kept.memory, MemoryOrigin("consolidation", "now"))
    with pytest.raises(StorageError, match="in other words"):
        await store.capturing.undo(record.id)
    assert "Prefers tea" in kept.memory
    assert len(kept.state) == 1


async def test_a_capture_is_a_change_of_its_own_that_names_its_message(kept: Kept) -> None:
    kept.store.version_keeper().keep()
    (record,) = (await kept.say("I prefer tea", 4)).records
    (change,) = kept.store.editing.changes()
    assert (change.id, change.origin.kind, change.origin.session_key) == (record.change_id, "capture", KEY)
    assert change.words == "captured from message 5 of desktop:a: 1 fact added"
    kept.store.version_keeper().keep()
    newest = GitStore(kept.root).log(1)[0]
    assert (newest.author, newest.subject) == ("Capture", "memory/MEMORY.md: Captured from a message")
    assert (newest.trailers["Conversation"], newest.trailers["Messages"]) == ((KEY,), ("4-5",))


async def test_what_another_program_wrote_meanwhile_stands_beside_it(kept: Kept) -> None:
    kept.memory_file.write_text(MEMORY + "- theirs\n", encoding="utf-8")
    await kept.say("I prefer tea")
    assert "- theirs\n" in kept.memory
    assert kept.memory.count("I prefer tea") == 1
    assert [change.origin.kind for change in kept.store.editing.changes()] == ["outside", "capture"]


async def test_lines_go_into_their_section_and_not_behind_what_comes_after(tmp_path: Path) -> None:
    kept = Kept(tmp_path, memory=f"# M\n\n{SECTION}\n\n- **preference**: I like plov\n\n## Mine\n\n- own")
    await kept.say("I prefer tea")
    assert kept.memory == (
        f"# M\n\n{SECTION}\n\n- **preference**: I like plov\n- **preference**: I prefer tea\n\n## Mine\n\n- own"
    )


async def test_a_workspace_without_memory_gets_the_peers_file(tmp_path: Path) -> None:
    kept = Kept(tmp_path, memory=None)
    await kept.say("I prefer tea")
    assert kept.memory == f"{MEMORY_HEADER}\n\n{SECTION}\n\n- **preference**: I prefer tea\n"


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
    await kept.store.capturing.undo(outcome.records[0].id)
    assert kept.state == ["**decision**: We decided on Postgres"]


async def test_of_a_long_memory_each_line_is_read_once(kept: Kept) -> None:
    kept.memory_file.write_text("# Memory\n" + "".join(f"- {number}\n" for number in range(6_000)))
    await kept.say("I prefer tea", 0)
    known = kept.store.capturing.writer._facts
    await kept.say("I like plov", 2)
    assert kept.store.capturing.writer._facts is known
    assert len(known) > 6_000


async def test_a_workspace_that_is_only_looked_at_is_not_written(tmp_path: Path) -> None:
    Kept(tmp_path)
    kept = Kept(tmp_path, read_only=True)
    for call in (kept.say("I prefer tea"), kept.store.capturing.undo("x"), kept.store.capturing.keep("x")):
        with pytest.raises(WorkspaceReadOnly):
            await call
    assert kept.memory == MEMORY


async def test_each_conversation_has_its_own_state(kept: Kept) -> None:
    manager = SessionManager(kept.root)
    other = manager.get_or_create("desktop:b")
    other.add_message("user", "Hello")
    manager.save(other)
    await kept.say("The deadline is 2026-06-15")
    await kept.store.capturing.capture(Said("desktop:b", BEGAN, 0, "The deadline is 2026-07-20"))
    states = kept.store.capturing.states
    assert "2026-06-15" in states.read(KEY).text
    assert "2026-06-15" not in states.read("desktop:b").text
    assert kept.state == ["**specific_value**: The deadline is 2026-07-20"]


async def test_the_time_of_a_line_is_that_of_the_place_the_person_lives_in(tmp_path: Path) -> None:
    noon = datetime(2026, 11, 22, 12, tzinfo=UTC)
    store = MemoryStore(tmp_path, clock=lambda: noon, zone=lambda: "Asia/Tashkent")
    store.editing.read_version()
    outcome = await store.capturing.capture(Said(KEY, BEGAN, 0, "I prefer tea"))
    await store.capturing.undo(outcome.records[0].id)
    after = await store.capturing.keep(outcome.records[0].id)
    lines = [outcome.records[0].state_line, after.records[0].state_line]
    assert lines == ["- [2026-11-22T17:00:00+05:00] **preference**: I prefer tea"] * 2


@pytest.mark.logs_errors("write hook")
def test_the_seeds_doors_write_both_files_once_and_tell_the_hooks(tmp_path: Path) -> None:
    told: list[tuple[str, str]] = []
    remove = add_write_hook(lambda content, source: told.append((source, content)))
    broken = add_write_hook(lambda content, source: 1 / 0)  # type: ignore[func-returns-value]
    try:
        wal_write(wal_scan("My name is Bobur. The deadline is 2025-06-15."), tmp_path, "7")
        wal_write(wal_scan("My name is Bobur"), str(tmp_path), "7")
    finally:
        remove()
        remove()
        broken()
    memory = (tmp_path / "memory/MEMORY.md").read_text()
    assert memory == f"{MEMORY_HEADER}\n\n{SECTION}\n\n- **proper_noun**: [user:7] My name is Bobur\n"
    state = (tmp_path / "SESSION-STATE.md").read_text()
    assert state.count("**proper_noun**: My name is Bobur\n") == state.count("[user:7] **proper_noun**") == 1
    assert [source for source, _ in told] == ["MEMORY.md", "SESSION-STATE.md"]
    assert told[0][1] == "- **proper_noun**: [user:7] My name is Bobur\n"


async def test_consolidation_is_shown_nothing_struck_and_keeps_it_all(kept: Kept) -> None:
    await kept.say(SAID)
    manager = SessionManager(kept.root)
    session = manager.get_or_create(KEY)
    for number in range(20):
        session.add_message("user", f"I have a cat called Mau {number}")
    manager.save(session)
    shown = "\n".join(row for row in AFTER.split("\n") if "~~" not in row)
    model = ScriptedProvider(
        [save_memory("[2026-03-01 10:00] Of Mau.", shown.replace("- mine", "- mine\n- has a cat"))]
    )
    assert await kept.store.consolidate(session, model, "m", memory_window=10)
    assert "~~" not in str(model.requests)
    assert kept.memory == AFTER.replace("- mine", "- mine\n- has a cat")


async def test_what_is_captured_while_a_model_consolidates_stands_once(kept: Kept) -> None:
    manager = SessionManager(kept.root)
    session = manager.get_or_create(KEY)
    for number in range(20):
        session.add_message("user", f"I have a cat called Mau {number}")
    manager.save(session)
    shown = kept.store.read_long_term()

    class Slow(ScriptedProvider):
        async def chat(self, *args: object, **kwargs: object) -> object:
            await kept.say(SAID)
            return save_memory("[2026-03-01 10:00] Of Mau.", shown.replace("- mine", "- mine\n- has a cat"))

    assert await kept.store.consolidate(session, Slow(), "m", memory_window=10)
    assert kept.memory == AFTER.replace("- mine", "- mine\n- has a cat")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
    told = state.read_text(encoding="utf-8").split("\n") if state.exists() else [STATE_HEADER, "", ""]
    assert told[:2] == [STATE_HEADER, ""]
    assert all(row.startswith("- [2026-03-01T") for row in told[2:-1])


async def _captured(root: Path, calls: FileCalls) -> None:
    await Kept(root, calls=calls).say(SAID, 4)


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


async def test_what_a_crash_kept_from_being_noted_is_known_as_kept_and_can_be_undone(kept: Kept) -> None:
    await kept.say("I prefer tea", 4)
    (kept.root / ".mnemoscope/captures.jsonl").unlink()
    again = Kept(kept.root)
    (record,) = (await again.say("I prefer tea", 4)).records
    assert (record.outcome, record.reason) == (KEPT, "")
    assert await again.store.capturing.of_conversation(KEY, BEGAN) == {4: [record]}
    await again.store.capturing.undo(record.id)
    assert (again.memory, again.state) == (MEMORY, [])
