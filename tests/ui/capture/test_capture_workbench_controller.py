"""The workbench of capture in the window: found as one types, judged, rules edited, switched off and kept."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QTreeWidgetItem

from mnemoscope.domain.capture.scan import Capture
from mnemoscope.ui.capture.capture_dialog import CaptureDialog
from mnemoscope.ui.memory.captures.capture_words import category_name
from tests.support.full_disk import FullDisk
from tests.ui.forgetting.test_forgetting_in_window import forgetting_receipt_shown, listed
from tests.ui.window_fixture import Opened, Stage, click, drafts_hold, rest, until, words_in

OWN = """language = "en"
[[rule]]
id = "mine.kiln"
category = "preference"
cues = ["kiln"]
patterns = ["kiln at {rest}"]
"""


async def opened(stage: Stage, *, chat: str = "") -> tuple[Opened, CaptureDialog]:
    stage.make(("user", "One."), ("assistant", "Yes."))
    person = await stage.open()
    return person, await workbench(person, chat)


async def workbench(person: Opened, chat: str = "") -> CaptureDialog:
    person.current.actions["capture.rules"].trigger()
    dialog = person.current.capture_workbench.dialog
    assert dialog is not None
    dialog.chat.setPlainText(chat)
    await person.current.capture_workbench.settled()
    return dialog


def hits(dialog: CaptureDialog) -> list[list[str]]:
    tops = [dialog.hits.topLevelItem(place) for place in range(dialog.hits.topLevelItemCount())]
    rows = [top.child(place) for top in tops if top for place in range(top.childCount())]
    return [[row.text(column) for column in range(5)] for row in rows if row]


def choose(dialog: CaptureDialog, place: int) -> None:
    top = dialog.hits.topLevelItem(place)
    assert top is not None
    row = top.child(0)
    assert row is not None
    dialog.hits.setCurrentItem(row)


def rule_row(dialog: CaptureDialog, rule: str) -> QTreeWidgetItem:
    rows = [dialog.rules.topLevelItem(place) for place in range(dialog.rules.topLevelItemCount())]
    return next(row for row in rows if row is not None and row.toolTip(0) == rule)


def marks_on_disk(root: Path) -> list[dict[str, object]]:
    path = root / "capture" / "marks.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


async def test_what_is_found_is_listed_and_marked_where_it_stands(stage: Stage) -> None:
    _, dialog = await opened(stage, chat="🐈 Hello\n\nI prefer tea\n\nTranslate: 'I love you'")
    (kept, *rest) = hits(dialog)
    assert kept[:2] == ["I prefer tea", "Preference, lasting"]
    assert all(row[1].startswith("not remembered: ") for row in rest)
    assert "I prefer tea" in [each.cursor.selectedText() for each in dialog.chat.extraSelections()]
    choose(dialog, 1)
    assert dialog.chat.textCursor().selectedText() == "I prefer tea"


async def test_typing_tries_the_rules_again(stage: Stage) -> None:
    _, dialog = await opened(stage)
    assert hits(dialog) == []
    QTest.keyClicks(dialog.chat, "My name is Ann")
    await until(lambda: bool(hits(dialog)), "something found")
    assert hits(dialog)[0][:2] == ["My name is Ann", "Name, lasting"]


async def test_a_verdict_is_kept_and_judges_the_rules(stage: Stage) -> None:
    _, dialog = await opened(stage, chat="I prefer tea\n\nCall me Ann")
    choose(dialog, 0)
    QTest.keyClick(dialog.hits, Qt.Key.Key_R)
    await until(lambda: hits(dialog)[0][4] == "right", "the verdict shown")
    choose(dialog, 1)
    QTest.mouseClick(dialog.wrong, Qt.MouseButton.LeftButton)
    await until(lambda: hits(dialog)[1][4] == "wrong", "the other verdict shown")
    assert [(mark["text"], mark["verdict"]) for mark in marks_on_disk(stage.root)] == [
        ("I prefer tea", "right"),
        ("Call me Ann", "wrong"),
    ]
    assert "Right 50 %" in dialog.score.text()
    assert dialog.marks.count() == 2
    dialog.marks.setCurrentRow(0)
    QTest.mouseClick(dialog.forget, Qt.MouseButton.LeftButton)
    await until(lambda: dialog.marks.count() == 1, "one mark forgotten")


async def test_words_that_were_missed_are_marked_where_they_stand(stage: Stage) -> None:
    _, dialog = await opened(stage, chat="Hello\n\nThe moon is nice")
    cursor = dialog.chat.document().find("moon")
    dialog.chat.setTextCursor(cursor)
    menu = dialog.chat.menu()
    assert [each.text() for each in menu.actions() if each.isEnabled() and each.text()] == [
        "Cut", "Copy", *(["Paste"] if dialog.chat.canPaste() else []), "Select all", "This was missed: it is a…",
    ]  # fmt: skip
    (kept,) = [each for each in menu.findChildren(QMenu) if each.title().startswith("This was missed")]
    next(each for each in kept.actions() if each.text() == category_name("preference")).trigger()
    menu.close()
    await until(lambda: dialog.marks.count() == 1, "the mark")
    (mark,) = marks_on_disk(stage.root)
    assert (mark["text"], mark["start"], mark["stop"], mark["verdict"]) == ("The moon is nice", 4, 8, "missed")
    assert "Found 0 %" in dialog.score.text()


async def test_a_rule_is_tried_while_it_is_typed_and_in_force_once_saved(stage: Stage) -> None:
    person, dialog = await opened(stage, chat="kiln at 1240")
    dialog.chat.setTextCursor(dialog.chat.document().find("kiln at 1240"))
    dialog.chat.missed.emit("preference")
    await until(lambda: dialog.marks.count() == 1, "the mark")
    dialog.editor.text.setPlainText(OWN)
    await person.current.capture_workbench.settled()
    assert hits(dialog)[0][2] == "mine.kiln"
    assert "Found 100 % (saved rules: 0 %)" in dialog.score.text()
    assert not (stage.root / "capture" / "my-rules.toml").exists()
    QTest.mouseClick(dialog.editor.save, Qt.MouseButton.LeftButton)
    await until(lambda: not dialog.editor.save.isEnabled(), "the rules saved")
    assert (stage.root / "capture" / "my-rules.toml").read_text() == OWN


async def test_what_is_wrong_with_a_rule_is_said_beneath_it(stage: Stage) -> None:
    person, dialog = await opened(stage)
    QTest.mouseClick(dialog.editor.new, Qt.MouseButton.LeftButton)
    await person.current.capture_workbench.settled()
    assert dialog.editor.problems.isHidden()
    dialog.editor.text.setPlainText("[[rule]]\nid = 'x'")
    await person.current.capture_workbench.settled()
    assert "my-rules.toml, rule 1" in dialog.editor.problems.text()


async def test_a_rule_is_switched_off_by_its_tick(stage: Stage) -> None:
    _, dialog = await opened(stage, chat="I prefer tea")
    rule = hits(dialog)[0][2]
    rule_row(dialog, rule).setCheckState(0, Qt.CheckState.Unchecked)
    await until(lambda: rule not in [row[2] for row in hits(dialog)], "the rule off")
    assert rule in (stage.root / "capture" / "switched-off.toml").read_text()
    assert rule_row(dialog, rule).checkState(0) == Qt.CheckState.Unchecked


async def test_a_chat_is_dropped_as_a_file(stage: Stage) -> None:
    person, dialog = await opened(stage)
    chat = stage.root.parent / "chat.txt"
    chat.write_text("You: I prefer tea\nAssistant: My name is Bob\n", encoding="utf-8")
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(chat))])
    assert dialog.chat.canInsertFromMimeData(dropped)
    dialog.chat.insertFromMimeData(dropped)
    await until(lambda: dialog.chat.toPlainText() == "I prefer tea", "the chat")
    await person.current.capture_workbench.settled()
    assert len(hits(dialog)) == 1


async def test_rules_are_found_by_their_names(stage: Stage) -> None:
    _, dialog = await opened(stage, chat="I prefer tea")
    rule = hits(dialog)[0][2]
    dialog.filter.setText(rule)
    assert not rule_row(dialog, rule).isHidden()
    dialog.filter.setText("no rule of that name")
    assert rule_row(dialog, rule).isHidden()


async def test_where_a_workspace_is_only_read_nothing_is_offered_that_keeps(stage: Stage) -> None:
    stage.make(("user", "One."), ("assistant", "Yes."))
    person = await stage.open(read_only=True)
    dialog = await workbench(person, "I prefer tea")
    assert len(hits(dialog)) == 1
    assert dialog.right.isHidden()
    assert dialog.editor.save.isHidden()
    assert not (stage.root / "capture").exists()


async def test_rules_that_were_typed_and_not_saved_are_there_again_after_the_workbench_and_the_window_were_closed(
    stage: Stage,
) -> None:
    person, dialog = await opened(stage)
    dialog.editor.text.setPlainText(OWN)
    await person.current.capture_workbench.settled()
    dialog.close()
    again = await workbench(person)
    assert again.editor.text.toPlainText() == OWN
    assert again.editor.save.isEnabled()
    assert "is here again" in again.hint.text()
    await person.close()
    person = await stage.open()
    last = await workbench(person)
    assert last.editor.text.toPlainText() == OWN
    QTest.mouseClick(last.editor.save, Qt.MouseButton.LeftButton)
    await until(lambda: not last.editor.save.isEnabled(), "the rules saved")
    last.close()
    assert "is here again" not in (await workbench(person)).hint.text()


async def test_a_message_that_is_typed_before_the_rules_are_read_has_none_of_them_lost(stage: Stage) -> None:
    person, dialog = await opened(stage)
    dialog.editor.text.setPlainText(OWN)
    await person.current.capture_workbench.settled()
    dialog.close()
    goes_on = threading.Event()
    person.current.bench.disk.submit(goes_on.wait)
    person.current.actions["capture.rules"].trigger()
    again = person.current.capture_workbench.dialog
    assert again is not None
    again.chat.setPlainText("I prefer tea")
    await rest(0.3)
    goes_on.set()
    await person.current.capture_workbench.settled()
    assert again.editor.text.toPlainText() == OWN


async def test_rules_of_two_files_are_typed_and_a_save_that_is_refused_after_closing_loses_none(stage: Stage) -> None:
    stage.make(("user", "One."), ("assistant", "Yes."))
    folder = stage.root / "capture"
    folder.mkdir()
    for name in ("one.toml", "two.toml"):
        (folder / name).write_text('language = "en"\n', "utf-8")
    disk = FullDisk("one.toml")
    person = await stage.open(calls=disk)
    dialog = await workbench(person)
    dialog.editor.files.setCurrentText("one.toml")
    dialog.editor.text.setPlainText(OWN)
    dialog.editor.files.setCurrentText("two.toml")
    assert dialog.editor.text.toPlainText() == 'language = "en"\n'
    dialog.editor.files.setCurrentText("one.toml")
    assert dialog.editor.text.toPlainText() == OWN
    disk.is_full = True
    QTest.mouseClick(dialog.editor.save, Qt.MouseButton.LeftButton)
    dialog.close()
    await until(lambda: "there when you open the rules again" in words_in(person.window.chat), "the refusal")
    disk.is_full = False
    again = await workbench(person)
    again.editor.files.setCurrentText("one.toml")
    assert again.editor.text.toPlainText() == OWN


async def test_rules_are_kept_a_moment_after_they_are_typed_however_long_a_trial_waits(stage: Stage) -> None:
    person, dialog = await opened(stage)
    pause = person.current.capture_workbench._timer
    assert pause is not None
    pause.setInterval(3_600_000)
    dialog.editor.text.setPlainText(OWN)
    await until(lambda: drafts_hold(stage.paths, OWN), "what was typed, on the disk")
    assert pause.isActive()
    dialog.close()


async def test_forgotten_words_go_from_rules_that_are_typed_in_another_file_than_that_in_hand(stage: Stage) -> None:
    stage.make(("user", "One."), ("assistant", "Yes."))
    folder = stage.root / "capture"
    folder.mkdir()
    for name in ("one.toml", "two.toml"):
        (folder / name).write_text('language = "en"\n', "utf-8")
    person = await stage.open()
    dialog = await workbench(person)
    dialog.editor.files.setCurrentText("one.toml")
    dialog.editor.text.setPlainText("# Keeps a quokka called Pumpernickel\n")
    dialog.editor.files.setCurrentText("two.toml")
    await person.current.capture_workbench.settled()
    person.current.forgetting.forget("Keeps a quokka called Pumpernickel")
    places = await listed(person)
    click(places.everything)
    click(places.forget)
    (await forgetting_receipt_shown(person)).close()
    dialog.editor.files.setCurrentText("one.toml")
    assert dialog.editor.text.toPlainText() == "[…]"
    await person.current.capture_workbench.settled()
    await person.close()
    drafts = "".join(path.read_text("utf-8") for path in stage.paths.own.drafts_dir.iterdir())
    assert "one.toml" in drafts
    assert "Pumpernickel" not in drafts


async def test_it_opens_once_and_again_after_it_was_closed(stage: Stage) -> None:
    person, dialog = await opened(stage)
    person.current.actions["capture.rules"].trigger()
    assert person.current.capture_workbench.dialog is dialog
    dialog.close()
    assert not person.current.capture_workbench.dialog
    again = await workbench(person, "I prefer tea")
    choose(again, 0)
    hit = again.hits.current_hit
    assert hit is not None
    assert isinstance(hit.found, Capture)
