"""Runs the state machine for a short while; `python -m tests.proof.machine` goes on for longer."""

import logging
from collections.abc import Iterator

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.proof.machine import Machine, profile


@pytest.fixture
def no_log() -> Iterator[None]:
    """Yields a killed process has no log."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.slow
# The tasks of a process that was killed end where they stood.
@pytest.mark.may_leave("tasks")
@pytest.mark.usefixtures("no_log")
def test_nothing_is_lost_or_doubled_whatever_happens_in_whatever_order() -> None:
    run_state_machine_as_test(Machine, settings=profile(examples=20, steps=30))
