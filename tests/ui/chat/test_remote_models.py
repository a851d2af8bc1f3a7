"""A remote model that fails, over real HTTP: one sentence, one action, the person's words kept, the next try works."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

from mnemoscope.llm.model_process.process import ModelProcess
from mnemoscope.llm.remote import Connection, RequestLimits
from mnemoscope.ui.chat.composer.state_chips import ModelChip
from mnemoscope.ui.chat.message_actions import AnswerByAnother, EditMessage
from tests.support.loopback_server import Answer, Call, Cut, LoopbackServer, Refuse, Stall
from tests.support.shared_models import SharedModels
from tests.ui.chat.answer_receipt.test_answer_receipt import answer_receipt_of
from tests.ui.window_fixture import Opened, Stage, button, messages_on_disk, sentences, until

MODEL = "openai/scripted"
LIMITS = RequestLimits(silence_seconds=600, tries=1, longest_wait=0.1)
"""A busy machine may keep a server in this very process from saying anything for long: that is no silence."""
IMPATIENT = replace(LIMITS, idle_seconds=3, local_patience=1)
"""For a server that says nothing more."""


@pytest.fixture(scope="module")
def loopback() -> Iterator[LoopbackServer]:
    with LoopbackServer(models=("scripted", "small")) as server:
        yield server


@pytest.fixture
async def person(
    stage: Stage, loopback: LoopbackServer, model_process: ModelProcess, request: pytest.FixtureRequest
) -> Opened:
    loopback.will()
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    settings = {"agents": {"defaults": {"model": MODEL}}, "mnemoscope": {"apiBase": loopback.base_url}}
    stage.paths.config_file.write_text(json.dumps(settings), "utf-8")
    stalls = request.node.name.endswith(("[a stall]", "[no answer at all]"))
    limits = IMPATIENT if stalls else LIMITS
    remote = SharedModels(lambda _: Connection(loopback.base_url, "test"), limits=limits, process=model_process)
    return await stage.open(remote=remote)


def offered() -> dict[str, QAction]:
    """Returns the lines of the menu that is open."""
    menu = QApplication.activePopupWidget()
    return {action.text(): action for action in menu.actions()} if isinstance(menu, QMenu) else {}


def take(action: QAction) -> None:
    """Chooses a line of the menu that is open."""
    action.trigger()
    menu = QApplication.activePopupWidget()
    assert menu is not None
    menu.close()


async def test_the_models_of_the_server_are_listed_where_one_is_chosen_for_the_conversation(
    stage: Stage, person: Opened
) -> None:
    person.current.model_choice.offer()
    assert "small" not in " ".join(offered())
    take(offered()["List the models of this server"])
    await until(lambda: "small" in " ".join(offered()), "the models of the server")
    assert "List the models of this server" not in offered()
    take(next(action for name, action in offered().items() if "small" in name))
    await until(lambda: person.current.model_choice.now() == "openai/small", "the choice")


async def test_the_models_of_the_server_are_listed_where_another_is_to_answer(
    stage: Stage, person: Opened, loopback: LoopbackServer
) -> None:
    asked = len(loopback.listed)
    person.transcript.message_actions.run(AnswerByAnother(1))
    assert "small" not in " ".join(offered())
    assert len(loopback.listed) == asked
    take(offered()["List the models of this server"])
    await until(lambda: "small" in " ".join(offered()), "the models of the server")
    assert "List the models of this server" not in offered()
    assert [name.startswith("Built-in") for name in offered()] == [False, False, True], "the one that is no model last"
    loopback.will(Answer("Said by small."))
    take(next(action for name, action in offered().items() if "small" in name))
    await until(lambda: "Said by small." in person.text, "its answer")
    await person.answered()
    assert messages_on_disk(stage.root)[-1]["model"] == "openai/small"


TOO_LONG = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens."
FAILURES: dict[str, tuple[Any, str, str, tuple[str, ...]]] = {
    "401": (Refuse(401), "key", "Choose model…", ()),
    "404": (Refuse(404, code="model_not_found"), "model", "Choose model…", ()),
    "429": (Refuse(429, retry_after=60), "wait", "Try again", ()),
    "500": (Refuse(500), "server", "Try again", ()),
    "too long": (Refuse(400, TOO_LONG, code="context_length_exceeded"), "context", "Consolidate now", ()),
    "a stall": (Stall(pieces=("Half of ", "it")), "", "Try again", ("Half of it",)),
    "no answer at all": (Stall(headers=False), "", "Try again", ()),
    "a cut": (Cut(pieces=("Half of ", "it")), "", "Try again", ("Half of it",)),
}


SHORT = ("401", "too long", "no answer at all", "a cut")
"""One of each button, with and without a beginning of the answer; what each failure is called is told by the tests of
llm."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in SHORT else [pytest.mark.long]) for name in FAILURES]
)
async def test_a_failing_model_costs_one_click(
    stage: Stage, person: Opened, loopback: LoopbackServer, name: str
) -> None:
    behaviour, word, action, partial = FAILURES[name]
    # One that is too long is sent once more by itself, without older messages.
    loopback.will(*[behaviour] * (2 if name == "too long" else 1), Answer("All of it."))
    await person.say("Tell me.")
    (said,) = sentences(person.transcript)
    assert word in said.lower()
    assert "Traceback" not in said
    assert "litellm" not in said.lower()
    assert button(person.transcript, action) is not None
    assert [one["content"] for one in messages_on_disk(stage.root)][2:] == ["Tell me.", *partial]
    assert "Tell me." in person.text
    person.click("Try again", person.transcript)
    await person.answered()
    assert [one["content"] for one in messages_on_disk(stage.root)][2:] == ["Tell me.", *partial, "All of it."]
    assert person.text.count("Tell me.") == 1
    assert not sentences(person.transcript)


