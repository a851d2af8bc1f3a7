"""The chip at the composer and the sentences behind it tell where words go, and where they go to nobody."""

import pytest

from mnemoscope.domain.settings import Settings
from mnemoscope.ui.shell.trust.trust_words import chip_words, whole_words


@pytest.mark.parametrize(
    ("settings", "chip", "sentence"),
    [
        (Settings(), "this computer", "The built-in model answers: your messages stay on this computer."),
        (Settings(model="openai/gpt-5"), "OpenAI", "Your messages, with what is remembered, go to OpenAI."),
        (
            Settings(model="local/wordllama", api_base="http://evil.example"),
            "nobody: local/wordllama only searches",
            "“local/wordllama” only searches by meaning and answers nothing: your messages are sent to nobody.",
        ),
        (
            Settings(dream_model="local/x"),
            "this computer · Dream: nobody: local/x only searches",
            "“local/x” only searches by meaning: Dream sends nothing, and cannot run with it.",
        ),
        (
            Settings(embedding_model="local/wordllama"),
            "this computer",
            "The built-in model answers: your messages stay on this computer.",
        ),
    ],
)
def test_where_words_go(settings: Settings, chip: str, sentence: str) -> None:
    assert chip_words(settings, waits=False) == chip
    words = whole_words(settings, waits=False)
    assert sentence in words
    assert "built-in" not in words or "built-in" in sentence or settings.dream_model


def test_what_waits_is_what_leaves() -> None:
    settings = Settings(model="local/x", embedding_model="openai/embed")
    assert chip_words(settings, waits=True) == "nobody: local/x only searches · search: OpenAI, once you agree"


def test_a_server_of_this_computer_is_one_in_few_words_too() -> None:
    settings = Settings(model="openai/x", api_base="http://127.0.0.1:8080")
    assert chip_words(settings, waits=False) == "a server on this computer"
    assert chip_words(settings, waits=False, brief=True) == "local server"
    assert chip_words(settings, waits=True, brief=True) == "local server, once you agree"
    assert "a server on this computer" in whole_words(settings, waits=False)
