"""The Dream pane in the window: what waits, a run, its record, taking it back, and the way from HISTORY.md."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.dream.run import DreamRun, DreamState, FileEdit, Spend
from mnemoscope.domain.settings import Settings
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.ui.dream.dream_pane import DreamPane, RunCard
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from tests.support.scripted_provider import Gate, ScriptedProvider, keeps_nothing
from tests.ui.window_fixture import Opened, Stage, TwoMinds, button, click, question, until, words_in

ENTRIES = ("- [permanent] Prefers green tea", "- [durable] Decided to use JWT", "- [ephemeral] Was tired")


def dreaming(stage: Stage, *entries: str) -> Path:
    """Returns a workspace in the dream profile, with entries that wait."""
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    config = {"mnemoscope": {"profile": "dream"}, "agents": {"defaults": {"dream": {"intervalH": 5}}}}
    (stage.root / "config.json").write_text(json.dumps(config), encoding="utf-8")
    journal = Journal(WorkspacePaths(stage.root))
    for entry in entries or ENTRIES:
        journal.append(entry)
    return stage.root


async def pane_of(person: Opened) -> DreamPane:
    person.press("Ctrl+5")
    await until(lambda: person.window.dream.built, "the Dream pane")
    pane = person.window.dream.widget
    assert isinstance(pane, DreamPane)
    return pane


async def press(pane: QWidget, words: str) -> None:
    await until(lambda: _button(pane, words) is not None, f"the button {words}")
    button = _button(pane, words)
    assert button is not None
    click(button)


def _button(pane: QWidget, words: str) -> QPushButton | None:
    found = (
        one for one in pane.findChildren(QPushButton) if one.text() == words and one.isVisible() and one.isEnabled()
    )
    return next(found, None)


async def asked() -> QDialog:
    """Returns the question, once it is on the screen."""
    await until(lambda: question() is not None, "the question")
    sheet = question()
    assert sheet is not None
    return sheet


async def answer(person: Opened, words: str) -> None:
    sheet = await asked()
    await press(sheet, words)


async def test_entries_wait_are_dreamed_and_leave_a_record(stage: Stage) -> None:
    root = dreaming(stage)
    person = await stage.open()
    pane = await pane_of(person)
    await until(lambda: "3 entries waiting" in words_in(pane), "what waits")
    assert "Next run" in words_in(pane)
    await press(pane, "Run now")
    await until(lambda: len(pane.cards) == 1, "the record")
    assert "Memory changed" in words_in(pane.cards[0])
    assert "entries 1 to 3" in words_in(pane.cards[0])
    await until(lambda: "Everything is dreamed" in words_in(pane), "the run's end")
    assert "Prefers green tea" in (root / "USER.md").read_text(encoding="utf-8")
    assert (root / "memory" / ".dream_cursor").read_text() == "3"


async def test_a_run_is_taken_back_and_its_entries_wait_again(stage: Stage) -> None:
    root = dreaming(stage)
    before = (root / "USER.md").read_text(encoding="utf-8") if (root / "USER.md").exists() else ""
    person = await stage.open()
    pane = await pane_of(person)
    await press(pane, "Run now")
    await until(lambda: len(pane.cards) == 1 and pane.head.run.isVisible(), "the record")
    await press(pane.cards[0], "Undo…")
    await answer(person, "Undo and dream again")
    await until(lambda: "3 entries waiting" in words_in(pane), "what waits again")
    assert (root / "USER.md").read_text(encoding="utf-8") == before


async def test_undo_below_the_text_of_what_dream_changed_asks_what_becomes_of_its_entries(stage: Stage) -> None:
    root = dreaming(stage, "- [durable] Decided to use JWT")
    before = (root / "memory" / "MEMORY.md").read_text("utf-8")
    person = await stage.open()
    assert await person.bench.dreaming.run_now() is not None
    changed = (root / "memory" / "MEMORY.md").read_text("utf-8")
    assert changed != before
    await until(lambda: person.memory.editor.text() == changed, "what Dream wrote")
    undo = person.memory.body.strip.undo_button
    await until(undo.isVisible, "the strip below the text")
    undo.click()
    await answer(person, "Cancel")
    await until(lambda: not person.current.memory.changes._under_way, "the end of the question")
    assert (root / "memory" / "MEMORY.md").read_text("utf-8") == changed
    undo.click()
    await answer(person, "Undo and dream again")
    await until(lambda: (root / "memory" / "MEMORY.md").read_text("utf-8") == before, "the memory as it was")
    assert (await person.bench.dreaming.state()).waiting == 1


async def test_the_keyboard_goes_to_what_can_be_pressed(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    pane = await pane_of(person)
    await until(lambda: person.window.focusWidget() is pane.head.run, "Run now")
    await press(pane, "Run now")
    run = pane.head.run
    # While it runs the button is not in sight; off, but in sight, it is once all was read.
    await until(lambda: len(pane.cards) == 1 and run.isVisible() and not run.isEnabled(), "the run's end")
    person.composer.edit.setFocus()
    person.press("Ctrl+5")
    await until(lambda: person.window.focusWidget() is pane.cards[0], "the keyboard at the record, not at Pause")


async def test_the_keyboard_goes_to_the_offer_where_dream_is_not_in_use(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    person = await stage.open()
    pane = await pane_of(person)
    await until(lambda: person.window.focusWidget() is pane.introduction.use, "the keyboard at Use Dream here…")


async def test_dream_can_be_paused_and_goes_on(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    pane = await pane_of(person)
    await press(pane, "Pause")
    await until(lambda: "Paused" in words_in(pane), "the pause")
    await press(pane, "Resume")
    await until(lambda: "Next run" in words_in(pane), "the next run")


async def test_a_two_layer_workspace_is_offered_the_way_to_dream(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    history = stage.root / "memory" / "HISTORY.md"
    history.parent.mkdir(exist_ok=True)
    history.write_text("[2026-03-01 10:00] First.\n\n[2026-03-02 10:00] Second.\n\n", encoding="utf-8")
    person = await stage.open()
    pane = await pane_of(person)
    await press(pane, "Use Dream here…")
    sheet = await asked()
    words = words_in(sheet)
    assert "2 entries of HISTORY.md go to memory/history.jsonl, numbered 1 to 2" in words
    assert "kept as memory/HISTORY.md.bak" in words
    assert "First: entry 1 · 1 March 2026, 10:00" in words
    assert "First." in words
    assert "Last: entry 2 · 2 March 2026, 10:00" in words
    assert "Second." in words
    assert "no date" not in words
    assert not (stage.root / "memory" / "history.jsonl").exists()
    await answer(person, "Take them over, read only new ones")
    await until(lambda: person.current.bench.settings.profile == "dream", "the profile")
    await until(lambda: "No entry waits" in words_in(pane), "the state")
    assert not history.exists()
    assert history.with_name("HISTORY.md.bak").exists()
    assert len(Journal(WorkspacePaths(stage.root)).after(0).entries) == 2


async def test_where_entries_wait_the_way_that_leaves_the_old_ones_out_is_closed_and_says_why(stage: Stage) -> None:
    root = dreaming(stage)
    (root / "memory" / "HISTORY.md").write_text("[2026-03-01 10:00] First.\n\n", "utf-8")
    person = await stage.open()
    await person.bench.config.change(profile="two-layer")
    person.current.actions["dream.profile"].trigger()
    sheet = await asked()
    assert "3 entries of history.jsonl wait for Dream, which reads in order" in words_in(sheet)
    left_out = button(sheet, "Take them over, read only new ones")
    assert left_out is not None
    assert not left_out.isEnabled()
    sheet.reject()
    person.current.actions["dream.run"].trigger()
    await until(lambda: Journal(WorkspacePaths(root)).dream_cursor().value == 3, "what waited to be read")
    person.current.actions["dream.profile"].trigger()
    await answer(person, "Take them over, read only new ones")
    await until(lambda: person.bench.settings.profile == "dream", "the profile")
    assert (await person.bench.dreaming.state()).waiting == 0


async def test_the_preview_counts_on_says_what_has_no_date_and_shows_no_more_than_a_line(stage: Stage) -> None:
    root = dreaming(stage, "Spoke about tea.")
    long = "**Bold** <b>words</b> " + "and many more " * 40
    (root / "memory" / "HISTORY.md").write_text(
        f"{long}\n\n[2026-03-02 10:00] Then.\n\n[2026-03-03 10:00] The last.\n\n", "utf-8"
    )
    person = await stage.open()
    await person.bench.config.change(profile="two-layer")
    person.current.actions["dream.profile"].trigger()
    sheet = await asked()
    words = words_in(sheet)
    assert "3 entries of HISTORY.md go to memory/history.jsonl, numbered 2 to 4" in words
    assert "1 entries have no date and get that of the file." in words
    assert "First: entry 2 ·" in words
    assert "Bold <b>words</b> and many more" in words
    assert "Last: entry 4 · 3 March 2026, 10:00" in words
    assert "The last." in words
    assert "Then." not in words
    (line,) = (one for one in sheet.findChildren(ElidedLabel) if one.text().startswith("Bold"))
    assert len(line.text()) <= 161
    assert line.text().endswith("…")
    assert line.height() < 2 * line.fontMetrics().lineSpacing()
    assert sheet.width() <= person.window.width()
    await answer(person, "Cancel")


async def test_a_single_old_entry_is_shown_once(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    stage.paths.history_file.write_text("[2026-03-01 10:00] Only this.\n\n", encoding="utf-8")
    person = await stage.open()
    person.current.actions["dream.profile"].trigger()
    sheet = await asked()
    assert "go to memory/history.jsonl, as number 1; HISTORY.md" in words_in(sheet)
    assert [one.text() for one in sheet.findChildren(ElidedLabel)] == ["Only this."]
    await answer(person, "Cancel")


async def test_a_journal_that_cannot_be_read_is_said_and_no_profile_is_changed(stage: Stage) -> None:
    root = dreaming(stage)
    person = await stage.open()
    (root / "memory" / "history.jsonl").unlink()
    (root / "memory" / "history.jsonl").mkdir()
    person.current.actions["dream.leave"].trigger()
    await person.until_said("The history log could not be read", person.chat)
    assert question() is None
    assert person.bench.settings.profile == "dream"


async def test_the_way_back_says_how_much_dream_has_not_read(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    unread = "3 entries that Dream has not read stay in HISTORY.md, and are not dreamed."
    person.current.actions["dream.leave"].trigger()
    await until(lambda: question() is not None, "the question")
    asked = question()
    assert asked is not None
    assert unread in words_in(asked)
    await answer(person, "Cancel")
    await until(lambda: question() is None, "the question gone")
    await person.bench.dreaming.run_now()
    person.current.actions["dream.leave"].trigger()
    await until(lambda: question() is not None, "the question again")
    again = question()
    assert again is not None
    assert "has not read" not in words_in(again)
    await answer(person, "Cancel")


async def test_the_way_back_keeps_every_entry(stage: Stage) -> None:
    root = dreaming(stage)
    person = await stage.open()
    await pane_of(person)
    person.current.actions["dream.leave"].trigger()
    await answer(person, "Go back to HISTORY.md")
    # The journal is moved aside last: by then HISTORY.md has all of it.
    await until((root / "memory" / "history.jsonl.bak").exists, "the journal, kept")
    text = (root / "memory" / "HISTORY.md").read_text(encoding="utf-8")
    assert [entry in text for entry in ENTRIES] == [True] * 3
    assert person.current.bench.settings.profile == "two-layer"


async def test_a_profile_is_not_left_half_way_while_dream_is_at_work(stage: Stage) -> None:
    root, gate = dreaming(stage), Gate()
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider([gate, keeps_nothing()])))
    pane = await pane_of(person)
    await press(pane, "Run now")
    await gate.reached.wait()
    person.current.actions["dream.leave"].trigger()
    await answer(person, "Go back to HISTORY.md")
    await person.until_said("Dream is at work")
    assert person.current.bench.settings.profile == "dream"
    assert (root / "memory" / "history.jsonl").exists()
    gate.open.set()
    await until(lambda: len(pane.cards) == 1, "the record")


def test_a_card_tells_how_the_model_was_asked_what_was_cleaned_and_why_nothing_could_be_used(qtbot: QtBot) -> None:
    asked = {"asked": ("tool", "schema"), "cleaned": ("control-characters",)}
    run = DreamRun(
        "r1", "2026-04-03T12:00:00", 4.0, "manual", "small", 1, 2, 2, 3, Spend(), "unusable", "It was prose."
    )
    card = RunCard(replace(run, **asked), datetime(2026, 4, 3, 12, 1), read_only=False)  # type: ignore[arg-type]
    qtbot.addWidget(card)
    words = [label.text() for label in card.findChildren(QLabel)]
    assert "No usable answer" in words
    assert "It was prose." in words
    assert "Asked by tool call, then by JSON schema; control characters removed" in words


async def test_the_keyboard_goes_from_run_now_to_stop_and_on_to_the_record(qtbot: QtBot) -> None:
    pane, now = DreamPane(), datetime(2026, 4, 3, 12, 1)
    qtbot.addWidget(pane)
    pane.show()
    waits, settings = DreamState(enabled=True, waiting=1), Settings(profile="dream")
    pane.show_state(waits, now, settings)
    pane.head.run.setFocus()
    pane.show_state(replace(waits, running=True), now, settings)
    assert pane.focusWidget() is pane.head.stop
    failed = DreamRun("0", "2026-04-03T12:00:00", 4.0, "manual", "small", 1, 2, 2, 3, Spend(), "failed")
    pane.show_state(replace(waits, runs=(failed,)), now, settings)
    assert pane.focusWidget() is pane.head.run, "it can be tried again"
    pane.show_state(replace(waits, running=True, runs=(failed,)), now, settings)
    done = replace(failed, id="1", outcome="changed")
    pane.show_state(DreamState(enabled=True, runs=(done, failed)), now, settings)
    assert pane.focusWidget() is pane.cards[0], "Pause is nothing that anybody went to"


async def test_tab_comes_to_one_record_of_a_run_and_the_arrow_keys_to_the_others(qtbot: QtBot) -> None:
    pane = DreamPane()
    qtbot.addWidget(pane)
    pane.resize(420, 500)
    pane.show()
    scroll = pane.findChildren(QScrollArea)[0]
    assert scroll.focusPolicy() == Qt.FocusPolicy.StrongFocus, "what is only read is scrolled by keys"
    edits = (FileEdit("memory/MEMORY.md", 1, 0),)
    run = DreamRun("0", "2026-04-03T12:00:00", 4.0, "manual", "small", 1, 2, 2, 3, Spend(), "changed", edits=edits)
    runs = tuple(replace(run, id=str(number)) for number in range(12))
    pane.show_state(DreamState(enabled=True, runs=runs), datetime(2026, 4, 3, 12, 1), Settings(profile="dream"))
    first, second, *_, last = pane.cards
    await until(lambda: last.isVisible() and first.visibleRegion().boundingRect().height() > 9, "the records")

    def stops() -> list[QWidget]:
        cards = [each for card in pane.cards for each in (card, *card.findChildren(QPushButton))]
        return [each for each in cards if each.focusPolicy() & Qt.FocusPolicy.TabFocus]

    assert scroll.focusPolicy() == Qt.FocusPolicy.NoFocus
    assert stops() == [first, *first.findChildren(QPushButton)]
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert second.hasFocus()
    assert stops() == [second, *second.findChildren(QPushButton)]
    QTest.keyClick(second, Qt.Key.Key_End)
    assert last.hasFocus()
    assert not last.visibleRegion().isEmpty(), "it is scrolled to"
    QTest.keyClick(last, Qt.Key.Key_Down)
    assert last.hasFocus()
    QTest.keyClick(last, Qt.Key.Key_Home)
    assert first.hasFocus()
    QTest.keyClick(first, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert last.hasFocus()
    QTest.keyClick(last, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert first.hasFocus()
    click(second.findChildren(QPushButton)[0])
    assert second in stops(), "where a button was pressed Tab goes on"


def unread(root: Path, **dream: object) -> None:
    """Puts a workspace into the dream profile in which no entry waits and nothing was ever read."""
    config = {"mnemoscope": {"profile": "dream"}, "agents": {"defaults": {"dream": dream}}}
    (root / "config.json").write_text(json.dumps(config), encoding="utf-8")


async def test_before_the_first_run_the_pane_says_what_will_happen_when_and_what_it_costs(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    unread(stage.root, intervalH=5, modelOverride="acme/large", maxTokensPerDay=40_000)
    person = await stage.open()
    pane = await pane_of(person)
    await until(pane.introduction.isVisible, "the introduction")
    said = words_in(pane)
    assert "No entry waits" in said
    assert "Everything is dreamed" not in said
    assert "waits for your review" in said
    assert "Every 5 hours" in said
    assert "It asks large: by itself at most 40,000 tokens a day." in said
    # There is nothing to run, and Dream is in use already.
    assert not pane.head.run.isVisible()
    assert not pane.introduction.use.isVisible()
    assert pane.guide.isVisible()


async def test_after_the_first_run_nothing_is_introduced_any_more(stage: Stage) -> None:
    dreaming(stage)
    person = await stage.open()
    pane = await pane_of(person)
    await until(pane.introduction.isVisible, "the introduction")
    await press(pane, "Run now")
    await until(lambda: len(pane.cards) == 1, "the record")
    await until(lambda: not pane.introduction.isVisible(), "the records alone")


async def test_three_tiers_are_not_said_to_rewrite_memory(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    (stage.root / "config.json").write_text(json.dumps({"mnemoscope": {"profile": "three-tier"}}), encoding="utf-8")
    person = await stage.open()
    pane = await pane_of(person)
    await until(pane.introduction.use.isVisible, "the way to Dream")
    assert "nothing is summed up" in words_in(pane)
    assert "rewrites MEMORY.md" not in words_in(pane)


class Elapsed(QElapsedTimer):
    """A clock that says what it is told."""

    milliseconds = 0

    def elapsed(self) -> int:
        return self.milliseconds


def test_a_run_that_takes_a_while_says_for_how_long(qtbot: QtBot) -> None:
    pane = DreamPane()
    qtbot.addWidget(pane)
    running = DreamState(enabled=True, running=True, waiting=1)
    clock = Elapsed()
    clock.milliseconds = 9_999
    pane.head.show_begun(1, 1, clock)
    pane.head.show_state(running, datetime(2026, 1, 2))
    assert pane.head.waiting.text() == "Dream is reading"
    clock.milliseconds = 10_000
    pane.head.show_state(running, datetime(2026, 1, 2))
    assert pane.head.waiting.text() == "Dream is reading · 10 s"
    pane.head.show_state(replace(running, running=False), datetime(2026, 1, 2))
    assert "reading" not in pane.head.waiting.text()
