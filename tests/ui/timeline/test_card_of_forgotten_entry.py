"""The card of an entry that goes because it was forgotten says what the history says: at once, in a look back, when the
decision is undone, and after a restart."""

from __future__ import annotations

from mnemoscope.domain.review.review_items import ReviewItem
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import Opened, Stage, TwoMinds, until

SAID = "The locker at the harbour gym opens with code 2417."
AGAIN = "Harbour gym, locker code 2417"
FACTS = "# User\n\n- Name is Sam\n"
TURNS = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


def cards(person: Opened) -> list[str]:
    return [record.entry.rpartition("] ")[2] for record in person.timeline.model.groups.records]


def waiting(person: Opened) -> ReviewItem:
    (item,) = person.bench.memory.editing.waiting_items()
    return item


async def shows(person: Opened, words: str) -> None:
    await until(lambda: cards(person) == [words], f"a card that says {words}")


async def test_the_card_says_what_the_history_says(stage: Stage) -> None:
    stage.make(*TURNS, memory=FACTS, memoryWindow=4)
    person = await stage.open(offline=TwoMinds("Yes.", memory=ScriptedProvider(save_memory(AGAIN, FACTS))))
    await person.say("Hello.")
    await shows(person, AGAIN)
    await until(lambda: not person.bench.loop.consolidation.occupied, "the consolidation's end")
    person.bench.tombstones.add([SAID])
    await person.current.watcher.rescan()
    editing = person.bench.memory.editing
    decided = await editing.decide(waiting(person), "accept")
    await shows(person, "[…]")
    await editing.reopen(decided)
    await shows(person, AGAIN)
    await person.bench.commits.kept()
    person.current.past.open(None)
    await until(lambda: "As it was on" in person.timeline.header.status_label.text(), "the past")
    await shows(person, AGAIN)
    await editing.decide(waiting(person), "accept")
    await shows(person, "[…]")
    assert "As it was on" in person.timeline.header.status_label.text()
    person.current.past.back()
    await until(lambda: "As it was on" not in person.timeline.header.status_label.text(), "the present")
    await shows(person, "[…]")
    await person.close()
    again = await stage.open()
    await shows(again, "[…]")
