"""Models: a context size asked of the server, what an answer costs, what a day costs, and the daily limit."""

from __future__ import annotations

from typing import Final, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget

from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.model_server import ModelServer
from mnemoscope.ui.tour.stage import CTRL, Scenes
from mnemoscope.ui.widgets.fields import ComboBox, DoubleSpinBox

WidgetT = TypeVar("WidgetT", bound=QWidget)

_LOCAL_MODEL: Final = "openai/qwen3:8b"
_CONTEXT: Final = 40_960
_MODEL: Final = "openai/gpt-4o"
_CHEAPER: Final = "openai/gpt-4o-mini"
_LIMIT: Final = "0.01"
"""US dollars: the second answer reaches it."""
_MOST_TABS: Final = 6
_ANSWERS: Final = (
    "Between 1,222 and 1,240 °C: the kiln fires to cone 6, and the top shelf stays a little cooler than the others.",
    "Thursday. The bowls are dry by then, and on Saturday the studio is open.",
)


class ModelScenes(Scenes):
    """Plays the scenes of models and of money."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.context_size, self.prices, self.cost, self.limit)

    async def context_size(self) -> None:
        async with ModelServer(models=("qwen3:8b",), context=_CONTEXT) as server:

            async def show() -> None:
                dialog = await self.stage.open_settings()
                self._type(_named(dialog.model, ComboBox, "Model"), _LOCAL_MODEL)
                self._type(_named(dialog.model, QLineEdit, "Server address"), server.address)
                await self.driver.click(dialog.model.context.ask)
                await self.driver.until(lambda: dialog.model.context.tokens == _CONTEXT, "what the server told")

            await self.stage.shoot_over(
                "context-asked",
                "How much a model reads",
                "is asked of its server: what is in force there, not what the model could hold. It can be corrected.",
                show,
                self.stage.leave_settings,
            )

    async def prices(self) -> None:
        async def show() -> None:
            dialog = await self.stage.open_settings()
            await self._fill_in(dialog)

        await self.stage.shoot_over(
            "prices",
            "What a million tokens cost",
            "stands below the name of each model whose price is known; a daily limit stops the work in the "
            "background, never the chat.",
            show,
            self.stage.leave_settings,
        )

    async def cost(self) -> None:
        async with ModelServer(_ANSWERS[:1]) as server:
            self.stage.provider.server = server.address
            dialog = await self.stage.open_settings()
            await self._fill_in(dialog)
            dialog.pages.show_section(dialog.model)
            keep = dialog.model.findChild(QCheckBox)
            self.driver.expect(keep is not None, "where the key is kept")
            if keep is not None and keep.isChecked():
                await self.driver.click(keep)
            self._type(_named(dialog.model, QLineEdit, "Key"), "sk-tour")
            await self.stage.press_button(dialog, "Save")
            await self.driver.until(lambda: self.current.bench.settings.model == _MODEL, "the model in force")
            await self.stage.begin_conversation()
            await self.stage.say("How hot do I fire the stoneware?")
            await self.driver.until(lambda: self.current.bench.spending.today().dollars, "what was spent")
            shown = self.window.chat.transcript.transcript.document
            await self.driver.until(lambda: "¢" in shown.toPlainText(), "the money under the answer")
            await self.stage.shoot(
                "cost",
                "What an answer cost",
                "stands under it, with its model, its tokens and its time; what the day has cost, in the line at the "
                "bottom.",
                pane="timeline",
            )
            self.stage.provider.server = ""

    async def limit(self) -> None:
        async with ModelServer(_ANSWERS[1:]) as server:
            self.stage.provider.server = server.address
            await self.current.bench.config.change(memory_window=4)
            await self.stage.say("Which day is best for the next firing?")
            await self.stage.until_said("is reached")
            await self.stage.ready()
            await self.stage.shoot(
                "limit",
                "The daily limit is reached.",
                "Nothing more is done in the background until tomorrow; the chat goes on.",
                pane="timeline",
            )
            self.stage.provider.server = ""
        await self.current.bench.config.change(model="offline", background_model="", spending_limit=0.0)

    async def _fill_in(self, dialog: SettingsDialog) -> None:
        """Chooses a model that answers and one for the background, and, once their prices are said, a limit."""
        self._type(_named(dialog.model, ComboBox, "Model"), _MODEL)
        dialog.pages.show_section(dialog.background)
        self._type(_named(dialog.background, ComboBox, "Model in the background"), _CHEAPER)
        labels = dialog.findChildren(QLabel)
        await self.driver.until(lambda: sum("for a million" in each.text() for each in labels) == 2, "two prices")
        await self.driver.settle()
        limit = _named(dialog.background, DoubleSpinBox, "Daily limit")
        for _ in range(_MOST_TABS):
            if (focused := dialog.focusWidget()) in (None, limit):
                break
            self.driver.press(focused, Qt.Key.Key_Tab)
        self.driver.expect(dialog.focusWidget() is limit, "the limit reached by Tab")
        self._type(limit, _LIMIT)

    def _type(self, field: QWidget, text: str) -> None:
        """Types into a field in the place of what stands there."""
        field.setFocus()
        self.driver.press(field, Qt.Key.Key_A, CTRL)
        self.driver.type(field, text)


def _named(section: QWidget, kind: type[WidgetT], name: str) -> WidgetT:
    """Returns the field that a screen reader calls by this name."""
    found = next((each for each in section.findChildren(kind) if each.accessibleName() == name), None)
    if found is None:
        raise NotShown(f"the field “{name}”")
    return found
