"""Writing MEMORY.md: lists, tasks, facts that held until today, rich text, dragged lines, headings, replacing."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QListView

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.ui.memory.editor.find_bar import FindBar
from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.editor.preview import MemoryPreview
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import CTRL, Scenes, Stage

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_HEADING = "# Winter market"
_COPIED = (
    "<h3>Stall 14</h3><p>Opens at <b>nine</b>, as the "
    '<a href="https://market.example/rules">rules of the market</a> say.</p>'
    "<table><tr><th>What</th><th>Pounds</th></tr><tr><td>Pitch</td><td>45</td></tr><tr><td>Power</td><td>8</td></tr>"
    "</table>"
)
"""A part of a page, as a browser puts it on the clipboard."""


class EditorScenes(Scenes):
    """Plays the scenes of the keys that know Markdown, in the layout for editing; the text is as it was after the
    last."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._steps = 0
        """The steps that could be undone before the first scene."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (
            self.list,
            self.tick,
            self.mark,
            self.strike,
            self.paste,
            self.drag,
            self.menu,
            self.outline,
            self.replace,
        )

    async def list(self) -> None:
        """Goes on with a list of tasks, a part of one of them below it."""
        await self.stage.bring_to_front()
        self.current.actions["view.layout.edit"].trigger()
        self.window.memory.show_file(MEMORY_PATH)
        editor = self._editor
        await self.driver.until(editor.hasFocus, "the keyboard in the editor")
        self._steps = editor.document().availableUndoSteps()
        self.driver.press(editor, Qt.Key.Key_End, CTRL)
        while editor.textCursor().block().text():
            # A list at the end goes on first, and is left then.
            self.driver.press(editor, Qt.Key.Key_Return)
        self.driver.type(editor, f"\n{_HEADING}\n\n- [ ] Pack forty mugs\nBook the van\nAsk the hire firm for Friday")
        self.driver.press(editor, Qt.Key.Key_Tab)
        self.driver.type(editor, "\n")
        await self.driver.until(lambda: self._ends_with("  - [ ] "), "the next task of the list below")
        await self.stage.shoot(
            "editor-list",
            "Lists go on by themselves,",
            "with their box or number. Enter twice leaves a list; Tab and Shift+Tab indent.",
            pane="memory",
        )
        for _ in range(2):
            self.driver.press(editor, Qt.Key.Key_Return)
        await self.driver.until(lambda: self._ends_with("for Friday\n"), "the list left")

    async def tick(self) -> None:
        """Ticks a task by the keyboard, another one by a click in the preview."""
        editor = self._editor
        self._go_to("Pack forty mugs")
        self.driver.press(editor, Qt.Key.Key_Return, CTRL)
        await self.driver.until(lambda: "- [x] Pack forty mugs" in editor.text(), "a task ticked by its key")
        # What is clicked before the preview has caught up is shown first.
        await self.driver.settle()
        line = self._line_of("Book the van")
        await self.driver.until(lambda: self._box_in_preview(line) is not None, "the box of a task in the preview")
        await self.driver.click(self._preview.viewport(), self._box_in_preview(line))
        await self.driver.until(lambda: "- [x] Book the van" in editor.text(), "a task ticked in the preview")
        await self._shoot_at(
            "Book the van",
            "editor-ticked",
            "Tasks are ticked",
            "by Ctrl+Enter or a click on the box, in the source and in the preview.",
        )

    async def strike(self) -> None:
        """Strikes a fact that does not hold any more."""
        editor = self._editor
        self._go_to("Eight places at most")
        self.driver.press(editor, Qt.Key.Key_Slash, CTRL)
        await self.driver.until(lambda: "~~Eight places" in editor.text(), "the fact struck out")
        await self._shoot_at(
            "Eight places",
            "editor-struck",
            "A fact that held until today",
            "is struck out with its date by Ctrl+/ and stays readable; the same keys have it hold again.",
        )

    async def mark(self) -> None:
        """Makes words bold, italic, code and a link, each by its keys behind the word."""
        editor = self._editor
        self.driver.press(editor, Qt.Key.Key_End, CTRL)
        self.driver.type(editor, "\nThe pitch")
        self.driver.press(editor, Qt.Key.Key_B, CTRL)
        self._go_to("The **pitch**")
        self.driver.type(editor, " is by the fountain")
        self.driver.press(editor, Qt.Key.Key_I, CTRL)
        self._go_to("*fountain*")
        self.driver.type(editor, ", code WM14")
        self.driver.press(editor, Qt.Key.Key_E, CTRL)
        self._go_to("`WM14`")
        self.driver.type(editor, "; see the rules")
        self.driver.press(editor, Qt.Key.Key_K, CTRL)
        self.driver.type(editor, "https://market.example/rules")
        whole = "The **pitch** is by the *fountain*, code `WM14`; see the [rules](https://market.example/rules)"
        await self.driver.until(lambda: whole in editor.text(), "words with their marks")
        await self._shoot_at(
            whole,
            "editor-marked",
            "Words get their marks by keys:",
            "Ctrl+B, Ctrl+I, Ctrl+E and Ctrl+K; pressed again they take them away. Help > Keys changes the keys.",
        )

    async def menu(self) -> None:
        """Opens the menu of a line by its key."""
        editor = self._editor

        async def show() -> None:
            self.current.actions["pane.memory"].trigger()
            self._go_to("Metric, temperatures")
            self.driver.press(editor, Qt.Key.Key_F10, _SHIFT)
            await self.menu_opened()

        async def hide() -> None:
            menu = QApplication.activePopupWidget()
            if menu is None:
                raise NotShown("the menu")
            self.driver.press(menu, Qt.Key.Key_Escape)
            await self.driver.until(lambda: QApplication.activePopupWidget() is None, "no menu")

        await self.stage.shoot_over(
            "editor-menu",
            "The text has a menu of its own:",
            "who wrote this line and the messages it came from, Forget…, and all that the keys do.",
            show,
            hide,
        )

    async def paste(self) -> None:
        """Pastes a part of a page."""
        editor, copied = self._editor, QMimeData()
        copied.setHtml(_COPIED)
        copied.setText("Stall 14")
        QGuiApplication.clipboard().setMimeData(copied)
        self.driver.press(editor, Qt.Key.Key_End, CTRL)
        self.driver.type(editor, "\n")
        self.driver.press(editor, Qt.Key.Key_V, CTRL)
        await self.driver.until(lambda: "### Stall 14" in editor.text(), "Markdown of what was pasted")
        await self.stage.shoot(
            "editor-pasted",
            "Rich text becomes Markdown",
            "as it is pasted: headings, lists, tables, links. Ctrl+Shift+V pastes the words alone.",
            pane="memory",
        )

    async def drag(self) -> None:
        """Holds a line by its number over another place, and then drops it there."""
        editor = self._editor

        async def show() -> None:
            held = self._line_of("Metric, temperatures")
            editor.show_line_at(max(0, held - 6), 0)
            await self.driver.settle()
            await self.driver.click(editor.numbers, self._at(held))
            self.driver.drag(editor.numbers, self._at(held), self._above(self._line_of("British spelling")))
            self.driver.expect(editor.numbers.drop_line is not None, "where the line would go")

        async def hide() -> None:
            self.driver.press(editor, Qt.Key.Key_Escape)

        await self.stage.shoot_over(
            "editor-dragged",
            "A line is dragged by its number,",
            "or several that are selected; a bar shows where they go. Alt+Up and Alt+Down do it by keys.",
            show,
            hide,
        )
        await show()
        self.driver.drop(editor.numbers, self._above(self._line_of("British spelling")))
        await self.driver.until(
            lambda: self._line_of("Metric, temperatures") < self._line_of("British spelling"), "the line moved"
        )

    async def outline(self) -> None:
        """Goes to a heading by a part of its words."""
        sheet, editor = self.window.command_palette.widget, self._editor

        async def show() -> None:
            editor.setFocus()
            await self._open_outline()
            listed = sheet.findChild(QListView)
            if listed is None:
                raise NotShown("the list of headings")
            await self.driver.until(lambda: listed.model().rowCount() > 3, "the headings of the file")

        async def hide() -> None:
            self.driver.press(self.stage.field(sheet, "the field of the outline"), Qt.Key.Key_Escape)
            await self.driver.until(lambda: not sheet.isVisible(), "the outline closed")

        await self.stage.shoot_over(
            "editor-outline", "The headings of the file,", "by Ctrl+Shift+O: typed in part, Enter jumps.", show, hide
        )
        await show()
        field = self.stage.field(sheet, "the field of the outline")
        self.driver.type(field, "kiln")
        self.driver.press(field, Qt.Key.Key_Return)
        await self.driver.until(lambda: editor.caret_line() == self._line_of("# Kiln and glazes"), "the heading")

    async def replace(self) -> None:
        """Replaces a word from one match to the next."""
        editor = self._editor
        self.driver.press(editor, Qt.Key.Key_H, CTRL)
        bar = self.window.memory.body.find_bar.widget
        await self.driver.until(lambda: bar.isVisible() and bar.replace_row.isVisible(), "the fields to replace with")
        self._fill(bar, "Fridays", "Saturdays")
        await self.driver.until(lambda: " of " in bar.count_label.text(), "a match")
        self.driver.press(bar.replace_field, Qt.Key.Key_Return)
        await self.driver.until(lambda: "Tuesdays and Saturdays" in editor.text(), "one of them replaced")
        await self.stage.shoot(
            "editor-replace",
            "Find, with replace:",
            "the match is never hidden, Enter replaces it and goes to the next; one Undo takes back Replace all.",
        )
        self.driver.press(bar.find_field, Qt.Key.Key_Escape)
        await self.driver.until(lambda: not bar.isVisible(), "the find bar closed")
        while editor.document().availableUndoSteps() > self._steps:
            editor.undo()
        await self.driver.until(lambda: not self.window.memory.is_dirty(), "the text as it was")
        self.current.actions["view.layout.chat"].trigger()
        await self.driver.until(lambda: not self.window.timeline.visibleRegion().isEmpty(), "the panes beside the chat")

    @property
    def _editor(self) -> MemoryEditor:
        return self.window.memory.editor

    @property
    def _preview(self) -> MemoryPreview:
        return self.window.memory.body.split.preview

    async def _shoot_at(self, words: str, name: str, title: str, story: str) -> None:
        """Takes pictures with the caret in the line that has these words."""

        async def show() -> None:
            self.current.actions["pane.memory"].trigger()
            self._go_to(words)

        await self.stage.shoot_over(name, title, story, show, self.driver.settle)

    async def _open_outline(self) -> None:
        sheet = self.window.command_palette.widget
        self.driver.press(self.window, Qt.Key.Key_O, CTRL | _SHIFT)
        await self.driver.until(sheet.isVisible, "the outline")

    def _fill(self, bar: FindBar, sought: str, instead: str) -> None:
        for field, words in ((bar.find_field, sought), (bar.replace_field, instead)):
            field.clear()
            self.driver.type(field, words)

    def _ends_with(self, words: str) -> bool:
        return self._editor.text().endswith(words)

    def _line_of(self, words: str) -> int:
        """Returns the first line that has these words, from 0. Raises NotShown."""
        lines = self._editor.text().split("\n")
        found = next((number for number, line in enumerate(lines) if words in line), None)
        if found is None:
            raise NotShown(f"a line with “{words}”")
        return found

    def _go_to(self, words: str) -> None:
        """Puts the caret into the first line that has these words."""
        self._editor.go_to_line(self._line_of(words))
        self.driver.press(self._editor, Qt.Key.Key_End)

    def _box_in_preview(self, line: int) -> QPoint | None:
        """Returns where in the preview the box of a task lies, None where it is out of sight."""
        view, rect = self._preview, self._preview.viewport().rect()
        top = round(view.y_of_line(line)) - view.verticalScrollBar().value()
        places = (QPoint(x, y) for y in range(top, top + 20, 4) for x in range(0, rect.width() // 4, 4))
        return next((place for place in places if rect.contains(place) and view.task_at(place) == line), None)

    def _at(self, line: int) -> QPoint:
        """Returns a place on the number of a line."""
        middle = (self._editor.top_of_line(line) + self._editor.top_of_line(line + 1)) / 2
        return QPoint(self._editor.numbers.width() // 2, round(middle))

    def _above(self, line: int) -> QPoint:
        """Returns a place among the numbers where what is dropped goes before a line."""
        return QPoint(self._editor.numbers.width() // 2, round(self._editor.top_of_line(line)) + 1)
