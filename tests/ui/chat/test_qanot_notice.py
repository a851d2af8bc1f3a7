"""In a workspace of Qanot's it is said before the first message that Qanot will not restore what is said here."""

from __future__ import annotations

import json

import pytest
from PySide6.QtWidgets import QToolButton

from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from tests.ui.window_fixture import KEY, Opened, Stage, click, press, rest, sentences, until

TOLD = "Qanot will not have what is said here in its own history"


def qanots(stage: Stage) -> None:
    """A day of Qanot's, as its 2.0.4 writes it."""
    stage.make()
    record = {
        "type": "message",
        "id": "msg_000001",
        "parentId": "",
        "timestamp": "2026-11-20T09:00:00.123456+00:00",
        "message": {"role": "user", "content": "I prefer tea"},
        "user_id": "7",
    }
    (stage.paths.sessions_dir / "2026-11-20.jsonl").write_text(json.dumps(record) + "\n", "utf-8")


def is_notified(person: Opened) -> bool:
    return any(TOLD in sentence for sentence in sentences(person.chat))


def close_bar(person: Opened) -> None:
    bars = [bar for bar in person.chat.findChildren(NoticeBar) if bar.isVisible() and TOLD in bar.sentence]
    (close,) = (one for one in bars[0].findChildren(QToolButton) if one.accessibleName() == "Close this message")
    click(close)


@pytest.fixture
async def person(stage: Stage) -> Opened:
    qanots(stage)
    return await stage.open()


async def test_a_conversation_of_its_own_that_is_opened_says_so(person: Opened) -> None:
    await until(lambda: "I prefer tea" in person.text, "its conversation")
    await until(lambda: is_notified(person), "that Qanot will not restore what is said here")


async def test_a_new_conversation_says_so_before_a_word_is_said(person: Opened) -> None:
    await until(lambda: is_notified(person), "the bar of the conversation before")
    theirs = person.key
    close_bar(person)
    assert not is_notified(person)
    person.press("Ctrl+N")
    await until(lambda: person.key != theirs and is_notified(person), "the bar of the new conversation")
    await person.say("Hello")
    close_bar(person)
    # What was begun here, and is gone on with, is known by now.
    mine = person.key
    await person.current.conversation.open(theirs)
    await until(lambda: is_notified(person), "the bar of its own")
    await person.current.conversation.open(mine)
    await person.until_ready()
    await rest()
    assert not is_notified(person)
    # /new begins another one.
    await person.say("/new")
    await until(lambda: is_notified(person), "the bar after /new")


async def test_who_is_quick_is_told_too(person: Opened) -> None:
    await until(lambda: is_notified(person), "the bar of the conversation before")
    theirs = person.key
    close_bar(person)
    press(person.window, "Ctrl+N")
    await until(lambda: person.key != theirs, "the new conversation")
    person.send("Hello")
    await until(lambda: is_notified(person), "the bar, though a message was sent at once")


async def test_in_any_other_workspace_nothing_is_said_of_it(stage: Stage) -> None:
    stage.make(("user", "Hello"))
    person = await stage.open()
    person.press("Ctrl+N")
    await until(lambda: person.key != KEY, "a new conversation")
    await person.until_ready()
    await rest()
    assert not is_notified(person)


async def test_who_only_looks_is_told_nothing(stage: Stage) -> None:
    qanots(stage)
    person = await stage.open(read_only=True)
    await person.until_ready()
    await rest()
    assert not is_notified(person)
