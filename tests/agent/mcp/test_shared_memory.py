"""What a program outside gets of a workspace: what is remembered, nothing of what is not, no way to change it."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.agent.mcp.shared_memory import LONGEST_ANSWER, SharedMemory
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.errors import MnemoscopeError, NotAWorkspace, StorageError, ToolError, UnreadableFile
from mnemoscope.domain.memory.outside_proposal import LONGEST_PROPOSAL, MOST_OF_A_CALLER, MOST_PROPOSALS
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.sessions.message_trash import ChosenMessages
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

SHOP = "desktop:20261005-191200-a41c9e"
CAPTURED = "- **remember**: Every vase gets a twist of paper in the neck and three fingers on top"
CONSOLIDATED = "- Prices everywhere: £28 mug, £22 small bowl, £18 bud vase; postage on top, free from £75"
KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"
CALLER = "Claude Code"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped("workspace"), tmp_path / "sample"))


@pytest.fixture
def memory(root: Path) -> Iterator[SharedMemory]:
    made = SharedMemory(root, keys=lambda: frozenset({"known-key-of-ours"}))
    yield made
    made.close()


def states(root: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in root.rglob("*")}


def refused(memory: SharedMemory, text: str, heading: str = "") -> str:
    with pytest.raises(MnemoscopeError) as error:
        memory.propose(text, heading, CALLER)
    return str(error.value)


def waiting(root: Path) -> list[Path]:
    return sorted(WorkspacePaths(root).own.inbox_dir.glob("*.json"))


def test_reading_writes_nothing(memory: SharedMemory, root: Path) -> None:
    before = states(root)
    assert "Millrace Pottery" in memory.memory()
    assert "[2026-06-30 17:10]" in memory.history()
    assert "celadon" in memory.search("celadon glaze", 8)
    assert "MEMORY.md" in memory.status(CALLER)
    memory.source(CAPTURED)
    assert states(root) == before


def test_each_call_sees_what_is_there_then(memory: SharedMemory, root: Path) -> None:
    assert memory.search("ocarina", 8) == "Nothing was found for this query."
    sessions = SessionManager(root)
    session = sessions.get_or_create("desktop:new")
    session.add_message("user", "I play the ocarina on Mondays.", timestamp="2026-11-22T10:00:00")
    sessions.save(session)
    (root / "memory/MEMORY.md").write_text("# Notes\n- Plays the bassoon\n")
    assert "I play the ocarina" in memory.search("ocarina", 8)
    assert "Plays the bassoon" in memory.memory()


def test_nothing_garbled_is_given(memory: SharedMemory, root: Path) -> None:
    (root / "memory/MEMORY.md").write_bytes("# Notes\n- Plays the bassoon\n".encode("utf-16-le"))
    for call in (memory.memory, lambda: memory.source("Plays the bassoon"), lambda: memory.status(CALLER)):
        with pytest.raises(UnreadableFile, match=r"MEMORY\.md is not UTF-8 text"):
            call()
    assert "\0" not in memory.search("Plays the bassoon", 8)


def test_a_line_leads_to_its_message(memory: SharedMemory) -> None:
    captured = memory.source(CAPTURED)
    assert "Written by the person, in a conversation." in captured
    assert "Message 156 of “Online shop and the December market”, 2026-11-18T12:28, by the person:" in captured
    assert "Please remember that." in captured
    assert memory.source(CAPTURED.removeprefix("- ")) == captured
    assert "Message 19 of" in memory.source(CONSOLIDATED)
    assert "Written by another program, or by hand." in memory.source("Metric, temperatures in °C")
    with pytest.raises(ToolError, match="No single line"):
        memory.source("the")


def test_a_line_does_not_lead_into_the_conversation_that_new_began_later(memory: SharedMemory, root: Path) -> None:
    before = memory.source(CONSOLIDATED)
    ledger = Ledger(WorkspacePaths(root))
    for known in ledger.finished(SHOP):
        again = replace(
            known, id=f"{known.id[:-1]}x", when="2026-12-01T10:00:00", session_created_at="2026-11-30T09:00:00"
        )
        ledger.commit(again)
        ledger.finish(again)
    assert "Message 19 of" in before
    assert memory.source(CONSOLIDATED) == before


def test_without_a_log_the_history_is_the_newest_daily_note(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    (tmp_path / ".mnemoscope").mkdir()
    for day in ("14", "15"):
        (folder / f"2026-03-{day}.md").write_text(f"# Daily Notes\n\n## [09:00:00]\nOn the {day}th.\n", "utf-8")
    assert "On the 15th." in SharedMemory(tmp_path).history()
    (folder / "HISTORY.md").write_text("[2026-03-16 10:00] Summed up.\n\n", "utf-8")
    assert "Summed up." in SharedMemory(tmp_path).history()


def of_the_shop(root: Path) -> tuple[SessionManager, int]:
    sessions = SessionManager(root)
    session = sessions.load(SHOP)
    assert session is not None
    return sessions, 155


def make_discreet(root: Path) -> None:
    sessions, _ = of_the_shop(root)
    sessions.set_discretion(sessions.get_or_create(SHOP), Discretion.READS_MEMORY)


def delete_the_conversation(root: Path) -> None:
    of_the_shop(root)[0].trash(SHOP)


def delete_the_message(root: Path) -> None:
    sessions, index = of_the_shop(root)
    session = sessions.get_or_create(SHOP)
    sessions.delete_messages([ChosenMessages(session, (index,), (session.messages[index],))])


@pytest.mark.parametrize("hide", [make_discreet, delete_the_conversation, delete_the_message])
def test_what_is_not_remembered_any_more_is_not_given_out(
    memory: SharedMemory, root: Path, hide: Callable[[Path], None]
) -> None:
    words = "twist of paper in the neck please remember that"
    assert "Please remember that." in memory.search(words, 40)
    hide(root)
    assert "Please remember that." not in memory.search(words, 40)
    source = memory.source(CAPTURED)
    assert "are not here any more, or are not given out." in source
    assert "Please remember that." not in source
    assert source.startswith(CAPTURED)


def test_what_was_forgotten_and_came_back_is_not_given_out(root: Path) -> None:
    key, paths = TombstoneKey(), WorkspacePaths(root)
    key.make()
    Tombstones(paths.own.tombstones_file, key).add(["Ann Holt lives in Graz"])
    text = paths.memory_file.read_text(encoding="utf-8")
    paths.memory_file.write_text(f"{text}- Ann Holt lives in Graz\n- Ann Holt fires on Mondays\n", encoding="utf-8")
    with paths.history_file.open("a", encoding="utf-8") as file:
        file.write("\n[2026-11-21 10:00] Ann Holt lives in Graz\n")
    memory = SharedMemory(root, tombstone_key=key)
    try:
        given = [memory.read("MEMORY.md", None), memory.memory(), memory.history(), memory.search("Ann Holt Graz", 8)]
        assert not any("lives in Graz" in each for each in given)
        assert all("Ann Holt fires on Mondays" in each for each in (given[0], given[1], given[3]))
        assert "[left out: the person had this forgotten]\n- Ann Holt fires on Mondays" in given[0]
        with pytest.raises(ToolError):
            memory.source("- Ann Holt lives in Graz")
        assert memory.source("- Ann Holt fires on Mondays").startswith("- Ann Holt fires on Mondays")
    finally:
        memory.close()


def test_the_title_of_a_conversation_that_says_it_is_not_given_out(root: Path) -> None:
    key = TombstoneKey()
    key.make()
    Tombstones(WorkspacePaths(root).own.tombstones_file, key).add(["Online shop and the December market"])
    memory = SharedMemory(root, tombstone_key=key)
    try:
        assert "Message 156 of “[…]”, 2026-11-18T12:28, by the person:" in memory.source(CAPTURED)
    finally:
        memory.close()


def test_an_entry_of_the_journal_that_says_it_among_other_things_is_not_given_out(root: Path) -> None:
    key, paths = TombstoneKey(), WorkspacePaths(root)
    key.make()
    Tombstones(paths.own.tombstones_file, key).add(["I see a therapist."])
    said = ["- [durable] Fires pots\n- [durable] I see a therapist", "- [durable] Has a kiln"]
    rows = ({"cursor": at, "timestamp": "2026-11-21 10:00", "content": each} for at, each in enumerate(said, 1))
    paths.history_jsonl.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    memory = SharedMemory(root, tombstone_key=key)
    try:
        assert "therapist" not in memory.read("history.jsonl", None)
        assert "Has a kiln" in memory.read("history.jsonl", None)
    finally:
        memory.close()


def test_without_the_key_of_what_was_forgotten_nothing_is_given_out(root: Path) -> None:
    key, paths = TombstoneKey(), WorkspacePaths(root)
    key.make()
    text = paths.memory_file.read_text(encoding="utf-8")
    paths.memory_file.write_text(f"{text}## Ann Holt lives in Graz\n- Ann Holt fires on Mondays\n", encoding="utf-8")
    memory = SharedMemory(root)
    try:
        assert "fires on Mondays" in memory.memory()
        Tombstones(paths.own.tombstones_file, key).add(["Ann Holt lives in Graz"])
        asked: list[Callable[[], str]] = [
            memory.memory,
            memory.history,
            lambda: memory.read("MEMORY.md", 1),
            lambda: memory.search("Ann Holt Graz", 8),
            lambda: memory.source("- Ann Holt fires on Mondays"),
        ]
        for ask in asked:
            with pytest.raises(ToolError, match="nothing of this memory is given out"):
                ask()
        status = memory.status("Claude Code")
        assert "its key is on another computer" in status
        assert "Graz" not in status
        with pytest.raises(ToolError) as refused:
            memory.propose("Ann Holt likes tea", "No such section", "Claude Code")
        assert "Graz" not in f"{refused.value} {refused.value.next_step}"
        assert "waits for the person's review" in memory.propose("Ann Holt likes tea", "", "Claude Code")
    finally:
        memory.close()


def test_a_branch_that_was_left_is_not_given_out(memory: SharedMemory, root: Path) -> None:
    sessions = SessionManager(root)
    session = sessions.get_or_create("desktop:branched")
    session.add_message("user", "Shall we talk about the ocarina?", timestamp="2026-11-22T10:00:00")
    session.add_message("user", "The xylophone was a mistake.", timestamp="2026-11-22T10:01:00")
    sessions.save(session)
    assert "xylophone" in memory.search("xylophone mistake", 40)
    sessions.fork(session, 1)
    session.add_message("user", "The bassoon then.", timestamp="2026-11-22T10:02:00")
    sessions.append(session)
    assert "xylophone" not in memory.search("xylophone mistake", 40)


def test_the_state_of_a_conversation_is_not_given_out(memory: SharedMemory, root: Path) -> None:
    for path in (root / "SESSION-STATE.md", root / "sessions" / "desktop_new.SESSION-STATE.md"):
        path.write_text("# SESSION-STATE.md — Active Working Memory\n\n- **remember**: The ocarina is in the attic\n")
    assert "ocarina" not in memory.search("ocarina attic", 40)


def test_a_proposal_that_was_accepted_names_its_program(memory: SharedMemory, root: Path) -> None:
    memory.propose("Has a cat called Alma", "", CALLER)
    store = MemoryStore(root)
    store.proposals.take_in()
    (held,) = store.ledger.suggestions()
    store.files.memory.read()
    asyncio.run(store.editing.settle(held.id, "accept"))
    assert "made by “Claude Code” (its own claim), through MCP." in memory.source("Has a cat called Alma")


@pytest.mark.parametrize(
    "name", ["../config.json", "/etc/passwd", "config.json", "AGENTS.md", "sessions", "memory/MEMORY.md", "", "\0"]
)
def test_no_other_file_can_be_read(memory: SharedMemory, name: str) -> None:
    with pytest.raises(ToolError, match="no memory file"):
        memory.read(name, None)


@pytest.mark.parametrize("name", ["HISTORY.md", "2026-11-20.md"])
def test_a_link_to_a_file_elsewhere_is_not_followed(memory: SharedMemory, root: Path, name: str) -> None:
    secret = root.parent / "elsewhere.md"
    secret.write_text("[2026-01-01 10:00] The ocarina is elsewhere.\n")
    (root / "memory" / name).unlink(missing_ok=True)
    (root / "memory" / name).symlink_to(secret)
    with pytest.raises(ToolError, match="no memory file"):
        memory.read(name, None)
    assert "elsewhere" not in memory.search("ocarina", 40)


@pytest.mark.parametrize("name", ["memory/MEMORY.md", "memory", "sessions", "memories", ".mnemoscope/ledger"])
def test_nothing_is_given_out_where_the_workspace_leads_elsewhere(memory: SharedMemory, root: Path, name: str) -> None:
    elsewhere = root.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "MEMORY.md").write_text("- The ocarina is elsewhere\n")
    place = root / name
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.symlink_to(elsewhere / "MEMORY.md" if name.endswith(".md") else elsewhere)
    for ask in (memory.memory, lambda: memory.search("ocarina", 8), lambda: memory.propose("Likes tea", "", CALLER)):
        with pytest.raises(StorageError, match="leads out of the workspace"):
            ask()
    assert [path.name for path in elsewhere.iterdir()] == ["MEMORY.md"]


def test_a_link_within_the_workspace_is_one_more_name(memory: SharedMemory, root: Path) -> None:
    (root / "memory/MEMORY.md").rename(root / "notes.md")
    (root / "memory/MEMORY.md").symlink_to(root / "notes.md")
    assert "Millrace" in memory.memory()


@pytest.mark.slow
def test_long_files_are_read_by_pages_and_logs_from_their_end(memory: SharedMemory, root: Path) -> None:
    rows = [f"- Fact {number}: {'x' * 90}" for number in range(2_000)]
    (root / "memory/MEMORY.md").write_text("\n".join(rows) + "\n")
    seen: list[str] = []
    start: int | None = None
    while True:
        head, *lines = memory.read("MEMORY.md", start).split("\n")
        seen += lines
        if "goes on at line" not in head:
            break
        start = int(head.rpartition(" ")[2].rstrip(")").replace(",", ""))
    assert seen == rows
    with pytest.raises(ToolError, match="2,000 lines"):
        memory.read("MEMORY.md", 2_001)
    (root / "memory/HISTORY.md").write_text(
        "".join(f"[2026-01-01 10:00] Entry {number}.\n\n" for number in range(9_000))
    )
    assert "Entry 8999." in memory.history()
    assert "Entry 0." not in memory.history()
    (root / "memory/MEMORY.md").write_text("y" * 1_000_000)
    assert len(memory.memory()) <= LONGEST_ANSWER


def test_secrets_are_masked_in_all_that_is_given_out(memory: SharedMemory, root: Path) -> None:
    sessions = SessionManager(root)
    session = sessions.get_or_create("desktop:keys")
    session.add_message("user", f"My ocarina key is {KEY}, and known-key-of-ours", timestamp="2026-11-22T10:00:00")
    sessions.save(session)
    title = f"# Ocarina {KEY}"
    (root / "memory/MEMORY.md").write_text(f"{title}\n- The ocarina key is {KEY} and known-key-of-ours\n")
    answers = [memory.memory(), memory.search("ocarina key", 40), memory.source("ocarina key"), memory.status(CALLER)]
    assert all("[key kept out" in answer for answer in answers)
    assert not any(KEY in answer or "known-key-of-ours" in answer for answer in answers)


def test_a_proposal_waits_in_the_inbox_with_its_secrets_masked(memory: SharedMemory, root: Path) -> None:
    before = (root / "memory/MEMORY.md").read_bytes()
    said = memory.propose(f"Likes tea\nThe key is {KEY}", "Preferences", CALLER)
    assert "waits for the person's review" in said
    assert "1 of at most 50" in said
    (file,) = waiting(root)
    assert KEY not in file.read_text()
    assert '"caller": "Claude Code"' in file.read_text()
    assert (root / "memory/MEMORY.md").read_bytes() == before
    assert "Likes tea" not in memory.memory()
    assert "Of your proposals, 1 of 50 wait." in memory.status(CALLER)
    assert "Of your proposals, 0 of 50 wait." in memory.status("Cursor")


def test_what_cannot_be_proposed_is_said_in_a_sentence(memory: SharedMemory, root: Path) -> None:
    assert "at most 2,048 bytes" in refused(memory, "é" * (LONGEST_PROPOSAL // 2 + 1))
    assert "nothing in this proposal" in refused(memory, " \n---\n ")
    assert "no section of that title" in refused(memory, "Likes tea", "../Elsewhere")
    assert "Memory says this already" in memory.propose("metric, temperatures in °C", "", CALLER)
    memory.propose("Likes tea\nHas a cat", "", CALLER)
    assert "waits for review already" in memory.propose("* has a cat", "", CALLER)
    MemoryStore(root).proposals.take_in()
    assert "waits for review already" in memory.propose("Likes tea", "", CALLER)
    assert waiting(root) == []


def test_no_more_wait_than_may(memory: SharedMemory, root: Path) -> None:
    store = MemoryStore(root)
    for number in range(MOST_OF_A_CALLER):
        memory.propose(f"Fact number {number}", "", CALLER)
        if number == MOST_OF_A_CALLER // 2:
            store.proposals.take_in()
    assert "50 proposals of yours" in refused(memory, "One more")
    for number in range(MOST_OF_A_CALLER, MOST_PROPOSALS):
        memory.propose(f"Fact number {number}", "", f"Caller {number}")
    with pytest.raises(StorageError, match="200 proposals in all"):
        memory.propose("One more", "", "A new name")
    assert sum(path.stat().st_size for path in waiting(root)) < 100_000


def test_a_folder_that_another_program_made_takes_no_proposals(memory: SharedMemory, root: Path) -> None:
    shutil.rmtree(root / ".mnemoscope")
    assert "never opened in Mnemoscope" in refused(memory, "Likes tea")
    assert not (root / ".mnemoscope").exists()
    assert "Millrace" in memory.memory()


def test_a_workspace_that_is_gone_is_said_to_be(memory: SharedMemory, root: Path) -> None:
    memory.search("celadon", 8)
    shutil.rmtree(root)
    for ask in (memory.memory, memory.history, lambda: memory.search("celadon", 8), lambda: memory.status(CALLER)):
        with pytest.raises(NotAWorkspace, match="is not there"):
            ask()


def test_a_workspace_without_files_answers(tmp_path: Path) -> None:
    (tmp_path / ".mnemoscope").mkdir()
    memory = SharedMemory(tmp_path)
    assert memory.history() == "There is no history yet."
    assert "0 facts" in memory.status("")
    assert "an unnamed program" in memory.status("")
    assert memory.search("tea", 8) == "Nothing was found for this query."
    assert "waits for the person's review" in memory.propose("Likes tea", "", "")
    memory.close()
