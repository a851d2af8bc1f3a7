"""Second thoughts: a branch from a message, an answer by another model, and what memory took from what was left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QApplication, QMenu

from mnemoscope.agent.turn.agent_loop import newest_question
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.ui.chat.message_actions import AnswerByAnother, BranchFrom, EditMessage
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.folders import Folders
from mnemoscope.ui.tour.model_server import ModelServer
from mnemoscope.ui.tour.stage import CTRL, Scenes, Stage

_SAID: Final = "Remember that Ines takes over the glaze class in January."
_CORRECTED: Final = "Do you think Ines would take over the glaze class in January?"
_UNSURE: Final = "I would ask her: she has taught the beginners twice, and January is when she is free."
_ANSWERS: Final = (
    "A slow rise to 600 degrees, then full heat.",
    "Two hours at 120 degrees first: the vases are thick. Then as fast as you like.",
)
_STEP: Final = 4
"""Pixels between the places at which a link is looked for."""
_LIST: Final = "List the models of this server"


class BranchScenes(Scenes):
    """Plays the scenes of the chapter, in a workspace of their own, which they leave on show."""

    def __init__(self, stage: Stage, folders: Folders) -> None:
        super().__init__(stage)
        self._folders = folders

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.branched, self.other_model, self.taken_back)

    async def branched(self) -> None:
        await self._folders.open(await self._folders.make(self._folders.place(), {"mnemoscope": {"capture": "off"}}))
        await self.stage.begin_conversation()
        await self._talk("How do I load the kiln for the December market?", "Bowls below, mugs above, vases last.")
        await self._talk("And the two tall vases?", "They want a shelf of their own, and a slow cooling.")
        await self._talk("Then write me the plan.", "Thursday: bowls and mugs. Saturday: the two tall vases alone.")
        self.window.chat.transcript.message_actions.run(BranchFrom(1))
        await self.driver.until(lambda: len(self._messages()) == 2, "the branch that begins at the answer")
        await self._talk("Could the vases wait until January?", "Yes: then one firing on Thursday is enough.")
        await self.driver.until(lambda: self.window.timeline.model.branches, "the fork in the timeline")
        await self.stage.ready()
        await self.stage.shoot(
            "branched",
            "A branch from any message.",
            "What followed is kept on the branch before; the arrows at the message, the fork in the timeline and the "
            "search lead back to it.",
            pane="timeline",
        )

    async def other_model(self) -> None:
        config = self.current.bench.config
        async with ModelServer(_ANSWERS, models=("qwen3:8b", "gemma3:12b")) as server:
            await config.change(model="openai/qwen3:8b", api_base=server.address)
            await self.stage.say("How fast may the kiln heat up?")
            answer = len(self._messages()) - 1
            await self._offer(answer)
            await self._choose(_LIST)
            await self.driver.until(lambda: self._offered("gemma3"), "the models of the server")
            await self.menu_closed()

            async def show() -> None:
                await self._offer(answer)

            await self.stage.shoot_over(
                "other-model",
                "Another model answers,",
                "this once: the models of the server, asked for its list only when you want it, and the built-in one.",
                show,
                self.menu_closed,
            )
            await self._offer(answer)
            await self._choose("gemma3")
            await self.driver.until(lambda: self._answered_by() == "openai/gemma3:12b", "its answer")
            await self.driver.until(lambda: not self.window.chat.composer.busy, "the composer ready again")
            await self.stage.ready()
            await self.stage.shoot(
                "regenerated",
                "Two models, two answers.",
                "Under each stands which model gave it, its tokens and its time; the arrows go between them.",
                pane="timeline",
            )
            await config.change(model="offline", api_base="")

    async def taken_back(self) -> None:
        await self.current.bench.config.change(memory_window=4)
        await self.stage.begin_conversation()
        await self.stage.say(_SAID)
        asked = newest_question(self._messages())
        self.driver.expect(asked is not None, "the message that memory takes something from")
        for words in ("How hot is the kiln fired?", "What did we say about the market?", "Which glaze needs a test?"):
            await self.stage.say(words)
        await self.driver.until(lambda: self._pointer() > (asked or 0), "the pointer below it")
        self.window.memory.show_file(MEMORY_PATH)
        await self.driver.until(lambda: "Ines takes over" in self.window.memory.editor.text(), "the line in memory")
        # What is said from now on stays as it is.
        await self.current.bench.config.change(memory_window=100)
        self.window.chat.transcript.message_actions.run(EditMessage(asked or 0))
        composer = self.window.chat.composer
        await self.driver.until(lambda: composer.editing == asked and composer.draft(), "the message in the composer")
        self.driver.press(composer.edit, Qt.Key.Key_A, CTRL)
        self.stage.model.talk = [LLMResponse(_UNSURE)]
        self.stage.send(_CORRECTED)
        await self.stage.until_said("Memory has taken something")
        await self.stage.answered()
        await self.stage.ready()
        await self.stage.shoot(
            "left-behind",
            "What memory took from what was left",
            "is said at once where a message above the violet line is edited, with the offer to take it back.",
            pane="timeline",
        )
        await self.stage.press_button(self.window.chat, "Take all of it back")
        await self.stage.until_said("taken out of")
        await self.driver.until(lambda: "Ines takes over" not in self.window.memory.editor.text(), "the line gone")
        await self.stage.shoot(
            "taken-back", "Taken back in one step,", "and brought back in another, by Undo.", pane="memory"
        )

    def _messages(self) -> Sequence[Message]:
        """Returns what was said in the conversation on show; nothing while another branch of it is opened."""
        session = self.current.conversation.session
        return session.messages if session is not None else ()

    def _pointer(self) -> int:
        session = self.current.conversation.session
        return session.last_consolidated if session is not None else 0

    def _answered_by(self) -> object:
        """Returns the model that gave the newest answer."""
        messages = self._messages()
        return messages[-1].get("model") if messages else None

    async def _talk(self, question: str, answer: str) -> None:
        self.stage.model.talk = [LLMResponse(answer)]
        await self.stage.say(question)

    async def _offer(self, answer: int) -> None:
        """Clicks on the link at an answer that offers other models."""
        view, action = self.window.chat.transcript.view, AnswerByAnother(answer)
        await self.driver.settle()
        found = (
            QPoint(x, y)
            for y in range(0, view.viewport().height(), _STEP)
            for x in range(0, view.viewport().width(), _STEP)
            if view.action_at(QPoint(x, y)) == action
        )
        where = next(found, None)
        if where is None:
            raise NotShown("the link that offers other models")
        # The menu opens at the pointer.
        QCursor.setPos(view.viewport().mapToGlobal(where))
        await self.driver.click(view.viewport(), where)
        await self.driver.until(lambda: self._menu() is not None, "the models")

    def _menu(self) -> QMenu | None:
        menu = QApplication.activePopupWidget()
        return menu if isinstance(menu, QMenu) else None

    def _offered(self, words: str) -> QAction | None:
        menu = self._menu()
        return next((each for each in menu.actions() if words in each.text()), None) if menu is not None else None

    async def _choose(self, words: str) -> None:
        menu, action = self._menu(), self._offered(words)
        if menu is None or action is None:
            raise NotShown(f"“{words}” in the menu")
        await self.driver.click(menu, menu.actionGeometry(action).center())
        await self.driver.until(lambda: self._menu() is not menu, "the choice")
