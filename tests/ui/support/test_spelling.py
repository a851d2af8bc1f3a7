"""Words are looked up on a thread of their own, in the languages that were chosen and in letters of theirs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from mnemoscope.store.spelling.own_words import OwnWords
from mnemoscope.ui.support.spelling import Spelling, language_name, usual_languages
from tests.ui.spelling_fixture import FewDictionaries, few_words

__all__ = ["few_words"]


def learn(qtbot: QtBot, known: Spelling, *words: str) -> dict[str, bool | None]:
    """Asks for words until all are known."""
    qtbot.waitUntil(lambda: None not in {word: known.is_wrong(word) for word in words}.values())
    return {word: known.is_wrong(word) for word in words}


def test_words_are_looked_up_in_the_languages_of_their_letters(qtbot: QtBot, few_words: Spelling) -> None:
    assert few_words.is_wrong("gardne") is None
    found = learn(qtbot, few_words, "garden", "Garden", "gardne", "color", "чай", "чааай", "τσάι")
    assert found == {
        "garden": False,
        "Garden": False,
        "gardne": True,
        "color": True,
        "чай": False,
        "чааай": True,
        "τσάι": False,
    }
    assert few_words.available == ("en_GB", "en_US", "ru_RU")


def test_what_may_be_meant_comes_after_a_wrong_word(qtbot: QtBot, few_words: Spelling) -> None:
    learn(qtbot, few_words, "gardne")
    qtbot.waitUntil(lambda: few_words.meant("gardne") is not None)
    assert few_words.meant("gardne") == ("garden",)


def test_another_language_is_looked_at_once_it_is_chosen(qtbot: QtBot, few_words: Spelling) -> None:
    assert learn(qtbot, few_words, "color") == {"color": True}
    few_words.choose(["en_US"])
    assert learn(qtbot, few_words, "color", "чааай") == {"color": False, "чааай": False}
    assert few_words.languages == ("en_US",)
    few_words.choose([])
    assert learn(qtbot, few_words, "gardne") == {"gardne": False}


def test_a_word_that_was_added_is_right_in_other_forms_too(qtbot: QtBot, few_words: Spelling, tmp_path: Path) -> None:
    assert learn(qtbot, few_words, "qanot") == {"qanot": True}
    few_words.add("qanot")
    assert learn(qtbot, few_words, "qanot", "Qanot", "Qanot's") == dict.fromkeys(("qanot", "Qanot", "Qanot's"), False)
    assert (tmp_path / "dictionary.txt").read_text(encoding="utf-8") == "qanot\n"


def test_switched_off_nothing_is_wrong(qtbot: QtBot, few_words: Spelling) -> None:
    assert learn(qtbot, few_words, "gardne") == {"gardne": True}
    few_words.turn_on(False)
    assert few_words.is_wrong("gardne") is False
    few_words.turn_on(True)
    assert learn(qtbot, few_words, "gardne") == {"gardne": True}


def _fails() -> FewDictionaries:
    raise OSError("this is no Enchant 2")


@pytest.mark.parametrize("dictionaries", [lambda: None, _fails])
def test_a_system_without_dictionaries_finds_no_fault(
    qtbot: QtBot, dictionaries: Callable[[], FewDictionaries | None], tmp_path: Path
) -> None:
    known = Spelling()
    settings = QSettings(str(tmp_path / "spelling.ini"), QSettings.Format.IniFormat)
    known.begin(dictionaries, OwnWords(tmp_path / "dictionary.txt"), settings)
    assert learn(qtbot, known, "gardne") == {"gardne": False}
    assert known.available == ()
    assert known.meant("gardne") is None
    known.end()


def test_it_is_off_before_it_is_begun() -> None:
    known = Spelling()
    assert not known.is_on
    assert known.is_wrong("gardne") is False
    assert known.meant("gardne") is None
    known.turn_on(True)
    known.choose(["en_GB"])
    known.add("tea")
    known.end()


@pytest.mark.parametrize(
    ("preferred", "usual"),
    [
        (["en-GB", "en"], ("en_GB",)),
        (["ru-RU", "ru", "en"], ("en_US", "ru_RU")),
        (["C"], ("en_US",)),
        (["de-AT"], ("de_DE", "en_US")),
    ],
)
def test_usual_languages_are_the_system_s_and_english(preferred: list[str], usual: tuple[str, ...]) -> None:
    assert usual_languages(("de_DE", "en_AU", "en_GB", "en_US", "ru_RU"), preferred) == usual
    assert usual_languages((), preferred) == ()


def test_a_language_bears_the_name_its_speakers_give_it() -> None:
    assert language_name("ru_RU") == "Русский (Россия)"
    assert "English" in language_name("en_GB")
    assert language_name("xx") == "xx"
