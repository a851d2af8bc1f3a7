"""Closed at thirty different moments: out within three seconds, nothing lost, nothing twice, the folder free again.

Each third moment is tried in the short form, all of them in the long one.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from PySide6.QtTest import QTest

from mnemoscope.store.workspace.workspace import open_workspace
from tests.support.scripted_provider import Gate, ScriptedProvider, asks, call
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import (
    CLOSE_SECONDS,
    KEY,
    Opened,
    Stage,
    TwoMinds,
    messages_on_disk,
    question,
    rest,
    type_words,
    until,
)

FACTS = "# User\n\n- Name is Sam\n"
LEARNT = FACTS + "- Likes tea\n"
ENTRY = "Sam spoke about tea."
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}. " + "words " * 30) for number in range(80)]


@dataclass
class Moment:
    """A window in the middle of something; what must be there afterwards is noted as it is done."""

    stage: Stage
    person: Opened
    model: TwoMinds
    gate: Gate
    unsent: str = ""
    unsaved: str = ""
    sent: list[str] = field(default_factory=list)

    async def streaming(self, words: str = "Tell me.") -> None:
        self.model.scripts = [["The kiln is ", self.gate, "blue."]]
        self.person.send(words)
        self.sent.append(words)
        await self.gate.reached.wait()

    def consolidate(self) -> None:
        self.person.current.actions["memory.consolidate"].trigger()

    def type_memory(self) -> None:
        self.person.press("Ctrl+2")
        self.person.press("Ctrl+End")
        QTest.keyClicks(self.person.memory.editor, "- Half")
        self.unsaved = FACTS + "- Half"

    def type_message(self) -> None:
        self.unsent = "Half a question"
        self.person.type(self.person.composer.edit, self.unsent)


async def nothing(_moment: Moment) -> None:
    """An idle window."""


async def at_once(moment: Moment) -> None:
    moment.person.current.sessions.new()


async def streaming(moment: Moment) -> None:
    await moment.streaming()


async def stopping(moment: Moment) -> None:
    await moment.streaming()
    moment.person.press("Esc")


async def before_the_first_word(moment: Moment) -> None:
    moment.model.scripts = [[moment.gate, "never"]]
    moment.person.send("Tell me.")
    moment.sent.append("Tell me.")
    await moment.gate.reached.wait()


async def streaming_and_typing(moment: Moment) -> None:
    await moment.streaming()
    moment.type_message()
    moment.type_memory()


async def tool_running(moment: Moment) -> None:
    moment.model.scripts = [asks(call("list_files", path=".")), [moment.gate, "never"]]
    moment.person.send("What is there?")
    moment.sent.append("What is there?")
    await moment.gate.reached.wait()


async def approval_open(moment: Moment) -> None:
    await moment.person.bench.config.change(exec_enabled=True)
    moment.model.scripts = [asks(call("exec", argv=["true"])), "Done."]
    moment.person.send("Run it.")
    moment.sent.append("Run it.")
    await until(moment.person.chat.approval.widget.isVisible, "the approval card")


async def message_typed(moment: Moment) -> None:
    moment.type_message()


async def dirty_editor(moment: Moment) -> None:
    moment.type_memory()


async def both_typed(moment: Moment) -> None:
    moment.type_message()
    moment.type_memory()


async def saving(moment: Moment) -> None:
    moment.type_memory()
    moment.person.press("Ctrl+S")


async def consolidating_before_the_commit(moment: Moment) -> None:
    moment.model.memory.scripts = [[moment.gate, save_memory(ENTRY, LEARNT)]]
    moment.consolidate()
    await moment.gate.reached.wait()


async def consolidating_with_unsaved_words(moment: Moment) -> None:
    await consolidating_before_the_commit(moment)
    moment.type_memory()


async def consolidating_as_the_answer_comes(moment: Moment) -> None:
    await consolidating_before_the_commit(moment)
    moment.gate.open.set()
    await asyncio.sleep(0)


async def consolidating_at_the_commit(moment: Moment) -> None:
    moment.model.memory.scripts = [save_memory(ENTRY, LEARNT)]
    moment.consolidate()
    await until(lambda: moment.stage.paths.own.intent_file.exists() or _settled(moment), "the commit")


async def consolidated_just_now(moment: Moment) -> None:
    moment.model.memory.scripts = [save_memory(ENTRY, LEARNT)]
    moment.consolidate()
    await until(lambda: _settled(moment), "the pointer moved")


async def streaming_while_consolidating(moment: Moment) -> None:
    moment.model.memory.scripts = [[gate := Gate(), save_memory(ENTRY, LEARNT)]]
    moment.consolidate()
    await gate.reached.wait()
    await moment.streaming()


async def beginning_anew(moment: Moment) -> None:
    moment.model.memory.scripts = [[moment.gate, save_memory(ENTRY, LEARNT)]]
    moment.person.send("/new")
    await moment.gate.reached.wait()


async def settings_open(moment: Moment) -> None:
    moment.person.press("Ctrl+,")
    await until(lambda: moment.person.current.settings_controller.dialog is not None, "the settings")


async def palette_open(moment: Moment) -> None:
    moment.person.press("Ctrl+K")
    await until(moment.person.window.command_palette.widget.isVisible, "the palette")


async def renaming(moment: Moment) -> None:
    moment.person.window.rename_conversation()


async def renamed(moment: Moment) -> None:
    moment.person.window.sessions.renamed.emit(KEY, "Tea and kilns")


async def deleting_another(moment: Moment) -> None:
    moment.person.window.sessions.delete_requested.emit("desktop:other")


async def trash_open(moment: Moment) -> None:
    moment.person.current.sessions.deletions.open_trash()
    await until(lambda: question() is not None, "the trash")


async def paging(moment: Moment) -> None:
    moment.person.transcript.scroll_to_message(3)


async def switching(moment: Moment) -> None:
    moment.person.current.sessions.open("desktop:other")


async def searching_the_history(moment: Moment) -> None:
    moment.person.press("Ctrl+3")
    moment.person.press("Ctrl+F")
    type_words(moment.person.window.focusWidget(), "tea")


async def finding_in_the_chat(moment: Moment) -> None:
    moment.person.press("Ctrl+F")
    type_words(moment.person.window.focusWidget(), "Message 7")


async def finding_in_the_memory(moment: Moment) -> None:
    moment.type_memory()
    moment.person.press("Ctrl+F")


async def written_outside(moment: Moment) -> None:
    fresh = moment.stage.folder / "fresh"
    fresh.write_text(FACTS + "- From outside\n", "utf-8")
    os.replace(fresh, moment.stage.paths.memory_file)
    await moment.person.current.watcher.rescan()


async def undoing_a_change(moment: Moment) -> None:
    await written_outside(moment)
    await until(lambda: moment.person.memory.can_undo_saved, "the change")
    moment.person.current.memory.changes.undo_last()


async def looking_at_changes(moment: Moment) -> None:
    await written_outside(moment)
    moment.person.current.actions["memory.changes"].trigger()


async def showing_the_prompt(moment: Moment) -> None:
    moment.person.press("Ctrl+4")
    moment.person.current.prompt.refresh_soon()


def _settled(moment: Moment) -> bool:
    return moment.person.session.last_consolidated > 0


MOMENTS: list[Callable[[Moment], Awaitable[None]]] = [
    nothing,
    at_once,
    streaming,
    stopping,
    before_the_first_word,
    streaming_and_typing,
    tool_running,
    approval_open,
    message_typed,
    dirty_editor,
    both_typed,
    saving,
    consolidating_before_the_commit,
    consolidating_with_unsaved_words,
    consolidating_as_the_answer_comes,
    consolidating_at_the_commit,
    consolidated_just_now,
    streaming_while_consolidating,
    beginning_anew,
    settings_open,
    palette_open,
    renaming,
    renamed,
    deleting_another,
    trash_open,
    paging,
    switching,
    searching_the_history,
    finding_in_the_chat,
    finding_in_the_memory,
    written_outside,
    undoing_a_change,
    looking_at_changes,
    showing_the_prompt,
]


def contents(stage: Stage) -> list[str]:
    return [str(one["content"]) for one in messages_on_disk(stage.root) if one["role"] in {"user", "assistant"}]


def check_files(stage: Stage) -> None:
    """Every file is one of the texts it may be: nothing is half done, nothing done twice."""
    memory = stage.paths.memory_file.read_text("utf-8")
    assert memory in {FACTS, LEARNT, FACTS + "- From outside\n", FACTS + "- Half"}
    history = stage.paths.history_file.read_text("utf-8") if stage.paths.history_file.exists() else ""
    assert history.count(ENTRY) <= 1
    assert (memory == LEARNT) <= (history.count(ENTRY) == 1)


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param(moment, id=moment.__name__, marks=[] if number % 3 == 2 else [pytest.mark.long])
        for number, moment in enumerate(MOMENTS)
    ],
)
async def test_closing_at_any_moment(stage: Stage, moment: Callable[[Moment], Awaitable[None]]) -> None:
    stage.make(*SAID, memory=FACTS, memoryWindow=100)
    stage.write_session(("user", "Another conversation."), key="desktop:other")
    stage.ini.write_text(f"[sessions]\n{str(stage.root).replace('/', '|')}={KEY}\n", "utf-8")
    model = TwoMinds(memory=ScriptedProvider())
    person = await stage.open(offline=model)
    person.current.sessions.open(KEY)
    await person.until_ready()
    now = Moment(stage, person, model, Gate())
    await moment(now)
    assert await person.seconds_to_close() < CLOSE_SECONDS
    open_workspace(stage.root).close()
    check_files(stage)
    written = contents(stage)
    assert written[: len(SAID)] == [content for _, content in SAID]
    assert [words for words in now.sent if written.count(words) != 1] == []
    again = await stage.open(offline=TwoMinds(memory=ScriptedProvider()))
    again.current.sessions.open(KEY)
    await again.until_ready()
    await rest()
    check_files(stage)
    assert contents(stage) == written
    if now.unsent:
        await until(lambda: again.composer.draft() == now.unsent, "the message not sent")
    if now.unsaved:
        await until(lambda: again.memory.editor.text() == now.unsaved, "the memory not saved")
