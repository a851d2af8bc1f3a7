"""Shows what happens when things go wrong: each fault is real, the window says so, and the way out is pressed."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt

from mnemoscope.agent.turn.partial_replies import PartialReplies, PartialReply
from mnemoscope.domain.events import ConsolidationFailed, ConsolidationStarted
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import open_workspace
from mnemoscope.ui.chat.damaged_records_dialog import DamagedRecordsDialog
from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.folders import Folders
from mnemoscope.ui.tour.stage import CTRL, Scenes, Stage
from mnemoscope.ui.tour.tour_disk import TourDisk
from mnemoscope.ui.tour.tour_model import memory_of, no_tool_call
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar

_WINDOW: Final = 12
_FAR: Final = 1_000
"""A memory window that no conversation of the tour reaches by itself."""
_TOLD: Final = "Talked about the clay delivery."


class FaultScenes(Scenes):
    """Plays faults of the disk and of consolidation, and writing that others cross, on workspaces of their own."""

    def __init__(self, stage: Stage, folders: Folders, disk: TourDisk) -> None:
        super().__init__(stage)
        self._folders, self._disk = folders, disk

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (
            self.disk_full,
            self.disk_read_only,
            self.not_updated,
            self.dropped,
            self.conflict,
            self.outside,
            self.taken_back,
            self.shared,
            self.missing,
            self.crash,
        )

    async def disk_full(self) -> None:
        await self._folders.open(await _fresh(self._folders))
        self._disk.error = errno.ENOSPC
        await self._refused("Remember that the fire inspector comes on Tuesday.", "The disk is full.")
        await self.stage.shoot(
            "disk-full",
            "The disk is full.",
            "One bar for the whole window: memory pauses, the message is back in its field, three ways out.",
        )
        await self.stage.press_button(self.window.chat, "Try again")
        await self.stage.until_said("Still refused")
        self._disk.error = 0
        await self.stage.press_button(self.window.chat, "Try again")
        await self.driver.until(lambda: not self.stage.said("The disk is full."), "the bar gone")
        await self.driver.until(lambda: not self.window.chat.composer.busy, "the message sent and answered")

    async def disk_read_only(self) -> None:
        self._disk.error = errno.EROFS
        await self._refused("And what comes on Wednesday?", "The disk is read-only.")
        await self.stage.shoot("disk-read-only", "The disk is read-only.", "The same bar, with what to do about it.")
        self._disk.error = 0
        await self.stage.press_button(self.window.chat, "Try again")
        await self.driver.until(lambda: not self.stage.said("read-only"), "the bar gone")
        await self.driver.until(lambda: not self.window.chat.composer.busy, "the message sent and answered")

    async def not_updated(self) -> None:
        await self._something_to_settle()
        self.stage.model.answers = [no_tool_call() for _ in range(3)]
        before = len(self._events_of(ConsolidationFailed))
        self.current.actions["memory.consolidate"].trigger()
        await self.driver.until(lambda: len(self._events_of(ConsolidationFailed)) > before, "three tries and no more")
        timeline = self.window.timeline
        await self.driver.until(lambda: self.stage.has_button(timeline, "Archive raw"), "the three ways on")
        await self.stage.shoot(
            "archive-raw",
            "Memory was not updated.",
            "A quiet chip: how many tries, what waits, why; try again, take another model, or archive it as it is.",
            pane="timeline",
        )
        done = self.stage.consolidations()
        await self.stage.press_button(timeline, "Archive raw")
        await self.driver.until(lambda: self.stage.consolidations() > done, "what waited archived as it is")

    async def dropped(self) -> None:
        await self._something_to_settle()
        lines = self.window.memory.editor.text().splitlines(keepends=True)
        facts = [line for line in lines if line.startswith("- ")]
        self.driver.expect(len(facts) > 3, "facts that can be dropped")
        kept = "".join(line for line in lines if line not in facts[:2])
        self.stage.model.answers = [memory_of(kept, _TOLD)]
        self.current.actions["memory.consolidate"].trigger()
        self.current.actions["pane.memory"].trigger()
        await self.driver.until(lambda: self.stage.has_button(self.window.memory, "Keep mine"), "a card that asks")
        bar = self.window.memory.bars.bar("suggestion")
        self.driver.expect(bar is not None and bar.sentence.count("•") >= 2, "each fact that would go, named")
        await self.stage.shoot(
            "facts-dropped",
            "Facts would be dropped.",
            "A card names each; nothing goes until you decide.",
            pane="memory",
        )
        await self.stage.press_button(self.window.memory, "Keep mine")
        await self.driver.until(lambda: self.window.memory.bars.bar("suggestion") is None, "the card gone")

    async def conflict(self) -> None:
        await self._something_to_settle("Remember: metric, temperatures in °C and litres.")
        pane, editor = self.window.memory, self.window.memory.editor
        line = next(line for line in editor.text().splitlines() if "°C" in line)
        self.stage.model.answers = [memory_of(editor.text().replace(line, f"{line} and litres"), _TOLD)]
        self.stage.model.gate.clear()
        before = len(self._events_of(ConsolidationStarted))
        self.current.actions["memory.consolidate"].trigger()
        await self.driver.until(
            lambda: len(self._events_of(ConsolidationStarted)) > before, "a consolidation under way"
        )
        self.current.actions["pane.memory"].trigger()
        editor.replace_text(editor.text().replace(line, f"{line} and bars"))
        self.driver.press(editor, Qt.Key.Key_S, CTRL)
        await self.driver.until(lambda: not pane.is_dirty(), "the person's wording saved")
        self.stage.model.gate.set()
        await self.driver.until(lambda: pane.bars.bar("conflict") is not None, "the bar of the conflict")
        await self.stage.shoot(
            "conflict", "Both changed the same line.", "Yours stands; the other wording is kept.", pane="memory"
        )
        await self.stage.press_button(pane, "Review")
        await self.driver.until(lambda: self.stage.has_button(pane, "Take theirs"), "both sides")
        await self.stage.shoot(
            "conflict-page",
            "Both sides, with where each came from.",
            "Keep mine, take theirs, both, or your own words: each has a key.",
            pane="memory",
        )
        self.driver.press(pane.body.conflicts.widget.mine.text, Qt.Key.Key_B)
        await self.driver.until(lambda: not pane.body.conflicts.widget.waiting, "the conflict settled by a key")
        await self.driver.until(lambda: "and litres" in editor.text() and "and bars" in editor.text(), "both wordings")

    async def outside(self) -> None:
        pane, file = self.window.memory, self.current.bench.workspace.paths.memory_file
        await self.driver.until(
            lambda: not self.current.bench.loop.consolidation.is_running, "no consolidation under way"
        )
        self.current.actions["pane.memory"].trigger()
        text = file.read_text("utf-8")
        await asyncio.to_thread(file.write_text, text + "- The loading bay is closed in week 50\n", "utf-8")
        await self.current.watcher.rescan()
        await self.driver.until(lambda: pane.bars.bar("outside") is not None, "the bar of the outside change")
        await self.stage.shoot(
            "changed-outside",
            "Another program changed the file.",
            "The text follows, and what was there before is one press away.",
            pane="memory",
        )
        await self.stage.press_button(pane, "Diff")
        await self.driver.until(
            lambda: "loading bay" in pane.body.versions.widget.diff.text.toPlainText(), "what it changed"
        )
        await self.stage.shoot(
            "changes", "Every change of memory,", "when, whose, what it did; any of them can be undone.", pane="memory"
        )
        self.driver.press(pane.body.versions.widget.list, Qt.Key.Key_Escape)
        await self.stage.press_button(pane, "Revert")
        await self.driver.until(lambda: pane.editor.text() == text, "the text before")

    async def taken_back(self) -> None:
        pane = self.window.memory
        await self.driver.until(lambda: pane.bars.bar("undone") is not None, "what was taken back")
        await self.stage.shoot("taken-back", "Taken back,", "and that can be taken back too.", pane="memory")
        await self.stage.press_button(pane, "Bring back")
        await self.driver.until(lambda: "loading bay" in pane.editor.text(), "the change brought back")

    async def shared(self) -> None:
        pane, file = self.window.memory, self.current.bench.workspace.paths.memory_file
        await asyncio.to_thread(os.link, file, self._folders.scratch / "other-name.md")
        self.driver.press(pane.editor, Qt.Key.Key_End, CTRL)
        self.driver.type(pane.editor, "- The spare kiln shelf is cracked")
        self.driver.press(pane.editor, Qt.Key.Key_S, CTRL)
        await self.driver.until(lambda: pane.bars.bar("shared") is not None, "the question about the other name")
        await self.stage.shoot(
            "hard-linked", "MEMORY.md has another name.", "Saving would part the two, so you are asked.", pane="memory"
        )
        await self.stage.press_button(pane, "Save as a file of its own")
        await self.driver.until(lambda: not pane.is_dirty(), "the text saved")

    async def missing(self) -> None:
        await self._folders.open(await _fresh(self._folders))
        pane = self.window.memory
        self.driver.press(pane.editor, Qt.Key.Key_End, CTRL)
        self.driver.type(pane.editor, "- Seen before the file went")
        self.driver.press(pane.editor, Qt.Key.Key_S, CTRL)
        await self.driver.until(lambda: not pane.is_dirty(), "the text saved")
        await self._folders.open(await self._folders.copy(lambda root: WorkspacePaths(root).memory_file.unlink()))
        await self.driver.until(lambda: self.window.memory.bars.bar("missing") is not None, "the missing file said")
        self.current.actions["pane.memory"].trigger()
        await self.stage.shoot(
            "memory-missing", "MEMORY.md is missing.", "It is not made anew behind your back.", pane="memory"
        )
        await self.stage.press_button(self.window.memory, "Restore last version")
        await self.driver.until(lambda: "Seen before" in self.window.memory.editor.text(), "the last version")

    async def crash(self) -> None:
        await self._something_to_settle("Remember that the studio closes at noon on Fridays.")
        copy = self._folders.place()
        text = self.window.memory.editor.text()
        self.stage.model.answers = [memory_of(text.rstrip("\n") + "\n- The studio closes at noon on Fridays\n", _TOLD)]
        self._disk.keep(self.current.bench.workspace.root, copy)
        done = self.stage.consolidations()
        self.current.actions["memory.consolidate"].trigger()
        await self.driver.until(lambda: self.stage.consolidations() > done, "a consolidation, copied at its commit")
        await self._folders.open(copy)
        await self.stage.until_said("Finished saving memory from before the crash.")
        await self.stage.press_button(self.window.chat, "Diff")
        changes = self.window.memory.body.versions.widget
        await self.driver.until(lambda: "noon on Fridays" in changes.diff.text.toPlainText(), "what was finished")
        await self.stage.shoot(
            "crash-recovered",
            "After a crash in the middle of saving.",
            "Finished once, shown, undone if you like.",
            pane="memory",
        )
        await self.stage.press_button(self.window.chat, "Undo")
        await self.driver.until(lambda: "noon on Fridays" not in self.window.memory.editor.text(), "memory as it was")

    # Bringing things about

    async def _refused(self, words: str, lead: str) -> None:
        self.stage.type(words)
        self.driver.press(self.window.chat.composer.edit, Qt.Key.Key_Return)
        await self.stage.until_said(lead)
        await self.driver.until(lambda: self.window.chat.composer.draft() == words, "the message back in its field")
        bars = self.window.findChildren(NoticeBar)
        await self.driver.until(lambda: sum(bar.isVisible() for bar in bars) == 1, "one bar for the whole window")

    async def _something_to_settle(self, words: str = "What do you know about glazes?") -> None:
        """Says this and then so much more that the next consolidation takes it."""
        await self.driver.until(
            lambda: not self.current.bench.loop.consolidation.is_running, "no consolidation under way"
        )
        await self.current.bench.config.change(memory_window=_FAR)
        session = self.current.conversation.session
        before = len(session.messages) if session is not None else 0
        await self.stage.say(words)
        while session is not None and len(session.messages) - before <= _WINDOW // 2 + 1:
            await self.stage.say("Thank you.")
        await self.current.bench.config.change(memory_window=_WINDOW)

    # Looking

    def _events_of(self, kind: type) -> list[object]:
        return [one for one in self.stage.heard if isinstance(one, kind)]


async def _fresh(folders: Folders, prepare: Callable[[Path], object] = lambda _root: None) -> Path:
    """Returns a workspace of its own where little is consolidated and nothing captured, changed before it is opened."""
    settings = {"agents": {"defaults": {"memoryWindow": _WINDOW}}, "mnemoscope": {"capture": "off"}}
    return await folders.make(folders.place(), settings, prepare)


class OpeningScenes(Scenes):
    """Opens, in each scene, a workspace that something has happened to."""

    def __init__(self, stage: Stage, folders: Folders) -> None:
        super().__init__(stage)
        self._folders = folders

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.damaged, self.cut_off, self.versions, self.in_use)

    async def damaged(self) -> None:
        await self._folders.open(await _fresh(self._folders, _tear))
        await self.stage.until_said("1 damaged record")
        await self.stage.shoot("damaged", "A damaged record", "costs only itself; its bytes are moved to quarantine.")

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
        await self._folders.open(await _fresh(self._folders, _cut_off))
        await self.stage.until_said("in the middle of an answer")
        await self.stage.shoot("cut-off", "Killed in the middle of an answer.", "What had arrived is kept and marked.")
        await self.stage.press_button(self.window.chat, "Keep")
        await self.driver.until(lambda: not self.stage.said("in the middle of an answer"), "the bar gone")

    async def versions(self) -> None:
        await self._folders.open(await _fresh(self._folders, _spoil_versions))
        await self.stage.until_said("The version history of memory was damaged")
        await self.stage.shoot(
            "versions-damaged",
            "The version history is damaged.",
            "Moved to quarantine and begun anew; MEMORY.md is as it was.",
        )

    async def in_use(self) -> None:
        root = await _fresh(self._folders)
        with open_workspace(root):
            opening = asyncio.create_task(self._folders.application.open_folder(root))
            await self.driver.until(lambda: self.question() is not None, "the question about a folder in use")
            if (question := self.question()) is not None:
                await self.stage.press_button(question, "Look around, read-only")
            self.driver.expect(await opening, "the folder opened")
            await self._folders.follow()
            await self.stage.ready()
            await self.stage.until_said("This program has this workspace open for writing already.")
            await self.stage.shoot("in-use", "Open elsewhere.", "Read along; the bar says who writes.")

    def _sheet(self) -> DamagedRecordsDialog | None:
        return self.shown(DamagedRecordsDialog)


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
    replies.write(
        PartialReply(session.key, begun, len(session.messages), "offline", "Packed so far are forty mugs, and")
    )
