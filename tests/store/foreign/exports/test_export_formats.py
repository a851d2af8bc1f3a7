"""What an export is, where its files are, and what is not read of it."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.foreign.exports.export_files import ExportFiles
from mnemoscope.store.foreign.exports.export_formats import open_export
from mnemoscope.store.foreign.reading.json_array import decoded_object, elements
from tests.foreign_stores import chatgpt, claude_ai
from tests.support.privileges import as_nobody, reachable_folder


def test_an_export_is_known_by_its_first_record(tmp_path: Path) -> None:
    of_chatgpt = chatgpt.write_zip(tmp_path / "a.zip", [chatgpt.talk("c", "x")])
    of_claude = claude_ai.write_old(tmp_path / "b.zip", [claude_ai.talk("c", "x")])
    empty = chatgpt.write_folder(tmp_path / "c", [])
    found = {each.name: open_export(each) for each in (of_chatgpt, of_claude, empty)}
    assert {name: export.title if export else "" for name, export in found.items()} == {
        "a.zip": "ChatGPT",
        "b.zip": "Claude",
        "c": "ChatGPT",
    }
    (tmp_path / "c" / "conversations-000.json").write_text('[{"odd": 1}]', "utf-8")
    assert open_export(tmp_path / "c") is not None
    alone = open_export(tmp_path / "c" / "conversations.json")
    assert alone is not None
    assert alone.title == "ChatGPT"


def test_memories_alone_are_claudes(tmp_path: Path) -> None:
    (tmp_path / "memories.json").write_text(json.dumps(claude_ai.memory("- a")), "utf-8")
    export = open_export(tmp_path)
    assert export is not None
    assert [each.text for each in export.memories()] == ["a"]


def test_what_is_no_export_is_none(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello", "utf-8")
    assert open_export(tmp_path) is None
    with pytest.raises(StorageError):
        open_export(tmp_path / "missing.zip") or ExportFiles(tmp_path / "missing.zip").read("x")


def test_a_zip_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 not a zip")
    files = ExportFiles(tmp_path / "broken.zip")
    assert files.names() == []
    assert files.problems == ["“broken.zip” could not be read: the zip is cut off or damaged."]
    (tmp_path / "notes.zip").write_bytes(b"a note")
    assert ExportFiles(tmp_path / "notes.zip").problems == ["“notes.zip” could not be read: it is no zip."]
    assert open_export(tmp_path / "notes.zip") is None


@pytest.mark.parametrize("missing", [1, 30, 400])
def test_an_export_whose_zip_is_cut_off_is_refused_with_that_sentence(tmp_path: Path, missing: int) -> None:
    path = chatgpt.write_zip(tmp_path / "export.zip", [chatgpt.talk("c", "x")])
    path.write_bytes(path.read_bytes()[:-missing])
    with pytest.raises(StorageError) as refused:
        open_export(path)
    assert refused.value.sentence == "“export.zip” could not be read: the zip is cut off or damaged."
    assert refused.value.next_step.startswith("Download the export once more")


def test_a_zip_that_is_gone_when_it_is_looked_at_is_not_taken_for_a_zip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(b"PK\x03\x04")

    def go(_path: Path) -> None:
        path.unlink()
        raise zipfile.BadZipFile

    # It goes between two reads, which are no file calls.
    monkeypatch.setattr(zipfile, "ZipFile", go)
    assert ExportFiles(path).problems == ["“export.zip” could not be read: it is no zip."]


def test_a_zip_that_cannot_be_opened_is_told_with_the_reason() -> None:
    with reachable_folder() as folder:
        path = chatgpt.write_zip(folder / "export.zip", [chatgpt.talk("c", "x")])
        path.chmod(0)
        with as_nobody(), pytest.raises(StorageError, match=r"“export\.zip” could not be read: "):
            open_export(path)


def test_an_empty_zip_has_no_files(tmp_path: Path) -> None:
    zipfile.ZipFile(tmp_path / "empty.zip", "w").close()
    assert open_export(tmp_path / "empty.zip") is None


def test_what_unpacks_to_far_too_much_is_not_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * 20_000_000)
        archive.writestr("dir/", b"")
    files = ExportFiles(tmp_path / "bomb.zip")
    for _ in range(2):
        assert files.read("conversations.json") == b""
    assert files.problems == ["“conversations.json” could not be read: it would unpack to far more than it can hold."]
    files.close()


def test_a_file_beyond_the_bound_is_not_read(tmp_path: Path) -> None:
    folder = chatgpt.write_folder(tmp_path / "export", [chatgpt.talk("c", "x" * 500)])
    packed = chatgpt.write_zip(tmp_path / "export.zip", [chatgpt.talk("c", "x" * 500)])
    for path in (folder, packed):
        files = ExportFiles(path, most_bytes=100)
        assert files.read("conversations.json") == b""
        assert files.problems == ["“conversations.json” could not be read: it has more than 100 bytes."]
        files.close()


def test_names_in_a_zip_lead_nowhere(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "e.zip", "w") as archive:
        archive.writestr("../../conversations.json", "[]")
        archive.writestr("/etc/conversations-001.json", "[]")
    files = ExportFiles(tmp_path / "e.zip")
    assert len(files.matching(r"conversations(-\d+)?\.json")) == 2
    assert os.listdir(tmp_path) == ["e.zip"]
    files.close()


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text("[]", "utf-8")
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "conversations.json").symlink_to(outside)
    assert ExportFiles(folder).names() == []


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    files = ExportFiles(tmp_path)
    assert files.read("conversations.json") == b""
    assert len(files.problems) == 1


def test_a_member_whose_bytes_are_damaged_is_told(tmp_path: Path) -> None:
    path = chatgpt.write_zip(tmp_path / "e.zip", [chatgpt.talk("c", "hello " * 500)])
    data = bytearray(path.read_bytes())
    place = data.index(b"conversations.json") + 60
    data[place] ^= 0xFF
    path.write_bytes(data)
    files = ExportFiles(path)
    assert files.read("conversations.json") == b""
    assert files.problems == ["“conversations.json” could not be read: it is damaged in the zip."]
    files.close()


def test_an_array_is_read_element_by_element() -> None:
    found, problem = elements(b'\xef\xbb\xbf[{"a": 1}, {"b": 2}]')
    assert ([decoded_object(each) for each in found], problem) == ([{"a": 1}, {"b": 2}], "")
    assert [decoded_object(each) for each in elements(b'{"a": 1}')[0]] == [{"a": 1}]


@pytest.mark.parametrize(
    ("data", "whole"),
    [
        (b'[{"a": "}]"}, {"b": {"c": [1]}}, {"d', 2),
        (b'[{"a": 1} junk {"b": 2}] {"c": 3}', 2),
        (b'{"a": 1}\n{"b": [2]}\n', 2),
        (b'[{"a": 1}]]', 1),
        (b"", 0),
        (b"[" * 5_000, 0),
    ],
)
def test_of_a_damaged_array_the_whole_objects_are_found(data: bytes, whole: int) -> None:
    found, problem = elements(data)
    assert len([each for each in found if decoded_object(each) is not None]) == whole
    assert problem != ""


@pytest.mark.parametrize("data", [b"[1]", b"{" * 3_000, b'{"a": ' * 3_000, b"\xff\xfe"])
def test_what_is_no_object_is_none(data: bytes) -> None:
    assert decoded_object(data) is None


def test_lone_surrogates_and_control_characters_are_borne() -> None:
    assert decoded_object(b'{"a": "\\ud800 \x01", "b": NaN}') is not None
