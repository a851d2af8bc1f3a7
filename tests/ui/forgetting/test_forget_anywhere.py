"""What is shown of memory and of conversations can be chosen to be forgotten wherever it is shown."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QTextEdit, QWidget

from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.timeline.rows import RowKind
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.ui.support.forget_menu import FORGET_KEYS, ForgetMenu
from mnemoscope.ui.timeline.timeline_view import TimelineView
from tests.support.faulty_calls import FailingAt
from tests.ui.forgetting.test_forgetting_in_window import listed
from tests.ui.window_fixture import KEY, Opened, Stage, press, until

FACT = "Keeps a quokka called Pumpernickel"
MEMORY = f"# Facts\n\n- Rent is 940\n- {FACT}\n"
PROPOSED = "Runs the marathon in Valencia"


def menu_of(widget: QWidget) -> ForgetMenu:
    found = widget.findChild(ForgetMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert found is not None, f"no way to forget in {widget}"
    return found


def choose(menu: QMenu) -> None:
    next(each for each in menu.actions() if each.text() == "Forget…").trigger()
    menu.close()


async def closed(person: Opened) -> None:
    dialog = await listed(person)
    dialog.reject()
    await until(lambda: person.current.forgetting.dialog is None, "the end of the dialog")


async def chosen_words(person: Opened) -> str:
    dialog = await listed(person)
    assert dialog.plan is not None
    words = dialog.plan.text.phrases[0]
    await closed(person)
    return words


@pytest.fixture
def calls() -> FailingAt:
    """Returns the file calls of the window."""
    return FailingAt()


@pytest.fixture
async def person(stage: Stage, calls: FailingAt) -> Opened:
    stage.make(("user", FACT), ("assistant", "Noted."), memory=MEMORY)
    passage = MemoryConflict("", "", f"- {PROPOSED}")
    reasons = (f"Nobody spoke of “{PROPOSED}”.",)
    ledger = Ledger(stage.paths)
    ledger.add_suggestion(
        Suggestion("00aa", "2026-01-02T10:00:00", MEMORY, f"{MEMORY}- {PROPOSED}\n", reasons, KEY, 0, 2, (passage,))
    )
    return await stage.open(calls=calls)


async def test_a_message_of_the_timeline_is_chosen_by_menu_and_by_keys(person: Opened) -> None:
    await person.until_ready()
    person.current.navigation.show_pane("timeline")
    await until(lambda: 0 in person.rows(), "the first message")
    view: TimelineView = person.timeline.view
    row = next(row for _, row, _ in view.scene.in_sight(view.scrolling.top) if row.kind is RowKind.MESSAGE)
    view.choose(row)
    choose(view.menu_of(row))
    assert await chosen_words(person) == FACT
    view.setFocus()
    view.choose(row)
    press(view, FORGET_KEYS)
    assert await chosen_words(person) == FACT


async def test_what_the_search_found_is_chosen_by_menu_and_by_keys(person: Opened) -> None:
    person.current.actions["search"].trigger()
    sheet = person.current.search.sheet
    QTest.keyClicks(sheet.field, "quokka")
    await until(lambda: sheet.list.currentIndex().isValid(), "a passage")
    choose(menu_of(sheet.list).menu(sheet.list.visualRect(sheet.list.currentIndex()).center()))
    assert FACT in await chosen_words(person)
    person.current.actions["search"].trigger()
    await until(lambda: sheet.list.currentIndex().isValid(), "a passage")
    assert FACT in menu_of(sheet.field).words()


async def test_what_is_selected_in_the_preview_and_the_exact_prompt_is_chosen(person: Opened) -> None:
    preview = person.memory.body.split.preview
    person.memory.body.split.set_view("preview")
    await until(lambda: FACT in preview.toPlainText(), "the preview")
    preview.setTextCursor(preview.document().find("Pumpernickel"))
    choose(menu_of(preview).menu(preview.cursorRect().center()))
    assert await chosen_words(person) == "Pumpernickel"


async def test_a_proposal_is_chosen_in_the_review_over_which_the_places_are_listed(person: Opened) -> None:
    person.current.actions["memory.review_all"].trigger()
    review = person.current.reviews.dialog
    assert review is not None
    await until(lambda: review.queue.items and review.is_ready, "the proposal")
    text = review.diff.text
    cursor = text.document().find(PROPOSED)
    assert not cursor.isNull()
    choose(menu_of(text).menu(text.cursorRect(cursor).center()))
    dialog = await listed(person)
    assert dialog.plan is not None
    assert dialog.plan.text.phrases[0] == PROPOSED
    assert dialog.parentWidget() is review, "else it could not be answered as long as the review is open"
    await closed(person)
    review.list.setFocus()
    press(review.list, FORGET_KEYS)
    assert person.current.forgetting.dialog is not None
    review.done(0)
    await until(lambda: person.current.forgetting.dialog is None, "that it went with the review")


async def test_a_refusal_is_said_though_the_review_closed_over_which_the_words_were_chosen(
    person: Opened, stage: Stage, calls: FailingAt
) -> None:
    person.current.actions["memory.review_all"].trigger()
    review = person.current.reviews.dialog
    assert review is not None
    await until(lambda: review.queue.items and review.is_ready, "the proposal")
    review.list.setFocus()
    press(review.list, FORGET_KEYS)
    dialog = await listed(person)
    is_closed = threading.Event()
    calls.at = lambda path: path == stage.paths.own.intent_file and is_closed.wait(60)
    dialog.forget.click()
    await until(lambda: not dialog.cancel.isEnabled(), "the beginning")
    review.done(0)
    is_gone: list[bool] = []
    review.destroyed.connect(lambda: is_gone.append(True))
    await until(lambda: is_gone, "the end of the review")
    is_closed.set()
    await until(lambda: dialog.failure.isVisible(), "the refusal")
    assert dialog.failure.text().startswith("The disk is full")
    assert dialog.chosen
    await closed(person)


async def test_every_text_of_memory_and_conversations_that_only_is_read_offers_it(person: Opened) -> None:
    person.current.actions["memory.review_all"].trigger()
    review = person.current.reviews.dialog
    assert review is not None
    await until(lambda: review.queue.items, "the proposal")
    for name in ("prompt", "health"):
        person.current.navigation.show_pane(name)
    texts: list[QPlainTextEdit | QTextEdit] = [*person.window.findChildren(QPlainTextEdit)]
    texts += person.window.findChildren(QTextEdit)
    read = [
        each for each in texts if each.isReadOnly() and type(each).contextMenuEvent is kind_of(each).contextMenuEvent
    ]
    assert read
    for view in read:
        assert menu_of(view), view.accessibleName()


def kind_of(view: QPlainTextEdit | QTextEdit) -> type[QWidget]:
    """Returns the class of Qt that a text is of."""
    return next(each for each in type(view).__mro__ if each.__module__.startswith("PySide6"))
