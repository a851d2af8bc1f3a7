"""Other agents: asked about first, read with their line and their memory, searched, given a fact, and imported."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.ui.agents.agents_window import AgentsWindow
from mnemoscope.ui.agents.fact_dialog import FactDialog
from mnemoscope.ui.sessions.import_dialog import ImportDialog
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import Scenes, Stage

_PROJECT: Final = "-home-ada-kiln"
_TALK: Final = "A new roof for the kiln"
_SUMMARY: Final = """Ada rebuilds the roof over her kiln.

- Larch, not spruce: it stands the weather
- The chimney passes through the **north** side
- 900 euros at most"""
_MEMORY: Final = (
    "# Memory\n\n- Builds with larch\n- Fires the kiln on Fridays\n- The chimney stands on the north side\n"
)


_OF_HERMES: Final = "Ada answers letters on Sundays\n§\nThe kiln stands in Graz"


class AgentScenes(Scenes):
    """Plays the scenes around other agents, with one whose folder lies in `scratch`."""

    def __init__(self, stage: Stage, scratch: Path) -> None:
        super().__init__(stage)
        self._home, self._index = scratch / "ada", scratch / "other-agents.db"

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.asked, self.read, self.summaries, self.timeline, self.searched, self.copied, self.imported)

    async def asked(self) -> None:
        _write_claude_code(self._home / ".claude")
        agents = self.current.agents
        agents.consent.look_below(self._home, {})
        self.current.agents_search.file = self._index
        await self._shoot_window("agents-asked", "Other agents,", "looked at once you say so, and never changed.")

    async def read(self) -> None:
        window = self._open()
        window.look.click()
        await self.driver.until(lambda: window.pages.currentWidget() is window.found_page, "the other agents")
        await self._shoot_window(
            "agents-memory",
            "What another agent remembers,",
            "line by line: which call wrote it, after which message of yours, and what of it is loaded.",
        )

    async def summaries(self) -> None:
        window = self._open()
        window.beside.setCurrentWidget(window.history)
        pane = window.history.pane
        await self.driver.until(lambda: pane.model.matches, "what another agent summed up")
        self.driver.type(pane.field, "chimney")
        await self.driver.until(lambda: pane.model.query.has_text and pane.model.matches, "the summary that is found")
        await self._shoot_window(
            "agents-history",
            "All that another agent summed up,",
            "newest first and found as you type; a click leads to the summary in its conversation.",
        )
        pane.clear()

    async def timeline(self) -> None:
        window = self._open()
        window.beside.setCurrentWidget(window.timeline)
        await self._show_talk(window)
        window.conversation.to_line.click()
        await self._shoot_window(
            "agents-line",
            "What left its context",
            "stands above the violet line; right above it the summary that is sent in its place.",
        )
        window.reject()

    async def searched(self) -> None:
        sheet = self.current.search.sheet

        async def show() -> None:
            self.current.actions["search"].trigger()
            if not sheet.others.isChecked():
                sheet.others.click()
            sheet.field.clear()
            self.driver.type(sheet.field, "chimney")
            await self.driver.until(lambda: any(row.other for row in sheet.model.rows), "what another agent said")

        async def hide() -> None:
            sheet.hide()

        await self.stage.shoot_over(
            "agents-search",
            "Your own search spans them,",
            "where you switched it on; no model, prompt or tool finds any of it.",
            show,
            hide,
        )
        sheet.others.click()
        await self.driver.until(lambda: not self._index.exists(), "nothing left of it")

    async def copied(self) -> None:
        theirs = self._home / ".hermes" / "memories" / "MEMORY.md"
        theirs.parent.mkdir(parents=True)
        theirs.write_text(_OF_HERMES, encoding="utf-8")
        pane = self.window.memory

        async def show() -> None:
            pane.show_file(MEMORY_PATH)
            lines = pane.editor.text().split("\n")
            pane.editor.go_to_line(next(at for at, line in enumerate(lines) if line.startswith("- ")))
            self.current.actions["memory.copy"].trigger()
            dialog = self._copy_dialog()
            await self.driver.until(lambda: self._at_hermes(dialog) >= 0, "Hermes among what takes a fact")
            while dialog.files.currentIndex() != self._at_hermes(dialog):
                at, wanted = dialog.files.currentIndex(), self._at_hermes(dialog)
                self.driver.press(dialog.files, Qt.Key.Key_Down if at < wanted else Qt.Key.Key_Up)
                self.driver.expect(dialog.files.currentIndex() != at, "Hermes chosen")
            await self.driver.until(dialog.copy.isEnabled, "what the copy would change")

        async def hide() -> None:
            self._copy_dialog().reject()
            await self.driver.until(lambda: self.current.agents.facts.dialog is None, "the copy closed")

        await self.stage.shoot_over(
            "agents-copy",
            "A fact goes to another agent",
            "as that agent keeps facts; what its file would say, and the room in it, are shown first.",
            show,
            hide,
        )
        await show()
        dialog = self._copy_dialog()
        await self.driver.click(dialog.copy)
        await self.driver.until(dialog.undo.isVisible, "the copy made")
        await self.driver.shoot("agents-copied", "Copied on a press,", "and undone on another.")
        self.driver.expect(theirs.read_text(encoding="utf-8").count("\n§\n") == 2, "the fact in Hermes's memory")
        await self.driver.click(dialog.undo)
        await self.driver.until(lambda: theirs.read_text(encoding="utf-8") == _OF_HERMES, "the copy undone")
        await hide()

    async def imported(self) -> None:
        async def show() -> None:
            self.current.imports.ask_about(self._home / ".claude")
            await self.driver.until(lambda: self._dialog().start.isEnabled(), "what the import would bring")

        async def hide() -> None:
            self._dialog().reject()
            await self.driver.until(lambda: not self.window.findChildren(ImportDialog), "the import closed")

        await self.stage.shoot_over(
            "import",
            "A copy is kept by an import,",
            "which tells first what is new, and is taken back in one step.",
            show,
            hide,
        )
        self.current.agents.open()
        self._open().forget.click()
        self._open().reject()

    def _copy_dialog(self) -> FactDialog:
        dialog = self.current.agents.facts.dialog
        if dialog is None:
            raise NotShown("the copy to another agent")
        return dialog

    def _at_hermes(self, dialog: FactDialog) -> int:
        return dialog.files.findText("Hermes Agent", Qt.MatchFlag.MatchStartsWith)

    def _dialog(self) -> ImportDialog:
        found = self.window.findChildren(ImportDialog)
        if not found:
            raise NotShown("the import")
        return found[-1]

    def _open(self) -> AgentsWindow:
        window = self.current.agents.window
        if window is None:
            raise NotShown("the window of other agents")
        return window

    async def _show_talk(self, window: AgentsWindow) -> None:
        await self.driver.until(lambda: window.list.model.rows, "the conversations of another agent")
        row = next((each for each in window.list.model.rows if each.title == _TALK), None)
        if row is None:
            raise NotShown(f"“{_TALK}”")
        window.list.select(row.store.root, row.conversation.id)
        await self.driver.until(lambda: row.detail in window.conversation.details.text(), "the whole conversation")
        await self.driver.until(lambda: window.memory.text.source(3) is not None, "who wrote which line")

    async def _shoot_window(self, name: str, title: str, story: str) -> None:
        """Takes a picture of the window of other agents, and one of it in the room of a small screen."""
        self.current.agents.open()
        window = self._open()
        if window.pages.currentWidget() is window.found_page:
            await self._show_talk(window)
        QApplication.setActiveWindow(window)
        await self.driver.shoot(name, title, story)
        if self.stage.is_wide_only:
            return
        size = window.size()
        window.resize(900, 640)
        await self.driver.shoot(f"{name}-small", title, "The same in a small window.", follows=True)
        window.resize(size)


def _write_claude_code(root: Path) -> None:
    """Writes a folder of Claude Code with a conversation that was summed up, and its memory."""
    folder = root / "projects" / _PROJECT
    memory = folder / "memory" / "MEMORY.md"
    talk = _Transcript()
    talk.said("user", "I want a new roof over the kiln. Please remember that I build with larch.")
    text = "# Memory\n\n- Builds with larch\n"
    talk.calls("Write", {"file_path": str(memory), "content": text}, "File created successfully.")
    talk.said("assistant", "Noted. How steep may it be?")
    talk.said("user", "Thirty degrees. The chimney goes through the north side; note that, too.")
    line = "- Builds with larch"
    new = f"{line}\n- Fires the kiln on Fridays\n- The chimney stands on the north side"
    talk.calls("Edit", {"file_path": str(memory), "old_string": line, "new_string": new}, "The file was updated.")
    talk.said("assistant", "Then the rafters stand 60 cm apart, and the flashing goes round the chimney.")
    boundary = {"subtype": "compact_boundary", "content": "Conversation compacted", "parentUuid": None}
    talk.add("system", **boundary, logicalParentUuid=talk.last, compactMetadata={"trigger": "auto"})
    talk.said("user", _SUMMARY, isCompactSummary=True)
    talk.said("user", "How much larch do I need for eight square metres?")
    talk.said("assistant", "About **0.3 cubic metres**, with a tenth for offcuts:\n\n- 9 rafters\n- 24 battens")
    talk.records.append({"type": "ai-title", "aiTitle": _TALK, "sessionId": _Transcript.session})
    memory.parent.mkdir(parents=True)
    memory.write_text(_MEMORY, encoding="utf-8")
    lines = (json.dumps(each, ensure_ascii=False) for each in talk.records)
    (folder / f"{_Transcript.session}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


class _Transcript:
    """Holds the records of a conversation of Claude Code."""

    session = "5f0c1c4e-0000-4000-8000-00000000000a"

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.last: str | None = None
        self._now = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)

    def add(self, kind: str, **given: Any) -> None:
        self._now += timedelta(minutes=1)
        name = f"record-{len(self.records)}"
        record = {"parentUuid": self.last, "isSidechain": False, "sessionId": self.session, "cwd": "/home/ada/kiln"}
        record |= {"type": kind, "uuid": name, "timestamp": self._now.isoformat().replace("+00:00", "Z")}
        self.records.append(record | given)
        self.last = name

    def said(self, role: str, text: str, **given: Any) -> None:
        content: object = text if role == "user" else [{"type": "text", "text": text}]
        message = {"role": role, "content": content} | ({"id": f"m{len(self.records)}"} if role != "user" else {})
        self.add(role, message=message, **given)

    def calls(self, tool: str, arguments: dict[str, str], result: str) -> None:
        name = f"toolu_{len(self.records)}"
        call = {"type": "tool_use", "id": name, "name": tool, "input": arguments}
        self.add("assistant", message={"role": "assistant", "id": f"m{len(self.records)}", "content": [call]})
        answer = {"type": "tool_result", "tool_use_id": name, "content": result}
        self.add("user", message={"role": "user", "content": [answer]})
