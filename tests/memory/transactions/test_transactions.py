"""Whatever writes several files does so whole, wherever the process ends: /new, a review, a restored version.

Each way to end takes another third of the places, so that every call is tried; `--long` tries each in every way.
"""

import asyncio
import errno
import itertools
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.errors import MnemoscopeError, StorageError
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import CountedCalls, FailingOnce, KillingCalls, SimulatedKill
from tests.support.telltale_model import conversation

pytestmark = pytest.mark.slow

KEY = "cli:direct"
WHEN = datetime(2026, 3, 7, 9, 30)
FIRST = "# Notes\n- One\n- Two\n"
SECOND = "# Notes\n- One\n- Two here\n- Three\n"
PROPOSED = "# Notes\n- One\n- Two here, in other words\n- Three\n"

Do = Callable[[MemoryStore, SessionManager], None]
Holds = Callable[[Path], bool]


def store_of(root: Path, calls: FileCalls = REAL_CALLS) -> tuple[MemoryStore, SessionManager]:
    manager = SessionManager(root, calls=calls)
    return MemoryStore(root, sessions=manager, calls=calls), manager


def memory(root: Path) -> str:
    return WorkspacePaths(root).memory_file.read_text()


def waiting(root: Path) -> list[str]:
    return [each.proposed for each in Ledger(WorkspacePaths(root)).suggestions()]


def settled(root: Path) -> list[str]:
    return sorted(path.stem for path in WorkspacePaths(root).own.settled_dir.glob("*.json"))


def archived(root: Path) -> list[str]:
    folder = WorkspacePaths(root).archive_dir
    found = [path.read_text() for path in folder.glob("*.jsonl")] if folder.is_dir() else []
    return [text for text in found if '"content": "m3"' in text]


def messages(root: Path) -> int:
    session = SessionManager(root).load(KEY)
    assert session is not None
    return len(session.messages)


def accept(store: MemoryStore, _: SessionManager) -> None:
    asyncio.run(store.editing.settle("held", "accept"))


def edit(store: MemoryStore, _: SessionManager) -> None:
    asyncio.run(store.editing.settle("held", "edit", SECOND + "- Mine\n"))


def reject(store: MemoryStore, _: SessionManager) -> None:
    asyncio.run(store.editing.settle("held", "reject"))


def restore(store: MemoryStore, _: SessionManager) -> None:
    asyncio.run(store.editing.restore_version(store.editing.changes()[0].after))


def conflict(store: MemoryStore, _: SessionManager) -> None:
    first = store.editing.changes()[0].after
    asyncio.run(store.editing.save_text("# Notes\n- One\n- Two, mine\n", first, "editor"))


def new(store: MemoryStore, manager: SessionManager) -> None:
    store.finish_pending()
    session = manager.load(KEY)
    assert session is not None
    manager.archive(session, WHEN)


CASES: dict[str, tuple[Do, Holds, Holds]] = {
    "accept": (
        accept,
        lambda root: (memory(root), waiting(root), settled(root)) == (SECOND, [PROPOSED], []),
        lambda root: (memory(root), waiting(root), settled(root)) == (PROPOSED, [], ["held"]),
    ),
    "edit": (
        edit,
        lambda root: (memory(root), waiting(root), settled(root)) == (SECOND, [PROPOSED], []),
        lambda root: (memory(root), waiting(root), settled(root)) == (SECOND + "- Mine\n", [], ["held"]),
    ),
    "reject": (
        reject,
        lambda root: (memory(root), waiting(root)) == (SECOND, [PROPOSED]),
        lambda root: (memory(root), waiting(root), settled(root)) == (SECOND, [], ["held"]),
    ),
    "restore": (restore, lambda root: memory(root) == SECOND, lambda root: memory(root) == FIRST),
    "conflict": (
        conflict,
        lambda root: (memory(root), len(waiting(root))) == (SECOND, 1),
        lambda root: "- Two, mine\n" in memory(root) and len(waiting(root)) == 2,
    ),
    "new": (
        new,
        lambda root: (messages(root), archived(root)) == (4, []),
        lambda root: messages(root) == 0 and len(archived(root)) == 1,
    ),
}


