"""SESSION-STATE.md is that of the conversation in hand; those of the others wait beside their transcripts."""

import errno
import json
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.capture.session_state_files import FRESH_STATE, SessionStates, state_file
from mnemoscope.store.memory.memory_file import MemoryMoved
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import CountedCalls, FailingOnce, KillingCalls, SimulatedKill

WHEN = datetime(2026, 11, 22, 9, 30)


def stem_of(key: str) -> str:
    return key.replace(":", "_")


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    found = WorkspacePaths(tmp_path)
    for folder in (found.own.folder, found.sessions_dir):
        folder.mkdir()
    return found


@pytest.fixture
def states(paths: WorkspacePaths) -> SessionStates:
    return SessionStates(paths, stem_of)


def keep(states: SessionStates, key: str, *lines: str) -> None:
    states.claim(key)
    states.append(lines)


def test_the_first_line_brings_the_heading(states: SessionStates, paths: WorkspacePaths) -> None:
    assert not states.read("d:a").exists
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] one", "- [2026-11-22T09:00:00+00:00] two")
    assert (
        paths.session_state.read_text()
        == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] one\n- [2026-11-22T09:00:00+00:00] two\n"
    )
    assert (
        states.read("d:a").text
        == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] one\n- [2026-11-22T09:00:00+00:00] two\n"
    )


def test_a_file_that_ends_within_a_line_or_holds_nothing_is_gone_on_with(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    paths.session_state.write_text("# Mine")
    states.append(["- [2026-11-22T09:00:00+00:00] one"])
    assert paths.session_state.read_text() == "# Mine\n- [2026-11-22T09:00:00+00:00] one\n"
    paths.session_state.write_text("")
    states.append(["- [2026-11-22T09:00:00+00:00] two"])
    assert paths.session_state.read_text() == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] two\n"


@pytest.mark.parametrize(
    "half", ["- [", "- [2026-11-2", "- [2026-11-21T09:00:00+00:00]", "- [2026-11-21T09:00:00] **pre"]
)
def test_half_a_line_that_a_crash_left_goes_when_it_is_written_again(
    states: SessionStates, paths: WorkspacePaths, half: str
) -> None:
    paths.session_state.write_text(f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] one\n{half}")
    states.append(["- [2026-11-22T09:00:00+00:00] **preference**: tea"])
    assert paths.session_state.read_text() == (
        f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] one\n- [2026-11-22T09:00:00+00:00] **preference**: tea\n"
    )


def test_half_a_line_that_says_something_else_stays(states: SessionStates, paths: WorkspacePaths) -> None:
    paths.session_state.write_text(f"{FRESH_STATE}- [2026-11-21T09:00:00] **preference**: cof")
    states.append(["- [2026-11-22T09:00:00+00:00] **preference**: tea"])
    assert "**preference**: cof\n- [2026-11-22" in paths.session_state.read_text()


def test_each_conversation_has_its_own_and_gets_it_back(states: SessionStates, paths: WorkspacePaths) -> None:
    assert states.owner() == ""
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] of a")
    assert states.owner() == "d:a"
    keep(states, "d:b", "- [2026-11-22T09:00:00+00:00] of b")
    assert paths.session_state.read_text() == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] of b\n"
    assert (
        paths.sessions_dir / "d_a.SESSION-STATE.md"
    ).read_text() == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] of a\n"
    assert "- [2026-11-22T09:00:00+00:00] of a" in states.read("d:a").text
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] more of a")
    assert (
        paths.session_state.read_text()
        == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] of a\n- [2026-11-22T09:00:00+00:00] more of a\n"
    )
    assert states.read("d:b").text == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] of b\n"
    assert not states.read("d:c").exists


def test_a_state_that_nobody_is_named_for_is_everybodys_until_one_claims_it(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    paths.session_state.write_text("# SESSION-STATE.md\n\n- a peer's\n")
    assert "a peer's" in states.read("d:a").text
    assert "a peer's" in states.read("d:b").text
    states.claim("d:a")
    assert "a peer's" in states.read("d:a").text
    assert not states.read("d:b").exists


@pytest.mark.parametrize("said", [b"\xff", b"{}", b'["one"]', b"[1, 2]", b"[" * 100_000])
def test_a_note_of_the_owner_that_cannot_be_read_names_nobody(
    states: SessionStates, paths: WorkspacePaths, said: bytes
) -> None:
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] of a")
    paths.own.session_state_owner.write_bytes(said)
    assert "- [2026-11-22T09:00:00+00:00] of a" in states.read("d:b").text


