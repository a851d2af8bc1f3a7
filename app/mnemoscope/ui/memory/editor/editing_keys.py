"""The keys of the editor that know Markdown, each of them one step that undo takes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from mnemoscope.domain.text.diff import LineEdit, line_edits
from mnemoscope.ui.memory.editor import line_commands
from mnemoscope.ui.memory.editor.line_commands import CursorPlace, LineCommand, SelectedLines
from mnemoscope.ui.memory.editor.markdown_highlighter import MarkdownHighlighter
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys, chord
from mnemoscope.ui.widgets.text.offsets import Offsets, to_utf16

PLAIN_PASTE_KEYS: Final = "Ctrl+Shift+V"
_REACH: Final = 300
"""Lines of a list above and below what is selected that a command may renumber."""
_ALONE: Final = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)


def tr(text: str) -> str:
    """Returns a text in the window's language."""
    return QCoreApplication.translate("EditingKeys", text)


@dataclass(frozen=True, slots=True)
class EditingCommand:
    """Describes one of the editor's commands, as palette, menu and manual name it. `in_code`: it is of use in a code
    block."""

    id: str
    text: str
    keys: str
    change: LineCommand
    in_code: bool = False


def editing_commands() -> list[EditingCommand]:
    """Returns the commands that change what is selected, in the order in which they are listed."""
    return [
        EditingCommand("bold", tr("Bold"), "Ctrl+B", partial(line_commands.mark_words, mark="**")),
        EditingCommand("italic", tr("Italic"), "Ctrl+I", partial(line_commands.mark_words, mark="*")),
        EditingCommand("code", tr("Code"), "Ctrl+E", partial(line_commands.mark_words, mark="`")),
        EditingCommand("link", tr("Link"), "Ctrl+K", line_commands.link),
        EditingCommand("task", tr("Tick or make a task"), "Ctrl+Return", line_commands.toggle_box),
        EditingCommand("strike", tr("Strike out, with the date"), "Ctrl+/", _strike),
        EditingCommand("up", tr("Move up"), "Alt+Up", partial(line_commands.move, way=-1), in_code=True),
        EditingCommand("down", tr("Move down"), "Alt+Down", partial(line_commands.move, way=1), in_code=True),
        EditingCommand("duplicate", tr("Duplicate"), "Ctrl+D", line_commands.duplicate, in_code=True),
    ]


def _strike(passage: SelectedLines) -> SelectedLines:
    return line_commands.strike(passage, date.today())


