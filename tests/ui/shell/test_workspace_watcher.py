"""A folder that goes and comes back is looked for until it is there, and no word about it is left behind."""

from __future__ import annotations

import os

from PySide6.QtWidgets import QWidget

from mnemoscope.store.files.atomic import ROOT_GONE
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from tests.ui.window_fixture import Opened, Stage, messages_on_disk, rest, sentences, tree, until, words_in

SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(40)]


async def opened(stage: Stage) -> Opened:
    stage.make(*SAID, memoryWindow=500)
    return await stage.open()


def said_in(window: QWidget, words: str) -> list[str]:
    """Returns the bars of a window that say these words, in whichever pane."""
    return [bar.sentence for bar in window.findChildren(NoticeBar) if bar.isVisible() and words in bar.sentence]


async def test_a_workspace_that_was_moved_away_is_not_built_anew(stage: Stage) -> None:
    person = await opened(stage)
    moved = stage.folder / "elsewhere"
    os.replace(stage.root, moved)
    before = tree(moved)
    person.send("Where am I?")
    await person.answered()
    await until(lambda: person.transcript.end.failure is not None, "that the message could not be written")
    await until(lambda: ROOT_GONE in " ".join(sentences(person.chat)), "that the folder is gone")
    assert not stage.root.exists()
    assert person.timeline.model.total == 40
    assert "Message 39." in person.text
    assert tree(moved) == before
    os.replace(moved, stage.root)
    await until(lambda: not said_in(person.window, ROOT_GONE), "that no bar says so")
    person.composer.set_draft("")
    await person.say("And now?")
    assert "And now?" in [one["content"] for one in messages_on_disk(stage.root)]


async def test_a_folder_that_was_gone_for_a_moment_leaves_no_word_behind(stage: Stage) -> None:
    """The message failed before anybody looked; the folder came back before that, too."""
    person = await opened(stage)
    moved = stage.folder / "elsewhere"
    os.replace(stage.root, moved)
    person.send("Where am I?")
    await person.answered()
    await until(lambda: said_in(person.window, ROOT_GONE), "that the folder is gone")
    os.replace(moved, stage.root)
    await until(lambda: not said_in(person.window, ROOT_GONE), "that no bar says so")
    assert person.composer.draft() == "Where am I?"


async def settled(person: Opened) -> None:
    """Everything on show is watched, and was looked at since."""
    await person.current.watcher.rescan()
    await until(lambda: person.current.watcher.is_settled, "that all is watched and looked at")


async def missed(person: Opened) -> None:
    """A message failed, and both bars say why."""
    person.send("Where am I?")
    await person.answered()
    await until(lambda: person.transcript.end.failure is not None, "that the message could not be written")
    await until(lambda: ROOT_GONE in " ".join(sentences(person.chat)), "that the folder is gone")


async def test_a_folder_that_goes_and_comes_back_while_all_is_quiet_leaves_no_word_behind(stage: Stage) -> None:
    """No watch is told that a folder above it was moved: the message that fails is the first to meet it."""
    person = await opened(stage)
    await settled(person)
    moved = stage.folder / "elsewhere"
    os.replace(stage.root, moved)
    await missed(person)
    os.replace(moved, stage.root)
    await until(lambda: not said_in(person.window, ROOT_GONE), "that no bar says so")
    await until(lambda: person.current.watcher.is_settled, "that nothing is looked for any more")
    assert person.composer.draft() == "Where am I?"


async def test_a_folder_is_looked_for_where_no_watch_tells_that_it_is_back(stage: Stage) -> None:
    person = await opened(stage)
    await settled(person)
    person.current.watcher._watcher.blockSignals(True)
    moved = stage.folder / "elsewhere"
    os.replace(stage.root, moved)
    await missed(person)
    os.replace(moved, stage.root)
    await until(lambda: not said_in(person.window, ROOT_GONE), "that no bar says so")


async def test_a_save_that_misses_the_folder_says_so_until_it_is_back(stage: Stage) -> None:
    person = await opened(stage)
    await settled(person)
    moved = stage.folder / "elsewhere"
    os.replace(stage.root, moved)
    person.type(person.memory.editor, "Beans. ")
    person.memory.save()
    await until(lambda: ROOT_GONE in " ".join(sentences(person.chat)), "that the folder is gone")
    await until(lambda: said_in(person.memory, ROOT_GONE), "that memory was not saved")
    os.replace(moved, stage.root)
    await until(lambda: not said_in(person.window, ROOT_GONE), "that no bar says so")


async def test_a_draft_that_missed_the_folder_is_kept_once_it_is_back(stage: Stage) -> None:
    person = await opened(stage)
    await settled(person)
    moved = stage.folder / "elsewhere"
    os.replace(stage.root, moved)
    person.type(person.composer.edit, "Half a thought")
    await until(lambda: "Drafts are not kept" in words_in(person.window), "that the draft is not kept")
    assert not list(moved.rglob("drafts/*.json"))
    os.replace(moved, stage.root)
    await until(lambda: "Drafts are not kept" not in words_in(person.window), "that drafts are kept again")
    kept = [file.read_text(encoding="utf-8") for file in stage.root.rglob("drafts/*.json")]
    assert any("Half a thought" in draft for draft in kept)


async def test_a_folder_that_took_the_place_of_the_workspace_is_left_alone(stage: Stage) -> None:
    person = await opened(stage)
    os.replace(stage.root, stage.folder / "elsewhere")
    stage.make(("user", "Of another workspace."))
    before = tree(stage.root)
    person.send("Where am I?")
    await person.answered()
    await until(lambda: "no longer there" in words_in(person.window), "that the folder is gone")
    await person.bench.rescan_files()
    await rest(1.0)
    assert tree(stage.root) == before
