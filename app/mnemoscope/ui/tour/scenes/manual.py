"""The manual, opened and searched."""

from __future__ import annotations

from mnemoscope.ui.manual.manual_window import ManualWindow
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import Scenes

_ASKED = "pointer"


class ManualScenes(Scenes):
    """The scene of Help > Manual."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.manual,)

    async def manual(self) -> None:
        """Opens the page about the timeline and searches all pages."""

        async def show() -> None:
            self.current.manual.open("timeline")
            window = self._window()
            await self.driver.until(window.isVisible, "the manual")
            self.driver.type(window.field, _ASKED)
            await self.driver.until(lambda: window.results.count() > 0, "what the manual says of it")
            window.step(1)

        async def hide() -> None:
            self.current.manual.close()

        await self.stage.shoot_over(
            "manual",
            "The manual, in the window.",
            "One field searches all of its pages. F1 opens the page of the part in use.",
            show,
            hide,
        )

    def _window(self) -> ManualWindow:
        window = self.current.manual.window
        if window is None:
            raise NotShown("the manual")
        return window
