"""Every byte of a folder is searched for words, whatever the files are."""

from __future__ import annotations

import gzip
import random
import zlib
from pathlib import Path

import pytest

from mnemoscope.domain.forgetting import compressed_streams
from mnemoscope.domain.forgetting.compressed_streams import UnpackingBounds, streams, unpacked_stream
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.forgetting import byte_search
from mnemoscope.store.forgetting.byte_search import SearchedFiles, count_in_file, files_below

WHAT = ForgottenText.of("Lives in Oslo now")
SAID = b"She lives in Oslo now, by the harbour."


def noise(size: int) -> bytes:
    return random.Random(7).randbytes(size)


def test_links_and_folders_are_no_files_to_search(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for name in ("b.txt", "a.txt", "below/c.txt"):
        (tmp_path / name).write_text("words", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    found = [path.relative_to(tmp_path).as_posix() for path in files_below(tmp_path)]
    assert found == ["a.txt", "b.txt", "below/c.txt"]


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@pytest.mark.parametrize(("blocks", "more"), [(0, 0), (0, 3), (1, -4), (1, 0)])
def test_words_in_compressed_streams_count_once_a_stream_wherever_these_begin(
    tmp_path: Path, blocks: int, more: int, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = byte_search._BLOCK if is_long else 200_000
    monkeypatch.setattr(byte_search, "_BLOCK", block)
    path = tmp_path / "file.bin"
    long = zlib.compress(noise(block).hex().encode() + SAID)
    path.write_bytes(b"." * (blocks * block + more) + gzip.compress(SAID * 3) + b"between" + long)
    searched = SearchedFiles()
    assert count_in_file(path, WHAT, searched) == 2
    assert (searched.files, searched.bytes) == (1, path.stat().st_size)
    assert count_in_file(path, WHAT, unpack=False) == 0
    assert count_in_file(path, ForgottenText.of("Lives in Bergen now")) == 0
    assert count_in_file(tmp_path / "gone", WHAT) == 0


# It takes no branch that no other test takes.
@pytest.mark.no_cover
def test_a_stream_that_unpacks_without_end_is_read_as_far_as_the_bounds(
    tmp_path: Path, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = compressed_streams._MOST_OF_STREAM if is_long else 3_200_000
    monkeypatch.setattr(compressed_streams, "_MOST_OF_STREAM", most)
    bomb = gzip.compress(gzip.compress(bytes(most * 5 // 4)) * 3 + SAID)
    bounds = UnpackingBounds()
    (outer,) = streams(bomb, bounds)
    assert not WHAT.stands_in(outer[: -len(SAID)], bounds)
    assert bounds.bytes == UnpackingBounds().bytes - len(outer) - 3 * most
    assert unpacked_stream([bomb], UnpackingBounds(0)) == (b"", 0)
    assert unpacked_stream([], bounds) == (b"", 0)
    path = tmp_path / "bomb.gz"
    path.write_bytes(bomb)
    assert count_in_file(path, WHAT) == 1


def test_streams_of_a_damaged_or_tiny_file_are_read_as_far_as_they_go() -> None:
    for data in (b"PK\x03\x04", b"PK\x03\x04" + bytes(4) + b"\x08\x00", b"\x1f\x8b\x08", b"x\x9cx\x9c", b"BZh91AY&SY"):
        assert list(streams(data, UnpackingBounds())) == []
