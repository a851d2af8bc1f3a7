"""Each line of a memory file leads to the message it rests on; what nobody said in a conversation is from outside."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mnemoscope.agent.commits.memory_blame import BlamedLine, MemoryBlame, record_of_trailers, records_behind
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.commits import CommitInfo
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.journal_entry import JournalEntry
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.intent import CONSOLIDATION, Intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace
from tests.support.agent_bench import KEY
from tests.support.dream_bench import MEMORY, DreamBench, edit
from tests.support.scripted_provider import says

SHOP = "desktop:20261005-191200-a41c9e"


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped("workspace"), tmp_path / "sample"))


def blame_in(root: Path) -> MemoryBlame:
    sessions = SessionManager(root, read_only=True)
    paths = WorkspacePaths.found(root)
    return MemoryBlame(paths, MemoryStore(root, sessions=sessions, read_only=True), sessions)


def of_memory(root: Path) -> list[BlamedLine]:
    paths = WorkspacePaths.found(root)
    return blame_in(root).of_memory_file(MEMORY_PATH, paths.memory_file.read_text(encoding="utf-8"))


def line_with(words: str, found: list[BlamedLine]) -> BlamedLine:
    (line,) = (each for each in found if words in each.text)
    return line


def test_a_line_of_a_consolidation_leads_to_the_person_s_message_it_rests_on(sample: Path) -> None:
    found = of_memory(sample)
    prices = line_with("£28 mug", found)
    assert prices.session_key == SHOP
    assert prices.message_text.startswith("One price everywhere")
    assert line_with("Nell Ashworth throws", found).is_outside
    assert [each.line for each in found] == list(range(1, len(found) + 1))
    text = (sample / "memory" / "MEMORY.md").read_text(encoding="utf-8")
    assert "".join(f"{each.text}\n" for each in found) == text


def test_history_and_session_state_lead_to_conversations_too(sample: Path) -> None:
    origins = blame_in(sample)
    history = origins.of_history((sample / "memory" / "HISTORY.md").read_text(encoding="utf-8"))
    assert line_with("Planned the online shop", history).session_key == SHOP
    assert line_with("Half-year look at the books", history).is_outside
    state = origins.of_session_state((sample / "SESSION-STATE.md").read_text(encoding="utf-8"))
    assert line_with("only have one bucket", state).message_text.startswith("I'd rather only have one bucket.")
    assert [each.is_outside for each in origins.unknown("a\nb\n")] == [True, True]


def test_a_line_of_history_is_of_the_entry_it_stands_in_and_not_of_another_with_the_same_words(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir()
    ledger = Ledger(paths)
    entries = (
        "[2026-03-14 09:00] They met.\nSam likes tea.",
        "They talked.\nSam likes tea.",
        "[2026-03-14 09:00] RAW.",
    )
    for number, entry in enumerate((*entries, entries[2])):
        intent = Intent.of_kind(
            CONSOLIDATION,
            workspace_id=ledger.workspace_id(),
            when=f"2026-03-{14 + number}T12:00:00",
            session_key=f"cli:{number}",
            stop=2,
            history_entry=f"{entry}\n\n",
        )
        ledger.commit(intent)
        ledger.finish(intent)
    theirs = "[2026-03-15 10:00] nanobot wrote this.\nSam likes tea.\n"
    changed = f"{entries[0]}\nBy hand.\n\nA paragraph of another program.\nThey talked.\n"
    text = f"{theirs}\n{changed}\n{entries[1]}\n\n{entries[2]}\n\n{entries[2]}\n"
    found = {each.line: each.session_key for each in blame_in(tmp_path).of_history(text) if each.text}
    assert found == {
        **dict.fromkeys((1, 2), ""),
        **dict.fromkeys((4, 5), "cli:0"),
        **dict.fromkeys((6, 8, 9), ""),
        **dict.fromkeys((11, 12), "cli:1"),
        14: "cli:2",
        16: "cli:3",
    }


async def test_what_was_captured_leads_to_its_message_also_after_the_conversation_was_closed(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    bench = open_core(tmp_path, keychain=Keychain(environment={})).bench
    await bench.recover()
    await bench.loop.process("desktop:a", "Hello there.")
    await bench.loop.process("desktop:a", "Remember that I like oolong tea.")
    captured = line_with("oolong", of_memory(tmp_path))
    assert (captured.session_key, captured.message_text) == ("desktop:a", "Remember that I like oolong tea.")
    await bench.loop.process("desktop:a", "/new")
    await bench.loop.process("desktop:a", "Something else, and more of it.")
    await bench.loop.process("desktop:a", "And something third.")
    assert line_with("oolong", of_memory(tmp_path)) == captured
    await bench.close()


async def test_what_the_person_wrote_is_from_outside_and_an_undo_gives_lines_back_to_their_author(
    tmp_path: Path,
) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    bench = open_core(tmp_path, keychain=Keychain(environment={})).bench
    await bench.recover()
    await bench.loop.process("desktop:a", "Remember that I like oolong tea.")
    before = line_with("oolong", of_memory(tmp_path))
    editing = bench.memory.editing
    base = editing.read_text()
    await editing.save_text("- My own words\n", base.digest)
    assert line_with("My own words", of_memory(tmp_path)).is_outside
    (*_, last) = editing.changes()
    await editing.undo_change(last.id)
    again = line_with("oolong", of_memory(tmp_path))
    assert (again.session_key, again.message_text) == (before.session_key, before.message_text)
    (tmp_path / "memory" / "MEMORY.md").write_text("- From another program\n", encoding="utf-8")
    assert line_with("another program", of_memory(tmp_path)).is_outside
    await bench.close()


async def test_after_a_capture_is_undone_the_window_names_who_wrote_what_stands_again(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    bench = open_core(tmp_path, keychain=Keychain(environment={})).bench
    await bench.recover()

    async def writers(words: str) -> tuple[str, str]:
        await bench.commits.kept()
        (blamed,) = (each for each in await bench.commits.blame(MEMORY_PATH) if words in each.text)
        return blamed.text, blamed.commit.author

    editing, captures = bench.memory.editing, bench.memory.captures
    await editing.save_text("# Memory\n\n- My name is Olga\n", editing.read_text().digest)
    await bench.loop.process("desktop:a", "My name is Boris.")
    await bench.loop.process("desktop:a", "Actually, my name is Boris Ivanov.")
    second, first = (await captures.log())[:2]
    await captures.undo(second.id)
    assert await writers("Boris") == ("- **proper_noun**: My name is Boris", "Capture")
    await editing.undo_change(editing.changes()[-1].id)
    assert await writers("Boris Ivanov") == ("- **proper_noun**: my name is Boris Ivanov", "Capture")
    await editing.undo_change(editing.changes()[-1].id)
    await captures.undo(first.id)
    assert await writers("Olga") == ("- My name is Olga", "You")
    await bench.close()


async def test_a_line_is_of_whoever_wrote_it_last_before_it_was_brought_back(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    bench = open_core(tmp_path, keychain=Keychain(environment={})).bench
    await bench.recover()
    await bench.loop.process("desktop:a", "Remember that I like oolong tea.")
    editing = bench.memory.editing
    captured = editing.read_text()
    gone = await editing.save_text("# Memory\n", captured.digest)
    by_hand = await editing.save_text(captured.text, gone.digest)
    await editing.save_text("# Memory\n", by_hand.digest)
    await editing.undo_change(editing.changes()[-1].id)
    assert line_with("oolong", of_memory(tmp_path)).is_outside
    await bench.close()


async def test_where_the_journal_of_changes_is_gone_the_commits_are_asked(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    bench = open_core(tmp_path, keychain=Keychain(environment={})).bench
    await bench.recover()
    await bench.loop.process("desktop:a", "Remember that I like oolong tea.")
    await bench.commits.kept()
    await bench.close()
    log = WorkspacePaths.found(tmp_path).own.memory_change_log
    lines = log.read_text(encoding="utf-8")
    log.unlink()
    found = line_with("oolong", of_memory(tmp_path))
    assert (found.session_key, found.message_text) == ("desktop:a", "Remember that I like oolong tea.")
    assert (found.author, len(found.when)) == ("capture", len("2026-01-01T00:00"))
    # A journal that lost the texts it names says nothing of lines, and the commits name its changes.
    log.write_text(lines, encoding="utf-8")
    shutil.rmtree(tmp_path / ".mnemoscope" / "versions")
    assert line_with("oolong", of_memory(tmp_path)) == found
    shutil.rmtree(tmp_path / "memory" / ".git", ignore_errors=True)
    shutil.rmtree(tmp_path / ".mnemoscope" / "versions.git", ignore_errors=True)
    assert line_with("oolong", of_memory(tmp_path)).is_outside


async def test_a_tool_s_line_leads_to_the_message_before_its_call(tmp_path: Path) -> None:
    script = [edit("- likes tea", "- likes green tea"), says("Done.")]
    async with DreamBench(tmp_path, *script, captures=False) as opened:
        opened.begin()
        opened.bench.memory.editing.read_text()
        await opened.bench.loop.process(KEY, "Please correct it: green tea.")
        found = line_with("green tea", of_memory(tmp_path))
        assert (found.session_key, found.message_text) == (KEY, "Please correct it: green tea.")
        journal = (tmp_path / MEMORY).with_name("history.jsonl").read_text(encoding="utf-8")
        assert [each.is_outside for each in blame_in(tmp_path).of_journal(journal + "[]\nx\n")] == [True] * 3


def made(*trailers: str) -> CommitInfo:
    return CommitInfo("a" * 8, "Changed\n\n" + "\n".join(trailers) + "\n", "2026-11-22 12:00", seconds=1_790_000_000)


def record_of_entry(cursor: int, entry: str, transaction: str = "") -> ConsolidationRecord:
    return ConsolidationRecord(transaction, KEY, "", 0, 4, "", entry, cursor=cursor)


def test_behind_a_run_of_dream_stand_the_entries_it_read_with_those_first_that_share_words_with_the_line() -> None:
    records = [record_of_entry(3, "Weather talk"), record_of_entry(4, "A kiln was bought"), record_of_entry(9, "Later")]
    noted = [JournalEntry(4, "", "A kiln was bought", ""), JournalEntry(5, "", "The kiln stands in the shed", "")]
    found = records_behind(made("History-Entries: 3-5"), records, noted, "- The kiln stands outside")
    assert [each.cursor for each in found] == [5, 4, 3]
    assert [each.stop for each in found] == [0, 4, 4]


def test_behind_a_consolidation_stands_its_record_else_what_its_trailers_say() -> None:
    change = made("Conversation: k", "Messages: 2-8", "Transaction: t1")
    known = record_of_entry(1, "Known", "t1")
    assert records_behind(change, [known]) == [known]
    traced = record_of_trailers(change)
    assert traced is not None
    assert (traced.session_key, traced.start, traced.stop) == ("k", 2, 8)
    assert records_behind(change, []) == [traced]
    assert records_behind(made("Conversation: k", "Messages: 8-2"), []) == []
