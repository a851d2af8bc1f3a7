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
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.suggestion_parts import with_passages
from mnemoscope.memory.files.joint_changes import FileRemoval
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.transactions.file_steps import planned_cut
from mnemoscope.store.transactions.intent import LogCut
from tests.support.faulty_calls import KillingCalls, SimulatedKill

TEXTS = {MEMORY_PATH: "# Memory\n- One\n- Two\n", USER_PATH: "# User\n- Three\n"}
WITHOUT = {MEMORY_PATH: "# Memory\n- Two\n", USER_PATH: "# User\n"}
LOG = "[2026-03-01 09:00] First.\n\n[2026-03-01 10:00] Second.\n\n"
SECOND = "[2026-03-01 10:00] Second.\n\n"
State = tuple[dict[str, str], str, list[str]]
BEFORE: State = (TEXTS, LOG, ["- Eight", "- Four", "- Seven"])
AFTER: State = (WITHOUT, LOG.removesuffix(SECOND), ["- Eight"])


def opened(root: Path, calls: FileCalls = REAL_CALLS) -> MemoryStore:
    store = MemoryStore(root, calls=calls)
    store.recover()
    return store


def state_of(root: Path) -> State:
    store = opened(root)
    texts = {path: store.editing.read_text(path).text for path in TEXTS}
    passages = sorted(each.theirs for one in store.ledger.suggestions() for each in one.conflicts)
    return texts, (root / "memory/HISTORY.md").read_text(), passages


Parts = tuple[list[FileRemoval], list[Suggestion], list[LogCut], list[Suggestion]]


def begun(root: Path) -> Parts:
    """Fills a workspace; returns what is to be taken out of it: of the second proposal one of two passages."""
    (root / "memory").mkdir(parents=True)
    (root / "memory/HISTORY.md").write_text(LOG)
    for path, text in TEXTS.items():
        (root / path).write_text(text)
    store = opened(root)
    for path in TEXTS:
        store.editing.read_text(path)
    text, origin = TEXTS[MEMORY_PATH], MemoryOrigin("agent", "2026-03-01T10:00:00", "desktop:x")
    memory = store.files.memory
    memory.suggest(text, f"{text}- Four\n", ("A tool said it.",), origin, known_as="ab11")
    memory.suggest(text, f"- Seven\n{text}- Eight\n", ("A tool said “Seven”.",), origin, known_as="ab12")
    cut = planned_cut(root, root / "memory/HISTORY.md", SECOND)
    assert cut is not None
    parts = [FileRemoval(path, (), lambda text: text.replace("- One\n", "").replace("- Three\n", "")) for path in TEXTS]
    whole, several = map(store.ledger.waiting, ("ab11", "ab12"))
    return parts, [whole], [cut], [with_passages(several, several.conflicts[:1], several.before)]


async def test_all_of_it_goes_in_one_step_and_comes_back_in_another(tmp_path: Path) -> None:
    parts = begun(tmp_path)
    editing = opened(tmp_path).editing
    change_id = await editing.remove(*parts)
    assert state_of(tmp_path) == AFTER
    with pytest.raises(StorageError, match="Nothing of this is left"):
        await editing.remove(*parts[:2], (), parts[3])
    await editing.undo_removal(change_id)
    assert state_of(tmp_path) == BEFORE


async def test_an_undo_in_the_list_of_versions_brings_all_of_it_back_also_after_a_restart(tmp_path: Path) -> None:
    parts = begun(tmp_path)
    change_id = await opened(tmp_path).editing.remove(*parts)
    assert state_of(tmp_path) == AFTER
    saved = await opened(tmp_path).editing.undo_change(change_id, USER_PATH)
    assert (saved.text, saved.conflicts) == (TEXTS[USER_PATH], ())
    assert state_of(tmp_path) == BEFORE


async def test_an_undo_undone_takes_all_of_it_out_again_and_so_on_also_after_a_restart(tmp_path: Path) -> None:
    parts = begun(tmp_path)
    change_id = await opened(tmp_path).editing.remove(*parts)
    for wanted in (BEFORE, AFTER, BEFORE, AFTER):
        await opened(tmp_path).editing.undo_change(change_id)
        assert state_of(tmp_path) == wanted
        change_id = opened(tmp_path).editing.changes()[-1].id


async def test_a_second_undo_brings_nothing_back_that_was_decided_since(tmp_path: Path) -> None:
    parts = begun(tmp_path)
    change_id = await opened(tmp_path).editing.remove(*parts)
    await opened(tmp_path).editing.undo_change(change_id)
    for name in ("ab11", "ab12w"):
        await opened(tmp_path).editing.settle(name, "reject")
    with pytest.raises(StorageError, match="Nothing of this change is left"):
        await opened(tmp_path).editing.undo_change(change_id)
    assert state_of(tmp_path) == (TEXTS, LOG, ["- Eight"])


async def test_what_waits_on_of_a_proposal_is_decided_by_itself_and_the_rest_is_back_by_itself(tmp_path: Path) -> None:
    parts = begun(tmp_path)
    change_id = await opened(tmp_path).editing.remove(*parts)
    await opened(tmp_path).editing.settle_conflict("ab12", 0, "theirs")
    await opened(tmp_path).editing.undo_removal(change_id)
    texts, _, waiting = state_of(tmp_path)
    assert (texts[MEMORY_PATH], waiting) == (f"{TEXTS[MEMORY_PATH]}- Eight\n", ["- Four", "- Seven"])


async def test_a_kill_anywhere_leaves_all_of_it_or_none(tmp_path: Path) -> None:
    seen = list[bool]()
    for at in count(1):
        root = tmp_path / str(at)
        parts = begun(root)
        calls = KillingCalls(at)
        with contextlib.suppress(SimulatedKill):
            await opened(root, calls).editing.remove(*parts)
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
        parts = begun(root)
        change_id = await opened(root).editing.remove(*parts)
        calls = KillingCalls(at)
        with contextlib.suppress(SimulatedKill):
            await opened(root, calls).editing.undo_removal(change_id)
        assert state_of(root) in (BEFORE, AFTER), at
        if not calls.killed:
            break
    assert state_of(root) == BEFORE
