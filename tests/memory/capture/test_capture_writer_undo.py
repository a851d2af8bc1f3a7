"""What was captured is taken out of both files again, and what was refused is kept after all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mnemoscope.domain.capture.file_changes import SECTION
from mnemoscope.domain.capture.record import DUPLICATE, KEPT, REFUSED, TOMBSTONE, UNDONE
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import Captured
from mnemoscope.memory.search.origins import Origins
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.capture_bench import BEGAN, KEY, MEMORY, SAID, Kept, kept

__all__ = ["kept"]


@pytest.mark.parametrize("words", ["I prefer tea", "I really do prefer tea", "Please remember that I prefer tea"])
async def test_what_the_person_deleted_is_not_captured_again(kept: Kept, words: str) -> None:
    await kept.say("I prefer tea", 0)
    await kept.store.editing.save_text(MEMORY, kept.store.editing.read_text().digest)
    (record,) = (await kept.say(words, 2)).records
    assert (record.outcome, record.reason) == (REFUSED, TOMBSTONE)
    assert "tea" not in kept.memory
    assert len(kept.state) == 1


async def test_what_was_undone_is_gone_from_both_files_and_what_it_replaced_stands_again(kept: Kept) -> None:
    outcome = await kept.say(SAID, 4)
    for record in outcome.records:
        (after,) = (await kept.store.captures.undo(record.id)).records
        assert after.outcome == UNDONE
    assert kept.memory == MEMORY
    assert kept.state == []
    assert {each.reason for each in (await kept.say(SAID, 6)).records} == {TOMBSTONE}
    with pytest.raises(StorageError, match="not kept any more"):
        await kept.store.captures.undo(outcome.records[0].id)


async def test_a_change_undone_as_such_takes_its_captures_out_of_the_state_too(kept: Kept) -> None:
    before = (await kept.say("I prefer coffee.", 2)).records
    await kept.say(SAID, 4)
    (first, change) = kept.store.editing.changes()
    await kept.store.editing.undo_change(change.id)
    assert kept.state == ["**preference**: I prefer coffee"]
    captures = await kept.store.captures.of_conversation(KEY, Branch(BEGAN))
    assert {index: [each.outcome for each in found] for index, found in captures.items()} == {
        2: [KEPT],
        4: [UNDONE, UNDONE],
    }
    assert [event for event in kept.events if isinstance(event, Captured)][-1].index == 4
    for record in captures[4]:
        await kept.store.captures.keep(record.id)
    assert kept.state[1:] == ["**preference**: I prefer tea", "**correction**: the server is in Berlin"]
    await kept.store.editing.undo_change(first.id)
    assert (await kept.store.captures.of_conversation(KEY, Branch(BEGAN)))[2] == [replace(before[0], outcome=UNDONE)]


async def test_what_was_undone_can_be_kept_again(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    before = kept.memory
    await kept.store.captures.undo(record.id)
    (after,) = (await kept.store.captures.keep(record.id)).records
    assert (after.outcome, after.memory_line) == (KEPT, "- **preference**: I prefer tea")
    assert kept.memory == before
    assert kept.state == ["**preference**: I prefer tea"]
    assert [change.origin.kind for change in kept.store.editing.changes()] == ["capture", "undo", "kept"]


@pytest.mark.parametrize("text", ["Do I prefer tea?", "Suppose I prefer tea."])
async def test_what_was_refused_can_be_kept_after_all(kept: Kept, text: str) -> None:
    (record,) = (await kept.say(text)).records
    assert record.outcome == REFUSED
    await kept.store.captures.keep(record.id)
    assert kept.memory.endswith(f"{SECTION}\n\n- **preference**: I prefer tea\n")
    (again,) = (await kept.say("I prefer tea", 2)).records
    assert again.reason.startswith(DUPLICATE)


async def test_a_secret_a_duplicate_and_what_is_too_long_ago_are_not_kept_after_all(kept: Kept) -> None:
    (record,) = (await kept.say("Remember my key is sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAA")).records
    with pytest.raises(StorageError, match="a key stands in it"):
        await kept.store.captures.keep(record.id)
    with pytest.raises(StorageError, match="too long ago"):
        await kept.store.captures.keep("nothing")


async def test_a_line_that_reads_otherwise_by_now_is_left_and_that_is_said(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    kept.memory_file.write_text(kept.memory.replace("I prefer tea", "Prefers tea, black"), encoding="utf-8")
    kept.store.editing.read_text()
    await kept.store.editing.save_text(kept.memory.replace("black", "green"), kept.store.editing.read_text().digest)
    marks = kept.store.files.memory.changes.deleted()
    assert marks, "the person reworded it: the old words are theirs to keep away"
    await kept.store.captures.undo(record.id)
    assert "Prefers tea, green" in kept.memory


async def test_a_line_a_model_reworded_is_not_undone_here(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    text = kept.memory.replace("- **preference**: I prefer tea", "- Prefers tea")
    store = kept.store
    memory = store.files.memory
    from mnemoscope.domain.memory.change import MemoryOrigin

    memory.save_with_base(text, store.editing.read_text().digest, kept.memory, MemoryOrigin("consolidation", "now"))
    with pytest.raises(StorageError, match="in other words"):
        await store.captures.undo(record.id)
    assert "Prefers tea" in kept.memory
    assert len(kept.state) == 1


async def test_what_a_crash_kept_from_being_noted_is_known_as_kept_and_can_be_undone(kept: Kept) -> None:
    await kept.say("I prefer tea", 4)
    (kept.root / ".mnemoscope/captures.jsonl").unlink()
    again = Kept(kept.root)
    (record,) = (await again.say("I prefer tea", 4)).records
    assert (record.outcome, record.reason) == (KEPT, "")
    assert await again.store.captures.of_conversation(KEY, Branch(BEGAN)) == {4: [record]}
    await again.store.captures.undo(record.id)
    assert (again.memory, again.state) == (MEMORY, [])


@pytest.mark.parametrize("by", ["editor", "outside"])
async def test_a_line_that_somebody_else_wrote_is_known_and_stays_theirs(kept: Kept, by: str) -> None:
    line = "- **preference**: I prefer tea"
    text = f"{MEMORY}{line}\n"
    if by == "editor":
        await kept.store.editing.save_text(text, kept.store.editing.read_text().digest)
    else:
        kept.store.write_long_term(MEMORY)
        kept.store.memory_file.write_text(text)
    (record,) = (await kept.say("I prefer tea", 4)).records
    assert (record.memory_line, record.change_id) == ("", "")
    assert (record.known_line, record.known_by) == (str(text.split("\n").index(line) + 1), by)
    assert kept.state == ["**preference**: I prefer tea"]
    origins = Origins(WorkspacePaths(kept.store.memory_dir.parent))
    assert origins.behind(SearchHit("memory/MEMORY.md", SearchKind.MEMORY, 1, line, 1.0)) is None
    assert (record.is_known, record.twin, record.may_be_undone) == (True, line, False)
    (after,) = (await kept.store.captures.undo(record.id)).records
    assert kept.memory == text
    assert kept.state == []
    assert (after.outcome, after.is_known, after.known_line, after.known_by) == (UNDONE, True, record.known_line, by)
    assert not after.may_be_kept


async def test_a_line_of_somebody_else_stays_theirs_beside_what_is_new(kept: Kept) -> None:
    line = "- **preference**: I prefer tea"
    await kept.store.editing.save_text(f"{MEMORY}{line}\n", kept.store.editing.read_text().digest)
    known, new = (await kept.say("I prefer tea. My name is Ann.", 4)).records
    assert (known.is_known, known.known_by, known.memory_line, known.may_be_undone) == (True, "editor", "", False)
    assert (new.is_known, new.memory_line, new.may_be_undone) == (False, "- **proper_noun**: My name is Ann", True)
    await kept.store.captures.undo(new.id)
    assert kept.memory == f"{MEMORY}{line}\n"


async def test_what_no_line_said_before_is_not_called_known(kept: Kept) -> None:
    kept.store.write_long_term("# Memory\n\n- Works at Acme\n")
    for words in ("I prefer tea", "Remember that the shed is locked", "No, the market is in Leeds, not York"):
        (record,) = (await kept.say(words, 4 + len(words))).records
        assert (record.outcome, record.known_line, record.known_by) == (KEPT, "", ""), words


async def test_a_line_that_an_earlier_version_claimed_is_left_where_it_stands(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    before = kept.memory
    kept.store.captures.writer._log.add([replace(record, change_id="")])
    (after,) = (await kept.store.captures.undo(record.id)).records
    assert kept.memory == before
    assert kept.state == []
    assert (after.is_known, after.twin) == (True, record.memory_line)
    assert before.split("\n")[int(after.known_line) - 1] == record.memory_line


async def test_what_memory_says_in_another_line_is_not_called_taken_back(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    base = kept.store.editing.read_text()
    await kept.store.editing.save_text(
        f"{base.text}\n## Mine\n\n- Prefers nothing\n- I really prefer tea\n", base.digest
    )
    (after,) = (await kept.store.captures.undo(record.id)).records
    assert record.memory_line not in kept.memory
    assert (after.is_known, after.twin, after.known_by) == (True, "- I really prefer tea", "editor")
    (again,) = (await kept.say("I prefer coffee", 6)).records
    (gone,) = (await kept.store.captures.undo(again.id)).records
    assert (gone.outcome, gone.is_known, gone.may_be_kept) == (UNDONE, False, True)


@pytest.mark.parametrize(
    "said",
    [
        "My sister lives in Leeds. Remember this.",
        "Роутер стоит в подвале. Запомни это.",
        "Vay-fay qutisi yerto'lada turadi. Buni eslab qol.",
        "Вай-фай қутиси ертўлада туради. Буни эслаб қол.",
        "路由器在地下室。请别忘了这一点！",
    ],
)
async def test_the_same_wish_again_is_known_and_no_second_line(kept: Kept, said: str) -> None:
    (first,) = (await kept.say(said, 4)).records
    before = kept.memory
    (again,) = (await kept.say(said, 6)).records
    assert kept.memory == before
    assert (again.outcome, again.is_known, again.twin) == (REFUSED, True, first.memory_line)
    assert (again.known_by, again.may_be_undone, again.may_be_kept) == ("capture", False, False)


async def test_what_one_message_says_twice_is_not_called_known(kept: Kept) -> None:
    first, second = (await kept.say("I prefer tea. I prefer tea.")).records
    assert (first.is_known, first.may_be_undone) == (False, True)
    assert (second.outcome, second.is_known) == (REFUSED, False)


@pytest.mark.parametrize("by", ["undo", "change"])
async def test_what_is_brought_back_is_kept_again(kept: Kept, by: str) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    (change,) = kept.store.editing.changes()
    before = kept.memory
    if by == "undo":
        await kept.store.captures.undo(record.id)
    else:
        await kept.store.editing.undo_change(change.id)
    assert await noted(kept, 4) == [UNDONE]
    await kept.store.editing.undo_change(kept.store.editing.changes()[-1].id)
    assert kept.memory == before
    assert kept.state == ["**preference**: I prefer tea"]
    assert await noted(kept, 4) == [KEPT]
    assert kept.events[-1] == Captured(KEY, 4, (record,))
    await kept.store.editing.undo_change(kept.store.editing.changes()[-1].id)
    assert (await noted(kept, 4), kept.state) == ([UNDONE], [])


async def noted(kept: Kept, index: int) -> list[str]:
    """Returns what became of each capture of a message."""
    return [each.outcome for each in (await kept.store.captures.of_conversation(KEY, Branch(BEGAN)))[index]]


async def test_what_is_brought_back_after_new_begins_no_state_for_a_conversation_that_has_none(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    await kept.store.captures.undo(record.id)
    (kept.root / "SESSION-STATE.md").unlink()
    await kept.store.editing.undo_change(kept.store.editing.changes()[-1].id)
    assert await noted(kept, 4) == [KEPT]
    assert not (kept.root / "SESSION-STATE.md").exists()


async def test_what_was_deleted_and_stands_there_again_is_known_and_not_called_deleted(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    await kept.store.captures.undo(record.id)
    text = f"{kept.memory}- I prefer tea\n"
    await kept.store.editing.save_text(text, kept.store.editing.read_text().digest)
    (again,) = (await kept.say("I prefer tea", 6)).records
    assert (again.is_known, again.known_by, again.twin) == (True, "editor", "- I prefer tea")
    assert kept.memory == text
    (later,) = (await kept.say("I prefer coffee", 8)).records
    assert (later.outcome, later.is_known) == (KEPT, False)


async def test_a_line_written_by_hand_after_an_undo_is_not_claimed_by_remembering_after_all(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    await kept.store.captures.undo(record.id)
    text = f"{kept.memory}{record.memory_line}\n"
    kept.memory_file.write_text(text, encoding="utf-8")
    kept.store.editing.read_text()
    (after,) = (await kept.store.captures.keep(record.id)).records
    assert (after.outcome, after.is_known, after.known_by, after.may_be_undone) == (KEPT, True, "outside", False)
    await kept.store.captures.undo(record.id)
    assert kept.memory == text


async def test_undo_takes_its_own_line_and_not_the_same_words_elsewhere(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    mine = MEMORY.replace("- mine\n", f"- mine\n{record.memory_line}\n")
    await kept.store.editing.save_text(kept.memory.replace(MEMORY, mine), kept.store.editing.read_text().digest)
    (after,) = (await kept.store.captures.undo(record.id)).records
    assert kept.memory == mine
    assert (after.outcome, after.is_known, after.known_by) == (UNDONE, True, "")
    origins = Origins(WorkspacePaths(kept.root))
    hit = SearchHit("memory/MEMORY.md", SearchKind.MEMORY, 8, record.memory_line, 1.0)
    assert (origins.behind(hit), origins.author(hit)) == (None, "")


@pytest.mark.parametrize("name", ["USER.md", "SOUL.md", "memory/notes.md", "MEMORY.md"])
async def test_the_same_words_in_another_file_are_not_of_the_message(kept: Kept, name: str) -> None:
    (record,) = (await kept.say("I prefer tea", 4)).records
    (kept.root / name).write_text(f"# Mine\n\n{record.memory_line}\n", encoding="utf-8")
    origins = Origins(WorkspacePaths(kept.root))
    other = SearchHit(name, SearchKind.MEMORY, 3, record.memory_line, 1.0)
    assert (origins.behind(other), origins.author(other)) == (None, "")
    own = SearchHit("memory/MEMORY.md", SearchKind.MEMORY, 11, record.memory_line, 1.0)
    found = origins.behind(own)
    assert found is not None
    assert (found.start, found.began, origins.author(own)) == (4, BEGAN, "capture")


async def test_why_a_line_cannot_be_taken_back_is_said_as_it_is(kept: Kept) -> None:
    (first,) = (await kept.say("My name is Boris", 4)).records
    (newer,) = (await kept.say("My name is Ivan", 6)).records
    with pytest.raises(StorageError, match=r"A newer line of MEMORY\.md took the place of this one"):
        await kept.store.captures.undo(first.id)
    await kept.store.captures.undo(newer.id)
    await kept.store.captures.undo(first.id)
    assert kept.memory == MEMORY
    (record,) = (await kept.say("I prefer tea", 8)).records
    kept.memory_file.unlink()
    with pytest.raises(StorageError, match=r"MEMORY\.md is missing"):
        await kept.store.captures.undo(record.id)
