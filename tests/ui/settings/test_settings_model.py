"""The page of the model: a server is asked only by a press, what it says is shown, and closing stops the asking."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLabel, QLineEdit, QPushButton, QScrollArea, QSpinBox

from mnemoscope.agent.tasks.spending import Purpose
from mnemoscope.agent.workspace.model_choice import KeyState
from mnemoscope.domain.llm import EmbeddedTexts, LLMResponse
from mnemoscope.llm.model_check import Ability, TrialFinding, TrialOutcome
from mnemoscope.llm.router import TypedModel
from mnemoscope.ui.settings.model_sheet import ModelSheet
from mnemoscope.ui.settings.section import scroll_area_of
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from tests.llm.model_process.test_inquiry import SERVERS, serving
from tests.support.loopback_server import Answer, Call, LoopbackServer, Refuse, Stall
from tests.ui.settings.test_settings_dream import named, opened, saved
from tests.ui.window_fixture import Opened, press, rest, until, words_in


async def test_a_typed_address_lists_its_models_and_one_is_chosen_and_set(
    person: Opened, loopback: LoopbackServer
) -> None:
    dialog = await opened(person)
    name, address = named(dialog, QComboBox, "Model"), named(dialog, QLineEdit, "Server address")
    listing = next(one for one in dialog.findChildren(QPushButton) if one.text() == "List its models")
    assert not listing.isEnabled()
    address.setText(loopback.base_url)
    assert not loopback.visits
    listing.setFocus()
    press(listing, "Space")
    press(listing, "Space")
    assert "Looking…" in words_in(dialog)
    assert dialog.focusWidget() is listing, "the keyboard is not lost while the server is asked"
    await until(lambda: "2 models at this server" in words_in(dialog), "the models")
    assert len(loopback.listed) == 1
    assert dialog.focusWidget() == name
    name.setCurrentIndex(name.findText("large"))
    named(dialog, QSpinBox, "Context size").setValue(4_096)
    named(dialog, QSpinBox, "Longest answer").setValue(700)
    named(dialog, QDoubleSpinBox, "Temperature").setValue(0.7)
    named(dialog, QComboBox, "Model in the background").setEditText("openai/small")
    named(dialog, QDoubleSpinBox, "Daily limit").setValue(2.5)
    document = await saved(person, dialog)
    assert document["mnemoscope"]["apiBase"] == loopback.base_url
    assert document["mnemoscope"]["backgroundModel"] == "openai/small"
    # What the settings name is offered for an answer, whatever the server listed. They are in force a moment after they
    # were written.
    await until(lambda: "openai/small" in dict(person.current.conversation.models.offered()), "the settings in force")
    assert document["mnemoscope"]["spendingLimit"] == 2.5
    defaults = document["agents"]["defaults"]
    assert (defaults["model"], defaults["contextWindowTokens"]) == ("openai/large", 4_096)
    assert (defaults["maxTokens"], defaults["temperature"]) == (700, 0.7)


async def see_a_model_tested(person: Opened, page: SettingsDialog | ModelSheet, loopback: LoopbackServer) -> None:
    """Tests a model by a press and waits until the last finding is in sight."""
    loopback.will(Answer("one two"), Answer("No."), Answer("Fine."), Refuse(400, "no images"))
    named(page, QComboBox, "Model").setEditText("openai/small")
    named(page, QLineEdit, "Server address").setText(loopback.base_url)
    test = page.model.test
    for area in page.findChildren(QScrollArea):
        area.ensureWidgetVisible(test.button)
    person.click("Test", page)
    await until(lambda: test.words() and not test.is_running, "the findings")
    last = test.findChildren(QLabel)[-1]
    await until(lambda: last.visibleRegion().boundingRect() == last.rect(), "the last line in sight")


async def test_the_last_line_of_a_test_and_of_a_list_of_models_is_in_sight(
    person: Opened, loopback: LoopbackServer
) -> None:
    dialog = await opened(person)
    dialog.resize(700, 320)
    await see_a_model_tested(person, dialog, loopback)
    dialog.reject()


async def test_the_button_of_a_test_and_all_its_findings_are_in_sight_at_once_on_the_smallest_screen(
    person: Opened, loopback: LoopbackServer
) -> None:
    dialog = await opened(person)
    # What a screen of 683 by 384 leaves within the frame of a window.
    dialog.resize(635, 344)
    assert dialog.height() == 344
    await see_a_model_tested(person, dialog, loopback)
    test = dialog.model.test
    await until(lambda: test.visibleRegion().boundingRect() == test.rect(), "all findings")
    for above in (test.button, test.price):
        assert above.visibleRegion().boundingRect() == above.rect()
    dialog.reject()


async def test_a_price_that_is_looked_up_is_not_said_to_be_unknown(person: Opened, loopback: LoopbackServer) -> None:
    dialog = await opened(person)
    name = named(dialog, QComboBox, "Model")
    name.setEditText("openai/gpt-4o-mini")
    assert "looking up the price…" in words_in(dialog)
    await until(lambda: "at most" in words_in(dialog), "the price")
    assert "for a million tokens that are sent" in words_in(dialog.model)
    name.setEditText("openai/nobody-knows-it")
    assert "looking up the price…" in words_in(dialog)
    assert "for a million tokens that are sent" not in words_in(dialog.model), "the price of the model before"
    await until(lambda: "the price is not known" in words_in(dialog), "that there is none")
    dialog.reject()


async def test_no_button_moves_while_lines_come(person: Opened, loopback: LoopbackServer) -> None:
    await person.bench.config.change(model="openai/nobody-knows-it")
    dialog = await opened(person)
    dialog.resize(780, 720)
    buttons = {each.text(): each for each in dialog.model.findChildren(QPushButton)}

    def places() -> dict[str, int]:
        return {words: each.mapTo(dialog, QPoint()).y() for words, each in buttons.items()}

    await rest()
    before = places()
    named(dialog, QComboBox, "Model").setEditText("openai/gpt-4o-mini")
    await until(lambda: "for a million tokens that are sent" in words_in(dialog.model), "the price")
    assert places() == before
    named(dialog, QLineEdit, "Server address").setText(loopback.base_url)
    buttons["List its models"].click()
    await until(lambda: "2 models at this server" in words_in(dialog), "the models")
    assert places() == before
    buttons["Ask the server"].click()
    assert places() == before
    await until(lambda: dialog.model.context.note.text() not in {"", "Asking…"}, "what the server says")
    await rest()
    above = {words: place for words, place in before.items() if words != "Test"}
    assert {words: places()[words] for words in above} == above, "a long answer takes more lines below it alone"
    dialog.reject()


async def test_the_button_of_a_test_stands_still_while_lines_come(person: Opened, loopback: LoopbackServer) -> None:
    dialog = await opened(person)
    dialog.resize(780, 400)
    named(dialog, QComboBox, "Model").setEditText("openai/small")
    test = dialog.model.test
    area = scroll_area_of(test)
    assert area is not None
    area.ensureWidgetVisible(test.button)
    dialog.model.server.show_row(test, True)
    test.begin()
    await until(
        lambda: test.height() > 80 and test.visibleRegion().boundingRect() == test.rect(), "room for what is to come"
    )
    place, height = test.button.mapTo(dialog, QPoint()).y(), test.height()
    for ability in Ability:
        test.show_finding(TrialFinding(ability, TrialOutcome.YES))
        label = test.findChildren(QLabel)[-1]
        await until(label.isVisible, "the line")
        assert (test.button.mapTo(dialog, QPoint()).y(), test.height()) == (place, height)
    test.begin()
    test.end("Nobody answered.")
    await until(lambda: test.height() < height, "no gap where nothing more comes")
    dialog.reject()


async def test_the_button_of_a_test_stays_under_the_pointer_and_the_lines_come_below_it_one_by_one(
    person: Opened, loopback: LoopbackServer
) -> None:
    loopback.will(Stall())
    await person.bench.config.change(model="openai/small", api_base=loopback.base_url)
    dialog = await opened(person)
    dialog.resize(780, 680)
    test = dialog.model.test
    await until(lambda: "on a server of this computer" in words_in(dialog), "what it costs")
    await rest()
    place = test.button.mapTo(dialog, QPoint()).y()
    person.click("Test", dialog)
    await until(
        lambda: test.height() > 80 and test.visibleRegion().boundingRect() == test.rect(), "room for what is to come"
    )
    await rest()
    assert test.button.mapTo(dialog, QPoint()).y() == place
    tops = []
    for ability in (Ability.ANSWERS, Ability.STREAMS):
        test.show_finding(TrialFinding(ability, TrialOutcome.YES))
        line = test.findChildren(QLabel)[-1]
        await until(line.isVisible, "the line")
        await rest()
        tops.append(line.y())
    assert tops[0] == 0
    assert tops[1] < 2 * line.height(), "the room that is kept lies below the lines"
    dialog.reject()


async def test_what_was_said_of_another_model_or_server_goes_with_it(person: Opened, loopback: LoopbackServer) -> None:
    loopback.will(Stall())
    dialog = await opened(person)
    name, address = named(dialog, QComboBox, "Model"), named(dialog, QLineEdit, "Server address")
    name.setEditText("openai/small")
    address.setText(loopback.base_url)
    person.click("List its models", dialog)
    await until(lambda: "2 models at this server" in words_in(dialog), "the models")
    test = dialog.model.test
    person.click("Test", dialog)
    await until(lambda: loopback.visits, "a test that goes on")
    name.setEditText("openai/other")
    assert not test.is_running
    assert test.button.text() == "Test"
    assert not test.isVisible()
    assert "2 models at this server" in words_in(dialog), "the server is the same"
    address.setText("http://127.0.0.1:9/v1")
    assert "2 models at this server" not in words_in(dialog)
    dialog.model.models_listed(loopback.base_url, 2)
    assert "2 models at this server" not in words_in(dialog), "what comes late of another server"
    await rest()
    assert test.words() == [], "a test that was dropped is not said to be stopped"
    dialog.reject()


async def test_a_test_says_what_it_costs_and_then_what_the_model_can_do(
    person: Opened, loopback: LoopbackServer
) -> None:
    dialog = await opened(person)
    call = Call("note_colour", '{"colour": "green"}')
    loopback.will(Answer("one two"), Answer(calls=(call,)), Answer("Fine."), Refuse(400, "no images"))
    named(dialog, QComboBox, "Model").setEditText("openai/small")
    named(dialog, QLineEdit, "Server address").setText(loopback.base_url)
    assert not loopback.visits
    await until(lambda: "on a server of this computer" in words_in(dialog), "the price")
    person.click("Test", dialog)
    test = dialog.model.test
    await until(lambda: test.words() and not test.is_running, "the findings")
    assert test.words() == [
        "Answers.",
        "Streams: words are shown as they come.",
        "Calls tools.",
        "Does not keep to a schema; memory asks it in another way.",
        "Takes no images.",
        "Its context is not told.",
    ]
    assert [one.path for one in loopback.asked].count("/v1/chat/completions") == 4
    dialog.reject()


async def test_the_model_in_the_background_has_its_price_below_it(person: Opened) -> None:
    dialog = await opened(person)
    named(dialog, QLineEdit, "Server address").setText("")
    named(dialog, QComboBox, "Model").setEditText("offline")
    dialog.pages.show_section(dialog.background)
    named(dialog, QComboBox, "Model in the background").setEditText("openai/gpt-4o-mini")
    await until(lambda: "15 ¢ for a million tokens that are sent" in words_in(dialog), "what it costs")
    named(dialog, QComboBox, "Model in the background").setEditText("openai/nobody-knows")
    await until(lambda: "a million tokens" not in words_in(dialog), "no price where none is known")
    dialog.reject()


async def test_what_models_cost_today_stands_in_the_status(person: Opened) -> None:
    status = person.window.status
    await person.bench.spending.add(Purpose.CHAT, LLMResponse("Yes.", usage={"total_tokens": 12_000}, cost=0.021))
    await until(lambda: "Today: 2.1 ¢" in words_in(status), "what it cost")


async def test_what_is_embedded_at_no_known_price_is_said_in_the_status(person: Opened) -> None:
    status, spending = person.window.status, person.bench.spending
    for _ in range(2):
        spending.add_embedded(Purpose.BACKGROUND, EmbeddedTexts(tokens=900))
    await until(lambda: "Today: unknown" in words_in(status), "that it is not known")
    spending.add_embedded(Purpose.BACKGROUND, EmbeddedTexts(tokens=900, cost=0.002))
    await until(lambda: "Today: 0.2 ¢" in words_in(status), "what it cost")
    [shown] = [label for label in status.findChildren(QLabel) if label.text() == "Today: 0.2 ¢"]
    assert "0.2 ¢ in the background" in shown.toolTip()
    assert "The search by meaning made 2 requests whose price is not known" in shown.toolTip()


async def test_the_model_that_embeds_has_its_price_below_it(person: Opened) -> None:
    dialog = await opened(person, "notes")
    named(dialog, QLineEdit, "Server address").setText("")
    box = named(dialog, QComboBox, "Search by meaning")
    box.setEditText("openai/text-embedding-3-small")
    await until(lambda: "2 ¢ for a million tokens that are sent." in words_in(dialog.notes), "what it costs")
    box.setEditText("openai/nobody-knows")
    await until(lambda: "What it costs is not known" in words_in(dialog.notes), "that it is not known")
    box.setEditText("ollama/nomic-embed-text")
    await until(lambda: "costs" not in words_in(dialog.notes), "nothing of a server on this computer")
    dialog.reject()


async def test_a_model_that_is_chosen_at_its_server_is_not_said_to_need_a_key(
    person: Opened, loopback: LoopbackServer
) -> None:
    dialog = await opened(person)
    name, address = named(dialog, QComboBox, "Model"), named(dialog, QLineEdit, "Server address")
    address.setText(loopback.base_url)
    person.click("List its models", dialog)
    await until(lambda: "2 models at this server" in words_in(dialog), "the models")
    address.clear()
    name.setEditText("openai/gpt-4o-mini")
    await until(lambda: "This model needs a key." in words_in(dialog), "that it needs a key")
    at = name.findText("large")
    name.setCurrentIndex(at)
    name.activated.emit(at)
    assert address.text() == loopback.base_url
    await until(lambda: "This model needs a key." not in words_in(dialog), "that it needs none")
    # What was asked of a name that was typed before may be answered last.
    dialog.model.show_key_status("openai/gpt-4o", "", KeyState(needed=True, origin="", can_keep=False))
    assert "This model needs a key." not in words_in(dialog)
    dialog.reject()


async def test_closing_the_dialog_ends_a_test(person: Opened, loopback: LoopbackServer) -> None:
    dialog = await opened(person)
    loopback.will(Stall())
    named(dialog, QComboBox, "Model").setEditText("openai/small")
    named(dialog, QLineEdit, "Server address").setText(loopback.base_url)
    person.click("Test", dialog)
    await until(lambda: bool(loopback.asked), "the request")
    dialog.reject()
    await until(loopback.left.is_set, "the request given up")


@pytest.mark.parametrize(
    ("kind", "field", "words"),
    [
        ("Ollama with num_ctx", 8_192, "The server gives this model 8,192 tokens."),
        ("Ollama without", 0, "The model can hold 131,072 tokens. How many its server gives it is not told"),
        ("one that does not say", 0, "The server does not tell how much this model reads."),
        # How each kind of server tells it is tried in tests/llm/model_process.
        pytest.param("llama.cpp", 4_096, "The server gives this model 4,096 tokens.", marks=pytest.mark.long),
        pytest.param("LM Studio", 4_096, "The server gives this model 4,096 tokens.", marks=pytest.mark.long),
        pytest.param("litellm's proxy", 200_000, "The server gives this model 200,000 tokens.", marks=pytest.mark.long),
    ],
)
async def test_the_context_is_asked_of_the_server_and_can_be_changed(
    person: Opened, kind: str, field: int, words: str
) -> None:
    dialog = await opened(person)
    named(dialog, QComboBox, "Model").setEditText("openai/m")
    with serving(SERVERS[kind][0]) as server:
        named(dialog, QLineEdit, "Server address").setText(server.address)
        assert server.asked == []
        person.click("Ask the server", dialog)
        await until(lambda: words in words_in(dialog), "what the server says")
    size = named(dialog, QSpinBox, "Context size")
    assert size.value() == field
    size.setValue(3_000)
    document = await saved(person, dialog)
    assert document["agents"]["defaults"]["contextWindowTokens"] == 3_000


async def test_the_context_of_one_model_is_not_kept_for_another_that_is_chosen(person: Opened) -> None:
    dialog = await opened(person)
    name, size = named(dialog, QComboBox, "Model"), named(dialog, QSpinBox, "Context size")
    rows = [row for row in range(name.count()) if name.itemText(row).startswith("OpenAI")]

    def choose(row: int) -> None:
        name.setCurrentIndex(row)
        name.activated.emit(row)

    choose(rows[0])
    size.setValue(2_048)
    choose(rows[0])
    assert size.value() == 2_048, "the same one once more"
    choose(rows[1])
    assert size.value() == 0
    choose(rows[0])
    assert size.value() == 2_048, "what was typed for it"
    dialog.reject()


async def test_the_context_of_one_model_is_not_kept_for_another_whose_name_is_typed(person: Opened) -> None:
    await person.bench.config.change(model="openai/one", api_base="http://127.0.0.1:9", context_window_tokens=8_192)
    dialog = await opened(person)
    name, size = named(dialog, QComboBox, "Model"), named(dialog, QSpinBox, "Context size")
    address = named(dialog, QLineEdit, "Server address")
    assert size.value() == 8_192
    name.setEditText("openai/other")
    assert size.value() == 0
    size.setValue(3_000)
    name.setEditText("openai/one")
    assert size.value() == 8_192, "what is set for it"
    name.setEditText("openai/other")
    assert size.value() == 3_000, "what was typed for it"
    QTest.keyClicks(address, "9")
    assert size.value() == 3_000, "also at an address that is corrected"
    document = await saved(person, dialog)
    defaults = document["agents"]["defaults"]
    assert (defaults["model"], defaults["contextWindowTokens"]) == ("openai/other", 3_000)


async def test_each_model_of_the_settings_has_a_context_size_of_its_own(
    person: Opened, loopback: LoopbackServer
) -> None:
    await person.bench.config.change(model="openai/one", api_base=loopback.base_url, context_window_tokens=8_192)
    dialog = await opened(person)
    dialog.pages.show_section(dialog.background)
    size = named(dialog, QSpinBox, "Context size of the model in the background")
    background = named(dialog, QComboBox, "Model in the background")
    for_dream = named(dialog, QSpinBox, "Context size of the model for Dream")
    assert not size.isVisibleTo(dialog), "the model that answers works in the background"
    background.setEditText("openai/one")
    assert not size.isVisibleTo(dialog), "its size stands above"
    background.setEditText("openai/small")
    assert size.isVisibleTo(dialog)
    assert size.value() == 0
    with serving(SERVERS["llama.cpp"][0]) as server:
        named(dialog, QLineEdit, "Server address").setText(server.address)
        button = dialog.background.context.ask
        assert button.accessibleDescription() == "Context size of the model in the background"
        button.click()
        await until(lambda: size.value() > 0, "what the server says")
    named(dialog, QLineEdit, "Server address").setText(loopback.base_url)
    assert size.value() == 0, "the model of another server is another one"
    size.setValue(4_096)
    named(dialog, QComboBox, "Model for Dream").setEditText("openai/dreams")
    for_dream.setValue(2_048)
    document = await saved(person, dialog)
    address = loopback.base_url
    assert document["agents"]["defaults"]["contextWindowTokens"] == 8_192
    assert sorted(document["mnemoscope"]["contextSizes"], key=lambda each: each["model"]) == [
        {"model": "openai/dreams", "apiBase": address, "tokens": 2_048},
        {"model": "openai/small", "apiBase": address, "tokens": 4_096},
    ]
    models = person.current.settings_controller._models.router
    await until(lambda: models.context_window("openai/small") == 4_096, "the settings in force")
    assert models.context_window("openai/dreams") == 2_048
    again = await opened(person)
    assert named(again, QSpinBox, "Context size of the model in the background").value() == 4_096
    again.reject()


async def test_what_is_said_of_a_context_comes_into_sight_as_a_whole(person: Opened) -> None:
    await person.bench.config.change(model="openai/one", background_model="openai/two")
    dialog = await opened(person)
    dialog.resize(780, 320)
    dialog.pages.show_section(dialog.background)
    context = dialog.background.context
    scroll_to = scroll_area_of(context)
    assert scroll_to is not None
    scroll_to.ensureWidgetVisible(context)
    dialog.background.form.setRowVisible(context.note, True)
    context.show_answer(TypedModel("openai/two"), 0, 0, "It was not asked, and here is why at length. " * 6)
    note = context.note
    await until(lambda: note.height() > 3 * note.fontMetrics().height(), "several lines")
    await until(lambda: note.visibleRegion().boundingRect() == note.rect(), "all that is said")
    dialog.reject()


async def test_of_two_models_with_the_same_context_size_each_keeps_it(person: Opened) -> None:
    await person.bench.config.change(model="openai/one", context_window_tokens=8_192)
    dialog = await opened(person)
    named(dialog, QComboBox, "Model").setEditText("openai/two")
    named(dialog, QSpinBox, "Context size").setValue(8_192)
    document = await saved(person, dialog)
    assert document["agents"]["defaults"]["contextWindowTokens"] == 8_192
    assert document["mnemoscope"]["contextSizes"] == [{"model": "openai/one", "apiBase": "", "tokens": 8_192}]


async def test_what_a_server_says_late_of_another_model_is_passed_over(person: Opened) -> None:
    dialog = await opened(person)
    name, size = named(dialog, QComboBox, "Model"), named(dialog, QSpinBox, "Context size")
    name.setEditText("openai/slow")
    asked = dialog.model.typed()
    name.setEditText("openai/other")
    dialog.model.context.show_answer(asked, 4_096, 0)
    assert size.value() == 0
    dialog.model.context.show_answer(dialog.model.typed(), 2_048, 0)
    assert size.value() == 2_048
    dialog.reject()


@pytest.mark.parametrize(
    ("model", "field", "words"),
    [
        ("openai/gpt-4o-mini", 128_000, "The model reads 128,000 tokens by the table of models; nobody was asked."),
        ("openai/nobody-knows", 0, "The table of models does not say how much this model reads."),
    ],
)
async def test_without_an_address_the_context_is_that_of_the_table(
    person: Opened, loopback: LoopbackServer, model: str, field: int, words: str
) -> None:
    dialog = await opened(person)
    named(dialog, QComboBox, "Model").setEditText(model)
    person.click("Ask the server", dialog)
    await until(lambda: words in words_in(dialog), "what is known")
    assert named(dialog, QSpinBox, "Context size").value() == field
    assert loopback.visits == 0
    dialog.reject()


async def test_a_server_that_refuses_is_said_in_a_sentence(person: Opened) -> None:
    dialog = await opened(person)
    named(dialog, QComboBox, "Model").setEditText("openai/small")
    named(dialog, QLineEdit, "Server address").setText("http://127.0.0.1:9")
    person.click("Ask the server", dialog)
    await until(lambda: "An error" in words_in(dialog) or "No answer" in words_in(dialog), "what went wrong")
    person.click("Test", dialog)
    await until(lambda: dialog.model.test.words() and not dialog.model.test.is_running, "that it failed")
    assert len(dialog.model.test.words()) == 1
    dialog.reject()