class EditingKeys(QObject):
    """Answers the keys of an editor before anything else does, while it may be written in."""

    def __init__(
        self,
        editor: QPlainTextEdit,
        highlighter: MarkdownHighlighter,
        *,
        edit_lines: Callable[[Sequence[LineEdit]], None],
        paste_plain: Callable[[], None],
    ) -> None:
        """Changes the text of `editor` by its `edit_lines` and `paste_plain`; `highlighter` knows what is code."""
        super().__init__(editor)
        self._editor = editor
        self._highlighter = highlighter
        self._edit_lines = edit_lines
        self._paste_plain = paste_plain
        self._tab_leaves = False
        self._commands = editing_commands()
        self._keys: dict[str, Sequence[str]] = {one.id: (one.keys,) for one in self._commands}
        """The keys in force of each command, in Qt's portable form."""
        self._by_key: dict[tuple[int, int], EditingCommand] = {}
        self._take_keys()
        editor.installEventFilter(self)

    def set_keys(self, command: str, keys: Sequence[str]) -> None:
        """Gives a command, by its id, these keys in place of those it has."""
        self._keys[command] = keys
        self._take_keys()

    def keys_of(self, command: EditingCommand) -> str:
        """Returns the first of the keys of a command, "" where it has none."""
        return next(iter(self._keys[command.id]), "")

    def run(self, command: EditingCommand) -> bool:
        """Does to what is selected what a command is for; False where it means nothing there."""
        if self._editor.isReadOnly() or (not command.in_code and self._is_code()):
            return False
        return self._change(command.change)

    def toggle_box(self, line: int) -> bool:
        """Ticks the task of a line, from 0, or no longer; False where the line is none. The caret stays."""
        block = self._editor.document().findBlockByNumber(line)
        if self._editor.isReadOnly() or line_commands.box_of(block.text()) is None or self._is_code(block):
            return False
        made = line_commands.toggle_box(SelectedLines((block.text(),), (0, 0), (0, 0)))
        if made is not None:
            self._apply(line, (block.text(),), made.lines)
        return True

    def move_lines(self, before: int) -> bool:
        """Moves the selected lines before a line, from 0, or behind the last; False where they may not be moved."""
        document = self._editor.document()
        if before >= document.blockCount() and not document.lastBlock().text():
            # The text ends with a line break, and goes on doing so.
            before = document.blockCount() - 1
        if self._editor.isReadOnly():
            return False
        first = self._first_line(before)
        return self._change(lambda passage: line_commands.move_to(passage, before - first), before)

    def release_tab(self) -> bool:
        """Has the next Tab leave the editor where it would indent; False where it does so already."""
        if self._tab_leaves or self._editor.isReadOnly() or self._is_code() or not self._is_list():
            return False
        self._tab_leaves = True
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.FocusOut:
            self._tab_leaves = False
        elif isinstance(event, QKeyEvent) and not self._editor.isReadOnly():
            if kind == QEvent.Type.ShortcutOverride:
                if self._command_of(event) is not None or chord(event) == _PASTE_PLAIN:
                    # While the keyboard is here the window's shortcut of the same keys waits.
                    event.accept()
                    return True
            elif kind == QEvent.Type.KeyPress and not self._is_composing():
                return self._press(event)
        return super().eventFilter(watched, event)

    def _press(self, event: QKeyEvent) -> bool:
        """Returns whether the key was for a command; Tab in a list is, unless it was let go."""
        command = self._command_of(event)
        if command is not None:
            self._tab_leaves = False
            self.run(command)
            # A key of the editor does nothing else where it has nothing to do.
            return True
        if Qt.Key(event.key()) not in (*_ALONE, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._tab_leaves = False
        return MEMORY_TEXT_KEYS.press(self, event)

    def _go_on(self) -> bool:
        return not self._is_code() and self._change(line_commands.go_on)

    def _break_line(self) -> None:
        # Left to Qt it would put U+2028 into the file, which no other program takes for the end of a line.
        self._change(line_commands.break_line)

    def _indent(self, command: LineCommand) -> bool:
        return not self._tab_leaves and not self._is_code() and self._change(command)

    def _take_keys(self) -> None:
        self._by_key = {chord(QKeySequence(each)): one for one in self._commands for each in self._keys[one.id]}

    def _command_of(self, event: QKeyEvent) -> EditingCommand | None:
        return self._by_key.get(chord(event))

    def _is_composing(self) -> bool:
        """Tells whether an input method has letters that are not committed yet."""
        return bool(self._editor.textCursor().block().layout().preeditAreaText())

    # The passage

    def _is_code(self, block: QTextBlock | None = None) -> bool:
        block = block or self._editor.textCursor().block()
        return self._highlighter.is_fenced(block)

    def _is_list(self) -> bool:
        cursor = self._editor.textCursor()
        document = self._editor.document()
        block, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
        while block.isValid() and block.blockNumber() <= last.blockNumber():
            if line_commands.item_of(block.text()) is not None:
                return True
            block = block.next()
        return False

    def _change(self, command: Callable[[SelectedLines], SelectedLines | None], reach: int | None = None) -> bool:
        """Makes of the passage around what is selected, and of all up to a line, what a command makes of it."""
        first, passage = self._passage(reach)
        made = command(passage)
        if made is None:
            return False
        self._apply(first, passage.lines, made.lines)
        cursor = self._editor.textCursor()
        cursor.setPosition(self._position(first, made.anchor))
        cursor.setPosition(self._position(first, made.caret), QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._editor.ensureCursorVisible()
        return True

    def _ends(self, reach: int | None) -> tuple[QTextBlock, QTextBlock]:
        """Returns the first and the last of the selected lines and, if there is one, the line `reach`."""
        cursor, document = self._editor.textCursor(), self._editor.document()
        numbers = [document.findBlock(at).blockNumber() for at in (cursor.selectionStart(), cursor.selectionEnd())]
        if reach is not None:
            numbers.append(min(reach, document.blockCount() - 1))
        return document.findBlockByNumber(min(numbers)), document.findBlockByNumber(max(numbers))

    def _first_line(self, reach: int | None) -> int:
        start, _ = self._ends(reach)
        return max(0, start.blockNumber() - max(1, line_commands.length_of_list(_texts(start.previous(), back=True))))

    def _passage(self, reach: int | None = None) -> tuple[int, SelectedLines]:
        """Returns the selected lines with the list around them and one line more at either end; its first line."""
        cursor, document = self._editor.textCursor(), self._editor.document()
        _, stop = self._ends(reach)
        first = self._first_line(reach)
        last = stop.blockNumber() + max(1, line_commands.length_of_list(_texts(stop.next())))
        last = min(document.blockCount() - 1, last)
        lines: list[str] = []
        block = document.findBlockByNumber(first)
        for _ in range(first, last + 1):
            lines.append(block.text())
            block = block.next()

        def place(position: int) -> CursorPlace:
            at = document.findBlock(position)
            return at.blockNumber() - first, Offsets(at.text()).from_qt(position - at.position())

        return first, SelectedLines(tuple(lines), place(cursor.anchor()), place(cursor.position()))

    def _apply(self, first: int, before: tuple[str, ...], after: tuple[str, ...]) -> None:
        if before == after:
            return
        edits = line_edits("\n".join(before), "\n".join(after))
        self._edit_lines([LineEdit(one.start + first, one.stop + first, one.lines) for one in edits])

    def _position(self, first: int, place: CursorPlace) -> int:
        block = self._editor.document().findBlockByNumber(first + place[0])
        return block.position() + to_utf16(block.text(), place[1])


def _texts(block: QTextBlock, *, back: bool = False) -> Iterator[str]:
    for _ in range(_REACH):
        if not block.isValid():
            return
        yield block.text()
        block = block.previous() if back else block.next()


_PASTE_PLAIN: Final = chord(QKeySequence(PLAIN_PASTE_KEYS))
MEMORY_TEXT_KEYS: Final[PartKeys[EditingKeys]] = PartKeys(
    "Text of a memory file",
    PartKey("begin the next item of a list; in an empty one, end the list", {"Enter": EditingKeys._go_on}),
    PartKey("begin a line of the same item", {"Shift+Enter": EditingKeys._break_line}),
    PartKey(
        "indent an item; after Esc, and outside of a list, leave the text",
        {"Tab": lambda keys: keys._indent(line_commands.indent)},
    ),
    PartKey("outdent an item", {"Shift+Tab": lambda keys: keys._indent(line_commands.outdent)}),
    PartKey(
        "paste the words alone, without headings, lists and links", {PLAIN_PASTE_KEYS: lambda keys: keys._paste_plain()}
    ),
    in_text=True,
)
