"""What other programs do to the conversation on show: it is followed, and what they took away is said."""

import os
from pathlib import Path

import pytest

from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.session_files import line, metadata
from tests.ui.window_fixture import KEY, Opened, Stage, messages_on_disk, sentences, until

SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(40)]


async def opened(stage: Stage) -> tuple[Opened, Path]:
    stage.make(*SAID, memoryWindow=500)
    person = await stage.open()
    path = SessionManager(stage.root, read_only=True).path_of(KEY)
    assert path is not None
    return person, path


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
    person.current.watcher.close()
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
