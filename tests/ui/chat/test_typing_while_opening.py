"""Words typed while a conversation is being opened: they are meant for it, and none is lost."""

import asyncio

from PySide6.QtTest import QTest

from mnemoscope.bootstrap import open_core
from tests.ui.window_fixture import KEY, Opened, Stage, rest, until

OTHER = "desktop:other"


async def two(stage: Stage) -> Opened:
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    stage.write_session(("user", "About kilns."), ("assistant", "No."), key=OTHER)
    person = await stage.open()
    person.current.sessions.open(KEY)
    await person.until_ready()
    return person


async def select(person: Opened, key: str, typing: str = "") -> None:
    """Opens a conversation and type before it is there."""
    person.current.sessions.open(key)
    QTest.keyClicks(person.composer.edit, typing)
    await person.until_ready()
    assert person.key == key


async def test_words_typed_before_it_is_there_stand_in_the_new_conversation_only(stage: Stage) -> None:
    person = await two(stage)
    person.type(person.composer.edit, "for tea")
    await select(person, OTHER, "for kilns")
    assert person.composer.draft() == "for kilns"
    await select(person, KEY)
    assert person.composer.draft() == "for tea"
    await select(person, OTHER, ", too")
    assert person.composer.draft() == "for kilns, too"


async def test_words_typed_while_the_first_conversation_is_opened_stay(stage: Stage) -> None:
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    person = await stage.open()
    person.current.conversation.drafts.keep(KEY)
    await select(person, KEY, "more")
    assert person.composer.draft() == "more"
    await select(person, KEY, " tea")
    assert person.composer.draft() == "more tea"


async def test_words_typed_before_it_is_there_are_kept_where_the_window_is_closed_at_once(stage: Stage) -> None:
    person = await two(stage)
    person.current.sessions.open(OTHER)
    QTest.keyClicks(person.composer.edit, "for kilns")
    await person.close()
    again = await stage.open()
    assert again.key == OTHER
    assert again.composer.draft() == "for kilns"


async def test_a_conversation_opened_again_after_sending_has_an_empty_composer(stage: Stage) -> None:
    person = await two(stage)
    await person.say("hello")
    await select(person, OTHER)
    assert person.composer.draft() == ""
    await select(person, KEY)
    assert person.composer.draft() == ""


async def test_words_typed_as_soon_as_the_window_shows_are_words_of_a_message(stage: Stage) -> None:
    """A space would press the first button of the bar instead."""
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    person = stage.show(open_core(stage.root))
    opening = asyncio.ensure_future(person.current.open())
    await until(lambda: person.window.isVisible(), "the window")
    has_keyboard = person.window.focusWidget()
    assert has_keyboard is person.composer.edit
    QTest.keyClicks(has_keyboard, "milk for tea")
    await opening
    await person.until_ready()
    assert person.composer.draft() == "milk for tea"


async def test_a_conversation_begun_while_the_window_opens_stays_on_show(stage: Stage) -> None:
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    await (await stage.open()).close()
    person = stage.show(open_core(stage.root))
    opening = asyncio.ensure_future(person.current.open())
    await until(lambda: person.window.isVisible(), "the window")
    person.press("Ctrl+N")
    await opening
    await until(lambda: person.key not in {"", KEY}, "the conversation that was begun")
    await person.until_ready()
    await rest()
    assert person.key != KEY
    assert person.session.messages == []


async def test_a_conversation_chosen_while_the_first_is_looked_for_stays_on_show(stage: Stage) -> None:
    person = await two(stage)
    finding = asyncio.ensure_future(person.current.sessions.open_first(KEY))
    await asyncio.sleep(0)
    person.current.sessions.open(OTHER)
    await finding
    await person.until_ready()
    assert person.key == OTHER