@pytest.fixture
def template(tmp_path: Path) -> Path:
    root = tmp_path / "template"
    store, manager = store_of(root)
    conversation(manager, 4)
    store.write_long_term(FIRST)
    store.write_long_term(SECOND)
    ledger = Ledger(WorkspacePaths(root))
    ledger.workspace_id()
    ledger.add_suggestion(Suggestion("held", WHEN.isoformat(), SECOND, PROPOSED, ("why",), "", 0, 0))
    return root


def copied(template: Path) -> Path:
    root = template.parent / "run"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(template, root)
    return root


def commit_point(template: Path, do: Do) -> int:
    """Returns the number of the call that puts the intent on the disk."""
    for at in itertools.count(1):
        root = copied(template)
        with pytest.raises(SimulatedKill):
            do(*store_of(root, KillingCalls(at, "after")))
        if WorkspacePaths(root).own.intent_file.exists():
            return at
    raise AssertionError("no intent was written")


def count_of_calls(template: Path, do: Do) -> int:
    calls = CountedCalls()
    do(*store_of(copied(template), calls))
    return len(calls.names)


def assert_clean(root: Path) -> None:
    assert not list(root.rglob("*.mnemo-tmp"))
    assert not WorkspacePaths(root).own.intent_file.exists()


WAYS = ("before", "after", "half")


@pytest.mark.parametrize("when", WAYS)
@pytest.mark.parametrize("name", CASES)
def test_after_a_kill_all_of_it_is_done_or_nothing(template: Path, name: str, when: str, stride: int) -> None:
    do, before, after = CASES[name]
    outcomes = set()
    for at in range(1 + WAYS.index(when) % stride, count_of_calls(template, do) + 1, stride):
        root = copied(template)
        with pytest.raises(SimulatedKill):
            do(*store_of(root, KillingCalls(at, when)))
        store_of(root)[0].recover()
        assert before(root) != after(root)
        assert_clean(root)
        outcomes.add(after(root))
    assert outcomes == {True, False} or name == "reject"


@pytest.mark.parametrize("name", CASES)
def test_a_second_kill_while_recovering_changes_nothing(template: Path, name: str, stride: int) -> None:
    do, before, after = CASES[name]
    for at in range(5, count_of_calls(template, do) + 1, 9):
        for again in range(1 + at % stride, 40, 5 * stride):
            root = copied(template)
            with pytest.raises(SimulatedKill):
                do(*store_of(root, KillingCalls(at, "after")))
            try:
                store_of(root, KillingCalls(again, "half"))[0].recover()
            except SimulatedKill:
                store_of(root)[0].recover()
            assert before(root) != after(root)
            assert_clean(root)


ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("name", CASES)
def test_a_failing_call_leaves_all_or_nothing_and_the_next_try_works(
    template: Path, name: str, error: int, stride: int
) -> None:
    do, _, after = CASES[name]
    for at in range(1 + ERRORS.index(error) % stride, count_of_calls(template, do) + 1, stride):
        root = copied(template)
        store, manager = store_of(root, FailingOnce(at, error))
        try:
            do(store, manager)
        except MnemoscopeError:
            if not after(root):
                # The same window goes on. What an error left behind is finished first, or found done already.
                with suppress(StorageError):
                    do(store, manager)
        store.finish_pending()
        assert after(root), (name, at)
        assert_clean(root)


def test_what_waits_for_recovery_is_never_overwritten(template: Path) -> None:
    at = commit_point(template, accept)
    root = copied(template)
    with pytest.raises(SimulatedKill):
        accept(*store_of(root, KillingCalls(at, "after")))
    assert WorkspacePaths(root).own.intent_file.exists()
    _, manager = store_of(root)
    session = manager.load(KEY)
    assert session is not None
    with pytest.raises(StorageError, match="finished first"):
        manager.archive(session, WHEN)
    assert messages(root) == 4
    new(*store_of(root))
    assert memory(root) == PROPOSED
    assert messages(root) == 0


def test_a_conversation_in_memory_follows_when_a_recovery_closes_it(template: Path) -> None:
    at = commit_point(template, new)
    root = copied(template)
    store, manager = store_of(root)
    session = manager.load(KEY)
    assert session is not None
    other = store_of(root, KillingCalls(at, "after"))
    with pytest.raises(SimulatedKill):
        new(*other)
    store.finish_pending()
    assert len(session.messages) == 0
    assert len(archived(root)) == 1
    session.add_message("user", "anew")
    assert manager.append(session) == [0]
    assert manager.take_loss(KEY) is None
