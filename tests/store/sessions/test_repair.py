"""Damage costs the line it is in; nothing else, and no byte is thrown away."""

import json
import os
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.message import DAMAGED_ROLE
from mnemoscope.domain.errors import UnreadableFile, WorkspaceReadOnly
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.peer_loaders import load_0_1_4
from tests.support.privileges import as_nobody, reachable_folder
from tests.support.session_files import line, message, metadata, write_session

KEY = "cli:direct"
MESSAGES = [message(number, "wörds") for number in range(4)]

HOSTILE = {
    "invalid UTF-8": (b'{"role": "user", "content": "\xff\xfe"}', "not valid UTF-8"),
    "NUL run": (b"\0" * 4096, "NUL"),
    "NUL in text": (b'{"role": "user", "content": "\0"}', "NUL"),
    "deep list": (b"[" * 100_000, "no JSON object"),
    "deep object": (b'{"role":' * 100_000 + b"}" * 100_000, "nested too deeply"),
    "deep content": (b'{"role": "user", "content": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
    "huge number": (b'{"role": "user", "content": ' + b"9" * 5000 + b"}", "too long"),
    "no object": (b"[1, 2]", "no JSON object"),
    "a string": (b'"words"', "no JSON object"),
    "a number": (b"12", "no JSON object"),
    "null": (b"null", "no JSON object"),
    "half a line": (b'{"role": "user", "cont', "cut off"),
    "no role": (b'{"content": "x"}', "no role"),
    "role no text": (b'{"role": 3, "content": "x"}', "no role"),
    "two objects": (line(MESSAGES[0])[:-1] * 2, "no valid JSON"),
    "line separator after": (b'{"role": "user", "content": "x"}\xe2\x80\xa8', "no JSON object"),
    "control character": (b'{"role": "user", "content": "\x01"}', "no valid JSON"),
    "words": (b"not json at all", "no JSON object"),
}

HARMLESS = {
    "blank": (b"", None),
    "spaces": (b"  \t ", None),
    "CR only": (b"\r", None),
    "CRLF": (line(MESSAGES[0])[:-1] + b"\r", MESSAGES[0]),
    "line separators": (line({**MESSAGES[0], "content": "a\u2028b\u2029c\x85d"})[:-1], "a\u2028b\u2029c\x85d"),
    "NaN": (b'{"role": "user", "content": "x", "n": NaN}', "x"),
    "compact": (b'{"role":"user","content":"x"}', "x"),
    "10 MB": (line({**MESSAGES[0], "content": "x" * 10_000_000})[:-1], "x" * 10_000_000),
    "long number": (b'{"role": "user", "content": "x", "n": 123456789012345678901234567890}', "x"),
    "lone surrogate": (b'{"role": "user", "content": "a\\ud800b"}', "a\ufffdb"),
}


def place(tmp_path: Path) -> Path:
    return tmp_path / "sessions" / "cli_direct.jsonl"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_damaged_line_costs_only_itself(tmp_path: Path, name: str) -> None:
    bad, reason = HOSTILE[name]
    path = write_session(place(tmp_path), [metadata(last_consolidated=1), *MESSAGES[:2], bad + b"\n", *MESSAGES[2:]])
    before = path.read_bytes()
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    found = list(session.messages)
    assert [each for each in found if each["role"] != DAMAGED_ROLE] == MESSAGES
    assert found[2]["role"] == DAMAGED_ROLE
    assert session.last_consolidated == 1
    assert path.read_bytes() == before
    (record,) = manager.health.verify(session)
    assert reason in record.reason
    assert (record.line, record.length) == (4, len(bad))
    assert before[record.offset : record.offset + record.length] == bad
    kept = tmp_path / record.kept_in
    assert kept.read_bytes() == bad
    note = json.loads(kept.with_suffix(".json").read_text(encoding="utf-8"))
    assert (note["file"], note["line"], note["offset"]) == ("sessions/cli_direct.jsonl", 4, record.offset)
    assert session.get_history() == [{"role": m["role"], "content": m["content"]} for m in MESSAGES[2:]]


@pytest.mark.parametrize("name", HARMLESS)
def test_an_unusual_line_is_no_damage(tmp_path: Path, name: str) -> None:
    odd, content = HARMLESS[name]
    write_session(place(tmp_path), [metadata(), *MESSAGES[:2], odd + b"\n", *MESSAGES[2:]])
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    found = [each["content"] for each in session.messages]
    expected = [each["content"] for each in MESSAGES]
    if content is not None:
        expected.insert(2, content["content"] if isinstance(content, dict) else content)
    assert found == expected
    assert manager.health.verify(session) == []
    assert not (tmp_path / ".mnemoscope").exists()


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    text = b"".join(map(line, [metadata(last_consolidated=2), *MESSAGES])).replace(b"\n", b"\r\n")
    path = write_session(place(tmp_path), [b"\xef\xbb\xbf" + text])
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    assert session.messages == MESSAGES
    assert session.last_consolidated == 2
    assert manager.health.complaints(KEY) == []
    session.add_message("user", "more")
    assert manager.append(session) == [4]
    assert path.read_bytes().startswith(b"\xef\xbb\xbf" + text)


def tried(whole: bytes, stride: int) -> list[int]:
    """Returns the first of so many places of a file, and all those beside the end of a line."""
    return [at for at in range(len(whole)) if at % stride == 0 or b"\n" in whole[max(0, at - 2) : at + 2]]


@pytest.mark.slow
def test_a_file_cut_at_any_byte_loses_at_most_the_line_of_the_cut(tmp_path: Path, stride: int) -> None:
    whole = b"".join(map(line, [metadata(), *MESSAGES, metadata(last_consolidated=2)]))
    for cut in tried(whole, stride)[1:]:
        root = tmp_path / str(cut)
        write_session(place(root), [whole[:cut]])
        manager = SessionManager(root)
        session = manager.get_or_create(KEY)
        complete = whole[:cut].count(b"\n")
        expected = MESSAGES[: max(0, complete - 1)]
        assert list(session.messages)[: len(expected)] == expected
        assert len(session.messages) - len(expected) in (0, 1)
        session.add_message("user", "next")
        manager.append(session)
        again = SessionManager(root).get_or_create(KEY)
        assert list(again.messages) == list(session.messages)
        assert again.messages[-1]["content"] == "next"
        kept = b"".join(file.read_bytes() for file in sorted(root.rglob("*.bin")))
        text = place(root).read_bytes()
        assert text.startswith(whole[: cut - len(kept)])
        assert whole[:cut].endswith(kept)
        assert len(load_0_1_4(place(root)).messages) == len(session.messages)


@pytest.mark.slow
def test_one_changed_byte_loses_at_most_its_line(tmp_path: Path, stride: int) -> None:
    messages = [message(number) for number in range(2)]
    whole = b"".join(map(line, [metadata(), *messages]))
    for number, flip in ((number, flip) for number in tried(whole, stride) for flip in (0x01, 0x20, 0x80)):
        changed = bytearray(whole)
        changed[number] ^= flip
        write_session(place(tmp_path), [bytes(changed)])
        manager = SessionManager(tmp_path)
        keys = [each.key for each in manager.overviews()]
        session = manager.get_or_create(keys[0])
        manager.health.verify(session)
        # A line end that is no longer one makes one line of two.
        hit = {whole[:number].count(b"\n"), whole[: number + 1].count(b"\n")}
        for place_of, original in enumerate(messages, 1):
            if place_of not in hit:
                assert original in list(session.messages), (number, flip)


def test_a_torn_last_line_is_kept_aside_and_cut_before_the_next_append(tmp_path: Path) -> None:
    path = write_session(place(tmp_path), [metadata(), *MESSAGES, b'{"role": "user", "cont'])
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    assert session.messages == MESSAGES
    (record,) = manager.health.damage(KEY)
    assert (tmp_path / record.kept_in).read_bytes() == b'{"role": "user", "cont'
    assert (record.line, record.reason) == (6, "was cut off while it was written")
    assert path.read_bytes().endswith(line(MESSAGES[-1]))
    session.add_message("user", "next")
    assert manager.append(session) == [4]
    assert load_0_1_4(path).messages == list(session.messages)


def test_a_last_line_that_only_lacks_its_newline_is_kept(tmp_path: Path) -> None:
    path = write_session(place(tmp_path), [metadata(), *MESSAGES[:3], line(MESSAGES[3])[:-1]])
    session = SessionManager(tmp_path).get_or_create(KEY)
    assert session.messages == MESSAGES
    assert path.read_bytes().endswith(line(MESSAGES[3]))
    assert not (tmp_path / ".mnemoscope").exists()


def test_looking_read_only_changes_nothing_at_all(tmp_path: Path) -> None:
    bad = HOSTILE["NUL run"][0] + b"\n"
    write_session(place(tmp_path), [metadata(), *MESSAGES[:3], bad, line(MESSAGES[3])[:-1]])
    torn = write_session(tmp_path / "sessions" / "cli_torn.jsonl", [metadata("cli:torn"), *MESSAGES, b'{"ro'])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    manager = SessionManager(tmp_path, read_only=True)
    assert [each for each in manager.get_or_create(KEY).messages if each["role"] != DAMAGED_ROLE] == MESSAGES
    assert manager.get_or_create("cli:torn").messages == MESSAGES
    assert [record.kept_in for record in manager.health.damage(KEY) + manager.health.damage("cli:torn")] == ["", ""]
    assert manager.health.damage("cli:torn")[0].offset == torn.stat().st_size - 4
    manager.overviews()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_same_damage_is_kept_once(tmp_path: Path) -> None:
    write_session(place(tmp_path), [metadata(), b"\0\0\0\n", *MESSAGES])
    for _ in range(3):
        manager = SessionManager(tmp_path)
        manager.get_or_create(KEY)
        assert len(manager.health.damage(KEY)) == 1
    assert len(list((tmp_path / ".mnemoscope" / "quarantine").iterdir())) == 2


@pytest.mark.slow
def test_a_file_full_of_damage_does_not_flood_the_quarantine(tmp_path: Path) -> None:
    write_session(place(tmp_path), [metadata(), *(f"damaged {number}\n".encode() for number in range(1000))])
    manager = SessionManager(tmp_path)
    assert len(manager.get_or_create(KEY).messages) == 1000
    records = manager.health.damage(KEY)
    assert len(records) == 1000
    assert sum(bool(record.kept_in) for record in records) == 200


def test_a_folder_of_that_name_is_unreadable_and_stays(tmp_path: Path) -> None:
    place(tmp_path).mkdir(parents=True)
    manager = SessionManager(tmp_path)
    with pytest.raises(UnreadableFile, match="it is a folder"):
        manager.get_or_create(KEY)
    (overview,) = manager.overviews()
    assert overview.problem
    assert place(tmp_path).is_dir()


def test_a_pipe_of_that_name_does_not_stop_the_program(tmp_path: Path) -> None:
    place(tmp_path).parent.mkdir()
    os.mkfifo(place(tmp_path))
    with pytest.raises(UnreadableFile, match="no ordinary file"):
        SessionManager(tmp_path).get_or_create(KEY)


def test_a_file_without_access_is_unreadable_and_never_overwritten() -> None:
    with reachable_folder() as folder:
        path = write_session(place(folder), [metadata(), *MESSAGES])
        path.chmod(0)
        manager = SessionManager(folder)
        with as_nobody(), pytest.raises(UnreadableFile, match="access is refused"):
            manager.get_or_create(KEY)
        path.chmod(0o600)
        assert manager.get_or_create(KEY).messages == MESSAGES


def test_a_link_that_leads_nowhere_is_left_alone(tmp_path: Path) -> None:
    place(tmp_path).parent.mkdir()
    place(tmp_path).symlink_to(place(tmp_path))
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.add_message("user", "hello")
    manager.append(session)
    assert place(tmp_path).is_symlink()
    assert len(SessionManager(tmp_path).get_or_create(KEY).messages) == 1


def test_a_linked_file_is_appended_to_where_it_really_is(tmp_path: Path) -> None:
    real = write_session(tmp_path / "elsewhere" / "real.jsonl", [metadata(), *MESSAGES])
    place(tmp_path).parent.mkdir()
    place(tmp_path).symlink_to(real)
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.add_message("user", "hello")
    assert manager.append(session) == [4]
    assert load_0_1_4(real).messages == list(session.messages)


def test_a_torn_end_is_set_aside_at_opening_so_that_no_other_program_adds_to_it(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create("cli:direct")
    session.add_message("user", "whole")
    manager.save(session)
    path = manager.path_of("cli:direct")
    assert path is not None
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"role": "assistant", "conte')
    again = SessionManager(tmp_path)
    again.health.mend_ends()
    assert path.read_bytes() == whole
    with path.open("ab") as file:
        file.write(b'{"role": "user", "content": "from elsewhere"}\n')
    found = again.get_or_create("cli:direct")
    assert [message["content"] for message in found.messages] == ["whole", "from elsewhere"]
    assert [each.length for each in again.health.damage("cli:direct")] == [28]


def test_looking_only_mends_nothing(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceReadOnly):
        SessionManager(tmp_path, read_only=True).health.mend_ends()
