"""The model's page at the composer: the same page as in the settings, above the chip that names the model."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from mnemoscope.llm.model_catalog import ModelChoice
from mnemoscope.ui.settings.model_section import KeyEntered
from mnemoscope.ui.settings.model_sheet import ModelSheet
from tests.support.loopback_server import Answer, Call, LoopbackServer, Refuse, Stall
from tests.ui.settings.test_settings_dream import named
from tests.ui.settings.test_settings_model import see_a_model_tested
from tests.ui.window.test_accessible_controls import name_and_role
from tests.ui.window_fixture import Opened, button, rest, until, words_in


async def sheet_of(person: Opened) -> ModelSheet:
    """Returns the sheet, opened by a click on the chip."""
    chip = person.composer.model
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton, pos=chip.rect().center())
    controller = person.current.settings_controller
    await until(lambda: controller.sheet is not None and controller.sheet.isVisible(), "the model's page")
    assert controller.sheet is not None
    return controller.sheet


def is_closed(person: Opened) -> bool:
    return person.current.settings_controller.sheet is None


def labels_of(sheet: ModelSheet) -> list[str]:
    """Returns what the labels of the model of the settings say."""
    return [label.text() for label in sheet.model.findChildren(QLabel)]


async def test_an_address_is_typed_its_models_are_listed_and_one_is_set(
    person: Opened, loopback: LoopbackServer
) -> None:
    sheet = await sheet_of(person)
    name = named(sheet, QComboBox, "Model")
    assert name.hasFocus()
    named(sheet, QLineEdit, "Server address").setText(loopback.base_url)
    assert not loopback.visits
    person.click("List its models", sheet)
    await until(lambda: "2 models at this server" in words_in(sheet), "the models")
    name.setCurrentIndex(name.findText("large"))
    named(sheet, QSpinBox, "Context size").setValue(4_096)
    named(sheet, QSpinBox, "Longest answer").setValue(700)
    named(sheet, QDoubleSpinBox, "Temperature").setValue(0.7)
    person.click("Save", sheet)
    await until(lambda: "openai/large" in person.composer.model.accessibleName(), "the model named at the composer")
    document = json.loads(person.bench.workspace.paths.config_file.read_text("utf-8"))
    assert document["mnemoscope"]["apiBase"] == loopback.base_url
    defaults = document["agents"]["defaults"]
    assert (defaults["model"], defaults["contextWindowTokens"]) == ("openai/large", 4_096)
    assert (defaults["maxTokens"], defaults["temperature"]) == (700, 0.7)
    assert is_closed(person)
    assert person.composer.edit.hasFocus()


async def test_a_server_that_wants_a_key_is_listed_while_the_built_in_model_is_chosen(
    person: Opened, loopback: LoopbackServer
) -> None:
    sheet = await sheet_of(person)
    address, key = named(sheet, QLineEdit, "Server address"), named(sheet, QLineEdit, "Key")
    assert not key.isVisible()
    address.setText(loopback.base_url)
    assert key.isVisible()
    assert key.isEnabled()
    QTest.keyClicks(key, "sk-typed")
    person.click("List its models", sheet)
    await until(lambda: "2 models at this server" in words_in(sheet), "the models")
    assert loopback.listed[-1]["authorization"] == "Bearer sk-typed"
    kept: list[object] = []
    sheet.key_entered.connect(kept.append)
    person.click("Save", sheet)
    await until(lambda: is_closed(person), "the settings")
    await rest()
    assert not kept, "the built-in model has no key"


async def test_of_the_built_in_model_only_what_applies_to_it_is_shown(person: Opened) -> None:
    sheet = await sheet_of(person)
    assert "It has no key, context size or length to set." in words_in(sheet)
    shown = [each for each in sheet.model.findChildren(QWidget) if each.isVisible()]
    off = [
        each for each in shown if isinstance(each, QPushButton | QAbstractSpinBox | QLineEdit) and not each.isEnabled()
    ]
    assert [each.text() for each in off] == ["List its models"]
    assert not sheet.model.answers.isVisible()
    assert not sheet.model.context.isVisible()
    named(sheet, QComboBox, "Model").setEditText("ollama/qwen3:8b")
    assert sheet.model.answers.isVisible()
    assert sheet.model.context.isVisible()
    assert sheet.model.context.number.isEnabled()
    assert sheet.model.test.button.isVisible()


async def test_it_tries_a_model_and_closing_ends_that(person: Opened, loopback: LoopbackServer) -> None:
    sheet = await sheet_of(person)
    call = Call("note_colour", '{"colour": "green"}')
    loopback.will(Answer("one two"), Answer(calls=(call,)), Answer("Fine."), Refuse(400, "no images"), Stall())
    named(sheet, QComboBox, "Model").setEditText("openai/small")
    named(sheet, QLineEdit, "Server address").setText(loopback.base_url)
    await until(lambda: "on a server of this computer" in words_in(sheet), "the price")
    test = sheet.model.test
    person.click("Test", sheet)
    await until(lambda: test.words() and not test.is_running, "the findings")
    assert test.words()[:3] == ["Answers.", "Streams: words are shown as they come.", "Calls tools."]
    person.click("Test", sheet)
    await until(lambda: len(loopback.asked) == 5, "another test")
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    await until(loopback.left.is_set, "the request given up")
    assert is_closed(person)


async def test_a_model_is_chosen_for_this_conversation_alone(person: Opened, loopback: LoopbackServer) -> None:
    await person.bench.config.change(model="openai/small", api_base=loopback.base_url)
    await person.say("Hello.")
    sheet = await sheet_of(person)
    chosen = named(sheet, QComboBox, "Model for this conversation")
    assert chosen.currentData() == ""
    assert chosen.currentText().startswith("As in the settings")
    other = next(row for row in range(chosen.count()) if chosen.itemData(row))
    model = chosen.itemData(other)
    chosen.setCurrentIndex(other)
    config = person.bench.workspace.paths.config_file.read_bytes()
    person.click("Save", sheet)
    await until(lambda: person.current.model_choice.now() == model, "the model of the conversation")
    assert person.bench.workspace.paths.config_file.read_bytes() == config
    again = await sheet_of(person)
    assert named(again, QComboBox, "Model for this conversation").currentData() == model
    again.hide()


async def test_the_model_of_a_conversation_has_a_context_size_of_its_own(
    person: Opened, loopback: LoopbackServer
) -> None:
    await person.bench.config.change(
        model="openai/small", api_base=loopback.base_url, context_window_tokens=8_192, background_model="openai/large"
    )
    await person.say("Hello.")
    sheet = await sheet_of(person)
    size = named(sheet, QSpinBox, "Context size of the model for this conversation")
    assert not size.isVisible(), "that of the settings stands below"
    chosen = named(sheet, QComboBox, "Model for this conversation")
    chosen.setCurrentIndex(chosen.findData("openai/large"))
    assert size.isVisible()
    size.setValue(2_048)
    person.click("Save", sheet)
    await until(lambda: person.current.model_choice.now() == "openai/large", "the model of the conversation")
    await until(lambda: person.bench.settings.context_size("openai/large") == 2_048, "its context size")
    assert person.bench.settings.context_window_tokens == 8_192
    assert (await person.bench.prompts.of_draft(person.key, "Hi")).context_window == 2_048


async def test_escape_and_a_click_beside_it_change_nothing_and_a_slip_loses_nothing(person: Opened) -> None:
    before = person.bench.workspace.paths.config_file.read_bytes()
    sheet = await sheet_of(person)
    QTest.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert is_closed(person)
    sheet = await sheet_of(person)
    named(sheet, QLineEdit, "Server address").setText("http://127.0.0.1:9")
    QTest.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert sheet.isVisible()
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    await rest()
    assert is_closed(person)
    assert person.bench.workspace.paths.config_file.read_bytes() == before


async def test_a_command_that_gives_the_keyboard_to_a_pane_ends_it_unless_something_was_typed(person: Opened) -> None:
    sheet = await sheet_of(person)
    person.current.actions["pane.timeline"].trigger()
    await until(lambda: is_closed(person), "the end of the page")
    sheet = await sheet_of(person)
    address = named(sheet, QLineEdit, "Server address")
    address.setFocus()
    address.setText("http://192.168.1.5:8080")
    for command in ("pane.timeline", "view.layout.edit", "view.layout.chat"):
        person.current.actions[command].trigger()
        await until(address.hasFocus, "the keyboard back in the field")
        await until(lambda: person.window.childAt(5, person.window.height() // 2) is sheet, "the page above the panes")
    sheet.hide()


@pytest.mark.parametrize("way", ["Ctrl+,", "All settings…"])
async def test_the_settings_do_not_open_above_what_was_typed_in_it(person: Opened, way: str) -> None:
    controller = person.current.settings_controller

    def is_open() -> bool:
        return controller.dialog is not None

    sheet = await sheet_of(person)
    named(sheet, QComboBox, "Model").setEditText("openai/small")
    if way == "Ctrl+,":
        person.press(way)
    else:
        person.click(way, sheet)
    await until(lambda: "Save or cancel what you typed" in words_in(person.window), "what is to be done first")
    assert not is_open()
    assert sheet.isVisible()
    assert sheet.model.model_name() == "openai/small"
    person.click("Save", sheet)
    await until(lambda: person.bench.settings.model == "openai/small", "the model")
    person.press("Ctrl+,")
    await until(is_open, "the settings")
    assert controller.dialog is not None
    assert controller.dialog.model.model_name() == "openai/small"
    controller.dialog.reject()


@pytest.mark.parametrize("way", ["Ctrl+,", "All settings…"])
async def test_the_settings_take_its_place_where_nothing_was_typed(person: Opened, way: str) -> None:
    controller = person.current.settings_controller
    sheet = await sheet_of(person)
    if way == "Ctrl+,":
        person.press(way)
    else:
        person.click(way, sheet)
    await until(lambda: controller.dialog is not None, "the settings")
    assert is_closed(person)
    assert controller.dialog is not None
    controller.dialog.reject()


async def test_it_says_of_the_model_of_the_settings_when_that_answers(person: Opened, loopback: LoopbackServer) -> None:
    sheet = await sheet_of(person)
    assert "The model that answers" in labels_of(sheet)
    sheet.hide()
    await person.bench.config.change(model="openai/small", api_base=loopback.base_url, background_model="openai/large")
    again = await sheet_of(person)
    assert again.conversation.isVisible()
    assert "The model that answers where a conversation has none of its own" in labels_of(again)
    again.hide()


async def test_ctrl_m_opens_it_and_tab_goes_round_within_it(person: Opened) -> None:
    person.press("Ctrl+M")
    controller = person.current.settings_controller
    await until(lambda: controller.sheet is not None, "the model's page")
    sheet = controller.sheet
    assert sheet is not None
    reached = list[QWidget]()
    here = person.window.focusWidget()
    while here is not None and here not in reached and len(reached) < 40:
        reached.append(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)
        here = person.window.focusWidget()
    assert here is reached[0]
    assert all(sheet.isAncestorOf(part) for part in reached)
    names = [part.text() for part in reached if isinstance(part, QPushButton)]
    assert names[-3:] == ["All settings…", "Save", "Cancel"]
    QTest.keyClick(reached[0], Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert person.window.focusWidget() is reached[-1]
    sheet.hide()


@pytest.mark.parametrize("size", [(1180, 760), (900, 600), (680, 420)])
async def test_it_stands_within_the_window_and_its_buttons_are_in_sight(person: Opened, size: tuple[int, int]) -> None:
    person.window.resize(*size)
    await rest()
    sheet = await sheet_of(person)
    await rest()
    for each in sheet.findChildren(QPushButton):
        if each.text() in {"Save", "Cancel", "All settings…"}:
            assert person.window.rect().contains(QRect(each.mapTo(person.window, QPoint(0, 0)), each.size()))
    area = sheet.findChild(QScrollArea)
    assert area is not None
    body = area.widget()
    assert body is not None
    assert area.viewport().width() >= body.minimumSizeHint().width()
    sheet.hide()


async def test_the_chip_and_the_page_say_what_they_are(person: Opened) -> None:
    chip = person.composer.model
    assert name_and_role(chip) == (
        "Answers: Built-in. Choose another one",
        QAccessible.Role.Button,
    )
    assert chip.focusPolicy() & Qt.FocusPolicy.TabFocus
    sheet = await sheet_of(person)
    assert sheet.accessibleName() == "Model"
    fields = [*sheet.findChildren(QAbstractSpinBox), *sheet.findChildren(QComboBox), *sheet.findChildren(QPushButton)]
    assert len(fields) > 8
    assert [one for one in fields if not name_and_role(one)[0]] == []
    sheet.hide()


async def test_the_model_of_a_conversation_has_its_price_beside_it(person: Opened) -> None:
    await person.bench.config.change(model="openai/gpt-4o-mini", api_base="")
    sheet = await sheet_of(person)
    chosen = named(sheet, QComboBox, "Model for this conversation")

    def prices() -> list[str]:
        labels = sheet.conversation.findChildren(QLabel)
        return [label.text() for label in labels if label.isVisible() and "million" in label.text()]

    assert prices() == []
    models = [chosen.itemData(row) for row in range(chosen.count())]
    chosen.setCurrentIndex(models.index("openai/gpt-4.1"))
    await until(prices, "what a million tokens cost")
    assert prices()[0].startswith("$")
    # That of the settings has its own page right below.
    chosen.setCurrentIndex(0)
    await until(lambda: not prices(), "no price beside the model of the settings")
    sheet.hide()


async def test_nothing_is_said_of_a_price_where_nothing_is_asked(person: Opened) -> None:
    sheet = await sheet_of(person)
    assert sheet.model.model_name() == "offline"
    assert not sheet.model.test.price.isVisible()
    named(sheet, QComboBox, "Model").setEditText("openai/gpt-4o-mini")
    await until(sheet.model.test.price.isVisible, "what a test costs")
    sheet.hide()


async def test_what_the_server_lists_is_offered_for_this_conversation_at_once(
    person: Opened, loopback: LoopbackServer
) -> None:
    await person.bench.config.change(model="openai/small", api_base=loopback.base_url)
    sheet = await sheet_of(person)
    sheet.model.server.unfold()
    chosen = named(sheet, QComboBox, "Model for this conversation")
    before = chosen.count()
    person.click("List its models", sheet)
    await until(lambda: chosen.findData("openai/large") >= 0, "the other model of the server")
    assert (chosen.count() > before, chosen.currentData(), sheet.conversation.isVisible()) == (True, "", True)
    chosen.setCurrentIndex(chosen.findData("openai/large"))
    person.click("Save", sheet)
    await until(lambda: person.current.model_choice.now() == "openai/large", "the model of the conversation")


async def test_the_button_of_a_test_stays_under_the_pointer(person: Opened, loopback: LoopbackServer) -> None:
    loopback.will(Stall())
    await person.bench.config.change(model="openai/small", api_base=loopback.base_url)
    person.window.resize(1_366, 768)
    sheet = await sheet_of(person)
    sheet.model.server.unfold()
    await until(lambda: "on a server of this computer" in words_in(sheet), "what it costs")
    await rest()
    test = sheet.model.test
    place = test.button.mapTo(sheet, QPoint())
    person.click("Test", sheet)
    await until(
        lambda: test.height() > 80 and test.visibleRegion().boundingRect() == test.rect(), "room for what is to come"
    )
    await rest()
    assert test.button.mapTo(sheet, QPoint()) == place
    sheet.hide()


async def test_each_line_of_a_test_comes_into_sight_where_the_sheet_has_no_room_for_all_until_one_scrolls(
    person: Opened, loopback: LoopbackServer
) -> None:
    person.window.resize(1_000, 560)
    sheet = await sheet_of(person)
    await see_a_model_tested(person, sheet, loopback)
    test = sheet.model.test
    (bar,) = (area.verticalScrollBar() for area in sheet.findChildren(QScrollArea))
    bar.triggerAction(bar.SliderAction.SliderToMinimum)
    most = bar.maximum()
    test.show_context(4_096)
    await until(lambda: bar.maximum() > most, "room for one line more")
    await rest()
    assert bar.value() == 0
    sheet.hide()


async def test_a_file_that_is_a_model_is_named_without_its_folders_among_the_choices(
    person: Opened, loopback: LoopbackServer
) -> None:
    settings = {"model": "openai//models/small.gguf", "background_model": "openai//models/tiny.gguf"}
    await person.bench.config.change(**settings, api_base=loopback.base_url)
    chosen = named(await sheet_of(person), QComboBox, "Model for this conversation")
    words = [chosen.itemText(row) for row in range(chosen.count())]
    assert words[0] == "As in the settings: small.gguf"
    assert "tiny.gguf" in words


async def test_a_list_of_models_that_is_open_is_not_filled_anew_while_they_arrive(
    person: Opened, loopback: LoopbackServer
) -> None:
    sheet = await sheet_of(person)
    name = named(sheet, QComboBox, "Model")
    named(sheet, QLineEdit, "Server address").setText(loopback.base_url)
    before = [name.itemText(row) for row in range(name.count())]
    assert "large" not in before
    person.click("List its models", sheet)
    name.showPopup()
    await until(lambda: "2 models at this server" in words_in(sheet), "the models")
    await rest()
    assert [name.itemText(row) for row in range(name.count())] == before
    assert name.view().isVisible()
    name.hidePopup()
    await until(lambda: name.findText("large") >= 0, "the models in the list")
    sheet.hide()


async def test_header_composer_and_list_call_a_model_by_one_name_and_say_it_in_full_on_hover(
    person: Opened, loopback: LoopbackServer
) -> None:
    settings = {"model": "openai/org/small", "background_model": "openai/org/tiny", "dream_model": "groq/tiny"}
    await person.bench.config.change(**settings, api_base=loopback.base_url)
    person.window.resize(1_800, 900)
    person.current.header.show_model()
    header, chip = person.window.header._model, person.composer.model
    await until(lambda: chip.text() == "small", "the name at the message field")
    assert header.text().strip() == "small"
    for mark in (header, chip):
        assert "openai/org/small" in mark.toolTip()
    labels = person.current.conversation.models.offered()
    assert [label for _, label in labels[:3]] == ["small", "openai/org/tiny", "groq/tiny"]


async def test_where_a_model_is_set_up_its_name_stands_alone_and_the_rest_is_a_key_away(
    person: Opened, loopback: LoopbackServer
) -> None:
    await person.bench.config.change(model="openai/small", api_base=loopback.base_url)
    sheet = await sheet_of(person)
    address, key = named(sheet, QLineEdit, "Server address"), named(sheet, QLineEdit, "Key")
    context = named(sheet, QSpinBox, "Context size")
    behind = (address, key, sheet.model.test.button, context)
    await rest()
    assert not [each for each in behind if each.isVisible()]
    assert loopback.base_url in words_in(sheet)
    folded = sheet.findChild(QScrollArea)
    assert folded is not None
    height = folded.height()
    sheet.model.server.button.setFocus()
    QTest.keyClick(sheet.model.server.button, Qt.Key.Key_Space)
    await until(lambda: all(each.isVisible() for each in behind), "the rest")
    await until(lambda: folded.height() > height, "room for it")
    assert person.window.focusWidget() is sheet.model.server.button
    sheet.hide()


async def test_a_key_that_is_missing_is_asked_for_in_sight(person: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    await person.bench.config.change(model="openai/gpt-4o-mini", api_base="")
    sheet = await sheet_of(person)
    key = named(sheet, QLineEdit, "Key")
    await until(key.isVisible, "the field for the key")
    await until(lambda: "This model needs a key." in words_in(sheet), "why")
    sheet.hide()


async def test_after_a_refused_key_its_field_is_in_sight_with_the_keyboard(
    person: Opened, loopback: LoopbackServer
) -> None:
    loopback.will(Refuse(401, "no such key"))
    await person.bench.config.change(model="openai/small", api_base=loopback.base_url)
    await person.say("Hello.")
    await until(lambda: button(person.window.chat, "Choose model…"), "what may be done about it")
    person.click("Choose model…", person.window.chat)
    controller = person.current.settings_controller
    await until(lambda: controller.sheet is not None, "the model's page")
    sheet = controller.sheet
    assert sheet is not None
    key = named(sheet, QLineEdit, "Key")
    await until(lambda: key.hasFocus() and key.visibleRegion().boundingRect() == key.rect(), "the key's field")
    sheet.hide()


async def test_an_address_that_was_typed_is_kept_while_the_keyboard_goes_over_other_models(person: Opened) -> None:
    sheet = await sheet_of(person)
    name, address = named(sheet, QComboBox, "Model"), named(sheet, QLineEdit, "Server address")
    QTest.keyClicks(address, "http://127.0.0.1:9")
    QTest.keyClick(name, Qt.Key.Key_Down)
    assert sheet.model.model_name() != "offline"
    assert address.text() == ""
    QTest.keyClicks(address, "http://127.0.0.1:10")
    QTest.keyClick(name, Qt.Key.Key_Up)
    assert sheet.model.model_name() == "offline"
    assert address.text() == "", "what another model asks in the background would go there"
    QTest.keyClick(name, Qt.Key.Key_Down)
    assert address.text() == "http://127.0.0.1:10"
    name.lineEdit().selectAll()
    QTest.keyClicks(name.lineEdit(), "openai/mine")
    address.selectAll()
    QTest.keyClicks(address, "http://127.0.0.1:11")
    name.setCurrentIndex(2)
    name.activated.emit(2)
    assert address.text() not in {"http://127.0.0.1:10", "http://127.0.0.1:11"}
    name.lineEdit().selectAll()
    QTest.keyClicks(name.lineEdit(), "openai/mine")
    assert address.text() == "http://127.0.0.1:11"
    sheet.hide()


async def test_a_row_that_is_chosen_has_its_own_address_whatever_was_typed_for_the_same_name(person: Opened) -> None:
    sheet = await sheet_of(person)
    name, address = named(sheet, QComboBox, "Model"), named(sheet, QLineEdit, "Server address")
    name.lineEdit().selectAll()
    QTest.keyClicks(name.lineEdit(), "openai/mine")
    QTest.keyClicks(address, "http://127.0.0.1:11")
    row = ModelChoice("openai/mine", "mine (new.example)", "openai", True, False, "http://new.example/v1")
    name.addItem(row.label, row)
    name.setCurrentIndex(name.count() - 1)
    name.activated.emit(name.count() - 1)
    assert (sheet.model.model_name(), address.text()) == ("openai/mine", "http://new.example/v1")
    address.selectAll()
    QTest.keyClick(address, Qt.Key.Key_Delete)
    name.activated.emit(name.count() - 1)
    assert address.text() == "http://new.example/v1", "a cleared field is none that was typed"
    sheet.hide()


async def test_a_typed_key_goes_to_no_other_provider_or_server(person: Opened, loopback: LoopbackServer) -> None:
    sheet = await sheet_of(person)
    name, key = named(sheet, QComboBox, "Model"), named(sheet, QLineEdit, "Key")
    address = named(sheet, QLineEdit, "Server address")
    name.setEditText("openai/gpt-4o")
    QTest.keyClicks(key, "sk-first")
    name.setEditText("anthropic/claude-sonnet-4-5")
    assert key.text() == "", "it would be kept for another provider"
    QTest.keyClicks(key, "sk-second")
    name.setEditText("openai/gpt-4o-mini")
    assert key.text() == "sk-first", "the provider is the same"
    row = ModelChoice("openai/mine", "mine (new.example)", "openai", True, False, "http://new.example/v1")
    name.addItem(row.label, row)
    name.setCurrentIndex(name.count() - 1)
    name.activated.emit(name.count() - 1)
    assert (address.text(), key.text()) == ("http://new.example/v1", "")
    QTest.keyClicks(key, "sk-third")
    QTest.keyClick(address, Qt.Key.Key_Backspace)
    assert key.text() == "sk-third", "the address of the row is corrected"
    name.setCurrentIndex(name.findText("Built-in", Qt.MatchFlag.MatchStartsWith))
    name.activated.emit(name.currentIndex())
    assert key.text() == ""
    address.clear()
    name.setEditText("anthropic/claude-sonnet-4-5")
    kept: list[KeyEntered] = []
    sheet.key_entered.connect(kept.append)
    person.click("Save", sheet)
    await until(lambda: is_closed(person), "the settings")
    assert [(one.model, one.key) for one in kept] == [("anthropic/claude-sonnet-4-5", "sk-second")]


async def test_a_key_is_not_taken_along_where_an_address_is_typed_or_cleared(
    person: Opened, loopback: LoopbackServer
) -> None:
    sheet = await sheet_of(person)
    name, key = named(sheet, QComboBox, "Model"), named(sheet, QLineEdit, "Key")
    address = named(sheet, QLineEdit, "Server address")
    name.setEditText("openai/gpt-4o")
    QTest.keyClicks(key, "sk-provider")
    QTest.keyClicks(address, "http://openai")
    assert key.text() == "", "it is the provider's, and not that of a server with its name"
    QTest.keyClicks(address, ".example/v1")
    QTest.keyClicks(key, "sk-server")
    address.selectAll()
    QTest.keyClick(address, Qt.Key.Key_Delete)
    assert key.text() == "sk-provider", "without an address the provider is asked"
    sheet.hide()


async def test_the_key_that_lists_the_models_of_a_server_is_there_once_one_of_them_is_chosen(
    person: Opened, loopback: LoopbackServer
) -> None:
    sheet = await sheet_of(person)
    name, key = named(sheet, QComboBox, "Model"), named(sheet, QLineEdit, "Key")
    named(sheet, QLineEdit, "Server address").setText(loopback.base_url)
    QTest.keyClicks(key, "sk-typed")
    person.click("List its models", sheet)
    await until(lambda: "2 models at this server" in words_in(sheet), "the models")
    name.setCurrentIndex(name.findText("large"))
    name.activated.emit(name.currentIndex())
    assert key.text() == "sk-typed"
    sheet.hide()
