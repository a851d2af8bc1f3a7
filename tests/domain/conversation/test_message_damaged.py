"""A damaged record gives back the words that can still be read, and never an error."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.conversation.message import SalvagedRecord, salvage

WHOLE = json.dumps({"role": "user", "content": 'Tea, “green”\nand \\ a "quote" — ü', "timestamp": "2026"})


def test_a_whole_record_gives_its_role_and_words() -> None:
    assert salvage(WHOLE.encode()) == SalvagedRecord("user", 'Tea, “green”\nand \\ a "quote" — ü')


@pytest.mark.parametrize("stop", range(len(WHOLE)))
def test_a_record_cut_off_anywhere_gives_the_beginning_of_its_words(stop: int) -> None:
    words = str(json.loads(WHOLE)["content"])
    assert words.startswith(salvage(WHOLE[:stop].encode()).words)


def test_a_record_cut_off_in_its_words_keeps_most_of_them() -> None:
    stop = WHOLE.index("quote")
    assert salvage(WHOLE[:stop].encode()).words.startswith("Tea, “green”\nand \\ a ")


@given(st.binary(max_size=200))
def test_any_bytes_give_some_answer(data: bytes) -> None:
    assert isinstance(salvage(b'{"role": "user", "content": "' + data).words, str)
    assert isinstance(salvage(data).words, str)
