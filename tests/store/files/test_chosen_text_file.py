"""A file the person drops into a message: text in UTF-8 of a bearable length, or a plain word why not."""

import os
from pathlib import Path

import pytest

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.store.files.chosen_text_file import LIMIT, read_text_file


def test_a_text_file_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes("\ufeffGrüße\r\n🙂".encode())
    assert read_text_file(path) == "Grüße\r\n🙂"


def test_one_of_the_greatest_length_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"a" * LIMIT)
    assert len(read_text_file(path)) == LIMIT


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a" * (LIMIT + 1), "longer than 200 kB"),
        (b"\xff\xfe", "no text in UTF-8"),
        ("Grüße".encode("utf-16"), "no text in UTF-8"),
        (b"a\0b", "no text file"),
        (b"PK\x03\x04\xff\0" + b"a" * LIMIT, "no text file"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "no text file"),
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n\t\n", "is empty"),
    ],
)
def test_anything_else_is_refused_with_the_reason(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(data)
    with pytest.raises(UnreadableFile, match=words) as refused:
        read_text_file(path)
    assert "It was not put in." in str(refused.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="no text file"):
        read_text_file(tmp_path / "pipe")


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.txt"):
        with pytest.raises(UnreadableFile):
            read_text_file(path)
