"""Conversations in the whole window: delete with undo, rename, switch, search."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.store.sessions.archive import ClosedConversation
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.ui.sessions.sessions_pane import SessionDelegate, SessionsPane
from mnemoscope.ui.widgets.theme import Theme
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.window_fixture import KEY, Opened, Stage, click, messages_on_disk, until

OTHER = "desktop:other"


async def two(stage: Stage, *, others: int = 0, **core: Any) -> Opened:
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    stage.write_session(("user", "About kilns."), ("assistant", "No."), key=OTHER)
    for number in range(others):
        stage.write_session(("user", f"About {number}."), ("assistant", "Yes."), key=f"desktop:{number}")
    person = await stage.open(**core)
    person.current.sessions.open(KEY)
    await person.until_ready()
    await until(lambda: len(listed(person)) == 2 + others, "the conversations in the list")
    return person


def list_of(person: Opened) -> QListView:
    view = person.window.sessions.findChild(QListView)
    assert view is not None
    return view


def listed(person: Opened) -> dict[str, str]:
    """Titles in the list, by key."""
    model = list_of(person).model()
    rows = (model.index(row, 0) for row in range(model.rowCount()))
    found = ((one.data(Qt.ItemDataRole.UserRole), one.data()) for one in rows)
    return {row.key: title for row, title in found if isinstance(row, SessionOverview)}


def click_on(person: Opened, key: str) -> None:
    view = list_of(person)
    model = view.model()
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        overview = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(overview, SessionOverview) and overview.key == key:
            click(view.viewport(), view.visualRect(index).center())


async def test_a_click_switches_to_another_conversation(stage: Stage) -> None:
    person = await two(stage)
    assert "About tea." in person.text
    click_on(person, OTHER)
    await until(lambda: person.key == OTHER, "the other conversation")
    await person.until_ready()
    assert "About kilns." in person.text
    assert "About tea." not in person.text
    assert person.timeline.model.total == 2


async def test_a_click_counts_also_before_the_list_is_read_again(stage: Stage) -> None:
    person = await two(stage)
    view = list_of(person)
    for key, before in ((OTHER, KEY), (KEY, OTHER)):
        person.current.sessions.open(key)
        assert view.currentIndex().data(Qt.ItemDataRole.UserRole).key == key
        click_on(person, before)
        assert person.key == before
    await person.until_ready()
    assert "About kilns." in person.text


async def test_what_is_opened_elsewhere_is_what_is_deleted(stage: Stage) -> None:
    person = await two(stage)
    person.current.sessions.open(OTHER)
    view = list_of(person)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    await person.until_said("moved to the trash", person.chat)
    await until(lambda: list(listed(person)) == [KEY], "the conversation that stays")


async def test_an_answer_goes_on_in_the_conversation_that_was_left(stage: Stage) -> None:
    gate = Gate()
    person = await two(stage, offline=ScriptedProvider(["One ", gate, "two"], "Else."))
    person.send("Tell me.")
    await gate.reached.wait()
    click_on(person, OTHER)
    await until(lambda: person.key == OTHER, "the other conversation")
    await person.until_ready()
    assert not person.composer.busy
    await person.say("And here?")
    assert "Else." in person.text
    assert "One" not in person.text
    gate.open.set()
    await until(lambda: not person.bench.loop.is_busy(KEY), "the answer's end")
    assert messages_on_disk(stage.root)[-1]["content"] == "One two"
    click_on(person, KEY)
    await until(lambda: "One two" in person.text, "the whole answer")


async def test_coming_back_to_a_conversation_whose_answer_streams_shows_all_of_it(stage: Stage) -> None:
    gate = Gate()
    person = await two(stage, offline=ScriptedProvider(["The first ", gate, "and the second"]))
    person.send("Tell me.")
    await gate.reached.wait()
    click_on(person, OTHER)
    await until(lambda: person.key == OTHER, "the other conversation")
    await person.until_ready()
    click_on(person, KEY)
    await until(lambda: person.key == KEY, "the first conversation")
    await person.until_ready()
    assert person.composer.busy
    gate.open.set()
    await person.answered()
    await until(lambda: "The first and the second" in person.text, "the whole answer")
    assert person.text.count("and the second") == 1


async def test_a_deleted_conversation_comes_back_on_undo(stage: Stage) -> None:
    person = await two(stage)
    before = messages_on_disk(stage.root)
    person.current.actions["conversation.delete"].trigger()
    await until(lambda: person.key == OTHER, "another conversation on show")
    await person.until_said("moved to the trash", person.chat)
    await until(lambda: list(listed(person)) == [OTHER], "one conversation in the list")
    assert messages_on_disk(stage.root) == []
    person.click("Undo", person.chat)
    await until(lambda: person.key == KEY, "the conversation back")
    await person.until_ready()
    assert "About tea." in person.text
    assert messages_on_disk(stage.root) == before
    await until(lambda: len(listed(person)) == 2, "both conversations in the list")


async def test_deleting_the_last_conversation_leaves_a_new_one(stage: Stage) -> None:
    stage.make(("user", "About tea."))
    person = await stage.open(offline=ScriptedProvider("Yes."))
    person.current.actions["conversation.delete"].trigger()
    await until(lambda: person.key not in {"", KEY}, "a new conversation")
    await person.until_ready()
    assert person.timeline.model.total == 0
    await person.say("Hello")
    assert "Yes." in person.text


async def test_a_conversation_at_work_is_not_deleted(stage: Stage) -> None:
    gate = Gate()
    person = await two(stage, offline=ScriptedProvider([gate, "Yes."]))
    person.send("Tell me.")
    await gate.reached.wait()
    person.current.actions["conversation.delete"].trigger()
    await person.until_said("still at work", person.chat)
    assert person.key == KEY
    gate.open.set()
    await person.answered()
    assert messages_on_disk(stage.root)[-1]["content"] == "Yes."


async def test_a_conversation_is_renamed_in_place_and_keeps_its_name(stage: Stage) -> None:
    person = await two(stage)
    person.current.actions["conversation.rename"].trigger()
    await until(lambda: isinstance(person.window.focusWidget(), QLineEdit), "the name's editor with the keyboard")
    editor = person.window.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "All about tea")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    await until(lambda: listed(person)[KEY] == "All about tea", "the new name")
    await person.close()
    again = await stage.open()
    await until(lambda: listed(again).get(KEY) == "All about tea", "the name after a restart")
    assert [one["content"] for one in messages_on_disk(stage.root)] == ["About tea.", "Yes."]


@pytest.mark.parametrize("key", ["F2", "Shift+F10"])
async def test_the_menu_and_the_name_of_a_row_out_of_sight_open_at_the_row(stage: Stage, key: str) -> None:
    person = await two(stage, others=30)
    person.window.resize(1366, 768)
    view = list_of(person)
    await until(lambda: view.isVisible() and view.viewport().height() > 300, "the list in the window")
    current = view.currentIndex()
    view.setFocus()
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() if view.visualRect(current).top() < view.height() // 2 else bar.minimum())
    assert not view.viewport().rect().intersects(view.visualRect(current))
    person.press(key)
    await until(lambda: QApplication.activePopupWidget() or person.window.focusWidget() is not view, "what opens")
    row = view.visualRect(current)
    assert view.viewport().rect().contains(row)
    menu = QApplication.activePopupWidget()
    opened = menu if menu is not None else person.window.focusWidget()
    assert opened is not None
    there = QRect(view.viewport().mapFromGlobal(opened.mapToGlobal(QPoint())), opened.size())
    assert there.intersects(row)
    if menu is not None:
        menu.close()


async def test_searching_conversations_narrows_the_list(stage: Stage) -> None:
    person = await two(stage)
    person.press("Ctrl+Shift+E")
    QTest.keyClicks(person.window.focusWidget(), "kilns")
    await until(lambda: list(listed(person)) == [OTHER], "the conversation that matches")
    person.press("Esc")
    await until(lambda: len(listed(person)) == 2, "both again")


async def test_words_that_no_title_has_are_looked_for_in_the_messages(stage: Stage) -> None:
    stage.make(("user", "About tea."), ("assistant", "The glaze firing is on Monday."))
    person = await stage.open()
    await until(lambda: listed(person), "the conversation in the list")
    pane = person.window.sessions
    person.press("Ctrl+Shift+E")
    assert not pane.everything_button.isVisible()
    QTest.keyClicks(person.window.focusWidget(), "firing")
    await until(lambda: not listed(person), "no title with the words")
    assert pane.everything_button.isVisible()
    person.press("Return")
    sheet = person.current.search.sheet
    await until(lambda: sheet.isVisible() and sheet.model.rows, "what the messages say of it")
    assert sheet.field.text() == "firing"


async def test_a_conversation_another_program_adds_is_listed(stage: Stage) -> None:
    person = await two(stage)
    stage.write_session(("user", "About glazes."), key="telegram:7")
    await until(lambda: "telegram:7" in listed(person), "the other program's conversation")
    assert person.key == KEY


async def test_a_narrow_list_says_in_fewer_words_what_is_consolidated(stage: Stage) -> None:
    stage.make(*[("user", f"Note {number}") for number in range(30)], pointer=20)
    person = await stage.open()
    await until(lambda: len(listed(person)) == 1, "the conversation in the list")
    view = list_of(person)
    delegate = view.itemDelegate()
    assert isinstance(delegate, SessionDelegate)
    model = view.model()
    rows = [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]
    (row,) = [one for one in rows if isinstance(one, SessionOverview)]
    metrics = QFontMetrics(Theme.current().font("caption"))
    whole = delegate.facts_within(1_000, row, metrics)
    assert whole == "30 messages · 20 consolidated"
    room = metrics.horizontalAdvance(whole) - 1
    assert delegate.facts_within(room, row, metrics) == "20 of 30 consolidated"
    fewer = replace(row, deleted=4, deleted_consolidated=2)
    assert delegate.facts_within(1_000, fewer, metrics) == "26 messages · 18 consolidated"
    assert delegate.facts_within(room - 20, fewer, metrics) == "18 of 26 consolidated"
    row = replace(row, discretion=Discretion.READS_MEMORY)
    whole = delegate.facts_within(1_000, row, metrics)
    assert whole == "30 messages · not remembered"
    assert delegate.facts_within(metrics.horizontalAdvance(whole) - 1, row, metrics) == "not remembered"
    day = datetime(2026, 11, 30)
    closed = ClosedConversation("desktop:a", Path("a.jsonl"), "A", 30, day, day)
    whole = delegate.facts_within(1_000, closed, metrics)
    assert whole.endswith(" · 30 messages")
    closed = replace(closed, discretion=Discretion.READS_MEMORY)
    assert delegate.facts_within(1_000, closed, metrics) == f"{whole} · not remembered"
    assert delegate.facts_within(metrics.horizontalAdvance(whole), closed, metrics) == "not remembered"
    assert delegate.facts_within(1_000, replace(closed, is_branch=True), metrics).endswith("not remembered")


def test_a_screen_reader_hears_how_a_conversation_is_kept(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    now = datetime(2026, 3, 12, 10)
    rows = [
        SessionOverview(f"{n}", f"T{n}", now, now, 3, 0, Path(f"{n}"), discretion=kind)
        for n, kind in enumerate(Discretion)
    ]
    panel.show_sessions(rows, "0")
    view = panel.findChild(QListView)
    assert view is not None
    listed = [view.model().index(row, 0) for row in range(view.model().rowCount())]
    heard = [index.data(Qt.ItemDataRole.AccessibleTextRole) for index in listed]
    assert {"T0, 3 messages", "T1, 3 messages · not remembered", "T2, 3 messages · temporary"} < set(heard)


def test_a_title_from_elsewhere_turns_no_words_around_it_and_is_read_at_a_glance(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    now = datetime(2026, 3, 12, 10)
    title = "Tea \u202egnp.exe\x1b[31m\u2028and \u4f60\u597d " + "x" * 5_000
    panel.show_sessions([SessionOverview("one", title, now, now, 3, 0, Path("one"))], "one")
    view = panel.findChild(QListView)
    assert view is not None
    for shown in (panel.title_of("one"), view.currentIndex().data(Qt.ItemDataRole.ToolTipRole)):
        assert shown.startswith("Tea gnp.exe [31m and \u4f60\u597d xxx")
        assert len(shown) == 200


def test_a_title_is_said_once_the_list_was_read(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    when = "2026-03-12T10:00:00"
    assert (panel.title_of("one"), panel.title_of("one", when)) == ("", "")
    panel.show_sessions([], "one")
    assert (panel.title_of("one"), panel.title_of("one", when)) == ("New conversation", "a deleted conversation")


async def test_tab_into_a_list_that_is_searched_opens_nothing_and_enter_does(stage: Stage) -> None:
    person = await two(stage, others=2)
    view = list_of(person)
    person.window.sessions_column.show()
    person.window.sessions.focus_search()
    field = person.window.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "kilns")
    reached: list[QWidget] = []
    while not view.hasFocus() and (here := person.window.focusWidget()) is not None and here not in reached:
        reached.append(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)
    assert view.hasFocus()
    assert view.currentIndex().data() == "About kilns."
    assert person.key == KEY
    QTest.keyClick(view, Qt.Key.Key_Return)
    await until(lambda: person.key == OTHER, "the conversation that was found")


async def test_del_takes_the_row_with_the_keyboard_and_not_the_conversation_on_show(stage: Stage) -> None:
    person = await two(stage, others=2)
    view, field = list_of(person), person.window.sessions.findChild(QLineEdit)
    assert field is not None
    person.window.sessions_column.show()
    field.setText("About 1")
    view.setFocus()
    assert view.currentIndex().data() == "About 1."
    QTest.keyClick(view, Qt.Key.Key_Delete)
    await person.until_said("moved to the trash", person.chat)
    field.clear()
    await until(lambda: set(listed(person)) == {KEY, OTHER, "desktop:0"}, "the conversations that stay")
    assert person.key == KEY


async def test_f2_renames_the_row_with_the_keyboard_and_not_the_conversation_on_show(stage: Stage) -> None:
    person = await two(stage, others=2)
    view, field = list_of(person), person.window.sessions.findChild(QLineEdit)
    assert field is not None
    person.window.sessions_column.show()
    field.setText("About 1")
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_F2)
    editor = person.window.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert editor.text() == "About 1."
    QTest.keyClicks(editor, "About 1 and more")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    await until(lambda: listed(person).get("desktop:1") == "About 1 and more", "the new name")
    assert person.key == KEY, "Enter ends the name and opens nothing"
    assert view.hasFocus()
    field.clear()
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    at = view.currentIndex().data()
    assert at != listed(person)[KEY]
    await person.current.sessions.refresh()
    assert view.currentIndex().data() == at, "the list is read again, and the keyboard stays where it was"
    assert person.key == KEY


def test_a_name_that_is_only_looked_at_is_not_given(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    panel.show()
    now = datetime(2026, 3, 12, 10)
    panel.show_sessions([SessionOverview("one", "Tea", now, now, 3, 0, Path("one"))], "one")
    given: list[tuple[str, str]] = []
    panel.renamed.connect(lambda *name: given.append(name))
    panel.start_rename()
    editor = next(each for each in panel.findChildren(QLineEdit) if each.text() == "Tea")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert not given
    panel.start_rename()
    QTest.keyClicks(editor, "Coffee")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert given == [("one", "Coffee")]


def test_where_there_is_nothing_to_rename_the_words_that_are_searched_for_stay(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    now = datetime(2026, 3, 12, 10)
    field = panel.findChild(QLineEdit)
    assert field is not None
    panel.show_sessions([SessionOverview("one", "Tea", now, now, 3, 0, Path("one"))], "not listed")
    field.setText("Te")
    panel.start_rename()
    assert field.text() == "Te"


async def test_the_conversation_on_show_is_renamed_though_a_search_hides_it(stage: Stage) -> None:
    person = await two(stage)
    field = person.window.sessions.findChild(QLineEdit)
    assert field is not None
    field.setText("kilns")
    assert set(listed(person)) == {OTHER}
    person.current.actions["conversation.rename"].trigger()
    editor = person.window.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert editor.text() == listed(person)[KEY] == "About tea."


def test_nothing_is_offered_to_search_before_something_is_typed(qtbot: QtBot) -> None:
    pane = SessionsPane()
    qtbot.addWidget(pane)
    pane.show()
    assert not pane.everything_button.isVisible()
