"""A consolidation happens exactly once, wherever the process ends."""

import asyncio
import errno
import os
import shutil
from pathlib import Path

import pytest

from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import CountedCalls, FailingOnce, KillingCalls, SimulatedKill
from tests.support.telltale_model import TelltaleModel, conversation, counts_in_history, names

pytestmark = pytest.mark.slow

KEY = "cli:direct"
COUNT = 12
SETTLED = 8
"""A window of 8 keeps 4 of the 12."""
MEMORY = "# Notes\n- Known before\n"


def store_of(root: Path, calls: FileCalls = REAL_CALLS) -> tuple[MemoryStore, SessionManager]:
    manager = SessionManager(root, calls=calls)
    return MemoryStore(root, sessions=manager, calls=calls), manager


def consolidate(root: Path, calls: FileCalls = REAL_CALLS) -> bool:
    store, manager = store_of(root, calls)
    store.recover()
    session = manager.load(KEY)
    assert session is not None
    return asyncio.run(store.consolidate(session, TelltaleModel(), "m", memory_window=8))


@pytest.fixture
def template(tmp_path: Path) -> Path:
    root = tmp_path / "template"
    store, manager = store_of(root)
    conversation(manager, COUNT)
    store.write_long_term(MEMORY)
    return root


def copied(template: Path) -> Path:
    root = template.parent / "run"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(template, root)
    return root


def only_torn_pointers(quarantine: Path) -> bool:
    """Returns whether nothing but half a metadata record, cut off by the crash, was set aside."""
    return all(path.read_bytes().startswith(b'{"_type": "metadata"') for path in quarantine.glob("*.bin")) and not [
        path for path in quarantine.glob("*") if not path.name.startswith("cli_direct.")
    ]


def assert_done_once(root: Path) -> None:
    assert counts_in_history(root) == names(SETTLED)
    text = WorkspacePaths(root).memory_file.read_text()
    assert text == MEMORY + "- Learnt m0\n"
    session = SessionManager(root).load(KEY)
    assert session is not None
    assert session.last_consolidated == SETTLED
    assert [message["content"] for message in session.messages] == [f"m{number}" for number in range(COUNT)]
    assert not list(root.rglob("*.mnemo-tmp"))
    assert not WorkspacePaths(root).own.intent_file.exists()
    assert only_torn_pointers(WorkspacePaths(root).own.quarantine_dir)
    assert [record.stop for record in store_of(root)[0].ledger.records()] == [SETTLED]


def calls_of_a_run(template: Path) -> list[str]:
    calls = CountedCalls()
    assert consolidate(copied(template), calls)
    return calls.names


def test_a_consolidation_forces_the_disk_at_most_thirty_times(template: Path) -> None:
    calls = CountedCalls()
    root = copied(template)
    assert consolidate(root, calls)
    assert_done_once(root)
    assert calls.fsyncs <= 30


# Each way to end takes another third of the calls, so that every call is tried; `--long` tries each in every way.
WAYS = ("before", "after", "half")


@pytest.mark.parametrize("when", WAYS)
def test_a_kill_at_any_call_loses_nothing_and_writes_nothing_twice(template: Path, when: str, stride: int) -> None:
    for at in range(1 + WAYS.index(when) % stride, len(calls_of_a_run(template)) + 1, stride):
        root = copied(template)
        with pytest.raises(SimulatedKill):
            consolidate(root, KillingCalls(at, when))
        assert consolidate(root)
        assert_done_once(root)


def test_a_second_kill_while_recovering_changes_nothing(template: Path, stride: int) -> None:
    for at in range(1, len(calls_of_a_run(template)) + 1, 2 * stride):
        for again in range(1 + at // 2 % stride, 200, stride):
            root = copied(template)
            with pytest.raises(SimulatedKill):
                consolidate(root, KillingCalls(at, "half"))
            try:
                consolidate(root, KillingCalls(again, "after"))
            except SimulatedKill:
                consolidate(root)
                assert_done_once(root)
            else:
                assert_done_once(root)
                break


ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS)


