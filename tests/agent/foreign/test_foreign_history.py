"""What another agent summed up is listed newest first, read once until it changes, and searched as the logs are."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from mnemoscope.agent.foreign import foreign_reading
from mnemoscope.agent.foreign.foreign_history import FULL, LONGEST, MOST_LETTERS, ForeignHistory
from mnemoscope.agent.foreign.foreign_reading import SeenStore
from mnemoscope.domain.foreign.foreign_store import ForeignStore, ForeignTranscript
from mnemoscope.store.foreign.agents.claude_code import ClaudeCodeStore
from mnemoscope.store.foreign.agents.claude_transcript import ClaudeTranscript
from mnemoscope.store.foreign.store_formats import open_store
from mnemoscope.store.search.history_query import HistoryQuery, HistoryQueryError
from mnemoscope.store.search.log_search import TOO_SLOW
from tests.foreign_stores import claude_code, codex
from tests.foreign_stores.hashes import hashes_of
from tests.foreign_stores.hermes import HermesHome
from tests.foreign_stores.openclaw import OpenClawState, Transcript

UNREADABLE = "cannot be read"


@pytest.fixture
def history() -> Iterator[ForeignHistory]:
    made = ForeignHistory(lambda text: text or UNREADABLE)
    yield made
    made.close()
    made.close()


def seen(root: Path) -> SeenStore:
    store = open_store(root)
    assert store is not None
    with closing(store):
        return SeenStore(store.root, store.format_name, tuple(store.conversations()), tuple(store.memory_files()), ())


def talk(root: Path, number: int, *summaries: str) -> Path:
    """Writes a conversation of its own day that was summed up so often, an hour apart."""
    began = datetime(2026, 5, 1, 9, tzinfo=UTC) + timedelta(days=number)
    records = claude_code.ClaudeRecords(session=f"{number:08}-2222-4333-8444-555555555555", now=began)
    records.person(f"Question {number}.")
    for summary in summaries:
        records.now += timedelta(hours=1)
        records.boundary(records.answer("Yes."))
        records.summary(summary)
        records.person("And then?")
    return records.write(root / "projects" / claude_code.PROJECT / f"{records.session}.jsonl")


async def until(shows: Callable[[], bool]) -> None:
    async with asyncio.timeout(90):
        while not shows():  # noqa: ASYNC110 - whatever the reading thread does
            await asyncio.sleep(0.002)


async def read(history: ForeignHistory, store: SeenStore) -> list[str]:
    """Lists a store; returns the summaries and notes in their order."""
    history.show(store)
    await until(lambda: history.looked and not history.state.loading)
    return await texts(history)


async def texts(history: ForeignHistory, query: HistoryQuery | None = None) -> list[str]:
    page = await asyncio.wrap_future(history.search(query or HistoryQuery()))
    return [match.entry.text for match in page.matches]


@dataclass
class Watched:
    """A store that notes which conversations are opened, and opens none but the first before `may_go_on`; that takes so
    many seconds."""

    inner: ForeignStore
    opened: list[str]
    may_go_on: Event
    begun: Event = field(default_factory=Event)
    takes_first: float = 0.0

    def open(self, conversation: str) -> ForeignTranscript:
        self.opened.append(conversation)
        if len(self.opened) > 1:
            self.begun.set()
            self.may_go_on.wait(20)
        else:
            time.sleep(self.takes_first)
        return self.inner.open(conversation)

    def close(self) -> None:
        self.inner.close()


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Returns what is noted of the stores that are opened from now on; each conversation but the first waits."""
    made = Watched(None, [], Event())  # type: ignore[arg-type]

    def opened(root: Path) -> Watched:
        store = open_store(root)
        assert store is not None
        return replace(made, inner=store)

    # A store is opened by its place, on the thread that reads it.
    monkeypatch.setattr(foreign_reading, "open_store", opened)
    return made


async def test_summaries_are_listed_newest_first_with_their_time_and_conversation(
    history: ForeignHistory, tmp_path: Path
) -> None:
    root = tmp_path / ".claude"
    talk(root, 1, "First.", "Second.")
    talk(root, 2)
    talk(root, 3, "Third.", "")
    before = hashes_of(root)
    store = seen(root)
    assert await read(history, store) == [UNREADABLE, "Third.", "Second.", "First."]
    page = await asyncio.wrap_future(history.search(HistoryQuery()))
    entry = page.matches[2].entry
    conversation = next(each for each in store.conversations if each.id == entry.source)
    assert conversation.title == "Question 1."
    assert entry.number == 1
    when = datetime(2026, 5, 2, 11, 0, 5, tzinfo=UTC).astimezone()
    assert entry.when == f"{when:%Y-%m-%d %H:%M}"
    assert page.searched_all
    assert history.state.by_kind == {"summaries": 4}
    assert hashes_of(root) == before


