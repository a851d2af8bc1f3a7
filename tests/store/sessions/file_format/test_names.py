from itertools import islice
from pathlib import Path

import pytest

from mnemoscope.store.sessions.file_format.names import candidate_names, encoded_stem, key_from_stem, readable_stem
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.peer_loaders import encoded_name, lossy_name
from tests.support.session_files import message, metadata, write_session


@pytest.mark.parametrize("key", ["cli:direct", "telegram:a/b", 'x:<>:"|?*', "飞书:群 1", "plain"])
def test_both_peers_names_are_known(key: str) -> None:
    assert readable_stem(key) + ".jsonl" == lossy_name(key)
    assert encoded_stem(key) + ".jsonl" == encoded_name(key)


def test_the_readable_name_comes_first() -> None:
    assert next(candidate_names("cli:direct")) == "cli_direct.jsonl"


def test_in_a_workspace_of_qanots_every_name_comes_before_its_own(tmp_path: Path) -> None:
    assert max(islice(candidate_names("zulu:1", before_dates=True), 5)) < "2000-01-01.jsonl"
    (tmp_path / "sessions").mkdir()
    (tmp_path / "MEMORY.md").write_text("# MEMORY.md - Long-Term Memory\n", "utf-8")
    manager = SessionManager(tmp_path)
    session = manager.get_or_create("desktop:a")
    session.add_message("user", "hello")
    manager.save(session)
    assert manager.path_of("desktop:a") == tmp_path / "sessions" / "0-desktop_a.jsonl"
    again = SessionManager(tmp_path)
    assert [each["content"] for each in again.get_or_create("desktop:a").messages] == ["hello"]
    assert [each.key for each in again.overviews()] == ["desktop:a"]


def test_beside_nanobots_id_names_stay_those_it_finds(tmp_path: Path) -> None:
    (tmp_path / ".nanobot").mkdir()
    (tmp_path / ".nanobot" / "workspace-id").write_text("0" * 32, "utf-8")
    (tmp_path / "MEMORY.md").write_text("", "utf-8")
    assert SessionFolder(tmp_path / "sessions", tmp_path).place_for("cli:direct").name == encoded_name("cli:direct")


@pytest.mark.parametrize("key", ["", ".", "..", ".hidden", "a\nb", "a\0b", "x" * 400, "\ud800"])
def test_a_key_that_is_no_file_name_still_has_one(key: str, tmp_path: Path) -> None:
    session = SessionManager(tmp_path).get_or_create(key)
    session.add_message("user", "hello")
    manager = SessionManager(tmp_path)
    manager.save(session)
    path = manager.path_of(key)
    assert path is None or not path.name.startswith(".")
    if key not in ("", "\ud800"):  # UTF-8 has no bytes for the latter, an empty key states nothing
        assert [each["content"] for each in SessionManager(tmp_path).get_or_create(key).messages] == ["hello"]


@pytest.mark.parametrize(
    ("stem", "key"),
    [
        ("cli_direct", "cli:direct"),
        ("telegram_a_b", "telegram:a_b"),
        ("plain", "plain"),
        (encoded_stem("cli:direct"), "cli:direct"),
        (encoded_stem("飞书:群"), "飞书:群"),
        ("abcd", "abcd"),
        ("0-desktop_20260301", "desktop:20260301"),
    ],
)
def test_a_file_without_a_key_takes_it_from_its_name(stem: str, key: str) -> None:
    assert key_from_stem(stem) == key


def test_two_keys_of_one_readable_name_have_two_files(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    for key in ("telegram:a_b", "telegram:a:b"):
        session = manager.get_or_create(key)
        session.add_message("user", key)
        manager.append(session)
    assert sorted(path.name for path in manager.sessions_dir.iterdir()) == sorted(
        ["telegram_a_b.jsonl", encoded_name("telegram:a:b")]
    )
    again = SessionManager(tmp_path)
    assert {key: again.get_or_create(key).messages[0]["content"] for key in ("telegram:a_b", "telegram:a:b")} == {
        "telegram:a_b": "telegram:a_b",
        "telegram:a:b": "telegram:a:b",
    }


def test_the_key_in_the_file_counts_not_its_name(tmp_path: Path) -> None:
    path = write_session(tmp_path / "sessions" / "copy of something.jsonl", [metadata("cli:direct"), message(0)])
    manager = SessionManager(tmp_path)
    assert manager.path_of("cli:direct") == path
    assert [each.key for each in manager.overviews()] == ["cli:direct"]


def test_a_readable_name_taken_by_another_key_is_left_alone(tmp_path: Path) -> None:
    other = write_session(tmp_path / "sessions" / "cli_direct.jsonl", [metadata("cli_direct"), message(0)])
    before = other.read_bytes()
    manager = SessionManager(tmp_path)
    session = manager.get_or_create("cli:direct")
    assert len(session.messages) == 0
    session.add_message("user", "mine")
    manager.append(session)
    assert other.read_bytes() == before
    assert manager.path_of("cli:direct") == manager.sessions_dir / encoded_name("cli:direct")


def test_base64_names_of_later_peers_are_opened(tmp_path: Path) -> None:
    write_session(tmp_path / "sessions" / encoded_name("cli:direct"), [metadata("cli:direct"), message(0)])
    assert len(SessionManager(tmp_path).get_or_create("cli:direct").messages) == 1


def test_a_file_of_the_first_generation_without_a_key_is_opened(tmp_path: Path) -> None:
    first = metadata()
    del first["key"]
    write_session(tmp_path / "sessions" / "cli_direct.jsonl", [first, message(0)])
    assert len(SessionManager(tmp_path).get_or_create("cli:direct").messages) == 1


def test_of_two_files_with_one_key_one_is_used_and_the_other_named(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    other = write_session(folder / "cli_direct.jsonl", [metadata(), message(0)])
    write_session(folder / encoded_name("cli:direct"), [metadata(), message(0), message(1)])
    manager = SessionManager(tmp_path)
    assert len(manager.get_or_create("cli:direct").messages) == 2, "as 0.3.0 does"
    assert [each.path.name for each in manager.overviews()] == [encoded_name("cli:direct")]
    assert any(other.name in sentence for sentence in manager.health.complaints("cli:direct"))


def test_an_empty_file_belongs_to_nobody_and_is_used(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "cli_direct.jsonl").touch()
    manager = SessionManager(tmp_path)
    assert manager.overviews() == []
    session = manager.get_or_create("cli:direct")
    session.add_message("user", "hello")
    assert manager.append(session) == [0]
    assert [path.name for path in manager.sessions_dir.iterdir()] == ["cli_direct.jsonl"]
