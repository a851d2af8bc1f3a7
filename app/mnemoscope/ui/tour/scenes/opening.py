"""What is found when a folder is opened after a crash, on a failing disk, or while another program has it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from mnemoscope.agent.turn.partial_replies import Partial, PartialReplies
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import open_workspace
from mnemoscope.ui.chat.damaged_records_dialog import DamagedRecordsDialog
from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.folders import Folders
from mnemoscope.ui.tour.scenes.faults import fresh
from mnemoscope.ui.tour.stage import Scenes, Stage
from mnemoscope.ui.widgets.question import Question


class OpeningScenes(Scenes):
    """Each opens a workspace that something has happened to."""

    def __init__(self, stage: Stage, folders: Folders) -> None:
        super().__init__(stage)
        self._folders = folders

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.damaged, self.cut_off, self.versions, self.in_use)

    async def damaged(self) -> None:
        await self._folders.open(await fresh(self._folders, _tear))
        await self.stage.until_said("1 damaged record")
        await self.stage.shoot("damaged", "A damaged record", "costs only itself; its bytes are kept aside.")

        async def show() -> None:
            await self.stage.press_button(self.window.chat, "View")
            await self.driver.until(lambda: self._sheet() is not None, "the damaged record")

        async def hide() -> None:
            if (sheet := self._sheet()) is not None:
                sheet.reject()
            await self.driver.settle()

        await self.stage.shoot_over(
            "damaged-view", "Its bytes, and what can be read of them,", "go back into the message field.", show, hide
        )

    async def cut_off(self) -> None:
        await self._folders.open(await fresh(self._folders, _cut_off))
        await self.stage.until_said("in the middle of an answer")
        await self.stage.shoot("cut-off", "Killed in the middle of an answer.", "What had arrived is kept and marked.")
        await self.stage.press_button(self.window.chat, "Keep")
        await self.driver.until(lambda: not self.stage.said("in the middle of an answer"), "the bar gone")

    async def versions(self) -> None:
        await self._folders.open(await fresh(self._folders, _spoil_versions))
        await self.stage.until_said("The version history of memory was damaged")
        await self.stage.shoot(
            "versions-damaged", "The version history is damaged.", "Set aside and begun anew; MEMORY.md is as it was."
        )

    async def in_use(self) -> None:
        root = await fresh(self._folders)
        with open_workspace(root):
            opening = asyncio.create_task(self._folders.application.open_folder(root))
            await self.driver.until(lambda: self._question() is not None, "the question about a folder in use")
            if (question := self._question()) is not None:
                await self.stage.press_button(question, "Look around, read-only")
            self.driver.expect(await opening, "the folder opened")
            await self._folders.follow()
            await self.stage.ready()
            await self.stage.until_said("This program has this workspace open for writing already.")
            await self.stage.shoot("in-use", "Open elsewhere.", "Read along; the bar says who writes.")

    def _sheet(self) -> DamagedRecordsDialog | None:
        return next((one for one in self.window.findChildren(DamagedRecordsDialog) if one.isVisible()), None)

    def _question(self) -> Question | None:
        return next((one for one in self.window.findChildren(Question) if one.isVisible()), None)


def _newest(root: Path) -> str:
    return max(SessionManager(root, read_only=True).overviews(), key=lambda one: one.updated_at).key


def _tear(root: Path) -> None:
    """Leaves the end of the newest conversation as a power cut does."""
    file = SessionManager(root, read_only=True).path_of(_newest(root))
    if file is not None:
        line = json.dumps(
            {"role": "user", "content": "Tell the café that the celadon mugs are packed and leave on Monday"}
        )
        file.write_bytes(file.read_bytes() + line[:-9].encode() + b"\n")


def _spoil_versions(root: Path) -> None:
    """Spoils the kept texts of MEMORY.md as a failing disk does."""
    for path in sorted(WorkspacePaths(root).own.text_versions_dir.glob("*"))[:2]:
        path.write_bytes(bytes(64))


def _cut_off(root: Path) -> None:
    """Leaves the newest conversation as a kill in the middle of an answer does."""
    sessions = SessionManager(root)
    session = sessions.get_or_create(_newest(root))
    session.add_message("user", "What is packed for the December market?")
    sessions.save(session)
    replies = PartialReplies(WorkspacePaths(root).own.drafts_dir, InlineDisk())
    begun = session.created_at.isoformat()
    replies.write(Partial(session.key, begun, len(session.messages), "offline", "Packed so far are forty mugs, and"))