def test_a_note_of_the_owner_leads_out_of_no_folder(states: SessionStates, paths: WorkspacePaths) -> None:
    paths.session_state.write_text("- [2026-11-22T09:00:00+00:00] x\n")
    paths.own.session_state_owner.write_text(json.dumps(["d:a", "../../elsewhere"]))
    states.claim("d:b")
    assert "+00:00] x\n" in (paths.sessions_dir / "elsewhere.SESSION-STATE.md").read_text()


def test_nothing_that_waits_is_written_over(states: SessionStates, paths: WorkspacePaths) -> None:
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] of a")
    (paths.sessions_dir / "d_a.SESSION-STATE.md").write_text("another\n")
    states.claim("d:b")
    assert (paths.sessions_dir / "d_a.SESSION-STATE.md").read_text() == "another\n"
    assert "- [2026-11-22T09:00:00+00:00] of a" in (paths.sessions_dir / "d_a-2.SESSION-STATE.md").read_text()


def test_a_state_is_replaced_only_where_it_is_as_it_was_read(states: SessionStates, paths: WorkspacePaths) -> None:
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] one")
    seen = states.read("d:a")
    states.rewrite("d:a", "changed\n", seen.digest)
    assert paths.session_state.read_text() == "changed\n"
    with pytest.raises(MemoryMoved):
        states.rewrite("d:a", "again\n", seen.digest)


def test_a_state_that_is_not_there_yet_begins_in_the_root(states: SessionStates, paths: WorkspacePaths) -> None:
    states.rewrite("d:a", "begun\n", "")
    assert paths.session_state.read_text() == "begun\n"


QANOTS = "- [2026-11-22T08:00:00.123456+00:00] [user:7] **decision**: of Qanot"
MINE = "- the ladder is blue"
OURS = "- [2026-11-22T09:00:00+00:00] **preference**: of a"


