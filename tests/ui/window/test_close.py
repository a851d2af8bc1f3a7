"""Closing at any moment: gone within three seconds, and nothing is missing when the window comes back."""

import asyncio
import shutil

import pytest
from PySide6.QtTest import QTest

from mnemoscope.domain.errors import DiskFull
from mnemoscope.store.workspace.workspace import open_workspace
from tests.support.scripted_provider import Gate, ScriptedProvider, asks, call
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import CLOSE_SECONDS, KEY, Stage, TwoMinds, messages_on_disk, tree, until

FACTS = "# User\n\n- Name is Sam\n"
ENTRY = "Sam spoke about tea."
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


def contents(stage: Stage) -> list[tuple[str, object]]:
    return [(one["content"], one.get("interrupted")) for one in messages_on_disk(stage.root)][len(SAID) :]


def is_free(stage: Stage) -> bool:
    """Returns whether another window could own the workspace now."""
    open_workspace(stage.root).close()
    return True


async def test_closing_while_an_answer_streams_keeps_what_has_arrived(stage: Stage) -> None:
    stage.make(*SAID)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["The kiln ", "is ", gate, "never"]))
    person.send("Tell me.")
    await gate.reached.wait()
    assert await person.seconds_to_close() < CLOSE_SECONDS
    assert contents(stage) == [("Tell me.", None), ("The kiln is ", True)]
    assert is_free(stage)
    again = await stage.open()
    await until(lambda: "The kiln is" in again.text, "the part that had arrived")


async def test_closing_before_the_first_word_keeps_the_question(stage: Stage) -> None:
    stage.make(*SAID)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider([gate, "never"]))
    person.send("Tell me.")
    await gate.reached.wait()
    assert await person.seconds_to_close() < CLOSE_SECONDS
    assert contents(stage) == [("Tell me.", None)]


async def test_closing_right_after_enter_keeps_the_question(stage: Stage) -> None:
    stage.make(*SAID)
    person = await stage.open(offline=ScriptedProvider("Yes."))
    person.send("Tell me.")
    assert await person.seconds_to_close() < CLOSE_SECONDS
    again = await stage.open()
    await again.until_ready()
    written = [content for content, _ in contents(stage)]
    assert "Tell me." in written or again.composer.draft() == "Tell me."
    assert not ("Tell me." in written and again.composer.draft() == "Tell me.")


@pytest.mark.skipif(shutil.which("true") is None, reason="needs a command to ask about")
async def test_closing_while_a_command_waits_for_approval_runs_nothing(stage: Stage) -> None:
    stage.make(*SAID)
    marker = stage.root / "marker"
    ask = asks(call("exec", argv=["touch", str(marker)]))
    person = await stage.open(offline=ScriptedProvider(ask, "Done."))
    await person.bench.config.change(exec_enabled=True)
    person.send("Touch it.")
    await until(person.chat.approval.widget.isVisible, "the approval card")
    assert await person.seconds_to_close() < CLOSE_SECONDS
    assert not marker.exists()
    roles = [one["role"] for one in messages_on_disk(stage.root)][len(SAID) :]
    assert roles == ["user", "assistant", "tool"]
    again = await stage.open(offline=ScriptedProvider("As you like."))
    await again.say("Never mind.")
    assert contents(stage)[-1] == ("As you like.", None)


async def test_closing_with_a_dirty_editor_saves_a_draft_and_not_the_file(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- Half")
    assert await person.seconds_to_close() < CLOSE_SECONDS
    assert stage.paths.memory_file.read_text("utf-8") == FACTS
    again = await stage.open()
    await until(lambda: again.memory.editor.text() == FACTS + "- Half", "the unsaved words")


async def test_closing_while_memory_is_being_saved_ends_with_it_saved(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- Whole")
    person.press("Ctrl+S")
    assert await person.seconds_to_close() < CLOSE_SECONDS
    again = await stage.open()
    await until(lambda: again.memory.editor.text() == FACTS + "- Whole", "the words")
    assert stage.paths.memory_file.read_text("utf-8") == FACTS + "- Whole" or again.memory.is_dirty()


async def test_closing_while_a_consolidation_waits_for_the_model_leaves_all_for_the_next_time(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS, memoryWindow=4)
    gate = Gate()
    learnt = FACTS + "- Likes tea\n"
    person = await stage.open(offline=TwoMinds("Yes.", memory=ScriptedProvider([gate, save_memory(ENTRY, learnt)])))
    await person.say("Tea?")
    await gate.reached.wait()
    before = tree(stage.paths.memory_dir)
    assert await person.seconds_to_close() < CLOSE_SECONDS
    assert tree(stage.paths.memory_dir) == before
    assert not stage.paths.own.intent_file.exists()
    model = TwoMinds("And more.", memory=ScriptedProvider(save_memory(ENTRY, learnt)))
    again = await stage.open(offline=model)
    assert again.key == KEY
    assert again.session.last_consolidated == 0
    await again.say("More?")
    await until(lambda: again.memory.editor.text() == learnt, "the new memory")
    assert stage.paths.history_file.read_text("utf-8").endswith(f"] {ENTRY}\n\n")


async def test_closing_twice_closes_once(stage: Stage) -> None:
    stage.make(*SAID)
    person = await stage.open()
    heard: list[None] = []
    person.current.closed.connect(lambda: heard.append(None))
    person.press("Ctrl+Q")
    person.window.close()
    await until(lambda: person.is_closed, "the window closed")
    assert len(heard) == 1


async def test_a_model_that_will_not_stop_cannot_hold_the_window(stage: Stage) -> None:
    stage.make(*SAID)

    class Stubborn(ScriptedProvider):
        async def aclose(self) -> None:
            await asyncio.sleep(30)

    person = await stage.open(offline=Stubborn("Yes."))
    await person.say("Tell me.")
    assert await person.seconds_to_close() < 2 * CLOSE_SECONDS
    assert contents(stage)[-1] == ("Yes.", None)
    assert is_free(stage)


async def test_what_fails_once_the_window_is_gone_is_said_to_nobody(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    person = await stage.open()
    current, window = person.current, person.window
    gone: list[bool] = []
    window.destroyed.connect(lambda: gone.append(True))
    await person.close()
    await until(lambda: bool(gone), "the end of the window")
    assert current.tasks.on_error is not None
    current.tasks.on_error(DiskFull("The disk is full."))
