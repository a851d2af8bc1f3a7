"""The binding of Enchant against a library of a few words, and against the system's where that is there."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_char_p
from typing import Any

import pytest

from mnemoscope.store.spelling.enchant import EnchantDictionaries, load_enchant, system_dictionaries

WORDS = {b"en_GB": {b"colour", b"tea"}, b"ru_RU": {"чай".encode()}}


class FewWords:
    """Answers as the library does; `freed` notes what was given back."""

    def __init__(self) -> None:
        self.freed = list[object]()
        self.held = list[Any]()
        tags = list(WORDS)

        def list_dicts(_broker: int, note: Callable[..., None], _data: None) -> None:
            for tag in reversed(tags):
                note(tag, b"hunspell", b"", b"", None)

        def suggest(dictionary: int, word: bytes, length: int, count: Any) -> Any:
            near = sorted(each for each in WORDS[tags[dictionary - 1]] if each[:1] == word[:length][:1])
            count._obj.value = len(near)
            self.held.append((c_char_p * max(1, len(near)))(*near))
            return self.held[-1] if near else None

        def check(dictionary: int, word: bytes, length: int) -> int:
            return -1 if word == b"unsayable" else int(word[:length] not in WORDS[tags[dictionary - 1]])

        self.enchant_broker_init = lambda: 7
        self.enchant_broker_free = lambda broker: self.freed.append(broker)
        self.enchant_broker_list_dicts = list_dicts
        self.enchant_broker_request_dict = lambda _broker, tag: tags.index(tag) + 1 if tag in tags else None
        self.enchant_broker_free_dict = lambda _broker, dictionary: self.freed.append(dictionary)
        self.enchant_dict_check = check
        self.enchant_dict_suggest = suggest
        self.enchant_dict_free_string_list = lambda _dictionary, words: self.freed.append(words)


def test_languages_and_words() -> None:
    found = EnchantDictionaries(FewWords())
    assert found.languages() == ["en_GB", "ru_RU"]
    assert found.has("en_GB", "colour")
    assert not found.has("en_GB", "colur")
    assert found.has("ru_RU", "чай")
    assert found.has("en_GB", "unsayable")
    found.close()


def test_a_language_without_a_dictionary_finds_no_fault() -> None:
    found = EnchantDictionaries(FewWords())
    assert found.has("eo", "ĉiu")
    assert found.suggestions("eo", "ĉiu") == []
    assert found.has("en_GB", "x" * 300)
    assert found.suggestions("en_GB", "x" * 300) == []
    found.close()


def test_suggestions_are_given_back_to_the_library() -> None:
    library = FewWords()
    found = EnchantDictionaries(library)
    assert found.suggestions("en_GB", "colur") == ["colour"]
    assert library.freed == [library.held[0]]
    assert found.suggestions("en_GB", "zzz") == []
    found.close()
    assert library.freed[1:] == [1, 7]
    found.close()
    assert library.freed[1:] == [1, 7]


def test_another_library_is_refused() -> None:
    with pytest.raises(OSError, match="no Enchant"):
        EnchantDictionaries(object())


def test_a_library_that_is_missing_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    # What the system has cannot be taken away.
    monkeypatch.setattr("mnemoscope.store.spelling.enchant.find_library", lambda _name: None)
    assert load_enchant(("libnowhere-77.so",)) is None
    monkeypatch.setattr("mnemoscope.store.spelling.enchant.find_library", lambda _name: "libc.so.6")
    assert load_enchant(("libnowhere-77.so",)) is not None


def test_the_system_may_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemoscope.store.spelling.enchant.load_enchant", lambda: None)
    assert system_dictionaries() is None
    monkeypatch.setattr("mnemoscope.store.spelling.enchant.load_enchant", FewWords)
    found = system_dictionaries()
    assert found is not None
    found.close()


@pytest.mark.skipif(load_enchant() is None, reason="the system has no Enchant")
def test_the_dictionaries_of_this_system() -> None:
    found = EnchantDictionaries(load_enchant())
    english = [tag for tag in found.languages() if tag.startswith("en_US")]
    if english:
        assert found.has(english[0], "garden")
        assert not found.has(english[0], "gardne")
        assert "garden" in found.suggestions(english[0], "gardne")
    found.close()
