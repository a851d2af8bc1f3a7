"""Answers that are come to in the middle, and conversations that are left without one."""

from __future__ import annotations

from typing import Any

from mnemoscope.domain.conversation.message import Message
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.ui.widgets.notices.notice_bar import QuietLine
from tests.support.scripted_provider import Gate, ScriptedProvider, asks, call
from tests.ui.window_fixture import KEY, Opened, Stage, click, messages_on_disk, rest, until, words_in

OTHER = "desktop:other"


async def look_away_and_back(person: Opened) -> None:
    person.current.sessions.open(OTHER)
    await person.until_ready()
    await until(lambda: "Something else." in person.text, "the other conversation")
    person.current.sessions.open(KEY)
    await person.until_ready()


def two_conversations(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    stage.write_session(("user", "Something else."), ("assistant", "Indeed."), key=OTHER)


async def test_an_answer_left_in_the_middle_is_all_there_on_coming_back(stage: Stage) -> None:
    two_conversations(stage)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["The kiln ", "is **blue", gate, "** and hot."]))
    person.current.sessions.open(KEY)
    await person.until_ready()
    person.send("What of the kiln?")
    await gate.reached.wait()
    await look_away_and_back(person)
    await until(lambda: "The kiln is" in person.text, "the start of the answer")
    assert person.composer.busy
    gate.open.set()
    await person.answered()
    assert person.text.count("The kiln is blue and hot.") == 1


async def test_pieces_that_come_while_a_conversation_opens_stay_out_of_the_one_on_show(stage: Stage) -> None:
    two_conversations(stage)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["Half ", gate, "whole."]))
    person.current.sessions.open(KEY)
    await person.until_ready()
    person.send("Go")
    await gate.reached.wait()
    person.current.sessions.open(OTHER)
    await person.until_ready()
    opening = person.current.conversation.open(KEY)
    gate.open.set()
    await rest(0)
    assert "whole." not in person.text or person.transcript.session_key == KEY
    await opening
    await person.answered()
    assert person.text.count("Half whole.") == 1


async def test_a_tool_that_runs_is_shown_running_on_coming_back_and_only_its_conversation_is_asked(
    stage: Stage,
) -> None:
    two_conversations(stage)
    runs = asks(call("exec", id="7", argv=["true"]))
    person = await stage.open(offline=ScriptedProvider(runs, "Done."))
    await person.bench.config.change(exec_enabled=True)
    person.current.sessions.open(KEY)
    await person.until_ready()
    person.send("Run it")
    card = person.chat.approval.widget
    await until(card.isVisible, "the approval card")
    await until(lambda: "asked in “Earlier.”" in words_in(card), "the name of the conversation")
    person.current.sessions.open(OTHER)
    await person.until_ready()
    assert "“Earlier.” asks to run a command" in words_in(card)
    assert "true" not in words_in(card).split()
    person.click("Show the conversation", card)
    await person.until_ready()
    assert person.key == KEY
    assert "true" in words_in(card)
    await until(lambda: "waiting for your approval" in person.text, "the card of the tool that asks")
    person.click("Deny", card)
    await person.answered()
    assert not card.isVisible()


def write(stage: Stage, *messages: Message) -> None:
    stage.make()
    manager = SessionManager(stage.root)
    session = manager.get_or_create(KEY)
    session.messages.extend(messages)
    manager.save(session)


def stamped(role: str, content: str | None, **fields: Any) -> Message:
    return {"role": role, "content": content, "timestamp": "2026-11-21T09:00:00", **fields}


def quiet_line(person: Opened) -> QuietLine | None:
    found = person.transcript.findChildren(QuietLine)
    return next((line for line in found if line.isVisible()), None)


async def test_a_conversation_that_ends_without_an_answer_offers_one(stage: Stage) -> None:
    asked = {"id": "1", "type": "function", "function": {"name": "list_files", "arguments": "{}"}}
    write(
        stage,
        stamped("user", "What is there?"),
        stamped("assistant", None, tool_calls=[asked]),
        stamped("tool", "notes.md", tool_call_id="1", name="list_files"),
    )
    person = await stage.open(offline=ScriptedProvider("Notes."))
    await until(lambda: quiet_line(person) is not None, "the line that says so")
    line = quiet_line(person)
    assert line is not None
    assert "No answer was written." in words_in(line)
    click(line.button)
    await person.answered()
    assert messages_on_disk(stage.root)[-1]["content"] == "Notes."
    assert quiet_line(person) is None


async def test_a_conversation_that_is_answered_offers_nothing(stage: Stage) -> None:
    stage.make(("user", "Tea?"), ("assistant", "Yes."))
    person = await stage.open()
    await rest(0.1)
    assert quiet_line(person) is None
