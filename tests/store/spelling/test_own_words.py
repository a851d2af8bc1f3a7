"""The person's own words are kept, and a file that cannot be read is neither taken for empty nor written over."""

from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.spelling.own_words import OwnWords


def test_words_are_added_once_behind_the_others(tmp_path: Path) -> None:
    kept = OwnWords(tmp_path / "new" / "words.txt")
    assert kept.load() == frozenset()
    kept.add("pgbouncer")
    kept.add("qanot")
    kept.add("pgbouncer")
    assert kept.path.read_bytes() == b"pgbouncer\nqanot\n"
    assert OwnWords(kept.path).load() == {"pgbouncer", "qanot"}


def test_what_a_person_wrote_by_hand_stays(tmp_path: Path) -> None:
    kept = OwnWords(tmp_path / "words.txt")
    kept.path.write_bytes("\ufeffчай \r\n\r\n tea".encode())
    assert kept.load() == {"чай", "tea"}
    kept.add("café")
    assert kept.load() == {"чай", "tea", "café"}


def test_a_file_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "words.txt"
    folder.mkdir()
    kept = OwnWords(folder)
    assert kept.load() == frozenset()
    with pytest.raises(StorageError):
        kept.add("tea")
