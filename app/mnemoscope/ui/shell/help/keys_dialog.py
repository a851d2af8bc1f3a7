"""Every command with its keys: searched by words, and changed; and the keys that parts of the window have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.ui.shell.actions import KeyRow
from mnemoscope.ui.widgets.accessibility.accessible_role import announce_role
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.text.plain_text import plain_label

_ID: Final = Qt.ItemDataRole.UserRole
_ROW_ROOM: Final = 12
"""Pixels of a row that its text leaves free."""


class KeyedCommands(Protocol):
    """Tells the commands of a window and their keys."""

    def key_rows(self) -> list[KeyRow]:
        """Returns the commands in their order, with the keys in force."""
        ...

    def usual_keys(self, command: str) -> tuple[str, ...]:
        """Returns the keys that a command has of itself."""
        ...


class KeysDialog(Dialog):
    """Lists the keys. `changed` comes with a command's id and its new keys, once they may be taken."""

    changed = Signal(str, list)
    manual_page = "commands"

    def __init__(self, commands: KeyedCommands, parent: QWidget, of_parts: Sequence[KeyRow] = ()) -> None:
        """`of_parts`: keys that parts of the window answer themselves, which are listed below those of commands."""
        super().__init__(parent)
        self._commands = commands
        self._of_parts = of_parts
        self.setWindowTitle(self.tr("Keys"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Search commands and keys"))
        self.field.setAccessibleName(self.field.placeholderText())
        self.field.setClearButtonEnabled(True)
        self.list = QTreeWidget(self)
        self.list.setAccessibleName(self.tr("Commands and their keys"))
        self.list.setHeaderLabels([self.tr("Command"), self.tr("Keys")])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.header().setStretchLastSection(False)
        self.keys = _KeyField(self)
        self.keys.setMaximumSequenceLength(1)
        self.keys.setAccessibleName(self.tr("New keys"))
        announce_role(self.keys, QAccessible.Role.HotkeyField)
        for line in self.keys.findChildren(QLineEdit):
            line.setPlaceholderText(self.tr("Press the keys"))
        self.set_button = QPushButton(self.tr("Use these keys"), self)
        self.clear_button = QPushButton(self.tr("No keys"), self)
        self.usual_button = QPushButton(self.tr("Usual keys"), self)
        self.remark = plain_label(self, "muted")
        self._lay_out()
        self.field.textChanged.connect(self._filter)
        self.list.currentItemChanged.connect(lambda *_: self._on_current())
        self.keys.keySequenceChanged.connect(lambda _keys: self._on_keys())
        self.set_button.clicked.connect(self._use)
        self.clear_button.clicked.connect(lambda: self._change([]))
        self.usual_button.clicked.connect(self._use_usual)
        self._fill()
        self.resize(640, 560)
        self.field.setFocus()

    # What is done

    def _use(self) -> None:
        keys = self._asked()
        if keys and not self._why_not(keys):
            self._change([keys])

    def _use_usual(self) -> None:
        row = self._row()
        if row is not None:
            self._change(list(self._commands.usual_keys(row.id)))

    def _change(self, keys: list[str]) -> None:
        row = self._row()
        if row is None or row.is_fixed:
            return
        for other in self._commands.key_rows():
            lost = [each for each in other.keys if each in keys and other.id != row.id]
            if lost and other.in_text == row.in_text:
                self.changed.emit(other.id, [each for each in other.keys if each not in lost])
        self.changed.emit(row.id, keys)
        self.keys.clear()
        self._fill(row.id)
        words = self.tr("“{command}” has these keys now: {keys}") if keys else self.tr("“{command}” has no keys now.")
        self.remark.setText(words.format(command=row.text, keys=_shown(keys)))

    # What shows

    def _fill(self, current: str = "") -> None:
        self.list.clear()
        for row in (*self._commands.key_rows(), *self._of_parts):
            item = QTreeWidgetItem([row.text, _shown(row.keys)])
            item.setData(0, _ID, row)
            item.setSizeHint(0, QSize(0, self.fontMetrics().height() + _ROW_ROOM))
            if row.is_fixed:
                why = self.tr("These keys belong to whatever has the keyboard, and cannot be changed.")
                # Some rows of parts are longer than the column.
                item.setToolTip(0, f"{row.text}\n{why}")
            if row.is_changed:
                font = item.font(1)
                font.setBold(True)
                item.setFont(1, font)
                item.setToolTip(1, self.tr("Changed; usual are {keys}").format(keys=self._usual(row)))
            self.list.addTopLevelItem(item)
            if row.id == current:
                self.list.setCurrentItem(item)
        self._filter(self.field.text())
        self._on_current()

    def _filter(self, asked: str) -> None:
        words = asked.casefold().split()
        items = [item for at in range(self.list.topLevelItemCount()) if (item := self.list.topLevelItem(at))]
        for item in items:
            text = f"{item.text(0)} {item.text(1)}".casefold()
            item.setHidden(not all(word in text for word in words))
        current = self.list.currentItem()
        if current is None or current.isHidden():
            shown = [item for item in items if not item.isHidden()]
            if shown:
                self.list.setCurrentItem(shown[0])
            else:
                self.list.clearSelection()

    def _on_current(self) -> None:
        row = self._row()
        is_open = row is not None and not row.is_fixed
        for part in (self.keys, self.clear_button, self.usual_button):
            part.setEnabled(is_open)
        self.usual_button.setEnabled(is_open and row is not None and row.is_changed)
        self.clear_button.setEnabled(is_open and row is not None and bool(row.keys))
        self._on_keys()

    def _on_keys(self) -> None:
        row, keys = self._row(), self._asked()
        why = self._why_not(keys) if keys else ""
        self.set_button.setEnabled(bool(keys) and not why and row is not None and not row.is_fixed)
        if why:
            self.remark.setText(why)
        elif row is not None and row.is_fixed:
            self.remark.setText(self.tr("These keys belong to whatever has the keyboard, and cannot be changed."))
        elif keys and row is not None and (owners := self._owners(keys)):
            self.remark.setText(" ".join(self._what_becomes_of(row, owner) for owner in owners))
        else:
            self.remark.setText("")

    def _what_becomes_of(self, row: KeyRow, owner: KeyRow) -> str:
        """Returns what is said of another command that has the keys that are asked for a row."""
        if owner.in_text == row.in_text:
            words = self.tr("“{command}” has these keys. It would have them no more.")
        elif row.in_text:
            words = self.tr("“{command}” has these keys outside of the text, and keeps them there.")
        else:
            words = self.tr("“{command}” has these keys in the text of a memory file, and keeps them there.")
        return words.format(command=owner.text)

    def _why_not(self, keys: str) -> str:
        """Returns why a sequence cannot be the keys of a command, or ""."""
        *modifiers, key = keys.replace("++", "+plus").split("+")
        is_function_key = len(key) > 1 and key[0] == "F" and key[1:].isdecimal()
        if not is_function_key and not {"Ctrl", "Alt", "Meta"}.intersection(modifiers):
            return self.tr("A key that types needs Ctrl, Alt or Meta with it.")
        owner = next((each for each in self._owners(keys) if each.is_fixed), None)
        owner = owner or next(iter(self._owning_parts(keys)), None)
        if owner is not None:
            return self.tr("“{command}” has these keys, and they cannot be changed.").format(command=owner.text)
        return ""

    def _owners(self, keys: str) -> list[KeyRow]:
        """Returns the commands beside the chosen one that have these keys."""
        row = self._row()
        return [each for each in self._commands.key_rows() if keys in each.keys and (row is None or each.id != row.id)]

    def _owning_parts(self, keys: str) -> list[KeyRow]:
        """Returns the parts that would not answer these keys any more where the chosen command has them."""
        row = self._row()
        in_text = row is not None and row.in_text
        return [
            each for each in self._of_parts if keys in each.keys and each.in_text == in_text and not each.is_elsewhere
        ]

    def _row(self) -> KeyRow | None:
        item = self.list.currentItem()
        row = item.data(0, _ID) if item is not None else None
        return row if isinstance(row, KeyRow) else None

    def _asked(self) -> str:
        return self.keys.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _usual(self, row: KeyRow) -> str:
        return _shown(self._commands.usual_keys(row.id)) or self.tr("none")

    def _lay_out(self) -> None:
        new = QLabel(self.tr("&New keys:"), self)
        new.setBuddy(self.keys)
        change = QHBoxLayout()
        change.setSpacing(8)
        for part in (new, self.keys, self.set_button, self.clear_button, self.usual_button):
            change.addWidget(part, 1 if part is self.keys else 0)
        buttons = self.closing_buttons(is_default=False)
        for button in (self.set_button, self.clear_button, self.usual_button):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addWidget(self.field)
        column.addWidget(self.list, 1)
        column.addLayout(change)
        column.addWidget(self.remark)
        column.addWidget(buttons)


class _KeyField(QKeySequenceEdit):
    """Takes the keys that are pressed. Escape, which no command can have, empties it; in an empty one it closes."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_escape = event.key() == Qt.Key.Key_Escape and event.modifiers() == Qt.KeyboardModifier.NoModifier
        if not is_escape:
            super().keyPressEvent(event)
        elif self.keySequence().isEmpty():
            event.ignore()
        else:
            self.clear()


def _shown(keys: Sequence[str]) -> str:
    """Returns keys as this system writes them."""
    forms = [QKeySequence(each, QKeySequence.SequenceFormat.PortableText) for each in keys]
    return ", ".join(form.toString(QKeySequence.SequenceFormat.NativeText) for form in forms)
