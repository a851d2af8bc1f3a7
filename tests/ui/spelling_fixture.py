"""A speller of a few words in place of the system's dictionaries, for as long as a test runs (fixture `few_words`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from mnemoscope.store.spelling.own_words import OwnWords
from mnemoscope.ui.support.spelling import Spelling, spelling

KNOWN = {
    "en_GB": {"the", "garden", "colour", "likes", "tea", "and", "is", "facts"},
    "en_US": {"the", "garden", "color", "likes", "tea", "and", "is"},
    "ru_RU": {"чай", "и"},
}


class FewDictionaries:
    """Knows the words of `KNOWN`; what may be meant begins with the same two letters."""

    def __init__(self) -> None:
        self.closed = 0

    def languages(self) -> list[str]:
        return sorted(KNOWN)

    def has(self, language: str, word: str) -> bool:
        return word.lower() in KNOWN[language]

    def suggestions(self, language: str, word: str) -> list[str]:
        return sorted(each for each in KNOWN[language] if each[:2] == word[:2].lower())

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def few_words(tmp_path: Path) -> Iterator[Spelling]:
    settings = QSettings(str(tmp_path / "spelling.ini"), QSettings.Format.IniFormat)
    settings.setValue("spelling/languages", ["en_GB", "ru_RU"])
    known = spelling()
    known.begin(FewDictionaries, OwnWords(tmp_path / "dictionary.txt"), settings)
    yield known
    known.end()
