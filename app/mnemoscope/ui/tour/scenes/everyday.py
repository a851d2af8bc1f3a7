"""Scenes of everyday use: long messages, trying a model, spelling."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from mnemoscope.llm.model_check import Ability, TrialFinding, TrialOutcome
from mnemoscope.store.spelling.own_words import OwnWords
from mnemoscope.ui.support.spelling import spelling
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import CTRL, Scenes, Stage
from mnemoscope.ui.widgets.fields import ComboBox

_MISSPELLED = {"Wendesday": ("Wednesday", "Wednesdays"), "stonware": ("stoneware",)}


class TourDictionary:
    """Knows every word but two: the picture is the same, whatever dictionaries the system has."""

    def languages(self) -> list[str]:
        """Returns two languages, of which one is looked at."""
        return ["en_GB", "ru_RU"]

    def has(self, language: str, word: str) -> bool:
        """Returns whether a word is spelled as it should be."""
        del language
        return word not in _MISSPELLED

    def suggestions(self, language: str, word: str) -> list[str]:
        """Returns what may be meant."""
        del language
        return list(_MISSPELLED.get(word, ()))

    def close(self) -> None:
        """Has nothing to release."""


class EverydayScenes(Scenes):
    """Plays the scenes of what is used every day."""

    def __init__(self, stage: Stage, scratch: Path) -> None:
        super().__init__(stage)
        self._scratch = scratch

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.folded, self.model_test, self.model_sheet, self.spelling)

    async def folded(self) -> None:
        list_of = "{0}. Glaze {0}: {1} pots, {2} g of oxide, fired to cone {3}."
        lines = [list_of.format(day, day * 3, day * 40, day % 4 + 5) for day in range(1, 61)]
        self.window.chat.composer.set_draft("Here is the whole list of this month:\n\n" + "\n".join(lines))
        self.stage.send("")
        await self.stage.answered()
        await self.stage.shoot(
            "folded", "A long message of your own is folded;", "a click, a key or a search unfolds it.", pane="timeline"
        )

    async def model_test(self) -> None:
        async def show() -> None:
            dialog = await self.stage.open_settings()
            section = dialog.model
            section.findChildren(ComboBox)[0].setEditText("ollama/qwen3:8b")
            # No server is asked in the tour: it is shown what one has answered so far.
            section.form.setRowVisible(section.test, True)
            section.test.begin()
            for ability in (Ability.ANSWERS, Ability.STREAMS, Ability.TOOLS):
                section.test.show_finding(TrialFinding(ability, TrialOutcome.YES))
            await self.driver.until(lambda: self.stage.has_button(dialog, "Stop"), "a test")

        async def hide() -> None:
            dialog = self.current.settings_controller.dialog
            if dialog is not None:
                dialog.model.test.end()
            await self.stage.leave_settings()

        await self.stage.shoot_over(
            "model-test",
            "A model is tried by one press:",
            "what it costs is said before, and what it can do is listed as it is found.",
            show,
            hide,
        )

    async def model_sheet(self) -> None:
        controller, chip = self.current.settings_controller, self.window.chat.composer.model

        async def show() -> None:
            await self.driver.click(chip)
            await self.driver.until(lambda: controller.sheet is not None, "the page of the model")
            if controller.sheet is None:
                raise NotShown("the page of the model")
            controller.sheet.findChildren(ComboBox)[1].setEditText("openai/gpt-4o-mini")
            labels = controller.sheet.findChildren(QLabel)
            await self.driver.until(lambda: any("million" in label.text() for label in labels), "what it costs")

        async def hide() -> None:
            if controller.sheet is not None:
                self.driver.press(controller.sheet, Qt.Key.Key_Escape)
            await self.driver.until(lambda: controller.sheet is None, "the page closed")

        await self.stage.shoot_over(
            "model-sheet",
            "The same page at the composer,",
            "above the chip that names the model; Ctrl+M opens it, Esc leaves everything as it was.",
            show,
            hide,
        )

    async def spelling(self) -> None:
        known, editor = spelling(), self.window.memory.editor
        settings = QSettings(str(self._scratch / "spelling.ini"), QSettings.Format.IniFormat)
        known.begin(TourDictionary, OwnWords(self._scratch / "dictionary.txt"), settings)
        try:
            self.current.actions["pane.memory"].trigger()
            steps = editor.document().availableUndoSteps()
            self.driver.press(editor, Qt.Key.Key_End, CTRL)
            self.driver.type(editor, "\nClay comes every Wendesday, twenty bags of stonware.")
            await self.driver.until(lambda: known.is_wrong("stonware") and known.meant("Wendesday"), "what is wrong")
            found = editor.document().find("Wendesday")
            self.driver.expect(not found.isNull(), "the misspelled word")
            found.setPosition(found.selectionStart() + 2)

            async def show() -> None:
                editor.setTextCursor(QTextCursor(found))
                editor.ensureCursorVisible()
                await self._menu_of(editor.viewport())

            await self.stage.shoot_over(
                "spelling",
                "Spelling, where the system has dictionaries,",
                "off the typing path; code, links and tags are left alone.",
                show,
                self.menu_closed,
            )
            # What scenes before this one wrote stays.
            while editor.document().availableUndoSteps() > steps:
                editor.undo()
            await self.driver.until(lambda: not self.window.memory.is_dirty(), "the text as it was")
        finally:
            known.end()

    async def _menu_of(self, widget: QWidget) -> None:
        place = QPoint(4, 4)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, widget.mapToGlobal(place))
        QApplication.sendEvent(widget, event)
        await self.menu_opened()
