"""The tour's story, scene by scene, on the sample workspace and the built-in model."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

import qasync
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from mnemoscope.domain.events import Consolidated, ToolRan, TurnEnded
from mnemoscope.ui.application import Application, Ways, make_application
from mnemoscope.ui.theme import apply_theme
from mnemoscope.ui.tour.driver import Driver, NotShown, write_index
from mnemoscope.ui.translation import install_translation
from mnemoscope.ui.workspace_window import WorkspaceWindow

WIDE: Final = (1440, 900)
NARROW: Final = (1024, 700)
SMALL_WINDOW: Final = 12
"""Memory window of the tour's conversation, so that a handful of messages brings a consolidation."""
MakeWays = Callable[[Path, Path | None], Ways]
_CTRL = Qt.KeyboardModifier.ControlModifier


def tell(folder: Path, make_ways: MakeWays, *, theme: str) -> int:
    """Play every scene; pictures and index.html go to `folder`. 1 if a scene does not show what it should."""
    folder.mkdir(parents=True, exist_ok=True)
    app = make_application(["mnemoscope"], theme=theme)
    install_translation(app, "en")
    with tempfile.TemporaryDirectory(prefix="mnemoscope-tour-") as scratch:
        return _run(app, _tell(app, folder, Path(scratch), make_ways, theme))


