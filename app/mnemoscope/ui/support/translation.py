"""The window's words in another language, read straight from Qt Linguist's source files.

`resources/translations/mnemoscope_<language>.ts` is the only copy: no compiled file has to be kept beside it.
Format: Qt's TS, https://doc.qt.io/qt-6/linguist-ts-file-format.html
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from mnemoscope.store.files.shipped import shipped

log = logging.getLogger(__name__)
_COUNTRIES = {"en": "en_GB"}
_Words = dict[tuple[str, str], tuple[str, ...]]


class SourceTranslator(QTranslator):
    """Translates by (context, source text); what is missing or unfinished stays in English."""

    def __init__(self, words: _Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words

    def isEmpty(self) -> bool:
        """Returns whether there is nothing to translate with; Qt refuses to install such a translator."""
        return not self._words

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """Returns the words for `source` in this context, or None."""
        forms = self._words.get((context, source))
        if forms is None:
            return None
        return forms[0 if n == 1 else -1]


def read_words(path: Path) -> _Words:
    """Returns a TS file's finished translations, each with its plural forms: one and many, or one for all."""
    words: _Words = {}
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
