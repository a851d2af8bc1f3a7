"""Sentences about the disk name files as a person knows them."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from mnemoscope.domain.errors import DiskFull, StorageError
from mnemoscope.store.files.atomic import replace_bytes, storage_errors
from mnemoscope.store.files.display_names import has_usual_name, known_as, path_within, path_words
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.faulty_calls import FailingOnce

ROOT = Path("/home/nell/studio")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("memory/MEMORY.md", "MEMORY.md"),
        ("memory/HISTORY.md", "the history log"),
        ("sessions/desktop_20261121-0a1b2c3d.jsonl", "the conversation"),
        ("sessions/archive/desktop_20261121-0a1b2c3d.20261122.jsonl", "the transcript in the archive"),
        ("sessions/attachments/2a3e0ce0963d68aa5e4e", "the image"),
        (".mnemoscope/versions/2a3e0ce0963d68aa5e4e", "MEMORY.md"),
        (".mnemoscope/intent.json", "the record of consolidations"),
        (".mnemoscope/ledger/20261115180539558031-6802b34d37d5120a.json", "the record of consolidations"),
        (".mnemoscope/drafts/0f557ae98716be133e87b2ce.json", "what was typed and not sent or saved"),
        (".mnemoscope/whatever-9f8e", "a file of the window's own"),
        (".mnemoscope", "the window's own folder"),
        ("config.json", "config.json"),
        ("notes/plan.md", "“plan.md”"),
    ],
)
def test_a_file_is_called_what_a_person_calls_it(place: str, words: str) -> None:
    assert known_as(ROOT / place) == words


def test_nobody_chose_the_name_of_an_image() -> None:
    assert has_usual_name(ROOT / "sessions/attachments/2a3e0ce0963d68aa5e4e")
    assert not has_usual_name(ROOT / "sessions/notes/plan")


def test_a_sentence_begins_with_a_capital_and_says_what_to_do() -> None:
    with pytest.raises(StorageError) as caught, storage_errors(ROOT / "memory" / "HISTORY.md", "write"):
        raise OSError(errno.EACCES, "no")
    assert caught.value.sentence == "The history log could not be written: access is refused."


def test_a_version_that_a_full_disk_refuses_is_no_hash(tmp_path: Path) -> None:
    folder = tmp_path / ".mnemoscope" / "versions"
    folder.mkdir(parents=True)
    with pytest.raises(DiskFull) as caught:
        replace_bytes(folder / "2a3e0ce0963d68aa5e4e", b"x", calls=FailingOnce(2))
    assert str(caught.value) == "The disk is full: MEMORY.md could not be written. Free some space, then try again."


def test_a_conversation_goes_by_its_title_or_its_first_words(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    sessions = SessionManager(tmp_path, calls=FailingOnce(2))
    session = sessions.get_or_create("desktop:x")
    session.add_message("user", "Order four kiln shelves")
    with pytest.raises(DiskFull) as caught:
        sessions.append(session)
    assert caught.value.sentence == (
        "The disk is full: the conversation “Order four kiln shelves” could not be written."
    )


def test_a_path_is_told_from_the_folder_it_lies_in() -> None:
    root = Path("/w")
    assert path_within(root / "memory" / "MEMORY.md", root) == "memory/MEMORY.md"
    assert path_within(Path("/elsewhere/a"), root) == str(Path("/elsewhere/a"))


@pytest.mark.parametrize(
    ("home", "path", "words"),
    [
        ("/home/nell", "/home/nell/pottery", "~/pottery"),
        ("/home/nell", "/home/nell", "~"),
        ("/home/nell", "/home/nell-pottery", "/home/nell-pottery"),
        ("/", "/srv/pottery", "/srv/pottery"),
    ],
)
def test_the_home_folder_is_shown_as_a_tilde(monkeypatch: pytest.MonkeyPatch, home: str, path: str, words: str) -> None:
    monkeypatch.setenv("HOME", home)
    assert path_words(Path(path)) == words
