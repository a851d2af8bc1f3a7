"""Words are forgotten in an open workspace and brought back: found nowhere, told to whoever shows them, refused while
something is at work."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from mnemoscope.agent.prompt.sent_prompts import log_name
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import MemoryChanged, MessagesReplaced, SuggestionsChanged
from mnemoscope.domain.forgetting.forgetting_receipt import ASKS_ABOUT_LEFT, BY_CHOICE, ForgettingReceipt
from mnemoscope.domain.forgetting.plan import FoundPlace, PlaceKind
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.suggestion import STAYED
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.logs.prompt_log import PromptLog
from mnemoscope.store.sessions.message_trash import ChosenMessages
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.proof.beginnings import conversation
from tests.proof.opened import KEY, Opened
from tests.support.faulty_calls import FailingAt

SECRET = "Keeps a quokka called Grünzweig"
LINE = f"- {SECRET}"


async def opened_at(root: Path, calls: FileCalls = REAL_CALLS) -> tuple[Opened, WorkspacePaths]:
    """Returns an open workspace that has the secret in memory, in the history and in a conversation."""
    await asyncio.to_thread(conversation, root)
    paths = WorkspacePaths(root)
    paths.memory_file.write_text(f"# Facts\n\n- Known before\n{LINE}\n", encoding="utf-8")
    paths.history_file.write_text(f"[2026-11-20 10:00] {SECRET}\n\n", encoding="utf-8")
    opened = Opened(root, calls=calls, window=100, versions=True)
    session = await opened.session()
    session.add_message("user", SECRET)
    await opened.bench.disk.run(opened.bench.sessions.save, session)
    return opened, paths


async def forget(opened: Opened, *, everything: bool = False) -> ForgettingReceipt:
    plan = await opened.bench.forgetting.plan([LINE])
    chosen = plan.everything if everything else plan.by_default
    return await opened.bench.forgetting.carry_out(plan.text, chosen, plan.without(chosen))


def all_bytes(folder: Path) -> bytes:
    """Returns what stands in all files below a folder."""
    return b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())


def published_texts(opened: Opened) -> list[str]:
    """Returns the texts of MEMORY.md that were announced."""
    return [each.text for each in opened.events if isinstance(each, MemoryChanged)]


async def test_what_was_made_of_the_words_goes_and_what_was_said_stays(tmp_path: Path) -> None:
    opened, paths = await opened_at(tmp_path)
    receipt = await forget(opened)
    assert {each.kind for each in receipt.taken} >= {PlaceKind.MEMORY, PlaceKind.HISTORY}
    assert {each.kind for each in receipt.left} == {PlaceKind.CONVERSATIONS}
    assert {each.reason for each in receipt.left} == {BY_CHOICE}
    assert "quokka" not in paths.memory_file.read_text("utf-8") + paths.history_file.read_text("utf-8")
    assert "- Known before" in paths.memory_file.read_text("utf-8")
    assert published_texts(opened)[-1] == paths.memory_file.read_text("utf-8")
    assert MessagesReplaced(KEY, ()) in opened.seen(MessagesReplaced)
    assert await opened.bench.forgetting.receipts() == [receipt]
    await opened.close()


async def test_everything_takes_the_words_from_the_conversation_and_the_search(tmp_path: Path) -> None:
    opened, _ = await opened_at(tmp_path)
    search = opened.bench.search
    assert await search.find("quokka")
    receipt = await forget(opened, everything=True)
    assert receipt.is_clean
    assert "quokka" not in str(list((await opened.session()).messages))
    assert await search.find("quokka") == []
    assert await search.find("m11")
    await opened.close()


async def test_a_line_left_there_that_says_the_same_in_other_words_waits_for_the_person(tmp_path: Path) -> None:
    opened, paths = await opened_at(tmp_path)
    other = "- Grünzweig is the quokka he keeps"
    paths.memory_file.write_text(f"# Facts\n\n- Known before\n{LINE}\n{other}\n", encoding="utf-8")
    await opened.bench.rescan_files()
    plan = await opened.bench.forgetting.plan([LINE])
    assert [each.text for each in plan.related] == [other.removeprefix("- ")]
    receipt = await opened.bench.forgetting.carry_out(plan.text, plan.by_default, plan.without(plan.by_default))
    (waiting,) = opened.bench.memory.ledger.suggestions()
    assert waiting.reasons == (f"You chose to forget this: “{other}”.", STAYED)
    assert waiting.proposed == "# Facts\n\n- Known before\n"
    assert SuggestionsChanged(1) in opened.events
    await opened.bench.forgetting.undo(receipt.id)
    assert (await opened.bench.memory.editing.bring_up_to_date()).dropped == 1
    await opened.close()


async def test_a_note_that_is_left_as_it_is_is_asked_about_at_once_and_the_receipt_names_the_question(
    tmp_path: Path,
) -> None:
    opened, paths = await opened_at(tmp_path)
    bench, note = opened.bench, paths.memory_dir / "2026-11-20.md"
    note.write_text(f"# 2026-11-20\n\n{LINE}\n", encoding="utf-8")
    plan = await bench.forgetting.plan([LINE])
    chosen = [each for each in plan.everything if each.kind is not PlaceKind.NOTES]
    receipt = await bench.forgetting.carry_out(plan.text, chosen, plan.without(chosen))
    [asked] = bench.memory.ledger.suggestions()
    assert (asked.path, asked.reasons[1:]) == ("memory/2026-11-20.md", (STAYED,))
    question = f".mnemoscope/suggestions/{asked.id}.json"
    assert {each.path: each.reason for each in receipt.left} == {asked.path: BY_CHOICE, question: ASKS_ABOUT_LEFT}
    await bench.rescan_files()
    assert bench.memory.ledger.suggestions() == [asked]
    await opened.close()


async def test_what_a_second_forgetting_leaves_in_the_same_text_is_asked_about_too(tmp_path: Path) -> None:
    opened, paths = await opened_at(tmp_path)
    others = "- Grünzweig is the quokka he keeps", "- The alarm has the code 7730"
    paths.memory_file.write_text("# Facts\n\n" + "\n".join(others) + "\n", encoding="utf-8")
    session = await opened.session()
    session.add_message("user", "Code 7730 is of the alarm")
    await opened.bench.disk.run(opened.bench.sessions.save, session)
    await opened.bench.rescan_files()
    for said in (SECRET, "Code 7730 is of the alarm"):
        plan = await opened.bench.forgetting.plan([said])
        await opened.bench.forgetting.carry_out(plan.text, plan.everything, plan.without(plan.everything))
    waiting = opened.bench.memory.ledger.suggestions()
    assert sorted(each.reasons[0] for each in waiting) == [f"You chose to forget this: “{each}”." for each in others]
    await opened.close()


async def test_what_was_forgotten_comes_back_while_the_program_holds_it(tmp_path: Path) -> None:
    opened, paths = await opened_at(tmp_path)
    before = paths.memory_file.read_bytes()
    receipt = await forget(opened, everything=True)
    forgetting = opened.bench.forgetting
    assert forgetting.can_undo(receipt.id)
    assert await forgetting.undo(receipt.id) == []
    assert paths.memory_file.read_bytes() == before
    assert (await opened.session()).messages[-1]["content"] == SECRET
    assert published_texts(opened)[-1] == before.decode()
    assert await opened.bench.search.find("quokka")
    assert not forgetting.can_undo(receipt.id)
    assert (await forgetting.receipts())[0].undone
    await opened.close()


async def test_a_way_back_that_the_disk_refuses_is_told_and_can_be_tried_again(
    tmp_path: Path,
) -> None:
    calls = FailingAt()
    opened, paths = await opened_at(tmp_path, calls)
    before = paths.memory_file.read_text("utf-8")
    receipt = await forget(opened, everything=True)
    receipts = paths.own.forgetting_receipts_dir
    calls.at = lambda path: path.parent == receipts and SECRET in paths.memory_file.read_text("utf-8")
    with pytest.raises(StorageError, match="disk is full"):
        await opened.bench.forgetting.undo(receipt.id)
    calls.heal()
    assert published_texts(opened)[-1] == before
    assert opened.bench.memory.files.is_forgotten(LINE)
    assert opened.bench.forgetting.can_undo(receipt.id)
    assert (await opened.bench.forgetting.receipts())[0].taking_back
    assert await opened.bench.forgetting.undo(receipt.id) == []
    assert not opened.bench.memory.files.is_forgotten(LINE)
    assert (await opened.bench.forgetting.receipts())[0].undone
    await opened.close()


async def test_nothing_is_forgotten_while_something_is_at_work(tmp_path: Path) -> None:
    opened, paths = await opened_at(tmp_path)
    before = paths.memory_file.read_bytes()
    with opened.bench.loop.kept_idle([KEY]), pytest.raises(StorageError, match="still at work"):
        await forget(opened)
    assert paths.memory_file.read_bytes() == before
    assert await opened.bench.forgetting.receipts() == []
    await forget(opened)
    assert b"quokka" not in paths.memory_file.read_bytes()
    await opened.close()


async def test_the_prompts_of_a_conversation_are_found_by_its_title(tmp_path: Path) -> None:
    opened, paths = await opened_at(tmp_path)
    session = await opened.session()
    PromptLog(paths.own.prompts_dir).append(
        log_name(session.key, session.branch.began), {"when": "2026-11-20"}, {"a": SECRET}
    )
    plan = await opened.bench.forgetting.plan([LINE])
    titles = {each.kind: each.title for each in plan.places}
    assert titles[PlaceKind.PROMPTS] == titles[PlaceKind.CONVERSATIONS] != ""
    await opened.close()


async def test_a_conversation_has_its_title_as_soon_as_its_place_is_found(tmp_path: Path) -> None:
    opened, _ = await opened_at(tmp_path)
    found: list[FoundPlace] = []
    plan = await opened.bench.forgetting.plan([LINE], found.append)
    kind = PlaceKind.CONVERSATIONS
    at_once = {each.path: each.title for each in found if each.kind is kind}
    assert at_once == {each.path: each.title for each in plan.places if each.kind is kind}
    assert all(at_once.values())
    await opened.close()


async def test_everything_takes_the_words_from_a_temporary_conversation_and_its_branches(tmp_path: Path) -> None:
    opened, _ = await opened_at(tmp_path)
    temporary = opened.bench.sessions.temporary
    session = temporary.create()
    session.metadata["title"] = SECRET
    for words in ("Hello", SECRET, "Bye"):
        session.add_message("user", words)
    opened.bench.sessions.append(session)
    opened.bench.sessions.fork(session, 2)
    session.add_message("user", f"Again: {SECRET}")
    opened.bench.sessions.append(session)
    plan = await opened.bench.forgetting.plan([LINE])
    [place] = [each for each in plan.places if each.kind is PlaceKind.TEMPORARY]
    assert place.path == ""
    assert "quokka" in str(place.excerpts)
    kept = await forget(opened)
    assert "quokka" in str(list(session.messages)), "the conversation is kept unless the person says otherwise"
    receipt = await forget(opened, everything=True)
    branches = temporary.with_branches()
    assert len(branches) == 2
    assert "quokka" not in str([(each.metadata, list(messages)) for each, messages in branches])
    assert [each["content"] for each in session.messages] == ["Hello", "", ""]
    assert MessagesReplaced(session.key, ()) in opened.seen(MessagesReplaced)
    # Nothing of a temporary conversation is written, not in a receipt either.
    named = {each.kind for made in (kept, receipt) for places in (made.taken, made.left) for each in places}
    assert PlaceKind.TEMPORARY not in named
    assert session.key.encode() not in all_bytes(tmp_path)
    await opened.bench.forgetting.undo(receipt.id)
    assert [each["content"] for each in session.messages] == ["Hello", SECRET, f"Again: {SECRET}"]
    assert session.title == SECRET
    assert [each["content"] for each in branches[1][1]] == ["Hello", SECRET, "Bye"]
    await opened.close()


async def test_words_that_only_a_temporary_conversation_has_go_when_it_is_chosen(tmp_path: Path) -> None:
    opened, _ = await opened_at(tmp_path)
    session = opened.bench.sessions.temporary.create()
    session.add_message("user", "The wombat is called Periwinkle")
    opened.bench.sessions.append(session)
    plan = await opened.bench.forgetting.plan(["The wombat is called Periwinkle"])
    assert [each.kind for each in plan.places] == [PlaceKind.TEMPORARY]
    assert plan.by_default == ()
    receipt = await opened.bench.forgetting.carry_out(plan.text, plan.everything, ())
    assert receipt.is_clean
    assert "wombat" not in str(list(session.messages))
    await opened.close()


async def test_a_deleted_message_of_a_temporary_conversation_does_not_bring_the_words_back(tmp_path: Path) -> None:
    opened, _ = await opened_at(tmp_path)
    sessions = opened.bench.sessions
    session = sessions.temporary.create()
    for words in ("The wombat is called Periwinkle", "Bye"):
        session.add_message("user", words)
    sessions.append(session)
    said = list(session.messages)
    deletion = sessions.delete_messages([ChosenMessages(session, (0, 1), tuple(said))])
    plan = await opened.bench.forgetting.plan(["The wombat is called Periwinkle"])
    assert [each.kind for each in plan.places] == [PlaceKind.TEMPORARY]
    receipt = await opened.bench.forgetting.carry_out(plan.text, plan.everything, ())
    sessions.restore_messages(deletion.id)
    assert [each["content"] for each in session.messages] == ["", "Bye"]
    await opened.bench.forgetting.undo(receipt.id)
    await opened.close()


async def test_what_a_forgetting_writes_is_not_told_as_the_change_of_another_program(tmp_path: Path) -> None:
    opened, paths = await opened_at(tmp_path)
    bench, gate = opened.bench, threading.Event()
    await bench.external_changes.rescan()
    plan = await bench.forgetting.plan([LINE])
    # Nobody is told before the commits are read anew, and their thread has something else to do.
    held = asyncio.ensure_future(bench.commits.on_thread(gate.wait))
    work = asyncio.create_task(bench.forgetting.carry_out(plan.text, plan.by_default, plan.without(plan.by_default)))
    try:
        while LINE in await asyncio.to_thread(paths.memory_file.read_text, "utf-8") or bench.loop.is_busy(KEY):
            await bench.external_changes.rescan()
        await bench.external_changes.rescan()
        assert not opened.seen(MemoryChanged)
    finally:
        gate.set()
    await held
    await work
    assert [each.origin for each in opened.events if isinstance(each, MemoryChanged)] == ["forgotten"]
    await opened.close()


@pytest.mark.parametrize("is_as_before", [False, True], ids=["text of its own", "text as it was before"])
async def test_a_commit_says_that_forgotten_words_were_taken_out_and_not_that_another_program_wrote(
    tmp_path: Path, is_as_before: bool
) -> None:
    opened, paths = await opened_at(tmp_path)
    editing, run = opened.bench.memory.editing, opened.bench.disk.run
    if is_as_before:
        paths.memory_file.write_text("# Facts\n\n- Known before\n", encoding="utf-8")
    text = (await run(editing.read_text)).text
    added = f"{LINE}\n" if is_as_before else "- Later\n"
    await editing.save_text(f"{text}{added}", (await run(editing.read_text)).digest)
    await opened.bench.commits.kept()
    await forget(opened)
    await opened.bench.commits.kept()
    [newest, *_] = await opened.bench.commits.page(MEMORY_PATH)
    assert (newest.author, newest.subject) == ("You", f"{MEMORY_PATH}: Forgotten words taken out")
    await opened.close()
