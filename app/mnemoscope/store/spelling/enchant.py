"""The dictionaries of the system, through Enchant 2, the library that desktops share for this: https://abiword.github.io/enchant.

It is found at run time and nothing here needs it. A binding of our own, since it is eight functions of a C interface
that has not changed since 2017; the usual one brings the same by ctypes, under a licence this project does not take.
"""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Sequence
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_size_t, c_ssize_t, c_void_p
from ctypes.util import find_library
from typing import Any, Final

log = logging.getLogger(__name__)

_NAMES: Final = (
    "libenchant-2.so.2",
    "libenchant-2.dylib",
    "/opt/homebrew/lib/libenchant-2.dylib",
    "libenchant-2.dll",
)
_LISTED: Final = CFUNCTYPE(None, c_char_p, c_char_p, c_char_p, c_char_p, c_void_p)
_MOST_BYTES: Final = 200
"""Bytes of a word that is looked up; a longer one is none, and a dictionary may read no further."""


def load_enchant(names: Sequence[str] = _NAMES) -> Any:
    """Returns the system's library, or None where it has none that can be loaded."""
    found = find_library("enchant-2")
    for name in (*names, *([found] if found else ())):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def system_dictionaries() -> EnchantDictionaries | None:
    """Returns the dictionaries of the system, None where it has none. Raises OSError where they cannot be used."""
    library = load_enchant()
    return None if library is None else EnchantDictionaries(library)


class EnchantDictionaries:
    """Looks words up in the dictionaries of the system. Blocks; one thread uses it, from its making to `close`.

    `library` is what `load_enchant` returned. Raises OSError where that is no Enchant 2.
    """

    def __init__(self, library: Any) -> None:
        try:
            _declare(library)
        except AttributeError as error:
            raise OSError("this is no Enchant 2") from error
        self._library = library
        self._broker: int | None = library.enchant_broker_init()
        self._open: dict[str, int | None] = {}

    def languages(self) -> list[str]:
        """Returns the tags of the languages there are dictionaries for, such as `en_GB`, in order."""
        found = set[str]()

        def note(tag: bytes, *_about: object) -> None:
            found.add(tag.decode("ascii", "replace"))

        self._library.enchant_broker_list_dicts(self._broker, _LISTED(note), None)
        return sorted(found)

    def has(self, language: str, word: str) -> bool:
        """Returns whether a language has a word; one without a dictionary has every word."""
        opened, letters = self._dictionary(language), word.encode()
        if opened is None or not 0 < len(letters) <= _MOST_BYTES:
            return True
        # 0: it is there; 1: it is not; -1: the dictionary cannot say.
        return int(self._library.enchant_dict_check(opened, letters, len(letters))) != 1

    def suggestions(self, language: str, word: str) -> list[str]:
        """Returns words of a language that may be meant, the nearest first."""
        opened, letters = self._dictionary(language), word.encode()
        if opened is None or not 0 < len(letters) <= _MOST_BYTES:
            return []
        count = c_size_t(0)
        words = self._library.enchant_dict_suggest(opened, letters, len(letters), ctypes.byref(count))
        if not words:
            return []
        try:
            return [words[place].decode("utf-8", "replace") for place in range(count.value)]
        finally:
            self._library.enchant_dict_free_string_list(opened, words)

    def close(self) -> None:
        """Releases the dictionaries; nothing can be looked up any more."""
        for opened in filter(None, self._open.values()):
            self._library.enchant_broker_free_dict(self._broker, opened)
        self._open.clear()
        broker, self._broker = self._broker, None
        if broker is not None:
            self._library.enchant_broker_free(broker)

    def _dictionary(self, language: str) -> int | None:
        if language not in self._open:
            self._open[language] = self._library.enchant_broker_request_dict(self._broker, language.encode())
            if self._open[language] is None:
                log.info("the system has no dictionary for %s", language)
        return self._open[language]


def _declare(library: Any) -> None:
    """States what the functions take and return: a pointer that ctypes takes for an int would be cut to 32 bits."""
    for name, takes, returns in (
        ("broker_init", [], c_void_p),
        ("broker_free", [c_void_p], None),
        ("broker_list_dicts", [c_void_p, _LISTED, c_void_p], None),
        ("broker_request_dict", [c_void_p, c_char_p], c_void_p),
        ("broker_free_dict", [c_void_p, c_void_p], None),
        ("dict_check", [c_void_p, c_char_p, c_ssize_t], c_int),
        ("dict_suggest", [c_void_p, c_char_p, c_ssize_t, POINTER(c_size_t)], POINTER(c_char_p)),
        ("dict_free_string_list", [c_void_p, POINTER(c_char_p)], None),
    ):
        function = getattr(library, f"enchant_{name}")
        function.argtypes, function.restype = takes, returns
