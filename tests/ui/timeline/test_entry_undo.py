"""Undo on the card of an entry takes back what its consolidation wrote to memory, and Bring back makes it again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication

from mnemoscope.domain.memory.fact_outcomes import Outcome
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.timeline.row_sentences import row_sentence
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import Opened, Stage, TwoMinds, button, click, rest, sentences, until, words_in

ENTRY = "Sam asked about the kiln and learnt that it is blue."
MEMORY = "# Memory\n\n- Likes tea\n"
LEARNT = MEMORY + "- The kiln is blue\n"
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]
CARD = TimelineRow(RowKind.ENTRY, 0)


async def consolidated(stage: Stage) -> Opened:
    """Returns a window in which two messages became an entry and a line of memory."""
    stage.make(*SAID, memory=MEMORY, memoryWindow=2)
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(save_memory(ENTRY, LEARNT))))
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: offered(person) == "undo", "Undo on the card")
    return person


def offered(person: Opened) -> str:
    """Returns what the card offers, or ""."""
    model = person.timeline.model
    offer = model.links.undo_offer(model.groups.records[0]) if len(model.groups) else None
    return offer.kind if offer else ""


def place_of(person: Opened, kind: str) -> QPoint | None:
    """Returns where the word stands in the timeline."""
    view, rect = person.timeline.view, person.rows(RowKind.ENTRY)[0]
    groups, found = person.timeline.model.groups, list[QPoint]()
    record, numbers = groups.records[0], groups.numbers(0)
    for x in range(rect.left(), rect.right(), 6):
        for y in range(rect.top(), rect.bottom(), 3):
            link = view.scene.card.link_at(rect, record, numbers, QPoint(x, y))
            found += [QPoint(x, y)] if link and link.kind == kind else []
    return found[len(found) // 2] if found else None


def click_on(person: Opened, kind: str) -> None:
    place = place_of(person, kind)
    assert place is not None, f"no “{kind}” on the card"
    click(person.timeline.view.viewport(), place)


def choose(person: Opened, words: str) -> None:
    """Chooses from the menu of the card."""
    menu = person.timeline.view.menu_of(CARD)
    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.deleteLater()


def memory(stage: Stage) -> str:
    return stage.paths.memory_file.read_text("utf-8")


def change_ids(person: Opened) -> list[str]:
    return [change.origin.kind for change in person.current.memory.changes._changes]


@pytest.mark.parametrize("wide", [False, True])
async def test_undo_on_the_card_takes_it_back_and_bring_back_makes_it_again(stage: Stage, wide: bool) -> None:
    person = await consolidated(stage)
    if wide:
        person.timeline.view.resize(520, 600)
    before = person.timeline.model.unfolded.copy()
    click_on(person, "undo")
    await until(lambda: memory(stage) == MEMORY, "the memory as it was")
    await until(lambda: offered(person) == "redo", "that it can be brought back")
    assert "undone" in row_sentence(person.timeline.model, CARD)
    assert person.timeline.model.unfolded == before, "a click on the word folds nothing"
    click_on(person, "redo")
    await until(lambda: offered(person) == "undo", "that it is there again")
    assert memory(stage) == LEARNT
    assert "undone" not in row_sentence(person.timeline.model, CARD)
    assert stage.paths.history_file.read_text("utf-8").count(ENTRY) == 1


@pytest.mark.parametrize("width", [220, 520])
async def test_the_word_is_drawn_where_a_click_on_it_is_heard(stage: Stage, width: int) -> None:
    person = await consolidated(stage)
    view = person.timeline.view
    view.resize(width, 600)
    await until(lambda: not view.slide.running, "the card in its place")
    place = place_of(person, "undo")
    assert place is not None
    shown = picture(person)
    spots = (QPoint(place.x() + x, place.y() + y) for x in range(-20, 21) for y in range(-10, 11))
    assert any(is_blue(shown.pixelColor(spot)) for spot in spots if shown.rect().contains(spot))


def is_blue(ink: QColor) -> bool:
    """Returns a link's ink, thinned at its edges; nothing else on the card comes near."""
    return ink.blue() - ink.red() > 90


def picture(person: Opened) -> QImage:
    return person.timeline.view.viewport().grab().toImage()


async def test_the_menu_offers_what_the_card_does(stage: Stage) -> None:
    person = await consolidated(stage)
    choose(person, "Undo what it wrote to memory")
    await until(lambda: offered(person) == "redo", "that it can be brought back")
    choose(person, "Bring back what it wrote to memory")
    await until(lambda: memory(stage) == LEARNT, "the memory as it became")


async def test_a_second_click_on_undo_does_nothing(stage: Stage) -> None:
    person = await consolidated(stage)
    place = place_of(person, "undo")
    for _ in range(2):
        click(person.timeline.view.viewport(), place)
    await until(lambda: offered(person) == "redo", "that it is undone")
    await rest()
    assert change_ids(person).count("undo") == 1
    assert not [said for said in sentences(person.memory) if "Nothing of this" in said]


