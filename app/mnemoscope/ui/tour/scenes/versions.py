"""Versions: every change of memory in one list, compared by word, who wrote each line, and time travel."""

from __future__ import annotations

from PySide6.QtCore import Qt

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.stage import CTRL, Scenes

SHIFT = Qt.KeyboardModifier.ShiftModifier


class VersionScenes(Scenes):
    """Scenes on the sample, whose memory was consolidated and edited in the chapters before."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.listed, self.compared, self.blamed, self.looked_back, self.other_files)

    async def listed(self) -> None:
        self.current.actions["pane.memory"].trigger()
        document, editor = self.window.memory.show_file(MEMORY_PATH), self.window.memory.editor
        self.driver.press(editor, Qt.Key.Key_End, CTRL)
        self.driver.type(editor, "\n- Opens at nine on Saturdays")
        self.driver.press(editor, Qt.Key.Key_S, CTRL)
        await self.driver.until(lambda: not document.is_dirty(), "the text saved")
        await self.current.bench.commits.kept()
        self.current.actions["memory.changes"].trigger()
        view = document.body.versions
        await self.driver.until(lambda: sum(row.commit is not None for row in view.rows) > 2, "some versions")
        await self.driver.until(lambda: "nine on Saturdays" in view.diff.text.toPlainText(), "what the newest changed")
        await self.stage.shoot(
            "versions",
            "Every change of memory is a version:",
            "whose it is, when, what it brought and took, and what it came from; any of them is undone alone.",
            pane="memory",
        )

    async def compared(self) -> None:
        view = self.window.memory.body.versions
        self.driver.press(view.list, Qt.Key.Key_Down, SHIFT)
        self.driver.press(view.list, Qt.Key.Key_Down, SHIFT)
        await self.driver.until(lambda: len(view.list.chosen) == 2 and view.passage_button.isEnabled(), "two compared")
        await self.stage.shoot(
            "versions-compared",
            "Any two versions, word by word.",
            "Put back a whole version, or a single passage of it.",
            pane="memory",
        )
        self.driver.press(view.list, Qt.Key.Key_Escape)

    async def blamed(self) -> None:
        self.current.actions["view.blame"].trigger()
        document = self.window.memory.current
        owners = document.editor.blame
        await self.driver.until(lambda: any(owners.owners.commits), "who wrote the lines")

        def consolidated() -> list[int]:
            lines = range(document.editor.blockCount())
            return [one for one in lines if (by := owners.owners.owner(one)) and by.author == "Consolidation"]

        await self.driver.until(consolidated, "a line of a consolidation")
        line = consolidated()[0]
        blame = self.current.memory.desks[MEMORY_PATH].blame

        async def show() -> None:
            self.current.actions["pane.memory"].trigger()
            document.editor.go_to_line(line)
            await self.driver.settle()
            blame.tell(line)
            await self.driver.until(lambda: blame.card.isVisible(), "the card of the line")

        async def hide() -> None:
            blame.card.leave()

        await self.stage.shoot_over(
            "blame",
            "Who wrote this line?",
            "Beside each line its author and date; the card names the entry it came from and leads to the messages.",
            show,
            hide,
        )
        self.current.actions["view.blame"].trigger()

    async def looked_back(self) -> None:
        self.current.actions["memory.travel"].trigger()
        pane = self.window.memory
        await self.driver.until(lambda: pane.in_past and pane.past.title.text(), "a moment of the past")
        self.driver.press(pane.past.slider, Qt.Key.Key_Home)
        await self.driver.until(lambda: pane.past.slider.value() == 0, "the first version")
        await self.driver.until(lambda: "nine on Saturdays" not in pane.past.split.editor.text(), "memory as it began")
        await self.stage.shoot(
            "time-travel",
            "Memory as it was.",
            "A slider over all versions, or a day and time: files, pointer and prompt of that moment, read only.",
            pane="memory",
        )
        self.current.actions["pane.prompt"].trigger()
        await self.stage.shoot(
            "time-travel-prompt", "The prompt of that moment.", "What a model would have been sent then.", pane="prompt"
        )
        await self.stage.press_button(self.window.chat, "Back to now")
        await self.driver.until(lambda: not self.current.past.is_away, "the present")

    async def other_files(self) -> None:
        self.current.actions["pane.memory"].trigger()
        document = self.window.memory.show_file("prompts/dream.md")
        await self.driver.until(lambda: document.isVisible(), "the tab of Dream's guide")
        await self.driver.settle()
        await self.stage.shoot(
            "memory-files",
            "The files beside MEMORY.md",
            "have tabs, drafts, undo and versions of their own.",
            pane="memory",
        )
        self.window.memory.show_file(MEMORY_PATH)
