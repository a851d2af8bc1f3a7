"""A full disk, at each place where the window writes: said plainly, nothing lost, nothing half written."""

import asyncio
import errno
import os
import shutil
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit

from mnemoscope.domain.errors import DiskFull
from mnemoscope.domain.events import ConsolidationFailed
from mnemoscope.store.files.calls import FileCalls
from tests.support.faulty_calls import CountedCalls
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import (
    KEY,
    Opened,
    Stage,
    TwoMinds,
    drafts_hold,
    messages_on_disk,
    question,
    rest,
    sentences,
    tree,
    until,
    words_in,
)

FACTS = "# User\n\n- Name is Sam\n"
LEARNT = FACTS + "- Likes tea\n"
ENTRY = "Sam spoke about tea."
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


class FullDisk(CountedCalls):
    """Real calls until `full`; then a write takes half of its bytes and the next one fails. Drafts have the reserve."""

    def __init__(self, error: int = errno.ENOSPC) -> None:
        super().__init__()
        self.full = False
        self._error = error
        self._spared: set[int] = set()

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if "/drafts/" not in path:
            return super().open(path, flags, mode)
        descriptor = FileCalls.open(self, path, flags, mode)
        self._spared.add(descriptor)
        return descriptor

    def close(self, descriptor: int) -> None:
        self._spared.discard(descriptor)
        super().close(descriptor)

    def write(self, descriptor: int, data: bytes) -> int:
        spared = descriptor in self._spared
        return FileCalls.write(self, descriptor, data) if spared else super().write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        if descriptor in self._spared:
            FileCalls.fsync(self, descriptor)
        else:
            super().fsync(descriptor)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        if path.endswith("/drafts"):
            FileCalls.mkdir(self, path, mode)
        else:
            super().mkdir(path, mode)

    def replace(self, source: str, target: str) -> None:
        if "/drafts/" in target:
            FileCalls.replace(self, source, target)
        else:
            super().replace(source, target)

    def _do(self, name: str, work: Callable[[], Any], half: Callable[[], Any] | None = None) -> Any:
        self.names.append(name)
        if not self.full or name in {"truncate", "unlink"}:
            return work()
        if half is not None and self.names[-2:] != ["write", "write"]:
            return half()
        raise OSError(self._error, os.strerror(self._error))


OTHER_WAYS = [("Enter", errno.ENOSPC), ("Try again", errno.EIO), ("Enter", errno.EROFS)]


def the_one_bar(person: Opened) -> str:
    """However many panes were refused, one bar in the whole window says so."""
    (sentence,) = sentences(person.window)
    return sentence


@pytest.mark.parametrize(
    ("way", "error"),
    [
        ("Try again", errno.ENOSPC),
        ("Enter", errno.EIO),
        ("Try again", errno.EROFS),
        *(pytest.param(*each, marks=pytest.mark.long) for each in OTHER_WAYS),
    ],
)
async def test_a_message_the_disk_refuses_is_kept_and_written_once_on_the_second_try(
    stage: Stage, way: str, error: int
) -> None:
    stage.make(*SAID)
    calls = FullDisk(error)
    model = ScriptedProvider("Here.")
    person = await stage.open(offline=model, calls=calls)
    before = stage.paths.sessions_dir.joinpath("desktop_test.jsonl").read_bytes()
    calls.full = True
    await person.say("Do you hear me?")
    await until(lambda: sentences(person.chat), "the bar")
    leads = {errno.ENOSPC: "The disk is full.", errno.EIO: "The disk reports errors.", errno.EROFS: "read-only"}
    assert leads[error] in the_one_bar(person)
    assert "the chat is not saved" in the_one_bar(person)
    assert person.timeline.header.status_label.text() == "4 messages waiting · paused"
    assert model.requests == []
    await until(lambda: person.composer.draft() == "Do you hear me?", "the words back in the composer")
    assert stage.paths.sessions_dir.joinpath("desktop_test.jsonl").read_bytes() == before
    calls.full = False
    if way == "Enter":
        person.press("Return")
    else:
        person.click("Try again")
        await until(lambda: not sentences(person.window), "the bar gone")
    await person.answered()
    assert [one["content"] for one in messages_on_disk(stage.root)][4:] == ["Do you hear me?", "Here."]
    assert person.text.count("Do you hear me?") == 1
    assert person.composer.draft() == ""
    assert not sentences(person.window)
    assert "paused" not in person.timeline.header.status_label.text()


