"""Transcripts that /new closed can be read where they are kept."""

from datetime import datetime
from pathlib import Path

from mnemoscope.store.sessions.archive import ClosedConversation, SessionArchive
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.session_files import SteppingClock

KEY = "desktop:test"
WHEN = datetime(2026, 11, 22, 9, 30)


def closed(root: Path, *words: str, when: datetime = WHEN) -> None:
    manager = SessionManager(root)
    session = manager.get_or_create(KEY)
    for word in words:
        session.add_message("user", word)
    manager.save(session)
    manager.archive(session, when)


def test_what_was_closed_is_listed_the_last_first_and_read_message_by_message(tmp_path: Path) -> None:
    closed(tmp_path, "One", "Two")
    closed(tmp_path, "Three", when=datetime(2026, 11, 22, 10, 30))
    archive = SessionArchive(WorkspacePaths(tmp_path).archive_dir)
    seen = archive.overviews()
    assert [(one.key, one.title, one.count, one.closed_at.hour) for one in seen] == [
        (KEY, "Three", 1, 10),
        (KEY, "One", 2, 9),
    ]
    session = archive.load(seen[1])
    assert [message["content"] for message in session.messages] == ["One", "Two"]
    assert session.created_at == seen[1].created_at != seen[0].created_at


def test_no_archive_and_files_that_are_none_are_no_conversations(tmp_path: Path) -> None:
    folder = WorkspacePaths(tmp_path).archive_dir
    assert SessionArchive(folder).overviews() == []
    folder.mkdir(parents=True)
    (folder / "broken.jsonl").write_bytes(b"\x00\xff")
    (folder / "a-folder.jsonl").mkdir()
    assert SessionArchive(folder).overviews() == []


def branched(root: Path) -> SessionManager:
    """Returns a closed conversation with two other branches, and one that goes on with a branch of its own."""
    manager = SessionManager(root)
    for key in (KEY, "desktop:live"):
        session = manager.get_or_create(key)
        for word in ("One", "Two", "Three"):
            session.add_message("user", word)
        manager.save(session)
        for word in ("Another way", "A third way"):
            manager.fork(session, 2)
            session.add_message("user", word)
            manager.save(session)
    manager.archive(manager.get_or_create(KEY), WHEN)
    return manager


def test_the_branches_of_a_closed_conversation_follow_it_and_are_read(tmp_path: Path) -> None:
    branched(tmp_path)
    closed(tmp_path, "Later", when=datetime(2026, 11, 23, 9, 30))
    paths = WorkspacePaths(tmp_path)
    archive = SessionArchive(paths.archive_dir, paths.branches_dir)
    (paths.branches_dir / "damaged.jsonl").write_bytes(b"\0")
    (paths.branches_dir / "folder.jsonl").mkdir()
    seen = archive.with_branches()
    assert [(each.title, each.is_branch, each.closed_at.day) for each in seen] == [
        ("Later", False, 23),
        ("One", False, 22),
        ("Three", True, 22),
        ("Another way", True, 22),
    ]
    assert [each["content"] for each in archive.load(seen[3]).messages] == ["One", "Two", "Another way"]
    # A copy of the closed one itself, as a crash may leave it, is none.
    (paths.branches_dir / "copy.jsonl").write_bytes(seen[1].path.read_bytes())
    assert len(archive.with_branches()) == 4
    assert len(archive.overviews()) == len(SessionArchive(paths.archive_dir).with_branches()) == 2


def test_what_vanishes_while_it_is_listed_has_no_branches(tmp_path: Path) -> None:
    branched(tmp_path)
    paths = WorkspacePaths(tmp_path)

    class Vanishing(SessionArchive):
        def overviews(self) -> list[ClosedConversation]:
            listed = super().overviews()
            for path in paths.archive_dir.glob("*.jsonl"):
                path.unlink()
            return listed

    archive = Vanishing(paths.archive_dir, paths.branches_dir)
    assert [each.is_branch for each in archive.with_branches()] == [False]


def test_the_conversation_that_has_a_branch_is_found_open_or_closed(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path, clock=SteppingClock())
    session = manager.get_or_create(KEY)
    root = session.branch.began
    for word in ("One", "Two"):
        session.add_message("user", word)
    manager.save(session)
    manager.fork(session, 1)
    session.add_message("user", "Another way")
    manager.save(session)
    active = session.branch.began
    assert manager.with_branch(KEY, root) is manager.with_branch(KEY, active) is session
    manager.fork(session, 1)
    session.add_message("user", "A third way")
    manager.save(session)
    kept = manager.archive(session, WHEN)
    assert kept is not None
    assert session.other_branches == (), "what begins anew has none"
    kept.with_name(f"{kept.stem}-1.jsonl").mkdir()
    (kept.parent / "desktop_test-other.jsonl").write_text('{"role": "user", "content": "of no key"}\n')
    for began in (root, active):
        found = manager.with_branch(KEY, began)
        assert found is not None
        assert [message["content"] for message in found.messages] == ["One", "A third way"]
        assert found.has_branch(began)
        assert found.has_branch(found.branch.began)
        assert not found.has_branch(session.branch.began)
    assert manager.with_branch(KEY, "2001-01-01T00:00:00") is None
    assert manager.with_branch("desktop:unknown", root) is None
