"""The settings of Dream: the way memory is kept, when Dream runs, what a run may cost; and that nothing is cut."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QRadioButton, QScrollArea, QSpinBox, QWidget

from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from tests.ui.dream.test_dream_pane import answer, dreaming
from tests.ui.window_fixture import Opened, Stage, question, rest, until, words_in


async def opened(person: Opened, page: str = "model") -> SettingsDialog:
    person.current.actions["settings"].trigger()
    controller = person.current.settings_controller
    await until(lambda: controller.dialog is not None and controller.dialog.isVisible(), "the settings")
    assert controller.dialog is not None
    controller.dialog.pages.show_section(getattr(controller.dialog, page))
    return controller.dialog


def named(dialog: QWidget, kind: type[Any], name: str) -> Any:
    return next(one for one in dialog.findChildren(kind) if one.accessibleName() == name)


def radio(dialog: SettingsDialog, words: str) -> QRadioButton:
    return next(one for one in dialog.findChildren(QRadioButton) if one.text().partition(" · ")[0] == words)


def _is_in_force(person: Opened, profile: str) -> bool:
    return person.bench.settings.profile == profile


async def saved(person: Opened, dialog: SettingsDialog) -> Any:
    file = person.bench.workspace.paths.config_file
    before = file.read_bytes()
    person.click("Save", dialog)
    await until(lambda: file.read_bytes() != before, "the settings saved")
    await until(lambda: person.current.settings_controller.dialog is None, "the settings closed")
    return json.loads(file.read_text("utf-8"))


async def test_what_is_set_of_dream_is_in_the_file(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    dialog = await opened(person, "memory")
    named(dialog, QSpinBox, "Every so many hours").setValue(6)
    named(dialog, QSpinBox, "Tokens a run").setValue(50_000)
    named(dialog, QSpinBox, "Tokens a day").setValue(200_000)
    named(dialog, QSpinBox, "Minutes until an idle conversation is consolidated").setValue(30)
    named(dialog, QLineEdit, "Cron expression").setText("0 */4 * * *")
    named(dialog, QLineEdit, "Model for Dream").setText("small/model")
    next(one for one in dialog.dream.findChildren(QCheckBox)).setChecked(False)
    written = (await saved(person, dialog))["agents"]["defaults"]
    assert written["dream"] == {
        "enabled": False,
        "intervalH": 6,
        "cron": "0 */4 * * *",
        "modelOverride": "small/model",
        "maxTokens": 50_000,
        "maxTokensPerDay": 200_000,
    }
    assert written["idleCompactAfterMinutes"] == 30


async def test_the_model_of_dream_has_its_price_below_it(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    dialog = await opened(person, "dream")
    named(dialog, QLineEdit, "Server address").setText("")
    named(dialog, QLineEdit, "Model for Dream").setText("openai/gpt-4o-mini")
    await until(lambda: "15 ¢ for a million tokens that are sent" in words_in(dialog), "what it costs")
    named(dialog, QLineEdit, "Model for Dream").setText("openai/nobody-knows")
    await until(lambda: "a million tokens" not in words_in(dialog), "no price where none is known")
    dialog.reject()


async def test_an_expression_that_cannot_be_followed_is_told_as_it_is_typed_and_not_saved(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    dialog = await opened(person, "memory")
    field = named(dialog, QLineEdit, "Cron expression")
    person.type(field, "0 25 * * *")
    await until(lambda: "is no cron expression of five fields" in words_in(dialog), "why it cannot be followed")
    person.click("Save", dialog)
    assert dialog.isVisible()
    assert field.hasFocus()
    field.setText("0 5 * * *")
    await until(lambda: "It stands before the hours." in words_in(dialog), "that it can be followed")
    assert "is no cron expression" not in words_in(dialog)
    assert (await saved(person, dialog))["agents"]["defaults"]["dream"]["cron"] == "0 5 * * *"


async def test_an_expression_saved_before_it_was_looked_at_is_told_and_changes_nothing(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    dialog = await opened(person, "memory")
    named(dialog, QLineEdit, "Cron expression").setText("every day")
    named(dialog, QSpinBox, "Every so many hours").setValue(7)
    written = await saved(person, dialog)
    await person.until_said("“every day” is no cron expression")
    assert written["agents"]["defaults"]["dream"] == {"intervalH": 7}


async def test_the_rows_of_dream_are_there_where_dream_is_chosen(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    person = await stage.open()
    dialog = await opened(person, "memory")
    window = named(dialog, QSpinBox, "Memory window")
    assert not dialog.dream.isVisible()
    assert window.isVisible()
    assert [one.text() for one in dialog.findChildren(QRadioButton)] == [
        "Standard · as in nanobot 0.1.4",
        "Dream · as in nanobot from 0.1.5",
        "Three tiers · as in Qanot",
    ]
    radio(dialog, "Dream").click()
    await rest(0.02)
    assert dialog.dream.isVisible()
    assert not window.isVisible()
    dialog.reject()


async def test_dream_is_taken_into_use_with_a_look_at_what_becomes_of_the_old_history(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    stage.paths.history_file.write_text("[2026-03-01 10:00] First.\n\n", encoding="utf-8")
    person = await stage.open()
    dialog = await opened(person, "memory")
    radio(dialog, "Dream").click()
    person.click("Save", dialog)
    await until(lambda: question() not in (None, dialog), "the question")
    sheet = question()
    assert sheet is not None
    assert "of HISTORY.md" in words_in(sheet)
    await answer(person, "Cancel")
    await rest(0.1)
    assert person.bench.settings.profile == "two-layer"
    dialog = await opened(person, "memory")
    radio(dialog, "Dream").click()
    person.click("Save", dialog)
    await answer(person, "Read the old ones too")
    await until(lambda: person.bench.settings.profile == "dream", "the profile")
    assert (await person.bench.dreaming.state()).waiting == 1


async def test_the_way_back_is_asked_about_too(stage: Stage) -> None:
    root = dreaming(stage)
    person = await stage.open()
    dialog = await opened(person, "memory")
    radio(dialog, "Standard").click()
    person.click("Save", dialog)
    await answer(person, "Go back to HISTORY.md")
    await until((root / "memory" / "HISTORY.md").exists, "HISTORY.md")


async def test_three_tiers_are_chosen_and_left_again(stage: Stage) -> None:
    stage.make()
    person = await stage.open()
    for title, profile in (("Three tiers", "three-tier"), ("Standard", "two-layer")):
        dialog = await opened(person, "memory")
        radio(dialog, title).click()
        assert named(dialog, QSpinBox, "Memory window").isVisible() == (profile == "two-layer")
        person.click("Save", dialog)
        await until(partial(_is_in_force, person, profile), "the profile in force")
        assert json.loads(stage.paths.config_file.read_text())["mnemoscope"]["profile"] == profile


async def test_from_dream_one_goes_to_three_tiers_by_way_of_its_journal(stage: Stage) -> None:
    root = dreaming(stage)
    person = await stage.open()
    dialog = await opened(person, "memory")
    radio(dialog, "Three tiers").click()
    person.click("Save", dialog)
    await answer(person, "Go back to HISTORY.md")
    await until((root / "memory" / "HISTORY.md").exists, "HISTORY.md")
    assert person.bench.settings.profile == "three-tier"


async def test_who_only_reads_changes_nothing_of_it(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open(read_only=True)
    person.current.settings_controller.open()
    dialog = person.current.settings_controller.dialog
    assert dialog is not None
    assert not any(one.isEnabled() for one in dialog.findChildren(QRadioButton))
    assert not any(one.isEnabled() for one in dialog.dream.findChildren(QSpinBox))
    dialog.reject()


@pytest.mark.parametrize("larger", [0, 3])
async def test_in_a_small_window_every_row_can_be_scrolled_to_and_none_is_cut(stage: Stage, larger: int) -> None:
    dreaming(stage)
    person = await stage.open()
    for _ in range(larger):
        person.current.appearance.zoom(1)
    person.window.resize(1024, 700)
    await rest(0.05)
    dialog = await opened(person, "memory")
    named(dialog, QLineEdit, "Cron expression").setText("0 25 * * *")
    await until(lambda: dialog.dream.problem, "the problem")
    await rest(0.05)
    assert dialog.height() < person.window.height()
    for section in dialog.sections:
        dialog.pages.show_section(section)
        await rest(0.02)
        scroll = next(area for area in dialog.findChildren(QScrollArea) if area.isVisible())
        body, bar = scroll.widget(), scroll.verticalScrollBar()
        assert body is not None
        labels = [one for one in body.findChildren(QLabel) if one.isVisible()]
        assert all(one.height() >= one.heightForWidth(one.width()) for one in labels if one.wordWrap())
        assert body.width() <= scroll.viewport().width()
        bar.setValue(bar.maximum())
        last = max(labels, key=lambda one: one.mapTo(body, QPoint(0, one.height())).y())
        assert last.mapTo(scroll.viewport(), QPoint(0, last.height())).y() <= scroll.viewport().height()
    dialog.reject()
    person.current.appearance.zoom(0)
