"""Each model has a context size of its own, by its name and the address of its server."""

from __future__ import annotations

from typing import Any

import pytest

from mnemoscope.domain.settings import ContextSize, Settings, read_settings, setting_as_json

HERE, THERE = "http://127.0.0.1:8080", "http://127.0.0.1:9090"
SET = Settings(model="openai/large", api_base=HERE, context_window_tokens=32_000)


def test_the_size_of_one_model_does_not_hold_for_another() -> None:
    assert SET.context_size("openai/large") == 32_000
    assert SET.context_size("openai/small") == 0
    assert SET.context_size("openai/large", THERE) == 0


def test_another_model_brings_its_size_and_the_one_before_keeps_its_own() -> None:
    both = SET.with_context_size("openai/small", 4_096)
    small = both.with_model("openai/small")
    assert (small.model, small.api_base, small.context_window_tokens) == ("openai/small", HERE, 4_096)
    assert small.context_size("openai/large") == 32_000
    assert small.with_model("openai/large") == SET.with_context_size("openai/small", 4_096)


def test_a_model_without_a_size_leaves_none_behind() -> None:
    moved = SET.with_model("openai/unknown").with_model("openai/large")
    assert moved == SET


def test_the_same_model_at_another_address_is_another_one() -> None:
    moved = SET.with_model("", THERE)
    assert (moved.model, moved.context_window_tokens) == ("openai/large", 0)
    assert (
        moved.with_context_size("openai/large", 8_000).with_model("openai/large", HERE).context_window_tokens == 32_000
    )


def test_no_name_and_the_same_name_change_nothing() -> None:
    assert SET.with_model("") is SET
    assert SET.with_model(" openai/large ", HERE) is SET


def test_a_size_of_0_is_none_that_is_set() -> None:
    assert SET.with_context_size("openai/small", 4_096).with_context_size("openai/small", 0) == SET


def test_the_sizes_are_read_as_they_are_written() -> None:
    sizes = (ContextSize("openai/small", HERE, 4_096), ContextSize("ollama/tiny", "", 2_048))
    settings, complaints = read_settings({"mnemoscope": {"contextSizes": setting_as_json(sizes)}})
    assert settings.context_sizes == sizes
    assert complaints == []


@pytest.mark.parametrize(
    "wrong",
    [
        "4096",
        [4_096],
        [{"model": "a"}],
        [{"model": 1, "tokens": 4_096}],
        [{"model": "a", "tokens": 0}],
        [{"model": "a", "tokens": True}],
        [{"model": "a", "tokens": 200_000_000}],
        [{"model": "a", "apiBase": 1, "tokens": 4_096}],
    ],
)
def test_sizes_that_cannot_be_followed_are_named(wrong: Any) -> None:
    settings, complaints = read_settings({"mnemoscope": {"contextSizes": wrong}})
    assert settings.context_sizes == ()
    assert complaints == [
        "mnemoscope.contextSizes should be a list of models with their context sizes; the default is used."
    ]
