"""What is seldom seen is built when it is first wanted, and is then as if it had been there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.page_stack import PageStack
from tests.ui.window_fixture import Stage


def test_it_is_built_once_and_joined_to_whoever_asked_before_and_after(qtbot: QtBot) -> None:
    made, called = list[QLabel](), list[tuple[str, QLabel]]()

    def build() -> QLabel:
        made.append(QLabel("late"))
        qtbot.addWidget(made[-1])
        return made[-1]

    late = LazyWidget(build)
    late.join(lambda label: called.append(("before", label)))
    assert (late.built, made) == (None, [])
    label = late.widget
    late.join(lambda label: called.append(("after", label)))
    assert (late.widget, late.built, made) == (label, label, [label])
    assert called == [("before", label), ("after", label)]


def test_a_late_page_is_built_when_it_is_shown_and_tab_reaches_it_where_the_stack_stands(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    stack, after = PageStack(window), QPushButton("after", window)
    column = QVBoxLayout(window)
    column.addWidget(stack)
    column.addWidget(after)
    first = QWidget()
    QVBoxLayout(first).addWidget(QPushButton("first", first))
    stack.add_page("first", first)
    second = stack.add_late_page("second", lambda: QPushButton("second"))
    window.show()
    assert (stack.page, stack.count(), second.built) == ("first", 1, None)
    stack.show_page("second")
    assert (stack.page, stack.count()) == ("second", 2)
    second.widget.setFocus()
    QTest.keyClick(second.widget, Qt.Key.Key_Tab)
    assert window.focusWidget() is after


async def test_a_window_that_just_opened_has_built_nothing_that_is_seldom_seen(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."), memory="# A\n\n- a\n")
    person = await stage.open()
    body, chat, window = person.memory.body, person.chat, person.window
    built: list[QWidget | None] = [body.conflicts.built, body.versions.built, body.captures.built]
    built += [body.review.built, body.compare.built]
    built += [body.find_bar.built, window.memory.past.built, person.history.filters.built]
    built += [chat.approval.built, chat.key_card.built, window.command_palette.built]
    built += [window.prompt.built, window.dream.built, window.health.built]
    assert built == [None] * len(built)