@pytest.mark.parametrize("way", ["Try again", "Enter"])
async def test_a_message_the_disk_refuses_while_the_next_is_typed_is_held_in_sight(stage: Stage, way: str) -> None:
    """It was in no place that a person sees, and the next message took its place."""
    stage.make(*SAID)
    calls = FullDisk()
    person = await stage.open(offline=ScriptedProvider(last="Here."), calls=calls)
    calls.full = True
    person.send("Do you hear me?")
    person.type(person.composer.edit, "And me?")
    await until(lambda: "Do you hear me?" in words_in(person.composer.waiting), "the first one above the field")
    assert person.composer.draft() == "And me?"
    await person.answered()
    await until(lambda: drafts_hold(stage.paths, "Do you hear me?", "And me?"), "both on the disk as drafts")
    calls.full = False
    if way == "Enter":
        person.press("Return")
        await person.answered()
        person.click("Send now", person.composer)
        said = ["And me?", "Here.", "Do you hear me?", "Here."]
    else:
        person.click("Try again")
        said = ["Do you hear me?", "Here."]
    await until(lambda: [one["content"] for one in messages_on_disk(stage.root)][4:] == said, "what was said")
    await person.answered()
    assert not person.composer.waiting.isVisible()
    assert person.composer.draft() == ("" if way == "Enter" else "And me?")


async def test_a_message_the_disk_refused_is_in_the_message_field_and_in_no_row(stage: Stage) -> None:
    stage.make(*SAID)
    calls = FullDisk()
    person = await stage.open(offline=ScriptedProvider(last="Here."), calls=calls)
    calls.full = True
    await person.say("Do you hear me?")
    await until(lambda: person.composer.draft() == "Do you hear me?", "the words back in the composer")
    await person.current.conversation.open(KEY)
    assert person.timeline.model.total == 4
    assert "Do you hear me?" not in person.text
    calls.full = False
    person.press("Return")
    await person.answered()
    await until(lambda: person.timeline.model.total == 6, "what was said, and the answer")
    assert person.text.count("Do you hear me?") == 1


@pytest.mark.parametrize("sent", ["Do you hear me now?", "/memory"])
async def test_words_the_disk_refused_are_stored_once_as_they_were_changed(stage: Stage, sent: str) -> None:
    stage.make(*SAID)
    calls = FullDisk()
    model = ScriptedProvider(last="Here.")
    person = await stage.open(offline=model, calls=calls)
    calls.full = True
    for words in ("Do you hear me?", "Do you hear me, please?"):
        person.composer.set_draft("")
        await person.say(words)
        await until(lambda words=words: person.composer.draft() == words, "the words back")  # type: ignore[misc]
    calls.full = False
    person.composer.set_draft("")
    await person.say(sent)
    stored = [one["content"] for one in messages_on_disk(stage.root)][4:]
    assert (stored[0], len(stored)) == (sent, 2)
    assert "hear me?" not in person.text.replace(sent, "")
    assert len(person.rows()) == 6
    await person.say("And now?")
    assert [one["content"] for one in messages_on_disk(stage.root)][6:] == ["And now?", "Here."]


async def test_a_message_the_disk_refuses_is_there_after_a_restart(stage: Stage) -> None:
    stage.make(*SAID)
    calls = FullDisk()
    person = await stage.open(offline=ScriptedProvider("Here."), calls=calls)
    calls.full = True
    await person.say("Do you hear me?")
    await person.close()
    again = await stage.open()
    await until(lambda: again.composer.draft() == "Do you hear me?", "the message that was not sent")
    assert len(messages_on_disk(stage.root)) == 4


