"""The window's words in another language, read straight from Qt Linguist's source files.

`resources/translations/mnemoscope_<language>.ts` is the only copy: no compiled file has to be kept beside it. It is
compiled at the start, and Qt itself looks in it: Qt asks a translator from any thread, also while it holds a lock, such
as that of its image formats. One written in Python would wait there for the interpreter, which another thread may have
that waits for the lock.
Formats: Qt's TS, https://doc.qt.io/qt-6/linguist-ts-file-format.html, and its QM, as qtranslator.cpp reads it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from mnemoscope.store.files.shipped import shipped

_COUNTRIES = {"en": "en_GB"}
_Words = Mapping[tuple[str, str], tuple[str, ...]]
_MAGIC: Final = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")
_HASHES, _MESSAGES, _PLURALS = 0x42, 0x69, 0x88
_END, _TRANSLATION, _SOURCE, _CONTEXT, _COMMENT = 1, 3, 6, 7, 8
_ONE_OR_MANY: Final = bytes((1, 1))
"""The rule by which the first form is that of exactly one, and the second of any other number."""


class SourceTranslator(QTranslator):
    """Translates by (context, source text); what is missing or unfinished stays in English."""

    def __init__(self, words: _Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Qt reads in it as long as the translator lives.
        self._compiled = compiled_catalog(words)
        self.load(self._compiled)


def compiled_catalog(words: _Words) -> bytes:
    """Returns translations in the form that Qt looks them up in."""
    messages, places = bytearray(), list[tuple[int, int]]()
    for (context, source), forms in words.items():
        places.append((_hash_of(source.encode()), len(messages)))
        for form in forms:
            messages += _field(_TRANSLATION, form.encode("utf-16-be"))
        messages += _field(_COMMENT, b"")
        messages += _field(_SOURCE, source.encode())
        messages += _field(_CONTEXT, context.encode())
        messages.append(_END)
    hashes = b"".join(struct.pack(">II", *place) for place in sorted(places))
    has_plural = any(len(forms) > 1 for forms in words.values())
    plurals = _field(_PLURALS, _ONE_OR_MANY) if has_plural else b""
    return _MAGIC + _field(_HASHES, hashes) + _field(_MESSAGES, bytes(messages)) + plurals


def _field(tag: int, data: bytes) -> bytes:
    return struct.pack(">BI", tag, len(data)) + data


def _hash_of(text: bytes) -> int:
    """Returns the hash of ELF files, by which Qt finds a source text."""
    found = 0
    for each in text:
        found = (found << 4) + each
        high = found & 0xF0000000
        found ^= high | high >> 24
    return found or 1


def read_words(path: Path) -> _Words:
    """Returns a TS file's finished translations, each with its plural forms: one and many, or one for all."""
    words: dict[tuple[str, str], tuple[str, ...]] = {}
    for context in ET.parse(path).iter("context"):
        name = context.findtext("name", "")
        words.update(((name, source), text) for source, text in _messages(context))
    return words


def install_translation(app: QApplication, language: str) -> list[QTranslator]:
    """Installs the translation to `language` (`zh_CN`, `en`), or to the system's language for ""; returns what was
    installed."""
    locale = QLocale(_COUNTRIES.get(language, language)) if language else QLocale.system()
    installed: list[QTranslator] = []
    # English is the language of the sources; its file holds the plurals only.
    for name in dict.fromkeys(("en", locale.name())):
        path = shipped("resources", "translations", f"mnemoscope_{name}.ts")
        if path.is_file():
            installed.append(SourceTranslator(read_words(path), app))
    qt = QTranslator(app)
    if qt.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        installed.append(qt)
    # Dates and figures speak the same language; where the system does already, its own customs stay.
    if locale.language() != QLocale().language():
        QLocale.setDefault(locale)
    for translator in installed:
        app.installTranslator(translator)
    return installed


def _messages(context: Element) -> Iterator[tuple[str, tuple[str, ...]]]:
    for message in context.iter("message"):
        translation = message.find("translation")
        if translation is None or translation.get("type") in {"unfinished", "obsolete", "vanished"}:
            continue
        forms = tuple(form.text or "" for form in translation.iter("numerusform")) or (translation.text or "",)
        if all(forms):
            yield message.findtext("source", ""), forms