def test_only_what_was_captured_here_goes_with_another_conversation(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    paths.session_state.write_text(f"{FRESH_STATE}{QANOTS}\n{MINE}\n")
    keep(states, "d:a", OURS)
    keep(states, "d:b", OURS.replace("of a", "of b"))
    rest = f"{FRESH_STATE}{QANOTS}\n{MINE}\n"
    assert paths.session_state.read_text() == f"{rest}{OURS.replace('of a', 'of b')}\n"
    assert states.read("d:a").text == f"{FRESH_STATE}{OURS}\n"
    states.claim("d:a")
    assert paths.session_state.read_text() == f"{rest}{OURS}\n"
    assert states.read("d:b").text == f"{FRESH_STATE}{OURS.replace('of a', 'of b')}\n"
    assert not (paths.sessions_dir / "d_a.SESSION-STATE.md").exists()


def test_what_another_waits_with_is_not_written_over_where_others_wrote(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    paths.session_state.write_text(f"{FRESH_STATE}{QANOTS}\n")
    keep(states, "d:a", OURS)
    (paths.sessions_dir / "d_a.SESSION-STATE.md").write_text("another\n")
    states.claim("d:b")
    assert (paths.sessions_dir / "d_a.SESSION-STATE.md").read_text() == "another\n"
    assert OURS in (paths.sessions_dir / "d_a-2.SESSION-STATE.md").read_text()


def test_new_moves_only_what_was_captured_here(states: SessionStates, paths: WorkspacePaths) -> None:
    paths.session_state.write_text(f"{FRESH_STATE}{QANOTS}\n")
    keep(states, "d:a", OURS)
    states.append([MINE])
    _, kept = closing(paths.root)
    assert kept.with_name(f"{kept.stem}.SESSION-STATE.md").read_text() == f"{FRESH_STATE}{OURS}\n"
    assert paths.session_state.read_text() == f"{FRESH_STATE}{QANOTS}\n{MINE}\n"
    assert not Ledger(paths).pending()


@pytest.mark.parametrize(("mark", "end"), [("\ufeff", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")])
def test_new_keeps_byte_order_mark_and_line_ends_of_what_others_wrote(
    states: SessionStates, paths: WorkspacePaths, mark: str, end: str
) -> None:
    others = f"{mark}{FRESH_STATE}{QANOTS}\n".replace("\n", end).encode()
    paths.session_state.write_bytes(others)
    keep(states, "d:a", OURS)
    _, kept = closing(paths.root)
    assert paths.session_state.read_bytes() == others
    assert OURS in kept.with_name(f"{kept.stem}.SESSION-STATE.md").read_text()
    assert not Ledger(paths).pending()


def test_new_in_a_workspace_of_qanots_moves_nothing_of_its_state(paths: WorkspacePaths) -> None:
    paths.session_state.write_text(f"{FRESH_STATE}{QANOTS}\n")
    _, kept = closing(paths.root)
    assert not kept.with_name(f"{kept.stem}.SESSION-STATE.md").exists()
    assert paths.session_state.read_text() == f"{FRESH_STATE}{QANOTS}\n"


def test_new_that_the_disk_refuses_leaves_the_state_as_it_was(states: SessionStates, paths: WorkspacePaths) -> None:
    before = f"{FRESH_STATE}{QANOTS}\n{OURS}\n"

    class Refuses(CountedCalls):
        def replace(self, source: str, target: str) -> None:
            if target == str(paths.session_state):
                raise OSError(errno.EACCES, "no")
            super().replace(source, target)

    paths.session_state.write_text(f"{FRESH_STATE}{QANOTS}\n")
    keep(states, "d:a", OURS)
    sessions = SessionManager(paths.root, calls=Refuses())
    session = sessions.get_or_create("d:a")
    session.add_message("user", "I prefer tea")
    sessions.save(session)
    with pytest.raises(StorageError):
        sessions.archive(session, WHEN)
    assert paths.session_state.read_text() == before
    assert list(paths.archive_dir.iterdir()) == []
    assert len(SessionManager(paths.root).get_or_create("d:a").messages) == 1


def test_a_deleted_conversation_takes_only_what_was_captured_in_it(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    manager = said(paths.root, "d:a")
    paths.session_state.write_text(f"{FRESH_STATE}{QANOTS}\n")
    keep(states, "d:a", OURS)
    trashed = manager.trash("d:a")
    assert paths.session_state.read_text() == f"{FRESH_STATE}{QANOTS}\n"
    manager.restore(trashed)
    assert OURS in states.read("d:a").text


@pytest.mark.slow
@pytest.mark.parametrize("others", ["", f"{QANOTS}\n"])
def test_wherever_claiming_ends_every_state_is_kept_and_found(tmp_path: Path, others: str) -> None:
    for at in range(1, 40):
        root = tmp_path / str(at)
        paths = WorkspacePaths(root)
        for folder in (paths.own.folder, paths.sessions_dir):
            folder.mkdir(parents=True)
        states = SessionStates(paths, stem_of)
        paths.session_state.write_text(f"{FRESH_STATE}{others}")
        keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] of a")
        keep(states, "d:b", "- [2026-11-22T09:00:00+00:00] of b")
        calls = KillingCalls(at)
        try:
            SessionStates(paths, stem_of, calls=calls).claim("d:a")
        except SimulatedKill:
            pass
        else:
            assert at > 4
            return
        rest = f"{FRESH_STATE}{others}"
        assert states.read("d:a").text in (
            f"{start}- [2026-11-22T09:00:00+00:00] of a\n" for start in (rest, FRESH_STATE)
        )
        assert states.read("d:b").text in (
            f"{start}- [2026-11-22T09:00:00+00:00] of b\n" for start in (rest, FRESH_STATE)
        )
        assert others in paths.session_state.read_text() if others else True
        states.claim("d:a")
        assert paths.session_state.read_text() == f"{rest}- [2026-11-22T09:00:00+00:00] of a\n"
        assert states.read("d:b").text == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] of b\n"
    raise AssertionError("claiming never came to an end")


def test_a_disk_that_refuses_leaves_the_state_where_it_is(states: SessionStates, paths: WorkspacePaths) -> None:
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] of a")
    with pytest.raises(StorageError):
        SessionStates(paths, stem_of, calls=FailingOnce(1, errno.EIO)).claim("d:b")
    assert "- [2026-11-22T09:00:00+00:00] of a" in states.read("d:a").text


def closing(root: Path, key: str = "d:a") -> tuple[SessionManager, Path]:
    sessions = SessionManager(root)
    session = sessions.get_or_create(key)
    session.add_message("user", "I prefer tea")
    sessions.save(session)
    kept = sessions.archive(session, WHEN)
    assert kept is not None
    return sessions, kept


def test_closing_a_conversation_takes_its_state_along_and_begins_another(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] of a")
    _, kept = closing(paths.root)
    assert (
        kept.with_name(f"{kept.stem}.SESSION-STATE.md").read_text()
        == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] of a\n"
    )
    assert paths.session_state.read_text() == FRESH_STATE
    assert not Ledger(paths).pending()


def test_closing_a_conversation_leaves_the_state_of_another_in_hand(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] of a")
    keep(states, "d:b", "- [2026-11-22T09:00:00+00:00] of b")
    _, kept = closing(paths.root)
    assert "- [2026-11-22T09:00:00+00:00] of a" in kept.with_name(f"{kept.stem}.SESSION-STATE.md").read_text()
    assert paths.session_state.read_text() == f"{FRESH_STATE}- [2026-11-22T09:00:00+00:00] of b\n"
    assert state_file(paths, "d:a", "d_a") is None


@pytest.mark.slow
def test_closing_that_the_disk_refuses_leaves_the_state_where_it_is(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] of a")
    sessions = SessionManager(paths.root)
    session = sessions.get_or_create("d:a")
    session.add_message("user", "I prefer tea")
    sessions.save(session)
    done = 0
    for at in range(1, 60):
        # What is listed of the conversation may be refused: it is closed all the same.
        paths.own.known_conversations_file.unlink(missing_ok=True)
        manager = SessionManager(paths.root, calls=FailingOnce(at))
        again = manager.get_or_create("d:a")
        try:
            manager.archive(again, WHEN)
        except StorageError:
            done += 1
            assert "- [2026-11-22T09:00:00+00:00] of a" in states.read("d:a").text
            continue
        break
    assert done > 5


def said(root: Path, key: str) -> SessionManager:
    manager = SessionManager(root)
    manager.get_or_create(key).add_message("user", "hello")
    manager.append(manager.get_or_create(key))
    return manager


@pytest.mark.parametrize("in_hand", ["d:a", "d:b"])
def test_a_deleted_conversation_takes_its_state_along_and_brings_it_back(paths: WorkspacePaths, in_hand: str) -> None:
    manager, states = said(paths.root, "d:a"), SessionStates(paths, stem_of)
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] one")
    if in_hand == "d:b":
        keep(states, "d:b", "- [2026-11-22T09:00:00+00:00] two")
    trashed = manager.trash("d:a")
    assert not states.read("d:a").exists
    assert paths.session_state.exists() == (in_hand == "d:b")
    assert "- [2026-11-22T09:00:00+00:00] one" not in "".join(
        file.read_text() for file in paths.root.glob("**/*.md") if "trash" not in str(file)
    )
    manager.restore(trashed)
    assert states.read("d:a").text.endswith("- [2026-11-22T09:00:00+00:00] one\n")
    assert not list(paths.own.trash_dir.iterdir())


def test_a_state_that_may_be_anybodys_stays_where_a_conversation_is_deleted(paths: WorkspacePaths) -> None:
    manager = said(paths.root, "d:a")
    paths.session_state.write_text("# A peer's\n\n- [2026-11-22T09:00:00+00:00] one\n")
    manager.trash("d:a")
    assert paths.session_state.exists()


def test_a_state_that_came_meanwhile_is_not_written_over(paths: WorkspacePaths) -> None:
    manager, states = said(paths.root, "d:a"), SessionStates(paths, stem_of)
    keep(states, "d:a", "- [2026-11-22T09:00:00+00:00] one")
    trashed = manager.trash("d:a")
    (paths.sessions_dir / "d_a.SESSION-STATE.md").write_text("- [2026-11-22T09:00:00+00:00] mine\n")
    manager.restore(trashed)
    assert states.read("d:a").text == "- [2026-11-22T09:00:00+00:00] mine\n"


def test_a_state_the_disk_holds_back_stops_no_deletion(paths: WorkspacePaths) -> None:
    said(paths.root, "d:a")
    keep(SessionStates(paths, stem_of), "d:a", "- [2026-11-22T09:00:00+00:00] one")

    class HoldsBack(CountedCalls):
        def replace(self, source: str, target: str) -> None:
            if source.endswith("SESSION-STATE.md"):
                raise OSError(errno.EIO, "no")
            super().replace(source, target)

    trashed = SessionManager(paths.root, calls=HoldsBack()).trash("d:a")
    assert trashed.kept is not None
    assert trashed.kept.exists()
    assert paths.session_state.exists()


def test_of_a_state_without_anything_captured_here_nothing_goes_to_the_trash(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    manager = said(paths.root, "d:a")
    states.claim("d:a")
    paths.session_state.write_text(f"{FRESH_STATE}{QANOTS}\n")
    manager.trash("d:a")
    assert paths.session_state.read_text() == f"{FRESH_STATE}{QANOTS}\n"
    assert [path.suffix for path in paths.own.trash_dir.iterdir()] == [".jsonl"]


def test_what_waits_stays_where_the_root_holds_only_what_was_captured_here(
    states: SessionStates, paths: WorkspacePaths
) -> None:
    keep(states, "d:a", OURS)
    (paths.sessions_dir / "d_a.SESSION-STATE.md").write_text(f"{FRESH_STATE}{OURS.replace('of a', 'of before')}\n")
    states.claim("d:a")
    assert (paths.sessions_dir / "d_a.SESSION-STATE.md").exists()
    assert paths.session_state.read_text() == f"{FRESH_STATE}{OURS}\n"
