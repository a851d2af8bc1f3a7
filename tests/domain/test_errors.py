"""What is said of an exception that says nothing itself."""

from mnemoscope.domain.errors import reason_of


def test_every_exception_has_a_reason() -> None:
    assert reason_of(ValueError("It broke.")) == "It broke."
    assert reason_of(TimeoutError()) == "there was no answer in time."
    assert reason_of(KeyError()) == "KeyError."


def test_a_reason_ends_as_a_sentence_does() -> None:
    assert reason_of(ValueError("no room left")) == "no room left."
    for whole in ("Is it there?", "It said “Stop.”", "没有回答。", "Wait…"):
        assert reason_of(ValueError(whole)) == whole