async def test_each_format_that_sums_up_is_listed_and_daily_notes_with_it(
    history: ForeignHistory, tmp_path: Path
) -> None:
    rollout = codex.Rollout(tmp_path / ".codex").meta().says("Where is the kiln?").answers("In the yard.")
    rollout.compacts("They spoke of a kiln.", [codex.message("user", "Where is the kiln?")]).says("Thanks.").write()
    assert await read(history, seen(tmp_path / ".codex")) == ["They spoke of a kiln."]
    with closing(HermesHome(tmp_path / ".hermes")) as home:
        name = home.session("a", title="Letters")
        home.talk(name, "Write a letter.", "Done.")
        home.compact(name, "A letter was written.")
    assert ["A letter was written." in each for each in await read(history, seen(tmp_path / ".hermes"))] == [True]
    state = OpenClawState(tmp_path / ".openclaw")
    transcript = Transcript("s1")
    kept = transcript.talk("Glaze it.", "Blue?", "Yes.")
    transcript.compact("They glaze it blue.", kept[-1])
    state.file(transcript)
    state.memory("memory/2030-02-03.md", "Fired the kiln.\n")
    state.memory("memory/2030-02-04.md", "\n")
    assert await read(history, seen(tmp_path / ".openclaw")) == ["Fired the kiln.", "They glaze it blue."]
    assert history.state.by_kind == {"summaries": 1, "notes": 1}
    assert await texts(history, HistoryQuery(sources=frozenset({"notes"}))) == ["Fired the kiln."]
    note = (await asyncio.wrap_future(history.search(HistoryQuery()))).matches[0]
    assert (note.kind, note.entry.when, note.entry.source) == (
        "notes",
        "2030-02-03",
        "memory:workspace/memory/2030-02-03.md",
    )


async def test_what_was_found_is_shown_while_more_is_read_and_nothing_is_read_twice(
    history: ForeignHistory, watched: Watched, tmp_path: Path
) -> None:
    watched.takes_first = 0.5
    root = tmp_path / ".claude"
    for number in range(1, 4):
        talk(root, number, f"Summary {number}.")
    changes: list[int] = []
    history.subscribe(lambda state: changes.append(state.total))
    history.show(seen(root))
    await asyncio.to_thread(watched.begun.wait, 20)
    assert await texts(history) == ["Summary 3."]
    assert history.state.loading
    watched.may_go_on.set()
    await until(lambda: not history.state.loading)
    assert await texts(history) == ["Summary 3.", "Summary 2.", "Summary 1."]
    assert changes[-1] == 3
    assert len(watched.opened) == 3
    path = talk(root, 2, "Summary 2.", "One more.")
    assert await _changed(history, root, lambda: history.state.total == 4) == [
        "Summary 3.",
        "One more.",
        "Summary 2.",
        "Summary 1.",
    ]
    assert len(watched.opened) == 4
    path.unlink()
    assert await _changed(history, root, lambda: history.state.total == 2) == ["Summary 3.", "Summary 1."]
    assert len(watched.opened) == 4


async def _changed(history: ForeignHistory, root: Path, shows: Callable[[], bool]) -> list[str]:
    history.show(seen(root))
    await until(lambda: shows() and not history.state.loading)
    return await texts(history)