async def test_a_server_that_is_not_there_is_said_and_another_model_is_one_click_away(
    stage: Stage, model_process: ModelProcess
) -> None:
    stage.make()
    address = "http://127.0.0.1:9/v1"
    settings = {"agents": {"defaults": {"model": MODEL}}, "mnemoscope": {"apiBase": address}}
    stage.paths.config_file.write_text(json.dumps(settings), "utf-8")
    remote = SharedModels(lambda _: Connection(address, "test"), limits=LIMITS, process=model_process)
    person = await stage.open(remote=remote)
    await person.say("Tell me.")
    assert sentences(person.transcript)
    person.click("Choose model…", person.transcript)
    await until(lambda: person.current.settings_controller.sheet is not None, "the sheet of the model")
    sheet = person.current.settings_controller.sheet
    assert sheet is not None
    sheet.hide()
    assert messages_on_disk(stage.root, person.key)[0]["content"] == "Tell me."


async def test_a_missing_key_is_asked_for_before_any_request(stage: Stage, model_process: ModelProcess) -> None:
    stage.make(model="openai/gpt-4o-mini")
    person = await stage.open(remote=SharedModels(process=model_process))
    await person.say("Tell me.")
    assert "key" in " ".join(sentences(person.transcript))
    assert button(person.transcript, "Choose model…") is not None
    assert [one["content"] for one in messages_on_disk(stage.root, person.key)] == ["Tell me."]


async def test_a_tool_call_over_http_shows_as_a_card_and_its_result_goes_back(
    stage: Stage, person: Opened, loopback: LoopbackServer
) -> None:
    (stage.root / "notes.txt").write_text("The kiln is blue.", "utf-8")
    loopback.will(Answer(calls=(Call("read_file", '{"path": "notes.txt"}'),)), Answer("It is blue."))
    await person.say("What colour is the kiln?")
    roles = [one["role"] for one in messages_on_disk(stage.root)][2:]
    assert roles == ["user", "assistant", "tool", "assistant"]
    assert "The kiln is blue." in str(loopback.asked[1].body["messages"][-1]["content"])
    assert "It is blue." in person.text
    assert "read_file" in person.text or "Read" in person.text
    assert person.timeline.model.total == 6


async def test_an_image_is_sent_without_a_word(stage: Stage, person: Opened, loopback: LoopbackServer) -> None:
    loopback.will(Answer("A garden."))
    mime, picture = QMimeData(), QImage(40, 30, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.darkGreen)
    mime.setImageData(picture)
    person.composer.edit.insertFromMimeData(mime)
    await until(lambda: person.composer.images.items, "the image in its chip")
    QTest.keyClick(person.composer.edit, Qt.Key.Key_Return)
    await person.answered()
    message, answer = messages_on_disk(stage.root)[2:]
    # Every program reads a word in its content, and none of it counts as the person's.
    assert (message["content"], message["quotes"]) == ("[image]", [[0, 7, "file"]])
    assert len(message["attachments"]) == 1
    assert [part["type"] for part in loopback.asked[0].body["messages"][-1]["content"]][-1] == "image_url"
    assert answer["content"] == "A garden."
    assert person.composer.images.items == ()
    # In the conversation the image stands for itself.
    assert "[image]" not in person.text
    assert "A garden." in person.text
    # Edited, the image is there again, and no word beside it.
    person.transcript.message_actions.run(EditMessage(2))
    assert (person.composer.draft(), len(person.composer.images.items)) == ("", 1)


async def test_a_model_named_by_its_file_is_named_shortly_and_costs_nothing_on_this_computer(
    person: Opened, loopback: LoopbackServer
) -> None:
    name = "openai//srv/models/small.gguf"
    await person.bench.config.change(model=name)
    chips = person.window.header.findChildren(QPushButton)
    await until(lambda: any(each.text().strip() == "small.gguf" for each in chips), "the model at the top")
    chip = next(each for each in chips if "small.gguf" in each.text())
    assert name in chip.toolTip()
    [at_composer] = person.composer.findChildren(ModelChip)
    assert name in at_composer.toolTip()
    at_composer.set_brief(False)
    assert at_composer.text().strip() == "small"
    loopback.will(Answer("Here."))
    await person.say("Tell me.")
    await person.answered()
    dialog = await answer_receipt_of(person, 3)
    dialog.pages.setCurrentWidget(dialog.comparison)
    await until(dialog.comparison.ask.isEnabled, "the price")
    words = dialog.comparison.price.text()
    assert "to small.gguf, on a server of this computer." in words
    assert "not known" not in words
