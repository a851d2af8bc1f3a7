"""Dream in the whole window: the way of an entry from its messages to its version, and commands with buttons."""

from __future__ import annotations

import re
from datetime import date

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.ui.chat.message_actions import RunCommand
from mnemoscope.ui.dream.entry_words import EntryLink
from mnemoscope.ui.timeline.row_sentences import row_sentence, row_tip
from mnemoscope.ui.widgets.theme import Theme
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.chat.transcript.offered_actions import actions_of, click_action, place_of_span, spans_of, words_of
from tests.ui.dream.test_dream_pane import dreaming, pane_of
from tests.ui.window_fixture import Opened, Stage, TwoMinds, button, click, rest, until, words_in

FACT = "Remember that the alarm code changes in spring."


async def consolidated(stage: Stage) -> Opened:
    """Returns a window in which one conversation was summed up into entry 4, behind three of another program's."""
    dreaming(stage)
    person = await stage.open()
    await person.say(FACT)
    await person.say("/compact")
    await until(lambda: person.rows(RowKind.ENTRY), "the entry's card")
    return person


def chain(person: Opened) -> list[str]:
    model = person.timeline.model
    return [link.words for link in model.links.chain(model.groups.records[-1])]


def place_of(person: Opened, kind: str) -> QPoint:
    """Returns where a step of the entry's way stands in the timeline."""
    view = person.timeline.view
    place, rect = next(iter(person.rows(RowKind.ENTRY).items()))
    record = person.timeline.model.groups.records[place]
    card, found = view.scene.card, list[QPoint]()
    for x in range(rect.left(), rect.right(), 6):
        for y in range(rect.bottom() - 40, rect.bottom(), 3):
            link = card.link_at(rect, record, person.timeline.model.groups.numbers(place), QPoint(x, y))
            found += [QPoint(x, y)] if link and link.kind == kind else []
    assert found, f"no step “{kind}” in the card"
    return found[len(found) // 2]


async def test_an_entry_says_that_it_waits_and_then_when_it_was_dreamed_and_by_which_version(stage: Stage) -> None:
    person = await consolidated(stage)
    assert chain(person) == ["entry 4", "waiting to be dreamed"]
    run = await person.bench.dreaming.run_now()
    assert run is not None
    await until(
        lambda: chain(person)[1:] == ["dreamed today", f"commit {run.commit}"], f"the way, only {chain(person)}"
    )
    row = TimelineRow(RowKind.ENTRY, 0)
    assert "entry 4, dreamed today" in row_sentence(person.timeline.model, row)
    assert "entry 4 · dreamed today" in row_tip(person.timeline.model, row)


async def test_the_steps_of_the_way_lead_to_the_history_to_the_run_and_to_the_version(stage: Stage) -> None:
    person = await consolidated(stage)
    await person.bench.dreaming.run_now()
    await until(lambda: len(chain(person)) == 3, "the whole way")
    click(person.timeline.view.viewport(), place_of(person, "commit"))
    await until(lambda: person.memory.body.page == "versions", "the versions")
    click(person.timeline.view.viewport(), place_of(person, "dream"))
    await until(lambda: person.window.dream.built, "the Dream pane")
    pane = await pane_of(person)
    click(person.timeline.view.viewport(), place_of(person, "dream"))
    await until(lambda: pane.cards and pane.cards[0].hasFocus(), "the record of the run")
    click(person.timeline.view.viewport(), place_of(person, "entry"))
    await until(lambda: person.history.view.current == 0, "the entry in the history")


async def test_a_click_beside_the_steps_still_folds_the_entry(stage: Stage) -> None:
    person = await consolidated(stage)
    rect = person.rows(RowKind.ENTRY)[0]
    assert 0 in person.timeline.model.unfolded
    click(person.timeline.view.viewport(), rect.topLeft() + QPoint(40, 16))
    assert 0 not in person.timeline.model.unfolded


async def test_the_keyboard_reaches_the_run_and_the_version_from_the_menu(stage: Stage) -> None:
    person = await consolidated(stage)
    await person.bench.dreaming.run_now()
    await until(lambda: len(chain(person)) == 3, "the whole way")
    menu = person.timeline.view.menu_of(TimelineRow(RowKind.ENTRY, 0))
    followed = list[str]()
    person.timeline.view.chain_followed.connect(lambda link, _record: followed.append(link.kind))
    for action in menu.actions():
        if action.text() in {"Show in Dream", "Show this version of memory"}:
            action.trigger()
    menu.close()
    assert followed == ["dream", "commit"]


async def test_the_head_tells_how_much_of_the_context_is_left(stage: Stage) -> None:
    person = await consolidated(stage)
    header = person.timeline.header
    await until(
        lambda: "consolidates when full" in header.status_label.text(),
        f"the share, only {header.status_label.text()}",
    )
    context = person.timeline.model.context
    assert context is not None
    assert header.status_label.text().startswith(f"{context.percent_left} %")
    assert header.line.share == 1 - context.percent_left / 100
    assert not person.rows(RowKind.KEPT)
    await person.bench.config.change(profile="two-layer")
    await until(lambda: "of 100 messages" in header.status_label.text(), "messages are counted again")
    assert chain(person) == []


async def test_the_history_says_of_each_entry_where_it_stands_and_leads_to_its_messages(stage: Stage) -> None:
    person = await consolidated(stage)
    view = person.history.view
    await until(lambda: len(person.entries()) == 4 and person.history.model.origins.reach is not None, "the entries")
    assert "entry 4 · waiting to be dreamed" in view.sentence(0)
    await person.bench.dreaming.run_now()
    await until(lambda: "entry 4 · dreamed today" in view.sentence(0), "dreamed")
    assert "from messages 1–" in view.sentence(0)
    assert "from messages" not in view.sentence(3)
    wanted = list[object]()
    person.history.messages_requested.connect(wanted.append)
    assert view.show_messages(0)
    assert not view.show_messages(3)
    assert len(wanted) == 1


def test_an_entry_of_another_year_is_dreamed_on_a_day_with_its_year() -> None:
    from mnemoscope.domain.dream.position import DreamPosition
    from mnemoscope.domain.dream.run_history import DreamReadIndex
    from mnemoscope.ui.dream.entry_words import links_of_entry
    from tests.domain.dream.test_run_history import run

    reach = DreamReadIndex(DreamPosition(9), [run("a", 3, 9)])
    today = date(2026, 11, 22)
    assert links_of_entry(reach, 3, today)[:2] == (
        EntryLink("entry", "entry 3"),
        EntryLink("dream", "dreamed on 3 May", reach.runs[0]),
    )
    assert links_of_entry(reach, 3, date(2027, 1, 1))[1].words == "dreamed on 3 May 2026"
    assert links_of_entry(reach, 2, today)[1].words == "not dreamed"


def click_button(person: Opened, label: str) -> None:
    """Clicks on the button of this text in the transcript, the newest one."""
    pane = person.transcript
    span = [each for each in spans_of(pane) if words_of(pane, each).strip() == label][-1]
    click(pane.view.viewport(), place_of_span(pane, span))


async def test_buttons_of_an_answer_run_the_command_they_name(stage: Stage) -> None:
    root = dreaming(stage)
    person = await stage.open()
    await person.say("/dream")
    await until(lambda: "Dream completed" in person.text, "the answer")
    click_button(person, "Show the change")
    await until(lambda: "Dream Update" in person.text, "the change")
    await person.answered()
    assert "+- Prefers green tea" in person.text
    assert "Prefers green tea" in (root / "USER.md").read_text(encoding="utf-8")
    click_button(person, "Undo this change")
    await until(lambda: "New safety commit" in person.text, "what was undone")
    assert "Prefers green tea" not in (WorkspacePaths(root).root / "USER.md").read_text(encoding="utf-8")


async def test_a_button_is_reached_and_pressed_with_the_mouse_and_with_the_keyboard(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    await person.say("/dream-prompt")
    await until(lambda: "Make an editable guide" in person.text.replace("\u00a0", " "), "the button")
    view = person.transcript.view
    person.transcript.jump_to_newest()
    await rest(0.1)
    chosen = list[str]()
    person.transcript.command_chosen.connect(chosen.append)
    found = view.document().find("Make an")
    click(view.viewport(), view.cursorRect(QTextCursor(found)).center())
    assert chosen == ["/dream-prompt init"]
    await person.answered()
    await person.say("/dream-restore")
    await until(lambda: "Run Dream now" in person.text.replace("\u00a0", " "), "the next buttons")
    view.setFocus()
    cursor = view.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    view.setTextCursor(cursor)
    person.press("Alt+Up")
    person.press("Return")
    await until(lambda: len(chosen) == 2, "Enter follows the link")
    assert chosen[1].startswith("/dream")


async def test_no_message_of_a_model_has_buttons(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    offered = {"_actions": [{"label": "Undo everything", "command": "/dream-restore"}]}
    transcript = person.transcript
    for index, more in enumerate(({}, {"_command": True}), 2):
        transcript.append_message(index, {"role": "assistant", "content": "Hello."} | offered | more)
    assert person.text.replace("\u00a0", " ").count("Undo everything") == 1
    chosen = list[str]()
    transcript.command_chosen.disconnect()
    transcript.command_chosen.connect(chosen.append)
    assert RunCommand(2, 0) not in actions_of(transcript)
    transcript.message_actions.run(RunCommand(2, 0))
    transcript.message_actions.run(RunCommand(3, 7))
    assert chosen == []
    click_action(transcript, RunCommand(3, 0))
    assert chosen == ["/dream-restore"]


async def test_a_difference_is_coloured_to_its_last_line(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    await person.say("/dream")
    await until(lambda: "Dream completed" in person.text, "the answer")
    await person.say("/dream-log")
    await until(lambda: "Dream Update" in person.text, "the change")
    document = person.transcript.transcript
    document.colouring.finish()
    lines = (document.document.findBlockByNumber(at) for at in range(document.document.blockCount()))
    added = [line for line in lines if line.text().startswith("+-")]
    assert added
    green = Theme.current().color("success")
    formats = [line.layout().formats() for line in added]
    assert [each[0].format.foreground().color() for each in formats] == [green] * len(added)


async def test_a_command_typed_in_full_is_sent_although_others_begin_like_it(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    person.type(person.composer.edit, "/dream")
    assert person.composer.edit.completer.isVisible()
    QTest.keyClick(person.composer.edit, Qt.Key.Key_Return)
    await until(lambda: "Dream completed" in person.text, "the answer")


async def test_the_change_of_a_run_is_shown_among_the_versions_and_the_guide_in_its_tab(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    pane = await pane_of(person)
    run = await person.bench.dreaming.run_now()
    assert run is not None
    # The card stands there while the run goes on, and is made anew with its end.
    await until(lambda: pane.cards and button(pane.cards[0], "Show change"), "the record")
    person.click("Show change", pane.cards[0])
    await until(lambda: person.window.memory.current.path in {"USER.md", "memory/MEMORY.md"}, "a file that was changed")
    body = person.window.memory.current.body
    await until(lambda: body.page == "versions" and body.versions.widget.list.chosen, "its versions")
    assert body.versions.widget.list.chosen[0].is_of_change(run.id)
    await pane_of(person)
    person.click("How Dream is guided", pane)
    await until(lambda: person.window.memory.current.path == "prompts/dream.md", "the guide")


async def test_a_run_that_was_taken_back_says_so_and_is_not_taken_back_again(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    run = await person.bench.dreaming.run_now()
    assert run is not None
    await person.bench.dreaming.undo(run.id, again=False)
    pane = await pane_of(person)
    await until(lambda: pane.cards and "declined" in words_in(pane.cards[0]), "that it was taken back")
    assert button(pane.cards[0], "Undo…") is None
    assert "entry 3 · declined" in person.history.view.sentence(0)


async def test_what_dream_changed_is_dreams_wherever_a_change_is_named(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    person.current.actions["pane.memory"].trigger()
    document = person.window.memory.show_file("USER.md")
    await until(lambda: document.editor.text(), "USER.md")
    person.type(document.editor, "Typed. ")
    await person.bench.dreaming.run_now()
    said = await person.until_said("USER.md was changed by Dream while you were typing", document)
    assert "Nothing of yours was touched" in said
    await until(lambda: "Dream, from entries 1 to 3" in document.body.strip.words.text(), "whose the last change is")


async def test_a_window_that_only_reads_offers_no_buttons_below_an_answer(stage: Stage) -> None:
    root = dreaming(stage)
    person = await stage.open()
    await person.say("/dream-prompt")
    await until(lambda: "Make an editable guide" in person.text.replace("\u00a0", " "), "the button")
    await person.close()
    reader = await stage.open(root, read_only=True)
    await until(lambda: "Dream Prompt" in reader.text, "the answer")
    assert "Make an editable guide" not in reader.text.replace("\u00a0", " ")


async def test_on_the_way_to_dream_and_back_entries_keep_their_messages(stage: Stage) -> None:
    entry = "Sam asked about the kiln."
    said = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]
    stage.make(*said, memory="# Memory\n", memoryWindow=2)
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(save_memory(entry, "# Memory\n"))))
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: any(text.endswith(entry) for text in person.entries()), "the entry in the history")
    (dated,) = person.entries()
    assert re.fullmatch(rf"\[\d{{4}}-\d\d-\d\d \d\d:\d\d\] {entry}", dated)
    await person.bench.dreaming.upgrade(dream_old=False)
    await person.bench.config.change(profile="dream")
    await until(lambda: person.entries() == [entry], "the entry in the journal")
    assert message_span(person) == (0, 3)
    await until(lambda: person.timeline.model.groups.records, "the entry's card in the timeline")
    person.timeline.view.entry_activated.emit(person.timeline.model.groups.records[0])
    await until(lambda: person.history.view.current == 0, "the entry brought into sight")
    await person.bench.config.change(profile="two-layer")
    await person.bench.dreaming.downgrade()
    await until(lambda: person.entries() == [dated], "the entry in HISTORY.md again")
    assert message_span(person) == (0, 3)


def message_span(person: Opened) -> tuple[int, int] | None:
    """Returns the messages the newest entry in the history was made from."""
    model = person.history.model
    record = model.origins.record_of(model.matches[0].entry)
    return (record.start, record.stop) if record else None
