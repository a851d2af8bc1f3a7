"""A full disk, at each place where the window writes: said plainly, nothing lost, nothing half written."""

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtTest import QTest

from tests.support.faulty_calls import CountedCalls
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import KEY, Stage, TwoMinds, messages_on_disk, rest, sentences, tree, until

FACTS = "# User\n\n- Name is Sam\n"
LEARNT = FACTS + "- Likes tea\n"
ENTRY = "[2026-11-22 10:00] Sam spoke about tea."
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


class FullDisk(CountedCalls):
    """Real calls until `full`; then a write takes half of its bytes and the next one fails."""

    def __init__(self, error: int = errno.ENOSPC) -> None:
        super().__init__()
        self.full = False
        self._error = error

    def _do(self, name: str, work: Callable[[], Any], half: Callable[[], Any] | None = None) -> Any:
        self.names.append(name)
        if not self.full or name in {"truncate", "unlink"}:
            return work()
        if half is not None and self.names[-2:] != ["write", "write"]:
            return half()
        raise OSError(self._error, os.strerror(self._error))


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("way", ["Try again", "Enter"])
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
    assert sentences(person.transcript)
    assert model.requests == []
    await until(lambda: person.composer.draft() == "Do you hear me?", "the words back in the composer")
    assert stage.paths.sessions_dir.joinpath("desktop_test.jsonl").read_bytes() == before
    calls.full = False
    if way == "Enter":
        person.press("Return")
    else:
        person.click("Try again")
    await person.answered()
    assert [one["content"] for one in messages_on_disk(stage.root)][4:] == ["Do you hear me?", "Here."]
    assert person.text.count("Do you hear me?") == 1
    assert person.composer.draft() == ""
    assert not sentences(person.transcript)


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
    assert sentences(person.transcript)
    assert "The whole answer." in person.text
    calls.full = False
    await person.say("And now?")
    contents = [one["content"] for one in messages_on_disk(stage.root)][4:]
    assert contents == ["Tell me.", "The whole answer.", "And now?", "Once more."]
    assert person.text.count("The whole answer.") == 1


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
    await until(lambda: sentences(person.memory), "a bar in the memory pane")
    assert "space" in " ".join(sentences(person.memory))
    assert person.memory.is_dirty()
    assert person.memory.editor.text() == FACTS + "- Likes tea"
    assert tree(stage.paths.memory_dir) == before
    calls.full = False
    person.click("Retry", person.memory)
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    assert stage.paths.memory_file.read_text("utf-8") == FACTS + "- Likes tea"
    assert not sentences(person.memory)


@pytest.mark.logs_errors
async def test_a_consolidation_on_a_full_disk_writes_nothing_and_is_done_once_later(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    calls = FullDisk()
    model = TwoMinds(memory=ScriptedProvider(last=save_memory(ENTRY, LEARNT)))
    person = await stage.open(offline=model, calls=calls)
    await person.bench.change_settings(memory_window=2)
    before = tree(stage.paths.memory_dir)
    calls.full = True
    person.current.actions["memory.consolidate"].trigger()
    said = await person.until_said("Memory not updated", person.timeline)
    assert "space" in said or "full" in said
    assert tree(stage.paths.memory_dir) == before
    assert person.session.last_consolidated == 0
    calls.full = False
    person.click("Retry", person.timeline)
    await until(lambda: person.memory.editor.text() == LEARNT, "the new memory")
    assert stage.paths.history_file.read_text("utf-8") == ENTRY + "\n\n"
    assert person.session.last_consolidated == 3
    await rest()
    assert not sentences(person.timeline)
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
