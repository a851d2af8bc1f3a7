"""How much of a conversation is kept, chosen at the composer: always to be seen, and nothing is kept against it."""

from __future__ import annotations

import asyncio

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QPushButton

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.text_file import TextFile
from mnemoscope.ui.widgets.dialogs.question import Question
from tests.support.scripted_provider import ScriptedProvider
from tests.support.traces import traces_of
from tests.ui.window_fixture import KEY, Opened, Stage, drafts_hold, press, sentences, until, words_in

READS, TEMPORARY, REMEMBERED = Discretion.READS_MEMORY, Discretion.TEMPORARY, Discretion.REMEMBERED
WORD = "velvetpangolin"
API_KEY = "sk-proj-" + "aB3dE6gH9jK2mN5pQ8sT1vW4" + "a1b2"


def choose(person: Opened, kind: Discretion) -> None:
    """Chooses in the menu of the switch."""
    person.composer.discretion.choices[kind].trigger()


def kind_of(person: Opened) -> Discretion:
    return person.composer.discretion.kind


async def asked(person: Opened) -> Question:
    """Returns the question that is asked of the person."""
    sheets: list[Question] = []

    def found() -> bool:
        sheets[:] = [each for each in person.window.findChildren(Question) if each.isVisible()]
        return bool(sheets)

    await until(found, "a question")
    return sheets[0]


def answer(sheet: Question, words: str) -> None:
    """Presses the button with these words."""
    next(each for each in sheet.findChildren(QPushButton) if each.text() == words).click()


async def test_a_temporary_conversation_leaves_nothing_and_is_asked_about_once(stage: Stage) -> None:
    stage.make(("user", "Which glaze?"), ("assistant", "The blue one."))
    person = await stage.open(offline=ScriptedProvider(f"You said {WORD}."))
    choose(person, TEMPORARY)
    await until(lambda: kind_of(person) is TEMPORARY, "the temporary conversation")
    await until(lambda: person.composer.strip.isVisible(), "the strip")
    empty = person.transcript.empty
    offered = [each.text() for each in empty.findChildren(QPushButton) if not each.isHidden()]
    assert not any("Remember" in words for words in offered)
    assert "Nothing of it is kept, and it is gone once you close it." in words_in(empty)
    assert "closing it, or a crash" in person.composer.discretion.accessibleName().lower()
    person.composer.set_draft(f"A secret: {WORD}")
    person.composer.files.add(TextFile("secret.md", f"In a file: {WORD}"))
    person.current.conversation.flush_draft()
    press(person.composer.edit, "Return")
    await until(lambda: person.text.count(WORD) == 3, "question with its file, and answer")
    await person.answered()
    person.composer.set_draft(f"Half a {WORD}")
    person.composer.files.add(TextFile("secret.md", f"In a file: {WORD}"))
    person.current.conversation.flush_draft()
    temporary = person.key
    person.current.sessions.open(KEY)
    await until(lambda: kind_of(person) is REMEMBERED and person.composer.draft() == "", "the other conversation")
    assert person.composer.files.items == ()
    assert not person.composer.strip.isVisible()
    # As long as it is open one can come back to it, to what was half typed too.
    person.current.sessions.open(temporary)
    await until(lambda: person.text.count(WORD) == 3 and person.composer.draft() == f"Half a {WORD}", "it, as it was")
    person.current.sessions.open(KEY)
    await until(lambda: kind_of(person) is REMEMBERED and person.composer.draft() == "", "the other conversation")
    person.window.close()
    answer(await asked(person), "Cancel")
    await until(lambda: not person.current._asks, "the answer")
    assert person.bench.sessions.temporary.sessions()
    await until(lambda: traces_of(WORD, stage.root.parent) == [], "no trace, not even of a moment")
    closing = asyncio.create_task(person.close())
    answer(await asked(person), "Close")
    await closing
    assert traces_of(WORD, stage.root.parent) == []
    assert WORD not in QApplication.clipboard().text()


async def test_whoever_would_send_a_key_is_told_where_it_goes(stage: Stage) -> None:
    stage.make(("user", "Which glaze?"), ("assistant", "The blue one."))
    person = await stage.open(offline=ScriptedProvider())
    choose(person, TEMPORARY)
    await until(lambda: kind_of(person) is TEMPORARY, "the temporary conversation")
    person.composer.set_draft(f"It is {API_KEY}")
    press(person.composer.edit, "Return")
    card = person.chat.key_card.widget
    assert "The model is sent it; this conversation is kept in no file." in card.accessibleName()
    assert "stays in" not in words_in(card)
    person.composer.set_draft("")
    choose(person, READS)
    await until(lambda: kind_of(person) is READS, "one that is kept")
    person.composer.set_draft(f"It is {API_KEY}")
    press(person.composer.edit, "Return")
    assert "It stays in the conversation's file." in words_in(card)


