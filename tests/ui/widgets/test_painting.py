"""Painting: whatever goes wrong in it, the painter is ended, and the rows of a conversation that changes go on."""

import ast
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import overload

import pytest
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.history_selection import HistorySelection
from mnemoscope.domain.conversation.message import Message
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.ui.chat.transcript.message_source import MessageSource
from mnemoscope.ui.timeline.row_content import RowReader
from mnemoscope.ui.timeline.timeline_pane import TimelinePane
from tests.support.source_trees import modules_with, tree_of
from tests.ui.window_fixture import KEY, Stage, until, words_in

NOTHING = HistorySelection((), {}, 0, 0)


class Vanishing(Sequence[Message]):
    """Messages that fail when they are read, as those of a file that is gone."""

    def __init__(self, failure: Exception | None) -> None:
        self.failure = failure

    def __len__(self) -> int:
        return 40

    @overload
    def __getitem__(self, place: int) -> Message: ...
    @overload
    def __getitem__(self, place: slice) -> list[Message]: ...
    def __getitem__(self, place: int | slice) -> Message | list[Message]:
        if self.failure is not None:
            raise self.failure
        return [] if isinstance(place, slice) else {"role": "user", "content": f"word {place}"}


def painters_left_open(tree: ast.Module) -> list[int]:
    """Returns the lines that make a QPainter neither in the head of a `with` nor for a name that a `finally` ends."""
    ended_anyway = {
        id(item.context_expr) for node in ast.walk(tree) if isinstance(node, ast.With) for item in node.items
    }
    ended = {ast.unparse(each) for node in ast.walk(tree) if isinstance(node, ast.Try) for each in node.finalbody}
    ended_anyway |= {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and f"{ast.unparse(node.targets[0])}.end()" in ended
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("QPainter") and id(node) not in ended_anyway
    ]


def test_every_painter_is_ended_whatever_is_raised() -> None:
    assert painters_left_open(ast.parse("with QPainter(x) as p:\n pass\nq = QPainter(y)")) == [3]
    assert painters_left_open(ast.parse("p = QPainter()\nq = QPainter()\ntry:\n pass\nfinally:\n p.end()")) == [2]
    modules = modules_with("QPainter")
    assert {str(path): lines for path in modules if (lines := painters_left_open(tree_of(path)))} == {}


def shown(qtbot: QtBot, messages: Sequence[Message]) -> TimelinePane:
    pane = TimelinePane()
    qtbot.addWidget(pane)
    pane.resize(300, 500)
    pane.show_timeline(messages, 0, [], NOTHING, 100)
    return pane


def test_an_error_while_painting_is_reported_and_ends_nothing(qtbot: QtBot) -> None:
    messages = Vanishing(None)
    pane = shown(qtbot, messages)
    messages.failure = ValueError("unreadable")
    for _ in range(2):
        with pytest.raises(ValueError, match="unreadable"):
            pane.view.grab()
    messages.failure = None
    assert not pane.view.grab().isNull()


def test_a_message_that_is_gone_is_an_empty_row(qtbot: QtBot) -> None:
    pane = shown(qtbot, Vanishing(IndexError()))
    assert not pane.view.grab().isNull()
    assert RowReader(Vanishing(IndexError())).content(7).words == ""
    assert MessageSource(Vanishing(IndexError()))[3]["content"] == ""


def test_a_pane_goes_on_showing_what_was_archived_until_it_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.create("Plans")
    for number in range(400):
        session.add_message("user", f"word {number}")
    manager.save(session)
    former = session.messages
    pane = shown(qtbot, former)
    assert manager.archive(session, datetime(2026, 3, 7, 9, 30)) is not None
    assert len(session.messages) == 0
    assert not pane.view.grab().isNull()
    assert [one["content"] for one in former] == [f"word {number}" for number in range(400)]


def test_clearing_leaves_the_messages_with_whoever_shows_them() -> None:
    log = MessageLog([{"role": "user", "content": "words"}])
    successor = log.successor()
    assert (len(log), len(successor)) == (1, 0)


async def test_new_repaints_at_every_step(stage: Stage) -> None:
    said = [("user" if number % 2 == 0 else "assistant", f"Message {number}") for number in range(60)]
    stage.make(*said, memoryWindow=500)
    person = await stage.open()
    assert person.key == KEY
    painted: list[int] = []

    def repaint(_: object = None) -> None:
        person.window.grab()
        painted.append(person.timeline.model.total)

    person.bench.bus.subscribe(repaint)
    person.send("/new")
    await until(lambda: (repaint(), person.timeline.model.total == 0)[1], "an empty timeline")  # type: ignore[func-returns-value]
    assert painted[0] == 60
    await until(lambda: "kept in" in words_in(person.window), "where it is kept")
    repaint()
