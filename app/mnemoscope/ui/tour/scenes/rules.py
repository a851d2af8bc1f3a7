"""The workbench of capture: rules at work on a chat, what is said of them, and a rule of one's own."""

from __future__ import annotations

from PySide6.QtCore import Qt

from mnemoscope.ui.capture.capture_dialog import CaptureDialog
from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.stage import Scenes

_CHAT = """My name is Nell, and I prefer the oatmeal glaze on small bowls.

Translate: 'I love you, my name is Juliet'

No, the market is in Todmorden, not Halifax.

Do you like blue?

Remember that the kiln is serviced in March"""
_RULE = """language = "en"

[[rule]]
id = "pottery.cone"
category = "specific_value"
cues = ["cone"]
patterns = ["fired to (?P<exact>cone [0-9]{1,2})"]
examples = ["The bowls are fired to cone 6"]
"""


class RuleScenes(Scenes):
    """Scenes in the workbench; nothing is said to a model."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.judged, self.own_rule)

    async def judged(self) -> None:
        async def show() -> None:
            dialog = await self._open()
            dialog.chat.setPlainText(_CHAT)
            await self.current.capture.settled()
            # Shown a second time, in the small window, it has its marks already.
            if not dialog.marks.count():
                await self._judge(dialog, 0, Qt.Key.Key_R)
                await self._judge(dialog, 2, Qt.Key.Key_W)
            await self.driver.until(lambda: "50" in dialog.score.text(), "how the rules do")

        await self.stage.shoot_over(
            "capture-rules",
            "What is captured, and by which rule.",
            "Type or drop a chat: each hit with its place, category and rule; what is not kept, and why. "
            "Right or wrong: each mark is a test of the rules.",
            show,
            self._close,
        )

    async def own_rule(self) -> None:
        async def show() -> None:
            dialog = await self._open()
            dialog.chat.setPlainText("The bowls are fired to cone 6.")
            dialog.tabs.setCurrentIndex(1)
            dialog.editor.text.setPlainText(_RULE)
            await self.current.capture.settled()
            top = dialog.hits.topLevelItem(0)
            self.driver.expect(top is not None and top.childCount() > 0, "a hit of one's own rule")

        await self.stage.shoot_over(
            "capture-own-rule",
            "Rules of one's own",
            "are tried while they are typed, before they are saved; precision and recall say what changed.",
            show,
            self._close,
        )

    async def _judge(self, dialog: CaptureDialog, place: int, verdict: Qt.Key) -> None:
        before = dialog.marks.count()
        top = dialog.hits.topLevelItem(place)
        row = top.child(0) if top is not None else None
        self.driver.expect(row is not None, "something found")
        if row is not None:
            dialog.hits.setCurrentItem(row)
        self.driver.press(dialog.hits, verdict)
        await self.driver.until(lambda: dialog.marks.count() > before, "the mark kept")

    async def _open(self) -> CaptureDialog:
        self.current.actions["capture.rules"].trigger()
        dialog = self.current.capture.dialog
        self.driver.expect(dialog is not None, "the workbench")
        assert dialog is not None
        await self.current.capture.settled()
        return dialog

    async def _close(self) -> None:
        if self.current.capture.dialog is not None:
            self.current.capture.dialog.close()
        await self.driver.until(lambda: self.current.capture.dialog is None, "the workbench closed")
