"""What is said of an exception that says nothing itself."""

from mnemoscope.domain.errors import reason_of


def test_every_exception_has_a_reason() -> None:
    assert reason_of(ValueError("It broke.")) == "It broke."
    assert reason_of(TimeoutError()) == "there was no answer in time"
    assert reason_of(KeyError()) == "KeyError"
