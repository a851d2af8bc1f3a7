"""Checks spelling with the dictionaries of the system, beside the window's thread; off where the system has none.

One thread of its own asks the dictionaries: a batch of words at a time, then for the words of which a wrong one was
seen what may be meant. Nobody waits for it; `answered` tells when more is known.
"""

from __future__ import annotations

import logging
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, Protocol

from PySide6.QtCore import QLocale, QObject, QSettings, QTimer, Signal

from mnemoscope.store.spelling.own_words import OwnWords

log = logging.getLogger(__name__)
_ON: Final = "spelling/on"
_LANGUAGES: Final = "spelling/languages"
_ASK_MS: Final = 120
"""Milliseconds after which the words that are not known yet are asked for, at once."""
_BATCH: Final = 300
_KEPT: Final = 50_000
"""Words whose spelling is remembered."""
_OFFERED: Final = 5
_WAITING: Final = 60
"""Wrong words for which it is looked what may be meant; more are looked for when somebody asks."""


class Dictionaries(Protocol):
    """Looks words up, as EnchantDictionaries does. Blocks."""

    def languages(self) -> list[str]:
        """Returns the tags of the languages there are dictionaries for."""
        ...

    def has(self, language: str, word: str) -> bool:
        """Returns whether a language has a word."""
        ...

    def suggestions(self, language: str, word: str) -> list[str]:
        """Returns words of a language that may be meant, the nearest first."""
        ...

    def close(self) -> None:
        """Releases the dictionaries."""
        ...


class Spelling(QObject):
    """Knows of words whether they are spelled as a dictionary of the chosen languages has them."""

    answered = Signal()
    """More is known than before: which words are wrong, what may be meant, or which languages there are."""

    def __init__(self) -> None:
        super().__init__()
        self._open: Callable[[], Dictionaries | None] | None = None
        self._own: OwnWords | None = None
        self._settings: QSettings | None = None
        self._worker: _Worker | None = None
        self._wrong: dict[str, bool] = {}
        self._meant: dict[str, tuple[str, ...]] = {}
        self._waiting: OrderedDict[str, None] = OrderedDict()
        self._to_suggest: OrderedDict[str, None] = OrderedDict()
        self._is_busy = self._is_missing = False
        self.available: tuple[str, ...] = ()
        """The languages there are dictionaries for; none before the first word was asked for."""
        self._soon = QTimer(self, singleShot=True, interval=_ASK_MS)
        self._soon.timeout.connect(self._ask)

    def begin(self, dictionaries: Callable[[], Dictionaries | None], own: OwnWords, settings: QSettings) -> None:
        """Lets words be looked up from now on; `dictionaries` is called on the thread, for the first of them."""
        self._open = dictionaries
        self._own = own
        self._settings = settings
        self._is_busy = self._is_missing = False

    def end(self) -> None:
        """Ends the thread; no word is wrong any more."""
        self._open = None
        self._own = None
        self._settings = None
        self._soon.stop()
        self._forget()
        self.available = ()
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    @property
    def is_on(self) -> bool:
        """Returns whether spelling is looked at."""
        return self._settings is not None and bool(self._settings.value(_ON, True, bool))

    def turn_on(self, wanted: bool) -> None:
        """Looks at spelling from now on, or no longer; kept for this person."""
        if self._settings is not None:
            self._settings.setValue(_ON, wanted)
            self._forget()
            self.answered.emit()

    @property
    def languages(self) -> tuple[str, ...]:
        """Returns the languages that are looked at: those that were chosen, or else the system's and English."""
        chosen = self._settings.value(_LANGUAGES) if self._settings is not None else None
        if chosen is None:
            return usual_languages(self.available, QLocale.system().uiLanguages())
        kept = [chosen] if isinstance(chosen, str) else list(chosen) if isinstance(chosen, Sequence) else []
        return tuple(tag for tag in self.available if tag in kept)

    def choose(self, languages: Iterable[str]) -> None:
        """Looks at these languages; kept for this person."""
        if self._settings is not None:
            self._settings.setValue(_LANGUAGES, list(languages))
            self._forget()
            self.answered.emit()

    def is_wrong(self, word: str) -> bool | None:
        """Returns whether a word is wrong; None where that is not known yet, and `answered` tells once it is."""
        if not self.is_on or self._is_missing:
            return False
        known = self._wrong.get(word)
        if known is None and self._open is not None:
            self._waiting[word] = None
            if not self._soon.isActive() and not self._is_busy:
                self._soon.start()
        return known

    def meant(self, word: str) -> tuple[str, ...] | None:
        """Returns what may be meant by a wrong word; None where that is not known yet, and `answered` tells."""
        if word not in self._meant and self.is_on and not self._is_missing:
            self._to_suggest[word] = None
            self._to_suggest.move_to_end(word, last=False)
            self._ask()
        return self._meant.get(word)

    def add(self, word: str) -> None:
        """Adds a word to the person's own. Raises StorageError."""
        if self._own is not None:
            self._own.add(word)
            self._forget()
            self.answered.emit()

    def _forget(self) -> None:
        for known in (self._wrong, self._meant, self._waiting, self._to_suggest):
            known.clear()

    def _ask(self) -> None:
        """Has the thread look up the words that wait, or else what is meant by one."""
        if self._is_busy or not self.is_on or self._open is None or not (self._waiting or self._to_suggest):
            return
        if self._worker is None:
            self._worker = _Worker(self._open, self._own, self)
            self._worker.looked_up.connect(self._on_answer)
        self._is_busy = True
        if self._waiting or not self.available:
            words = [self._waiting.popitem(last=False)[0] for _ in range(min(_BATCH, len(self._waiting)))]
            self._worker.check(words, self.languages)
        else:
            self._worker.suggest(self._to_suggest.popitem(last=False)[0], self.languages)

    def _on_answer(self, answer: _Answer) -> None:
        self._is_busy = False
        if self._open is None:
            return
        is_first, self._is_missing = not self.available, not answer.available
        self.available = answer.available
        if self._is_missing:
            self._forget()
        elif is_first and answer.languages != self.languages:
            # Only now is it known which languages there are: the words are looked up in them.
            self._waiting.update(dict.fromkeys(answer.wrong))
        elif answer.languages == self.languages:
            self._note(answer)
        self._ask()
        self.answered.emit()

    def _note(self, answer: _Answer) -> None:
        if len(self._wrong) > _KEPT:
            self._wrong.clear()
            self._meant.clear()
        self._wrong.update(answer.wrong)
        self._meant.update(answer.meant)
        for word, is_wrong in answer.wrong.items():
            if is_wrong and len(self._to_suggest) < _WAITING:
                self._to_suggest[word] = None


