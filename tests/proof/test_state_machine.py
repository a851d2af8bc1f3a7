"""A short run of the state machine; `python -m tests.proof.machine` goes on for longer."""

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.proof.machine import Machine, profile


@pytest.mark.logs_errors
def test_nothing_is_lost_or_doubled_whatever_happens_in_whatever_order() -> None:
    run_state_machine_as_test(Machine, settings=profile(examples=25, steps=30))
