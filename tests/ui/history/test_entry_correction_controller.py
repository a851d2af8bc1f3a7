"""An entry is corrected in the history itself: by its menu and a key, and the cards of the timeline follow."""

from __future__ import annotations

from mnemoscope.domain.memory.file_registry import HISTORY_PATH
from mnemoscope.domain.memory.history_entries import HistoryEntry
from mnemoscope.ui.history.entry_correction_dialog import EntryCorrectionDialog
from mnemoscope.ui.history.history_words import standing_label
from mnemoscope.ui.widgets.dialogs.question import Question
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import Opened, Stage, TwoMinds, button, click, press, sentences, type_words, until

LOG = "[2026-01-01 10:00] Rent is 940 pounds.\n\n[2026-01-02 10:00] Rent is 940 pounds.\n\n"


async def opened(stage: Stage, *, read_only: bool = False) -> Opened:
    stage.make()
    stage.paths.history_file.write_text(LOG, "utf-8")
    person = await stage.open(read_only=read_only)
    person.window.inspector.show("history")
    await until(lambda: len(person.window.history.model.matches) == 2, "the entries")
    person.window.history.view.setFocus()
    return person


async def dialog_of(person: Opened) -> EntryCorrectionDialog:
    await until(lambda: person.current.corrections.dialog is not None, "the words of the entry")
    dialog = person.current.corrections.dialog
    assert dialog is not None
    return dialog


def said(stage: Stage) -> str:
    return (stage.root / HISTORY_PATH).read_text("utf-8")


async def test_the_chosen_one_of_two_that_say_the_same_is_corrected_by_keys_and_undone(stage: Stage) -> None:
    person = await opened(stage)
    view = person.window.history.view
    view.choose(1)
    press(view, "F2")
    dialog = await dialog_of(person)
    await until(dialog.edit.hasFocus, "the keyboard in the words")
    press(dialog.edit, "Ctrl+A")
    type_words(dialog.edit, "Rent is 980 pounds.")
    press(dialog.edit, "Ctrl+Return")
    await until(lambda: said(stage) == LOG.replace("940", "980", 1), "the older entry corrected")

    def entry() -> HistoryEntry:
        return view.model.matches[1].entry

    await until(lambda: "980" in entry().text and "corrected" in standing_label(view.model, entry()), "the card")
    assert "corrected" in view.sentence(1)
    assert view.current == 1, "the keyboard stays at it"
    assert "The entry is corrected." in sentences(person.window.chat)
    menu = view.entry_menu(1)
    undo = next(each for each in menu.actions() if each.text() == "Undo the correction")
    undo.trigger()
    menu.close()
    await until(lambda: said(stage) == LOG, "the words before")
    await until(lambda: standing_label(view.model, entry()) == "", "the card without the mark")


async def test_the_bar_that_says_it_leads_back(stage: Stage) -> None:
    person = await opened(stage)
    person.window.history.view.choose(0)
    press(person.window.history.view, "F2")
    dialog = await dialog_of(person)
    dialog.edit.setPlainText("Rent is 1 pound.")
    click(dialog.save)
    await until(lambda: "Rent is 1 pound." in said(stage), "the correction")
    await until(lambda: button(person.window.chat, "Undo") is not None, "the way back")
    person.click("Undo", person.window.chat)
    await until(lambda: said(stage) == LOG, "the words before")


async def test_words_that_are_not_saved_are_asked_about(stage: Stage) -> None:
    person = await opened(stage)
    press(person.window.history.view, "F2")
    dialog = await dialog_of(person)
    dialog.edit.setPlainText("Something else")
    press(dialog, "Escape")
    await until(lambda: dialog.findChildren(Question), "the question")
    [asked] = dialog.findChildren(Question)
    keep = button(asked, "Keep writing")
    assert keep is not None
    click(keep)
    await until(lambda: not dialog.findChildren(Question), "the end of the question")
    assert dialog.isVisible()
    assert dialog.words == "Something else"
    dialog.edit.setPlainText(dialog.entry.words)
    press(dialog, "Escape")
    await until(lambda: person.current.corrections.dialog is None, "the end of the dialog")
    assert said(stage) == LOG


async def test_what_was_changed_outside_meanwhile_is_said_and_the_words_stay(stage: Stage) -> None:
    person = await opened(stage)
    press(person.window.history.view, "F2")
    dialog = await dialog_of(person)
    theirs = LOG.replace("940", "960")
    stage.paths.history_file.write_text(theirs, "utf-8")
    dialog.edit.setPlainText("Rent is 980 pounds.")
    click(dialog.save)
    await until(lambda: "changed meanwhile" in dialog.trouble.text(), "why not")
    assert dialog.words == "Rent is 980 pounds."
    assert said(stage) == theirs
    dialog.discard()


async def test_where_nothing_may_be_written_nothing_is_offered(stage: Stage) -> None:
    person = await opened(stage, read_only=True)
    view = person.window.history.view
    view.choose(0)
    assert not view.correct(0)
    menu = view.entry_menu(0)
    assert "Correct…" not in [each.text() for each in menu.actions()]
    menu.close()


async def test_its_card_and_its_messages_stay_with_a_corrected_entry_in_either_log(
    stage: Stage,
) -> None:
    entry = "Sam asked about the kiln."
    turns = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]
    stage.make(*turns, memory="# Memory\n", memoryWindow=2)
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(save_memory(entry, "# Memory\n"))))
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: person.timeline.model.groups.records, "the entry's card in the timeline")

    async def corrected(before: str, after: str) -> None:
        view = person.window.history.view
        await until(lambda: any(before in each for each in person.entries()), "the entry")
        view.correct(0)
        dialog = await dialog_of(person)
        dialog.edit.setPlainText(dialog.words.replace(before, after))
        click(dialog.save)
        await until(lambda: any(after in each for each in person.entries()), "the corrected entry")
        await until(lambda: after in person.timeline.model.groups.records[0].entry, "the card")
        record = view.model.origins.record_of(view.model.matches[0].entry)
        assert record is not None
        assert (record.start, record.stop) == (0, 3)

    await corrected("Sam", "Kim")
    await person.bench.dreaming.upgrade(dream_old=False)
    await person.bench.config.change(profile="dream")
    await until(lambda: person.entries() == ["Kim asked about the kiln."], "the entry in the journal")
    await corrected("kiln", "loom")
    await person.bench.config.change(profile="two-layer")
    await person.bench.dreaming.downgrade()
    await until(lambda: person.entries()[0].endswith("] Kim asked about the loom."), "the entry in HISTORY.md again")
    await corrected("loom", "wheel")
