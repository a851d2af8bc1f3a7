"""Transcripts that /new closed can be read where they are kept."""

from datetime import datetime
from pathlib import Path

from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths

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
