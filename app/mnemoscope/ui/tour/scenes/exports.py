"""A conversation leaves the workspace: exported in any form, or printed."""

from __future__ import annotations

from PySide6.QtPrintSupport import QPrintDialog

from mnemoscope.agent.export.exporter import ExportFormat, ExportSource
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.ui.sessions.export_dialog import PDF, ExportDialog
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import Scenes

_CODE = '''In grams, as `shop/postage.py` has it:

```python
def weight(mugs: int, bowls: int = 0) -> int:
    """Returns what a parcel weighs, with 120 g of straw."""
    return 120 + 410 * mugs + 480 * bowls  # grams
```'''


class ExportScenes(Scenes):
    """Plays the scenes of a conversation in a file and on paper."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.export, self.print, self.exported_page, self.printed_pages)

    async def export(self) -> None:
        await self.shoot_dialog(
            ExportDialog,
            self.current.actions["export"].trigger,
            "export",
            "It all comes out again,",
            "as Markdown, a page for a browser, a PDF, or the records byte for byte: a conversation, a part, or all.",
        )

    async def exported_page(self) -> None:
        self.stage.model.talk = [LLMResponse(_CODE)]
        await self.stage.say("How would that be counted in Python?")
        page = self.driver.keep_page(
            "exported-page",
            "The page for a browser,",
            "in one file, its code in colours, light or dark as the browser is. Nothing is loaded from anywhere.",
        )
        await self.current.exports.export(self._source(), ExportFormat.HTML.value, page)
        self.driver.expect("light-dark(" in page.read_text("utf-8"), "code with its colours")

    async def print(self) -> None:
        """Asks for a printer."""
        await self.shoot_dialog(
            QPrintDialog,
            self.current.actions["print"].trigger,
            "print",
            "A conversation is printed, or the messages that are selected in it,",
            "by the system's own dialog; where there is no printer, into a PDF.",
        )

    async def printed_pages(self) -> None:
        """Keeps the pages that a printer gets."""
        pages = self.driver.keep_page(
            "printed-pages",
            "The pages,",
            "as a printer or a PDF gets them: black on white, code wrapped, no heading alone at the end of a page.",
            PDF,
        )
        await self.current.exports.export(self._source(), PDF, pages)
        self.driver.expect(pages.read_bytes().startswith(b"%PDF"), "pages in a PDF")
        await self.stage.until_said("Exported to")
        self.window.chat.dismiss_notices_with("Exported to")

    def _source(self) -> ExportSource:
        session = self.current.conversation.session
        if session is None:
            raise NotShown("a conversation to export")
        return ExportSource(self.stage.key, self.window.sessions.title_of(self.stage.key), session.created_at)
