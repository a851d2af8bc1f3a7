"""Search over everything: found as it is typed, by place, and gone to."""

from __future__ import annotations

from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.stage import Scenes

_ASKED = "how hot is the kiln fired"


class SearchScenes(Scenes):
    """Scenes over the conversation on show."""

    def all(self) -> tuple[Scene, ...]:
        """In order."""
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
