"""Lines of two files, an entry of the history and a proposal are taken out together: all of them or none, wherever the
program is killed, and so they come back."""

from __future__ import annotations

import contextlib
from itertools import count
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryOrigin
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.domain.merge.suggestion_parts import with_passages
from mnemoscope.memory.files.joint_changes import FileWithout
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.transactions.file_steps import planned_cut
from mnemoscope.store.transactions.intent import LogCut
from tests.support.faulty_calls import KillingCalls, SimulatedKill

TEXTS = {MEMORY_PATH: "# Memory\n- One\n- Two\n", USER_PATH: "# User\n- Three\n"}
WITHOUT = {MEMORY_PATH: "# Memory\n- Two\n", USER_PATH: "# User\n"}
LOG = "[2026-03-01 09:00] First.\n\n[2026-03-01 10:00] Second.\n\n"
SECOND = "[2026-03-01 10:00] Second.\n\n"
State = tuple[dict[str, str], str, int]
BEFORE: State = (TEXTS, LOG, 1)
AFTER: State = (WITHOUT, LOG.removesuffix(SECOND), 0)


def opened(root: Path, calls: FileCalls = REAL_CALLS) -> MemoryStore:
    store = MemoryStore(root, calls=calls)
    store.recover()
    return store


def state_of(root: Path) -> State:
    store = opened(root)
    texts = {path: store.editing.read_text(path).text for path in TEXTS}
    return texts, (root / "memory/HISTORY.md").read_text(), len(store.ledger.suggestions())


def begun(root: Path) -> tuple[list[FileWithout], list[Suggestion], list[LogCut]]:
    """Fills a workspace; returns what is to be taken out of it."""
    (root / "memory").mkdir(parents=True)
    (root / "memory/HISTORY.md").write_text(LOG)
    for path, text in TEXTS.items():
        (root / path).write_text(text)
    store = opened(root)
    for path in TEXTS:
        store.editing.read_text(path)
    origin = MemoryOrigin("agent", "2026-03-01T10:00:00", "desktop:x")
    store.files.memory.hold(TEXTS[MEMORY_PATH], f"{TEXTS[MEMORY_PATH]}- Four\n", ("A tool said it.",), origin)
    cut = planned_cut(root, root / "memory/HISTORY.md", SECOND)
    assert cut is not None
    parts = [FileWithout(path, (), lambda text: text.replace("- One\n", "").replace("- Three\n", "")) for path in TEXTS]
    return parts, store.ledger.suggestions(), [cut]


async def test_all_of_it_goes_in_one_step_and_comes_back_in_another(tmp_path: Path) -> None:
    parts, suggestions, cuts = begun(tmp_path)
    editing = opened(tmp_path).editing
    change_id = await editing.take_out(parts, suggestions, cuts)
    assert state_of(tmp_path) == AFTER
    with pytest.raises(StorageError, match="Nothing of this is left"):
        await editing.take_out(parts, suggestions)
    await editing.bring_back(change_id)
    assert state_of(tmp_path) == BEFORE


async def test_an_undo_in_the_list_of_versions_brings_all_of_it_back_also_after_a_restart(tmp_path: Path) -> None:
    parts, suggestions, cuts = begun(tmp_path)
    change_id = await opened(tmp_path).editing.take_out(parts, suggestions, cuts)
    assert state_of(tmp_path) == AFTER
    saved = await opened(tmp_path).editing.undo_change(change_id, USER_PATH)
    assert (saved.text, saved.conflicts) == (TEXTS[USER_PATH], ())
    assert state_of(tmp_path) == BEFORE


async def test_an_undo_undone_takes_all_of_it_out_again_and_so_on_also_after_a_restart(tmp_path: Path) -> None:
    parts, suggestions, cuts = begun(tmp_path)
    change_id = await opened(tmp_path).editing.take_out(parts, suggestions, cuts)
    for wanted in (BEFORE, AFTER, BEFORE, AFTER):
        await opened(tmp_path).editing.undo_change(change_id)
        assert state_of(tmp_path) == wanted
        change_id = opened(tmp_path).editing.changes()[-1].id


async def test_a_second_undo_brings_nothing_back_that_was_decided_since(tmp_path: Path) -> None:
    parts, suggestions, cuts = begun(tmp_path)
    change_id = await opened(tmp_path).editing.take_out(parts, suggestions, cuts)
    await opened(tmp_path).editing.undo_change(change_id)
    await opened(tmp_path).editing.settle(suggestions[0].id, "reject")
    with pytest.raises(StorageError, match="Nothing of this change is left"):
        await opened(tmp_path).editing.undo_change(change_id)
    assert state_of(tmp_path) == (TEXTS, LOG, 0)


async def test_of_a_proposal_that_lost_a_passage_the_others_wait_on_and_it_is_back_by_itself(tmp_path: Path) -> None:
    parts, _, cuts = begun(tmp_path)
    store, text = opened(tmp_path), TEXTS[MEMORY_PATH]
    origin = MemoryOrigin("consolidation", "2026-03-01T10:00:00", "desktop:x", 0, 8)
    store.files.memory.hold(text, f"- Seven\n{text}- Eight\n", ("A tool said “Seven”.",), origin, known_as="ab12")
    whole = store.ledger.waiting("ab12")
    part = with_passages(whole, whole.conflicts[:1], whole.before)
    change_id = await store.editing.take_out(parts, (), cuts, [part])
    left = opened(tmp_path).ledger.waiting("ab12")
    assert [each.theirs for each in left.conflicts] == ["- Eight"]
    await opened(tmp_path).editing.settle_conflict("ab12", 0, "theirs")
    await opened(tmp_path).editing.bring_back(change_id)
    waiting = opened(tmp_path).ledger.suggestions()
    assert sorted(each.theirs for one in waiting for each in one.conflicts) == ["- Four", "- Seven"]


async def test_a_kill_anywhere_leaves_all_of_it_or_none(tmp_path: Path) -> None:
    seen = list[bool]()
    for at in count(1):
        root = tmp_path / str(at)
        parts, suggestions, cuts = begun(root)
        calls = KillingCalls(at)
        with contextlib.suppress(SimulatedKill):
            await opened(root, calls).editing.take_out(parts, suggestions, cuts)
        assert state_of(root) in (BEFORE, AFTER), at
        seen.append(state_of(root) == AFTER)
        if not calls.killed:
            break
    assert seen[0] is False
    assert seen[-1] is True
    assert sorted(seen) == seen, "from one call on it happens"


async def test_a_kill_on_the_way_back_leaves_all_of_it_or_none(tmp_path: Path) -> None:
    for at in count(1):
        root = tmp_path / str(at)
        parts, suggestions, cuts = begun(root)
        change_id = await opened(root).editing.take_out(parts, suggestions, cuts)
        calls = KillingCalls(at)
        with contextlib.suppress(SimulatedKill):
            await opened(root, calls).editing.bring_back(change_id)
        assert state_of(root) in (BEFORE, AFTER), at
        if not calls.killed:
            break
    assert state_of(root) == BEFORE
