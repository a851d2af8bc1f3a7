"""The person's messages in a chat of any shape."""

import json

import pytest

from mnemoscope.domain.conversation.pasted_chat import MOST, messages_of_chat


def test_paragraphs_are_messages_where_nobody_is_named() -> None:
    assert messages_of_chat("I prefer tea\nwith milk\n\n\nMy name is Ann\r\n") == [
        "I prefer tea\nwith milk",
        "My name is Ann",
    ]


@pytest.mark.parametrize("person", ["You: ", "**User:** ", "user:", "Human: ", "我：", "Я: "])
def test_only_the_persons_words_are_taken_where_speakers_are_named(person: str) -> None:
    chat = f"{person}I prefer tea\nwith milk\nAssistant: My name is Ann\nand more\n{person}bye"
    assert messages_of_chat(chat) == ["I prefer tea\nwith milk", "bye"]


def test_what_stands_before_the_first_speaker_is_nobodys() -> None:
    assert messages_of_chat("A chat of ours\nYou: hello") == ["hello"]


def test_a_session_gives_the_persons_messages_without_commands() -> None:
    rows = [
        {"_type": "metadata", "key": "cli:direct"},
        {"role": "user", "content": "I prefer tea"},
        {"role": "assistant", "content": "My name is Ann"},
        {"role": "user", "content": "/help", "_command": True},
        {"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": "I like rain"}]}},
    ]
    text = "\n".join([*map(json.dumps, rows), "{broken", "not json"])
    assert messages_of_chat(text) == ["I prefer tea", "I like rain"]


def test_there_is_an_end_to_a_chat() -> None:
    assert len(messages_of_chat("a\n\n" * (MOST + 5))) == MOST


@pytest.mark.parametrize("text", ["", "\n \n", "{}", "[" * 50_000])
def test_nothing_is_made_of_nothing(text: str) -> None:
    assert [each for each in messages_of_chat(text) if each[:1] != "["] == []