async def test_an_answer_the_disk_refuses_shows_and_is_written_later(stage: Stage) -> None:
    stage.make(*SAID)
    calls = FullDisk()
    gate = Gate()
    model = ScriptedProvider(["The whole ", gate, "answer."], "Once more.")
    person = await stage.open(offline=model, calls=calls)
    person.send("Tell me.")
    await gate.reached.wait()
    calls.full = True
    gate.open.set()
    await person.answered()
    await until(lambda: sentences(person.chat), "the bar")
    assert "the chat is not saved" in the_one_bar(person)
    assert "The whole answer." in person.text
    calls.full = False
    await person.say("And now?")
    contents = [one["content"] for one in messages_on_disk(stage.root)][4:]
    assert contents == ["Tell me.", "The whole answer.", "And now?", "Once more."]
    assert person.text.count("The whole answer.") == 1
    await until(lambda: not sentences(person.window), "the bar gone by itself")


async def test_memory_that_cannot_be_saved_stays_in_the_editor_until_it_can(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    calls = FullDisk()
    person = await stage.open(calls=calls)
    before = tree(stage.paths.memory_dir)
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- Likes tea")
    calls.full = True
    person.press("Ctrl+S")
    await until(lambda: sentences(person.chat), "the bar")
    assert "Memory is paused. A message that cannot be saved comes back" in the_one_bar(person)
    assert "Free some space" in the_one_bar(person)
    assert person.memory.toolbar.save_button.isEnabled()
    assert person.memory.is_dirty()
    assert person.memory.editor.text() == FACTS + "- Likes tea"
    assert tree(stage.paths.memory_dir) == before
    calls.full = False
    person.click("Try again")
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    assert stage.paths.memory_file.read_text("utf-8") == FACTS + "- Likes tea"
    assert not sentences(person.window)


async def test_room_that_is_made_elsewhere_is_seen_without_a_press(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.make(*SAID, memory=FACTS)
    calls = FullDisk()
    usage = shutil.disk_usage(stage.root)
    # How much room there is, is no file call.
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage._replace(free=0 if calls.full else usage.free))
    person = await stage.open(calls=calls)
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- Likes tea")
    calls.full = True
    person.press("Ctrl+S")
    await until(lambda: sentences(person.chat), "the bar")
    calls.full = False
    await until(lambda: not sentences(person.window), "the bar gone by itself")
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    assert stage.paths.memory_file.read_text("utf-8") == FACTS + "- Likes tea"


@pytest.mark.logs_errors
async def test_memory_is_not_called_saved_beside_a_save_that_failed(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    calls = FullDisk()
    person = await stage.open(calls=calls)
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- Likes tea")
    person.press("Ctrl+S")
    status = person.window.status
    await until(lambda: "Memory saved" in words_in(status), "the save told of")
    calls.full = True
    QTest.keyClicks(person.memory.editor, " and milk")
    person.press("Ctrl+S")
    await until(lambda: "Memory not saved" in words_in(status), "the failure told of")
    assert "Memory saved" not in words_in(status)
    calls.full = False


async def test_a_save_whose_refusal_comes_after_the_disk_takes_again_is_tried_once_more(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    editing, came, published = person.bench.memory.editing, asyncio.Event(), asyncio.Event()
    save_text = editing.save_text

    async def refused_late(*texts: Any, **about: Any) -> None:
        monkeypatch.setattr(editing, "save_text", save_text)
        came.set()
        await published.wait()
        raise DiskFull("The disk is full: MEMORY.md could not be written.")

    monkeypatch.setattr(editing, "save_text", refused_late)
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- Likes tea")
    person.press("Ctrl+S")
    await came.wait()
    person.current.memory.try_refused()
    published.set()
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    assert stage.paths.memory_file.read_text("utf-8") == FACTS + "- Likes tea"
    assert not sentences(person.window)


@pytest.mark.logs_errors
async def test_a_consolidation_on_a_full_disk_writes_nothing_and_is_done_once_later(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    calls = FullDisk()
    model = TwoMinds(memory=ScriptedProvider(last=save_memory(ENTRY, LEARNT)))
    person = await stage.open(offline=model, calls=calls)
    await person.bench.config.change(memory_window=2)
    before = tree(stage.paths.memory_dir)
    failed: list[ConsolidationFailed] = []
    person.bench.bus.subscribe(lambda event: failed.append(event) if isinstance(event, ConsolidationFailed) else None)
    calls.full = True
    person.current.actions["memory.consolidate"].trigger()
    assert "Memory is paused" in await person.until_said("The disk is full.")
    # The bar comes with the first refusal; the consolidation has not given up by then.
    await until(lambda: bool(failed), "the consolidation that failed")
    assert len(sentences(person.window)) == 1
    assert tree(stage.paths.memory_dir) == before
    assert person.session.last_consolidated == 0
    calls.full = False
    person.click("Try again")
    await until(lambda: person.memory.editor.text() == LEARNT, "the new memory")
    assert stage.paths.history_file.read_text("utf-8").endswith(f"] {ENTRY}\n\n")
    assert person.session.last_consolidated == 3
    await rest()
    assert not sentences(person.window)
    assert person.key == KEY


async def test_a_rename_on_a_full_disk_is_refused_in_words(stage: Stage) -> None:
    stage.make(*SAID)
    calls = FullDisk()
    person = await stage.open(calls=calls)
    calls.full = True
    before = tree(stage.paths.sessions_dir)
    person.window.sessions.renamed.emit(KEY, "Tea")
    await until(lambda: sentences(person.chat), "a bar in the chat")
    assert "Message 0." in person.text
    assert tree(stage.paths.sessions_dir) == before


async def test_a_retry_that_is_refused_again_says_so_and_loses_nothing(stage: Stage) -> None:
    stage.make(*SAID)
    calls = FullDisk()
    person = await stage.open(offline=ScriptedProvider("Here."), calls=calls)
    calls.full = True
    await person.say("Do you hear me?")
    await until(lambda: sentences(person.chat), "the bar")
    person.click("Try again")
    await person.until_said("Still refused at")
    assert the_one_bar(person)
    assert person.composer.draft() == "Do you hear me?"


async def test_memory_pauses_while_the_disk_refuses_and_the_model_is_not_asked_in_vain(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS, memoryWindow=4)
    calls = FullDisk()
    memory = ScriptedProvider(last=save_memory(ENTRY, LEARNT))
    person = await stage.open(offline=TwoMinds("Here.", "Again.", memory=memory), calls=calls)
    calls.full = True
    await person.say("Do you hear me?")
    await until(lambda: sentences(person.chat), "the bar")
    assert memory.requests == []
    calls.full = False
    person.click("Try again")
    await until(lambda: person.memory.editor.text() == LEARNT, "the new memory")
    assert messages_on_disk(stage.root)[4]["content"] == "Do you hear me?"


async def test_the_workspace_can_be_kept_in_another_place_with_what_is_unsaved(
    stage: Stage,
) -> None:
    stage.make(*SAID, memory=FACTS)
    calls = FullDisk()
    person = await stage.open(offline=ScriptedProvider("Here."), calls=calls)
    calls.full = True
    await person.say("Do you hear me?")
    await until(lambda: sentences(person.chat), "the bar")
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- Likes tea")
    elsewhere = stage.folder / "other disk"
    elsewhere.mkdir()
    person.click("Choose another place…")
    await until(lambda: isinstance(question(), QFileDialog), "the choice of a folder")
    dialog = question()
    assert isinstance(dialog, QFileDialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.setText(str(elsewhere))
    dialog.accept()
    actions: Any = person.current.application
    opened = actions.asked
    await until(lambda: opened, "the copy opened")
    assert opened == [elsewhere / "home"]
    await person.close()
    again = await stage.open(opened[0])
    await until(lambda: again.composer.draft() == "Do you hear me?", "the message not sent")
    await until(lambda: again.memory.editor.text() == FACTS + "- Likes tea", "the unsaved memory")
    assert [one["content"] for one in messages_on_disk(opened[0])] == [content for _, content in SAID]


async def test_everything_can_be_exported_into_one_file(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    calls = FullDisk()
    person = await stage.open(offline=ScriptedProvider("Here."), calls=calls)
    calls.full = True
    await person.say("Do you hear me?")
    await until(lambda: sentences(person.chat), "the bar")
    person.click("Export…")
    await until(lambda: isinstance(question(), QFileDialog), "where to")
    dialog = question()
    assert isinstance(dialog, QFileDialog)
    target = stage.folder / "kept.md"
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    text = target.read_text("utf-8")
    assert "Message 0." in text
    assert text.count("Do you hear me?") == 1
    assert "- Name is Sam" in text
