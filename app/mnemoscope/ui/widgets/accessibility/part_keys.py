"""Keys that one part of the window answers itself. Its handling, the manual and Help > Keys read the same table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut

Part = TypeVar("Part", bound=QObject)
_CONTEXT: Final = "PartKeys"
"""Of the translations of names and words."""


@dataclass(frozen=True, slots=True)
class PartKey(Generic[Part]):
    """Describes what a part does at a key, or at several that a reader takes for one thing.

    `words` say it in English; packaging/translations reads them here. `runs` does it, by the key in Qt's portable form,
    such as `Ctrl+Enter`, and returns False where it means nothing there now. `standard`: whatever else this system has
    for the same does what the first key does, such as Ctrl+Insert beside Ctrl+C.
    """

    words: str
    runs: Mapping[str, Callable[[Part], object]]
    standard: QKeySequence.StandardKey | None = None


class PartKeys(Generic[Part]):
    """Holds the keys of a part of the window."""

    def __init__(self, part: str, *keys: PartKey[Part], in_text: bool = False, in_own_window: bool = False) -> None:
        """`part`: its name in English; packaging/translations reads it here. `in_text`: the part is the text of a
        memory file. `in_own_window`: it stands in a dialog or a window of its own, where keys of commands do not hold.
        """
        self._part = part
        self.in_text = in_text
        self.in_own_window = in_own_window
        self._keys = keys
        self._by_chord = {chord(QKeySequence(key)): run for each in keys for key, run in each.runs.items()}

    @property
    def part(self) -> str:
        """Returns the name of the part, in the window's language."""
        return QCoreApplication.translate(_CONTEXT, self._part)

    def find(self, event: QKeyEvent) -> Callable[[Part], object] | None:
        """Returns what does what the pressed key is for, or None where it is none of the part's."""
        run = self._by_chord.get(chord(event))
        if run is not None:
            return run
        meant = (each for each in self._keys if each.standard is not None and event.matches(each.standard))
        return next((run for each in meant for run in each.runs.values()), None)

    def press(self, part: Part, event: QKeyEvent) -> bool:
        """Does what the pressed key is for; False where it is none of the part's, or means nothing there now."""
        run = self.find(event)
        return run is not None and run(part) is not False

    def add_shortcuts(self, part: Part, context: Qt.ShortcutContext) -> None:
        """Has the keys answered before whatever has the keyboard gets them, within the part or in all of its window."""
        for each in self._keys:
            for key, run in each.runs.items():
                QShortcut(QKeySequence(key), part, partial(run, part), context=context)

    def rows(self) -> list[tuple[tuple[str, ...], str]]:
        """Returns the keys, in Qt's portable form, and what they do, in the window's language."""
        return [(tuple(each.runs), QCoreApplication.translate(_CONTEXT, each.words)) for each in self._keys]


def chord(pressed: QKeySequence | QKeyEvent) -> tuple[int, int]:
    """Returns key and modifiers, the same for a shortcut and for the keys that were pressed."""
    if isinstance(pressed, QKeySequence):
        combination = pressed[0]  # type: ignore[index]  # a sequence, whatever its stub says
        key, modifiers = combination.key(), combination.keyboardModifiers()
    else:
        key, modifiers = Qt.Key(pressed.key()), pressed.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if key == Qt.Key.Key_Enter:
        key = Qt.Key.Key_Return
    if key == Qt.Key.Key_Backtab:
        key, modifiers = Qt.Key.Key_Tab, modifiers | Qt.KeyboardModifier.ShiftModifier
    if key == Qt.Key.Key_Slash:
        # On many keyboards Shift is needed to reach it.
        modifiers &= ~Qt.KeyboardModifier.ShiftModifier
    if modifiers == Qt.KeyboardModifier.ShiftModifier and Qt.Key.Key_A <= key <= Qt.Key.Key_Z:
        # Buttons and hints name a letter by its capital, which some people type as one.
        modifiers = Qt.KeyboardModifier.NoModifier
    return key.value, modifiers.value
