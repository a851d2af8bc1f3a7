"""Three tiers: what is kept before it is answered, search over everything, and room in a full context."""

from __future__ import annotations

from mnemoscope.domain.events import Captured, PromptBuilt
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.settings import THREE_TIER
from mnemoscope.ui.chat.message_actions import ShowCapture
from mnemoscope.ui.memory.captures.captures_view import CapturesView
from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.stage import Scenes

_SAID = "I prefer the tall kiln. No, the market is in Todmorden, not Halifax."
_NOT_SAID = "I prefer the tall kiln. Suppose I like blue. Do I prefer cake?"
_ASKED = "how hot is the kiln fired"
_WINDOW = 7_000
_ENOUGH = 20
_QUESTION = "What should the next firing be, with bowls, mugs and the two tall vases waiting? " * 6
_ANSWER = "Fire the bowls first, then the mugs; the tall vases want a slow cooling and a shelf of their own. " * 6


class TierScenes(Scenes):
    """Plays scenes in the conversation on show, in which capture is switched on."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.kept, self.listed, self.paused)

    async def kept(self) -> None:
        await self.current.bench.config.change(capture="on")
        await self.stage.say(_SAID)
        shown = self.stage.window.chat.transcript.transcript
        await self.driver.until(
            lambda: "Remembered:" in shown.document.toPlainText(), "what was kept, under the message"
        )
        captured = [event for event in self.stage.heard if isinstance(event, Captured)][-1]
        self.stage.window.chat.transcript.message_actions.run(ShowCapture(captured.index, 0))
        editor = self.stage.window.memory.main.editor
        line = captured.captures[0].memory_line
        await self.driver.until(lambda: line in editor.text().split("\n")[editor.caret_line()], "the line in memory")
        await self.stage.shoot(
            "captured",
            "Remembered before the answer.",
            "Under a message stands what of it was kept, each a way to its line in memory; Undo takes it back.",
            pane="memory",
        )

    async def listed(self) -> None:
        await self.stage.say(_NOT_SAID)
        self.current.actions["capture.log"].trigger()
        body = self.stage.window.memory.main.body
        await self.driver.until(
            lambda: body.page == "captures" and body.captures.widget.list.count() > 3, "the captures"
        )
        await self.driver.until(lambda: self._lists(body.captures.widget, "only supposed"), "why something is not kept")
        await self.stage.shoot(
            "captures",
            "What was captured, and what was not.",
            "Each with the reason, and the way back: Undo, or Remember after all.",
            pane="memory",
        )
        body.captures.widget.closed.emit()

    async def paused(self) -> None:
        async def show() -> None:
            dialog = await self.stage.open_settings()
            dialog.pages.show_section(dialog.capture)
            await self.driver.settle()
            self.driver.expect(dialog.capture.isVisible(), "the rows of capture")

        self.current.actions["capture.pause"].trigger()
        await self.driver.until(lambda: self.current.bench.settings.capture_paused, "the pause")
        await self.stage.shoot_over(
            "capture-settings",
            "Capture is a choice,",
            "as the profile has it, on or off; the line at the bottom says when it is paused.",
            show,
            self.stage.leave_settings,
        )
        self.current.actions["capture.pause"].trigger()
        await self.driver.until(lambda: not self.current.bench.settings.capture_paused, "that it goes on")
        await self.current.bench.config.change(capture="off")

    @staticmethod
    def _lists(view: CapturesView, words: str) -> bool:
        return any(words in view.list.item(row).text() for row in range(view.list.count()))


class SearchScenes(Scenes):
    """Plays scenes over the conversation on show."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.search,)

    async def search(self) -> None:
        sheet = self.current.search.sheet

        async def show() -> None:
            self.current.actions["search"].trigger()
            await self.driver.until(sheet.isVisible, "the search")
            self.driver.type(sheet.field, _ASKED)
            await self.driver.until(lambda: any(row.hit for row in sheet.model.rows), "what is found")

        async def hide() -> None:
            sheet.hide()

        await self.stage.shoot_over(
            "search",
            "Everything that is remembered, in one field.",
            "Ctrl+Shift+F finds it in other words too, by place; Enter goes there.",
            show,
            hide,
        )


class ContextScenes(Scenes):
    """Plays scenes in a conversation that grows beyond its model's context."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.compacted, self.looked_back)

    async def compacted(self) -> None:
        """Talks until the first part is no longer sent."""
        before = self.current.bench.settings
        self._before = {"profile": before.profile, "context_window_tokens": before.context_window_tokens}
        await self.current.bench.config.change(profile=THREE_TIER, context_window_tokens=_WINDOW)
        await self.stage.begin_conversation()
        self.current.actions["pane.prompt"].trigger()
        for number in range(_ENOUGH):
            self.stage.model.talk = [LLMResponse(_ANSWER)]
            await self.stage.say(f"{number + 1}. {_QUESTION}")
            if self._was_compacted():
                break
        self.stage.model.talk = []
        await self.driver.until(lambda: self._has("Compacted"), "what was compacted")
        await self.stage.shoot(
            "context-compacted",
            "A context that filled up.",
            "Marks at 50 and 60 %: from the first on what is said is noted in a buffer; beyond the second the middle "
            "is no longer sent, and what helps to go on is told once. Every message stays in the conversation.",
            pane="prompt",
        )

    async def looked_back(self) -> None:
        """Looks at the exact prompt of an earlier turn."""
        pane = self.window.prompt.widget
        pane.past_button.click()
        await self.driver.until(lambda: pane.is_past, "the slider over past turns")
        await self.driver.until(lambda: self._has("Recovered"), "what was recovered with that turn")
        await self._look_at("Recovered")
        await self.stage.shoot(
            "context-past",
            "The exact prompt of each past turn.",
            "The slider goes through the turns; what was sent then is shown part by part, as it was.",
            pane="prompt",
        )
        pane.close_past()
        await self.current.bench.config.change(**self._before)

    async def _look_at(self, title: str) -> None:
        """Shows the first part of a group."""
        model, tree = self.window.prompt.widget.model, self.window.prompt.widget.tree
        number = next(place for place, group in enumerate(model.groups) if group.row.title == title)
        index = model.index(0, 0, model.index(number, 0))
        tree.setCurrentIndex(index)
        tree.scrollTo(index)
        await self.driver.settle()

    def _was_compacted(self) -> bool:
        """Returns whether the newest prompt was sent with a marker in the middle; the pane shows it a little later."""
        built = [one for one in self.stage.heard if isinstance(one, PromptBuilt)]
        return bool(built) and any(part.kind == "marker" for part in built[-1].prompt.messages)

    def _has(self, title: str) -> bool:
        return any(group.row.title == title for group in self.window.prompt.widget.model.groups)
