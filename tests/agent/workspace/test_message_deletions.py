"""Messages are deleted and come back in an open workspace: nothing of them is sent, found, learnt from or counted."""

from __future__ import annotations

import asyncio
import errno
import os
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.workspace.abandoned_memory import AbandonedMemory
from mnemoscope.agent.workspace.message_deletions import MessagesToDelete
from mnemoscope.domain.conversation.message import is_deleted, text_of
from mnemoscope.domain.conversation.token_estimate import estimate_message
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import MessagesReplaced
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.proof.beginnings import KEPT, conversation
from tests.proof.opened import KEY, Opened
from tests.support.closing import closed


def seen(session: Session, *indices: int) -> list[MessagesToDelete]:
    return [MessagesToDelete(session, indices, tuple(session.messages[index] for index in indices))]


def files_of(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


async def opened_at(root: Path, **how: Any) -> Opened:
    await asyncio.to_thread(conversation, root)
    return Opened(root, **how)


async def test_what_is_deleted_is_not_sent_nor_told_to_memory_nor_counted(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path, window=100)
    session = await opened.session()
    deletion = await opened.bench.deletions.delete(seen(session, 10, 11))
    assert opened.seen(MessagesReplaced) == [MessagesReplaced(KEY, (10, 11))]
    assert all(map(is_deleted, session.messages[10:]))
    assert [estimate_message(each) for each in session.messages[10:]] == [0, 0]
    sent = [each["content"] for each in session.get_history()]
    assert sent == [f"m{number}" for number in range(10)]
    assert await opened.bench.loop.process(KEY, "m20")
    await opened.bench.deletions.restore(deletion.id)
    assert [each["content"] for each in session.messages[9:13]] == ["m9", "m10", "m11", "m20"]
    assert len(opened.seen(MessagesReplaced)) == 2
    await opened.close()


async def test_what_is_deleted_is_not_found_until_it_is_back(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path, window=100)
    session = await opened.session()
    session.add_message("user", "A quokka came to the kiln. m12")
    await opened.bench.disk.run(opened.bench.sessions.save, session)
    search = opened.bench.search
    assert len(await search.find("quokka")) == 1
    deletion = await opened.bench.deletions.delete(seen(session, 12))
    assert await search.find("quokka") == []
    assert len(await search.find("m11")) >= 1
    await opened.bench.deletions.restore(deletion.id)
    assert len(await search.find("quokka")) == 1
    await opened.close()


async def test_a_consolidation_tells_of_no_deleted_message(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path, window=8)
    session = await opened.session()
    await opened.bench.deletions.delete(seen(session, 2, 3))
    assert await opened.bench.loop.consolidate_now(KEY)
    history_text = (tmp_path / "memory/HISTORY.md").read_text()
    assert "m1 m4" in history_text
    assert session.last_consolidated == 8
    await opened.close()


async def test_a_conversation_that_is_at_work_keeps_its_messages(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path, window=8)
    session, loop = await opened.session(), opened.bench.loop
    wanted = seen(session, 1)
    refused: list[str] = []

    async def meanwhile() -> None:
        with pytest.raises(StorageError) as caught:
            await opened.bench.deletions.delete(wanted)
        refused.append(caught.value.sentence)

    opened.model._meanwhile = meanwhile
    assert await loop.consolidate_now(KEY)
    with loop.kept_idle([KEY]):
        assert not await loop.process(KEY, "m20")
        assert not await closed(loop, KEY)
        await meanwhile()
    assert refused == [
        "Memory is being updated from this conversation.",
        "The assistant is still at work in this conversation.",
    ]
    assert not is_deleted(session.messages[1])
    deletion = await opened.bench.deletions.delete(wanted)
    assert deletion.messages == {KEY: (1,)}
    await loop.drain()
    with pytest.raises(StorageError):
        await opened.bench.deletions.restore(deletion.id)
    await opened.close()


async def taken_from(opened: Opened, *indices: int) -> AbandonedMemory:
    return await opened.bench.abandoned.of_messages(await opened.session(), indices)


async def test_a_line_that_a_message_that_stays_says_too_is_not_taken_back(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path, window=100)
    loop = opened.bench.loop
    await loop.process(KEY, f"{KEPT}. I live in Graz. m12")
    await loop.process(KEY, "I live in Graz. m14")
    taken = await taken_from(opened, 12, 13)
    assert [KEPT in line for line in taken.lines] == [True]
    out = await opened.bench.abandoned.remove(taken)
    text = (tmp_path / "memory/MEMORY.md").read_text()
    assert (KEPT in text, "I live in Graz" in text) == (False, True)
    await opened.bench.abandoned.undo_removal(out)
    # Once that message is deleted, nobody says it any more.
    await opened.bench.deletions.delete(seen(await opened.session(), 14))
    assert len((await taken_from(opened, 12, 13)).lines) == 2
    await opened.close()


async def test_what_memory_took_from_a_message_is_told_and_taken_back(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path, window=100)
    session, memory = await opened.session(), tmp_path / "memory/MEMORY.md"
    before = memory.read_text()
    await opened.bench.loop.process(KEY, f"{KEPT}. m12")
    learnt = memory.read_text()
    assert not (await taken_from(opened, 11, 13)).is_any
    taken = await taken_from(opened, 12)
    assert ([KEPT in line for line in taken.lines], taken.entries, taken.files[0].single_lines) == ([True], 0, ())
    await opened.bench.deletions.delete(seen(session, 12))
    out = await opened.bench.abandoned.remove(taken)
    assert KEPT not in memory.read_text()
    assert before.strip() in memory.read_text()
    await opened.bench.abandoned.undo_removal(out)
    assert memory.read_text() == learnt
    await opened.close()


async def test_of_a_consolidation_of_several_only_the_line_that_rests_on_the_message_goes(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path, window=8)
    session, memory = await opened.session(), tmp_path / "memory/MEMORY.md"
    # Messages 1 to 8 become an entry and the line "Learnt m0".
    assert await opened.bench.loop.consolidate_now(KEY)
    learnt = memory.read_text()
    other = await taken_from(opened, 3)
    assert (other.entries, other.shared_entries, other.lines) == (0, 1, ())
    taken = await taken_from(opened, 0)
    assert (taken.shared_entries, [line.strip("- ") for line in taken.lines]) == (1, ["Learnt m0"])
    assert taken.files[0].single_lines == taken.lines
    assert not taken.files[0].change_ids
    out = await opened.bench.abandoned.remove(taken)
    assert memory.read_text() == learnt.replace("- Learnt m0\n", "")
    await opened.bench.abandoned.undo_removal(out)
    assert memory.read_text() == learnt
    # All eight of them: the whole change is theirs, also where one of them was deleted before.
    await opened.bench.deletions.delete(seen(session, 5))
    whole = await taken_from(opened, 0, 1, 2, 3, 4, 6, 7)
    assert (len(whole.cuts), whole.files[0].single_lines, len(whole.files[0].change_ids)) == (1, (), 1)
    await opened.close()


async def hold(opened: Opened, *lines: str) -> None:
    """Has lines wait for review as if the newest consolidation had proposed them."""
    memory, record = opened.bench.memory, opened.bench.memory.ledger.records(KEY)[-1]
    text = memory.editing.read_text().text
    origin = MemoryOrigin("consolidation", record.when, KEY, record.start, record.stop, record.transaction_id)
    proposed = text + "".join(f"- {line}\n" for line in lines)
    memory.files.memory.suggest(text, proposed, ("A tool said it.",), origin, known_as=record.transaction_id)


def waiting(opened: Opened) -> list[str]:
    """Returns the passages that wait for review."""
    return [each.theirs for one in opened.bench.memory.ledger.suggestions() for each in one.conflicts]


async def test_of_a_proposal_of_several_messages_only_the_lines_that_rest_on_the_message_are_offered(
    tmp_path: Path,
) -> None:
    opened = await opened_at(tmp_path, window=8)
    assert await opened.bench.loop.consolidate_now(KEY)
    await hold(opened, "Heard m0", "Heard m3")
    other = await taken_from(opened, 5)
    assert (other.withdrawn, len(other.shared_suggestions)) == ((), 1)
    taken = await taken_from(opened, 0)
    assert [each.theirs for part in taken.suggestion_parts for each in part.conflicts] == ["- Heard m0"]
    assert (taken.suggestions, taken.shared_suggestions) == ((), ())
    out = await opened.bench.abandoned.remove(taken)
    assert waiting(opened) == ["- Heard m3"]
    await opened.bench.abandoned.undo_removal(out)
    assert sorted(waiting(opened)) == ["- Heard m0", "- Heard m3"]
    # It waits by itself by now, and is found as one of that consolidation still.
    assert [each.theirs for one in (await taken_from(opened, 0)).suggestions for each in one.conflicts] == [
        "- Heard m0"
    ]
    both = await taken_from(opened, 0, 3)
    assert len(both.suggestions) == 2
    await opened.close()


async def test_what_waits_since_its_words_were_forgotten_once_is_withdrawn_with_the_message_that_said_them(
    tmp_path: Path,
) -> None:
    opened = await opened_at(tmp_path, window=100, versions=True)
    await opened.bench.loop.process(KEY, f"{KEPT}. m12")
    forgetting = opened.bench.forgetting
    plan = await forgetting.plan([f"- **preference**: {KEPT}"])
    await forgetting.carry_out(plan.text, plan.by_default, plan.without(plan.by_default))
    await opened.bench.loop.process(KEY, f"{KEPT}. m14")
    assert [KEPT in each for each in waiting(opened)] == [True]
    assert (await taken_from(opened, 13)).withdrawn == ()
    assert len((await taken_from(opened, 14)).suggestions) == 1
    await opened.close()


async def test_a_proposal_that_tells_of_messages_that_stay_is_withdrawn_where_that_is_chosen(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path, window=8)
    assert await opened.bench.loop.consolidate_now(KEY)
    await hold(opened, "Heard of it")
    taken = await taken_from(opened, 5)
    assert (taken.can_be_removed, taken.is_any, len(taken.shared_suggestions)) == (False, True, 1)
    out = await opened.bench.abandoned.remove(taken.with_shared_suggestions())
    assert waiting(opened) == []
    await opened.bench.abandoned.undo_removal(out)
    assert waiting(opened) == ["- Heard of it"]
    await opened.close()


class Dying(FileCalls):
    """While `dead`, the disk takes nothing any more once a session file was to be replaced."""

    def __init__(self) -> None:
        self.dead, self._died = True, False

    def exchange(self, one: str, other: str) -> bool:
        self._died = True
        return super().exchange(one, other)

    def fsync(self, descriptor: int) -> None:
        if self.dead and self._died:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().fsync(descriptor)


async def test_a_deletion_that_a_refusing_disk_left_is_done_at_the_next_try(tmp_path: Path) -> None:
    calls = Dying()
    opened = await opened_at(tmp_path, calls=calls)
    session = await opened.session()
    wanted = seen(session, 1)
    with pytest.raises(StorageError, match="finished when the workspace is opened"):
        await opened.bench.deletions.delete(wanted)
    calls.dead = False
    deletion = await opened.bench.deletions.delete(wanted)
    assert deletion.messages == {KEY: (1,)}
    assert is_deleted(session.messages[1])
    assert len(list(WorkspacePaths(tmp_path).own.message_trash_dir.iterdir())) == 1
    await opened.bench.deletions.restore(deletion.id)
    assert session.messages[1] == wanted[0].messages[0]
    await opened.close()


async def test_what_is_not_in_the_trash_is_said(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    with pytest.raises(StorageError, match="not in the trash"):
        await opened.bench.deletions.restore("nothing")
    await opened.close()


async def test_a_message_of_a_temporary_conversation_is_deleted_and_brought_back_with_nothing_on_the_disk(
    tmp_path: Path,
) -> None:
    opened = await opened_at(tmp_path, window=100)
    temporary = await opened.bench.discretion.begin_temporary()
    opened.is_silent = True
    assert await opened.bench.loop.process(temporary.key, f"{KEPT}. m12")
    before = files_of(tmp_path)
    assert not (await opened.bench.abandoned.of_messages(temporary, (0,))).is_any
    deletion = await opened.bench.deletions.delete(seen(temporary, 0))
    assert [is_deleted(each) for each in temporary.messages] == [True, False]
    await opened.bench.deletions.restore(deletion.id)
    assert text_of(temporary.messages[0]) == f"{KEPT}. m12"
    assert files_of(tmp_path) == before
    await opened.close()
