"""Opening a long conversation: what is on show first, what is drawn once, and what is dropped for another one."""

import asyncio

from tests.ui.window_fixture import KEY, Opened, Stage, until

LONG = "desktop:long"


async def beside_a_long_one(stage: Stage) -> Opened:
    """Returns a window in which the long conversation was open before the short one that is on show."""
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    stage.write_session(*(("user", f"About kiln {number}.") for number in range(300)), key=LONG, pointer=298)
    person = await stage.open()
    for key in (LONG, KEY):
        await opened(person, key)
    return person


async def opened(person: Opened, key: str) -> None:
    person.current.sessions.open(key)
    await person.until_ready()
    assert person.key == key


async def test_a_long_conversation_that_was_open_before_is_drawn_once_in_the_timeline(stage: Stage) -> None:
    person = await beside_a_long_one(stage)
    shown: list[str] = []
    person.timeline.model.replaced.connect(lambda: shown.append(person.timeline.header.status_label.text()))
    await opened(person, LONG)
    assert len(shown) == 1
    assert "indexing" not in shown[0]
    assert person.timeline.model.total == 300


async def test_the_line_above_what_is_not_settled_comes_with_the_messages(stage: Stage) -> None:
    person = await beside_a_long_one(stage)
    pointers: list[int] = []
    person.current.conversation.opened.connect(lambda: pointers.append(person.transcript.transcript.pointer.index))
    await opened(person, LONG)
    assert pointers == [298]


async def test_a_switch_meanwhile_drops_what_is_not_on_show_yet(stage: Stage) -> None:
    person = await beside_a_long_one(stage)
    person.current.sessions.open(LONG)
    await until(lambda: person.transcript.session_key == LONG, "the first messages")
    await opened(person, KEY)
    await asyncio.sleep(0.2)
    assert person.transcript.session_key == KEY
    assert len(person.transcript.transcript.rows) == person.timeline.model.total == 2
