"""A guarded context: buffered, compacted and recovered, noted by day, and every past prompt to look back at."""

from __future__ import annotations

from mnemoscope.domain.events import PromptBuilt
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.settings import THREE_TIER
from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.stage import Scenes

_WINDOW = 7_000
_ENOUGH = 20
_ASKED = "What should the next firing be, with bowls, mugs and the two tall vases waiting? " * 6
_ANSWER = "Fire the bowls first, then the mugs; the tall vases want a slow cooling and a shelf of their own. " * 6


class ContextScenes(Scenes):
    """Scenes in a conversation that grows beyond its model's context."""

    def all(self) -> tuple[Scene, ...]:
        """In order."""
        return (self.compacted, self.looked_back)

    async def compacted(self) -> None:
        """Talk until the first part is no longer sent."""
        before = self.current.bench.settings
        self._before = {"profile": before.profile, "context_window_tokens": before.context_window_tokens}
        await self.current.bench.config.change(profile=THREE_TIER, context_window_tokens=_WINDOW)
        self.current.actions["conversation.new"].trigger()
        await self.stage.ready()
        self.current.actions["pane.prompt"].trigger()
        for number in range(_ENOUGH):
            self.stage.model.talk = [LLMResponse(_ANSWER)]
            await self.stage.say(f"{number + 1}. {_ASKED}")
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
        """The exact prompt of an earlier turn."""
        pane = self.window.prompt
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
        """Show the first part of a group."""
        model, tree = self.window.prompt.model, self.window.prompt.tree
        number = next(place for place, group in enumerate(model.groups) if group.row.title == title)
        index = model.index(0, 0, model.index(number, 0))
        tree.setCurrentIndex(index)
        tree.scrollTo(index)
        await self.driver.settle()

    def _was_compacted(self) -> bool:
        """Whether the newest prompt was sent with a marker in the middle; the pane may show that a little later."""
        built = [one for one in self.stage.heard if isinstance(one, PromptBuilt)]
        return bool(built) and any(part.kind == "marker" for part in built[-1].prompt.messages)

    def _has(self, title: str) -> bool:
        return any(group.row.title == title for group in self.window.prompt.model.groups)