async def test_the_second_of_two_quick_clicks_does_not_bring_back_at_once(stage: Stage) -> None:
    person = await consolidated(stage)
    place, viewport = place_of(person, "undo"), person.timeline.view.viewport()
    assert place is not None
    click(viewport, place)
    await until(lambda: offered(person) == "redo", "that it is undone")
    left, spot = Qt.MouseButton.LeftButton, QPointF(place)
    for kind in (QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseButtonRelease):
        where = viewport.mapToGlobal(spot)
        event = QMouseEvent(kind, spot, where, left, left, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(viewport, event)
    await rest()
    assert memory(stage) == MEMORY
    assert offered(person) == "redo"


async def test_after_a_restart_the_card_knows(stage: Stage) -> None:
    person = await consolidated(stage)
    click_on(person, "undo")
    await until(lambda: offered(person) == "redo", "that it is undone")
    await person.close()
    person = await stage.open()
    await until(lambda: offered(person) == "redo", "that it was undone")


async def test_lines_changed_later_stand_one_suggestion_waits_and_nothing_is_said_to_be_taken_back(
    stage: Stage,
) -> None:
    person = await consolidated(stage)
    mine = LEARNT.replace("is blue", "is blue and hot")
    await person.bench.memory.editing.save_text(
        mine, (await person.bench.disk.run(person.bench.memory.editing.read_text)).digest
    )
    status = person.window.status
    for _ in range(2):
        click_on(person, "undo")
        await until(lambda: "a proposal waits" in words_in(status), "that a suggestion waits")
        await until(lambda: not person.current.memory.changes._under_way, "the end of the undo")
        status.show_remark("")
    assert memory(stage) == mine
    assert len(await person.bench.disk.run(person.bench.memory.ledger.suggestions)) == 1
    assert not [said for said in sentences(person.memory) if "Taken back" in said]
    assert button(person.memory, "Bring back") is None, "it would take back what the person wrote later"


async def test_a_window_that_only_reads_offers_no_undo(stage: Stage) -> None:
    person = await consolidated(stage)
    reader = await stage.open(read_only=True)
    await until(lambda: len(reader.timeline.model.groups) == 1, "the card")
    await until(lambda: reader.current.memory.changes._changes, "the changes")
    assert offered(reader) == ""
    assert offered(person) == "undo"


async def test_in_the_past_nothing_is_offered(stage: Stage) -> None:
    person = await consolidated(stage)
    session, model = person.session, person.timeline.model
    person.timeline.show_timeline(session.messages, 2, model.groups.records, model.selection, 2, because="As it was")
    assert offered(person) == ""
    await person.current.timeline.show_now()
    assert offered(person) == "undo"


FACTS = "# Facts\n- Deadline is 12 May\n- Name is Sam\n"
"""Memory of which a consolidation that drops a line is held."""


async def dropped(stage: Stage) -> Opened:
    """Returns a consolidation whose memory text waits for the person."""
    stage.make(*SAID, memory=FACTS, memoryWindow=2)
    held = save_memory(ENTRY, "# Facts\n- Name is Sam\n")
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(held)))
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: outcome(person) is Outcome.WAITING, "the chip of what waits")
    return person


def outcome(person: Opened) -> Outcome | None:
    """Returns what the card says became of the facts."""
    model = person.timeline.model
    found = model.links.outcome(model.groups.records[0]) if len(model.groups) else None
    return found.outcome if found else None


async def test_the_card_follows_what_is_decided_and_a_click_opens_it(stage: Stage) -> None:
    person = await dropped(stage)
    click_on(person, "outcome")
    await until(person.memory.body.review.widget.isVisible, "the review that the chip opens")
    person.click("Accept", person.memory.body.review.widget)
    await until(lambda: outcome(person) is Outcome.ACCEPTED, "the card says accepted")
    assert "accepted" in row_sentence(person.timeline.model, CARD)
    click_on(person, "outcome")
    await until(person.memory.body.versions.widget.isVisible, "the change that the chip opens")
    person.memory.leave_page()
    person.current.memory.changes.undo_last()
    await until(lambda: outcome(person) is Outcome.UNDONE, "the card says undone")


async def test_a_card_does_not_say_for_ever_that_it_waits(stage: Stage) -> None:
    person = await dropped(stage)
    person.click("Keep mine", person.memory)
    await until(lambda: outcome(person) is Outcome.REJECTED, "the card says rejected")
    await person.close()
    again = await stage.open()
    await until(lambda: outcome(again) is Outcome.REJECTED, "it says so after a restart")


async def test_the_card_of_an_edited_suggestion_leads_to_its_change(stage: Stage) -> None:
    person = await dropped(stage)
    click_on(person, "outcome")
    await until(person.memory.body.review.widget.isVisible, "the review that the chip opens")
    person.click("Edit", person.memory.body.review.widget)
    mine = "# Facts\n- Deadline is 13 May\n- Name is Sam\n"
    person.memory.editor.replace_text(mine)
    person.memory.save()
    await until(lambda: outcome(person) is Outcome.EDITED, "the card says edited")
    assert memory(stage) == mine
    await until(lambda: change_ids(person)[-1:] == ["review"], "one change, which is known as the suggestion's")
    click_on(person, "outcome")
    await until(person.memory.body.versions.widget.isVisible, "the change that the chip opens")
    assert not [said for said in sentences(person.memory) if "too old" in said]
    await person.close()
    again = await stage.open()
    await until(lambda: outcome(again) is Outcome.EDITED, "it says so after a restart")


async def test_facts_that_were_all_deleted_outside_are_gone_and_no_link(stage: Stage) -> None:
    person = await consolidated(stage)
    assert place_of(person, "facts") is not None
    stage.paths.memory_file.write_text("# Memory\n", "utf-8")
    await person.bench.rescan_files()
    await until(lambda: outcome(person) is Outcome.GONE, "the card says that they are gone")
    assert "gone from memory" in row_sentence(person.timeline.model, CARD)
    assert place_of(person, "facts") is None, "there is nothing to mark"
    assert place_of(person, "undo") is None, "there is nothing to take back"
    click_on(person, "outcome")
    await until(person.memory.body.versions.widget.isVisible, "the change that the chip opens")
    deleted = person.current.memory.changes._changes[-1]
    assert deleted.origin.kind == "outside"
    shown = person.memory.body.versions.widget.current
    assert shown is not None
    assert shown.change is not None
    assert shown.change.id == deleted.id
