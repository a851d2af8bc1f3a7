"""Stores of other agents are listed, read and traced beside the window, and stay as they are to the byte."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from threading import Event

import pytest

from mnemoscope.agent.foreign import foreign_reading
from mnemoscope.agent.foreign.foreign_reading import (
    NEWEST_OTHERS,
    PAGE,
    ForeignReading,
    SeenStore,
    listed_conversations,
)
from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import KINDS, ForeignMemoryFile, ForeignRole, MemoryEdit, RecordKind
from mnemoscope.domain.health.report import FindingKind
from tests.foreign_stores import claude_code, codex
from tests.foreign_stores.git_memory import GitMemory
from tests.foreign_stores.hashes import hashes_of


@pytest.fixture
async def reading() -> AsyncIterator[ForeignReading]:
    made = ForeignReading()
    yield made
    made.close()
    made.close()


async def listed(reading: ForeignReading, root: Path) -> SeenStore:
    found = await reading.listed(root)
    assert found is not None
    return found


def project(root: Path) -> Path:
    return root / "projects" / claude_code.PROJECT


async def test_stores_at_the_usual_places_are_listed_newest_first_and_not_changed(
    reading: ForeignReading, tmp_path: Path
) -> None:
    claude_code.sample_store(tmp_path / ".claude")
    codex.make_store(tmp_path / ".codex")
    before = hashes_of(tmp_path)
    roots = await reading.usual(tmp_path, {})
    stores = [await listed(reading, root) for root in roots]
    assert {store.title for store in stores} >= {"Claude Code", "Codex"}
    claude = next(store for store in stores if store.title == "Claude Code")
    assert {each.role for each in claude.conversations} == {ForeignRole.MAIN, ForeignRole.SUBAGENT}
    times = [each.updated_at for _, each in listed_conversations([claude]) if each.updated_at is not None]
    assert times == sorted(times, reverse=True)
    for store in stores:
        for each in store.conversations:
            newest, whole = await reading.newest(store.root, each.id), await reading.read(store.root, each.id)
            assert newest.shown[-1] == whole.shown[-1]
        for file in store.memory_files:
            assert len(await reading.sources(store, file)) == len(file.text.splitlines())
    assert hashes_of(tmp_path) == before
    (tmp_path / "plain").mkdir()
    assert await reading.listed(tmp_path / "plain") is None


async def test_the_newest_messages_come_first_and_then_all_in_the_same_words(
    reading: ForeignReading, tmp_path: Path
) -> None:
    store = await listed(reading, claude_code.sample_store(tmp_path / ".claude"))
    name = next(each.id for each in store.conversations if each.title == "Good morning.")
    newest, whole = await reading.newest(store.root, name), await reading.read(store.root, name)
    assert newest.newest_alone
    assert not whole.newest_alone
    assert [each["content"] for each in newest.shown] == ["Good morning.", "Good morning!"]
    assert whole.shown == newest.shown
    assert whole.messages == len(whole.shown)
    assert whole.first == whole.pointer == 0
    assert not whole.entries


async def test_a_compaction_is_where_the_line_stands_and_a_branch_is_read_beside_it(
    reading: ForeignReading, tmp_path: Path
) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    talk = claude_code.ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    talk.person("Let us plan.")
    last = talk.answer("Yes.")
    talk.boundary(last)
    talk.summary("They plan a journey.")
    asked = talk.person("Where to?")
    talk.answer("To Lisbon.", parent=asked)
    talk.answer("To Porto.", parent=asked)
    talk.write(project(root) / f"{talk.session}.jsonl")
    store = await listed(reading, root)
    name = next(each.id for each in store.conversations if talk.session in each.id)
    seen = await reading.read(store.root, name)
    assert (seen.consolidated, seen.compactions, seen.messages, seen.total) == (2, 1, 4, 5)
    assert [(each.start, each.stop, each.entry) for each in seen.entries] == [(0, 3, "They plan a journey.")]
    assert seen.shown[seen.pointer - 1] | {"timestamp": ""} == {
        "role": "summary",
        "content": "They plan a journey.",
        "timestamp": "",
    }
    assert seen.shown[seen.pointer]["content"] == "Where to?"
    assert {seen.shown[index]["role"] for index in seen.index_of.values()} == {"user", "assistant"}
    assert seen.shown[-1]["content"] == "To Porto."
    assert len(seen.branches) == 1
    other = await reading.read(store.root, name, branch=0)
    assert other.branch == 0
    assert other.shown[-1]["content"] == "To Lisbon."
    assert (await reading.read(store.root, name, place=seen.branches[0])).branch == 0


async def test_where_only_some_messages_are_kept_the_line_stands_behind_them(
    reading: ForeignReading, tmp_path: Path
) -> None:
    rollout = codex.Rollout(tmp_path / ".codex").meta().says("Where is the kiln?").answers("In the yard.")
    rollout.compacts("They spoke of a kiln.", [codex.message("user", "Where is the kiln?")]).says("Thanks.").write()
    store = await listed(reading, tmp_path / ".codex")
    seen = await reading.read(store.root, codex.ID)
    assert [each["content"] for each in seen.shown] == [
        "Where is the kiln?",
        "In the yard.",
        "They spoke of a kiln.",
        "Thanks.",
    ]
    assert (seen.pointer, seen.consolidated, seen.some_kept) == (3, 2, True)


async def test_a_long_conversation_is_read_in_pages_and_a_result_with_its_call(
    reading: ForeignReading, tmp_path: Path
) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    talk = claude_code.ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    talk.person("Begin.")
    for number in range(PAGE // 2 + 2):
        talk.answer(claude_code.call(f"toolu_{number}"))
        talk.result(f"toolu_{number}", f"done {number}")
    talk.write(project(root) / f"{talk.session}.jsonl")
    store = await listed(reading, root)
    name = next(each.id for each in store.conversations if talk.session in each.id)
    whole = await reading.read(store.root, name, first=0)
    for first in (None, whole.messages - 1):
        seen = await reading.read(store.root, name, first=first)
        assert 0 < seen.first < whole.messages
        assert seen.shown[0]["role"] == "assistant"
        assert seen.shown == whole.shown[seen.first :]
        assert set(seen.index_of.values()) == set(range(seen.first, seen.messages))
        assert [KINDS[each] for each in seen.earlier[:3]] == ["person", "answer", "result"]
        assert len(seen.earlier) == seen.first
    assert whole.first == 0


async def test_summaries_keep_their_indices_whatever_page_is_read(reading: ForeignReading, tmp_path: Path) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    talk = claude_code.ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    for number in range(3):
        talk.person(f"Question {number}.")
        talk.boundary(talk.answer(f"Answer {number}."))
        talk.summary(f"Summary {number}.")
    talk.write(project(root) / f"{talk.session}.jsonl")
    store = await listed(reading, root)
    name = next(each.id for each in store.conversations if talk.session in each.id)
    whole = await reading.read(store.root, name, first=0)
    said = [str(each["content"]) for each in whole.shown]
    assert said[2::3] == ["Summary 0.", "Summary 1.", "Summary 2."]
    assert [(each.start, each.stop) for each in whole.entries] == [(0, 3), (3, 6), (6, 9)]
    assert whole.pointer == whole.total == 9
    for first in range(9):
        seen = await reading.read(store.root, name, first=first)
        assert seen.first <= first
        assert seen.shown == whole.shown[seen.first :]
        assert (seen.entries, seen.pointer, seen.consolidated) == (whole.entries, 9, 6)
        assert [KINDS[each] for each in seen.earlier] == (["person", "answer", "summary"] * 3)[: seen.first]


async def test_records_that_are_no_messages_are_read_by_their_kinds(reading: ForeignReading, tmp_path: Path) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    talk = claude_code.ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    talk.person("Begin.")
    talk.answer("Yes.")
    for number in range(NEWEST_OTHERS + 1):
        talk.beside("novelty", number=number)
    path = talk.write(project(root) / f"{talk.session}.jsonl")
    path.write_bytes(path.read_bytes() + b"{broken\n")
    store = await listed(reading, root)
    name = next(each.id for each in store.conversations if talk.session in each.id)
    seen = await reading.read(store.root, name)
    assert (seen.unknown_records, seen.other_records) == (NEWEST_OTHERS + 1, 1)
    others = await reading.others(store.root, name)
    assert list(others) == [RecordKind.UNKNOWN, RecordKind.DAMAGED]
    unknown = others[RecordKind.UNKNOWN]
    assert (unknown.count, len(unknown.newest)) == (NEWEST_OTHERS + 1, NEWEST_OTHERS)
    assert json.loads(unknown.newest[-1].raw)["number"] == NEWEST_OTHERS
    assert others[RecordKind.DAMAGED].newest[0].raw == "{broken"


async def test_a_result_without_its_call_gets_one_and_every_record_keeps_its_message(
    reading: ForeignReading, tmp_path: Path
) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    talk = claude_code.ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    talk.person("Begin.")
    talk.result("toolu_lost", "found")
    talk.answer("It is found.")
    talk.write(project(root) / f"{talk.session}.jsonl")
    store = await listed(reading, root)
    name = next(each.id for each in store.conversations if talk.session in each.id)
    seen = await reading.read(store.root, name)
    roles = [str(seen.shown[index]["role"]) for _, index in sorted(seen.index_of.items())]
    assert roles == ["user", "tool", "assistant"]


async def test_a_line_leads_to_the_message_that_it_was_written_after(reading: ForeignReading, tmp_path: Path) -> None:
    store = await listed(reading, claude_code.sample_store(tmp_path / ".claude"))
    file = next(each for each in store.memory_files if each.path.endswith("memory/MEMORY.md"))
    sources = await reading.sources(store, file)
    said = {each.text: each.edit.message_text for each in sources if each.edit is not None}
    assert said["- Lives in Graz"] == "And that I live in Graz."
    assert [each.text for each in sources if each.is_outside and not each.is_unknown] == [
        "- [Deploys](deploys.md): on Fridays"
    ]
    assert await reading.sources(store, file) == sources
    edit = next(each.edit for each in sources if each.text == "- Lives in Graz")
    assert edit is not None
    seen = await reading.read(store.root, edit.conversation, place=edit.place)
    assert edit.place in seen.index_of


async def test_a_line_that_no_call_wrote_came_with_a_commit(reading: ForeignReading, tmp_path: Path) -> None:
    memory = GitMemory(tmp_path / "memory")
    memory.commit("begin", {"system/human.md": "- Likes tea\n"}, when=1_770_000_000)
    memory.commit("fix: works at the pottery", {"system/human.md": "- Likes tea\n- Has a kiln\n"}, when=1_780_000_000)
    store = await listed(reading, memory.root)
    sources = await reading.sources(store, store.memory_files[0])
    assert [(each.text, each.commit.subject if each.commit else "") for each in sources] == [
        ("- Likes tea", "begin"),
        ("- Has a kiln", "fix: works at the pottery"),
    ]
    report = await reading.health(store, date(2026, 11, 1))
    assert [[day.month for day, _ in each.sizes] for each in report.growth] == [[2, 5, 11]]
    assert FindingKind.NO_SOURCE not in [each.kind for each in report.findings]


async def test_another_stamp_says_that_a_conversation_went_on(reading: ForeignReading, tmp_path: Path) -> None:
    store = await listed(reading, claude_code.sample_store(tmp_path / ".claude"))
    one = next(each for each in store.conversations if each.title == "Good morning.")
    before = await reading.stamp(store.root, one)
    assert await reading.stamp(store.root, one) == before
    with (store.root / one.path).open("ab") as file:
        file.write(b"{}\n")
    changed = await reading.stamp(store.root, one)
    assert changed != before
    (store.root / one.path).unlink()
    assert await reading.stamp(store.root, one) not in (before, changed)
    with pytest.raises(StorageError):
        await reading.read(store.root, one.id)


async def test_nothing_is_read_once_it_is_closed(tmp_path: Path) -> None:
    reading = ForeignReading()
    claude_code.sample_store(tmp_path / ".claude")
    waiting = asyncio.ensure_future(reading.listed(tmp_path / ".claude"))
    await waiting
    reading.close()
    with pytest.raises(StorageError):
        await reading.listed(tmp_path)


@dataclass
class HeldStore:
    """A store whose calls are found once `may_go_on` is set, if they are still waited for by then."""

    root: Path
    is_begun: Event = field(default_factory=Event)
    may_go_on: Event = field(default_factory=Event)
    asked: list[bool] = field(default_factory=list)

    def edits(self, goes_on: GoesOn = to_the_end) -> Iterator[MemoryEdit]:
        """Waits, and asks once."""
        self.is_begun.set()
        self.may_go_on.wait()
        self.asked.append(goes_on())
        return iter(())

    def close(self) -> None:
        """Has nothing to release."""


@pytest.mark.parametrize("ends", ["closed", "another store"])
async def test_the_search_for_who_wrote_lines_ends_when_nobody_waits_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ends: str
) -> None:
    reading = ForeignReading()
    file = ForeignMemoryFile("MEMORY.md", "memory", "- Lives in Graz\n", 1, 16)
    one, other = (SeenStore(tmp_path / name, "Held", (), (file,), ()) for name in ("one", "other"))
    held = HeldStore(one.root)
    # A store is opened by its place, on the thread that reads it.
    monkeypatch.setattr(foreign_reading, "open_store", lambda root: held if root == one.root else None)
    waiting = asyncio.ensure_future(reading.sources(one, file))
    await asyncio.to_thread(held.is_begun.wait)
    following = asyncio.ensure_future(reading.sources(other, file)) if ends != "closed" else None
    if following is None:
        reading.close()
    else:
        # The loop begins it, and only then the former one goes on.
        await asyncio.sleep(0)
    held.may_go_on.set()
    with pytest.raises(StorageError):
        await waiting
    assert held.asked == [False]
    if following is not None:
        assert [each.text for each in await following] == ["- Lives in Graz"]
        assert [each.text for each in await reading.sources(one, file)] == ["- Lives in Graz"]
        assert held.asked == [False, True]
    reading.close()


async def test_the_health_of_a_store_names_faults_of_its_lines_and_how_it_grew(
    reading: ForeignReading, tmp_path: Path
) -> None:
    store = await listed(reading, claude_code.sample_store(tmp_path / ".claude"))
    file = ForeignMemoryFile(
        "CLAUDE.md", "memory", "- Rent is 940\n- The rent is 940\n- TODO: call Tom\n- Kiln\n", 4, 49
    )
    report = await reading.health(replace(store, memory_files=(file,)), date(2026, 5, 1))
    assert [(each.line, each.kind) for each in report.findings] == [
        (2, FindingKind.DUPLICATE),
        (3, FindingKind.TASK_RESIDUE),
        (4, FindingKind.NOT_SENT),
    ]
    assert report.tokens > 0
    assert report.cost is None
    whole = await reading.health(store, date(2026, 5, 1))
    for curve in whole.growth:
        assert [size for _, size in curve.sizes] == sorted(size for _, size in curve.sizes)
    loaded = {each.path: each.loaded_characters for each in store.memory_files}
    assert {each.path for each in whole.sent} == {path for path, characters in loaded.items() if characters}
    assert [each.tokens for each in whole.sent] == sorted((each.tokens for each in whole.sent), reverse=True)


async def test_tokens_of_a_day_are_estimated_by_the_answers_that_are_kept(
    reading: ForeignReading, tmp_path: Path
) -> None:
    store = await listed(reading, claude_code.sample_store(tmp_path / ".claude"))
    begin = claude_code.BEGIN.date()
    tokens = {each.path: estimate_tokens(each.text[: each.loaded_characters]) for each in store.memory_files}
    others = sum(size for path, size in tokens.items() if not path.startswith("projects/"))
    cost = (await reading.health(store, begin + timedelta(3))).sent_cost
    assert cost is not None
    # Of the other project the memory of this one is no part; its subagent is asked by no person.
    assert (cost.days, cost.prompts) == (4, 5)
    assert cost.tokens == 4 * sum(tokens.values()) + others
    later = (await reading.health(store, begin + timedelta(60))).sent_cost
    assert later is not None
    assert (later.days, later.prompts, later.tokens) == (30, 0, 0)
    on_demand = replace(store, memory_files=tuple(replace(each, loaded_characters=0) for each in store.memory_files))
    assert (await reading.health(on_demand, begin)).sent_cost is None


async def test_the_answers_of_the_last_days_count_by_their_times_where_it_is_not_known_when_a_conversation_began(
    reading: ForeignReading, tmp_path: Path
) -> None:
    store = await listed(reading, claude_code.sample_store(tmp_path / ".claude"))
    store = replace(store, conversations=tuple(replace(each, created_at=None) for each in store.conversations))
    day = claude_code.BEGIN.date()
    for after, days, prompts in ((3, 4, 5), (29, 30, 5), (30, 30, 1), (31, 1, 0)):
        cost = (await reading.health(store, day + timedelta(after))).sent_cost
        assert cost is not None
        assert (cost.days, cost.prompts) == (days, prompts)


async def test_of_many_files_of_a_store_the_smaller_ones_have_one_curve(
    reading: ForeignReading, tmp_path: Path
) -> None:
    memory = GitMemory(tmp_path / "memory")
    files = {f"system/{count}.md": "- Has a kiln\n" * count for count in range(1, 6)}
    memory.commit("begin", {**files, "reference/0.md": "- Likes tea\n"}, when=1_770_000_000)
    report = await reading.health(await listed(reading, memory.root), date(2026, 11, 1))
    assert {each.path for each in report.growth} == {"system/5.md", "system/4.md", "system/3.md", "*"}
    assert sum(each.sizes[-1][1] for each in report.growth) == report.tokens
    # What is read only on demand is not sent by itself.
    assert {each.path for each in report.sent} == set(files)