async def test_what_was_never_summed_up_is_not_opened_where_the_store_can_tell(
    history: ForeignHistory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = tmp_path / ".claude"
    talk(root, 1, "First.")
    for number in range(2, 6):
        talk(root, number)
    opened: list[str] = []
    original = ClaudeCodeStore.open

    def noted(store: ClaudeCodeStore, conversation: str) -> ClaudeTranscript:
        opened.append(conversation)
        return original(store, conversation)

    monkeypatch.setattr(ClaudeCodeStore, "open", noted)
    assert await read(history, seen(root)) == ["First."]
    assert opened == ["00000001-2222-4333-8444-555555555555"]


@pytest.mark.parametrize("ends", ["closed", "paused", "another store"])
async def test_reading_ends_where_nobody_waits_for_it(
    history: ForeignHistory, watched: Watched, tmp_path: Path, ends: str
) -> None:
    one, other = tmp_path / "one" / ".claude", tmp_path / "other" / ".claude"
    for number in range(1, 6):
        talk(one, number, f"Summary {number}.")
    talk(other, 1, "Of another.")
    store = seen(one)
    history.show(store)
    await asyncio.to_thread(watched.begun.wait, 20)
    if ends == "closed":
        history.close()
    elif ends == "paused":
        history.pause()
    else:
        history.show(seen(other))
        assert history.state.total == 0
    watched.may_go_on.set()
    if ends == "another store":
        await until(lambda: not history.state.loading)
        assert await texts(history) == ["Of another."]
        assert len(watched.opened) == 3
        return
    # What is begun on the thread that reads has ended then.
    if ends == "paused":
        await asyncio.wrap_future(history._reading.submit(str))
    else:
        await asyncio.to_thread(history._reading.shutdown)
    assert len(watched.opened) == 2
    if ends == "paused":
        assert len(await read(history, store)) == 5
        assert len(watched.opened) == 5
    else:
        assert history.is_closed
        assert history.search(HistoryQuery()).cancelled()


async def test_entries_are_found_counted_and_gone_on_with_as_in_the_logs(
    history: ForeignHistory, tmp_path: Path
) -> None:
    root = tmp_path / ".claude"
    for number in range(1, 9):
        talk(root, number, f"The Kiln of day {number}." if number % 2 else f"A letter of day {number}.")
    await read(history, seen(root))
    first = await asyncio.wrap_future(history.search(HistoryQuery("kiln"), 3))
    assert [match.entry.text[-2] for match in first.matches] == ["7", "5", "3"]
    assert first.matches[0].spans == ((4, 8),)
    assert first.next_before is not None
    assert not first.searched_all
    rest = await asyncio.wrap_future(history.more(HistoryQuery("kiln"), first.next_before, 3))
    assert [match.entry.text[-2] for match in rest.matches] == ["1"]
    assert rest.searched_all
    assert await asyncio.wrap_future(history.count(HistoryQuery("kiln"))) == 4
    assert await texts(history, HistoryQuery("Kiln", case_sensitive=True, since=date(2026, 5, 7))) == [
        "The Kiln of day 7."
    ]
    assert await texts(history, HistoryQuery(r"day [12]\.", regex=True)) == [
        "A letter of day 2.",
        "The Kiln of day 1.",
    ]
    assert len(await texts(history, HistoryQuery(until=date(2026, 5, 3)))) == 2
    assert await texts(history, HistoryQuery(sources=frozenset({"notes"}))) == []
    with pytest.raises(HistoryQueryError):
        await texts(history, HistoryQuery("(kiln", regex=True))
    found = await asyncio.wrap_future(history.locate("The Kiln of day 3.", 2))
    assert found is not None
    match, cursor, ahead = found
    assert (match.entry.text, cursor.bounds, ahead) == ("The Kiln of day 3.", (3,), 5)
    assert await asyncio.wrap_future(history.locate("Of no day.")) is None
    assert (await asyncio.wrap_future(history.refresh())).total == 8
    talk(root, 9, "One more.")
    await _changed(history, root, lambda: history.state.total == 9)
    stale = await asyncio.wrap_future(history.more(HistoryQuery(), cursor))
    assert (stale.matches, stale.next_before, stale.searched_all) == ((), None, False)


async def test_an_expression_that_is_too_slow_ends_the_search(history: ForeignHistory, tmp_path: Path) -> None:
    root = tmp_path / ".claude"
    for number in range(1, 7):
        talk(root, number, f"{'a' * 60}!")
    await read(history, seen(root))
    query = HistoryQuery("(a|aa)+$", regex=True)
    page = await asyncio.wrap_future(history.search(query))
    assert (page.complaint, page.next_before, page.searched_all) == (TOO_SLOW, None, False)
    assert await asyncio.wrap_future(history.count(query)) is None


async def test_what_is_too_much_is_left_out_from_the_oldest_on_and_said(
    history: ForeignHistory, watched: Watched, tmp_path: Path
) -> None:
    watched.may_go_on.set()
    root = tmp_path / ".claude"
    for number in range(5):
        talk(root, number, *["x" * LONGEST + "more"] * (MOST_LETTERS // LONGEST // 2))
    assert set(await read(history, seen(root))) == {"x" * LONGEST}
    assert history.state.total == 3 * MOST_LETTERS // LONGEST // 2, "what is just enough is not too much"
    assert history.state.problems == (FULL,)
    assert len(watched.opened) == 3


async def test_a_conversation_that_cannot_be_read_hides_no_other(history: ForeignHistory, tmp_path: Path) -> None:
    root = tmp_path / ".claude"
    talk(root, 1, "First.")
    store = seen(root)
    path = talk(root, 2, "Second.")
    gone = seen(root)
    path.unlink()
    assert await read(history, gone) == ["First."]
    assert await read(history, replace(store)) == ["First."]
