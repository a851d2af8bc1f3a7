"""A request that failed is retried while that may help, after a wait that the server or the number of tries says."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from mnemoscope.llm.failures import Failure
from mnemoscope.llm.model_process.model_request import RequestFailed, wait_before_retry

ASK = {"tries": 3, "longest_wait": 20.0}


class Announced(Exception):
    """The wait that was announced: it ends there, so that no test waits."""


def announced(failure: Failure, tries: int) -> object:
    """Returns what is announced after so many tries, before it is waited for."""

    def emit(part: Mapping[str, Any]) -> None:
        raise Announced(part)

    with pytest.raises(Announced) as caught:
        asyncio.run(wait_before_retry(ASK, tries, failure, emit))
    return caught.value.args[0]


def test_each_wait_is_twice_the_one_before() -> None:
    assert [announced(Failure("server"), tries) for tries in (1, 2)] == [
        {"waiting": 0.5, "reason": "server"},
        {"waiting": 1.0, "reason": "server"},
    ]


def test_a_server_is_waited_for_as_long_as_it_asks() -> None:
    assert announced(Failure("rate", retry_after=7.0), 1) == {"waiting": 7.0, "reason": "rate"}


@pytest.mark.parametrize(
    ("failure", "tries"),
    [(Failure("server"), 3), (Failure("rate", retry_after=20.5), 1), (Failure("key"), 1)],
    ids=["after the last try", "for a wait that is too long", "for a failure that another try cannot mend"],
)
def test_there_is_no_next_try(failure: Failure, tries: int) -> None:
    with pytest.raises(RequestFailed) as caught:
        asyncio.run(wait_before_retry(ASK, tries, failure, lambda part: None))
    assert caught.value.failure is failure
