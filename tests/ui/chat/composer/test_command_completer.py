"""Slash commands in the whole window: those of the profile in force, told in full."""

from __future__ import annotations

from itertools import product

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListView

from mnemoscope.domain.settings import DREAM
from mnemoscope.ui.chat.composer.command_completer import ROW_HEIGHT, STACKED_HEIGHT
from mnemoscope.ui.widgets.theme import Theme
from tests.ui.window_fixture import Opened, Stage, question, until


def begin(person: Opened) -> QListView:
    """Types a slash; the list that comes."""
    person.composer.set_draft("")
    person.type(person.composer.edit, "/")
    found = person.composer.edit.completer.findChild(QListView)
    assert found is not None
    return found


def offered(listed: QListView) -> set[str]:
    model = listed.model()
    return {str(model.index(row, 0).data()).split()[0].rstrip(":") for row in range(model.rowCount())}


async def test_the_list_offers_the_commands_of_the_profile_in_force(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    person = await stage.open()
    assert "/consolidate" in offered(begin(person))
    assert not {"/dream", "/compact"} & offered(begin(person))
    await person.bench.config.change(profile=DREAM)
    assert {"/dream", "/dream-log", "/compact"} <= offered(begin(person))
    assert "/consolidate" not in offered(begin(person))


async def test_so_does_the_sheet_of_commands(stage: Stage) -> None:
    stage.make()
    person = await stage.open()
    person.current.help.show_slash_commands()
    await until(question, "the sheet")
    sheet = question()
    assert sheet is not None
    usages = [label.text() for label in sheet.findChildren(QLabel) if label.text().startswith("/")]
    assert "/history [n]" in usages
    assert not [usage for usage in usages if usage.startswith("/dream")]
    sheet.reject()


async def test_no_description_is_cut(stage: Stage) -> None:
    stage.make()
    person = await stage.open()
    completer, card = person.composer.edit.completer, person.composer.card
    metrics = QFontMetrics(Theme.current().font("body"))
    for profile, size in product(("two-layer", DREAM), ((1440, 900), (1024, 700), (700, 700))):
        await person.bench.config.change(profile=profile)
        person.window.resize(*size)
        await until(lambda: begin(person) and completer.width() == card.width(), "the list, as wide as the field")
        listed = begin(person)
        roomy = listed.sizeHintForRow(0) == Theme.current().height(ROW_HEIGHT)
        assert roomy or listed.sizeHintForRow(0) == Theme.current().height(STACKED_HEIGHT), (profile, size)
        model = listed.model()
        for offer in (model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())):
            assert offer.brief_at == 0 or offer.brief_at > metrics.horizontalAdvance(offer.usage), (profile, size)
            assert offer.brief_at + metrics.horizontalAdvance(offer.brief) + 20 <= listed.viewport().width()
        QTest.keyClick(person.composer.edit, Qt.Key.Key_Escape)
