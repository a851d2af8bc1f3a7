"""“+4 facts” on the card of an entry marks these lines in memory."""

from __future__ import annotations

import pytest

from mnemoscope.domain.timeline.rows import RowKind
from mnemoscope.ui.timeline.timeline_words import span_parts
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.timeline.test_entry_undo import choose, click_on, offered, place_of
from tests.ui.window_fixture import Opened, Stage, TwoMinds, sentences, until

ENTRY = "Sam told of the workshop."
MEMORY = "# Memory\n\n- Likes tea\n"
LEARNT = "# Memory\n\n- The kiln is blue\n- Likes tea\n- Rents a barn in Leeds\n- Sells bowls\n- Has two apprentices\n"
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


async def consolidated(stage: Stage) -> Opened:
    """Returns a window in which two messages became an entry and four lines of memory."""
    stage.make(*SAID, memory=MEMORY, memoryWindow=2)
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(save_memory(ENTRY, LEARNT))))
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: offered(person) == "undo" and person.memory.editor.text() == LEARNT, "the facts in memory")
    person.memory.editor.flash.forget()
    return person


@pytest.mark.parametrize("wide", [False, True])
async def test_the_facts_on_a_card_mark_their_lines_in_memory(stage: Stage, wide: bool) -> None:
    person = await consolidated(stage)
    if wide:
        person.timeline.view.resize(620, 600)
    before = person.timeline.model.unfolded.copy()
    click_on(person, "facts")
    assert person.memory.editor.flash.numbers == {2, 4, 5, 6}
    assert person.memory.editor.caret_line() == 2
    assert person.memory.editor.isVisible()
    assert person.timeline.model.unfolded == before, "a click on the word folds nothing"
    assert not [said for said in sentences(person.memory) if "in these words" in said]


async def test_the_facts_are_said_whole_however_wide_the_card_is(stage: Stage) -> None:
    person = await consolidated(stage)
    view, groups = person.timeline.view, person.timeline.model.groups
    record, numbers = groups.records[0], range(135, 185)
    for width in range(290, 640, 25):
        view.resize(width, 600)
        card, rect = view.scene.card, person.rows(RowKind.ENTRY)[0]
        words = view.scene.rows.caption_metrics.horizontalAdvance(span_parts(record, 135, 185)[1])
        assert words > 20
        assert card._facts_rect(rect, record, numbers).width() == words, width


async def test_the_menu_marks_them_too_and_says_how_many_are_gone(stage: Stage) -> None:
    person = await consolidated(stage)
    person.memory.editor.replace_text(LEARNT.replace("- Sells bowls\n", ""))
    choose(person, "Show its facts in memory")
    assert person.memory.editor.flash.numbers == {2, 4, 5}
    await person.until_said("of this entry are not in memory in these words any more", person.current.main_window)


async def test_facts_that_are_undone_are_no_link(stage: Stage) -> None:
    person = await consolidated(stage)
    assert place_of(person, "facts") is not None
    click_on(person, "undo")
    await until(lambda: offered(person) == "redo", "that it is undone")
    assert place_of(person, "facts") is None
