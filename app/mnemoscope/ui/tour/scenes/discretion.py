"""Scenes of how much of a conversation is kept: one that only reads memory, and the switch in mid-conversation."""

from __future__ import annotations

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import Scenes


class DiscretionScenes(Scenes):
    """Plays the scenes of the switch at the composer, in conversations of their own."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.reads_memory, self.switched, self.remembered_again)

    async def reads_memory(self) -> None:
        await self.stage.begin_conversation()
        chip = self.window.chat.composer.discretion

        async def show() -> None:
            await self.driver.click(chip)
            await self.driver.until(chip.menu_of_kinds.isVisible, "the three kinds")

        async def hide() -> None:
            chip.menu_of_kinds.close()
            await self.driver.until(lambda: not chip.menu_of_kinds.isVisible(), "no menu")

        await self.stage.shoot_over(
            "discretion-choices",
            "How much is kept",
            "is chosen at the composer, with a sentence on each kind.",
            show,
            hide,
        )
        await show()
        await self._choose(Discretion.READS_MEMORY)
        await self.driver.until(lambda: self.window.chat.composer.strip.isVisible(), "the strip")
        await self.stage.ready()
        await self.stage.say("What do you know about the kiln?")
        await self.stage.shoot(
            "reads-memory",
            "Reads memory, writes none.",
            "The answer rests on what is remembered; nothing of this conversation becomes memory, by any program.",
            pane="timeline",
        )

    async def switched(self) -> None:
        await self.stage.begin_conversation()
        self.stage.model.talk = [LLMResponse("The town hall in Todmorden: forty sit there with ease.")]
        await self.stage.say("My sister marries in May. Which hall would do for forty guests?")
        await self._open()
        await self._choose(Discretion.READS_MEMORY)
        await self.driver.until(lambda: self.window.chat.composer.strip.isVisible(), "the strip")
        self.stage.model.talk = [LLMResponse("Say what you can give, and ask what she had in mind.")]
        await self.stage.say("Between us: how do I ask her to share the cost?")
        await self.driver.until(
            lambda: "from message 3 on" in self.window.chat.composer.strip.words.text(), "from where on it holds"
        )
        await self.stage.shoot(
            "discretion-switched",
            "Switched in mid-conversation.",
            "The line above the text says from which message on it holds, and what becomes of what was said before.",
            pane="timeline",
        )

    async def remembered_again(self) -> None:
        async def show() -> None:
            await self._open()
            await self._choose(Discretion.REMEMBERED)
            await self.driver.until(lambda: self.question() is not None, "what becomes of what was said")

        async def hide() -> None:
            question = self.question()
            if question is not None:
                question.reject()
            await self.driver.until(lambda: self.question() is None, "no question")

        await self.stage.shoot_over(
            "discretion-back",
            "And back again:",
            "nothing that was said in confidence becomes memory before you say so.",
            show,
            hide,
        )

    async def _open(self) -> None:
        chip = self.window.chat.composer.discretion
        await self.driver.click(chip)
        await self.driver.until(chip.menu_of_kinds.isVisible, "the three kinds")

    async def _choose(self, kind: Discretion) -> None:
        chip = self.window.chat.composer.discretion
        if not chip.menu_of_kinds.isVisible():
            raise NotShown("the three kinds")
        await self.driver.click(chip.menu_of_kinds, chip.menu_of_kinds.actionGeometry(chip.choices[kind]).center())
        await self.driver.until(lambda: not chip.menu_of_kinds.isVisible(), "the choice")