async def test_in_mid_conversation_it_is_said_what_holds_for_what_was_said_before(stage: Stage) -> None:
    stage.make(("user", "Which glaze?"), ("assistant", "The blue one."))
    person = await stage.open(offline=ScriptedProvider("Very hot.", "Rather."))
    choose(person, READS)
    await until(lambda: kind_of(person) is READS, "the switch")
    assert "from message 3 on" in person.composer.strip.words.text()
    await until(lambda: "Nothing becomes memory here" in person.timeline.header.status_label.text(), "it")
    person.composer.set_draft("How hot?")
    person.current.conversation.flush_draft()
    person.current.conversation.flush_draft()
    press(person.composer.edit, "Return")
    await until(lambda: "Very hot." in person.text, "the answer")
    await person.answered()
    own = "sessions/discreet/desktop_test.jsonl"
    assert traces_of("How hot", stage.root) == [own]
    choose(person, REMEMBERED)
    answer(await asked(person), "Remember all of it")
    await until(lambda: kind_of(person) is REMEMBERED, "the switch back")
    assert (stage.root / "sessions/desktop_test.jsonl").exists()
    assert not (stage.root / own).exists()


async def test_an_empty_conversation_made_temporary_goes_and_what_is_typed_and_its_model_come_along(
    stage: Stage,
) -> None:
    """Nobody wants the empty one, and what was typed in it may be the very thing that is to be kept nowhere."""
    stage.make(("user", "Which glaze?"), ("assistant", "The blue one."))
    person = await stage.open(offline=ScriptedProvider("Yes."))
    person.current.sessions.new()
    await until(lambda: person.key not in {"", KEY}, "a new conversation")
    await person.until_ready()
    empty = person.key
    await person.bench.conversations.choose_model(empty, "offline")
    person.composer.set_draft(f"Half a {WORD}")
    person.composer.files.add(TextFile("secret.md", f"In a file: {WORD}"))
    person.current.conversation.flush_draft()
    await until(lambda: drafts_hold(stage.paths, WORD), "the draft on the disk")
    choose(person, TEMPORARY)
    await until(lambda: kind_of(person) is TEMPORARY, "the temporary conversation")
    await person.until_ready()
    assert person.composer.draft() == f"Half a {WORD}"
    assert [each.name for each in person.composer.files.items] == ["secret.md"]
    assert person.session.model == "offline"
    await until(lambda: not drafts_hold(stage.paths, WORD), "no draft on the disk any more")
    overviews = await person.bench.conversations.overviews()
    assert {one.key for one in overviews} == {KEY, person.key}
    assert [one.name for one in (stage.root / "sessions").rglob("*.jsonl")] == ["desktop_test.jsonl"]
    assert sentences(person.window) == []
    await person.close()
    assert traces_of(WORD, stage.root.parent) == []


async def test_an_empty_conversation_with_an_image_stays_when_a_temporary_one_begins(stage: Stage) -> None:
    """The image lies on the disk: it is not lost, and it is not said to be kept nowhere."""
    stage.make(("user", "Which glaze?"), ("assistant", "The blue one."))
    person = await stage.open()
    person.current.sessions.new()
    await until(lambda: person.key not in {"", KEY}, "a new conversation")
    await person.until_ready()
    empty = person.key
    person.composer.edit.picture_pasted.emit(QImage(8, 8, QImage.Format.Format_RGB32))
    await until(lambda: person.composer.images.items, "the image")
    choose(person, TEMPORARY)
    await until(lambda: kind_of(person) is TEMPORARY, "the temporary conversation")
    await person.until_ready()
    assert person.composer.images.items == ()
    person.current.sessions.open(empty)
    await until(lambda: person.composer.images.items, "the image, in its own conversation")
    person.composer.set_draft("")


async def test_a_temporary_conversation_is_begun_by_a_command_of_the_palette(stage: Stage) -> None:
    """A person who looks for it types its name."""
    stage.make(("user", "Which glaze?"), ("assistant", "The blue one."))
    person = await stage.open()
    person.type(person.composer.edit, "half a question")
    before = set(stage.root.rglob("*.jsonl"))
    found = [one.id for one in person.current.actions.commands() if "temporary" in one.text.lower()]
    assert found == ["conversation.temporary"]
    person.current.actions[found[0]].trigger()
    await until(lambda: kind_of(person) is TEMPORARY, "the temporary conversation")
    await person.until_ready()
    assert (person.composer.draft(), person.composer.edit.hasFocus()) == ("", True)
    assert set(stage.root.rglob("*.jsonl")) == before
    person.current.sessions.open(KEY)
    await until(lambda: person.composer.draft() == "half a question", "what was typed before")


async def test_the_command_given_twice_begins_one_temporary_conversation(stage: Stage) -> None:
    stage.make(("user", "Which glaze?"), ("assistant", "The blue one."))
    person = await stage.open(offline=ScriptedProvider("Yes."))
    begin = person.current.actions["conversation.temporary"]
    for _ in range(2):
        begin.trigger()
    await until(lambda: kind_of(person) is TEMPORARY, "the temporary conversation")
    await person.until_ready()
    (first,) = person.bench.sessions.temporary.sessions()
    assert person.key == first.key
    # What is begun after something was said is another one.
    await person.say("Hello")
    begin.trigger()
    await until(lambda: person.key not in {"", first.key}, "another one")
    assert len(person.bench.sessions.temporary.sessions()) == 2
    person.bench.discretion.close(first.key)