@pytest.mark.parametrize("error", ERRORS)
def test_a_failing_call_loses_nothing_and_the_next_try_completes(template: Path, error: int, stride: int) -> None:
    for at in range(1 + ERRORS.index(error) % stride, len(calls_of_a_run(template)) + 1, stride):
        root = copied(template)
        store, manager = store_of(root, FailingOnce(at, error))
        session = manager.load(KEY)
        assert session is not None
        done = asyncio.run(store.consolidate(session, TelltaleModel(), "m", memory_window=8))
        assert done or store.last_consolidation(session.key).failure
        # The same window goes on, without a restart.
        assert asyncio.run(store.consolidate(session, TelltaleModel(), "m", memory_window=8))
        assert session.last_consolidated == SETTLED
        assert_done_once(root)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_that_really_ends_at_any_call_has_consolidated_once(template: Path) -> None:
    for at in range(1, len(calls_of_a_run(template)) + 1):
        root = copied(template)
        child = os.fork()
        if child == 0:
            consolidate(root, KillingCalls(at, "half", end=lambda: os._exit(9)))
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        assert consolidate(root)
        assert_done_once(root)


def test_a_restart_does_not_consolidate_the_same_messages_again(template: Path) -> None:
    root = copied(template)
    assert consolidate(root)
    assert consolidate(root)
    assert_done_once(root)


def test_a_pointer_that_another_program_took_back_is_found_in_the_ledger(template: Path) -> None:
    root = copied(template)
    path = SessionManager(root).path_of(KEY)
    assert path is not None
    before = path.read_bytes()
    assert consolidate(root)
    path.write_bytes(before)
    assert consolidate(root)
    assert_done_once(root)


def test_an_intent_with_a_wrong_checksum_never_happened(template: Path) -> None:
    root = copied(template)
    paths = WorkspacePaths(root)
    paths.own.intent_file.parent.mkdir(exist_ok=True)
    paths.own.intent_file.write_bytes(b'{"id": "x"}\nnot a checksum\n')
    sentences = store_of(root)[0].recover()
    assert "moved to quarantine" in sentences[0]
    assert [path.name.partition("-")[2] for path in paths.own.quarantine_dir.iterdir()] == ["intent.json"]
    assert counts_in_history(root) == names(0)


def test_an_outside_edit_between_crash_and_recovery_is_kept(template: Path) -> None:
    for at in range(1, len(calls_of_a_run(template)) + 1):
        root = copied(template)
        with pytest.raises(SimulatedKill):
            consolidate(root, KillingCalls(at, "after"))
        paths = WorkspacePaths(root)
        text = paths.memory_file.read_text()
        paths.memory_file.write_text(text.replace("- Known before\n", "- Known before\n- Written by hand\n"))
        assert consolidate(root)
        merged = paths.memory_file.read_text()
        assert merged == "# Notes\n- Known before\n- Written by hand\n- Learnt m0\n"
        assert counts_in_history(root) == names(SETTLED)


def test_a_memory_file_removed_after_the_crash_is_not_resurrected(template: Path) -> None:
    renames = [at for at, name in enumerate(calls_of_a_run(template), 1) if name == "replace"]
    committed = renames[1] + 1
    """The first rename names the workspace, the second is the intent's; the directory is forced next."""
    root = copied(template)
    with pytest.raises(SimulatedKill):
        consolidate(root, KillingCalls(committed, "after"))
    paths = WorkspacePaths(root)
    paths.memory_file.unlink()
    store, _ = store_of(root)
    assert store.recover() == ["Finished saving memory from before the crash."]
    assert not paths.memory_file.exists()
    assert [each.proposed for each in store.ledger.suggestions()] == [MEMORY + "- Learnt m0\n"]
    assert counts_in_history(root) == names(SETTLED)
