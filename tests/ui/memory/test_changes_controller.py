"""MEMORY.md and its three writers: what each changed is shown with its origin, and everything can be taken back."""

import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.files.calls import FileCalls
from tests.support.full_disk import FullDisk
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import Opened, Stage, TwoMinds, press, rest, sentences, type_words, until, words_in

FACTS = "# User\n\n- Name is Sam\n- Deadline is 12 May\n"
LEARNT = FACTS + "- Likes tea\n"
ENTRY = "[2026-11-22 10:00] Sam spoke about tea."
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


def on_disk(stage: Stage) -> str:
    return stage.paths.memory_file.read_text("utf-8")


def write_outside(stage: Stage, text: str) -> None:
    fresh = stage.folder / "fresh.md"
    fresh.write_text(text, "utf-8")
    os.replace(fresh, stage.paths.memory_file)


async def edit_and_save(person: Opened, words: str) -> None:
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    type_words(person.memory.editor, words)
    person.press("Ctrl+S")
    await until(lambda: not person.memory.is_dirty(), "the text saved")


async def test_a_change_from_outside_is_shown_and_reverted_and_brought_back(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    person.press("Ctrl+2")
    write_outside(stage, LEARNT)
    await person.current.watcher.rescan()
    said = await person.until_said("MEMORY.md was changed outside", person.memory)
    assert "Another program" in said
    assert "+1" in said
    assert "what was there before is kept" in said
    person.click("Diff", person.memory)
    await until(lambda: "Likes tea" in person.memory.body.versions.widget.diff.text.toPlainText(), "what it changed")
    person.press("Esc")
    await until(lambda: person.memory.body.page == "text", "the text again")
    person.click("Revert", person.memory)
    await until(lambda: on_disk(stage) == FACTS, "the text before")
    await until(lambda: person.memory.editor.text() == FACTS, "the editor following")
    await person.until_said("Taken back: Another program", person.memory)
    person.click("Bring back", person.memory)
    await until(lambda: on_disk(stage) == LEARNT, "the change brought back")


async def test_a_change_from_outside_is_accepted(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    write_outside(stage, LEARNT)
    await person.current.watcher.rescan()
    await person.until_said("MEMORY.md was changed outside", person.memory)
    person.press("Ctrl+2")
    person.click("Accept", person.memory)
    assert not sentences(person.memory)
    assert on_disk(stage) == person.memory.editor.text() == LEARNT


@pytest.mark.parametrize("way", ["Restore last version", "Start empty"])
async def test_a_memory_file_that_is_missing_at_the_start_is_restored_or_left(stage: Stage, way: str) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    await edit_and_save(person, "- Likes tea")
    await person.close()
    stage.paths.memory_file.unlink()
    again = await stage.open()
    said = await again.until_said("MEMORY.md is missing", again.memory)
    assert "nothing is written until you decide" in said
    assert not stage.paths.memory_file.exists()
    page = again.memory.body.empty.sentence
    assert page.text() == "There is nothing in MEMORY.md now. Its last text is kept."
    assert not again.memory.is_dirty()
    assert "Saved" in words_in(again.window.status).split("\n")
    again.press("Ctrl+2")
    again.click(way, again.memory)
    if way == "Start empty":
        assert not sentences(again.memory)
        assert page.text() == "Memory is written after about 100 messages."
        await rest()
        assert not stage.paths.memory_file.exists()
    else:
        await until(lambda: again.memory.editor.text() == FACTS + "- Likes tea", "the last version")
        assert on_disk(stage) == FACTS + "- Likes tea"
        assert not sentences(again.memory)


async def test_a_hard_linked_memory_is_asked_about_and_nothing_is_parted_unasked(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    other = stage.folder / "the-other-name.md"
    os.link(stage.paths.memory_file, other)
    person = await stage.open()
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- Likes tea")
    person.press("Ctrl+S")
    said = await person.until_said("Nothing was written; your words are safe here.", person.memory)
    assert "MEMORY.md" in said
    assert other.samefile(stage.paths.memory_file)
    assert person.memory.is_dirty()
    person.click("Save as a file of its own", person.memory)
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    assert on_disk(stage) == FACTS + "- Likes tea"
    assert other.read_text("utf-8") == FACTS
    assert not sentences(person.memory)


async def test_ctrl_z_after_a_restart_takes_the_last_saved_change_back(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    await edit_and_save(person, "- Likes tea")
    await person.close()
    again = await stage.open()
    again.press("Ctrl+2")
    again.memory.editor.setFocus()
    await until(lambda: again.memory.can_undo_saved, "the changes")
    press(again.window, "Ctrl+Z")
    await until(lambda: on_disk(stage) == FACTS, "the text before the change")
    await until(lambda: again.memory.editor.text() == FACTS, "the editor following")
    await again.until_said("Taken back: In the editor", again.memory)


async def test_ctrl_z_once_more_takes_the_change_before_back_too(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    await edit_and_save(person, "- One\n")
    await edit_and_save(person, "Two\n")
    await person.close()
    again = await stage.open()
    again.press("Ctrl+2")
    again.memory.editor.setFocus()
    await until(lambda: again.memory.can_undo_saved, "the changes")
    editor = again.memory.editor
    again.press("Ctrl+Z")
    await until(lambda: "Two" not in on_disk(stage) + editor.text(), "the second change taken back")
    assert "One" in on_disk(stage)
    assert not again.memory.is_dirty()
    again.press("Ctrl+Z")
    await until(lambda: on_disk(stage) == editor.text() == FACTS, "the first change taken back too")
    assert not again.memory.is_dirty()
    await until(lambda: not again.memory.can_undo_saved, "nothing left to take back")
    again.press("Ctrl+Z")
    await rest()
    assert on_disk(stage) == editor.text() == FACTS


async def test_ctrl_z_within_the_editor_undoes_what_was_typed_first(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    await edit_and_save(person, "- Likes tea")
    press(person.window, "Ctrl+Z")
    await rest()
    assert on_disk(stage) == FACTS + "- Likes tea"
    assert person.memory.editor.text() != FACTS + "- Likes tea"


async def test_the_changes_are_listed_and_any_of_them_is_undone(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    # Enter twice: the list is left.
    await edit_and_save(person, "- Likes tea\n\n")
    write_outside(stage, on_disk(stage) + "- Likes cake\n")
    await person.current.watcher.rescan()
    await person.until_said("changed outside", person.memory)
    person.click("Versions", person.memory)
    view = person.memory.body.versions.widget
    await until(lambda: len(view.list.versions.rows) == 2, "both changes")
    assert view.list.versions.rows[0].author == "Outside"
    assert view.list.versions.rows[1].author == "You"
    press(person.window, "Down")
    await until(view.undo_button.isEnabled, "the texts of the older change")
    assert "Likes tea" in view.diff.text.toPlainText()
    person.click("Undo this change", person.memory)
    await until(lambda: on_disk(stage) == FACTS + "- Likes cake\n", "only the older change taken back")


async def conflicting(stage: Stage, calls: FileCalls | None = None) -> Opened:
    """Returns a consolidation rewords a bullet that the person reworded and saved meanwhile."""
    stage.make(("user", "The deadline has moved, it is now 16 May at noon."), *SAID[1:], memory=FACTS, memoryWindow=4)
    gate = Gate()
    reworded = FACTS.replace("12 May", "16 May at noon")
    minds = TwoMinds("Yes.", memory=ScriptedProvider([gate, save_memory(ENTRY, reworded)]))
    person = await stage.open(offline=minds, calls=calls or FileCalls())
    await person.say("When is it due?")
    await gate.reached.wait()
    person.press("Ctrl+2")
    person.memory.editor.replace_text(FACTS.replace("12 May", "14 May"))
    person.memory.save()
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    gate.open.set()
    await person.until_said("changed on both sides. Your wording stands", person.memory)
    return person


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("M", "- Deadline is 14 May\n"),
        ("T", "- Deadline is 16 May at noon\n"),
        ("B", "- Deadline is 14 May\n- Deadline is 16 May at noon\n"),
    ],
)
async def test_a_conflict_names_both_origins_and_one_key_settles_it(stage: Stage, key: str, line: str) -> None:
    person = await conflicting(stage)
    assert on_disk(stage) == FACTS.replace("12 May", "14 May")
    person.click("Review", person.memory)
    conflicts = person.memory.body.conflicts.widget
    await until(lambda: person.memory.body.page == "conflicts", "the conflict")
    assert "In the editor" in conflicts.mine.caption.text()
    assert "Consolidation of messages 1 to 4" in conflicts.theirs.caption.text()
    assert conflicts.mine.text.extraSelections()
    press(person.window, key)
    await until(lambda: not conflicts.waiting, "nothing left to settle")
    await until(lambda: on_disk(stage) == FACTS.replace("- Deadline is 12 May\n", line), "the line settled")
    assert person.memory.body.page == "text"
    await until(lambda: not sentences(person.memory), "the bar gone")


async def rewording(stage: Stage, disk: FullDisk | None = None) -> Opened:
    """Opens a window on a conflict, and types other words for it with the keyboard alone."""
    person = await conflicting(stage, disk)
    person.current.actions["memory.review"].trigger()
    await until(lambda: person.memory.body.page == "conflicts", "the conflict")
    press(person.window, "E")
    press(person.window, "Ctrl+A")
    QTest.keyClicks(person.window.focusWidget(), "- Deadline is 15 May, TBEM")
    return person


async def test_a_conflict_is_reworded_with_the_keyboard_alone(stage: Stage) -> None:
    person = await rewording(stage)
    press(person.window, "Ctrl+Return")
    await until(lambda: on_disk(stage) == FACTS.replace("12 May", "15 May, TBEM"), "the person's own wording")


async def test_a_wording_that_the_disk_refuses_is_gone_on_with_and_one_that_is_left_comes_back(stage: Stage) -> None:
    disk = FullDisk("intent.json")
    person = await rewording(stage, disk)
    conflicts = person.memory.body.conflicts.widget
    disk.is_full = True
    press(person.window, "Ctrl+Return")
    await person.until_said("What you typed is still here.", person.memory)
    await until(lambda: person.memory.body.page == "conflicts", "the words, once more")
    assert not conflicts.mine.text.isReadOnly()
    assert conflicts.mine.text.toPlainText() == "- Deadline is 15 May, TBEM"
    press(person.window, "Esc")
    assert conflicts.mine.text.isReadOnly()
    disk.is_full = False
    press(person.window, "E")
    press(person.window, "Ctrl+Return")
    await until(lambda: on_disk(stage) == FACTS.replace("12 May", "15 May, TBEM"), "the person's own wording")


async def test_forgotten_words_go_from_a_wording_that_is_not_saved(stage: Stage) -> None:
    person = await rewording(stage)
    press(person.window, "Esc")
    person.window.memory.take_out(ForgottenText.of("TBEM"))
    press(person.window, "E")
    assert person.memory.body.conflicts.widget.mine.text.toPlainText() == "- Deadline is 15 May, […]"


async def test_a_wording_of_a_passage_that_was_resolved_meanwhile_can_be_copied(stage: Stage) -> None:
    person = await rewording(stage)
    memory = person.current.bench.memory
    [held] = await person.current.bench.disk.run(memory.ledger.undecided)
    await memory.editing.settle_conflict(held.id, 0, "mine")
    press(person.window, "Ctrl+Return")
    await person.until_said("This proposal was decided already.", person.memory)
    assert not any("is still here" in each for each in sentences(person.memory))
    person.click("Copy what you typed", person.memory)
    assert QGuiApplication.clipboard().text() == "- Deadline is 15 May, TBEM"


async def test_a_wording_of_a_passage_that_changed_meanwhile_is_gone_on_with(stage: Stage) -> None:
    person = await rewording(stage)
    write_outside(stage, FACTS.replace("12 May", "13 May"))
    press(person.window, "Ctrl+Return")
    await person.until_said("What you typed is still here.", person.memory)
    words = person.memory.body.conflicts.widget.mine.text
    assert not words.isReadOnly()
    assert words.toPlainText() == "- Deadline is 15 May, TBEM"
    press(person.window, "Ctrl+Return")
    await until(lambda: on_disk(stage) == FACTS.replace("12 May", "15 May, TBEM"), "the person's own wording")


class CopiesAtTheCommit(FileCalls):
    """Real calls; right after an intent is committed the workspace is copied as a kill would leave it."""

    def __init__(self, root: Path, copy: Path) -> None:
        self._root, self._copy = root, copy

    def replace(self, source: str, target: str) -> None:
        super().replace(source, target)
        if target.endswith("intent.json") and not self._copy.exists():
            shutil.copytree(self._root, self._copy, ignore=shutil.ignore_patterns("search*"))


async def test_a_consolidation_from_before_a_crash_is_finished_shown_and_undone(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    copy = stage.folder / "after-kill"
    memory = ScriptedProvider(last=save_memory(ENTRY, LEARNT))
    person = await stage.open(offline=TwoMinds(memory=memory), calls=CopiesAtTheCommit(stage.root, copy))
    await person.bench.config.change(memory_window=2)
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: person.memory.editor.text() == LEARNT, "the new memory")
    await person.close()
    assert (copy / "memory" / "MEMORY.md").read_text("utf-8") == FACTS
    again = await stage.open(copy)
    said = await again.until_said("Finished saving memory from before the crash.", again.chat)
    assert "Nothing was lost or written twice." in said
    assert (copy / "memory" / "MEMORY.md").read_text("utf-8") == LEARNT
    again.click("Diff", again.chat)
    await until(lambda: "Likes tea" in again.memory.body.versions.widget.diff.text.toPlainText(), "what was finished")
    again.click("Undo", again.chat)
    await until(lambda: (copy / "memory" / "MEMORY.md").read_text("utf-8") == FACTS, "memory as before")
    await until(lambda: not sentences(again.chat), "the bar gone")


async def test_a_damaged_version_history_is_set_aside_and_said_and_begun_anew(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    await edit_and_save(person, "- Likes tea")
    await person.close()
    texts = list(stage.paths.own.text_versions_dir.iterdir())
    for path in texts:
        path.write_bytes(b"\xff\xfe")
    again = await stage.open()
    said = await again.until_said("The version history of memory was damaged", again.chat)
    assert f"{len(texts)} earlier texts" in said
    assert "MEMORY.md itself is as it was" in said
    assert "moved to quarantine in .mnemoscope/quarantine" in said
    assert again.memory.editor.text() == FACTS + "- Likes tea"
    await edit_and_save(again, ", and cake")
    assert on_disk(stage) == FACTS + "- Likes tea, and cake"
    await again.close()
    once_more = await stage.open()
    assert not sentences(once_more.chat)