class _Answer:
    """Holds what the thread found out: which of some words are wrong, and what is meant by one."""

    def __init__(self, available: Iterable[str], languages: Sequence[str]) -> None:
        self.available = tuple(available)
        self.languages = tuple(languages)
        self.wrong: dict[str, bool] = {}
        self.meant: dict[str, tuple[str, ...]] = {}


class _Worker(QObject):
    """Owns the dictionaries on a thread of its own."""

    looked_up = Signal(object)

    def __init__(
        self, dictionaries: Callable[[], Dictionaries | None], own: OwnWords | None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._open = dictionaries
        self._own = own
        self._found: Dictionaries | None = None
        self._is_open = False
        self._scripts: dict[str, str] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="spelling")

    def check(self, words: Sequence[str], languages: Sequence[str]) -> None:
        """Looks words up; `looked_up` tells."""
        self._thread.submit(self._run, lambda answer: self._check(words, answer), languages)

    def suggest(self, word: str, languages: Sequence[str]) -> None:
        """Looks for what is meant by a word; `looked_up` tells."""
        self._thread.submit(self._run, lambda answer: self._suggest(word, answer), languages)

    def close(self) -> None:
        """Ends the thread, and waits for it."""
        self._thread.submit(self._close)
        self._thread.shutdown(wait=True)
        self.deleteLater()

    def _run(self, work: Callable[[_Answer], None], languages: Sequence[str]) -> None:
        """Runs on the thread. Without dictionaries, or where they fail, no word is wrong."""
        answer = _Answer((), languages)
        try:
            if not self._is_open:
                self._is_open = True
                self._found = self._open()
            if self._found is not None:
                answer.available = tuple(self._found.languages())
            work(answer)
        except OSError as error:
            log.warning("spelling is not looked at: %s", error)
            self._found = None
        self.looked_up.emit(answer)

    def _check(self, words: Sequence[str], answer: _Answer) -> None:
        own = self._own.load() if self._own is not None else frozenset()
        for word in words:
            answer.wrong[word] = not _is_own(word, own) and self._is_unknown(word, answer.languages)

    def _is_unknown(self, word: str, languages: Sequence[str]) -> bool:
        found, asked = self._found, self._of_script(word, languages)
        return found is not None and bool(asked) and not any(found.has(tag, word) for tag in asked)

    def _suggest(self, word: str, answer: _Answer) -> None:
        offered = dict[str, None]()
        if self._found is not None:
            lists = [self._found.suggestions(tag, word) for tag in self._of_script(word, answer.languages)]
            # The best of each language come first.
            for place in range(_OFFERED):
                offered.update((words[place], None) for words in lists if place < len(words))
        answer.meant[word] = tuple(offered)[:_OFFERED]

    def _of_script(self, word: str, languages: Sequence[str]) -> list[str]:
        """Returns the languages that are written with the letters of a word."""
        script = unicodedata.name(word[0], "").partition(" ")[0]
        return [tag for tag in languages if self._script_of(tag) == script]

    def _script_of(self, tag: str) -> str:
        if tag not in self._scripts:
            self._scripts[tag] = QLocale.scriptToString(QLocale(tag).script()).upper().partition(" ")[0]
        return self._scripts[tag]

    def _close(self) -> None:
        if self._found is not None:
            self._found.close()
            self._found = None


def usual_languages(available: Sequence[str], preferred: Sequence[str]) -> tuple[str, ...]:
    """Returns the languages of a person who chose none: those of the system's that there are, one of each, and English,
    which technical words are in."""
    chosen = dict[str, str]()
    for tag in (*preferred, "en_US"):
        wanted = tag.replace("-", "_")
        language = wanted.partition("_")[0]
        same = [one for one in available if one.partition("_")[0] == language]
        if same and language not in chosen:
            chosen[language] = next((one for one in (wanted, QLocale(wanted).name()) if one in same), same[0])
    return tuple(tag for tag in available if tag in chosen.values())


def language_name(tag: str) -> str:
    """Returns a language as its speakers call it, with the country where the tag has one."""
    locale = QLocale(tag)
    name = locale.nativeLanguageName() or tag
    country = locale.nativeTerritoryName() if "_" in tag else ""
    return f"{name[:1].upper()}{name[1:]} ({country})" if country and country not in name else name


def _is_own(word: str, own: frozenset[str]) -> bool:
    bare = word.removesuffix("'s")
    return any(each in own for each in (word, word.lower(), bare, bare.lower()))


@cache
def spelling() -> Spelling:
    """Returns what looks at the spelling in this program. It is off until the application begins it."""
    return Spelling()
