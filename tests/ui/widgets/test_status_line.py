"""What the line at the bottom says about the disk is true."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.status_line import StatusLine
from tests.ui.window_fixture import Stage, rest, until, words_in


@pytest.fixture
def line(qtbot: QtBot) -> StatusLine:
    line = StatusLine("0")
    qtbot.addWidget(line)
    return line


def said(line: StatusLine) -> list[str]:
    return [label.text() for label in line.findChildren(QLabel) if label.text()]


def test_saved_is_said_only_while_nothing_is_held(line: StatusLine) -> None:
    assert "Saved" in said(line)
    line.hold("memory", "Unsaved memory")
    line.hold("draft", "Drafts are not kept", "danger")
    assert "Unsaved memory · Drafts are not kept" in said(line)
    assert "Saved" not in said(line)
    line.release("draft")
    line.release("memory")
    assert "Saved" in said(line)


def test_what_is_said_while_all_is_saved_can_be_another_word(line: StatusLine) -> None:
    line.show_saved("Nothing is written here", "This window only reads.")
    line.release("memory")
    assert "Nothing is written here" in said(line)


def test_a_passing_remark_goes_by_itself(qtbot: QtBot) -> None:
    line = StatusLine("0", remark_ms=10)
    qtbot.addWidget(line)
    line.show_remark("All is well again.")
    assert "All is well again." in said(line)
    qtbot.waitUntil(lambda: "All is well again." not in said(line))


def test_a_passing_remark_goes_when_something_is_wrong_again(line: StatusLine) -> None:
    line.show_remark("All is well again.")
    line.hold("disk", "The disk is full.", "danger")
    assert "All is well again." not in said(line)


async def test_words_typed_into_the_memory_are_unsaved_until_they_are_in_the_file(stage: Stage) -> None:
    stage.make(memory="# Kiln\n")
    person = await stage.open()
    status = person.window.status
    assert "Saved" in words_in(status).split("\n")
    person.type(person.memory.editor, "- hot")
    assert "Unsaved memory" in words_in(status)
    person.press("Ctrl+S")
    await until(lambda: "Saved" in words_in(status).split("\n"), "the memory in the file")
    assert "hot" in stage.paths.memory_file.read_text("utf-8")
    await until(lambda: "Memory saved" in words_in(status), "what was done last")
    person.type(person.memory.editor, " and loud")
    assert "Unsaved memory" in words_in(status)
    assert "Memory saved" not in words_in(status)


async def test_a_draft_the_disk_refuses_is_said(stage: Stage) -> None:
    person = await stage.open()
    drafts = stage.paths.own.drafts_dir
    if drafts.exists():
        for one in drafts.iterdir():
            one.unlink()
        drafts.rmdir()
    drafts.write_text("in the way", "utf-8")
    person.type(person.composer.edit, "something")
    await until(lambda: "Drafts are not kept" in words_in(person.window.status), "that drafts are not kept")
    drafts.unlink()
    person.type(person.composer.edit, " more")
    await until(lambda: "Drafts are not kept" not in words_in(person.window.status), "that they are kept again")
    await rest(0.01)