@contextmanager
def uncaught() -> Iterator[list[str]]:
    """Collects exceptions nobody caught, such as those of Qt slots, and what was logged as an error."""
    caught: list[str] = []

    class Listen(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            caught.append(f"logged: {record.getMessage()}")

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        caught.append(f"uncaught: {error!r}")
        before(kind, error, trace)

    listener, before = Listen(logging.ERROR), sys.excepthook
    logging.getLogger().addHandler(listener)
    sys.excepthook = hook
    try:
        yield caught
    finally:
        sys.excepthook = before
        logging.getLogger().removeHandler(listener)


def _run(app: QApplication, work: Coroutine[object, object, int]) -> int:
    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        return runner.run(work)


async def _tell(app: QApplication, folder: Path, scratch: Path, make_ways: MakeWays, theme: str) -> int:
    from mnemoscope.store.shipped import shipped
    from mnemoscope.store.workspace import create_workspace

    sample = scratch / "Sample"
    create_workspace(sample, template=shipped("workspace"))
    application = Application(app, make_ways(scratch / "config", sample))
    await application.start(sample)
    current = application.current
    if current is None:
        print("the tour could not open the sample workspace", file=sys.stderr)
        return 1
    driver = Driver(folder, current.window)
    story = Story(app, current, driver, theme)
    with uncaught() as caught:
        failed = await story.play()
    failed = failed or "; ".join(caught)
    write_index(folder, driver.shots)
    closed = asyncio.get_running_loop().create_future()
    current.closed.connect(lambda: closed.set_result(None))
    current.close()
    await closed
    print(f"{len(driver.shots)} pictures in {folder}; {failed or 'every scene shows what it should'}")
    return 1 if failed else 0


class Story:
    """The scenes; each acts with real keys and clicks, states what must show, and leaves a picture."""

    def __init__(self, app: QApplication, current: WorkspaceWindow, driver: Driver, theme: str) -> None:
        self.app, self.current, self.driver, self.theme = app, current, driver, theme
        self.window = current.window
        self.heard: list[object] = []
        self._turns = 0
        self._unsubscribe = current.bench.bus.subscribe(self.heard.append)

    async def play(self) -> str:
        """Play all; returns what failed, or ""."""
        try:
            await self._resize(*WIDE)
            for scene in self._scenes():
                await scene()
        except NotShown as missing:
            await self.driver.shoot("failed", "This scene failed", str(missing))
            return f"not shown: {missing}"
        finally:
            self._unsubscribe()
        return ""

    def _scenes(self) -> tuple[Callable[[], Awaitable[object]], ...]:
        return (
            self._welcome,
            self._nothing_said,
            self._slash_commands,
            self._streaming,
            self._tool_call,
            self._consolidation,
            self._entry,
            self._memory_merged,
            self._history,
            self._no_match,
            self._prompt,
            self._palette,
            self._settings,
            self._error,
            self._undo_delete,
            self._dark,
            self._narrow,
        )

    async def _welcome(self) -> None:
        await self._ready()
        session = self.current.conversation.session
        self.driver.expect(session is not None and session.last_consolidated > 0, "a sample whose pointer has moved")
        self.driver.expect(self.window.memory.editor.text().strip(), "MEMORY.md in the editor")
        await self.driver.shoot(
            "welcome",
            "Welcome.",
            "The sample workspace: a long conversation, the violet line up to which it is settled into memory, the "
            "facts it became, and the log of what happened.",
        )

    async def _nothing_said(self) -> None:
        await self.current.bench.change_settings(memory_window=SMALL_WINDOW)
        before = self.current.conversation.key
        self.driver.press(self.window, Qt.Key.Key_N, _CTRL)
        await self.driver.until(lambda: self.current.conversation.key != before, "a new conversation")
        await self._ready()
        await self.driver.shoot("empty", "Nothing said yet.", "A new conversation offers three ways to begin.")

    async def _slash_commands(self) -> None:
        self._type("/")
        completer = self.window.chat.composer.completer
        await self.driver.until(completer.isVisible, "the list of slash commands")
        await self.driver.shoot("commands", "Slash commands", "complete as they are typed.")
        self.driver.press(self.window.chat.composer.edit, Qt.Key.Key_Backspace)
        await self.driver.until(lambda: not completer.isVisible(), "the list gone with the slash")

    async def _streaming(self) -> None:
        await self._say("Remember that the kiln is serviced every March.")
        self._send("What do you know about the kiln?")
        await self.driver.until(lambda: self.window.chat.composer.busy, "the answer under way")
        await self.driver.until(lambda: self.window.chat.transcript.stream.text, "the first words of the answer")
        await self.driver.shoot("streaming", "An answer arriving.", "Esc stops it; what has arrived is kept.")
        await self._answered()

    async def _tool_call(self) -> None:
        self.driver.expect(any(isinstance(one, ToolRan) for one in self.heard), "a tool that ran")
        await self.driver.shoot(
            "tool", "A tool call,", "folded into one line; the answer quotes what was found, with its source."
        )

    async def _consolidation(self) -> None:
        for words in (
            "My studio is open on Thursdays and Saturdays.",
            "I prefer short answers with the source named.",
            "The December market is on 12 December.",
            "Remember that Ines takes over the glaze class in January.",
            "What did we say about the market?",
        ):
            if not self._consolidated():
                await self._say(words)
        await self.driver.until(self._consolidated, "a consolidation in the background")
        session = self.current.conversation.session
        self.driver.expect(session is not None and session.last_consolidated > 0, "the pointer moved")
        await self.driver.settle(0.8)
        await self.driver.shoot(
            "consolidated",
            "Settled into memory.",
            "The pointer has slid to its new place; the messages above it stand under the entry they became.",
        )

    async def _entry(self) -> None:
        records = (await self.current.bench.timeline_facts(self.current.conversation.key)).records
        self.driver.expect(records, "an entry for the settled messages")
        self.window.timeline.entry_activated.emit(records[-1])
        await self.driver.settle()
        await self.driver.shoot("entry", "From the timeline to the log.", "The entry, and the messages it came from.")

    async def _memory_merged(self) -> None:
        pane, editor = self.window.memory, self.window.memory.editor
        self.current.actions["pane.memory"].trigger()
        self.driver.press(editor, Qt.Key.Key_End, _CTRL)
        self.driver.type(editor, "\n- Mine: the spare key hangs in the shed\n")
        self.driver.expect(pane.is_dirty(), "a mark that the text is not saved")
        await self._let_memory_change("- Theirs: the alarm code changed in November")
        await self.driver.until(lambda: pane.bars.bar("incoming") is not None, "the bar that offers to merge")
        await self.driver.shoot(
            "changed-while-typing",
            "Changed while you type.",
            "Not a letter of yours is lost: merge, look at the difference, or keep yours.",
        )
        self._press_button(pane, "Merge")
        await self.driver.until(
            lambda: "Mine:" in editor.text() and "Theirs:" in editor.text(), "both changes in one text"
        )
        self.driver.press(editor, Qt.Key.Key_S, _CTRL)
        await self.driver.until(lambda: not pane.is_dirty(), "the merged text saved")
        await self.driver.shoot("merged", "Merged and saved.", "Both are there, as one step that undo takes back.")

    async def _history(self) -> None:
        self.current.actions["pane.history"].trigger()
        field = self.window.history.findChild(QLineEdit)
        if field is None:
            raise NotShown("the search field of the history")
        self.driver.type(field, "kiln")
        await self.driver.until(lambda: self._entries_shown() > 0, "entries that match")
        await self.driver.shoot("history", "History, searched as you type.", "Matches are marked, newest first.")

    async def _no_match(self) -> None:
        field = self.window.history.findChild(QLineEdit)
        if field is None:
            raise NotShown("the search field of the history")
        self.driver.type(field, " zeppelin")
        await self.driver.until(lambda: self._entries_shown() == 0, "no entries")
        await self.driver.shoot("no-match", "Nothing matches,", "said plainly, with the way back.")
        field.clear()

    async def _prompt(self) -> None:
        self.current.actions["pane.prompt"].trigger()
        self.current.conversation.refresh_prompt()
        await self.driver.settle(0.8)
        await self.driver.shoot(
            "prompt", "Exactly what the model is sent,", "part by part, with what each costs and where it comes from."
        )
        self.current.actions["pane.memory"].trigger()

    async def _palette(self) -> None:
        self.driver.press(self.window, Qt.Key.Key_K, _CTRL)
        sheet = self.window.palette_sheet
        await self.driver.until(sheet.isVisible, "the command palette")
        field = sheet.findChild(QLineEdit)
        if field is None:
            raise NotShown("the palette's field")
        self.driver.type(field, "con")
        await self.driver.shoot("palette", "Every command, by typing.", "Ctrl+K finds commands and conversations.")
        self.driver.press(field, Qt.Key.Key_Escape)
        sheet.hide()

    async def _settings(self) -> None:
        self.current.settings_desk.open()
        await self.driver.until(lambda: self.current.settings_desk.dialog is not None, "the settings")
        await self.driver.shoot(
            "settings", "Any model,", "the built-in one, one on this computer, or any that litellm knows."
        )
        dialog = self.current.settings_desk.dialog
        if dialog is not None:
            dialog.reject()

    async def _error(self) -> None:
        await self.current.bench.change_settings(model="openai/gpt-4o-mini")
        self._send("Does the glaze need another test?")
        await self.driver.until(lambda: self._has_button(self.window.chat, "Choose model…"), "what went wrong")
        await self.driver.shoot(
            "error", "No key for this model.", "One sentence, one action; what you wrote is kept and can be sent again."
        )
        await self.current.bench.change_settings(model="offline")
        self.window.chat.transcript.clear_failure()

    async def _undo_delete(self) -> None:
        key = self.current.conversation.key
        self.window.sessions.delete_requested.emit(key)
        await self.driver.until(lambda: self.current.conversation.key != key, "another conversation on show")
        await self._ready()
        await self.driver.until(lambda: self._has_button(self.window.chat, "Undo"), "the offer to undo")
        await self.driver.shoot("deleted", "Deleted, not gone.", "Everything destructive can be undone.")
        self._press_button(self.window.chat, "Undo")
        await self.driver.until(lambda: self.current.conversation.key == key, "the conversation back")
        await self._ready()

    async def _dark(self) -> None:
        other = "light" if self.theme == "dark" else "dark"
        apply_theme(self.app, other)
        longest = max(await self.current.bench.overviews(), key=lambda one: one.count)
        self.current.sessions.open(longest.key)
        await self._ready()
        await self.driver.shoot(other, f"The {other} look,", "with the same promises on contrast.")
        apply_theme(self.app, self.theme)

    async def _narrow(self) -> None:
        await self._resize(*NARROW)
        self.current.actions["pane.timeline"].trigger()
        await self.driver.shoot("narrow", "A small window", "puts the timeline and the other panes behind tabs.")
        self.current.actions["pane.memory"].trigger()
        await self.driver.shoot("narrow-memory", "Memory in a small window.", "")
        await self._resize(*WIDE)

    # -- what the scenes are made of ----------------------------------------------------------------------------------

    async def _say(self, words: str) -> None:
        self._send(words)
        await self._answered()

    def _send(self, words: str) -> None:
        self._turns = self._ended() + 1
        self._type(words)
        self.driver.press(self.window.chat.composer.edit, Qt.Key.Key_Return)

    async def _answered(self) -> None:
        await self.driver.until(lambda: self._ended() >= self._turns, "an answer")
        await self.driver.until(lambda: not self.window.chat.composer.busy, "the composer ready again")

    def _ended(self) -> int:
        return sum(isinstance(one, TurnEnded) for one in self.heard)

    async def _ready(self) -> None:
        await self.driver.until(lambda: self.current.conversation.session is not None, "the whole conversation")
        await self.driver.settle()

    async def _resize(self, width: int, height: int) -> None:
        self.window.resize(width, height)
        await self.driver.settle()

    async def _let_memory_change(self, line: str) -> None:
        path = self.current.bench.workspace.paths.memory_file
        before = path.read_text(encoding="utf-8")
        path.write_text(f"{line}\n{before}" if not before.startswith("#") else _after_heading(before, line), "utf-8")

    def _entries_shown(self) -> int:
        return len(self.window.history.model.matches)

    def _consolidated(self) -> bool:
        key = self.current.conversation.key
        return any(isinstance(one, Consolidated) and one.session_key == key for one in self.heard)

    def _type(self, words: str) -> None:
        self.driver.type(self.window.chat.composer.edit, words)

    def _has_button(self, pane: object, text: str) -> bool:
        return self.driver.button(pane, text) is not None

    def _press_button(self, pane: object, text: str) -> None:
        button = self.driver.button(pane, text)
        if button is None:
            raise NotShown(f"the button {text}")
        self.driver.click(button)


def _after_heading(text: str, line: str) -> str:
    heading, _, rest = text.partition("\n")
    return f"{heading}\n\n{line}\n{rest}"
