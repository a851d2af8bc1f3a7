"""Every command of the window as data: one list feeds the menus, the shortcuts and the command palette."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QMenu, QMenuBar
from shiboken6 import isValid

from mnemoscope.ui.widgets.menus import submenu
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

SEPARATOR = "-"
_KEYS_IN_BRACKETS: Final = re.compile(r" \([^()]+\)\Z")
_KEYS = "keys"
"""The group of the window's settings with the keys a person changed, by the command's id."""


@dataclass(frozen=True, slots=True)
class Command:
    """Describes one thing a person can do. `menu` names the menu it stands in; "" keeps it to the palette.

    `shown_only`: its shortcut is only shown; whoever has the keyboard may want the key first. `in_text`: of those, its
    keys are answered by the text of a memory file while that has the keyboard, whatever they are elsewhere. `writes`:
    it changes the workspace, so a window that only reads does not offer it. `available` tells whether it would do
    anything now: where it does not, its menu shows it as off. Its keys and the palette stay, for whoever is told of a
    command by its name is told why it does nothing.
    """

    id: str
    text: str
    menu: str
    handler: Callable[[], object]
    icon: str = ""
    shortcuts: tuple[str, ...] = ()
    checkable: bool = False
    shown_only: bool = False
    in_text: bool = False
    writes: bool = False
    available: Callable[[], bool] | None = None


@dataclass(frozen=True, slots=True)
class KeyRow:
    """Describes a command and its keys in Qt's portable form ("Ctrl+Shift+P").

    `is_fixed`: the keys belong to the part that has the keyboard, such as the text, and cannot be changed. `in_text`:
    they hold in the text of a memory file, where the same keys of another command do not. `is_elsewhere`: they hold in
    a window of its own, where those of commands do not.
    """

    id: str
    text: str
    keys: tuple[str, ...]
    is_fixed: bool = False
    in_text: bool = False
    is_changed: bool = False
    is_elsewhere: bool = False


class Actions(QObject):
    """Holds the QAction of each command, by id. Goes with its window."""

    keys_changed = Signal(str, list)
    """This command has these keys now."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._order: list[Command | str] = []
        self._actions: dict[str, QAction] = {}
        self._reads_only = False
        theme_notifier().changed.connect(self._restyle)

    def add(self, commands: Iterable[Command | str]) -> None:
        """Makes the actions of these commands; a lone `-` separates them in the menus."""
        self._order += commands
        self._actions |= {command.id: self._make(command) for command in self.commands()}

    def __getitem__(self, command_id: str) -> QAction:
        return self._actions[command_id]

    def get(self, command_id: str) -> QAction | None:
        """Returns the action of a command, or None where there is no such command."""
        return self._actions.get(command_id)

    def commands(self) -> Iterator[Command]:
        """Returns the commands in the order they were stated."""
        return (command for command in self._order if isinstance(command, Command))

    def forbid_writing(self) -> None:
        """Offers no command any more that writes."""
        self._reads_only = True
        for command in self.commands():
            if command.writes:
                self._actions[command.id].setEnabled(False)

    def key_rows(self) -> list[KeyRow]:
        """Returns the commands in their order, with the keys in force."""
        return [
            KeyRow(
                command.id,
                command.text.replace("&", ""),
                self.keys_of(command.id),
                _is_fixed(command),
                command.in_text,
                self.keys_of(command.id) != self.usual_keys(command.id),
            )
            for command in self.commands()
        ]

    def usual_keys(self, command: str) -> tuple[str, ...]:
        """Returns the keys that a command has of itself."""
        return tuple(map(_portable, self._stated(command).shortcuts))

    def set_keys(self, command: str, keys: Sequence[str]) -> None:
        """Gives a command these keys, in Qt's portable form, in place of those it has."""
        self._actions[command].setShortcuts([QKeySequence(each) for each in keys])
        self.keys_changed.emit(command, list(keys))

    def name_keys(self, command: str, button: QAbstractButton) -> None:
        """Has a button's tool tip, which ends with the usual keys of its command in brackets, name those in force."""
        words, name = _KEYS_IN_BRACKETS.sub("", button.toolTip()), button.accessibleName()

        def show(changed: str, keys: Sequence[str]) -> None:
            if changed == command and isValid(button):
                shown = native_keys(keys)
                button.setToolTip(f"{words} ({shown})" if shown else words)
                if _KEYS_IN_BRACKETS.search(name):
                    button.setAccessibleName(button.toolTip())

        self.keys_changed.connect(show)
        show(command, self.keys_of(command))

    def keys_of(self, command: str) -> tuple[str, ...]:
        """Returns the keys of a command that are in force, in the form that is kept."""
        return tuple(map(_portable, self._actions[command].shortcuts()))

    def save_keys(self, settings: QSettings) -> None:
        """Keeps the keys that are not the usual ones."""
        settings.remove(_KEYS)
        for row in self.key_rows():
            if row.is_changed:
                settings.setValue(f"{_KEYS}/{row.id}", " ".join(row.keys))

    def load_keys(self, settings: QSettings) -> None:
        """Takes the keys that were kept, for the commands that there are still."""
        for command in self.commands():
            kept = settings.value(f"{_KEYS}/{command.id}")
            if isinstance(kept, str) and not _is_fixed(command):
                self.set_keys(command.id, kept.split())

    def fill(self, bar: QMenuBar, titles: dict[str, str]) -> dict[str, QMenu]:
        """Builds the menus named in `titles` (id -> title); a lone `-` in the list is a separator."""
        menus = {name: submenu(bar, title) for name, title in titles.items()}
        current: QMenu | None = None
        for command in self._order:
            if isinstance(command, Command):
                current = menus.get(command.menu, current)
                if command.menu:
                    menus[command.menu].addAction(self._actions[command.id])
            elif current is not None:
                current.addSeparator()
        for name, menu in menus.items():
            menu.aboutToShow.connect(partial(self._show_availability, name))
            menu.aboutToHide.connect(partial(self._offer_all, name))
        return menus

    def _show_availability(self, menu: str) -> None:
        """Shows in a menu that opens which of its commands would do nothing."""
        for command in self.commands():
            if command.menu == menu and command.available is not None:
                self._actions[command.id].setEnabled(self._may(command) and command.available())

    def _offer_all(self, menu: str) -> None:
        """Has the keys of the commands of a menu that closes answer again."""
        for command in self.commands():
            if command.menu == menu and command.available is not None:
                self._actions[command.id].setEnabled(self._may(command))

    def _may(self, command: Command) -> bool:
        return not (command.writes and self._reads_only)

    def _stated(self, command: str) -> Command:
        return next(each for each in self.commands() if each.id == command)

    def _make(self, command: Command) -> QAction:
        # Not a child of the window, which is told of each of its children, and last put into it: it is told of all that
        # changes in an action.
        action = QAction(command.text, self)
        if command.shortcuts:
            action.setShortcuts([QKeySequence(keys) for keys in command.shortcuts])
        if command.shown_only:
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.setCheckable(command.checkable)
        action.triggered.connect(lambda _checked=False: command.handler())
        self._paint(command, action)
        if command.menu or not command.shown_only:
            self._window.addAction(action)
        return action

    def _restyle(self) -> None:
        for command in self.commands():
            self._paint(command, self._actions[command.id])

    def _paint(self, command: Command, action: QAction) -> None:
        if command.icon:
            action.setIcon(Theme.current().icon(command.icon, "text_muted"))


def _is_fixed(command: Command) -> bool:
    """Returns whether a command's keys belong to whatever has the keyboard, and cannot be changed."""
    return command.shown_only and not command.in_text


def native_keys(keys: Sequence[str]) -> str:
    """Returns the first of a command's keys as this system and its language name them, "" for none."""
    return QKeySequence(keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if keys else ""


def _portable(keys: QKeySequence | str) -> str:
    """Returns keys in the form that means the same on every system."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText)
