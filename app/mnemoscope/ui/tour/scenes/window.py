"""The rest of the window: history, prompt, palette, settings, undo, the other theme, and the layouts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel

from mnemoscope.domain.llm import LLMResponse
from mnemoscope.ui.markdown.document.formula_object import OBJECT
from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.stage import Scenes
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.theme import Theme

_FORMULAS = r"""It cools by Newton's law, $T(t) = T_0 + (T_1 - T_0)\,e^{-kt}$, so the time to open it is

$$
t = \frac{1}{k} \ln \frac{T_1 - T_0}{T - T_0}
$$

With $k = 0.11$ an hour that is about 22 hours."""


class WindowScenes(Scenes):
    """Plays the scenes around the other panes and the shell."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (
            self.formulas,
            self.history,
            self.no_match,
            self.prompt,
            self.palette,
            self.settings,
            self.undo_delete,
            self.other,
            self.layout_edit,
            self.layout_audit,
            self.maximised,
        )

    async def formulas(self) -> None:
        self.stage.model.talk = [LLMResponse(_FORMULAS)]
        await self.stage.say("How fast does the kiln cool? It costs $5 to $10 a firing.")
        shown = self.window.chat.transcript.transcript.document
        await self.driver.until(lambda: shown.toPlainText().count(OBJECT) == 3, "three formulas")
        await self.stage.shoot(
            "formulas",
            "Formulas are drawn,",
            "without TeX and without the network; money stays text, a copy is the source.",
        )
        view = self.window.chat.transcript.view
        before, selected = view.textCursor(), shown.find("It cools by")
        selected.setPosition(shown.find("With", selected).position(), QTextCursor.MoveMode.KeepAnchor)
        view.setTextCursor(selected)
        await self.driver.shoot(
            "formulas-selected", "Selected like words,", "and as easy to read in either look.", follows=True
        )
        view.setTextCursor(before)

    async def history(self) -> None:
        self.current.actions["pane.history"].trigger()
        field = self.stage.field(self.window.history, "the search field of the history")
        self.driver.type(field, "kiln")
        await self.driver.until(lambda: self._entries() > 0, "entries that match")
        await self.stage.shoot(
            "history", "History, searched as you type.", "Matches are marked, newest first.", pane="history"
        )

    async def no_match(self) -> None:
        field = self.stage.field(self.window.history, "the search field of the history")
        self.driver.type(field, " zeppelin")
        await self.driver.until(lambda: self._entries() == 0, "no entries")
        await self.stage.shoot("no-match", "Nothing matches,", "said plainly, with the way back.", pane="history")
        field.clear()

    async def prompt(self) -> None:
        self.current.actions["pane.prompt"].trigger()
        self.current.prompt.refresh_soon()
        await self.driver.settle(0.8)
        await self.stage.shoot(
            "prompt",
            "Exactly what the model is sent,",
            "part by part, with what each costs and where it comes from.",
            pane="prompt",
        )
        self.current.actions["pane.memory"].trigger()

    async def palette(self) -> None:
        sheet = self.window.command_palette.widget

        async def show() -> None:
            await self.stage.shortcut(Qt.Key.Key_K)
            await self.driver.until(sheet.isVisible, "the command palette")
            self.driver.type(self.stage.field(sheet, "the palette's field"), "con")

        async def hide() -> None:
            self.driver.press(self.stage.field(sheet, "the palette's field"), Qt.Key.Key_Escape)
            sheet.hide()

        await self.stage.shoot_over(
            "palette", "Every command, by typing.", "Ctrl+K finds commands and conversations.", show, hide
        )

    async def settings(self) -> None:
        async def show() -> None:
            # A name is typed and not set: its price comes from a table, and nobody is asked.
            section = (await self.stage.open_settings()).model
            section.findChildren(ComboBox)[0].setEditText("openai/gpt-4o-mini")
            labels = section.findChildren(QLabel)
            await self.driver.until(lambda: any("million" in label.text() for label in labels), "what it costs")

        await self.stage.shoot_over(
            "settings",
            "Any model,",
            "the built-in one, one on this computer, or any that litellm knows; what it and a test of it cost is said.",
            show,
            self.stage.leave_settings,
        )

    async def undo_delete(self) -> None:
        key = self.stage.key
        self.window.sessions.delete_requested.emit(key)
        await self.driver.until(lambda: self.stage.key != key, "another conversation on show")
        await self.stage.ready()
        await self.driver.until(lambda: self.stage.has_button(self.window.chat, "Undo"), "the offer to undo")
        await self.stage.shoot("deleted", "Deleted, not gone.", "Everything destructive can be undone.")
        await self.stage.press_button(self.window.chat, "Undo")
        await self.driver.until(lambda: self.stage.key == key, "the conversation back")
        await self.stage.ready()

    async def other(self) -> None:
        theme = "light" if self.stage.theme == "dark" else "dark"
        await self.current.bench.config.change(memory_window=100, theme=theme)
        longest = max(await self.current.bench.conversations.overviews(), key=lambda one: one.count)
        self.current.sessions.open(longest.key)
        await self.stage.ready()
        await self.driver.until(lambda: Theme.current().dark == (theme == "dark"), f"the {theme} look")
        await self.stage.shoot(theme, f"The {theme} look,", "with the same promises on contrast.", pane="timeline")
        await self.current.bench.config.change(theme=self.stage.theme)
        await self.driver.until(lambda: Theme.current().dark == (self.stage.theme == "dark"), "the tour's own look")

    async def layout_edit(self) -> None:
        """Arranges the window for editing."""
        split = self.window.memory.body.split
        await self.stage.bring_to_front()
        self._press(Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
        await self.driver.until(lambda: split.preview_card.x() > split.source_card.x(), "the preview beside the source")
        await self.stage.shoot(
            "layout-edit",
            "A layout for each use:",
            "Alt+2 is for editing, the source and how it reads side by side, with the conversation within reach.",
            pane="memory",
        )

    async def layout_audit(self) -> None:
        """Arranges the window for auditing."""
        timeline, history, blame = self.window.timeline, self.window.history, self.window.memory.editor.blame
        self._press(Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
        await self.driver.until(
            lambda: not (timeline.visibleRegion().isEmpty() or history.visibleRegion().isEmpty()),
            "the timeline beside the history",
        )
        await self.driver.until(lambda: any(blame.owners.commits), "who wrote the lines")
        await self.stage.shoot(
            "layout-audit",
            "Alt+3 is for auditing:",
            "what was said, what it became, the log, and who wrote each line of memory.",
            pane="timeline",
        )

    async def maximised(self) -> None:
        """Gives the pane with the keyboard all the room."""
        self._press(Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
        timeline, chat = self.window.timeline, self.window.chat
        await self.driver.until(lambda: not chat.visibleRegion().isEmpty(), "the conversation again")
        self.current.actions["pane.timeline"].trigger()
        await self.driver.until(lambda: not timeline.visibleRegion().isEmpty(), "the timeline")
        self._press(Qt.Key.Key_F11)
        await self.driver.until(lambda: chat.visibleRegion().isEmpty(), "the timeline alone")
        await self.stage.shoot(
            "maximised",
            "One pane with all the room,",
            "by F11 or a double click on its title; the same brings the others back where they were.",
        )
        self._press(Qt.Key.Key_F11)
        await self.driver.until(lambda: not chat.visibleRegion().isEmpty(), "the other panes again")

    def _press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier | None = None) -> None:
        """Presses a key where the keyboard is."""
        self.driver.press(self.window.focusWidget() or self.window, key, modifiers)

    def _entries(self) -> int:
        return len(self.window.history.model.matches)
