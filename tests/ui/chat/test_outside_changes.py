"""What other programs do to the conversation on show: it is followed, and what they took away is said."""

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from mnemoscope.store.files.atomic import ROOT_GONE
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from tests.support.session_files import line, metadata
from tests.ui.window_fixture import KEY, Opened, Stage, messages_on_disk, rest, sentences, tree, until, words_in

SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(40)]


async def opened(stage: Stage) -> tuple[Opened, Path]:
    stage.make(*SAID, memoryWindow=500)
    person = await stage.open()
    path = SessionManager(stage.root, read_only=True).path_of(KEY)
    assert path is not None
    return person, path


def said_in(window: QWidget, words: str) -> list[str]:
    """Returns the bars of a window that say these words, in whichever pane."""
    return [bar.sentence for bar in window.findChildren(NoticeBar) if bar.isVisible() and words in bar.sentence]


async def shows(person: Opened, count: int) -> None:
    await until(lambda: person.timeline.model.total == count, f"{count} rows, not {person.timeline.model.total}")
    await until(lambda: person.current.conversation.session is not None, "the conversation")
    person.window.grab()


async def test_a_pointer_another_program_moves_moves_in_the_timeline(stage: Stage) -> None:
    person, path = await opened(stage)
    with path.open("ab") as file:
        file.write(line(metadata(last_consolidated=22)))
    await until(lambda: person.timeline.model.pointer == 22, "the pointer")


async def test_a_conversation_another_program_shortens_is_shown_as_it_is_now(stage: Stage) -> None:
    person, path = await opened(stage)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:11]))
    sentence = await person.until_said("10 of 40 messages are left", person.chat)
    assert "history log" in sentence
    await shows(person, 10)
    assert "Message 9." in person.text
    assert "Message 39." not in person.text


async def test_a_conversation_replaced_by_a_longer_one_is_shown_anew(stage: Stage) -> None:
    person, path = await opened(stage)
    other = SessionManager(stage.folder / "other").get_or_create(KEY)
    for number in range(60):
        other.add_message("user", f"Other {number}.")
    SessionManager(stage.folder / "other").save(other)
    os.replace(stage.folder / "other" / "sessions" / path.name, path)
    await person.until_said("replaced the messages", person.chat)
    await shows(person, 60)
    assert "Other 59." in person.text
    assert "Message" not in person.text


async def test_a_conversation_removed_from_outside_says_so_and_goes_on_in_a_new_file(stage: Stage) -> None:
    person, path = await opened(stage)
    path.unlink()
    sentence = await person.until_said("which held 40 messages", person.chat)
    assert "begins a new file" in sentence
    await shows(person, 0)
    await person.say("What now?")
    assert messages_on_disk(stage.root)[0]["content"] == "What now?"
    await shows(person, len(messages_on_disk(stage.root)))


@pytest.mark.parametrize("words", ["Are you there?"])
async def test_what_is_found_only_while_sending_is_said_too(stage: Stage, words: str) -> None:
    person, path = await opened(stage)
    person.current.memory.close()
    path.unlink()
    await person.say(words)
    await person.until_said("which held 40 messages", person.chat)
    on_disk = messages_on_disk(stage.root)
    assert on_disk[0]["content"] == words
    await shows(person, len(on_disk))
    assert words in person.text


async def test_what_a_program_rewrites_unchanged_is_no_news(stage: Stage) -> None:
    person, path = await opened(stage)
    data = path.read_bytes()
    other = path.with_suffix(".new")
    other.write_bytes(data + line({"role": "user", "content": "From there.", "timestamp": "2026-12-01T09:00:00"}))
    os.replace(other, path)
    await until(lambda: "From there." in person.text, "the new message")
    assert "Another program" not in " ".join(sentences(person.chat))


async def test_a_workspace_that_was_moved_away_is_not_built_anew(stage: Stage) -> None:
    person, _ = await opened(stage)
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
    person, _ = await opened(stage)
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
    await person.current.memory.rescan()
    await until(lambda: person.current.memory.is_settled, "that all is watched and looked at")


async def missed(person: Opened) -> None:
    """A message failed, and both bars say why."""
    person.send("Where am I?")
    await person.answered()
    await until(lambda: person.transcript.end.failure is not None, "that the message could not be written")
    await until(lambda: ROOT_GONE in " ".join(sentences(person.chat)), "that the folder is gone")


async def test_a_folder_that_goes_and_comes_back_while_all_is_quiet_leaves_no_word_behind(stage: Stage) -> None:
    """No watch is told that a folder above it was moved: the message that fails is the first to meet it."""
    person, _ = await opened(stage)
    await settled(person)
    moved = stage.folder / "elsewhere"
    os.replace(stage.root, moved)
    await missed(person)
    os.replace(moved, stage.root)
    await until(lambda: not said_in(person.window, ROOT_GONE), "that no bar says so")
    await until(lambda: person.current.memory.is_settled, "that nothing is looked for any more")
    assert person.composer.draft() == "Where am I?"


async def test_a_folder_is_looked_for_where_no_watch_tells_that_it_is_back(stage: Stage) -> None:
    person, _ = await opened(stage)
    await settled(person)
    person.current.memory._watcher.blockSignals(True)
    moved = stage.folder / "elsewhere"
    os.replace(stage.root, moved)
    await missed(person)
    os.replace(moved, stage.root)
    await until(lambda: not said_in(person.window, ROOT_GONE), "that no bar says so")


async def test_a_save_that_misses_the_folder_says_so_until_it_is_back(stage: Stage) -> None:
    person, _ = await opened(stage)
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
    person, _ = await opened(stage)
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
    person, _ = await opened(stage)
    os.replace(stage.root, stage.folder / "elsewhere")
    stage.make(("user", "Of another workspace."))
    before = tree(stage.root)
    person.send("Where am I?")
    await person.answered()
    await until(lambda: "no longer there" in words_in(person.window), "that the folder is gone")
    await person.bench.rescan_files()
    await rest(1.0)
    assert tree(stage.root) == before
