"""Talking: the first look, a new conversation, commands, streaming, tools, settling into memory, stopping, failing."""

from __future__ import annotations

import asyncio
from typing import Final

from PySide6.QtCore import Qt

from mnemoscope.agent.turn.agent_loop import newest_question
from mnemoscope.domain.answer_receipt.memory_use import counts_of
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import is_deleted
from mnemoscope.domain.events import ToolRan
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.settings import Settings
from mnemoscope.ui.chat.message_actions import (
    DeleteTurn,
    EditMessage,
    OpenAnswerReceipt,
    RestoreDeleted,
    StopWorkBeside,
)
from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.one_slot_server import OneSlotServer
from mnemoscope.ui.tour.stage import Scenes
from mnemoscope.ui.tour.tour_model import call_of

_STOPPED_AFTER: Final = "Stoneware glaze firing at 1222"
_KEPT: Final = "Remember that the kiln is serviced every March."
"""The first message of the tour's conversation, of which memory takes a line."""
SMALL_WINDOW: Final = 12
"""Memory window of the tour's conversation, so that a handful of messages brings a consolidation."""
_USUAL_WINDOW: Final = Settings().memory_window
"""Memory window while nothing is to be consolidated by itself."""


class ChatScenes(Scenes):
    """Plays the scenes around the chat and the timeline."""

    def opening(self) -> tuple[Scene, ...]:
        """Returns the scenes from the first look to the first settled messages."""
        return (
            self.welcome,
            self.nothing_said,
            self.slash_commands,
            self.streaming,
            self.tool_call,
            self.receipt,
            self.approval,
            self.consolidation,
            self.entry,
            self.editing,
            self.branches,
            self.deletion,
            self.discretion,
        )

    def trouble(self) -> tuple[Scene, ...]:
        """Returns the scenes of what stops an answer."""
        return (self.stopped, self.behind, self.error)

    async def welcome(self) -> None:
        await self.stage.ready()
        session = self.current.conversation.session
        self.driver.expect(session is not None and session.last_consolidated > 0, "a sample whose pointer has moved")
        await self.driver.until(lambda: self.window.memory.editor.text().strip(), "MEMORY.md in the editor")
        await self.stage.shoot(
            "welcome",
            "Welcome.",
            "The sample workspace: a long conversation, the violet line up to which it is consolidated, the "
            "facts it became, and the log of what happened.",
            pane="timeline",
        )

    async def discretion(self) -> None:
        before, composer = self.stage.key, self.window.chat.composer
        composer.discretion.choices[Discretion.TEMPORARY].trigger()
        await self.driver.until(composer.strip.isVisible, "the strip of a temporary conversation")
        await self.stage.ready()
        temporary = self.stage.key
        await self.stage.shoot(
            "temporary",
            "Kept nowhere.",
            "A switch at the message: a conversation is remembered, reads memory and writes none, or is temporary. Of "
            "this one nothing is on the disk, and its tools write nothing.",
        )
        self.current.sessions.open(before)
        await self.driver.until(lambda: self.stage.key == before, "the conversation before")
        await self.stage.ready()
        self.current.bench.discretion.close(temporary)

    async def nothing_said(self) -> None:
        await self.current.bench.config.change(memory_window=SMALL_WINDOW)
        await self.stage.begin_conversation()
        await self.stage.shoot("empty", "Nothing said yet.", "A new conversation offers three ways to begin.")

    async def slash_commands(self) -> None:
        completer = self.window.chat.composer.edit.completer

        async def show() -> None:
            self.stage.type("/")
            await self.driver.until(completer.isVisible, "the list of slash commands")

        async def hide() -> None:
            self.driver.press(self.window.chat.composer.edit, Qt.Key.Key_Backspace)
            await self.driver.until(lambda: not completer.isVisible(), "the list gone with the slash")

        await self.stage.shoot_over("commands", "Slash commands", "complete as they are typed.", show, hide)

    async def streaming(self) -> None:
        await self.stage.say(_KEPT)
        self.stage.model.rest_after("grams = sum(")
        self.stage.send("Show shop/postage.py")
        await self.driver.until(lambda: self.stage.model.rests, "an answer under way, in the middle of its code")
        self.driver.expect(self.window.chat.composer.busy, "a way to stop it")
        await self.stage.shoot(
            "streaming", "An answer arriving.", "Code is a card from its first line on; Esc stops, what came is kept."
        )
        self.stage.model.go_on.set()
        await self.stage.answered()
        await self.stage.say("What do you know about the kiln?")

    async def tool_call(self) -> None:
        self.driver.expect(any(isinstance(one, ToolRan) for one in self.stage.heard), "a tool that ran")
        await self.stage.shoot(
            "tool", "A tool call,", "folded into one line; the answer quotes what was found, with its source."
        )

    async def receipt(self) -> None:
        """Opens the receipt of the newest answer, and asks its question again without memory."""
        session = self.current.conversation.session
        messages = [] if session is None else session.messages
        index = len(messages) - 1
        self.driver.expect(bool(messages) and counts_of(messages[index]) is not None, "what memory an answer was given")
        receipts = self.current.conversation.answer_receipts
        self.window.chat.transcript.message_actions.run(OpenAnswerReceipt(index))
        await self.driver.until(lambda: receipts.dialog is not None, "the receipt of an answer")
        dialog = receipts.dialog
        self.driver.expect(dialog is not None, "the receipt")
        if dialog is None:
            return
        await self.driver.shoot(
            "receipt",
            "The receipt of an answer:",
            "each line of memory that was in its prompt, those first whose words came back, and the way to its "
            "messages, its correction, and an answer without it.",
        )
        dialog.close()
        await self.driver.until(lambda: receipts.dialog is None, "the end of the receipt")

    async def approval(self) -> None:
        await self.current.bench.config.change(exec_enabled=True)
        answer = "Then I leave it. The postage is worked out by `shop/postage.py`; open it to see the rates."
        self.stage.model.talk = [call_of("exec", argv=["python3", "shop/postage.py", "--check", "stock.csv"])]
        self.stage.send("Check the postage against the stock list")
        card = self.window.chat.approval.widget
        await self.driver.until(card.isVisible, "the card that asks before a command runs")
        self.stage.model.talk = [LLMResponse(answer)]
        await self.stage.shoot(
            "approval",
            "A command waits for your word.",
            "Exactly what would run, and where; Deny is what Enter and Esc mean.",
        )
        await self.stage.press_button(card, "Deny")
        await self.stage.answered()
        await self.current.bench.config.change(exec_enabled=False)

    async def consolidation(self) -> None:
        for words in (
            "My studio is open on Thursdays and Saturdays.",
            "I prefer short answers with the source named.",
            "We decided to bring forty mugs to the December market.",
            "Remember that Ines takes over the glaze class in January.",
            "What did we say about the market?",
        ):
            if not self.stage.consolidations():
                await self.stage.say(words)
        await self.driver.until(self.stage.consolidations, "a consolidation in the background")
        session = self.current.conversation.session
        self.driver.expect(session is not None and session.last_consolidated > 0, "the pointer moved")
        self.window.timeline.view.scrolling.to_pointer()
        await self.driver.settle(0.8)
        await self.stage.shoot(
            "consolidated",
            "Consolidated.",
            "The pointer has slid to its new place; the messages above it stand under the entry they became.",
            pane="timeline",
        )

    async def entry(self) -> None:
        records = (await self.current.bench.timeline.facts(self.stage.key)).records
        self.driver.expect(records, "an entry for the settled messages")
        self.window.timeline.view.entry_activated.emit(records[-1])
        await self.driver.settle(0.6)
        await self.stage.shoot(
            "entry", "From the timeline to the log.", "The entry, and the messages it came from.", pane="history"
        )

    async def editing(self) -> None:
        session = self.current.conversation.session
        asked = newest_question(session.messages) if session is not None else None
        composer = self.window.chat.composer
        self.driver.expect(asked is not None, "a question to think about again")
        self.window.chat.transcript.message_actions.run(EditMessage(asked or 0))
        await self.driver.until(lambda: composer.editing == asked and composer.draft(), "the message in the composer")
        await self.stage.shoot(
            "editing",
            "Second thoughts.",
            "A message of yours is edited where you write; what followed it stays on a branch of its own.",
            pane="timeline",
        )
        self.driver.press(composer.edit, Qt.Key.Key_Escape)
        self.driver.expect(composer.editing is None and not composer.draft(), "the message left as it was")

    async def branches(self) -> None:
        self.stage.model.talk = [LLMResponse("Forty mugs, and the small bowls if the second firing goes well.")]
        self.current.actions["turn.regenerate"].trigger()
        await self.driver.until(lambda: self.window.timeline.model.branches, "where the ways part")
        await self.stage.answered()
        await self.stage.ready()
        await self.stage.shoot(
            "branches",
            "Both answers are kept.",
            "The conversation goes on in two branches from here; the arrows go between them, and search finds both.",
            pane="timeline",
        )
        self.current.actions["branch.before"].trigger()
        await self.driver.until(
            lambda: any(not each.here for each in self.window.timeline.model.branches.values()), "the branch before"
        )
        await self.stage.ready()

    async def deletion(self) -> None:
        """Deletes the first turn, of which memory took something, and brings it back."""
        transcript, session = self.window.chat.transcript, self.current.conversation.session
        said = [each.get("content") for each in session.messages] if session is not None else []
        self.driver.expect(_KEPT in said, "a turn that memory took something from")
        index, document = said.index(_KEPT), transcript.transcript
        transcript.scroll_to_message(index)
        transcript.message_actions.run(DeleteTurn(index))
        await self.driver.until(lambda: is_deleted(document.source[index]), "the turn deleted")
        await self.stage.until_said("Memory has taken something from what was deleted.")
        await self.stage.ready()
        self.driver.expect(self.stage.has_button(self.window.chat, "Undo"), "the way back of the turn")
        await self.stage.shoot(
            "deletion",
            "A turn is deleted.",
            "Its place says so in chat and timeline; what memory took from it is told, with the offer to take it back, "
            "and Undo brings the turn back exactly as it was.",
            pane="timeline",
        )
        transcript.message_actions.run(RestoreDeleted(index))
        await self.driver.until(lambda: not is_deleted(document.source[index]), "the turn brought back")
        await self.stage.ready()

    async def stopped(self) -> None:
        self.stage.model.rest_after(_STOPPED_AFTER)
        self.stage.send("What do you know about the kiln?")
        await self.driver.until(lambda: self.stage.model.rests, "several sentences of the answer")
        await self._waiting()
        self.driver.press(self.window.chat.composer.edit, Qt.Key.Key_Escape)
        await self.stage.answered()
        session = self.current.conversation.session
        self.driver.expect(session is not None and session.messages[-1].get("interrupted"), "an interrupted answer")
        await self.stage.shoot("stopped", "Stopped.", "What had arrived is kept, marked, and can be asked for again.")

    async def _waiting(self) -> None:
        composer = self.window.chat.composer
        self.stage.type("And when is the next firing?")
        self.driver.press(composer.edit, Qt.Key.Key_Return)
        await self.driver.until(composer.waiting.isVisible, "the message that waits")
        await self.stage.shoot(
            "waiting", "What you send meanwhile waits,", "to be edited, taken back, or sent after the answer."
        )
        await self.stage.press_button(composer.waiting, "Take back")
        await self.driver.until(lambda: composer.draft() and not composer.waiting.isVisible(), "the message taken back")
        composer.set_draft("")

    async def behind(self) -> None:
        transcript, loop = self.window.chat.transcript, self.current.bench.loop
        async with OneSlotServer("The next firing is on Thursday, at cone 6.") as server:
            config, window = self.current.bench.config, self.current.bench.settings.memory_window
            # The newest message alone stays: there is something to consolidate.
            await config.change(model="openai/tour", api_base=server.address, memory_window=2)
            work = asyncio.ensure_future(loop.consolidate_now(self.stage.key))
            await self.driver.until(lambda: server.asked or work.done(), "a consolidation that keeps the server busy")
            self.driver.expect(not work.done(), "a consolidation under way")
            # No other one is due while the model is set that is gone with its server: it would be refused.
            await config.change(memory_window=_USUAL_WINDOW)
            self.stage.send("And when is the next firing?")
            await self.driver.until(lambda: "Stop consolidating" in transcript.view.toPlainText(), "what it waits for")
            await self.stage.shoot(
                "behind",
                "An answer waits for its server,",
                "which takes one request at a time and is consolidating; a link stops that, and nothing is lost.",
            )
            transcript.message_actions.run(StopWorkBeside())
            await work
            await self.stage.answered()
            await config.change(model="offline", api_base="", memory_window=window)

    async def error(self) -> None:
        window = self.current.bench.settings.memory_window
        # The timeline has nothing to say of a consolidation that lacks the same key.
        await self.current.bench.config.change(model="openai/gpt-4o-mini", memory_window=_USUAL_WINDOW)
        self.stage.send("Does the glaze need another test?")
        await self.driver.until(lambda: self.stage.has_button(self.window.chat, "Choose model…"), "what went wrong")
        self.driver.expect(
            not self.stage.has_button(self.window.timeline, "Archive raw"), "no consolidation that failed as well"
        )
        await self.stage.shoot(
            "error", "No key for this model.", "One sentence, one action; what you wrote is kept and can be sent again."
        )
        self.window.chat.transcript.end.clear()
        self.current.model_choice.choose("offline")
        await self.driver.until(lambda: self._chosen_model() == "offline", "the model of this conversation")
        await self.stage.shoot(
            "conversation-model",
            "A model for one conversation.",
            "Its name stands at the top; the settings, and what goes on in the background, stay as they are.",
        )
        self.current.model_choice.choose("")
        await self.driver.until(lambda: not self._chosen_model(), "the model of the settings again")
        await self.current.bench.config.change(model="offline", memory_window=window)

    def _chosen_model(self) -> str:
        session = self.current.conversation.session
        return session.model if session is not None else ""
